"""PowerPoint (`.pptx`): each slide under its title, with its tables and the speaker's notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knowledge.files.packing import check_packing, office_text
from knowledge.files.pieces import Block, FileText

if TYPE_CHECKING:
    from pptx.presentation import Presentation as Slides

_GROUPS_DEEP = 8


def read_slides(path: Path) -> FileText:
    """Read a PowerPoint file. Its links and pictures are not followed.

    Raises:
        FileRefused: It is no such file, or unpacks to too much.
    """
    from pptx import Presentation

    outside = check_packing(path)
    slides = Presentation(str(path))
    about = slides.core_properties
    return office_text(about.title, about.modified, _blocks(slides), outside)


def _blocks(slides: Slides) -> Iterator[Block]:
    for number, slide in enumerate(slides.slides, start=1):
        place = f"slide {number}"
        title = slide.shapes.title
        yield Block(text=title.text_frame.text if title is not None else place.capitalize(), level=1, place=place)
        for text in _texts(slide.shapes, skipped=title.shape_id if title is not None else None):
            yield Block(text=text, place=place)
        if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None:
            yield Block(text=notes.text, place=place)


def _texts(shapes: Iterable[Any], *, skipped: int | None, deep: int = 0) -> Iterator[str]:
    for shape in shapes:
        if shape.shape_id == skipped:
            continue
        if shape.has_text_frame:
            yield shape.text_frame.text
        elif shape.has_table:
            yield "\n".join(" | ".join(" ".join(cell.text.split()) for cell in row.cells) for row in shape.table.rows)
        elif hasattr(shape, "shapes") and deep < _GROUPS_DEEP:
            yield from _texts(shape.shapes, skipped=skipped, deep=deep + 1)
