from __future__ import annotations

from assistant.analyst.meaning import Meaning, StudyKind
from assistant.analyst.presenting.answers import Result

TITLES: dict[StudyKind, str] = {}


def told(meaning: Meaning, result: Result) -> tuple[str, tuple[str, ...]]:
    return "", ()
