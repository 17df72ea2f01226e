"""What a follow-up says of order and number, put into a draft: "top 3", "ascending", "only those over 1000"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Bound, Draft, Group, Misfit
from assistant.embedded.clauses.wanted import FilterWanted, Wanted
from assistant.embedded.dialogue.rankings import choose, ranking_of, turn
from assistant.embedded.dialogue.signs import Wish
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import plural

_WORDS = {">": "over", ">=": "at least", "<": "under", "<=": "at most", "=": "exactly"}


def put_order(change: Draft, draft: Draft, wish: Wish) -> None:
    """Put the order, the number and the bounds of a follow-up into what was meant before.

    Raises:
        Misfit: there is nothing that could be ordered so.
    """
    ranking = ranking_of(draft)
    if ranking is not None and wish.reverse:
        turn(draft, ranking)
        return
    if ranking is not None and (wish.first is not None or (change.limit is not None and not change.order)):
        first, ties = (wish.first, wish.tied) if wish.first is not None else (change.limit, change.ties)
        down = wish.descending if wish.first is not None else change.descending
        choose(draft, ranking, first, descending=down, ties=ties)
    elif change.limit is not None and not (change.ties and change.place == 1 and change.ranked is None):
        draft.keep_first(change.limit, ties=change.ties, place=change.place)
        if not _in_time(change, draft):
            _rank(draft, descending=change.descending)
    elif wish.first is not None:
        draft.keep_first(wish.first, ties=wish.tied)
        _rank(draft, descending=wish.descending)
    elif wish.descending is not None:
        _turn(draft, descending=wish.descending, adjective=wish.adjective)
    if wish.reverse:
        _reverse(draft)
    if wish.by_name:
        draft.order = [(_name(draft), False)]
    if change.order:
        _reorder(change, draft)
    for bound in change.bounds:
        _bind(draft, bound)


def figures_of(draft: Draft) -> list[Wanted]:
    """The figures of a draft, those that it is ordered by among them; those that were asked for come first."""
    ordered = [t for t, _ in draft.order if isinstance(t, Wanted)]
    figures = [*draft.wanted, *(w for w in ordered if w not in draft.wanted)]
    return sorted(figures, key=lambda w: w.context)


def _rank(draft: Draft, *, descending: bool | None) -> None:
    """Keep the first ones, by the order that is there or else by the first figure."""
    figures = figures_of(draft)
    if figures and not (draft.groups or draft.grains or draft.parts):
        raise Misfit("There is one row only. Say what should be ranked, as in “top 5 customers”.", weight=7)
    ranked = [(t, down) for t, down in draft.order if isinstance(t, Wanted)]
    if figures:
        down = ranked[0][1] if ranked else True
        draft.order = [(ranked[0][0] if ranked else figures[0], down if descending is None else descending)]
    elif not draft.order:
        rows = draft.subject.many if draft.subject else "rows"
        raise Misfit(
            f"The first {draft.limit} of the {rows} by which figure? Say, for instance, “sort by …”.", weight=7
        )
    elif descending is not None:
        draft.order = [(draft.order[0][0], descending), *draft.order[1:]]


def _in_time(change: Draft, draft: Draft) -> bool:
    """ "the last 10" of a list without an order: the latest, where its rows have a day."""
    said = {word for piece in change.pieces for word in piece.span.text.lower().split()}
    dated = likeliest_date(draft.subject) if draft.subject is not None else None
    if draft.order or figures_of(draft) or dated is None or not said & {"last", "first"}:
        return False
    draft.order = [(dated, "last" in said)]
    draft.assumptions.append(f"the first and the last go by the {dated.words}")
    return True


def _turn(draft: Draft, *, descending: bool, adjective: str) -> None:
    """Order what is there upwards or downwards: by what it is ordered by, else by its figure, else by its name."""
    if draft.limit is not None and draft.order and draft.order[0][1] != descending:
        side = "highest" if draft.order[0][1] else "lowest"
        other = "top" if descending else "bottom"
        raise Misfit(
            f"These are the ones with the {side} figure, in that order; say “{other} {draft.limit}” for the others.",
            weight=7,
        )
    if adjective and not figures_of(draft):
        draft.order = [_by_adjective(draft, adjective, descending=descending)]
    elif draft.order:
        draft.order = [(t, descending) for t, _ in draft.order]
    else:
        draft.order = [(_first(draft), descending)]


def _by_adjective(draft: Draft, adjective: str, *, descending: bool) -> tuple[Attribute, bool]:
    """ "oldest first" of a list: by the one date or number that it shows; who is older was born earlier."""
    label = draft.subject.label if draft.subject is not None else ()
    told = [a for a in draft.shown if a.name not in label and (a.is_number or a.is_time)]
    told += [f.attribute for f in draft.filters if f.attribute.is_number and f.attribute not in told]
    if len(told) != 1:
        raise Misfit("Sort by which column? Name it, as in “sort by price”.", weight=7)
    turned = told[0].is_time and adjective in ("oldest", "youngest", "shortest", "longest")
    return told[0], descending != turned


def _reverse(draft: Draft) -> None:
    if draft.order:
        draft.order = [(t, not down) for t, down in draft.order]
    elif draft.grains:
        raise Misfit("Say “descending” with what to sort by, as in “sort by month descending”.", weight=7)
    else:
        draft.order = [(_first(draft), not bool(figures_of(draft)))]


def _first(draft: Draft) -> Wanted | Group:
    """What a result goes by where nothing is said: its figure, or else what names its rows."""
    figures = figures_of(draft)
    return figures[0] if figures else _name(draft)


def _name(draft: Draft) -> Group:
    """What names the rows of a result: its group, or a list's own name."""
    named = next((g for g in draft.groups if isinstance(g, Entity)), None) or next(iter(draft.groups), None)
    if named is not None:
        return named
    if draft.subject is not None:
        label = [draft.subject.attributes[n] for n in draft.subject.label]
        return label[-1] if label else draft.subject
    if draft.shown:
        return draft.shown[0]
    raise Misfit("There are no names to sort by.", weight=6)


