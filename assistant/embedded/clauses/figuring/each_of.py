"""What one of something has on average: the orders of a customer, where both are tables or where a file names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable
from assistant.embedded.source.dating import day_of
from assistant.embedded.source.numbered import numbers, settles
from assistant.embedded.source.schema import Attribute, Entity, repeats
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import name_words, singular, stem
from assistant.embedded.words.vocabulary import PEOPLE, word_set

if TYPE_CHECKING:
    from knowledge.documents import Metric


def over_rows(draft: Draft, option: object, whole: Entity, *, counted: bool) -> Wanted | None:
    """The figure to divide by the number of rows of the whole."""
    per = Wanted(aggregate="count", entity=whole)
    match option:
        case ToTable() if counted and option.entity != whole:
            rows = _between(draft, option.entity, whole)
            return Wanted(aggregate="count", entity=rows, per=per) if rows is not None else None
        case ToMetric() if not counted:
            return Wanted(metric=option.metric, per=per)
        case ToColumn() if option.attribute.table == whole.name and option.attribute.is_number:
            return Wanted(aggregate="average", attribute=option.attribute)
        case _:
            return None


def over_values(draft: Draft, option: object, whole: Attribute, *, counted: bool, per: bool) -> Wanted | None:
    """The figure to divide by the number of values of a column, as in a file that names its customers in one.

    The average price `per` product is one figure where each row is a product; "for each" asks for all of them.
    """
    if whole.is_number or whole.is_time:
        return None
    profile, rows = whole.column.profile, draft.entity_of(whole).table.rows
    each_row = profile is not None and rows is not None and profile.distinct == rows
    one = each_row and per and _names_row(draft, whole)
    match option:
        case ToColumn() if not counted and one and _is_figure_of(option.attribute, whole):
            return Wanted(aggregate="average", attribute=option.attribute)
        case ToTable() if counted and not each_row:
            return Wanted(aggregate="count", entity=option.entity, per=Wanted(aggregate="distinct", attribute=whole))
        case ToColumn() if counted and not each_row and _names_row(draft, option.attribute):
            entity = draft.entity_of(option.attribute)
            return Wanted(aggregate="count", entity=entity, per=Wanted(aggregate="distinct", attribute=whole))
        case ToColumn() if counted and option.attribute != whole and _is_told_apart(draft, option.attribute, whole):
            each = Wanted(aggregate="distinct", attribute=whole)
            return Wanted(aggregate="distinct", attribute=option.attribute, per=each)
        case ToColumn() if counted and not each_row and _are_shared(option.attribute, whole):
            each = Wanted(aggregate="distinct", attribute=whole)
            return Wanted(metric=_pairs(draft, option.attribute, whole), per=each)
        case ToColumn() if (
            not counted and per and option.attribute.adds_up and _is_told_apart(draft, whole, option.attribute)
        ):
            each = Wanted(aggregate="distinct", attribute=whole)
            return Wanted(aggregate="sum", attribute=option.attribute, per=each)
        case ToColumn() if (
            not counted and per and not each_row and flows(option) and _is_of_somebody(option.attribute, whole)
        ):
            draft.assumptions.append(f"“{option.attribute.words}” is added up for each {whole.words}")
            each = Wanted(aggregate="distinct", attribute=whole)
            return Wanted(aggregate="sum", attribute=option.attribute, per=each)
        case ToMetric() if not counted and not each_row and option.metric.table == whole.table:
            return Wanted(metric=option.metric, per=Wanted(aggregate="distinct", attribute=whole))
        case _:
            return None


def flows(option: object) -> bool:
    """ "average hours per day": what comes in many rows of a day or of somebody, who has their total."""
    return isinstance(option, ToColumn) and option.attribute.adds_up and option.attribute.own[-1] in _FLOWS


_FLOWS = frozenset(
    stem(word)
    for word in word_set(
        """hours minutes revenue sales turnover spend clicks impressions leads conversions visits views downloads
        quantity"""
    )
)


def _is_of_somebody(attribute: Attribute, whole: Attribute) -> bool:
    """Whether a file says in each line whose it is: what is per channel is rather told of each channel."""
    return (
        attribute.table == whole.table
        and whole.role in ("text", "key")
        and bool(PEOPLE & set(name_words(singular(whole.words))[-1:]))
    )


def _are_shared(attribute: Attribute, whole: Attribute) -> bool:
    """Whether a file names both in its lines, so that one of them may go with several of the other."""
    kinds = attribute.role in ("text", "key") and whole.role in ("text", "key")
    return kinds and attribute.table == whole.table and attribute != whole


def _pairs(draft: Draft, attribute: Attribute, whole: Attribute) -> Metric:
    """The different ones that each of the whole goes with, all together: a pair that several lines hold counts once."""
    from knowledge.documents import Metric

    one, other = (f"CAST({written(a.name, draft.schema.dialect)} AS VARCHAR)" for a in (whole, attribute))
    return Metric(
        name=attribute.things,
        definition=f"the different {attribute.things} of each {singular(whole.things)}",
        expression=f"COUNT(DISTINCT {one} || ' # ' || {other})",
        table=attribute.table,
        date_column=day_of(draft.entity_of(attribute)),
    )


def _is_told_apart(draft: Draft, attribute: Attribute, whole: Attribute) -> bool:
    """Whether a number tells apart what one of the whole has alone: a customer's orders, not the products of one."""
    if not numbers(attribute) or attribute.table != whole.table:
        return False
    lines = draft.entity_of(whole)
    return not numbers(whole) and (not whole.settled_by or settles(attribute.name, whole.name, lines))


def _is_figure_of(attribute: Attribute, whole: Attribute) -> bool:
    return attribute.is_number and attribute.table == whole.table


def _names_row(draft: Draft, attribute: Attribute) -> bool:
    """Whether a column names the rows of its table: the "ticket" of a list of tickets."""
    entity = draft.entity_of(attribute)
    return entity.key == (attribute.name,) or (entity.label == (attribute.name,) and not repeats(attribute, entity))


def _between(draft: Draft, part: Entity, whole: Entity) -> Entity | None:
    """What belongs to both, where a part may belong to several: the lines of products and orders.

    None where two of them may belong to both more than once: a customer's orders are no further customers.
    """
    if any(edge.right == whole.name and not edge.many for edge in draft.schema.edges.get(part.name, ())):
        return part
    for entity in draft.schema.entities.values():
        met = {e.right: e.left_columns for e in draft.schema.edges.get(entity.name, ()) if not e.many}
        if {part.name, whole.name} <= met.keys():
            told_apart = {*met[part.name], *met[whole.name]} >= set(entity.key) or not entity.dates
            return entity if told_apart else None
    return part
