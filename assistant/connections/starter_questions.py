"""Generates starter questions from the names and roles of a source's columns: one of each kind. Pure.

The caller tests whether a question can be answered: `chosen` takes the first of each kind that can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from assistant.analyst.algebra import Column
from assistant.analyst.data_coverage import days_held
from assistant.analyst.names import lemma
from assistant.analyst.schema import LinkedTable, Schema
from assistant.analyst.wording import named, things

Kind = Literal["total", "trend", "ranking", "share", "comparison", "quality"]
KINDS: tuple[Kind, ...] = ("total", "trend", "ranking", "share", "comparison", "quality")
_GROUPS_MAX = 40
_TABLES_MAX = 3
_TRIED_MAX = 4
"""So many questions of a kind are tried: reading one takes a moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure to ask for: a metric by its name, or a column that adds up; `table` is where its rows are."""

    words: str
    table: str
    dated: bool
    adds: bool = True
    is_metric: bool = False


def choose_starters(
    schema: Schema, metrics: Sequence[Figure], today: date, *, reads: Callable[[str], bool]
) -> tuple[tuple[Kind, str], ...]:
    """The first question of each kind that can be read; a kind without one is left out."""
    questions: list[tuple[Kind, str]] = []
    for kind in KINDS:
        texts = list(dict.fromkeys(_candidates(kind, schema, metrics, today)))[:_TRIED_MAX]
        text = next(
            (text for text in texts if text not in (question for _, question in questions) and reads(text)), None
        )
        if text is not None:
            questions.append((kind, text))
    return tuple(questions)


def _candidates(kind: Kind, schema: Schema, metrics: Sequence[Figure], today: date) -> Iterator[str]:
    tables = _facts(schema)
    if kind == "quality":
        yield from _doubts(schema, tables)
        return
    for figure in (*metrics, *(figure for table in tables for figure in _figures(schema, table))):
        yield from _of_figure(kind, schema, figure, today)
    for table in tables:
        yield from _of_rows(kind, schema, table, today)


def _of_figure(kind: Kind, schema: Schema, figure: Figure, today: date) -> Iterator[str]:
    how = "" if figure.is_metric else "Total " if figure.adds else "Average "
    words = f"{how}{figure.words}" if how else f"{figure.words[:1].upper()}{figure.words[1:]}"
    groups = _groups(schema, figure.table)
    match kind:
        case "total":
            yield f"{words} last year" if figure.dated else words
        case "trend" if figure.dated:
            yield f"{words} per month"
        case "ranking":
            for group in _ranked(schema, figure.table):
                yield f"Top 5 {group} by {words[:1].lower()}{words[1:]}"
        case "share" if figure.adds:
            for group in groups[:2]:
                yield f"Share of {words[:1].lower()}{words[1:]} by {group}"
        case "comparison" if figure.dated:
            words = f"average {figure.words}" if how and not figure.adds else figure.words
            years = _last_years(schema, figure.table, today)
            for group in groups[:2][-1:]:
                yield f"Change in {words} by {group} {years}"
            yield f"Change in {words} {years}"
        case _:
            return


def _of_rows(kind: Kind, schema: Schema, table: LinkedTable, today: date) -> Iterator[str]:
    many, groups = things(table.called), _groups(schema, table.name)
    dated = _is_dated(schema, table)
    match kind:
        case "total":
            yield f"How many {many} are there?"
        case "trend" if dated:
            yield f"Number of {many} per month"
        case "ranking":
            for group in groups[:2]:
                yield f"Which {group} has the most {many}?"
        case "share":
            for group in groups[:2]:
                yield f"Share of {many} by {group}"
        case "comparison" if dated:
            yield f"Change in number of {many} {_last_years(schema, table.name, today)}"
        case "comparison":
            for group in groups[:2]:
                yield f"How many {many} are there per {group}?"
        case _:
            return


def _doubts(schema: Schema, tables: Sequence[LinkedTable]) -> Iterator[str]:
    """Columns with empty places, the emptiest first."""
    doubts: list[tuple[int, str]] = []
    for table in tables:
        for column in table.columns:
            profile, typed = schema.profiled[column].profile, schema.typed[column]
            if profile is not None and typed.role not in ("key", "flag", "other") and 0 < profile.nulls < table.rows:
                doubts.append(
                    (profile.nulls, f"How many {things(table.called)} have no {named(schema.said(column).name)}?")
                )
    yield from (text for _, text in sorted(doubts, key=lambda doubt: -doubt[0]))


def _figures(schema: Schema, table: LinkedTable) -> Iterator[Figure]:
    for column in table.columns:
        role = schema.typed[column].role
        if sum(column.name == second.name for second in schema.typed) > 1:
            continue  # its name alone does not say which is meant
        if role in ("measure", "rate", "duration"):
            yield Figure(
                words=named(schema.said(column).name),
                table=table.name,
                dated=_is_dated(schema, table),
                adds=role == "measure",
            )
            return


def _facts(schema: Schema) -> list[LinkedTable]:
    """Tables with figures first, then those with the most rows."""
    measured = {name: any(schema.typed[c].is_measured for c in table.columns) for name, table in schema.tables.items()}
    return sorted(schema.tables.values(), key=lambda table: (not measured[table.name], -table.rows))[:_TABLES_MAX]


def _is_dated(schema: Schema, table: LinkedTable) -> bool:
    return any(True for _ in _dates(schema, table.name))


def _dates(schema: Schema, home: str) -> Iterator[Column]:
    """The dates of a table and of what each of its rows belongs to."""
    for name, table in schema.tables.items():
        if name == home or schema.reaches_one(home, name):
            yield from (column for column in table.columns if schema.typed[column].role == "date")


def _last_years(schema: Schema, home: str, today: date) -> str:
    """The last two years of a table's dates, in words: its data may end before today."""
    ends = [span[1].year for column in _dates(schema, home) if (span := days_held(column, schema))]
    last = min(today.year, max(ends, default=today.year))
    return f"from {last - 1} to {last}"


def _groups(schema: Schema, home: str) -> list[str]:
    """Words by which rows can be grouped: small tables beside them, then their own categories."""
    beside = [
        lemma(named(name))
        for name, table in schema.tables.items()
        if name != home and schema.reaches_one(home, name) and 1 < table.rows <= _GROUPS_MAX
    ]
    own = [named(c.name) for c in schema.tables[home].columns if _is_group(schema, c)]
    near = [
        named(c.name)
        for name, table in schema.tables.items()
        if name != home and schema.reaches_one(home, name)
        for c in table.columns
        if _is_group(schema, c)
    ]
    return list(dict.fromkeys([*beside, *own, *near]))


def _ranked(schema: Schema, home: str) -> list[str]:
    """What can be ranked: things with a name, the many before the few; then groups."""
    candidates = [
        (table.rows, named(name))
        for name, table in schema.tables.items()
        if name != home and _has_name(schema, table) and schema.reaches_one(home, name)
    ]
    return [*(words for _, words in sorted(candidates, key=lambda candidate: -candidate[0])), *_groups(schema, home)][
        :3
    ]


def _has_name(schema: Schema, table: LinkedTable) -> bool:
    return bool(table.label) and schema.typed[table.label[0]].role in ("name", "category")


def _is_group(schema: Schema, column: Column) -> bool:
    profile = schema.profiled[column].profile
    return schema.typed[column].role == "category" and profile is not None and 1 < profile.distinct <= _GROUPS_MAX
