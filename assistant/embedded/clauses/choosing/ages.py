"""Clauses about ages where only a date of birth is known: "employees older than 50", "customers between 20 and 30"."""

from __future__ import annotations

from datetime import date, timedelta

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.adjectives import tables_in_question
from assistant.embedded.clauses.wanted import PeriodWanted
from assistant.embedded.dates import Period, describe
from assistant.embedded.linking.options import ToColumn, ToMetric, ToNumber, ToTable, ToTerm, ToValue
from assistant.embedded.meaning import Operator
from assistant.embedded.source.dating import is_birth
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.lexicon import name_words, singular
from assistant.embedded.words.vocabulary import PEOPLE

_AGED = frozenset(("old", "age", "aged", "older", "younger"))
_OPERATORS: dict[str, Operator] = {
    "older": ">", "younger": "<", ">": ">", ">=": ">=", "<": "<", "<=": "<=", "=": "="
}  # fmt: skip
_YEARS = range(1, 121)


def ages(draft: Draft) -> None:
    """Read a number of years as the days of birth that it leaves: who is over 50 was born more than 50 years ago."""
    born = _born(draft)
    if born is None or draft.today is None:
        return
    for i, _ in draft.cues("between"):
        low, high = i + 1, i + 3
        first, second = (draft.open(n) if n < len(draft.pieces) else None for n in (low, high))
        if isinstance(first, ToNumber) and isinstance(second, ToNumber) and _of_people(draft, i, high):
            _keep(draft, born, _until(draft.today, first.number), _since(draft.today, second.number), i)
            draft.use(*range(i, high + 1), *_said(draft, high + 1))
    for i, cue in draft.cues("compare", "or_more"):
        at = i + 1 if cue.kind == "compare" else i - 1
        number = draft.open(at) if 0 <= at < len(draft.pieces) else None
        operator = _OPERATORS.get(cue.argument)
        if operator is None or not isinstance(number, ToNumber) or not _of_people(draft, min(i, at), max(i, at)):
            continue
        years = number.number + (1 if operator == ">" else -1 if operator == "<" else 0)
        until = _until(draft.today, years) if operator in (">", ">=", "=") else None
        since = _since(draft.today, years) if operator in ("<", "<=", "=") else None
        _keep(draft, born, until, since, i)
        draft.use(i, at, *_said(draft, max(i, at) + 1))


def _born(draft: Draft) -> Attribute | None:
    """The one date of birth of the rows in question, where no column holds their age."""
    for table in tables_in_question(draft):
        attributes = draft.schema.entities[table].attributes.values()
        if any(a.own[-1:] == ("age",) and a.is_number for a in attributes):
            return None
        dates = [a for a in attributes if a.role == "date" and is_birth(a.name)]
        if dates:
            return dates[0] if len(dates) == 1 else None
    return None


def _of_people(draft: Draft, first: int, last: int) -> bool:
    """Whether the words between two places speak of an age: by saying so, or right behind a word for people."""
    said = {word for n in range(first, last + 1) for word in draft.pieces[n].span.text.lower().split()}
    before = [name_words(piece.span.text)[-1:] for piece in draft.pieces[max(first - 2, 0) : first]]
    people = any(words and singular(words[0]) in PEOPLE | {"people"} for words in before)
    number = next((p.option for p in draft.pieces[first : last + 1] if isinstance(p.option, ToNumber)), None)
    fits = number is not None and number.number in _YEARS
    counted = last + 1 < len(draft.pieces) and isinstance(
        draft.open(last + 1), ToColumn | ToTable | ToMetric | ToValue | ToTerm
    )
    return fits and (bool(_AGED & said) or bool(_said(draft, last + 1)) or (people and not counted))


def _said(draft: Draft, at: int) -> list[int]:
    """The place of "years old" behind a number."""
    text = draft.word(at)
    return [at] if _AGED & set(text.split()) else []


def _until(today: date, years: float) -> date:
    """The first day on which somebody born is not yet so many years old today."""
    return _ago(today, int(years)) + timedelta(days=1)


def _since(today: date, years: float) -> date:
    """The first day on which somebody born is not older than so many years today."""
    return _ago(today, int(years) + 1) + timedelta(days=1)


def _ago(today: date, years: int) -> date:
    try:
        return today.replace(year=today.year - years)
    except ValueError:  # the 29th of February
        return today.replace(year=today.year - years, day=28)


def _keep(draft: Draft, born: Attribute, until: date | None, since: date | None, at: int) -> None:
    period = Period(start=since, end=until, label=describe(since, until))
    draft.periods.append(PeriodWanted(period, attribute=born, at=at))
    draft.assumptions.append(f"the age is counted from {born.words} until today")
