"""How long something takes, where it is kept as text: 4:27, 01:02:33.

Text does not sort as durations do ("10:02" comes before "4:27"), so queries compute with the seconds. Times of day look
the same: only what is called a duration, a length or a lap is taken for one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from assistant.data.catalog import Column
from assistant.embedded.source.schema import known_of
from assistant.embedded.words.lexicon import name_stems, stem
from assistant.embedded.words.vocabulary import word_set

_TAKES = frozenset(
    stem(word) for word in word_set("duration length runtime runtimes running lasting elapsed lap playtime playing")
)
_LONG = frozenset(stem(word) for word in word_set("flight trip journey voyage crossing drive ride shift travel stay"))
"""What takes hours rather than minutes."""
_TEXT = re.compile(r"(\d{1,3}):([0-5]?\d)(?::([0-5]?\d)(?:\.\d+)?)?")
_WHOLE, _OF_HOURS, _OF_MINUTES = ("hours", "minutes", "seconds"), ("hours", "minutes"), ("minutes", "seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The parts of a duration, the largest first, and one `example`."""

    parts: tuple[str, ...]
    example: str

    @property
    def spoken(self) -> str:
        """The parts as people say them, and what is computed: "minutes:seconds, and counted in seconds"."""
        return f"{':'.join(self.parts)}, and counted in seconds"


def clock_of(column: Column, table: str) -> Clock | None:
    """How a text column notes durations, by its name and all that is known of its values; None where it notes none."""
    if column.kind != "text" or not _TAKES & set(name_stems(column.name)):
        return None
    texts = [text for value in known_of(column) if (text := str(value).strip())]
    found = [match for text in texts if (match := _TEXT.fullmatch(text))]
    if not texts or len(found) < len(texts) or len({match[3] is None for match in found}) > 1:
        return None
    if found[0][3] is not None:
        return Clock(parts=_WHOLE, example=texts[0])
    long = bool(_LONG & set(name_stems(table)))
    return Clock(parts=_OF_HOURS if long else _OF_MINUTES, example=texts[0])


def as_seconds(column: Column) -> Column:
    """The column as one of seconds, which is what queries make of it; its ends are not known as such."""
    profile = column.profile
    known = replace(profile, low=None, high=None, top=(), values=None) if profile else None
    return replace(column, kind="integer", profile=known)
