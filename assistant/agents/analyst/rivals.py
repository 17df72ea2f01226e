"""The other reading of a doubt, as a meaning: what an answer would be where -200 means "no value", or without "World".

Pure. A rival changes the query of a meaning, never its data: the rows stay as they are. A person chooses it by asking
for it in the words of its follow-up, and from then on it holds in that session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from assistant.analyst.algebra import (
    Aggregate,
    Column,
    Compare,
    Constant,
    Either,
    Grouped,
    Missing,
    OneOf,
    Query,
    Rows,
    both,
    mapped,
    parts,
)
from assistant.analyst.meaning import Meaning
from assistant.analyst.repeated_values import counted_once
from assistant.analyst.wording import named
from assistant.core.events import Event
from assistant.core.turns import fold_events
from assistant.plain_english import join_first, joined

if TYPE_CHECKING:
    from assistant.analyst.algebra import Scalar
    from assistant.analyst.schema import Schema
    from assistant.core.doubts import Doubt

_NAMED_MAX = 2
_SPREAD = frozenset(("sum", "mean", "median", "percentile", "stddev", "min", "max"))
"""Functions to which a mark for "no value" adds something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """The other reading of a doubt.

    Attributes:
        doubt: The doubt.
        meaning: What the question means then.
        condition: When that is so, as it follows a figure: "if -200 means “no value”".
        ask: The words that ask for it.
    """

    doubt: Doubt
    meaning: Meaning
    condition: str
    ask: str


def find_rivals(meaning: Meaning, doubts: Sequence[Doubt], schema: Schema) -> Iterator[Rival]:
    """The other readings of a meaning, the heaviest doubt first; none for studies and queries that a person wrote."""
    if meaning.study is not None or meaning.verbatim is not None:
        return
    for doubt in doubts:
        query = _find_other_query(meaning.query, doubt, schema)
        if query is not None and query != meaning.query:
            condition, ask = _word_rival(doubt, meaning.query)
            yield Rival(doubt=doubt, meaning=replace(meaning, query=query), condition=condition, ask=ask)


def find_choices(log: Sequence[Event]) -> dict[str, Doubt]:
    """What a person chose for good, or asked for so far of the rivals that answers offered, by the words that ask.

    Of two that take each other back the later one holds.
    """
    session = fold_events(log)
    offered: dict[str, Doubt] = {}
    choices = {
        normalise_choice(_list_asks(doubt)[0]): doubt
        for source in session.sources
        for doubt in source.doubts
        if doubt.is_chosen and _list_asks(doubt)
    }
    for turn in session.turns:
        if (key := normalise_choice(turn.question)) in offered:
            for rival_ask in _list_asks(offered[key]):
                choices.pop(normalise_choice(rival_ask), None)
            choices[key] = offered[key]
        if turn.answer is not None:
            offered |= {normalise_choice(ask): doubt for doubt in turn.answer.doubts for ask in _list_asks(doubt)}
    return choices


def apply_choices(meaning: Meaning, choices: dict[str, Doubt], schema: Schema) -> Meaning:
    """A meaning as a person chose to read the data, with that as an assumption."""
    for key, doubt in choices.items():
        for rival in find_rivals(meaning, (doubt,), schema):
            if normalise_choice(rival.ask) == key:
                meaning = replace(
                    rival.meaning, assumptions=(*rival.meaning.assumptions, f"As you chose: {rival.ask}.")
                )
    return meaning


def normalise_choice(text: str) -> str:
    """What a person said, as it is compared with the words that ask for a rival."""
    return " ".join(text.casefold().rstrip(".!? ").split())


