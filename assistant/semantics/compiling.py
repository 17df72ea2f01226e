"""Compiles metric steps to SQL: one query for each table (a leaf), and derived metrics on top.

The queries of the leaves have the same keys, so their results are united and grouped once more: a group that one table
has and another lacks stays, and no join multiplies rows. Earlier periods are found by the number of a period, not by
the row before, so a month without rows does not shift a comparison.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import assert_never

from sqlglot.errors import SqlglotError

from assistant.analyst.algebra import (
    NO_FILTER,
    Aggregate,
    Both,
    Column,
    Compare,
    Condition,
    Constant,
    Defined,
    Grain,
    Grouped,
    Member,
    Metric,
    OneOf,
    Rows,
    Term,
    Text,
    Within,
    here,
)
from assistant.analyst.schema import Schema
from assistant.analyst.sql.dialects import dialect_of
from assistant.analyst.sql.queries import written_sql
from assistant.analyst.sql.scopes import CompileError
from assistant.core.catalog import Catalog
from assistant.semantics.fields import Fields, SemanticModelError, with_model
from assistant.semantics.formulas import (
    Along,
    Calculation,
    Formula,
    Formulas,
    LeafFigure,
    Number,
    is_along,
    list_leaves,
)
from assistant.semantics.steps import Compiled, Filter, MetricStep
from knowledge.parsing import TooComplex, limit_work, parse_one
from knowledge.semantic.model import SemanticModel

_ORDER = ("day", "month", "quarter", "year")


def compile_step(step: MetricStep, model: SemanticModel, catalog: Catalog, *, today: date | None = None) -> Compiled:
    """The SQL of a metric step on a source.

    Args:
        step: What is asked for.
        model: Defines the metrics.
        catalog: The source that the model speaks of.
        today: What `{today}` in filters of the model means.

    Raises:
        ModelError: The step, the model and the source do not go together; the text says what to write instead.
    """
    fields = Fields(model=model, schema=Schema.of(with_model(catalog, model)))
    try:
        with limit_work():  # metrics of metrics may double with each level
            return _Compiler(step=step, fields=fields, today=today or date.today()).compiled()
    except TooComplex:
        metrics = ", ".join(map(repr, step.metrics))
        raise SemanticModelError(
            f"{metrics} would take too much to compute. Define them by fewer other metrics."
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compiler:
    step: MetricStep
    fields: Fields
    today: date

    def compiled(self) -> Compiled:
        step = self.step
        formulas = Formulas(self.fields)
        figures = {name: formulas.of(name) for name in step.metrics}
        self._check(figures)
        if step.compare:
            figures = {
                **figures,
                **{f"{n} {_NAMES[step.compare]}": Along(step.compare, f, step.periods) for n, f in figures.items()},
            }
        needed = tuple(dict.fromkeys(leaf for formula in figures.values() for leaf in list_leaves(formula)))
        if not needed:
            raise SemanticModelError("These metrics hold no figure of any table.")
        looks_back = any(is_along(formula) for formula in figures.values())
        stacked = self._stacked(needed, looks_back=looks_back)
        return self._finished(stacked, figures, needed, looks_back=looks_back)

    def _check(self, figures: dict[str, Formula]) -> None:
        step = self.step
        if not step.metrics:
            raise SemanticModelError("Name at least one metric.")
        if step.grain is None and (step.compare or any(is_along(f) for f in figures.values())):
            raise SemanticModelError("A comparison or a cumulative metric needs a grain: day, month, quarter or year.")
        for name in step.metrics:
            metric = self.fields.model.metric(name)
            if metric is not None:
                self._check_cut(name, metric.more.dimensions)
                self._check_grain(name, metric.more.grain)

    def _check_cut(self, name: str, allowed: tuple[str, ...]) -> None:
        """That a metric is cut only by the dimensions it names, if it names any."""
        allowed_forms = {
            form for dimension in allowed for form in (dimension.casefold(), dimension.rpartition(".")[2].casefold())
        }
        for dimension in self.step.dimensions if allowed else ():
            if not {dimension.casefold(), dimension.rpartition(".")[2].casefold()} & allowed_forms:
                raise SemanticModelError(
                    f"The metric {name!r} may not be cut by {dimension!r}, only by: {', '.join(allowed)}."
                )

    def _check_grain(self, name: str, finest: str | None) -> None:
        """That a metric is not asked for by a finer period than it is known by."""
        if finest and self.step.grain and _ORDER.index(self.step.grain) < _ORDER.index(finest):
            raise SemanticModelError(f"The metric {name!r} is known by {finest}, not by {self.step.grain}.")

    # --- leaves ---

    def _stacked(self, needed: tuple[LeafFigure, ...], *, looks_back: bool) -> str:
        """One row for each group, with all leaves `m0`, `m1`, ... and the keys `k0`, `k1`, ..."""
        parts: list[str] = []
        for place, leaf in enumerate(needed):
            keys = [f"c{n} AS k{n}" for n in range(self._width)]
            figures = [f"{'c' + str(self._width) if n == place else 'NULL'} AS m{n}" for n in range(len(needed))]
            parts.append(f"SELECT {', '.join([*keys, *figures])} FROM (\n{self._leaf(leaf, looks_back)}\n) AS q{place}")
        if len(parts) == 1:
            return parts[0]
        keys = [f"k{n}" for n in range(self._width)]
        figures = [f"MAX(m{n}) AS m{n}" for n in range(len(needed))]
        group = f"\nGROUP BY {', '.join(keys)}" if keys else ""
        stack = "\nUNION ALL\n".join(parts)
        return f"SELECT {', '.join([*keys, *figures])} FROM (\n{stack}\n) AS stacked{group}"

    @property
    def _width(self) -> int:
        return len(self.step.dimensions) + (1 if self.step.grain else 0)

    def _leaf(self, leaf: LeafFigure, looks_back: bool) -> str:
        """One figure of one table by the keys, as the algebra compiles it."""
        keys: list[Term] = []
        if self.step.grain:
            keys.append(Grain(self._time(leaf), self.step.grain))
        keys += [self._term(name, leaf) for name in self.step.dimensions]
        where = self._where(leaf, looks_back=looks_back)
        if leaf.stock:
            where = _both(where, self._last(leaf, where))
        figure = Metric("figure", leaf.table, leaf.sql, leaf.columns)
        try:
            return written_sql(Grouped(Rows(leaf.table, where), tuple(keys), (figure,)), self.fields.schema)
        except CompileError as error:
            raise SemanticModelError(f"{error} Add a relationship to the model, or leave that dimension out.") from None

    def _last(self, leaf: LeafFigure, where: Condition) -> Condition:
        """That a row is of the last date, of all or of its period: a level at a time is never added up over it."""
        time = self._time(leaf)
        keys: tuple[Term, ...] = (Grain(time, self.step.grain),) if self.step.grain else ()
        last = Grouped(Rows(leaf.table, where), keys, (Aggregate("max", time),), shown=(len(keys),))
        return Member(time, last)

    def _time(self, leaf: LeafFigure) -> Column:
        if leaf.time is None:
            raise SemanticModelError(
                f"Figures of {leaf.table!r} have no date. Say the metric's `time`, as dataset.field."
            )
        return leaf.time

    def _where(self, leaf: LeafFigure, *, looks_back: bool) -> Condition:
        conditions: list[Condition] = []
        for text in leaf.filters:
            conditions.append(self._written(text))
        conditions += [self._condition(step_filter, leaf) for step_filter in self.step.filters]
        start = "" if looks_back else self.step.start  # what came before is needed; it is left out at the end
        if start or self.step.end:
            conditions.append(Within(self._time(leaf), start, self.step.end))
        return conditions[0] if len(conditions) == 1 else Both(tuple(conditions)) if conditions else NO_FILTER

    def _written(self, text: str) -> Condition:
        """A condition of the model."""
        sql = text.replace("{today}", self.today.isoformat())
        try:
            tree = parse_one(sql, self.fields.schema.dialect)
        except SqlglotError:
            raise SemanticModelError(f"The filter {text!r} is no SQL. Check brackets and quotes.") from None
        resolved, columns = self.fields.resolved(tree, usage=f"The filter {text!r}")
        return Defined(text, resolved, columns)

    def _condition(self, step_filter: Filter, leaf: LeafFigure) -> Condition:
        term = self._term(step_filter.field, leaf)
        values = step_filter.value if isinstance(step_filter.value, tuple) else (step_filter.value,)
        match step_filter.op:
            case "in":
                return OneOf(term, values)
            case "contains":
                return Text(term, "contains", str(values[0]))
            case "=" | "!=" | "<" | "<=" | ">" | ">=":
                return Compare(term, step_filter.op, Constant(values[0]))
            case _:
                assert_never(step_filter.op)

    def _term(self, name: str, leaf: LeafFigure) -> Term:
        """A dimension, checked: each row of the leaf's table has at most one value of it."""
        term = self.fields.term(name, usage=f"The dimension {name!r}")
        for part in here(term):
            if isinstance(part, Column) and not self.fields.schema.reaches_one(leaf.table, part.table):
                raise SemanticModelError(
                    f"Figures of {leaf.table!r} cannot be cut by {name!r}: a row has no single row of "
                    f"{part.table!r}. Add a relationship to the model, or leave that dimension out."
                )
        return term

    # --- what is made of the leaves ---

    def _finished(
        self, stacked: str, figures: dict[str, Formula], needed: tuple[LeafFigure, ...], *, looks_back: bool
    ) -> Compiled:
        step, dialect = self.step, dialect_of(self.fields.schema.dialect)
        writer = _Written(leaves={leaf: n for n, leaf in enumerate(needed)}, width=self._width, real=dialect.real)
        names = [*([step.grain] if step.grain else []), *_short(step.dimensions)]
        keys = [f"c.k{n} AS {dialect.name(name)}" for n, name in enumerate(names)]
        figure_columns = [f"{writer.formula(f)} AS {dialect.name(name)}" for name, f in figures.items()]
        order = f"\nORDER BY {', '.join(str(n + 1) for n in range(self._width))}" if self._width else ""
        columns = (*names, *figures)
        if not looks_back:
            sql = f"SELECT {', '.join([*keys, *figure_columns])}\nFROM (\n{stacked}\n) AS c{order}"
            return Compiled(sql=dialect.own(sql), columns=columns)
        number = self._number("k0")
        clauses = f"WITH stacked_groups AS (\n{stacked}\n),\nnumbered AS (SELECT *, {number} AS n FROM stacked_groups)"
        where = ""
        if step.start and step.grain:
            first = self._number(dialect.grains[step.grain].format(dialect.date.format(f"'{step.start}'")))
            where = f"\nWHERE c.n >= {first}"
        sql = f"{clauses}\nSELECT {', '.join([*keys, *figure_columns])}\nFROM numbered AS c{where}{order}"
        return Compiled(sql=dialect.own(sql), columns=columns)

    def _number(self, period: str) -> str:
        """The number of a period, so that the one before has the number before."""
        dialect = dialect_of(self.fields.schema.dialect)
        integer_type = "SIGNED" if dialect.quote == "`" else "INTEGER"

        def cut(start: int, size: int) -> str:
            return f"CAST(SUBSTR({period}, {start}, {size}) AS {integer_type})"

        match self.step.grain:
            case "year":
                return f"CAST({period} AS {integer_type})"
            case "quarter":
                return f"({cut(1, 4)} * 4 + {cut(7, 1)})"
            case "month":
                return f"({cut(1, 4)} * 12 + {cut(6, 2)})"
            case "day":
                return dialect.days.format("'2000-01-01'", period)
            case None:
                raise SemanticModelError("A comparison needs a grain: day, month, quarter or year.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """Formulas as SQL over the groups under an alias."""

    leaves: dict[LeafFigure, int]
    width: int
    real: str
    alias: str = "c"

    def formula(self, formula: Formula) -> str:
        match formula:
            case LeafFigure():
                return f"{self.alias}.m{self.leaves[formula]}"
            case Number():
                return formula.text
            case Calculation():
                left, right = self._operand(formula.left), self._operand(formula.right)
                if formula.op == "/":
                    return f"({self.real.format(left)} / NULLIF({right}, 0))"
                return f"({left} {formula.op} {right})"
            case Along():
                return self._along(formula)
            case _:
                assert_never(formula)

    def _operand(self, formula: Formula) -> str:
        """A part of a calculation: a sum or a count of a group that its table does not have is nothing, so 0."""
        operand = self.formula(formula)
        is_amount = isinstance(formula, LeafFigure) and formula.additive and not formula.stock
        return f"COALESCE({operand}, 0)" if is_amount else operand

    def _along(self, formula: Along) -> str:
        """What other periods of the same group hold."""
        if is_along(formula.of):
            raise SemanticModelError(
                "A cumulative metric cannot be built on another cumulative metric. Ask for one of them."
            )
        shifted = replace(self, alias="p")
        inner = shifted.formula(formula.of)
        same_group = " AND ".join(
            f"(p.k{n} = {self.alias}.k{n} OR (p.k{n} IS NULL AND {self.alias}.k{n} IS NULL))"
            for n in range(1, self.width)
        )
        also = f" AND {same_group}" if same_group else ""
        if formula.how == "cumulative":
            since = f" AND p.n > {self.alias}.n - {formula.periods}" if formula.periods else ""
            return f"(SELECT SUM({inner}) FROM numbered AS p WHERE p.n <= {self.alias}.n{since}{also})"
        before = f"(SELECT {inner} FROM numbered AS p WHERE p.n = {self.alias}.n - {formula.periods}{also})"
        now = self.formula(formula.of)
        match formula.how:
            case "previous":
                return before
            case "difference":
                return f"({now} - {before})"
            case "growth":
                return f"({self.real.format(f'({now} - {before})')} / NULLIF({before}, 0))"
            case _:
                assert_never(formula.how)


_NAMES = {"previous": "before", "difference": "change", "growth": "growth"}


def _both(left: Condition, right: Condition) -> Condition:
    return right if left == NO_FILTER else Both((left, right))


def _short(names: tuple[str, ...]) -> list[str]:
    """Names of dimensions for people: without the dataset where that is clear."""
    short = [name.rpartition(".")[2] for name in names]
    return [s if short.count(s) == 1 else name.replace(".", " ") for s, name in zip(short, names, strict=True)]
