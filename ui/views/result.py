"""A result prepared for display: columns with units, rows as the person chose them, and the chart.

Computed once for each look and locale and cached, because the page is redrawn at every change of the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from assistant.api.boards import Tile
from assistant.api.charts import Chart, Shaped, compute_totals, draw, kinds_for, shape
from assistant.api.events import Appearance, ChartKind
from assistant.api.figures import DEFAULT, Column, FigureProperties, columns_of
from assistant.api.lineage import Lineage
from assistant.api.session import Facts, Session, TableView
from ui import session_hub
from ui.session_hub import SessionHub

LOOKED_AT = 2_000
"""Rows from which it is found out what a column is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A result as it is shown. `kinds` are the charts that suit it, best first; `sums` its totals by column; `key` is
    what it is kept under."""

    key: tuple[object, ...]
    look: Appearance
    code: str
    came: tuple[Column, ...]
    shaped: Shaped
    kinds: tuple[ChartKind, ...]
    chart: Chart | None
    sums: Mapping[str, float]
    lineage: Lineage | None

    @property
    def measures(self) -> list[Column]:
        """The figures."""
        return [column for column in self.shaped.columns if column.role == "measure"]


@dataclass(frozen=True, slots=True)
class _Head:
    """The first rows of a table: enough to see what its columns are."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    total: int


def get_result(live: SessionHub, session: Session, execution: str, look: Appearance) -> Result | None:
    """The result of an execution as the look wants it; None where there is no table any more."""
    code = get_locale()
    facts = live.results.facts(live.of(session), execution)
    key = (session.id, execution, "result", look, code, facts is not None)

    def made() -> Result | None:
        table = live.results.rows(session, execution)
        return None if table is None else build_result(table, facts, look, code, key=key)

    return live.results.get_or_make(key, made)


def get_locale() -> str:
    """The code of the language and country by which numbers and dates are written: as chosen, or the browser's."""
    if language := session_hub.current().workspace.choices.language:
        return language
    try:
        return st.context.locale or DEFAULT
    except AttributeError:  # no browser: a test, or a script
        return DEFAULT


def build_result(
    table: TableView | Tile,
    facts: Facts | None,
    look: Appearance,
    code: str,
    *,
    key: tuple[object, ...],
    properties: Mapping[str, FigureProperties] | None = None,
) -> Result:
    """A table as the look wants it.

    Args:
        table: Its rows.
        facts: What is known of its figures, beside what names and values tell.
        look: How it is wanted.
        code: The language and country by which figures are written.
        key: What it is kept under, the session's id first.
        properties: What is known of its figures where no facts are at hand.
    """
    names = _make_distinct(tuple(table.columns))
    head = _Head(names, tuple(tuple(row) for row in table.rows[:LOOKED_AT]), table.total)
    column_properties = dict(facts.properties) if facts is not None else dict(properties or {})
    columns = columns_of(head, column_properties, dict(look.names))
    adds_up = facts is None or facts.lineage is not None  # the rows of code may hold their own totals
    all_rows = _Head(names, tuple(tuple(row) for row in table.rows), table.total)
    shaped = shape(all_rows, columns, look)
    return Result(
        key=key,
        look=look,
        code=code,
        came=columns,
        shaped=shaped,
        kinds=kinds_for(shaped, look),
        chart=draw(shaped, look, code=code),
        sums=compute_totals(shaped) if adds_up and len(all_rows.rows) == all_rows.total else {},
        lineage=facts.lineage if facts is not None else None,
    )


def _make_distinct(columns: tuple[str, ...]) -> tuple[str, ...]:
    """Column names that differ: a second `sum` becomes `sum (2)`."""
    names: list[str] = []
    for column in columns:
        name, n = str(column), 1
        while name in names:
            n += 1
            name = f"{column} ({n})"
        names.append(name)
    return tuple(names)
