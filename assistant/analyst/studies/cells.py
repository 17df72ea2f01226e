from __future__ import annotations

from assistant.analyst.meaning import Meaning


def computation(meaning: Meaning, *, frame: str) -> str:
    """The Python step of a study over the DataFrame `frame`."""
    return ""
