"""Clauses about the first of each group: "the best customer in each region", "top 3 products per category"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Group
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable
from assistant.embedded.source.schema import Entity
from assistant.embedded.words.lexicon import is_past


def within(draft: Draft) -> None:
    """Set aside "in each category" where something else is ranked: it says where the ranking begins anew."""
    ranked = _ranked(draft)
    if ranked is None:
        return
    if any("each" in draft.pieces[i].span.text.lower().split() for i, _ in draft.cues("grain")):
        draft.each_period = True
        return
    for i, cue in draft.cues("group"):
        place = draft.after(i, plain_max=1)
        option = draft.open(place)
        if place is None or place == ranked or not (cue.argument == "each" or _of_each(draft, ranked, i)):
            continue
        group: Group | None = None
        if isinstance(option, ToTable):
            group = option.entity
            following = draft.after(place, plain_max=0)
            beside = draft.open(following)
            touching = draft.touches(place, following)
            if touching and isinstance(beside, ToColumn) and not beside.attribute.is_number and following != ranked:
                draft.pieces[place].used = draft.pieces[place].aside = True
                group, place = beside.attribute, following or place
        elif isinstance(option, ToColumn) and not option.attribute.is_number and not option.attribute.is_time:
            group = option.attribute
        if group is None or _same_table(group, draft.pieces[ranked].option):
            continue
        for at in range(i, place + 1):
            draft.pieces[at].used = draft.pieces[at].aside = True
        draft.within.append(group)
        draft.mention(group.name if isinstance(group, Entity) else group.table)
        return


def _of_each(draft: Draft, ranked: int, by: int) -> bool:
    """ "the most expensive products by category": the one of each, where nothing says how many."""
    place = draft.before(ranked, plain_max=1)
    if isinstance(draft.open(place), ToMetric) and place is not None:
        place = draft.before(place, plain_max=0)  # "the best selling products", where selling is a metric
    before = draft.cue_at(place, "best", "selling")
    return before is not None and before.number is None and draft.touches(ranked, by) and draft.word(by) == "by"


def _ranked(draft: Draft) -> int | None:
    """Where the rows or names stand that are ranked; None where nothing is, or where a number is asked for."""
    for i, cue in draft.cues("top", "best", "selling", "common", "most"):
        target = draft.after(i, plain_max=1)
        if isinstance(draft.open(target), ToMetric) and target is not None:
            target = draft.after(target, plain_max=0)  # "the best selling product", where selling is a metric
        done = cue.kind == "most" and target is not None and is_past(draft.pieces[target].span.text.lower())
        if done and target is not None and names_rows(draft, draft.after(target, plain_max=0)):
            return draft.after(target, plain_max=0)
        if cue.kind != "most" and names_rows(draft, target):
            return target
        head = next((n for n in range(i - 1, -1, -1) if names_rows(draft, n) and not _grouped(draft, n)), None)
        if head is not None and cue.kind in ("most", "best", "common"):
            return head
    return None


def names_rows(draft: Draft, at: int | None) -> bool:
    """Whether a table or a column that is no number and no date stands there."""
    option = draft.open(at)
    if isinstance(option, ToColumn):
        return not option.attribute.is_number and not option.attribute.is_time
    return isinstance(option, ToTable)


def _grouped(draft: Draft, at: int) -> bool:
    before = draft.before(at, plain_max=1)
    return draft.cue_at(before, "group") is not None


def _same_table(group: Group, option: object) -> bool:
    """A row is not ranked within itself."""
    if isinstance(option, ToTable):
        return isinstance(group, Entity) and group == option.entity
    return isinstance(option, ToColumn) and option.attribute == group
