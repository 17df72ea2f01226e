"""Figures of different tables side by side, in SQL.

The parts are stacked, each with its own figures and nothing for the others', and every group is read once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.embedded.sql.measuring import divided as ratio
from assistant.embedded.sql.measuring import scaled

if TYPE_CHECKING:
    from sqlglot import exp


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A SELECT of groups, then `figures` figures, then `keys` columns that tell groups apart."""

    select: exp.Select
    figures: int
    keys: int


def together(
    parts: Sequence[Part],
    names: Sequence[exp.Identifier],
    *,
    groups: int,
    divided: bool,
    percent: bool,
    periods: bool,
    order: tuple[int, bool] | None = None,
) -> exp.Select:
    """One SELECT of all parts, its columns called `names`: the groups, then the figures of each part.

    It is ordered by the column at the place that `order` tells, downwards if that says so.
    """
    from sqlglot import exp

    keys = [exp.to_identifier(f"key_{n}") for n in range(1, parts[0].keys + 1)]
    figures = names[groups : groups + sum(part.figures for part in parts)]
    stack = _Stack(parts=parts, groups=names[:groups], keys=keys, figures=figures)
    values = [exp.Max(this=_column(name)) if groups else _column(name) for name in figures]
    shown: list[exp.Expr] = [_column(name) for name in names[:groups]]
    shown += [exp.alias_(value, name.copy()) for value, name in zip(values, figures, strict=True)]
    if divided:
        over = ratio(values[0].copy(), values[1].copy())
        shown.append(exp.alias_(scaled(over, 100.0) if percent else over, names[-1].copy()))
    if not groups:
        first, second = (stack.alone(n) for n in range(len(parts)))
        return exp.Select().select(*shown).from_(first).join(second, join_type="cross")
    table = exp.to_identifier("figures")
    stacked = exp.union(*(stack.padded(n) for n in range(len(parts))), distinct=False)
    select = exp.Select().select(*shown).from_(exp.Table(this=table.copy())).with_(table, as_=stacked)
    select = select.group_by(*(_column(name) for name in (*names[:groups], *keys)))
    if order is not None:
        first = exp.Ordered(this=_column(names[order[0]]), desc=order[1])
        return select.order_by(first, *(_column(name) for name in names[:groups]))
    if periods or not figures:
        return select.order_by(*(_column(name) for name in (keys or names[:groups])))
    largest = exp.Ordered(this=_column(names[-1] if divided else figures[0]), desc=True)
    return select.order_by(largest, *(_column(name) for name in names[:groups]))


def _column(name: exp.Identifier) -> exp.Column:
    from sqlglot import exp

    return exp.Column(this=name.copy())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stack:
    """The parts and the names of all columns: of the groups, of what tells them apart, of the figures."""

    parts: Sequence[Part]
    groups: Sequence[exp.Identifier]
    keys: Sequence[exp.Identifier]
    figures: Sequence[exp.Identifier]

    def alone(self, number: int) -> exp.Subquery:
        """A part of figures alone, under the names they have in the whole."""
        from sqlglot import exp

        select = self.parts[number].select.copy()
        named = zip(select.expressions, self._own(number), strict=True)
        select.set("expressions", [exp.alias_(item.unalias(), name.copy()) for item, name in named])
        return exp.Subquery(this=select, alias=exp.TableAlias(this=exp.to_identifier(f"part_{number + 1}")))

    def padded(self, number: int) -> exp.Select:
        """A part with nothing for the figures of the others."""
        from sqlglot import exp

        part = self.parts[number]
        select = part.select.copy()
        items = [item.unalias() for item in select.expressions]
        group, rest = items[: len(self.groups)], items[len(self.groups) :]
        held = {name.name: item for name, item in zip(self._own(number), rest, strict=False)}
        shown = [exp.alias_(item, name.copy()) for item, name in zip(group, self.groups, strict=True)]
        shown += [exp.alias_(item, key.copy()) for item, key in zip(rest[part.figures :], self.keys, strict=True)]
        shown += [exp.alias_(held.get(name.name, exp.Null()), name.copy()) for name in self.figures]
        select.set("expressions", shown)
        return select

    def _own(self, number: int) -> Sequence[exp.Identifier]:
        """The names of one part's figures."""
        before = sum(part.figures for part in self.parts[:number])
        return self.figures[before : before + self.parts[number].figures]