def _reorder(change: Draft, draft: Draft) -> None:
    """ "sort by name": the label of what is grouped or listed; a figure that is shown; or a column of the rows."""
    figures = figures_of(draft)
    order: list[tuple[Wanted | Group | None, bool]] = []
    for target, descending in change.order:
        if isinstance(target, Wanted):
            twin = next((w for w in figures if alike(w, target)), None)
            if twin is None:
                raise Misfit("I can only order by what is shown; add that figure first.", weight=6)
            order.append((twin, descending))
        elif target is None:
            order.append((_first(draft), descending))
        elif isinstance(target, Attribute):
            order.append((_column(draft, target, figures), descending))
        else:
            order.append((target, descending))
    if draft.limit is not None and order[0][0] is not (draft.order[0][0] if draft.order else None):
        raise Misfit(f"These are the first {draft.limit} by another order; say “show all” first.", weight=7)
    draft.order = order


def _column(draft: Draft, target: Attribute, figures: list[Wanted]) -> Wanted | Group:
    """What a column that is named as the order stands for in the result."""
    twin = next((w for w in figures if w.attribute == target), None)
    if twin is not None:
        return twin
    entity = draft.entity_of(target)
    for group in draft.groups:
        if group == target or (isinstance(group, Entity) and group == entity and target.name in entity.label):
            return group
    return target


def alike(one: Wanted, other: Wanted) -> bool:
    """Whether two figures are of the same thing."""
    return (one.metric, one.entity, one.attribute) == (other.metric, other.entity, other.attribute)


def _bind(draft: Draft, bound: Bound) -> None:
    """ "only those over 1000": the figure of each group, or the one number of a list that it can be."""
    operator, value = bound
    figures = figures_of(draft)
    if figures and (draft.groups or draft.grains or draft.parts):
        if len({id(w) for w in figures if not w.context}) > 1:
            raise Misfit("There is more than one figure; name the one you mean, as in “revenue over 1000”.", weight=7)
        draft.having = [h for h in draft.having if h[0] != figures[0] or not _other_bound(h[1:], bound)]
        draft.having.append((figures[0], operator, value))
        return
    if figures:
        raise Misfit("There is one figure only, so there are none to choose from.", weight=7)
    counted = [r for r in draft.related if r.count > 0 and r.shared is None]
    if len(counted) == 1 and value is not None:
        counted[0].operator, counted[0].count = (
            operator,
            int(value),
        )  # "with more than 40 rentals", "and fewer than 20?"
        return
    if value is None:
        raise Misfit("Above the average of what? Name the number, as in “price above average”.", weight=7)
    numbers = _numbers(draft)
    shown = [a for a in numbers if a in draft.shown or any(a == f.attribute for f in draft.filters)]
    chosen = shown if len(shown) == 1 else numbers
    if len(chosen) != 1:
        said = f"{_WORDS.get(operator, operator)} {value:g}"
        named = " or ".join(a.words for a in chosen[:3])
        ask = f"Which number should be {said}: {named}?" if named else f"There is no number to be {said}."
        raise Misfit(ask, weight=7)
    whole = int(value) if value == int(value) else value
    bound_so = FilterWanted(chosen[0], operator, (whole,))
    draft.filters = [f for f in draft.filters if f.attribute != chosen[0] or not gives_way(f, bound_so)]
    draft.filters.append(bound_so)


def _numbers(draft: Draft) -> list[Attribute]:
    entity = draft.subject
    if entity is None:
        raise Misfit(f"Which number of the {plural('row')} do you mean?", weight=6)
    return [a for a in entity.attributes.values() if a.is_number]


def kind(operator: str) -> str:
    """Operators that replace one another: an equality an equality, a bound a bound of the same side."""
    return {"in": "=", ">=": ">", "<=": "<", "not in": "!="}.get(operator, operator)


def gives_way(before: FilterWanted, wanted: FilterWanted) -> bool:
    """Whether a condition on the same column is replaced by a new one: a bound of its side, or one it excludes."""
    return kind(before.operator) == kind(wanted.operator) or _excludes(before, wanted)


def _other_bound(before: Bound, wanted: Bound) -> bool:
    """Whether a bound on a figure takes the place of one before."""
    if kind(before[0]) == kind(wanted[0]):
        return True
    low, high = (before, wanted) if before[0].startswith(">") else (wanted, before)
    return low[1] is not None and high[1] is not None and low[1] >= high[1]


def _excludes(one: FilterWanted, other: FilterWanted) -> bool:
    """Whether no number lies within both bounds: "under 50", then "over 100"."""
    low, high = (one, other) if one.operator.startswith(">") else (other, one)
    if not (low.operator.startswith(">") and high.operator.startswith("<")) or not (low.values and high.values):
        return False
    numbers = low.values[0], high.values[0]
    return all(isinstance(n, int | float) for n in numbers) and float(numbers[0]) >= float(numbers[1])
