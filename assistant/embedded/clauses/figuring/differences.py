"""One number and another, row by row, and a figure of one kind less that of another.

"The average difference between the list price and the price paid", "total fee minus discount", "quantity times price",
"the difference in average score between the red and the blue team".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import Option, ToColumn, ToMetric, ToTable, ToValue
from assistant.embedded.source.dating import day_of
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.sql.tables import literal, qualified

if TYPE_CHECKING:
    from knowledge.documents import Metric

_SAID = {"-": " less ", "+": " plus ", "*": " times "}
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


def arithmetic(draft: Draft) -> None:
    """ "total fee minus discount by firm", "the sum of quantity times price": computed for each row, and added up."""
    for i in range(1, len(draft.pieces) - 1):
        sign = _SIGNS.get(draft.pieces[i].span.text.lower())
        left, right = draft.before(i, plain_max=0), draft.after(i, plain_max=1)
        one, other = draft.open(left), draft.open(right)
        if sign is None or left is None or right is None or draft.pieces[i].used:
            continue
        if not isinstance(one, ToColumn) or not isinstance(other, ToColumn) or one.attribute == other.attribute:
            continue
        rows = _rows(draft, one.attribute, other.attribute)
        if rows is None or not (one.attribute.is_number and other.attribute.is_number):
            continue
        before = draft.before(left, plain_max=1)
        cue = draft.cue_at(before, "average", "sum", "minimum", "maximum")
        draft.use(*range(left, right + 1), *([before] if cue and before is not None else []))
        draft.mention(rows.name)
        if cue is None:
            draft.assumptions.append(f"{draft.pieces[i].span.text} is computed for each row, and added up")
        kind = cue.kind if cue else "sum"
        draft.wanted.append(Wanted(metric=_metric(draft, rows, kind, (one.attribute, other.attribute), sign)))


_SIGNS = {"minus": "-", "less": "-", "plus": "+", "times": "*"}


def of_kinds(draft: Draft) -> None:
    """ "the difference in average score between A and B", "between the total sales of A and B"."""
    for i, _ in draft.cues("difference"):
        values = [
            (at, p.option) for at, p in enumerate(draft.pieces[i:], i) if isinstance(p.option, ToValue) and not p.used
        ]
        if len(values) != _TWO or values[0][1].attribute != values[1][1].attribute:
            continue
        (first, one), (second, other) = values
        places = [at for at in range(i + 1, first) if isinstance(draft.open(at), ToColumn | ToMetric | ToTable)]
        figure = draft.open(places[-1]) if places else None
        links = {p.span.text.lower() for p in draft.pieces[first + 1 : second]}
        if figure is None or not links & {"and", "to"} or len(places) > 1:
            continue
        start = draft.before(places[-1], plain_max=1)
        cue = draft.cue_at(start, "average", "sum", "count", "minimum", "maximum")
        made = _of_two(draft, figure, cue.kind if cue else "", one, other)
        if made is not None:
            draft.use(i, places[-1], first, second, *(at for at, _ in draft.cues("and") if first < at < second))
            draft.use(*([start] if cue and start is not None else []))
            draft.mention(made.table)
            draft.wanted.append(Wanted(metric=made))


_TWO = 2


def _of_two(draft: Draft, figure: Option, kind: str, one: ToValue, other: ToValue) -> Metric | None:
    """A figure of the rows with one value, less the same of those with the other."""
    from knowledge.documents import Metric

    dialect, table = draft.schema.dialect, one.attribute.table
    if isinstance(figure, ToMetric):
        found = _SUM.fullmatch(figure.metric.expression)
        if found is None:
            return None
        rows, inner, name, kind = figure.metric.table, found["inner"], figure.metric.name, "sum"
    elif isinstance(figure, ToColumn) and figure.attribute.is_number:
        rows, name = figure.attribute.table, figure.attribute.words
        inner = qualified(figure.attribute, dialect)
        kind = kind or ("sum" if figure.attribute.adds_up else "average")
    elif isinstance(figure, ToTable):
        rows, inner, name, kind = figure.entity.name, "1", figure.entity.many, "sum"
    else:
        return None
    if rows != table and not ancestor_of(draft, {rows}, draft.entity_of(one.attribute)):
        return None
    if kind not in AGGREGATES or (isinstance(figure, ToColumn) and figure.attribute.as_text):
        return None
    column = qualified(one.attribute, dialect)
    sides = (f"{AGGREGATES[kind]}(CASE WHEN {column} = {literal(v.value)} THEN {inner} END)" for v in (one, other))
    entity = draft.schema.entities[rows]
    return Metric(
        name=f"difference in {name} between {one.value} and {other.value}",
        definition=f"{kind} of {name} of {one.value} less that of {other.value}",
        expression=" - ".join(f"COALESCE({side}, 0)" if kind == "sum" else side for side in sides),
        table=rows,
        date_column=day_of(entity),
        joins=(table,) if table != rows else (),
    )


_SUM = re.compile(r"SUM\((?P<inner>[^()]+(?:\([^()]*\)[^()]*)*)\)", re.IGNORECASE)


def _rows(draft: Draft, one: Attribute, other: Attribute) -> Entity | None:
    """The finer of the two tables: each of its rows has one of both numbers."""
    if one.table == other.table or ancestor_of(draft, {one.table}, draft.entity_of(other)):
        return draft.entity_of(one)
    return draft.entity_of(other) if ancestor_of(draft, {other.table}, draft.entity_of(one)) else None


def _metric(draft: Draft, rows: Entity, kind: str, columns: tuple[Attribute, Attribute], sign: str = "-") -> Metric:
    from knowledge.documents import Metric

    one, other = (qualified(attribute, draft.schema.dialect) for attribute in columns)
    words = " and ".join(attribute.words for attribute in columns)
    name = (
        f"{kind} difference between {words}" if sign == "-" else f"{kind} of {_SAID[sign].join(words.split(' and '))}"
    )
    return Metric(
        name=name.replace("sum difference", "total difference").replace("sum of", "total"),
        definition=_SAID[sign].join(attribute.words for attribute in columns),
        expression=f"{AGGREGATES[kind]}({one} {sign} {other})",
        table=rows.name,
        date_column=day_of(rows),
        joins=tuple(dict.fromkeys(a.table for a in columns if a.table != rows.name)),
    )
