"""The pieces of a reading in words, for a person who asks how a question was read."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.analyst import parts
from assistant.analyst.algebra import Column, Condition, Grouped, Rows, tables_here
from assistant.analyst.wording import condition, figure_words, named, part_of_date, period, term


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """How a question was read: each phrase with what it became, and the words that were not used."""

    sentence: str
    confidence: float
    phrases: tuple[tuple[str, str], ...]
    unread: tuple[str, ...]
    sql: str


def in_words(meaning: object) -> str:
    """What a phrase stands for."""
    match meaning:
        case parts.Thing():
            return f"{named(meaning.table)}, by {named(meaning.key.name)}" if meaning.key else named(meaning.table)
        case Column():
            return f"column {named(meaning.name)} of {named(meaning.table)}"
        case parts.MeasuredFigure():
            return f"{figure_words(meaning.figure, Grouped(Rows(meaning.table), (), ()))}, of {named(meaning.table)}"
        case parts.GroupKey():
            return _key(meaning)
        case parts.Top():
            by = " by how many there are" if meaning.by_count and meaning.by is None else _by(meaning.by)
            return f"the {'greatest' if meaning.descending else 'least'} {meaning.n}{by}"
        case parts.Sort():
            return f"in {'descending' if meaning.descending else 'ascending'} order{_by(meaning.by)}"
        case tuple():
            return " and ".join(map(in_words, meaning))
        case _:
            return _condition(meaning)


def _by(value: object) -> str:
    return f" by {in_words(value)}" if value is not None else ""


def _key(key: parts.GroupKey) -> str:
    subject = in_words(key.thing) if key.thing else term(key.term, Rows("")) if key.term else ""
    return " ".join(filter(None, ("for each", key.grain or "", subject)))


def _condition(meaning: object) -> str:
    if isinstance(meaning, Condition):
        tables = tables_here(meaning)
        return condition(meaning, Rows(tables[0] if tables else ""))
    match meaning:
        case parts.When(parts.Period(start, end)):
            return period(start, end)
        case parts.When(parts.Recurring(grain, values)):
            return " or ".join(part_of_date(value, grain) for value in values)
        case parts.Having():
            return f"{in_words(meaning.measured)} {in_words(meaning.bound)}"
        case parts.Bound():
            return f"{meaning.op} {meaning.n:g}"
        case parts.Negated():
            return f"not {in_words(meaning.of)}"
        case parts.Alternatives():
            return " or ".join(map(in_words, meaning.of))
        case parts.Has():
            number = "" if meaning.quantifier in ("some", "none") else f" {meaning.n}"
            return f"with {meaning.quantifier}{number} {in_words(meaning.thing)}"
        case parts.Flag():
            return meaning.name
        case _:
            return str(meaning)
