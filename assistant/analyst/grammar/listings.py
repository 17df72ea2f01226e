"""Readings that list rows: some columns of each, in order, the first of them, the first of each group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from assistant.analyst import algebra as al
from assistant.analyst.grammar.building import Builder, one_of
from assistant.analyst.grammar.chart import Frame
from assistant.analyst.parts import MeasuredFigure, Negated, Pending, Thing, Top

Shaped = Iterator[tuple[str, al.Query]]


def listings(builder: Builder, frame: Frame) -> Shaped:
    """All readings of a frame that list rows."""
    if frame.figures or frame.havings or frame.says("count") or frame.says("share"):
        return
    if frame.tops:
        yield from _extremes(builder, frame)
    elif not frame.keys:
        yield from _plain(builder, frame)
        yield from _members(builder, frame)


def others(builder: Builder, frame: Frame) -> tuple[Thing, ...]:
    """Things named besides, of which a home row may have several, or none."""
    near = builder.schema.reaches_one if frame.says("their") else builder.schema.has_one
    return tuple(
        t for t in frame.things if builder.schema.path(builder.home, t.table) and not near(builder.home, t.table)
    )


def _plain(builder: Builder, frame: Frame) -> Shaped:
    """ "titles of films from 1999" """
    rows = builder.rows(frame.conditions, related=others(builder, frame))
    if rows is None:
        return
    for name, visible in _outputs(builder, frame):
        if not _readable(builder, visible):
            continue
        first = next((flag.n for flag in frame.flags if flag.name == "first"), 0)
        by = _by(frame, visible) or (builder.schema.tables[builder.home].grain[:1] if first else ())
        outputs = (*visible, *(c for c in by[:1] if c not in visible))
        order = tuple(al.Order(outputs.index(c), bool(frame.sorts) and frame.sorts[0].descending) for c in by[:1])
        limit = al.Limit(first) if first else None
        for distinct in (False, True):
            if distinct and len(outputs) > len(visible):
                continue
            query = al.Listing(rows, outputs, distinct=distinct, order=order, limit=limit, shown=len(visible))
            yield f"list {name}" + " distinct" * distinct, query


def _readable(builder: Builder, terms: tuple[al.Term, ...]) -> bool:
    return all(builder.schema.reaches_one(builder.home, table) for table in al.tables_here(terms))


def _outputs(builder: Builder, frame: Frame) -> Iterator[tuple[str, tuple[al.Term, ...]]]:
    """What to show of each row."""
    own = [t for t in frame.things if t.table == builder.home]
    beside = _shown_beside(builder, frame, own)
    frame, own = replace(frame, columns=(*beside, *frame.columns)), [t for t in own if t.key not in beside]
    label = builder.identified(own[0])[0] if own else ()
    table = builder.schema.tables[builder.home]
    if label and all(column.table != builder.home for column in label):  # a salary has no name, but a size
        label = (*label, *(column for column in table.columns if builder.schema.typed[column].is_measured))
    if frame.says("all"):
        yield "all", table.columns
    if frame.says("names") and len(table.label) == 2:
        yield "full name", (*table.label, *(c for c in frame.columns if c not in table.label))
    elif frame.columns:
        yield "columns", frame.columns
        if own and not set(label) & set(frame.columns):
            yield "label and columns", (*label, *frame.columns)
    elif own:
        yield "label", label
        theirs = [builder.identified(t)[0] for t in frame.things if t.table != builder.home]
        if theirs and frame.says("their"):
            yield "label and theirs", (*label, *(column for columns in theirs for column in columns))
    elif not frame.things:
        yield "label unsaid", table.label


def _shown_beside(builder: Builder, frame: Frame, own: list[Thing]) -> tuple[al.Column, ...]:
    """Things that are columns of what is listed: "fruits of harvests", "fruit and crates"."""
    keys = (t.key for t in own if t.key is not None and t.key not in frame.columns)
    if any(t.key is None for t in own):
        return tuple(keys)
    return tuple(key for key in keys if frame.columns and builder.schema.typed[key].role == "category")


def _by(frame: Frame, outputs: tuple[al.Term, ...]) -> tuple[al.Column, ...]:
    """What the rows are put in order by."""
    for sort in frame.sorts:
        if isinstance(sort.by, al.Column):
            return (sort.by,)
        if sort.by is None and outputs and isinstance(outputs[0], al.Column):
            return (outputs[0],)
    return ()


def _extremes(builder: Builder, frame: Frame) -> Shaped:
    """ "the 5 most expensive films with their year", "the oldest player of each team" """
    if any(key.is_first for key in frame.keys):
        return
    for top in frame.tops:
        by, columns = _by_column(builder, frame, top)
        rows = builder.rows(frame.conditions)
        if by is None or rows is None or not _readable(builder, (by,)):
            continue
        within = builder.keys(frame.keys)
        if within is None or _is_each_row(builder, within.terms):
            continue
        group_terms = (*(t for t in within.terms if t not in columns),)
        for name, outputs in _first_outputs(builder, replace(frame, columns=columns), by):
            if _readable(builder, outputs):
                query = _first(rows, tuple(dict.fromkeys((*group_terms, *outputs))), by, top, len(within.terms))
                yield f"top {name}" + " within" * bool(frame.keys), query


def _is_each_row(builder: Builder, keys: tuple[al.Term, ...]) -> bool:
    """Whether groups by some keys are the home rows themselves: among one row nothing comes first."""
    grain = builder.schema.tables[builder.home].grain
    days = [key.of for key in keys if isinstance(key, al.Grain) and key.grain == "day"]
    daily = any(builder.schema.is_one_each(day) for day in days if isinstance(day, al.Column))
    return daily or (bool(grain) and set(grain) <= set(keys))


def _by_column(builder: Builder, frame: Frame, top: Top) -> tuple[al.Term | None, tuple[al.Column, ...]]:
    """What rows are ranked by, and the columns that are left to show."""
    typed = builder.schema.typed
    if top.by is None and not top.by_count:
        sized = [c for c in frame.columns if typed[c].is_measured]
        return (sized[0], tuple(c for c in frame.columns if c != sized[0])) if sized else (None, ())
    match top.by:
        case MeasuredFigure(al.Aggregate("sum", term)) if frame.things == (Thing(builder.home),) and not frame.columns:
            return term, frame.columns  # the total of one row is its value
        case al.Days() as by if by.end in frame.columns or any(
            noun.table != builder.home for noun in (*frame.things, *frame.columns)
        ):
            return None, ()  # the slowest driver is so on average
        case None | Thing() | MeasuredFigure():
            return None, ()
        case _:
            return top.by, frame.columns


def _first_outputs(builder: Builder, frame: Frame, by: al.Term) -> Iterator[tuple[str, tuple[al.Term, ...]]]:
    candidates = list(_outputs(builder, frame))
    if not frame.things and not frame.columns:
        yield "size", (by,)
    for name, outputs in candidates:
        yield name, outputs
        if by not in outputs:
            yield f"{name} and size", (*outputs, by)


def _first(rows: al.Rows, outputs: tuple[al.Term, ...], by: al.Term, top: Top, within: int) -> al.Query:
    every = outputs if by in outputs else (*outputs, by)
    order = (al.Order(every.index(by), top.descending),)
    rows_with_value = replace(rows, where=al.both(rows.where, al.Not(al.Missing(by))))
    limit = al.Limit(top.n, tuple(range(within)), ties=within > 0, skip=top.skip)
    return al.Listing(rows_with_value, every, order=order, limit=limit, shown=len(outputs))


def members(builder: Builder, frame: Frame, of: al.Column) -> al.Rows | None:
    """The rows whose `of` meets each condition in some row, or, where it is negated, in none."""
    conditions: list[al.Condition] = []
    for p in _each(frame):
        inner = p.of if isinstance(p, Negated) else p
        rows = builder.rows((inner,))
        if rows is None or isinstance(rows.where, al.Not):
            return None
        rows_with_value = replace(rows, where=al.both(rows.where, al.Not(al.Missing(of))))
        test = al.Member(of, al.Listing(rows_with_value, (of,), distinct=True))
        conditions.append(al.Not(test) if isinstance(p, Negated) else test)
    return al.Rows(builder.home, al.Both((*conditions, al.Not(al.Missing(of)))))


def _each(frame: Frame) -> Iterator[Pending]:
    """The conditions; of "both A and B" each of the two."""
    for p in frame.conditions:
        membership = one_of(p) if frame.says("both") else None
        if membership is not None:
            yield from (al.Compare(membership[0], "=", al.Constant(value)) for value in membership[1])
        else:
            yield p


def _members(builder: Builder, frame: Frame) -> Shaped:
    """ "customers who bought chairs but never tables", "countries with both ...": in different rows"""
    negated = any(isinstance(p, Negated) for p in frame.conditions)
    if not (negated or frame.says("both")) or not frame.conditions:
        return
    for of, outputs in shared(builder, frame):
        rows = members(builder, frame, of)
        if rows is not None:
            yield "list members", al.Listing(rows, outputs, distinct=True)


def shared(builder: Builder, frame: Frame) -> Iterator[tuple[al.Column, tuple[al.Column, ...]]]:
    """What several rows may have in common, with what names it."""
    for entity in () if frame.columns else frame.things:
        if entity.key is not None and entity.table == builder.home:
            yield entity.key, builder.identified(entity)[0]
    if len(frame.columns) == 1 and frame.columns[0].table == builder.home:
        yield frame.columns[0], frame.columns
