"""Clauses about order: "top 5 customers by revenue", "which artist has the most albums"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft, Group, Misfit
from assistant.embedded.clauses.figuring.figures import measure_at
from assistant.embedded.clauses.ordering.by_default import of_lines
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import Option, ToColumn, ToMetric, ToNumber, ToTable, ToValue
from assistant.embedded.source.schema import Attribute, Entity

_TOP_DEFAULT = 10
_EARLY = 4
"""Up to which place a number before a table says how many to show: "3 customers with the most orders"."""


def places(draft: Draft) -> None:
    """ "the second highest price", "who is the third best customer": what comes behind the first is kept."""
    for i, cue in draft.cues("place"):
        draft.pieces[i].used = draft.pieces[i].aside = True
        draft.place = cue.number or 1
        draft.keep_extreme()


def ranked_by(draft: Draft) -> None:
    """ "rank the towns by number of customers": every one of them, by the figure, which is shown."""
    place = draft.after(0, plain_max=2) if draft.pieces and draft.pieces[0].span.text.lower() == "rank" else None
    option = draft.open(place)
    by = draft.after(place, plain_max=0) if place is not None else None
    if place is None or by is None or not draft.cue_at(by, "group") or not isinstance(option, ToTable | ToColumn):
        return
    figure = draft.after(by, plain_max=1)
    group = option.entity if isinstance(option, ToTable) else option.attribute
    found = measure_at(draft, figure) or _rows_each(draft, figure, group)
    adds = bool(found) and (found[0].aggregate or found[0].metric or found[0].entity or _adds_up(found[0]))
    if len(found) == 1 and adds:
        whole = found[0].metric or found[0].entity
        found[0].aggregate = found[0].aggregate or (None if whole else "sum")
        draft.use(0, place, by)
        draft.groups.append(group)
        draft.wanted.append(found[0])
    elif len(found) == 1 and found[0].attribute is not None and isinstance(option, ToTable):
        draft.use(0, by)  # "rank the halls by rating": the highest first, each with its own
        draft.subject = option.entity
        draft.order.append((found[0].attribute, True))


def _adds_up(wanted: Wanted) -> bool:
    return wanted.attribute is not None and wanted.attribute.adds_up


def tops(draft: Draft) -> None:
    """ "top 5 customers", "bottom 3 stores", "5 most expensive products": how many, and of what."""
    if len({cue.argument for _, cue in draft.cues("top")}) > 1:
        raise Misfit("The first and the last at once are more than I can show: please ask for one of them.", weight=7)
    for i, cue in draft.cues("top"):
        draft.use(i)
        draft.limit = cue.number
        draft.descending = cue.argument == "desc"
        target = draft.after(i)
        option = draft.open(target)
        if draft.limit is None and isinstance(option, ToNumber) and target is not None:
            draft.use(target)
            draft.limit = int(option.number)
            target = draft.after(target)
            option = draft.open(target)
        if draft.limit is None and target is not None and _is_one(draft, target):
            draft.keep_extreme()
        elif draft.limit is None:
            draft.limit = _TOP_DEFAULT
            draft.assumptions.append(f"“{draft.pieces[i].span.text}” means the first {_TOP_DEFAULT}")
        if target is None:
            continue
        _rank(draft, target)
    for i, cue in draft.cues("best"):
        _best_by(draft, i, descending=cue.argument == "desc", hints=cue.hints)
    for i, piece in enumerate(draft.pieces):
        if draft.limit is not None or piece.used or not isinstance(piece.option, ToNumber):
            continue
        following = draft.after(i, plain_max=0)
        if following is None or piece.option.number != int(piece.option.number):
            continue
        best_later = draft.cues("best", "most", "common")
        first = draft.cue_at(following, "best", "most", "common") and not draft.pieces[following].span.parted
        early = i <= _EARLY or draft.pieces[i - 1].span.text.lower() == "the"
        named = early and _is_counted(draft.open(following))
        named = named and any(at > following for at, _ in best_later)
        if first or named:
            draft.use(i)
            draft.limit = int(piece.option.number)
            if named:
                _rank(draft, following)


def _is_one(draft: Draft, at: int) -> bool:
    """ "the top customer" is the one at the top, "top customers" are several."""
    option, word = draft.open(at), draft.word(at)
    if isinstance(option, ToTable):
        return option.entity.one != option.entity.many and not word.endswith("s")
    return isinstance(option, ToColumn) and option.attribute.role == "text" and not word.endswith("s")


def _is_counted(option: Option | None) -> bool:
    """ "3 customers", "three towns": what a number before it says how many to show of."""
    return isinstance(option, ToTable) or (isinstance(option, ToColumn) and option.attribute.role == "text")


def _best_by(draft: Draft, at: int, *, descending: bool, hints: tuple[str, ...]) -> None:
    """ "our 5 best customers by revenue": the figure follows, so "best" is a ranking."""
    target = draft.after(at, plain_max=1)
    option = draft.open(target)
    if hints or target is None or not isinstance(option, ToTable):
        return
    by = draft.after(target, plain_max=1)
    while by is not None and isinstance(draft.open(by), ToValue):
        by = draft.after(by, plain_max=1)  # "the biggest clients of Ada by revenue"
    figure = draft.open(draft.after(by)) if by is not None and draft.cue_at(by, "group") else None
    measured = isinstance(figure, ToMetric) or (isinstance(figure, ToColumn) and figure.attribute.is_number)
    if not (measured or draft.cue_at(draft.after(by or 0), "count", "sum", "average")):
        return
    before = draft.before(at, plain_max=1)
    number = draft.open(before)
    draft.descending = descending
    if isinstance(number, ToNumber) and before is not None:
        draft.use(before)
        draft.limit = int(number.number)
    else:
        several = (
            draft.place == 1
            and option.entity.one != option.entity.many
            and draft.pieces[target].span.text.lower().endswith("s")
        )
        if several and draft.limit is None:
            draft.limit = _TOP_DEFAULT
        else:
            draft.keep_extreme()
    draft.use(at)
    _rank(draft, target)


def _rank(draft: Draft, at: int) -> None:
    option = draft.open(at)
    if isinstance(option, ToTable):
        draft.ranked = option.entity
        draft.use(at)
    elif isinstance(option, ToColumn) and not option.attribute.is_number:
        draft.ranked = option.attribute
        draft.use(at)
    elif isinstance(option, ToColumn) and draft.content_before(at):
        draft.use(at)  # "students with the top 5 GPAs"
        since = option.attribute.is_time or option.attribute.holds_years
        first_or_last = any(_TIMELY & set(draft.word(i).split()) for i in range(at))
        draft.order.append((option.attribute, draft.descending != (since and first_or_last)))
        return
    else:
        return
    by = draft.after(at, plain_max=1)
    while by is not None and not draft.cue_at(by, "group"):
        if not isinstance(draft.open(by), ToValue):
            break
        by = draft.after(by, plain_max=1)
    if draft.cue_at(by, "group") and by is not None:
        found = measure_at(draft, draft.after(by)) or _rows_each(draft, draft.after(by), draft.ranked)
        if found:
            draft.use(by)
            draft.order.append((_settle(draft, found[0]), draft.descending))


_TIMELY = frozenset(("first", "last"))
"""With these it is told when, not how much: "the last one to join" has the latest day."""


def _rows_each(draft: Draft, at: int | None, ranked: Group | None) -> list[Wanted]:
    """ "top 5 customers by orders": by how many there are of them, where several may belong to one."""
    while isinstance(draft.open(at), ToValue):
        at = draft.after(cast(int, at), plain_max=0)  # "top 5 clerks by cancelled orders": how many of that kind
    option = draft.open(at)
    if at is None or not isinstance(option, ToTable) or not isinstance(ranked, Entity) or option.entity == ranked:
        return []
    owned = any(e.right == option.entity.name and not e.many for e in draft.schema.edges.get(ranked.name, ()))
    if owned or not draft.pieces[at].span.text.lower().endswith("s") or draft.after(at, plain_max=0) is not None:
        return []
    draft.use(at)
    return [Wanted(aggregate="count", entity=option.entity)]


def _settle(draft: Draft, wanted: Wanted) -> Wanted | Attribute:
    """A bare column of the ranked table itself orders its rows; anything else is a figure per group."""
    if wanted.attribute and wanted.aggregate is None:
        if isinstance(draft.ranked, Entity) and wanted.attribute.table == draft.ranked.name:
            return wanted.attribute
        wanted.aggregate = "sum" if wanted.attribute.adds_up else None
        if wanted.aggregate is None:
            raise Misfit(f"By the average or by the highest “{wanted.attribute.words}”?", weight=4)
    return wanted


def metric_order(draft: Draft) -> None:
    """ "customers by net revenue": a table by a figure is a ranking, not a grouping."""
    for i, _ in draft.cues("group"):
        target = draft.after(i)
        option = draft.open(target)
        before = draft.open(draft.before(i, plain_max=1))
        if not isinstance(before, ToTable) or target is None:
            continue
        figure = isinstance(option, ToMetric) or draft.cue_at(target, "count", "sum", "average")
        if (figure and not draft.wanted and not any(draft.cues("count", "sum", "average")[:1])) or isinstance(
            option, ToMetric
        ):
            place = draft.before(i, plain_max=1)
            if place is None or any(at < place for at, _ in draft.cues("count", "sum", "average", "how_much")):
                continue
            found = measure_at(draft, target)
            if found:
                draft.use(i, place)
                draft.ranked = before.entity
                draft.order.append((_settle(draft, found[0]), True))


def by_count(draft: Draft) -> None:
    """ "top 5 reasons for returns": what is ranked by nothing else goes by how many rows there are of it.

    What a file of sales names in its lines goes by what was sold of it, or to it.
    """
    ranked = draft.ranked
    if not isinstance(ranked, Attribute) or ranked.role != "text" or draft.order or draft.wanted or not draft.limit:
        return
    entity = draft.entity_of(ranked)
    if not draft.fragment and (figure := of_lines(draft, ranked)) is not None:
        draft.order.append((figure, draft.descending))
        return
    if ranked.name in entity.label:
        return
    draft.assumptions.append(f"each {ranked.words} goes by its number of {entity.many}")
    draft.order.append((Wanted(aggregate="count", entity=entity, context=True), draft.descending))
