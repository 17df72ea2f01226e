"""Aggregates as figures of the algebra."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from assistant.analyst import algebra as al
from assistant.analyst.translation.joins import ReadScope
from assistant.analyst.translation.templates import Untranslatable, text_of
from assistant.analyst.translation.terms import TermReader

_FUNCTIONS: dict[type[exp.Expr], al.Function] = {exp.Sum: "sum", exp.Avg: "mean", exp.Min: "min", exp.Max: "max"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureReader:
    """Reads figures of one grouping."""

    terms: TermReader
    scope: ReadScope

    def figure(self, node: exp.Expr) -> al.Figure:
        """An expression as a figure.

        Raises:
            Untranslatable: it is none.
        """
        node = node.unnest()
        if (metric := self._metric(node)) is not None:
            return metric
        match node:
            case exp.Column():
                raise Untranslatable(f"{node.sql()} is neither grouped by nor aggregated.")
            case exp.Round():
                self.terms.remark("Figures are not rounded.")
                return self.figure(node.this)
            case exp.Sub():
                return al.Combined("difference", self.figure(node.this), self.figure(node.expression))
            case exp.Count():
                return self._count(node)
            case exp.Sum() | exp.Avg() | exp.Min() | exp.Max():
                return al.Aggregate(_FUNCTIONS[type(node)], self.terms.term(node.this, self.scope))
            case _:
                raise Untranslatable(f"{text_of(node)} is no figure that chips have.")

    def _metric(self, node: exp.Expr) -> al.Metric | None:
        """The metric of the knowledge base that an expression is, word for word."""
        for metric in self.terms.data.known.metrics:
            figure = metric.figure
            if not isinstance(figure, al.Metric) or metric.table != self.scope.rows.table:
                continue
            if self.terms.is_written(figure.sql, node, self.scope):
                return replace(figure, where=al.NO_FILTER)
        return None

    def _count(self, node: exp.Count) -> al.Leaf:
        of = node.this
        if isinstance(of, exp.Star) or (isinstance(of, exp.Literal) and of.is_int):
            return al.Count()
        if isinstance(of, exp.Distinct):
            if len(of.expressions) != 1:
                raise Untranslatable(f"{text_of(node)} counts several columns together.")
            return al.Aggregate("distinct", self.terms.term(of.expressions[0], self.scope))
        term = self.terms.term(of, self.scope)
        grain = self.terms.schema.tables[self.scope.rows.table].grain
        return al.Count() if (term,) == grain else al.Aggregate("count", term)
