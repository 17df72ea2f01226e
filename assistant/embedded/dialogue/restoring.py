"""The way back from a meaning to a draft, so that a follow-up question can edit it and the rest of reading goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.embedded.clauses.draft import Draft, Group
from assistant.embedded.clauses.wanted import ComparedWanted, FilterWanted, PeriodWanted, RelatedWanted, Wanted
from assistant.embedded.dates import Period
from assistant.embedded.meaning import PERCENT, ColumnRef, Dimension, Filter, Meaning, Measure, TimeRange
from assistant.embedded.source.dating import day_of
from assistant.embedded.source.schema import Attribute, Schema

if TYPE_CHECKING:
    from knowledge.documents import Metric, Term


def draft_of(meaning: Meaning, schema: Schema, metrics: Sequence[Metric], terms: Sequence[Term]) -> Draft | None:
    """The draft that assembles to this meaning; None if it speaks of things that are no longer there."""
    draft = Draft(schema=schema, pieces=[])
    if meaning.either or any(c.of for c in meaning.compared) or any(m.or_none for m in meaning.measures):
        return None  # what is added would be one more alternative, might belong to the rows compared with, or bind none
    try:
        figures = [_wanted(m, meaning, schema, metrics) for m in meaning.measures if not m.share]
        beside = [_wanted(m, other, schema, metrics) for other in meaning.beside for m in other.measures]
        if meaning.divided:
            unit = PERCENT if meaning.percent else ""
            figures, beside = [replace(figures[0], per=beside[0], unit=unit)], []
        groups = [_group(d, schema) for d in meaning.dimensions]
        draft.filters = [_filter(f, schema) for f in meaning.filters if f.part is None]
        draft.weekdays = next((_numbers(f) for f in meaning.filters if f.part == "weekday"), ())
        draft.as_zero = any(m.as_zero for m in meaning.measures)
        draft.shown = [_attribute(c.column, schema) for c in meaning.columns if not c.context]
        draft.compared = [
            ComparedWanted(
                _attribute(c.column, schema),
                c.operator,
                c.aggregate,
                shared=schema.attribute(c.column.table, c.shared) if c.shared else None,
                factor=c.factor,
            )
            for c in meaning.compared
        ]
        draft.related = [
            RelatedWanted(
                schema.entities[r.steps[-1].right],
                r.operator,
                r.count,
                -9,
                [_filter(f, schema) for f in r.filters],
                _period(r.time) if r.time else None,
            )
            for r in meaning.related
        ]
        draft.periods = [
            PeriodWanted(_period(t), _attribute(t.column, schema), newcomers=t.newcomers) for t in meaning.times
        ]
        draft.terms = [
            (next(t for t in terms if t.id == c.document), c.negated) for c in meaning.conditions if not c.rule
        ]
    except (KeyError, StopIteration):
        return None
    draft.wanted = [*figures, *beside]
    draft.among = list(meaning.among)
    for part in (meaning, *meaning.beside):
        ways = [ref.steps for ref in part.references()] + [c.steps for c in part.conditions]
        ways += [r.steps for r in part.related]
        draft.ways |= {(part.base, way[-1].right): way for way in ways if way}
    for n, (dimension, group) in enumerate(zip(meaning.dimensions, groups, strict=True)):
        if dimension.grain:
            draft.grains.append(dimension.grain)
        elif dimension.part:
            draft.parts.append(dimension.part)
        elif dimension.edges and isinstance(group, Attribute):
            draft.ranged.append(group)
            draft.groups.append(group)
        elif n < meaning.within:
            draft.within.append(group)
        else:
            draft.groups.append(group)
    for order in meaning.order:
        if order.by == "measure" and order.index < len(figures) + len(beside):
            draft.order.append(([*figures, *beside][order.index], order.descending))
        elif order.by == "dimension":
            draft.order.append((groups[order.index], order.descending))
        elif order.by == "column":
            draft.order.append((_attribute(meaning.columns[order.index].column, schema), order.descending))
    draft.part_of_all = next((h.part for h in meaning.having if h.overall), 1.0)
    draft.rival = next((_filter(h.against, schema) for h in meaning.having if h.against), None)
    draft.rival = next((figures[h.than] for h in meaning.having if h.than is not None), draft.rival)
    draft.typical = any(h.typical for h in meaning.having)
    draft.having = [(figures[h.measure], h.operator, None if h.overall else h.value) for h in meaning.having]
    draft.subject = schema.entities.get(meaning.base) if meaning.columns else None
    draft.limit, draft.offset = meaning.limit, meaning.offset
    draft.ties, draft.place = meaning.ties, meaning.place
    draft.chart, draft.distinct = meaning.chart, meaning.distinct
    draft.share = meaning.portion or any(m.share for m in meaning.measures)
    draft.portion = meaning.portion if draft.share else None
    if draft.subject and tuple(a.name for a in draft.shown) == draft.subject.label:
        draft.shown = []
    draft.mention(*meaning.tables())
    return draft


def _attribute(ref: ColumnRef, schema: Schema) -> Attribute:
    return schema.attribute(ref.table, ref.column)


def _wanted(measure: Measure, meaning: Meaning, schema: Schema, metrics: Sequence[Metric]) -> Wanted:
    if measure.only:
        plain = _wanted(measure.model_copy(update={"only": ()}), meaning, schema, metrics)
        return replace(plain, only=[_filter(item, schema) for item in measure.only])
    if measure.per is not None:
        over = _wanted(measure.model_copy(update={"per": None, "factor": 1.0}), meaning, schema, metrics)
        unit = PERCENT if measure.unit == PERCENT and measure.factor != 1.0 else ""
        return replace(over, unit=unit, per=_wanted(measure.per, meaning, schema, metrics))
    if measure.grain is not None:
        return Wanted(aggregate="distinct", grain=measure.grain)
    if measure.until is not None and measure.column is not None:
        return Wanted(
            aggregate=measure.aggregate,
            attribute=_attribute(measure.column, schema),
            until=_attribute(measure.until, schema),
            context=measure.context,
            unit=measure.unit,
        )
    if measure.metric:
        metric = next((m for m in metrics if m.name == measure.metric), None) or _of_question(measure, meaning, schema)
        return Wanted(metric=metric, context=measure.context)
    if measure.column is None:
        return Wanted(aggregate="count", entity=schema.entities[meaning.base], context=measure.context)
    attribute = _attribute(measure.column, schema)
    entity = schema.entities[attribute.table]
    if measure.aggregate == "distinct" and entity.key == (attribute.name,):
        return Wanted(aggregate="count", entity=entity, context=measure.context)
    unit = measure.unit if measure.factor != 1.0 else ""
    return Wanted(aggregate=measure.aggregate, attribute=attribute, context=measure.context, unit=unit)


def _of_question(measure: Measure, meaning: Meaning, schema: Schema) -> Metric:
    """A figure that the question made itself, such as the ratio of two kinds of rows."""
    from knowledge.documents import Metric

    return Metric(
        name=measure.metric or measure.label,
        definition=measure.label,
        expression=measure.expression or "",
        table=meaning.base,
        date_column=day_of(schema.entities[meaning.base]),
        filters=measure.requires,
        joins=tuple(dict.fromkeys(way[-1].right for way in measure.needs if way)),
    )


def _group(dimension: Dimension, schema: Schema) -> Group:
    entity = schema.entities[dimension.column.table]
    names = (dimension.column.column, *(ref.column for ref in dimension.more))
    if not dimension.grain and names == entity.label:
        return entity
    return _attribute(dimension.column, schema)


def _filter(item: Filter, schema: Schema) -> FilterWanted:
    return FilterWanted(
        _attribute(item.column, schema),
        item.operator,
        item.values,
        not item.fold_case,
        other=_attribute(item.other, schema) if item.other else None,
        side=item.side,
        days=item.days,
        whole=item.whole,
    )


def _numbers(item: Filter) -> tuple[int, ...]:
    return tuple(value for value in item.values if isinstance(value, int))


def _period(time: TimeRange) -> Period:
    return Period(start=time.start, end=time.end, label=time.label)