def _list_asks(doubt: Doubt) -> tuple[str, ...]:
    """All words that ask for a doubt's rival."""
    values = _read_values(doubt)
    match doubt.kind:
        case "sentinels" if values:
            return (f"leave out {joined([str(value) for value in values])} in {doubt.columns[0]}",)
        case "members" if values:
            return (f"leave out {_list_names(values)} in {doubt.columns[0]}",)
        case "equal_names":
            first, second = doubt.columns
            return (f"use {second} instead of {first}", f"use {first} instead of {second}")
        case "repeated_values" if doubt.correction is not None:
            return (f"count each {named(str(doubt.correction.value))} once",)
        case _:
            return ()


def _word_rival(doubt: Doubt, query: Query) -> tuple[str, str]:
    """When a rival is so, and what asks for it."""
    asks, values = _list_asks(doubt), _read_values(doubt)
    match doubt.kind:
        case "sentinels":
            marks = joined([str(value) for value in values])
            return f"if {marks} {'means' if len(values) == 1 else 'mean'} “no value”", asks[0]
        case "members":
            return f"without {_list_names(values)}", asks[0]
        case "repeated_values":
            return "counted once", asks[0]
        case _:
            first, second = doubt.columns
            is_first = Column(doubt.table, first) in set(parts(query))
            return (f"of the column {second if is_first else first}", asks[0] if is_first else asks[1])


def _list_names(values: Sequence[Scalar]) -> str:
    return join_first([str(value) for value in values], _NAMED_MAX)


def _read_values(doubt: Doubt) -> tuple[Scalar, ...]:
    """The values that a doubt is about: as numbers where they are marks among numbers."""
    values = doubt.correction.value if doubt.correction is not None else ()
    if not isinstance(values, tuple):
        return ()
    return tuple(map(_parse_number, values)) if doubt.kind == "sentinels" else values


def _parse_number(text: str) -> float | int | str:
    """A mark as the number that it is; days stay texts."""
    with suppress(ValueError):
        return float(text) if "." in text or "e" in text else int(text)
    return text


def _find_other_query(query: Query, doubt: Doubt, schema: Schema) -> Query | None:
    """A query by the other side of a doubt; None where that cannot be said, or makes no difference to it."""
    if doubt.table not in schema.tables:
        return None
    columns = [Column(doubt.table, name) for name in doubt.columns]
    if any(column not in schema.profiled for column in columns):
        return None
    values = _read_values(doubt)
    match doubt.kind:
        case "sentinels" if values:
            return mapped(query, partial(_exclude_marks, column=columns[0], values=values))
        case "members" if values:
            mentions = [
                part
                for part in parts(query)
                if (isinstance(part, Compare) and part.left == columns[0] and isinstance(part.right, Constant))
                or (isinstance(part, OneOf) and part.term == columns[0])
            ]
            if mentions or not isinstance(query, Grouped):  # who asks for a country by its name, asks for it alone
                return None
            return mapped(query, partial(_exclude_members, column=columns[0], values=values))
        case "equal_names" if len(columns) == 2 and columns[1].name.startswith(f"{columns[0].name}_"):
            columns_in_query = [column for column in columns if column in set(parts(query))]
            if len(columns_in_query) != 1:
                return None
            second_column = columns[1] if columns_in_query[0] == columns[0] else columns[0]
            return mapped(query, lambda part: second_column if part == columns_in_query[0] else part)
        case "repeated_values" if any(column in set(parts(query)) for column in columns):
            return counted_once(query, schema)
        case _:
            return None


def _exclude_marks(part: object, *, column: Column, values: tuple[Scalar, ...]) -> object:
    if isinstance(part, Aggregate) and part.term == column and part.function in _SPREAD:
        return replace(part, where=both(part.where, *_list_exclusions(column, values)))
    return part


def _exclude_members(part: object, *, column: Column, values: tuple[Scalar, ...]) -> object:
    if isinstance(part, Rows) and part.table == column.table:
        return replace(part, where=both(part.where, Either((Missing(column), both(*_list_exclusions(column, values))))))
    return part


def _list_exclusions(column: Column, values: tuple[Scalar, ...]) -> tuple[Compare, ...]:
    return tuple(Compare(column, "!=", Constant(value)) for value in values)
