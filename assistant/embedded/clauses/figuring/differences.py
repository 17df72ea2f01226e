"""One number less another, row by row: "the average difference between the list price and the price paid"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.embedded.clauses.draft import Draft, Wanted
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.linking.options import ToColumn
from assistant.embedded.source.dating import day_of
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.sql.tables import written

if TYPE_CHECKING:
    from knowledge.documents import Metric

AGGREGATES = {"average": "AVG", "sum": "SUM", "minimum": "MIN", "maximum": "MAX"}
"""Figures of a number, as SQL calls them."""
_LINKS = frozenset(("and", "to", "minus", "less"))
_NEAR = 3


def differences(draft: Draft) -> None:
    """A figure of the difference of two columns."""
    for i, _ in draft.cues("difference"):
        first = draft.after(i, plain_max=2)
        links = (n for n in range((first or i) + 1, len(draft.pieces)) if draft.pieces[n].span.text.lower() in _LINKS)
        link = next(links, None)
        second = draft.after(link, plain_max=2) if link is not None else None
        one, other = draft.open(first), draft.open(second)
        if first is None or link is None or second is None or link - first > _NEAR:
            continue
        if not isinstance(one, ToColumn) or not isinstance(other, ToColumn):
            continue
        if not (one.attribute.is_number and other.attribute.is_number) or one.attribute == other.attribute:
            continue
        rows = _rows(draft, one.attribute, other.attribute)
        before = draft.before(i, plain_max=1)
        cue = draft.cue_at(before, "average", "sum", "minimum", "maximum")
        if rows is None or (cue is None and not draft.cues("group", "grain")):
            continue
        draft.use(*(n for n in (*range(i, first + 1), link, second, *([before] if cue else [])) if n is not None))
        draft.mention(rows.name)
        if cue is None:
            draft.assumptions.append("the difference is averaged")
        kind = cue.kind if cue else "average"
        draft.wanted.append(Wanted(metric=_metric(draft, rows, kind, (one.attribute, other.attribute))))


def _rows(draft: Draft, one: Attribute, other: Attribute) -> Entity | None:
    """The finer of the two tables: each of its rows has one of both numbers."""
    if one.table == other.table or ancestor_of(draft, {one.table}, draft.entity_of(other)):
        return draft.entity_of(one)
    return draft.entity_of(other) if ancestor_of(draft, {other.table}, draft.entity_of(one)) else None


def _metric(draft: Draft, rows: Entity, kind: str, columns: tuple[Attribute, Attribute]) -> Metric:
    from knowledge.documents import Metric

    dialect = draft.schema.dialect
    one, other = (f"{written(a.table.rpartition('.')[2], dialect)}.{written(a.name, dialect)}" for a in columns)
    words = " and ".join(attribute.words for attribute in columns)
    return Metric(
        name=f"{kind} difference between {words}".replace("sum difference", "total difference"),
        definition=f"{columns[0].words} less {columns[1].words}",
        expression=f"{AGGREGATES[kind]}({one} - {other})",
        table=rows.name,
        date_column=day_of(rows),
        joins=tuple(dict.fromkeys(a.table for a in columns if a.table != rows.name)),
    )
