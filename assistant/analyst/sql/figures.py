"""Figures as SQL: aggregates inside a group, and what is computed over the finished groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard, assert_never

from assistant.analyst.algebra import NO_FILTER, Aggregate, Combined, Count, Figure, Leaf, Metric, Share, Window, here
from assistant.analyst.sql.custom_sql import computed
from assistant.analyst.sql.scopes import Scope
from assistant.analyst.sql.terms import Writer, quotient

_PLAIN = {"sum": "SUM({0})", "min": "MIN({0})", "max": "MAX({0})", "count": "COUNT({0})"}
_PLAIN["distinct"] = "COUNT(DISTINCT {0})"
_NEAR = "ABS(1 + (n - 1) * {0} - r)"
INTERPOLATED = f"SUM(CASE WHEN {_NEAR} < 1 THEN v * (1 - {_NEAR}) END)"
"""A percentile of values `v` that are numbered `r` of `n`, from the two next to its place."""


def leaves(figure: Figure) -> list[Leaf]:
    """The aggregates that a figure is made of."""
    return [part for part in here(figure) if isinstance(part, Leaf)]


def is_ranked(leaf: Leaf) -> TypeGuard[Aggregate]:
    """Whether an aggregate needs its values in order: no engine-independent function gives it."""
    return isinstance(leaf, Aggregate) and leaf.function in ("median", "percentile")


def is_plain(figure: Figure) -> bool:
    """Whether a figure can be computed while grouping: no other groups, no order of values, no other table."""
    own = all(leaf.of is None and not is_ranked(leaf) for leaf in leaves(figure))
    return own and not any(isinstance(part, Share | Window) for part in here(figure))


def aggregated(leaf: Leaf, scope: Scope, writer: Writer) -> str:
    """A plain aggregate inside its group."""
    if isinstance(leaf, Metric):
        test = writer.condition(leaf.where, scope)
        context = writer.context
        return computed(
            leaf.sql, scope, dialect=context.schema.dialect, test=test, target_dialect=context.dialect.written
        )
    term = writer.term(leaf.term, scope) if isinstance(leaf, Aggregate) else "1"
    if leaf.where != NO_FILTER:
        term = f"CASE WHEN {writer.condition(leaf.where, scope)} THEN {term} END"
    if isinstance(leaf, Count):
        return "COUNT(*)" if leaf.where == NO_FILTER else f"COUNT({term})"
    dialect = writer.context.dialect
    template = _PLAIN | {"mean": dialect.mean, "stddev": dialect.stddev}
    return template[leaf.function].format(term)


@dataclass(frozen=True, slots=True, kw_only=True)
class Over:
    """Writes figures over finished groups: from the SQL of their leaves and keys."""

    writer: Writer
    leaves: Mapping[Leaf, str]
    keys: tuple[str, ...]

    def figure(self, figure: Figure) -> str:
        """A figure as an expression."""
        match figure:
            case Count() | Aggregate() | Metric():
                return self.leaves[figure]
            case Combined():
                return self._combined(figure)
            case Share():
                value = self.figure(figure.figure)
                return quotient(self.writer.context, value, f"SUM({value}) OVER ({self._partition(figure.within)})")
            case Window():
                return self._window(figure)
            case _:
                assert_never(figure)

    def _combined(self, figure: Combined) -> str:
        left, right = self.figure(figure.left), self.figure(figure.right)
        match figure.how:
            case "ratio":
                return quotient(self.writer.context, left, right)
            case "difference":
                return f"({left} - {right})"
            case "growth":
                return quotient(self.writer.context, f"({right} - {left})", left)
            case _:
                assert_never(figure.how)

    def _partition(self, within: tuple[int, ...]) -> str:
        return "PARTITION BY " + ", ".join(self.keys[place] for place in within) if within else ""

    def _window(self, figure: Window) -> str:
        value = self.figure(figure.figure)
        key = self.keys[figure.along] if self.keys else "1"
        along = f"{self._partition(figure.within)} ORDER BY {last_if_missing(key)}".strip()
        match figure.how:
            case "running":
                return f"SUM({value}) OVER ({along} ROWS UNBOUNDED PRECEDING)"
            case "moving":
                mean = self.writer.context.dialect.mean.format(value)
                return f"{mean} OVER ({along} ROWS BETWEEN {figure.n - 1} PRECEDING AND CURRENT ROW)"
            case "lag":
                return f"LAG({value}, {figure.n}) OVER ({along})"
            case "rank":
                greatest = last_if_missing(value, descending=True)
                return f"RANK() OVER ({self._partition(figure.within)} ORDER BY {greatest})"
            case _:
                assert_never(figure.how)


def last_if_missing(expression: str, *, descending: bool = False) -> str:
    """An order in which missing values come last on every engine."""
    return f"({expression} IS NULL), {expression}{' DESC' if descending else ''}"
