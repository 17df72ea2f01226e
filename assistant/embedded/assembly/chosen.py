"""What was ranked or bound by its figure, as a condition: the same groups, shown with other figures or broken down."""

from __future__ import annotations

from dataclasses import replace

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import FirstWanted, Wanted

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
    ranking = replace(
        draft,
        ranked=draft.groups[0],
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


def _unshown(wanted: Wanted) -> Wanted:
    return replace(wanted, context=True)
