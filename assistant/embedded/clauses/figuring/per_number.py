"""One figure per another number that rows hold: "freight per kilogram", "revenue per square metre by store".

The number is one of the same rows, or of the row that they belong to, as the floor of a shop is of its sales: there it
is taken once for each such row.
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import Option, ToColumn, ToMetric, ToTable
from assistant.embedded.linking.units import has_unit
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import singular, stem
from assistant.embedded.words.vocabulary import CURRENCIES


def divided_at(draft: Draft, at: int) -> Wanted | None:
    """The figure that begins at a place, divided by the number that "per" leads to; its words are used."""
    target = draft.after(at, plain_max=1) if draft.cue_at(at, "average", "sum", "count") else at
    link = draft.after(target, plain_max=0) if target is not None else None
    place = after_money(draft, link) if link is not None and draft.word(link) == "per" else None
    if target is None or link is None or place is None:
        return None
    over = divided(draft, at, target, place)
    if over is not None:
        draft.use(at, target, link, place)
    return over


def after_money(draft: Draft, link: int) -> int | None:
    """ "revenue per euro spent": what stands behind the link, over what the money is called."""
    return draft.after(link, plain_max=1 if stem(draft.word(link + 1)) in CURRENCIES else 0)


def divided(draft: Draft, start: int, target: int, place: int) -> Wanted | None:
    """All of the figure at `target`, whose words begin at `start`, by all of the number at `place`."""
    option, said, number = draft.open(target), draft.word(place), draft.open(place)
    rows = _rows(draft, option)
    if rows is None or not isinstance(number, ToColumn) or number == option or singular(said) != said:
        return None
    under, groups = number.attribute, _has_groups(draft)
    beyond = rows.name != under.table
    if not _is_amount(under, sure=not groups) or (beyond and not _is_beyond(draft, rows, option, under)):
        return None
    per = Wanted(aggregate="sum", attribute=under)
    match option:
        case ToMetric(metric=metric):
            return Wanted(metric=metric, per=per)
        case ToTable() if beyond and not draft.cue_at(start, "average"):
            return Wanted(aggregate="count", entity=rows, per=per)
        case ToColumn(attribute=attribute) if not draft.cue_at(start, "count"):
            added = attribute.adds_up or groups or draft.cue_at(start, "average", "sum")
            return Wanted(aggregate="sum", attribute=attribute, per=per) if added else None
        case _:
            return None


def _is_amount(attribute: Attribute, *, sure: bool) -> bool:
    """Whether a number says how much or how many there is of something, rather than what kind a row is."""
    if attribute.adds_up or has_unit(attribute):
        return attribute.is_number
    return not sure and attribute.is_amount and attribute.column.kind == "integer"


def _rows(draft: Draft, option: Option | None) -> Entity | None:
    """The rows that a figure is made of."""
    match option:
        case ToColumn(attribute=attribute) if attribute.is_number:
            return draft.entity_of(attribute)
        case ToTable(entity=entity):
            return entity
        case ToMetric(metric=metric):
            return draft.schema.find_entity(metric.table)
        case _:
            return None


def _is_beyond(draft: Draft, rows: Entity, option: Option | None, under: Attribute) -> bool:
    """Whether the number is one of the row that these belong to, and what follows "per" can be no group.

    It can be none if it has a unit, if the figure is money, or if groups are named besides.
    """
    told = has_unit(under) or isinstance(option, ToMetric) or _has_groups(draft)
    return told and ancestor_of(draft, {rows.name}, draft.entity_of(under))


def _has_groups(draft: Draft) -> bool:
    return len(draft.cues("group")) > 1 or draft.asks_which
