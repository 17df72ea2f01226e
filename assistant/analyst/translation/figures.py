"""Aggregates, and what is computed over finished groups, as figures of the algebra."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlglot import exp

from assistant.analyst import algebra as al
from assistant.analyst.translation.scopes import ReadScope
from assistant.analyst.translation.templates import Untranslatable, conjuncts, text_of
from assistant.analyst.translation.terms import TermReader

_FUNCTIONS: dict[type[exp.Expr], al.Function] = {
    exp.Sum: "sum",
    exp.Avg: "mean",
    exp.Min: "min",
    exp.Max: "max",
    exp.Median: "median",
    exp.StddevSamp: "stddev",
}


def is_aggregated(node: exp.Expr) -> bool:
    """Whether an expression has an aggregate of its own, outside of queries inside it."""
    return any(
        isinstance(part, exp.AggFunc) and not isinstance(part.parent, exp.Window)
        for part in node.walk(prune=lambda inner: isinstance(inner, exp.Subquery | exp.Exists))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureReader:
    """Reads figures of one grouping, whose keys are known."""

    terms: TermReader
    scope: ReadScope
    keys: tuple[al.Term, ...]

    def figure(self, node: exp.Expr) -> al.Figure:
        """An expression as a figure.

        Raises:
            Untranslatable: it is none.
        """
        node = node.unnest()
        if isinstance(node, exp.Column):
            value = self.scope.value(node, self.terms.schema)
            if isinstance(value, al.Figure):
                return value
            raise Untranslatable(f"{node.sql()} is neither grouped by nor aggregated.")
        if (leaf := self._leaf(node)) is not None:
            return leaf
        match node:
            case exp.Round() | exp.Coalesce():
                return self._adjusted(node)
            case exp.Window():
                return self._window(node)
            case exp.Sub():
                return al.Combined("difference", self.figure(node.this), self.figure(node.expression))
            case exp.Mul():
                return al.Combined("product", self.figure(node.this), self.figure(node.expression))
            case exp.Div() if (sides := self.terms.quotient(node)) is not None:
                return self._quotient(*sides)
            case _:
                raise Untranslatable(f"{text_of(node)} is no figure that chips have.")

    def _adjusted(self, node: exp.Expr) -> al.Figure:
        """A figure without what only changes how it looks."""
        if isinstance(node, exp.Round):
            self.terms.remark("Figures are not rounded.")
        else:
            figure = self.figure(node.this)
            if node.expressions != [exp.Literal.number(0)]:
                raise Untranslatable(f"{text_of(node)} puts a value where there is none.")
            if not al.is_count(figure):
                self.terms.remark("Where there is nothing to compute there is no value rather than 0.")
            return figure
        return self.figure(node.this)

    def _quotient(self, left: exp.Expr, right: exp.Expr) -> al.Figure:
        left = left.unnest()
        is_plain = not right.args.get("order") and not right.args.get("spec")
        if (
            isinstance(right, exp.Window)
            and is_plain
            and isinstance(right.this, exp.Sum)
            and right.this.this.unnest() == left
        ):
            return al.Share(self.figure(left), self._places(right))
        if isinstance(left, exp.Sub) and left.expression.unnest() == right.unnest():
            return al.Combined("growth", self.figure(right), self.figure(left.this))
        return al.Combined("ratio", self.figure(left), self.figure(right))

    # --- aggregates ---

    def _leaf(self, node: exp.Expr) -> al.Leaf | None:
        if (metric := self._metric(node)) is not None:
            return metric
        of = self.terms.operands(self.terms.dialect.stddev, node)
        if of is not None:
            return self._aggregate("stddev", of[0])
        of = self.terms.operands(self.terms.dialect.mean, node)
        if of is not None:
            return self._aggregate("mean", of[0])
        match node:
            case exp.Filter():
                inner = self._leaf(node.this)
                condition = self.terms.condition(node.expression.this, self.scope)
                return replace(inner, where=al.both(inner.where, condition)) if inner is not None else None
            case exp.Count():
                return self._count(node)
            case exp.Sum() if (test := self._ones(node.this)) is not None:
                return al.Count(self.terms.condition(test, self.scope))
            case exp.Sum() | exp.Avg() | exp.Min() | exp.Max() | exp.Median() | exp.StddevSamp():
                return self._aggregate(_FUNCTIONS[type(node)], node.this)
            case _:
                return None

    def _metric(self, node: exp.Expr) -> al.Metric | None:
        """The metric of the knowledge base that an expression is, word for word."""
        plain, tests = _without_tests(node)
        for metric in self.terms.data.known.metrics:
            figure = metric.figure
            if not isinstance(figure, al.Metric) or metric.table != self.scope.home:
                continue
            if self.terms.is_written(figure.sql, node, self.scope):
                return replace(figure, where=al.NO_FILTER)
            if len(set(tests)) == 1 and self.terms.is_written(figure.sql, plain, self.scope):
                return replace(figure, where=self.terms.where(conjuncts(tests[0]), self.scope))
        return None

    def _count(self, node: exp.Count) -> al.Leaf:
        of = node.this
        if isinstance(of, exp.Star) or (isinstance(of, exp.Literal) and of.is_int):
            return al.Count()
        if isinstance(of, exp.Distinct):
            if len(of.expressions) != 1:
                raise Untranslatable(f"{text_of(node)} counts several columns together.")
            return self._aggregate("distinct", of.expressions[0])
        value, test = _cased(of)
        if isinstance(value, exp.Literal) and test is not None:
            return al.Count(self.terms.where(conjuncts(test), self.scope))
        figure = self._aggregate("count", of)
        grain = self.terms.schema.tables[self.scope.home].grain if self.scope.home else ()
        return al.Count(figure.where) if (figure.term,) == grain else figure

    def _aggregate(self, function: al.Function, of: exp.Expr) -> al.Aggregate:
        value, test = _cased(of)
        where = self.terms.where(conjuncts(test), self.scope) if test is not None else al.NO_FILTER
        return al.Aggregate(function, self.terms.term(value, self.scope), where)

    @staticmethod
    def _ones(node: exp.Expr) -> exp.Expr | None:
        """The test of a sum of ones and nothings."""
        value, test = _cased(node, default=exp.Literal.number(0))
        return test if value == exp.Literal.number(1) else None

    # --- over finished groups ---

    def _places(self, node: exp.Window) -> tuple[int, ...]:
        return tuple(self._key(part) for part in node.args.get("partition_by") or ())

    def _key(self, node: exp.Expr) -> int:
        term = self.terms.term(node, self.scope)
        if term not in self.keys:
            raise Untranslatable(f"{text_of(node)} is no group.")
        return self.keys.index(term)

    def _window(self, node: exp.Window) -> al.Figure:
        inner, spec = node.this, node.args.get("spec")
        within = self._places(node)
        steps = list(ordered(node.args.get("order")))
        if isinstance(inner, exp.Rank) and len(steps) == 1 and steps[0].args.get("desc"):
            return al.Window("rank", self.figure(steps[0].this), within=within)
        if len(steps) != 1 or steps[0].args.get("desc"):
            raise Untranslatable(f"{text_of(node)} is seen along an order that chips do not have.")
        along = self._key(steps[0].this) if self.keys else 0
        match inner:
            case exp.Lag():
                offset = inner.args.get("offset")
                return al.Window("lag", self.figure(inner.this), along, within, int(offset.this) if offset else 1)
            case exp.Sum() if _reaches_here(spec) and (spec is None or spec.args.get("start") == "UNBOUNDED"):
                return al.Window("running", self.figure(inner.this), along, within)
            case exp.Avg() if (
                spec is not None and _reaches_here(spec) and isinstance(spec.args.get("start"), exp.Literal)
            ):
                value = self.terms.operands(self.terms.dialect.mean, inner) or (inner.this,)
                return al.Window("moving", self.figure(value[0]), along, within, int(spec.args["start"].this) + 1)
            case _:
                raise Untranslatable(f"{text_of(node)} looks across groups as chips do not.")


def _reaches_here(spec: exp.Expr | None) -> bool:
    """Whether a window has rows before the one at hand, and this one."""
    if spec is None:
        return True
    ends = (spec.args.get("start_side"), spec.args.get("end") or "CURRENT ROW")
    return spec.args.get("kind") == "ROWS" and ends == ("PRECEDING", "CURRENT ROW")


def ordered(order: exp.Expr | None) -> Iterator[exp.Ordered]:
    """The steps of an order, without those that only put missing values last."""
    for step in order.expressions if order is not None else ():
        test = step.this.unnest()
        is_case = isinstance(test, exp.Case) and test.args["ifs"][0].this.find(exp.Is) is not None
        if not (isinstance(test, exp.Is) or is_case):
            yield step


def _cased(node: exp.Expr, *, default: exp.Expr | None = None) -> tuple[exp.Expr, exp.Expr | None]:
    """A value and the test under which alone it counts; of any other expression itself."""
    case = node.unnest()
    if not isinstance(case, exp.Case) or case.this is not None or len(case.args["ifs"]) != 1:
        return node, None
    otherwise = case.args.get("default")
    if (otherwise is not None and otherwise != default) or isinstance(case.args["ifs"][0].args["true"], exp.Null):
        return node, None
    return case.args["ifs"][0].args["true"].unnest(), case.args["ifs"][0].this.unnest()


def _without_tests(node: exp.Expr) -> tuple[exp.Expr, list[exp.Expr]]:
    """An expression whose aggregates count all rows, and the tests that they had."""
    plain, tests = node.copy(), list[exp.Expr]()
    for aggregate in list(plain.find_all(exp.AggFunc)):
        holder = aggregate.this if isinstance(aggregate.this, exp.Distinct) else aggregate
        of = holder.expressions[0] if isinstance(holder, exp.Distinct) else holder.this
        value, test = _cased(of) if isinstance(of, exp.Expr) else (of, None)
        if test is not None:
            tests.append(test)
            of.replace(value.copy())
    return plain, tests
