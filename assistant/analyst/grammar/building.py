"""Puts pieces of a frame together for one table's rows: conditions that reach them, keys, dates, labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from assistant.analyst.algebra import (
    ALL,
    Aggregate,
    Arithmetic,
    Column,
    Combined,
    Compare,
    Condition,
    Constant,
    Count,
    Either,
    Figure,
    Grain,
    Metric,
    Missing,
    Not,
    OneOf,
    Related,
    Rows,
    Scalar,
    Term,
    both,
    here,
    tables_here,
)
from assistant.analyst.grammar.times import dated
from assistant.analyst.parts import Alternatives, Has, Key, Measured, Negated, Pending, Period, Recurring, Thing, When
from assistant.analyst.schema import Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The terms to group by, and those that only tell groups apart and are not shown."""

    terms: tuple[Term, ...] = ()
    apart: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Builds for the rows of one table, with one choice of date column. `current`: only rows that are still valid."""

    schema: Schema
    home: str
    date: Column | None = None
    current: bool = False
    _known: dict[Pending, Condition | None] = field(default_factory=dict, compare=False, repr=False)

    # --- conditions ---

    def rows(self, pending: Iterable[Pending], *, related: tuple[Thing, ...] = ()) -> Rows | None:
        """The rows that all conditions keep, which have some of the things; None where one cannot reach them."""
        found: list[Condition] = []
        far: dict[str, list[Condition]] = {}
        for p in _alternatives(pending):
            at = self._elsewhere(p)
            condition = self._at(at).condition(p) if at else self.condition(p)
            if condition is None:
                return None
            (far.setdefault(at, []) if at else found).append(condition)
        for thing in related:
            if thing.table not in tables_here(both(*found)):  # a condition on the row that it has says that it has one
                far.setdefault(thing.table, [])
        found.extend(self._some(table, conditions) for table, conditions in far.items())
        alias = self.schema.alias(self.home)
        if alias is not None and not any(isinstance(condition, Related) for condition in found):
            found.append(self._some(alias.key.start[0].table, []))  # a manager is whom somebody has as a manager
        found.extend(self._open(self.home))
        return Rows(self.home, both(*found))

    def condition(self, p: Pending) -> Condition | None:
        """A condition as one on the home rows: directly, or on related rows."""
        if p not in self._known:
            self._known[p] = self._condition(p)
        return self._known[p]

    def _condition(self, p: Pending) -> Condition | None:
        match p:
            case When():
                found = self._part(p) or (dated(self.schema, self.date, p.period) if self.date else None)
                return self.condition(found) if found is not None else None
            case Negated():
                inner = self.condition(p.of)
                return Not(inner) if inner is not None else None
            case Alternatives():
                each = [self.condition(part) for part in p.of]
                return either([c for c in each if c is not None]) if all(each) else None
            case Has():
                return self._has(p)
            case Not():
                return self.condition(Negated(p.condition))
            case _:
                return self._direct(p)

    def _part(self, p: When) -> Condition | None:
        """A part of a date, of the home rows' own column for it: `month`."""
        for column in self.schema.tables[self.home].columns if isinstance(p.period, Recurring) else ():
            if self.schema.typed[column].role == "part":
                found = dated(self.schema, column, p.period)
                if found is not None:
                    return found
        return None

    def _direct(self, condition: Condition) -> Condition | None:
        tables = tables_here(condition)
        if all(self.schema.reaches_one(self.home, table) for table in tables):
            return condition
        at = self._elsewhere(condition)
        return self._some(at, [condition]) if at else None

    def _elsewhere(self, p: Pending) -> str:
        """The table whose rows a plain condition is about, where a home row may have several; else empty."""
        if isinstance(p, When):
            p_dated = dated(self.schema, self.date, p.period) if self.date else None
            return self._elsewhere(p_dated) if p_dated is not None else ""
        if isinstance(p, Has | Negated | Alternatives | Not):
            return ""
        tables = tables_here(p)
        if not tables or all(self.schema.reaches_one(self.home, table) for table in tables):
            return ""
        via = self._via(tables[0])
        return via if via and all(self.schema.reaches_one(via, other) for other in tables) else ""

    def _via(self, table: str) -> str:
        """Of the tables on the way to another the last of which a home row may have several."""
        path = self.schema.path(self.home, table)
        many = [link.table for link in path or () if link.cardinality == "many"]
        return many[-1] if many else ""

    def _some(self, table: str, conditions: list[Condition]) -> Condition:
        return Related(self.home, Rows(table, both(*conditions, *self._open(table))))

    def _has(self, has: Has) -> Condition | None:
        anchor = has.anchor.table if has.anchor else self.home
        table = has.thing.table
        if table == anchor or not self.schema.path(anchor, table) or not self.schema.reaches_one(self.home, anchor):
            return None
        if self.schema.reaches_one(anchor, table) and has.quantifier not in ("some", "none"):
            return None
        own = (c for c in self.schema.tables[table].columns if self.schema.typed[c].role == "date")
        inner = replace(self._at(table), date=next(own, self.date))
        where = [inner.condition(p) for p in has.where]
        if any(c is None or set(tables_here(c)) == {anchor} for c in where):
            return (
                None  # what is said of the related rows is of them: a row's own size does not choose among its orders
            )
        conditions = [*(c for c in where if c is not None), *self._open(table)]
        return Related(anchor, Rows(table, both(*conditions)), has.quantifier, has.n)

    def _at(self, table: str) -> Builder:
        return replace(self, home=table, _known={})

    def _open(self, table: str) -> Iterator[Condition]:
        """That a row is still valid, where the table says until when."""
        for column in self.schema.tables[table].columns if self.current else ():
            until = self.schema.typed[column].open_until
            if until != "":
                yield Missing(column) if until is None else Compare(column, "=", Constant(until))

    # --- keys ---

    def keys(self, keys: Iterable[Key]) -> Keys | None:
        """The terms of some keys; None where one cannot be read for each home row."""
        found: list[Term] = []
        apart: list[Term] = []
        for key in keys:
            terms = self._terms(key, apart)
            if terms is None or not all(self.schema.reaches_one(self.home, t) for t in tables_here(terms)):
                return None
            found.extend(terms)
        shown = tuple(dict.fromkeys(found))
        return Keys(terms=shown, apart=tuple(term for term in dict.fromkeys(apart) if term not in shown))

    def _terms(self, key: Key, apart: list[Term]) -> tuple[Term, ...] | None:
        if key.thing is not None:
            names, hidden = self.identified(key.thing)
            apart.extend(hidden)
            return names
        if key.grain is not None:
            of = key.term or self.date
            term = self._grain(of, key) if of else None
            return None if term is None else (term,)
        if isinstance(key.term, Column) and key.term.table != self.home:
            apart.extend(self._apart(key.term))
        return (key.term,) if key.term is not None else ()

    def _apart(self, name: Column) -> tuple[Column, ...]:
        """What tells rows of another table apart that the same name is of."""
        table = self.schema.tables[name.table]
        return () if table.label != (name,) or self.schema.tells_apart(name, table.name) else table.grain

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
        if typed[key].role not in ("identifier", "key"):
            return key
        head = typed[key].words[:-1]
        names = (c for c in self.schema.tables[key.table].columns if typed[c].words in ((*head, "name"), head))
        return next(names, key)

    # --- figures ---

    def seen(self, m: Measured) -> Figure | None:
        """A figure of any table's rows, for groups of the home rows; None where rows would be counted twice."""
        if m.table == self.home:
            return m.figure
        if self.schema.reaches_one(m.table, self.home):
            own = () if self.schema.has_one(m.table, self.home) else (Related(m.table, Rows(self.home)),)
            return _of(m.figure, m.table, both(*own, *self._open(m.table)))
        if self.schema.reaches_one(self.home, m.table):
            return self._once(m.figure, m.table)
        return None

    def _once(self, figure: Figure, table: str) -> Figure | None:
        """A figure of rows that several home rows share: how many different ones, their least and greatest."""
        grain = self.schema.tables[table].grain
        match figure:
            case Count() if len(grain) == 1 and figure.where == ALL:
                return Aggregate("distinct", self._reference(grain[0]))
            case Aggregate() if figure.function in ("distinct", "min", "max"):
                return figure
            case _:
                return None

    def _reference(self, key: Column) -> Column:
        """The home table's own column for a key of another, where it has one."""
        for link in self.schema.links[self.home]:
            if link.end == (key,) and link.cardinality == "one":
                return link.start[0]
        return key


