"""What can be read of a reply that is still being streamed."""

from __future__ import annotations

from pydantic_core import from_json

from assistant.claims.references import hide_references


def read_partial_field(text_so_far: str, field: str) -> str:
    """The text of one field of a JSON object of which only the beginning is there; empty until the field begins.

    Figures that are referred to are written once the reply is whole.

    Args:
        text_so_far: What has arrived: JSON, perhaps behind some thought and an opening fence.
        field: The field to show.
    """
    thought = text_so_far.rfind("</think>")
    start = text_so_far.find("{", thought + 1 if thought >= 0 else 0)
    if start < 0 or (thought < 0 and text_so_far.lstrip().startswith("<think>")):
        return ""
    end = text_so_far.rfind("\n```", start)
    try:
        values = from_json(text_so_far[start : end if end > 0 else None], allow_partial="trailing-strings")
    except ValueError:
        return ""
    text = values.get(field) if isinstance(values, dict) else None
    return hide_references(text) if isinstance(text, str) else ""
