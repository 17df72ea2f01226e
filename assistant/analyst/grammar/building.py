"""Puts pieces of a frame together for one table's rows: conditions that reach them, keys, dates, labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from assistant.analyst import algebra as al
from assistant.analyst.conversions import conversion
from assistant.analyst.grammar.times import dated
from assistant.analyst.names import words_of
from assistant.analyst.parts import (
    Alternatives,
    GroupKey,
    Has,
    MeasuredFigure,
    Negated,
    Pending,
    Period,
    Recurring,
    Thing,
    When,
)
from assistant.analyst.schema import Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The terms to group by, and those that only tell groups apart and are not shown."""

    terms: tuple[al.Term, ...] = ()
    apart: tuple[al.Term, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Builds for the rows of one table, with one choice of date column. `current`: only rows that are still valid."""

    schema: Schema
    home: str
    date: al.Column | None = None
    current: bool = False
    _conditions: dict[Pending, al.Condition | None] = field(default_factory=dict, compare=False, repr=False)

    # --- conditions ---

    def rows(self, pending: Iterable[Pending], *, related: tuple[Thing, ...] = ()) -> al.Rows | None:
        """The rows that all conditions keep, which have some of the things; None where one cannot reach them."""
        own_conditions: list[al.Condition] = []
        far: dict[str, list[al.Condition]] = {}
        for p in _alternatives(pending):
            at = self._elsewhere(p)
            condition = self._at(at).condition(p) if at else self.condition(p)
            if condition is None:
                return None
            (far.setdefault(at, []) if at else own_conditions).append(condition)
        for thing in related:
            # A condition on the row that it has says that it has one.
            if thing.table not in al.tables_here(al.both(*own_conditions)):
                far.setdefault(thing.table, [])
        own_conditions.extend(self._some(table, conditions) for table, conditions in far.items())
        alias = self.schema.alias(self.home)
        if alias is not None and not any(isinstance(condition, al.Related) for condition in own_conditions):
            own_conditions.append(
                self._some(alias.key.start[0].table, [])
            )  # a manager is whom somebody has as a manager
        own_conditions.extend(self._open(self.home))
        return al.Rows(self.home, al.both(*own_conditions))

    def condition(self, p: Pending) -> al.Condition | None:
        """A condition as one on the home rows: directly, or on related rows."""
        if p not in self._conditions:
            self._conditions[p] = self._condition(p)
        return self._conditions[p]

    def _condition(self, p: Pending) -> al.Condition | None:
        match p:
            case When():
                resolved = self._part(p) or (dated(self.schema, self.date, p.period) if self.date else None)
                return self.condition(resolved) if resolved is not None else None
            case Negated():
                inner = self.condition(p.of)
                return al.Not(inner) if inner is not None else None
            case Alternatives():
                alternatives = [self.condition(part) for part in p.of]
                return either([c for c in alternatives if c is not None]) if all(alternatives) else None
            case Has():
                return self._has(p)
            case al.Not():
                return self.condition(Negated(p.condition))
            case _:
                return self._direct(p)

    def _part(self, p: When) -> al.Condition | None:
        """A part of a date, of the home rows' own column for it: `month`."""
        for column in self.schema.tables[self.home].columns if isinstance(p.period, Recurring) else ():
            if self.schema.typed[column].role == "part":
                condition = dated(self.schema, column, p.period)
                if condition is not None:
                    return condition
        return None

    def _direct(self, condition: al.Condition) -> al.Condition | None:
        tables = al.tables_here(condition)
        if all(self.schema.reaches_one(self.home, table) for table in tables):
            return condition
        at = self._elsewhere(condition)
        return self._some(at, [condition]) if at else None

    def _elsewhere(self, p: Pending) -> str:
        """The table whose rows a plain condition is about, where a home row may have several; else empty."""
        if isinstance(p, When):
            p_dated = dated(self.schema, self.date, p.period) if self.date else None
            return self._elsewhere(p_dated) if p_dated is not None else ""
        if isinstance(p, Has | Negated | Alternatives | al.Not):
            return ""
        tables = al.tables_here(p)
        if not tables or all(self.schema.reaches_one(self.home, table) for table in tables):
            return ""
        via = self._via(tables[0])
        return via if via and all(self.schema.reaches_one(via, table_reached) for table_reached in tables) else ""

    def _via(self, table: str) -> str:
        """Of the tables on the way to another the last of which a home row may have several."""
        path = self.schema.path(self.home, table)
        many = [link.table for link in path or () if link.cardinality == "many"]
        return many[-1] if many else ""

    def _some(self, table: str, conditions: list[al.Condition]) -> al.Condition:
        return al.Related(self.home, al.Rows(table, al.both(*conditions, *self._open(table))))

    def _has(self, has: Has) -> al.Condition | None:
        anchor = has.anchor.table if has.anchor else self.home
        table = has.thing.table
        if table == anchor or not self.schema.path(anchor, table) or not self.schema.reaches_one(self.home, anchor):
            return None
        if self.schema.reaches_one(anchor, table) and has.quantifier not in ("some", "none"):
            return None
        own = (c for c in self.schema.tables[table].columns if self.schema.typed[c].role == "date")
        inner = replace(self._at(table), date=next(own, self.date))
        where = [inner.condition(p) for p in has.where]
        if any(c is None or set(al.tables_here(c)) == {anchor} for c in where):
            return None  # what is said of related rows is of them: a row's own size chooses none of its orders
        conditions = [*(c for c in where if c is not None), *self._open(table)]
        return al.Related(anchor, al.Rows(table, al.both(*conditions)), has.quantifier, has.n)

    def _at(self, table: str) -> Builder:
        return replace(self, home=table, _conditions={})

    def _open(self, table: str) -> Iterator[al.Condition]:
        """That a row is still valid, where the table says until when."""
        for column in self.schema.tables[table].columns if self.current else ():
            until = self.schema.typed[column].open_until
            if until != "":
                yield al.Missing(column) if until is None else al.Compare(column, "=", al.Constant(until))

    # --- keys ---

    def keys(self, keys: Iterable[GroupKey]) -> Keys | None:
        """The terms of some keys; None where one cannot be read for each home row."""
        key_terms: list[al.Term] = []
        apart: list[al.Term] = []
        for key in keys:
            terms = self._terms(key, apart)
            if terms is None or not all(self.schema.reaches_one(self.home, t) for t in al.tables_here(terms)):
                return None
            key_terms.extend(terms)
        distinct_terms = tuple(dict.fromkeys(key_terms))
        return Keys(
            terms=distinct_terms, apart=tuple(term for term in dict.fromkeys(apart) if term not in distinct_terms)
        )

    def _terms(self, key: GroupKey, apart: list[al.Term]) -> tuple[al.Term, ...] | None:
        if key.thing is not None:
            names, hidden = self.identified(key.thing)
            if any(self.schema.typed[name].is_measured for name in names):
                return None  # nothing names the rows, and each would be a group of its own
            apart.extend(hidden)
            return names
        if key.grain is not None:
            of = key.term or self.date
            term = self._grain(of, key) if of else None
            return None if term is None else (term,)
        if isinstance(key.term, al.Column) and key.term.table != self.home:
            apart.extend(self._apart(key.term))
        return (key.term,) if key.term is not None else ()

    def _apart(self, name: al.Column) -> tuple[al.Column, ...]:
        """What tells rows of another table apart that the same name is of."""
        table = self.schema.tables[name.table]
        return () if table.label != (name,) or self.schema.tells_apart(name, table.name) else table.grain

    def _grain(self, of: al.Term, key: GroupKey) -> al.Term | None:
        typed = self.schema.typed[of] if isinstance(of, al.Column) else None
        if typed is None or key.grain is None:
            return None
        if typed.role == "date":
            return al.Grain(of, key.grain)
        return of if typed.part == key.grain else None

    def identified(self, entity: Thing) -> tuple[tuple[al.Column, ...], tuple[al.Column, ...]]:
        """The columns that name a thing, and those that tell two of the same name apart."""
        if entity.key is not None:
            name_column = self._named_by(entity.key)
            return (name_column,), (entity.key,) if name_column != entity.key else ()
        table = self.schema.tables[entity.table]
        return table.label, tuple(c for c in table.grain if c not in table.label)

    def _named_by(self, key: al.Column) -> al.Column:
        """The column that names what a code stands for: `Customer Name` for `Customer ID`."""
        typed = self.schema.typed
        if typed[key].role not in ("identifier", "key"):
            return key
        head = typed[key].words[:-1]
        names = (c for c in self.schema.tables[key.table].columns if typed[c].words in ((*head, "name"), head))
        return next(names, key)

    # --- figures ---

    def seen(self, m: MeasuredFigure) -> al.Figure | None:
        """A figure of any table's rows, for groups of the home rows; None where rows would be counted twice."""
        if m.table == self.home:
            return m.figure
        if self.schema.reaches_one(m.table, self.home):
            own = () if self.schema.has_one(m.table, self.home) else (al.Related(m.table, al.Rows(self.home)),)
            return _of(m.figure, m.table, al.both(*own, *self._open(m.table)))
        if self.schema.reaches_one(self.home, m.table):
            return self._once(m.figure, m.table)
        return None

    def _once(self, figure: al.Figure, table: str) -> al.Figure | None:
        """A figure of rows that several home rows share: how many different ones, their least and greatest."""
        grain = self.schema.tables[table].grain
        match figure:
            case al.Count() if len(grain) == 1 and figure.where == al.NO_FILTER:
                return al.Aggregate("distinct", self._reference(grain[0]))
            case al.Aggregate() if figure.function in ("distinct", "min", "max"):
                return figure
            case _:
                return None

    def _reference(self, key: al.Column) -> al.Column:
        """The home table's own column for a key of another, where it has one."""
        for link in self.schema.links[self.home]:
            if link.end == (key,) and link.cardinality == "one":
                return link.start[0]
        return key


def either(conditions: list[al.Condition]) -> al.Condition:
    """At least one of some conditions; of values of one column, one of these."""
    membership = one_of(Alternatives(tuple(conditions)))
    return al.OneOf(*membership) if membership else al.Either(tuple(conditions))


def one_of(p: Pending) -> tuple[al.Term, tuple[al.Scalar, ...]] | None:
    """A column and the values that a condition leaves it; None where it says something else."""
    if isinstance(p, al.OneOf):
        return p.term, p.values
    if isinstance(p, Alternatives):
        memberships = [of for of in map(one_of, p.of) if of]
        alike = len(memberships) == len(p.of) and len({term for term, _ in memberships}) == 1
        return (memberships[0][0], tuple(value for _, values in memberships for value in values)) if alike else None
    if isinstance(p, al.Compare) and p.op == "=" and isinstance(p.left, al.Column) and isinstance(p.right, al.Constant):
        return p.left, (p.right.value,)
    return None


def _alternatives(pending: Iterable[Pending]) -> list[Pending]:
    """Two values of one column are alternatives: "Texas ... Ohio" keeps both."""
    remaining: list[Pending] = []
    by: dict[al.Term, tuple[al.Scalar, ...]] = {}
    for p in _one_of_parts(list(pending)):
        membership = one_of(p)
        if membership is None:
            remaining.append(p)
        else:
            by[membership[0]] = (*by.get(membership[0], ()), *membership[1])
    merged = (al.Compare(t, "=", al.Constant(vs[0])) if len(vs) == 1 else al.OneOf(t, vs) for t, vs in by.items())
    return [*remaining, *merged]


def _one_of_parts(conditions: list[Pending]) -> list[Pending]:
    """Parts of dates of one kind, and whole periods, are alternatives: "June, July and August", "2014 and 2016"."""
    by: dict[str, list[Pending]] = {}
    for p in conditions:
        match p:
            case When(Recurring(grain=grain)):
                by.setdefault(grain, []).append(p)
            case When(Period(start=start, end=end)) if start and end:
                by.setdefault("", []).append(p)
            case _:
                continue
    several = [group for group in by.values() if len(group) > 1]
    grouped = {p for group in several for p in group}
    return [p for p in conditions if p not in grouped] + [Alternatives(tuple(group)) for group in several]


def _of(figure: al.Figure, table: str, where: al.Condition) -> al.Figure | None:
    match figure:
        case al.Count():
            return al.Count(figure.where, al.Rows(table, where))
        case al.Aggregate():
            return al.Aggregate(figure.function, figure.term, figure.where, figure.fraction, al.Rows(table, where))
        case al.Metric():
            return replace(figure, of=al.Rows(table, where))
        case al.Combined():
            left_figure, right_figure = _of(figure.left, table, where), _of(figure.right, table, where)
            return al.Combined(figure.how, left_figure, right_figure) if left_figure and right_figure else None
        case _:
            return None


def bare(schema: Schema, term: al.Term) -> MeasuredFigure:
    """The figure that a bare quantity means: its total if it adds up, else its mean."""
    converted = conversion(term)
    measured = converted[0] if converted else term
    adds = isinstance(measured, al.Arithmetic) and measured.op == "*"
    if isinstance(measured, al.Column):
        adds = schema.typed[measured].role in ("measure", "duration") or schema.typed[measured].adds_over_things
    return MeasuredFigure(al.Aggregate("sum" if adds else "mean", term), al.tables_here(term)[0])


def date_in(value: object) -> al.Column | None:
    """The first date that a query or a part of one goes by: of a condition, of a group, or of a metric."""
    for part in al.parts(value):
        match part:
            case (
                al.Within(term=al.Column() as column)
                | al.Grain(of=al.Column() as column)
                | al.Metric(date=al.Column() as column)
            ):
                return column
            case _:
                continue
    return None


def dates(schema: Schema, home: str, mentioned: tuple[al.Column, ...]) -> list[al.Column]:
    """The date columns that an undated time may mean, the likeliest first; `order_date` alone of orders."""
    mentioned = tuple(c for c in mentioned if schema.typed[c].role == "date" or schema.typed[c].part == "year")
    ranked = [
        (
            column not in mentioned,
            len(schema.path(home, column.table) or ()),
            typed.open_until != "",
            words_of(column.table)[1 - len(typed.words) :] != typed.words[:-1],  # `order_date` of `shop_orders`
            order,
            column,
        )
        for order, (column, typed) in enumerate(schema.typed.items())
        if (typed.role == "date" or typed.part == "year") and schema.reaches_one(home, column.table)
    ]
    own = [column for *unlike, _, column in sorted(ranked) if not any(unlike[1:])]
    if own and not mentioned:
        return own[:1]
    if not mentioned:  # what may not have come yet dates no row, nor does what lies behind a row with a date
        sure = [item for item in ranked if not schema.may_miss(home, item[-1])]
        nearest = min((item[1] for item in sure), default=None)
        ranked = [item for item in sure if item[1] == nearest] or ranked
    far = [c for c, t in schema.typed.items() if t.role == "date" and not schema.reaches_one(home, c.table)]
    return [column for *_, column in sorted(ranked)] or [c for c in far if schema.path(home, c.table)]


def columns_in(value: object) -> list[al.Column]:
    """The columns that a value reads for one row."""
    return [part for part in al.here(value) if isinstance(part, al.Column)]
