"""What was ranked or bound by its figure, as a condition: the same groups, shown with other figures or broken down."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.embedded.clauses.draft import Draft, Group, Misfit
from assistant.embedded.clauses.wanted import FirstWanted, Wanted

if TYPE_CHECKING:
    from assistant.embedded.assembly.assembler import Assembler

_FURTHER = "These are chosen by their figure; I cannot put anything beside it or break it down any further."


def chosen_as_condition(draft: Draft) -> Draft:
    """The draft without its ranking and its bounds, whose groups must be those that these choose.

    Raises:
        Misfit: what is ranked is no single kind of things.
    """
    settled = draft.ranked is not None and not draft.wanted  # by what is a condition already
    several = len(draft.groups) != 1 or bool(draft.grains or draft.parts or draft.within)
    if settled or several or draft.place > 1 or draft.share:
        raise Misfit(_FURTHER, weight=7)
    shown = [*draft.wanted, *(t for t, _ in draft.order if isinstance(t, Wanted) and t not in draft.wanted)]
    ranking = _as_ranking(draft, draft.groups[0])
    return replace(
        draft,
        wanted=shown,
        firsts=[*draft.firsts, FirstWanted(ranking, settled=True)],
        groups=[*draft.groups],
        order=[],
        having=[],
        limit=None,
        ties=False,
    )


def of_bound_rows(draft: Draft, assembler: Assembler) -> Draft | None:
    """ "how many customers spent more than 1000": a figure of rows that are chosen by a sum over rows of their own.

    None where the bound is on no such figure, or on groups of another kind.
    """
    bound = [wanted for wanted, _, _ in draft.having]
    own = {assembler.base_of(wanted) for wanted in draft.wanted}
    rows = draft.schema.find_entity(next(iter(own))) if len(own) == 1 else None
    further = draft.groups or draft.grains or draft.parts or draft.limit or draft.order or draft.typical
    if rows is None or not bound or further or not all(wanted.metric or wanted.aggregate for wanted in bound):
        return None
    tables = {assembler.base_of(wanted) for wanted in bound}
    if rows.name in tables or not all(assembler.router.reaches(table, rows.name) for table in tables):
        return None
    choosing = replace(_as_ranking(draft, rows), limit=None)
    return replace(
        draft, firsts=[*draft.firsts, FirstWanted(choosing, settled=True)], having=[], filters=[], terms=[], periods=[]
    )


def of_bound_values(draft: Draft, assembler: Assembler) -> Draft | None:
    """ "how many customers spent more than 1000", where a file names them: those of whom its lines add up to that.

    None where the bound is on nothing that the lines of each come to.

    Raises:
        Misfit: it is days that would be counted, each by the moment.
    """
    bound = [wanted for wanted, _, _ in draft.having]
    further = draft.groups or draft.grains or draft.parts or draft.limit or draft.order or draft.typical or draft.share
    if len(draft.wanted) != 1 or not bound or further or draft.ranked is not None or draft.shown:
        return None
    attribute = draft.wanted[0].attribute
    if draft.wanted[0].aggregate != "distinct" or draft.wanted[0].per or attribute is None:
        return None
    other = [wanted for wanted in bound if assembler.base_of(wanted) != attribute.table or wanted in draft.wanted]
    if other:
        return None
    if attribute.is_time:
        raise Misfit(f"I cannot tell which {attribute.things} are so by a figure.", weight=3)
    choosing = replace(_as_ranking(draft, attribute), limit=None)
    return replace(
        draft, firsts=[*draft.firsts, FirstWanted(choosing, settled=True)], having=[], filters=[], terms=[], periods=[]
    )


def _as_ranking(draft: Draft, ranked: Group) -> Draft:
    """The groups alone, as they are ranked and bound."""
    return replace(
        draft,
        ranked=ranked,
        groups=[],
        wanted=[],
        order=[(_unshown(t), down) for t, down in draft.order if isinstance(t, Wanted)] if draft.limit else [],
        having=[(_unshown(w), operator, value) for w, operator, value in draft.having],
        filters=list(draft.filters),
        terms=list(draft.terms),
        periods=[replace(p) for p in draft.periods],
        firsts=[],
        shown=[],
        pieces=[],
        passed=[],
        subject=None,
        chart=None,
    )


def _unshown(wanted: Wanted) -> Wanted:
    return replace(wanted, context=True)
