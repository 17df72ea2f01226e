"""Document files are read in a confined process: honest ones with their places, hostile ones refused in words."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from document_files import PAGE, part_of, with_part, write_pdf, write_slides, write_word

from assistant.sources.workers.extracting import extract
from knowledge.files import reading
from knowledge.files.pieces import PIECES_MAX, FileRefused, FileText

DEEP = "<div>" * 40_000


def said(found: FileText) -> list[tuple[str, str, str]]:
    return [(piece.heading, piece.place, " ".join(piece.text.split())) for piece in found.pieces]


def test_a_pdf_is_cut_at_pages_under_its_bookmarks(tmp_path: Path) -> None:
    path = write_pdf(
        tmp_path / "a.pdf", [("Per diem", "Sixty euros a day."), ("", "Hotels are extra."), ("Cars", "No.")]
    )
    found = extract(path)
    assert (found.title, str(found.updated)) == ("Travel policy", "2026-03-12")
    assert said(found) == [
        ("Per diem", "page 1", "Sixty euros a day."),
        ("Per diem", "page 2", "Hotels are extra."),
        ("Cars", "page 3", "No."),
    ]


def test_a_word_file_is_cut_at_its_headings(tmp_path: Path) -> None:
    found = extract(write_word(tmp_path / "a.docx"))
    assert (found.title, str(found.updated)) == ("Returns handbook", "2026-03-12")
    assert said(found) == [
        ("Returns", "section 'Returns'", "A parcel counts as returned when the warehouse has booked it."),
        (
            "Returns: Deadlines",
            "section 'Deadlines'",
            "Customers may send goods back within thirty days. Country | Days Norway | 45",
        ),
    ]


def test_a_powerpoint_file_is_cut_at_its_slides(tmp_path: Path) -> None:
    found = extract(write_slides(tmp_path / "a.pptx"))
    assert (found.title, str(found.updated)) == ("Loyalty", "2026-03-12")
    assert said(found) == [
        ("Loyalty tiers", "slide 1", "Gold means five orders a year."),
        ("Outlook", "slide 2", "Silver will be dropped. Platinum was never sold."),
    ]


def test_a_web_page_is_cut_at_its_headings_and_no_link_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(PAGE)
    found = extract(path)
    assert (found.title, str(found.updated)) == ("Store handbook", "2026-03-12")
    assert said(found) == [
        ("Opening", "section 'Opening'", "Stores open at nine."),
        (
            "Opening: Stocktaking",
            "section 'Stocktaking'",
            "Stock is counted in January. | Region | Day | | --- | --- | | North | 7 |",
        ),
    ]


def bomb(path: Path) -> Path:
    return with_part(write_word(path), "word/media/image1.png", bytes(60 << 20))


def macros(path: Path) -> Path:
    return with_part(write_word(path), "word/vbaProject.bin", b"macro")


def entities(path: Path) -> Path:
    declared = b'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    body = part_of(write_word(path), "word/document.xml").split(b"?>", 1)[1]
    return with_part(path, "word/document.xml", declared + body.replace(b"A parcel", b"&a;"))


def entities_in_utf_16(path: Path) -> Path:
    declared = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    body = part_of(write_word(path), "word/document.xml").decode().split("?>", 1)[1]
    return with_part(path, "word/document.xml", (declared + body.replace("A parcel", "&a;")).encode("utf-16"))


def deep(path: Path) -> Path:
    path.write_text(f"<html><body>{DEEP}text</body></html>")
    return path


def no_zip(path: Path) -> Path:
    path.write_bytes(b"PK\x03\x04 and nothing more")
    return path


def cut_off(path: Path) -> Path:
    whole = write_pdf(path, [("A", "Text.")]).read_bytes()
    path.write_bytes(whole[:60])
    return path


def locked(path: Path) -> Path:
    return write_pdf(path, [("A", "Text.")], password="secret")


def pictures(path: Path) -> Path:
    return write_pdf(path, [("", "")])


def empty(path: Path) -> Path:
    path.write_text("<html><body><p> </p></body></html>")
    return path


@pytest.mark.parametrize(
    ("name", "make", "words"),
    [
        ("a.docx", bomb, r"packed \d+ times"),
        ("a.docx", macros, "holds macros; save it without them"),
        ("a.docx", entities, "declares entities"),
        ("a.docx", entities_in_utf_16, "declares entities"),
        ("a.docx", no_zip, "no Office file that can be opened"),
        ("a.pptx", no_zip, "no Office file that can be opened"),
        ("a.html", deep, "nested too deeply"),
        ("a.html", empty, "holds no text"),
        ("a.pdf", cut_off, "is damaged"),
        ("a.pdf", locked, "protected by a password; save it without one"),
        ("a.pdf", pictures, "holds no text, only pictures"),
        ("a.docm", write_word, "may hold macros; save it as .docx"),
        ("a.doc", no_zip, "old Word; save it as .docx"),
    ],
)
def test_what_no_honest_file_holds_is_refused_in_words(tmp_path: Path, name: str, make, words: str) -> None:
    with pytest.raises(FileRefused, match=words) as refused:
        extract(make(tmp_path / name))
    assert refused.value.is_lasting
    assert str(tmp_path) not in str(refused.value)


def test_a_file_that_keeps_its_reader_busy_without_end_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<a" * 2_500_000)  # quadratic for the parser of Python
    with pytest.raises(FileRefused, match="was not read within 2 s"):
        extract(path, limit_s=2)


def test_pages_that_lead_back_to_each_other_come_to_an_end(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [("A", "Text.")])
    whole = path.read_bytes()
    kids = re.search(rb"(\d+) 0 obj\s*<<\s*/Type /Pages\s*/Count 1\s*/Kids \[ (\d+) 0 R \]", whole)
    assert kids is not None
    itself = kids.group(0).replace(b"[ " + kids.group(2), b"[ " + kids.group(1).ljust(len(kids.group(2))))
    path.write_bytes(whole.replace(kids.group(0), itself))
    with pytest.raises(FileRefused):
        extract(path, limit_s=20)


def test_a_stream_that_unpacks_to_more_than_there_is_memory_is_refused(tmp_path: Path) -> None:
    import zlib

    path = write_pdf(tmp_path / "a.pdf", [("A", "Text.")])
    packed = zlib.compress(b"(x) Tj " * (300 << 17), 9)
    whole = path.read_bytes()
    found = re.search(rb"<<\s*/Length \d+\s*>>\s*stream\n.*?endstream", whole, re.DOTALL)
    assert found is not None
    stream = b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(packed), packed)
    path.write_bytes(whole.replace(found.group(0), stream))
    with pytest.raises(FileRefused):
        extract(path, limit_s=60)


def test_a_part_that_lies_outside_is_not_read_and_that_is_said(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    path = write_word(tmp_path / "a.docx")
    name = "word/_rels/document.xml.rels"
    link = (
        f'<Relationship Id="rId99" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/subDocument"'
        f' Target="{secret.as_uri()}" TargetMode="External"/></Relationships>'
    )
    with_part(path, name, part_of(path, name).replace(b"</Relationships>", link.encode()))
    found = extract(path)
    assert found.remarks == ("links to 1 parts outside of itself, which were not read",)
    assert "the secret" not in str(found)


def test_a_page_that_inserts_a_local_file_says_so_and_shows_nothing_of_it(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    path = tmp_path / "a.html"
    path.write_text(f"<h1>Open</h1><p>Text.</p><iframe src='{secret.as_uri()}'></iframe>")
    found = extract(path)
    assert found.remarks == ("inserts 1 parts from elsewhere, which were not read",)
    assert "the secret" not in str(found)


def test_a_file_without_end_is_read_at_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("".join(f"<h2>{n}</h2><p>text</p>" for n in range(PIECES_MAX + 500)))
    found = extract(path)
    assert len(found.pieces) == PIECES_MAX
    assert "only its beginning is read" in found.remarks[0]


def test_without_the_libraries_the_command_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    path = write_pdf_bytes(tmp_path / "a.pdf")
    with pytest.raises(FileRefused, match=re.escape("PDF needs `pip install 'tandem-analyst[documents]'`")) as refused:
        reading.read_document_file(path)
    assert not refused.value.is_lasting


def write_pdf_bytes(path: Path) -> Path:
    path.write_bytes(b"%PDF-1.4")
    return path
