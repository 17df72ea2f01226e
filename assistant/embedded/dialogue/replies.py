"""What a person replies to "which do you mean?": "the second", "2", "yes", "the one by region", "neither"."""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.embedded.words.lexicon import sentence_of, telling_stems

_PLACES = {
    "first": 0, "1": 0, "1st": 0, "one": 0, "former": 0, "a": 0,
    "second": 1, "2": 1, "2nd": 1, "two": 1, "b": 1,
    "third": 2, "3": 2, "3rd": 2, "three": 2, "c": 2,
    "fourth": 3, "4": 3, "4th": 3, "four": 3, "d": 3,
    "last": -1, "latter": -1,
}  # fmt: skip
_AROUND = re.compile(
    r"^(?:(?:i (?:mean|meant|want|choose|take|would like)|take|use|show(?: me)?|choose|please|the|option|number|no\.|reading|#)\s*)+"
    r"|(?:\s*(?:one|option|reading|please|thanks|of (?:them|these|those|the two)|[.)]))+$",
    re.IGNORECASE,
)
_YES = re.compile(
    r"(?:yes|yep|yeah|ja|sure|right|correct|exactly|ok|okay|fine|that(?:'s| is) (?:it|right|fine)|i do|go ahead|please do)\b[\s,.!]*"
    r"(?:please|thanks|that one|i do|that is what i mean|go ahead|do that)?$",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?:no|nope|neither|none|not (?:that|these|this|those)|nothing of the kind)\b[\s,]*"
    r"(?:thanks|of (?:them|these|those)|neither|none|not that|that is not what i mean)?$",
    re.IGNORECASE,
)

_ASKS = re.compile(r"(?:how|what|who|when|where|why|is|are|do|does|did|list|count|find)\b", re.IGNORECASE)
"""The reply is a question of its own."""


def chosen(reply: str, labels: Sequence[str]) -> int | None:
    """Which of the readings that were offered is meant, by its place or its words; None where nobody can tell."""
    if reply in labels:
        return labels.index(reply)
    text = sentence_of(reply)
    if len(labels) == 1 and _YES.match(text):
        return 0
    place = _PLACES.get(_AROUND.sub("", text).lower() or text.lower())
    if place is not None:
        return place % len(labels) if place < len(labels) else None
    said = frozenset[str]() if _ASKS.match(text) else telling_stems(text)
    held = [n for n, label in enumerate(labels) if said and said <= telling_stems(label)]
    return held[0] if len(held) == 1 else None


def says_none(reply: str) -> bool:
    """Whether none of what was offered is meant."""
    return bool(_NO.match(sentence_of(reply)))
