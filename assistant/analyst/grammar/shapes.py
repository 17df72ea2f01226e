"""A frame becomes whole queries: for each table whose rows it may be about, and each date column it may mean."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.analyst.algebra import Column, Metric, Query, Within, here, parts
from assistant.analyst.grammar.building import Builder, columns_in, dates
from assistant.analyst.grammar.chart import Frame
from assistant.analyst.grammar.groupings import groupings
from assistant.analyst.grammar.listings import listings
from assistant.analyst.money import revenue
from assistant.analyst.parts import Alternatives, Has, MeasuredFigure, Negated, Pending, Thing, When
from assistant.analyst.schema import Schema

_HOMES = 3
_DATES = 2


def queries(frame: Frame, schema: Schema) -> Iterator[tuple[str, Query]]:
    """The queries that a frame may mean, each with the operators that made it, joined by `+`."""
    timed = any(isinstance(p, When) for p in parts(frame.conditions)) or any(k.grain and not k.term for k in frame.keys)
    timed = timed or any(m.of_periods for m in frame.figures)
    timed = timed or any(flag.name == "moving" for flag in frame.flags)
    for home in _homes(frame, schema):
        choices: list[Column | None] = [*(_own_dates(frame) or dates(schema, home, frame.columns)[:_DATES])]
        choices = choices if timed else [None]
        for date in choices:
            builder = Builder(schema=schema, home=home, date=date, current=frame.says("current"))
            yield from listings(builder, frame)
            yield from groupings(builder, frame)


def _homes(frame: Frame, schema: Schema) -> list[str]:
    """The tables whose rows a question may be about, the likeliest first; those between two of them too."""
    mentioned = _mentioned(frame)
    if not mentioned and len(schema.tables) == 1 and _asks(frame):
        mentioned = list(schema.tables)
    homes = list(dict.fromkeys(table for name in mentioned for table in (*_referring(name, schema), name)))
    beside = (*_between(homes[:_HOMES], schema), *(_measuring(homes[0], frame, schema) if len(homes) == 1 else ()))
    return list(dict.fromkeys((*homes[:_HOMES], *beside)))


def _measuring(table: str, frame: Frame, schema: Schema) -> Iterator[str]:
    """The tables whose rows say how great a thing is: "best customers" by what they bought, "popular" by how often."""
    if any(top.by is None for top in frame.tops):
        often = all(top.by_count for top in frame.tops)
        referring = [name for name in schema.tables if name != table and schema.reaches_one(name, table)]
        telling = [name for name in referring if (_happens(name, schema) if often else revenue(schema, name))]
        yield from sorted(telling, key=lambda name: len(schema.path(name, table) or ()))[:_HOMES]


def _happens(table: str, schema: Schema) -> bool:
    """Whether rows are events: they have a date, or no other rows refer to them."""
    dated = any(schema.typed[column].role == "date" for column in schema.tables[table].columns)
    return dated or all(link.cardinality == "one" for link in schema.links[table])


def _referring(table: str, schema: Schema) -> Iterator[str]:
    """The table whose key an alias is named after: "who reports to Ada" asks for those who report."""
    alias = schema.alias(table)
    if alias is not None:
        yield alias.key.start[0].table


def _asks(frame: Frame) -> bool:
    """Whether a frame that names nothing asks for something: "how many are there", not "today"."""
    restrictions = frame.conditions or frame.keys or frame.tops or frame.havings or frame.sorts
    return bool(restrictions) or any(flag.name != "current" for flag in frame.flags)


def _own_dates(frame: Frame) -> list[Column]:
    """The dates that the metrics of a question go by, else those that its conditions name."""
    date_terms = [part.term for p in frame.conditions for part in here(p) if isinstance(part, Within)]
    measures = [m for m in (*frame.figures, *(top.by for top in frame.tops)) if isinstance(m, MeasuredFigure)]
    metric_dates = [m.figure.date for m in measures if isinstance(m.figure, Metric) and m.figure.date is not None]
    return list(dict.fromkeys(metric_dates or [term for term in date_terms if isinstance(term, Column)]))


def _mentioned(frame: Frame) -> list[str]:
    tables = [m.table for m in frame.figures] + [t.table for t in frame.things]
    for top in frame.tops:
        tables += (
            [top.by.table] if isinstance(top.by, MeasuredFigure | Thing) else [c.table for c in columns_in(top.by)]
        )
    tables += [c.table for c in frame.columns]
    tables += [key.thing.table for key in frame.keys if key.thing]
    tables += [c.table for key in frame.keys for c in columns_in(key.term)]
    tables += [table for p in frame.conditions for table in _tables(p)]
    return tables + [having.measured.table for having in frame.havings if having.measured is not None]


def _tables(p: Pending) -> list[str]:
    match p:
        case When():
            return []
        case Negated():
            return _tables(p.of)
        case Alternatives():
            return [table for part in p.of for table in _tables(part)]
        case Has():
            return [p.anchor.table] if p.anchor else []
        case _:
            return [c.table for c in columns_in(p)]


def _between(tables: list[str], schema: Schema) -> Iterator[str]:
    """Tables of which each row has one row of two named tables that do not reach each other so."""
    for i, a in enumerate(tables):
        for b in tables[i + 1 :]:
            if schema.reaches_one(a, b) or schema.reaches_one(b, a):
                continue
            path = schema.path(a, b) or ()
            yield from (x.table for x in path if schema.reaches_one(x.table, a) and schema.reaches_one(x.table, b))
