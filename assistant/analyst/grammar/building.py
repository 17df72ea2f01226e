"""Puts pieces of a frame together for one table's rows: conditions that reach them, keys, dates, labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assistant.analyst.algebra import (
    ALL,
    Aggregate,
    Both,
    Column,
    Combined,
    Compare,
    Condition,
    Count,
    Either,
    Figure,
    Grain,
    Metric,
    Not,
    Related,
    Rows,
    Term,
    tables_here,
)
from assistant.analyst.grammar.chart import Frame
from assistant.analyst.grammar.rules import dated
from assistant.analyst.parts import Key, Measured, NotThing, Thing, When
from assistant.analyst.schema import Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The terms to group by, and how many leading ones only tell groups apart and are not shown."""

    terms: tuple[Term, ...]
    hidden: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Builds for the rows of one table, with one choice of date column."""

    schema: Schema
    home: str
    date: Column | None

    def rows(self, frame: Frame, *, without: tuple[Condition | When, ...] = (), related: bool = True) -> Rows | None:
        """The rows that all conditions of a frame keep; None where one cannot reach them."""
        kept = _alternatives([c for c in frame.conditions if c not in without])
        found = [self.condition(c) for c in kept] + [self._none(none) for none in frame.nones]
        if related:
            found.extend(self._some(frame))
        if any(c is None for c in found):
            return None
        settled = tuple(c for c in found if c is not None)
        return Rows(self.home, settled[0] if len(settled) == 1 else Both(settled) if settled else ALL)

    def condition(self, condition: Condition | When) -> Condition | None:
        """A condition as one on the home rows: directly, or on related rows."""
        if isinstance(condition, When):
            found = dated(self.schema, self.date, condition.period) if self.date else None
            if found is None:
                return None
            return self.condition(Not(found) if condition.negated else found)
        tables = tables_here(condition)
        if all(self.schema.reaches_one(self.home, table) for table in tables):
            return condition
        if isinstance(condition, Not):
            inner = self.condition(condition.condition)
            return Not(inner) if inner is not None else None
        return self._related(tables[0], condition)

    def _related(self, table: str, condition: Condition) -> Condition | None:
        if not self.schema.path(self.home, table):
            return None
        if not all(self.schema.reaches_one(table, other) for other in tables_here(condition)):
            return None
        return Related(self.home, Rows(table, condition))

    def _none(self, none: NotThing) -> Condition | None:
        table = none.thing.table
        if none.thing.key is not None or not self.schema.path(self.home, table):
            return None
        inner = Builder(schema=self.schema, home=table, date=self.date)
        where = [inner.condition(c) for c in none.where]
        if any(c is None for c in where):
            return None
        return Related(self.home, Rows(table, Both(tuple(c for c in where if c is not None))), "none")

    def _some(self, frame: Frame) -> Iterator[Condition]:
        """Things named besides, of which the rows must have some."""
        for thing in frame.things:
            reached = self.schema.path(self.home, thing.table)
            if thing.table != self.home and reached and not self.schema.reaches_one(self.home, thing.table):
                yield Related(self.home, Rows(thing.table))

    def keys(self, keys: tuple[Key, ...]) -> Keys | None:
        """The terms of some keys."""
        found: list[Term] = []
        hidden: list[Term] = []
        for key in keys:
            if key.thing is not None:
                names, apart = self.identified(key.thing)
                found.extend(names)
                hidden.extend(apart)
            elif key.grain is not None:
                of = key.term or self.date
                term = self._grain(of, key) if of else None
                if term is None:
                    return None
                found.append(term)
            elif key.term is not None:
                found.append(key.term)
        apart = tuple(term for term in dict.fromkeys(hidden) if term not in found)
        return Keys(terms=(*apart, *dict.fromkeys(found)), hidden=len(apart))

    def _grain(self, of: Term, key: Key) -> Term | None:
        typed = self.schema.typed[of] if isinstance(of, Column) else None
        if typed is None or key.grain is None:
            return None
        if typed.role == "date":
            return Grain(of, key.grain)
        return of if typed.part == key.grain else None

    def identified(self, thing: Thing) -> tuple[tuple[Column, ...], tuple[Column, ...]]:
        """The columns that name a thing, and those that tell two of the same name apart."""
        if thing.key is not None:
            named = self._named_by(thing.key)
            return (named,), (thing.key,) if named != thing.key else ()
        table = self.schema.tables[thing.table]
        return table.label, tuple(c for c in table.grain if c not in table.label)

    def _named_by(self, key: Column) -> Column:
        """The column that names what a code stands for: `Customer Name` for `Customer ID`."""
        typed = self.schema.typed
        if typed[key].role != "identifier":
            return key
        head = typed[key].words[:-1]
        names = (c for c in self.schema.tables[key.table].columns if typed[c].words in ((*head, "name"), head))
        return next(names, key)


def _alternatives(conditions: list[Condition | When]) -> list[Condition | When]:
    """Two values of one column are alternatives: "Texas ... Ohio" keeps both."""
    by: dict[object, list[Condition]] = {}
    for c in conditions:
        if isinstance(c, Compare) and c.op == "=":
            by.setdefault(c.left, []).append(c)
    several = {id(c) for group in by.values() if len(group) > 1 for c in group}
    joined: list[Condition | When] = [Either(tuple(group)) for group in by.values() if len(group) > 1]
    return [c for c in conditions if id(c) not in several] + joined


def at_home(figure: Figure, table: str, home: str) -> Figure:
    """A figure of one table's rows, beside another's."""
    if table == home:
        return figure
    match figure:
        case Count():
            return Count(figure.where, Rows(table))
        case Aggregate():
            return Aggregate(figure.function, figure.term, figure.where, figure.fraction, Rows(table))
        case Metric():
            return replace(figure, of=Rows(table))
        case Combined():
            return Combined(figure.how, at_home(figure.left, table, home), at_home(figure.right, table, home))
        case _:
            return figure


def measured(schema: Schema, column: Column) -> Measured:
    """The figure that a bare column of quantities means: its total if it adds up, else its mean."""
    adds = schema.typed[column].role in ("measure", "duration")
    return Measured(Aggregate("sum" if adds else "mean", column), column.table)


def dates(schema: Schema, home: str, said: tuple[Column, ...]) -> list[Column]:
    """The date columns that an undated time may mean, the likeliest first."""
    found = [
        (column not in said, len(schema.path(home, column.table) or ()), order, column)
        for order, (column, typed) in enumerate(schema.typed.items())
        if (typed.role == "date" or typed.part == "year") and schema.reaches_one(home, column.table)
    ]
    far = [c for c, t in schema.typed.items() if t.role == "date" and not schema.reaches_one(home, c.table)]
    return [column for *_, column in sorted(found)] or [c for c in far if schema.path(home, c.table)]