def either(conditions: list[Condition]) -> Condition:
    """At least one of some conditions; of values of one column, one of these."""
    found = one_of(Alternatives(tuple(conditions)))
    return OneOf(*found) if found else Either(tuple(conditions))


def one_of(p: Pending) -> tuple[Term, tuple[Scalar, ...]] | None:
    """A column and the values that a condition leaves it; None where it says something else."""
    if isinstance(p, OneOf):
        return p.term, p.values
    if isinstance(p, Alternatives):
        found = [of for of in map(one_of, p.of) if of]
        alike = len(found) == len(p.of) and len({term for term, _ in found}) == 1
        return (found[0][0], tuple(value for _, values in found for value in values)) if alike else None
    if isinstance(p, Compare) and p.op == "=" and isinstance(p.left, Column) and isinstance(p.right, Constant):
        return p.left, (p.right.value,)
    return None


def _alternatives(pending: Iterable[Pending]) -> list[Pending]:
    """Two values of one column are alternatives: "Texas ... Ohio" keeps both."""
    kept: list[Pending] = []
    by: dict[Term, tuple[Scalar, ...]] = {}
    for p in _one_of_parts(list(pending)):
        found = one_of(p)
        if found is None:
            kept.append(p)
        else:
            by[found[0]] = (*by.get(found[0], ()), *found[1])
    joined = (Compare(t, "=", Constant(vs[0])) if len(vs) == 1 else OneOf(t, vs) for t, vs in by.items())
    return [*kept, *joined]


