"""The day that a question counts from: "assuming today is 2024-06-30", "in the last 6 months of the data".

What says it is cut off; the rest is read as on that day. The data ends with the latest day that a source is known to
hold, and not after the day of asking: what is planned is not yet there.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from assistant.embedded.source.schema import Schema
from assistant.embedded.time_phrases import time_phrase
from assistant.embedded.words.lexicon import tokens

_TODAY = re.compile(
    r"[,;.(]?\s*\b(?:(?:assum|suppos|tak|consider|us)(?:e|es|ing)\b(?: that)?|given(?: that)?|if|where|when|with)?"
    r"\s*(?:today|the current date|now)(?:'s date)? (?:is|as|being|was|were|to be|=) (?:the )?"
    r"(?P<day>\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z]\w+ \d{4}|[A-Z]\w+ \d{1,2}(?:st|nd|rd|th)?,? \d{4})"
    r"\)?[,;:.]?",
    re.IGNORECASE,
)
_AS_OF_NOW = re.compile(r",? as of (?:today|now)\b", re.IGNORECASE)
_END_OF_DATA = re.compile(
    r"(?P<kept>\b(?:last|past|latest|final|most recent) (?:\w+ )?(?:days?|weeks?|months?|quarters?|years?))"
    r" (?:of|in|within|covered by|available in) (?:the |our |all )?(?:available |whole |recorded )*(?:data|records)\b",
    re.IGNORECASE,
)


def cut(question: str, schema: Schema, today: date) -> tuple[str, date | None]:
    """The question without what says from which day it counts, and that day; None where it does not say."""
    question = _AS_OF_NOW.sub("", question)
    if (said := _TODAY.search(question)) is not None and (day := _day(said["day"], today)) is not None:
        return " ".join(f"{question[: said.start()]} {question[said.end() :]}".split()), day
    if (ended := _END_OF_DATA.search(question)) is not None and (last := _last_day(schema, today)) is not None:
        kept = re.sub(r"(?i)latest|final|most recent", "last", ended["kept"])
        return f"{question[: ended.start()]}{kept}{question[ended.end() :]}", _behind(last, ended["kept"])
    return question, None


def _day(text: str, today: date) -> date | None:
    found = time_phrase(tokens(text.replace(",", "")), 0, today)
    return found[0].start if found is not None else None


def _behind(last: date, said: str) -> date:
    """The day from which on the data's last days, or its last months, are past."""
    if re.search(r"days?|weeks?", said, re.IGNORECASE):
        return last + timedelta(days=1)
    if re.search(r"months?", said, re.IGNORECASE):
        return date(last.year + last.month // 12, last.month % 12 + 1, 1)
    if re.search(r"quarters?", said, re.IGNORECASE):
        return date(last.year + (last.month > _LAST_QUARTER), ((last.month - 1) // 3 * 3 + 3) % 12 + 1, 1)
    return date(last.year + 1, 1, 1)


_LAST_QUARTER = 9


def _last_day(schema: Schema, today: date) -> date | None:
    """The latest day of what happened, by the tables with the most rows that have days."""
    found: list[tuple[int, date]] = []
    for entity in schema.entities.values():
        days = [
            day for a in entity.attributes.values() if a.role == "date" if (day := _high(a.column.profile)) is not None
        ]
        past = [day for day in days if day <= today]
        if past:
            found.append((entity.table.rows or 0, max(past)))
    return max(found)[1] if found else None


def _high(profile: object) -> date | None:
    high = str(getattr(profile, "high", None) or "")[:10]
    try:
        return date.fromisoformat(high)
    except ValueError:
        return None
