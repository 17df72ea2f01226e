"""Metrics as formulas over leaves. A leaf is an aggregate of one table.

Each aggregate of an expression becomes a leaf by itself, so that figures of several tables are never computed in one
join.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlglot import exp
from sqlglot.errors import SqlglotError

from assistant.analyst.algebra import Column
from assistant.semantics.fields import Fields, SemanticModelError
from knowledge.parsing import parse_one

if TYPE_CHECKING:
    from knowledge.semantic.model import MetricMore, ModelMetric

_DEPTH_MAX = 12


@dataclass(frozen=True, slots=True)
class LeafFigure:
    """One aggregate of the rows of one table.

    `sql` has its columns as `table.column`; `additive` tells whether its values of several periods may be added up.
    """

    table: str
    sql: str
    columns: tuple[Column, ...]
    filters: tuple[str, ...]
    time: Column | None
    stock: bool
    additive: bool


@dataclass(frozen=True, slots=True)
class Number:
    """A constant of a formula."""

    text: str


@dataclass(frozen=True, slots=True)
class Calculation:
    """Two formulas put together. A division by zero gives no value."""

    op: Literal["+", "-", "*", "/"]
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Along:
    """A formula seen along time: added up over the last `periods` (0: over all), or as it was `periods` before."""

    how: Literal["cumulative", "previous", "difference", "growth"]
    of: Formula
    periods: int


Formula: TypeAlias = LeafFigure | Number | Calculation | Along


def list_leaves(formula: Formula) -> tuple[LeafFigure, ...]:
    """The leaves of a formula, each once."""
    match formula:
        case LeafFigure():
            return (formula,)
        case Number():
            return ()
        case Calculation():
            return tuple(dict.fromkeys((*list_leaves(formula.left), *list_leaves(formula.right))))
        case Along():
            return list_leaves(formula.of)


def is_along(formula: Formula) -> bool:
    """Whether any part of a formula looks at other periods."""
    match formula:
        case Along():
            return True
        case Calculation():
            return is_along(formula.left) or is_along(formula.right)
        case _:
            return False


@dataclass(frozen=True, slots=True)
class Formulas:
    """Reads the metrics of a model as formulas."""

    fields: Fields
    _done: dict[str, Formula] = field(default_factory=dict[str, "Formula"])

    def of(self, name: str, *, within: tuple[str, ...] = ()) -> Formula:
        """The formula of a metric.

        Raises:
            ModelError: There is no such metric, it is made of itself, or it names what the model or the source lacks.
        """
        metric = self.fields.model.metric(name)
        if metric is None:
            raise SemanticModelError(self.fields.unknown("metric", name, [m.name for m in self.fields.model.metrics]))
        if metric.name in within or len(within) > _DEPTH_MAX:
            raise SemanticModelError(
                f"The metric {metric.name!r} is made of itself: {' of '.join((*within, metric.name))}."
            )
        if metric.name not in self._done:
            self._done[metric.name] = self._read(metric, (*within, metric.name))
        return self._done[metric.name]

    def _read(self, metric: ModelMetric, within: tuple[str, ...]) -> Formula:
        more = metric.more
        match more.type:
            case "simple":
                return self._expression(self._parsed(metric), metric, more)
            case "ratio" | "derived":
                return self._derived(self._parsed(metric), within)
            case "cumulative":
                return self._cumulative(metric, more, within)
            case "period_over_period":
                return Along(more.compare, self.of(more.of, within=within), more.periods or 1)

    def _cumulative(self, metric: ModelMetric, more: MetricMore, within: tuple[str, ...]) -> Formula:
        of = self.of(more.of, within=within)
        if not isinstance(of, LeafFigure) or not of.additive or of.stock:
            raise SemanticModelError(
                f"The metric {metric.name!r} adds up {more.of!r} over time, whose values must not be added: it is no "
                "sum or count, or it is a level at a time."
            )
        return Along("cumulative", of, more.periods)

    def _parsed(self, metric: ModelMetric) -> exp.Expr:
        sql = metric.expression.sql(self.fields.schema.dialect)
        try:
            return parse_one(sql, self.fields.schema.dialect)
        except SqlglotError:
            raise SemanticModelError(
                f"The metric {metric.name!r} is no SQL: {sql!r}. Check brackets and quotes."
            ) from None

    def _expression(self, tree: exp.Expr, metric: ModelMetric, more: MetricMore) -> Formula:
        """An expression of aggregates, taken apart down to each of them."""
        tree = tree.unnest()
        if isinstance(tree, exp.Literal) and tree.is_number:
            return Number(tree.name)
        op = _OPS.get(type(tree))
        if op is not None and isinstance(tree, exp.Binary):
            left, right = (self._expression(side, metric, more) for side in (tree.left, tree.right))
            return Calculation(op, left, right)
        if isinstance(tree, exp.Nullif):  # a division by zero gives no value here anyway
            return self._expression(tree.this, metric, more)
        return self._leaf(tree, metric, more)

    def _leaf(self, tree: exp.Expr, metric: ModelMetric, more: MetricMore) -> LeafFigure:
        if not tree.find(exp.AggFunc):
            raise SemanticModelError(
                f"The metric {metric.name!r} adds nothing up in {tree.sql()!r}. Write an aggregate, such as SUM(...)."
            )
        resolved, columns = self.fields.resolved(tree, usage=f"The metric {metric.name!r}")
        tables = [column.table for column in columns]
        time = self.fields.column(more.time, usage=f"The time of {metric.name!r}") if more.time else None
        home = self.fields.home((*tables, *((time.table,) if time else ())), usage=f"The metric {metric.name!r}")
        if time is None and more.stock:
            raise SemanticModelError(
                f"The metric {metric.name!r} is a level at a time: say its `time`, as dataset.field."
            )
        return LeafFigure(
            table=home,
            sql=resolved,
            columns=columns,
            filters=more.filters,
            time=time or self.fields.default_time(home),
            stock=more.stock,
            additive=_is_additive(tree),
        )

    def _derived(self, tree: exp.Expr, within: tuple[str, ...]) -> Formula:
        """A formula over metrics, which it names as columns."""
        tree = tree.unnest()
        op = _OPS.get(type(tree))
        if op is not None and isinstance(tree, exp.Binary):
            return Calculation(op, self._derived(tree.left, within), self._derived(tree.right, within))
        if isinstance(tree, exp.Literal) and tree.is_number:
            return Number(tree.name)
        if isinstance(tree, exp.Nullif):
            return self._derived(tree.this, within)
        if isinstance(tree, exp.Neg):
            return Calculation("-", Number("0"), self._derived(tree.this, within))
        if isinstance(tree, exp.Column) and not tree.table:
            return self.of(tree.name, within=within)
        raise SemanticModelError(f"A formula holds metrics, numbers and + - * / alone; {tree.sql()!r} is none of them.")


def _ops() -> dict[type, Literal["+", "-", "*", "/"]]:
    return {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}


_OPS = _ops()


def _is_additive(tree: exp.Expr) -> bool:
    """Whether it is a plain sum, or a count of rows that are each counted once."""
    return isinstance(tree, exp.Sum | exp.Count) and not tree.find(exp.Distinct)
