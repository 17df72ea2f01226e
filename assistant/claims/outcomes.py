"""What looking a claim up in one table gives: whether it holds, and the figures that tell. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assistant.claims.facts import Measure, TableFacts
from assistant.claims.selection import Rows

Outcome = tuple[bool | None, str]
"""Whether a claim holds in one reading, None where that cannot be told; and the figures."""
Outcomes = Iterator[Outcome]


def name_rows(facts: TableFacts, column: int, rows: Rows) -> str:
    """How the rows are called in their column."""
    return next((value for value, own in facts.groups[column] if rows <= own), "")


def describe_groups(facts: TableFacts, column: int | None, measure: Measure, groups: Iterable[Rows]) -> str:
    """A figure of several groups in words."""
    if column is None:
        return ""
    figures = [(name_rows(facts, column, rows), measure.combine([*rows])) for rows in groups]
    return f"{measure.column.label}: " + ", ".join(f"{name} {f:,.6g}".strip() for name, f in figures if f is not None)
