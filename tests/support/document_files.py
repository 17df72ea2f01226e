"""Document files as tests write them: one of each format, with headings, places and a date."""

from __future__ import annotations

import zipfile
from datetime import datetime
from io import BytesIO
from pathlib import Path

CHANGED = datetime(2026, 3, 12, 9, 30)


def write_pdf(path: Path, pages: list[tuple[str, str]], *, title: str = "Travel policy", password: str = "") -> Path:
    """A PDF with a bookmark and a line of text for each page."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    for number, (heading, text) in enumerate(pages):
        page = writer.add_blank_page(width=595, height=842)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
        if heading:
            writer.add_outline_item(title=heading, page_number=number)
    writer.add_metadata(infos={"/Title": title, "/ModDate": CHANGED.strftime("D:%Y%m%d%H%M%S+00'00'")})
    if password:
        writer.encrypt(user_password=password)
    writer.write(path)
    return path


def write_word(path: Path) -> Path:
    """A Word file with two headings and a table."""
    from docx import Document

    document = Document()
    document.add_heading("Returns", level=1)
    document.add_paragraph("A parcel counts as returned when the warehouse has booked it.")
    document.add_heading("Deadlines", level=2)
    document.add_paragraph("Customers may send goods back within thirty days.")
    table = document.add_table(rows=2, cols=2)
    for row, cells in zip(table.rows, (("Country", "Days"), ("Norway", "45")), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    document.core_properties.title = "Returns handbook"
    document.core_properties.modified = CHANGED
    document.save(str(path))
    return path


def write_slides(path: Path) -> Path:
    """A PowerPoint file of two slides, the second with notes."""
    from pptx import Presentation

    slides = Presentation()
    for title, text in (("Loyalty tiers", "Gold means five orders a year."), ("Outlook", "Silver will be dropped.")):
        slide = slides.slides.add_slide(slides.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text_frame.text = text
    slide.notes_slide.notes_text_frame.text = "Platinum was never sold."
    slides.core_properties.title = "Loyalty"
    slides.core_properties.modified = CHANGED
    slides.save(str(path))
    return path


PAGE = """<!DOCTYPE html><html><head><title>Store handbook</title>
<meta name="last-modified" content="2026-03-12"><script>alert('never shown')</script></head>
<body><nav>Home</nav><h1>Opening</h1><p>Stores open at nine.</p>
<h2>Stocktaking</h2><p>Stock is <b>counted</b> in <a href="file:///etc/passwd">January</a>.</p>
<table><tr><th>Region</th><th>Day</th></tr><tr><td>North</td><td>7</td></tr></table></body></html>"""


def with_part(path: Path, name: str, content: bytes) -> Path:
    """An Office file with a part put in, or put in the place of another."""
    made = BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            if info.filename != name:
                new.writestr(info.filename, old.read(info))
        new.writestr(name, content)
    path.write_bytes(made.getvalue())
    return path


def part_of(path: Path, name: str) -> bytes:
    """A part of an Office file."""
    with zipfile.ZipFile(path) as parts:
        return parts.read(name)
