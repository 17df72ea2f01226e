"""Clauses about how long ago something came: "open tickets older than 30 days", "orders newer than a week"."""

from __future__ import annotations

from datetime import date, timedelta

from assistant.embedded.clauses.draft import Draft, PeriodWanted
from assistant.embedded.dates import Period, describe
from assistant.embedded.linking.links import ToNumber, ToTable, ToTerm
from assistant.embedded.linking.persons import is_person
from assistant.embedded.source.dating import day_for
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.lexicon import singular

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_OLD = frozenset(("old", "ago"))


def elapsed(draft: Draft) -> None:
    """Read a stretch of time behind "older than", or before "old", as the days before it."""
    for i, cue in draft.cues("compare"):
        number, unit = draft.open(i + 1) if i + 1 < len(draft.pieces) else None, _unit(draft, i + 2)
        if not isinstance(number, ToNumber) or not unit or draft.today is None:
            continue
        behind = draft.pieces[i + 3].span.text.lower() if i + 3 < len(draft.pieces) else ""
        older = cue.argument == "older" or (cue.argument in (">", ">=") and behind in _OLD)
        newer = cue.argument == "younger" or (cue.argument in ("<", "<=") and behind in _OLD)
        came = _came(draft, i)
        if came is None or not (older or newer) or (unit == "year" and is_person(draft.entity_of(came))):
            continue  # how many years somebody has lived is another question
        day = _before(draft.today, number.number, unit)
        period = Period(start=None if older else day, end=day if older else None, label="")
        period = Period(start=period.start, end=period.end, label=describe(period.start, period.end))
        draft.use(i, i + 1, i + 2, *([i + 3] if behind in _OLD else []))
        draft.pieces[i + 2].option = None
        draft.periods.append(PeriodWanted(period, attribute=came, at=i))
        draft.assumptions.append(f"how old something is goes by its {came.words}")


def _unit(draft: Draft, at: int) -> str:
    text = singular(draft.pieces[at].span.text.lower()) if at < len(draft.pieces) else ""
    return text if text in _DAYS else ""


def _came(draft: Draft, at: int) -> Attribute | None:
    """The day on which the rows came that stand nearest before a place, or that the question is of."""
    for piece in (*reversed(draft.pieces[:at]), *draft.pieces[at:]):
        option = piece.option
        entity = option.entity if isinstance(option, ToTable) else None
        if isinstance(option, ToTerm) and option.term.table:
            entity = draft.schema.find_entity(option.term.table)
        if entity is not None:
            found = day_for(draft.schema, entity)
            return found if found is not None and found.role == "date" else None
    return None


def _before(today: date, count: float, unit: str) -> date:
    return today - timedelta(days=int(count * _DAYS[unit]))
