"""What a follow-up says, put into what was meant before: it replaces, adds to or narrows it, and loses nothing else."""

from __future__ import annotations

import re

from assistant.embedded.assembly.chosen import chosen_as_condition
from assistant.embedded.clauses.draft import Draft, Group, Misfit
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.dialogue.conditions import conditions, counted_kind
from assistant.embedded.dialogue.ordering import figures_of, put_order
from assistant.embedded.dialogue.periods import periods, shifted
from assistant.embedded.dialogue.signs import Wish
from assistant.embedded.meaning import Aggregate, Meaning
from assistant.embedded.source.schema import Entity

_SPLIT = re.compile(r"\b(?:by|per|each|every|(?:dai|week|month|quarter|year)ly|annual(?:ly)?|split)\b", re.IGNORECASE)
_AGGREGATES: tuple[Aggregate, ...] = ("average", "sum", "minimum", "maximum")


def apply(change: Draft, draft: Draft, previous: Meaning, wish: Wish) -> None:
    """Put what the follow-up says into the draft of the meaning before.

    Raises:
        Misfit: it cannot be put there without losing something.
    """
    draft.mention(*change.mentioned)
    _aggregates(change, draft, wish)
    _things(change, draft, previous, wish)
    counted_kind(change, draft, wish)
    _figures(change, draft, wish)
    _groups(change, draft, wish)
    _columns(change, draft, wish)
    conditions(change, draft, wish)
    periods(change, draft, previous, wish)
    shifted(draft, wish)
    if change.chart:
        draft.chart = change.chart
    if change.share or wish.share:
        draft.share = True
        draft.portion = None if not (draft.groups or draft.grains or draft.parts) else False
    put_order(change, draft, wish)


def _aggregates(change: Draft, draft: Draft, wish: Wish) -> None:
    """ "as average", "the maximum too": the same number, taken together otherwise."""
    said = [(i, cue.kind) for i, cue in change.cues(*_AGGREGATES)]
    if not said or change.wanted:
        return
    figures = figures_of(draft)
    attribute = next((w.attribute for w in figures if w.attribute is not None and w.until is None), None)
    if attribute is None:
        named = figures[0].metric.name if figures and figures[0].metric else "a count"
        raise Misfit(f"I cannot take {named} as another aggregate; name the number you mean.", weight=7)
    for at, aggregate in said:
        change.use(at)
        change.wanted.append(Wanted(aggregate=aggregate, attribute=attribute))  # pyright: ignore[reportArgumentType]


def _things(change: Draft, draft: Draft, previous: Meaning, wish: Wish) -> None:
    """A table by itself: shown beside what is there, "with their supplier", or in the place of what was counted."""
    thing = change.subject
    if thing is None or change.groups or change.wanted:
        return
    said = change.filters or change.terms or change.related or change.periods or change.bounds or change.compared
    own = {f.attribute.table for f in change.filters} | {r.entity.name for r in change.related}
    own |= {table.name for t, _ in change.terms if (table := draft.schema.find_entity(t.table or ""))}
    shown = [*(w.entity for w in figures_of(draft)), draft.subject, *draft.groups]
    foreign = thing.name not in previous.tables() and (wish.swaps or thing.name not in own)
    if (foreign and (said or change.order or change.limit)) or (change.bounds and thing not in shown):
        raise Misfit(f"“{thing.many}” are not what was shown before.", weight=3)
    if said:
        return  # "only closed tickets": the word says of what
    if thing.bridge:
        raise Misfit(f"I could not tell what to do with “{thing.many}”.", weight=3)
    figures = figures_of(draft)
    if wish.beside or (wish.adds and not figures) or (change.shown and not figures):
        label = [thing.attributes[name] for name in thing.label]
        if not change.shown:
            change.shown = label
        return
    if wish.adds:
        change.wanted.append(Wanted(aggregate="count", entity=thing))
        return
    if change.shown or change.chart or change.order or change.limit:
        return
    counted = [w for w in figures if w.entity is not None]
    if len(figures) == 1 and counted and not draft.having:
        change.wanted.append(Wanted(aggregate="count", entity=thing))
        return
    raise Misfit(f"I could not tell what to do with “{thing.many}”; ask for them in a question of their own.", weight=6)


def _figures(change: Draft, draft: Draft, wish: Wish) -> None:
    if not change.wanted:
        return
    if not figures_of(draft) and draft.subject is not None and not draft.groups:
        _figures_of_rows(change, draft, wish)
        return
    if wish.adds or wish.beside:
        draft.wanted += [w for w in change.wanted if w not in figures_of(draft)]
        return
    for bound, _, _ in draft.having:
        bound.context = bound not in change.wanted
    draft.order = [(change.wanted[0] if isinstance(t, Wanted) else t, down) for t, down in draft.order]
    draft.wanted = list(change.wanted)
    if all(w.aggregate in ("average", "minimum", "maximum") for w in draft.wanted):
        draft.share = False  # an average has no parts