def _one_of_parts(given: list[Pending]) -> list[Pending]:
    """Parts of dates of one kind, and whole periods, are alternatives: "June, July and August", "2014 and 2016"."""
    by: dict[str, list[Pending]] = {}
    for p in given:
        match p:
            case When(Recurring(grain=grain)):
                by.setdefault(grain, []).append(p)
            case When(Period(start=start, end=end)) if start and end:
                by.setdefault("", []).append(p)
            case _:
                continue
    several = [group for group in by.values() if len(group) > 1]
    taken = {p for group in several for p in group}
    return [p for p in given if p not in taken] + [Alternatives(tuple(group)) for group in several]


def _of(figure: Figure, table: str, where: Condition) -> Figure | None:
    match figure:
        case Count():
            return Count(figure.where, Rows(table, where))
        case Aggregate():
            return Aggregate(figure.function, figure.term, figure.where, figure.fraction, Rows(table, where))
        case Metric():
            return replace(figure, of=Rows(table, where))
        case Combined():
            left, right = _of(figure.left, table, where), _of(figure.right, table, where)
            return Combined(figure.how, left, right) if left and right else None
        case _:
            return None


def bare(schema: Schema, term: Term) -> Measured:
    """The figure that a bare quantity means: its total if it adds up, else its mean."""
    adds = isinstance(term, Arithmetic) and term.op == "*"
    if isinstance(term, Column):
        adds = schema.typed[term].role in ("measure", "duration") or schema.typed[term].adds_over_things
    return Measured(Aggregate("sum" if adds else "mean", term), tables_here(term)[0])


def dates(schema: Schema, home: str, said: tuple[Column, ...]) -> list[Column]:
    """The date columns that an undated time may mean, the likeliest first; `order_date` alone of orders."""
    found = [
        (
            column not in said,
            len(schema.path(home, column.table) or ()),
            typed.open_until != "",
            typed.words[:-1] != schema.tables[column.table].words,
            order,
            column,
        )
        for order, (column, typed) in enumerate(schema.typed.items())
        if (typed.role == "date" or typed.part == "year") and schema.reaches_one(home, column.table)
    ]
    own = [column for *unlike, _, column in sorted(found) if not any(unlike[1:])]
    if own and not said:
        return own[:1]
    far = [c for c, t in schema.typed.items() if t.role == "date" and not schema.reaches_one(home, c.table)]
    return [column for *_, column in sorted(found)] or [c for c in far if schema.path(home, c.table)]


def columns_in(value: object) -> list[Column]:
    """The columns that a value reads for one row."""
    return [part for part in here(value) if isinstance(part, Column)]
