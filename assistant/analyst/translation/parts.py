"""Figures that were grouped each for itself and joined on their keys, as one grouping again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from assistant.analyst import algebra as al
from assistant.analyst.translation.scopes import Value
from assistant.analyst.translation.templates import Untranslatable, conjuncts, operands

_MANY = "It joins the results of queries."


def read_parts(
    node: exp.Select, parts: Sequence[al.Query], equality: str, dialect: str
) -> tuple[al.Grouped, list[tuple[Value, ...]]]:
    """One grouping without figures, and what the outputs of each part are in it.

    Raises:
        Untranslatable: they are no parts of one grouping.
    """
    groups = [part for part in parts if isinstance(part, al.Grouped) and isinstance(part.of, al.Rows)]
    if len(groups) < len(parts) or any(replace(g, figures=()) != al.Grouped(g.of, g.keys, ()) for g in groups):
        raise Untranslatable(_MANY)
    keys = next((group.keys for group in groups), ())
    if any(group.keys != keys for group in groups):
        raise Untranslatable(_MANY)
    for join in node.args.get("joins") or ():
        _check_join(join, len(keys), equality, dialect)
    base = _base(groups)
    return al.Grouped(base, keys, ()), [(*keys, *_figures(group, base)) for group in groups]


def _check_join(join: exp.Join, size: int, equality: str, dialect: str) -> None:
    conditions = list(conjuncts(join.args.get("on")))
    pairs = [operands(equality, condition, dialect) or () for condition in conditions] if size else []
    is_by_keys = len(pairs) == size and all(len(p) == 2 and p[0].name == p[1].name for p in pairs)
    if join.side != "LEFT" or not is_by_keys:
        raise Untranslatable(_MANY)


def _base(groups: Sequence[al.Grouped]) -> al.Rows:
    """The rows that all figures are of: those of the first part, or what the parts of one table have in common."""
    rows = [group.of for group in groups if isinstance(group.of, al.Rows)]
    if rows[0].table:
        return rows[0]
    own = [r for r in rows[1:] if r.table == rows[1].table]
    common = [c for c in al.conditions_of(own[0].where) if all(c in al.conditions_of(r.where) for r in own)]
    return replace(own[0], where=_all(common))


def _figures(group: al.Grouped, base: al.Rows) -> list[al.Figure]:
    """A part's figures as those of the rows that all are of."""
    assert isinstance(group.of, al.Rows), "only these are read"
    if not group.of.table:
        return []
    common, own = al.conditions_of(base.where), al.conditions_of(group.of.where)
    if any(condition not in own for condition in common):
        raise Untranslatable(_MANY)
    further = _all([condition for condition in own if condition not in common])
    if group.of.table != base.table:
        return [replace(figure, of=al.Rows(group.of.table, further)) for figure in group.figures]  # type: ignore[call-arg]
    if further == al.NO_FILTER:
        return list(group.figures)
    return [replace(figure, where=further) for figure in group.figures]  # type: ignore[call-arg]


def _all(conditions: Sequence[al.Condition]) -> al.Condition:
    return conditions[0] if len(conditions) == 1 else al.Both(tuple(conditions))