def _figures_of_rows(change: Draft, draft: Draft, wish: Wish) -> None:
    """ "with their number of orders" of a list: a figure for each row of it."""
    entity = draft.subject
    assert entity is not None, "asked by its caller"
    if wish.adds or wish.beside:
        counted = [w.entity for w in change.wanted if w.entity is not None and w.entity != entity]
        if any(not _has_many(draft, entity, other) for other in counted):
            raise Misfit(f"I could not tell which of them belong to the {entity.many}.", weight=4)
        if draft.limit or draft.order:
            raise Misfit("I cannot add a figure to a ranked list; ask for both in one question.", weight=7)
        draft.groups = [entity, *(a for a in draft.shown if a.name not in entity.label)]
        draft.shown, draft.subject = [], None
    else:
        draft.subject, draft.shown, draft.order = None, [], []
    draft.wanted = list(change.wanted)


def _groups(change: Draft, draft: Draft, wish: Wish) -> None:
    named: list[Group] = [*change.groups]
    if change.ranked is not None:
        named = [change.ranked]
    if not named and not change.grains and not change.parts:
        return
    if change.periods and not named and not _SPLIT.search(wish.text):
        if not (draft.grains or draft.limit):
            draft.grains = list(change.grains)  # "in 2024 and 2025": each by itself, beside what is there
        return
    if wish.adds or wish.further:
        if draft.limit and not change.limit:
            _within_first(draft)
        draft.groups += [g for g in named if g not in draft.groups]
        draft.grains.extend(g for g in change.grains if g not in draft.grains)
        draft.parts.extend(p for p in change.parts if p not in draft.parts)
        draft.ranged += change.ranged
        return
    if not figures_of(draft) and draft.limit:
        raise Misfit("These rows are the first of their kind; group them in a question of its own.", weight=7)
    ranked = draft.limit is not None and any(isinstance(t, Wanted) for t, _ in draft.order)
    draft.groups = named
    draft.grains, draft.parts = change.grains, change.parts
    draft.ranged, draft.within = list(change.ranged), []
    kept = [(t, d) for t, d in draft.order if isinstance(t, Wanted)]
    if (change.grains or change.parts) and ranked:
        draft.wanted = figures_of(draft)
        draft.keep_first(None)
        kept = []
    draft.offset = 0
    draft.order = [*kept]


def _within_first(draft: Draft) -> None:
    """The first of their kind stay the ones that are shown, while they are broken down."""
    chosen = chosen_as_condition(draft)
    draft.wanted, draft.order, draft.having, draft.firsts = chosen.wanted, [], [], chosen.firsts
    draft.keep_first(None)


def _columns(change: Draft, draft: Draft, wish: Wish) -> None:
    """Columns that are shown beside what is there, or in its place: "just the emails"."""
    if not change.shown:
        return
    if figures_of(draft):
        _beside_groups(change, draft, wish)
        return
    label = [draft.subject.attributes[n] for n in draft.subject.label] if draft.subject else []
    if wish.adds or wish.beside:
        before = draft.shown or label
        draft.shown = [*before, *(a for a in change.shown if a not in before)]
    else:
        draft.shown = list(change.shown)


def _beside_groups(change: Draft, draft: Draft, wish: Wish) -> None:
    """Columns beside figures: what is told of a group, as its email; or else a number, which is one more figure."""
    rows = [g for g in draft.groups if isinstance(g, Entity)]
    for attribute in change.shown:
        if any(attribute.table == g.name and attribute.name in g.label for g in rows):
            raise Misfit(f"“{attribute.words}” is shown already.", weight=7)
        told = any(attribute.table == g.name or _owned(draft, g, attribute.table) for g in rows)
        if told and not draft.grains:
            draft.groups += [attribute] if attribute not in draft.groups else []
            draft.order = draft.order or [(figures_of(draft)[0], True)]
        elif attribute.is_number:
            aggregate: Aggregate = "sum" if attribute.adds_up else "average"
            draft.assumptions.append(
                f"“{attribute.words}” stands for its {'total' if aggregate == 'sum' else 'average'}"
            )
            change.wanted = [Wanted(aggregate=aggregate, attribute=attribute)]
            _figures(change, draft, wish)
        else:
            raise Misfit(f"I could not place “{attribute.words}” beside these figures.", weight=6)


def _has_many(draft: Draft, entity: Entity, other: Entity) -> bool:
    """Whether rows of another table belong to a row of this one, by a key or over a bridge or one further table."""
    first = [edge.right for edge in draft.schema.edges.get(entity.name, ()) if edge.many]
    second = [edge.right for name in first for edge in draft.schema.edges.get(name, ())]
    bridged = [e for n in first if draft.schema.entities[n].bridge for e in draft.schema.edges.get(n, ())]
    lines = [edge.right for name in first for edge in draft.schema.edges.get(name, ()) if edge.many]
    return other.name in (*first, *lines, *(e.right for e in bridged if e.right in second))


def _owned(draft: Draft, entity: Entity, table: str) -> bool:
    """Whether each row of a table belongs to one of another."""
    return any(edge.right == table and not edge.many for edge in draft.schema.edges.get(entity.name, ()))
