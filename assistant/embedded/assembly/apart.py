"""Figures of different tables side by side: each is computed on its own table, so that no row is counted twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.embedded.assembly.chosen import chosen_as_condition, of_bound_rows
from assistant.embedded.assembly.ordering import order
from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.meaning import PERCENT, Meaning, Order

if TYPE_CHECKING:
    from assistant.embedded.assembly.assembler import Assembler

_DIFFERENT = "These figures come from different tables; ask for one of them at a time."


def apart(assembler: Assembler, figures: Sequence[Wanted]) -> Meaning:
    """The meaning of figures that no one table holds: one for each table, by the same groups.

    Raises:
        Misfit: they cannot stand side by side.
    """
    draft = assembler.draft
    if (chosen := of_bound_rows(draft, assembler)) is not None:
        return assembler.aside(chosen)
    divided = len(figures) == 1 and figures[0].per is not None and figures[0].per.grain is None
    percent = divided and figures[0].unit == PERCENT
    if divided and figures[0].per is not None:
        figures = [replace(figures[0], per=None, unit=""), figures[0].per]
    ranked = bool(draft.having or draft.limit)
    if ranked and not draft.pieces and not draft.wanted:  # a ranking of its own, which no further ranking can settle
        raise Misfit(_DIFFERENT, weight=6)
    if draft.within or draft.share or draft.related or draft.compared or len(draft.order) > 1:
        raise Misfit(_DIFFERENT, weight=6)
    by_table: dict[str, list[Wanted]] = {}
    for wanted in figures:
        by_table.setdefault(assembler.base_of(wanted), []).append(wanted)
    if len(by_table) != 2 or any(wanted.per for wanted in figures):
        raise Misfit(_DIFFERENT, weight=6)
    parts = (chosen_as_condition(draft) if ranked else draft for _ in by_table)
    first, second = (
        assembler.alone(_of(part, held)).assemble() for part, held in zip(parts, by_table.values(), strict=True)
    )
    if _groups(first) != _groups(second) or any(f.column.multiplies for m in (first, second) for f in m.filters):
        raise Misfit(_DIFFERENT, weight=6)
    ordered = () if divided else _order(draft, [w for held in by_table.values() for w in held], first)
    return first.model_copy(update={"beside": (second,), "divided": divided, "percent": percent, "order": ordered})


def _order(draft: Draft, figures: Sequence[Wanted], first: Meaning) -> tuple[Order, ...]:
    """By what the whole is ordered: one of all the figures, or a group that both parts have."""
    for target, descending in draft.order:
        if isinstance(target, Wanted) and target in figures:
            return (Order(by="measure", index=list(figures).index(target), descending=descending),)
        made = order(replace(draft, order=[(target, descending)]), figures, first.dimensions)
        if len(made) == 1 and made[0].by == "dimension":
            return made
        raise Misfit(_DIFFERENT, weight=6)
    return ()


def _of(draft: Draft, wanted: list[Wanted]) -> Draft:
    return replace(draft, order=[], wanted=wanted, groups=[*draft.groups], filters=[*draft.filters], passed=[])


def _groups(meaning: Meaning) -> list[tuple[str, ...]]:
    """What the groups are, and what tells them apart; the dates aside, for each table has its own."""
    named = [d for d in meaning.dimensions if not d.grain and not d.part]
    timed = [(d.grain or d.part or "",) for d in meaning.dimensions if d.grain or d.part]
    return [*timed, *(tuple(f"{r.table}.{r.column}" for r in (d.column, *d.more, *d.key)) for d in named)]
