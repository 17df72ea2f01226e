"""Expansion of metrics: fields as the SQL of their columns, metrics of metrics as one expression, where possible.

An expanded metric refers to one table and needs no semantic model. The rest needs the compiler of metric steps
(`assistant.semantics`).
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from knowledge.parsing import limit_work, parse_one
from knowledge.semantic.model import Dataset, ModelMetric, SemanticModel

_DEPTH_MAX = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenOut:
    """A metric as one expression over one table, `table.column` throughout, with what always holds."""

    sql: str
    table: str
    filters: tuple[str, ...]


def written_out(model: SemanticModel, metric: ModelMetric) -> WrittenOut | None:
    """A metric written out; None where it needs several tables, several periods, or differing filters."""
    try:
        with limit_work():  # metrics of metrics may double with each level
            return _written_out(model, metric)
    except (SqlglotError, _Cannot):
        return None


def _written_out(model: SemanticModel, metric: ModelMetric) -> WrittenOut | None:
    tree, filters = _tree(model, metric, depth=0)
    conditions = [_fields(model, _parsed(text)) for text in filters]
    tables = {column.table for part in (tree, *conditions) for column in _columns(part)}
    if not tables and len(model.datasets) == 1:
        tables = {model.datasets[0].table}
    if len(tables) != 1:
        return None
    return WrittenOut(
        sql=_exact(tree).sql(), table=next(iter(tables)), filters=tuple(condition.sql() for condition in conditions)
    )


def _exact(tree: exp.Expr) -> exp.Expr:
    """The same with divisions of aggregates as the compiler has them: no whole-number division, none by zero."""
    for division in list(tree.find_all(exp.Div)):
        if division.find(exp.AggFunc) and not division.find_ancestor(exp.AggFunc):
            division.set("this", exp.cast(division.this, "DOUBLE"))
            if not isinstance(division.expression, exp.Nullif):
                division.set("expression", exp.func("NULLIF", division.expression, exp.Literal.number(0)))
    return tree


class _Cannot(Exception):
    """It cannot be one expression."""


def _tree(model: SemanticModel, metric: ModelMetric, *, depth: int) -> tuple[exp.Expr, tuple[str, ...]]:
    more = metric.more
    if more.stock or more.type not in ("simple", "ratio", "derived") or depth > _DEPTH_MAX:
        raise _Cannot
    tree = _parsed(metric.expression.sql())
    if more.type == "simple":
        return _fields(model, tree), more.filters
    filters: tuple[str, ...] | None = None
    for reference in list(tree.find_all(exp.Column)):
        part = model.metric(reference.name)
        if part is None:
            raise _Cannot
        inner, own = _tree(model, part, depth=depth + 1)
        if filters not in (None, own):
            raise _Cannot
        filters = own
        replacement = exp.paren(inner)
        if isinstance(reference.parent, exp.Div) and reference.arg_key == "expression":
            replacement = exp.func("NULLIF", inner, exp.Literal.number(0))
        if reference is tree:
            tree = replacement
        else:
            reference.replace(replacement)
    return tree, filters or ()


def _fields(model: SemanticModel, tree: exp.Expr) -> exp.Expr:
    """An expression with every field as the SQL of its columns."""
    for reference in list(tree.find_all(exp.Column)):
        dataset = model.dataset(reference.table) if reference.table else _owner(model, reference.name)
        if dataset is None:
            raise _Cannot
        field = dataset.field(reference.name)
        inner = _parsed(field.expression.sql()) if field else exp.column(reference.name)
        for column in list(inner.find_all(exp.Column)):
            column.set("table", exp.to_identifier(dataset.table))
        replacement = inner if isinstance(inner, exp.Column) else exp.paren(inner)
        if reference is tree:
            return replacement
        reference.replace(replacement)
    return tree


def _owner(model: SemanticModel, name: str) -> Dataset | None:
    owners = [dataset for dataset in model.datasets if dataset.field(name)]
    if len(owners) == 1:
        return owners[0]
    return model.datasets[0] if not owners and len(model.datasets) == 1 else None


def _columns(tree: exp.Expr) -> list[exp.Column]:
    return list(tree.find_all(exp.Column))


def _parsed(sql: str) -> exp.Expr:
    return parse_one(sql)
