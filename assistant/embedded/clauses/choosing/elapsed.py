"""Clauses about how long ago something came: "open tickets older than 30 days", "orders newer than a week"."""

from __future__ import annotations

from datetime import date, timedelta

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted, PeriodWanted
from assistant.embedded.dates import Period, describe
from assistant.embedded.linking.options import ToColumn, ToNumber, ToTable, ToTerm
from assistant.embedded.linking.persons import is_person
from assistant.embedded.source.dating import day_for
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.lexicon import singular
from assistant.embedded.words.vocabulary import DAYS

_OLD = frozenset(("old", "ago"))


def elapsed(draft: Draft) -> None:
    """Read a stretch of time behind "older than", or before "old", as the days before it."""
    for i, cue in draft.cues("compare"):
        number, unit = draft.open(i + 1) if i + 1 < len(draft.pieces) else None, _unit(draft, i + 2)
        if not isinstance(number, ToNumber) or not unit or draft.today is None:
            continue
        if _late(draft, i, int(number.number * DAYS[unit]), cue.argument):
            continue
        behind = draft.word(i + 3)
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


def _late(draft: Draft, at: int, days: int, operator: str) -> bool:
    """ "delivered more than 2 days late": so many days behind the day on which it was due."""
    option = draft.open(at + 3) if at + 3 < len(draft.pieces) else None
    said = (option.term.sql or "").split(" > ") if isinstance(option, ToTerm) else []
    if not isinstance(option, ToTerm) or len(said) != _SIDES or operator not in (">", ">=", "<", "<="):
        return False
    done, due = (draft.schema.find(option.term.table or "", name.strip('"`')) for name in said)
    if done is None or due is None or not done.is_time:
        return False
    draft.use(at, at + 1, at + 2, at + 3)
    draft.pieces[at + 2].option = None
    draft.mention(done.table)
    draft.filters.append(FilterWanted(done, operator, (), piece=at, other=due, days=days))
    if before := draft.before(at, plain_max=0):
        verb = draft.open(before)
        if isinstance(verb, ToColumn) and verb.attribute == done:
            draft.use(before)
    if draft.subject is None and not any(isinstance(piece.option, ToTable) for piece in draft.pieces):
        draft.subject = draft.entity_of(done)
    return True


_SIDES = 2


def _unit(draft: Draft, at: int) -> str:
    text = singular(draft.pieces[at].span.text.lower()) if at < len(draft.pieces) else ""
    return text if text in DAYS else ""


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
    return today - timedelta(days=int(count * DAYS[unit]))
