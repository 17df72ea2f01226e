"""Questions made from the algebra: every operator with every other, one to four deep, with the query that each means.

A question is kept only where its result tells: it has rows, each of its conditions changes it, and no two rows tie
where it is cut.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from assistant.analyst.algebra import (
    NO_FILTER,
    Aggregate,
    Both,
    Column,
    Combined,
    Compare,
    Condition,
    Constant,
    Count,
    Figure,
    Function,
    Grain,
    GrainName,
    Grouped,
    Groups,
    Limit,
    Listing,
    Missing,
    Not,
    Order,
    Output,
    Query,
    Rows,
    Share,
    Term,
    Window,
    Within,
    here,
)
from assistant.analyst.schema import Schema
from assistant.analyst.sql.queries import to_sql
from composed.conditions import Conditions, Said, column, led_to, led_words
from composed.domains import Domain, Field, Noun, domain, made

DEPTH_MAX = 4


@dataclass(frozen=True, kw_only=True)
class Composed:
    """A question and what it means."""

    domain: str
    text: str
    query: Query
    operators: tuple[str, ...]
    ordered: bool

    @property
    def depth(self) -> int:
        """How many operators it is made of."""
        return len(self.operators)


@dataclass(frozen=True)
class Head:
    """What a question asks of some rows. `rows` are these in words."""

    text: str
    query: Query
    operators: tuple[str, ...]
    ordered: bool = False


@dataclass(frozen=True)
class Heads:
    """Draws heads over the rows of one noun."""

    conditions: Conditions
    noun: Noun
    said: str
    of: Rows

    @property
    def draw(self) -> random.Random:
        """Where choices come from."""
        return self.conditions.draw

    @property
    def domain(self) -> Domain:
        """The domain at hand."""
        return self.conditions.domain

    def phrase(self, head: str, **words: object) -> str:
        """One of the paraphrases of a head, as a sentence starts."""
        text = self.conditions.phrase(
            "heads", head, **{"rows": self.said, "one": self.noun.one, "many": self.noun.many, **words}
        )
        return text[0].upper() + text[1:]

    # --- what is drawn ---

    def categories(self) -> list[Field]:
        """The columns that rows may be grouped by: their own, and those of the rows above."""
        return [f for noun in (self.noun, *self.domain.above(self.noun)) for f in noun.of_role("category")]

    def category(self) -> Field:
        """One of them that no condition speaks of."""
        spoken = {part.name for part in here(self.of.where) if isinstance(part, Column)}
        return self.draw.choice([f for f in self.categories() if f.name not in spoken] or self.categories())

    def key(self) -> tuple[tuple[Term, ...], str, str]:
        """Terms to group by, with the singular and the plural."""
        led = self.noun.of_role("named reference")
        if led and self.draw.random() < 0.3:
            field = self.draw.choice(led)
            words = led_words(field, self.domain)
            label = self.domain.noun(field.to).label
            return (Column(field.leads_to, "id"), led_to(field, column(label))), words, f"{words}s"
        above = [noun for noun in self.domain.above(self.noun) if noun.label.role == "label"]
        if above and self.draw.random() < 0.4:
            noun = self.draw.choice(above)
            return (Column(noun.table, "id"), column(noun.label)), noun.one, noun.many
        field = self.category()
        return (column(field),), field.said, field.many

    def amount(self, *, adds: bool = False) -> Field | None:
        """A column of quantities."""
        fields = [field for field in self.noun.measured if field.adds or not adds]
        return self.draw.choice(fields) if fields else None

    def figure(self) -> tuple[Figure, str, str] | None:
        """A figure over a column, in words, with its operator."""
        field = self.amount()
        if field is None:
            return None
        names: list[Function] = ["mean", "median", "min", "max", "stddev", "percentile"]
        function = self.draw.choice([*names, "sum"] if field.adds else names)
        n = self.draw.choice((25, 75))  # fractions without a rounding error: ranks compare them
        said = self.conditions.phrase("figures", function, c=field.said, n=n)
        return Aggregate(function, column(field), fraction=n / 100 if function == "percentile" else 0.5), said, function

    def total(self) -> tuple[Aggregate, Field] | None:
        """A total."""
        field = self.amount(adds=True)
        return (Aggregate("sum", column(field)), field) if field else None

    def by(self) -> tuple[tuple[Term, ...], str, tuple[str, ...]]:
        """One key, or two, or a period."""
        dates = self.noun.of_role("date")
        if dates and self.draw.random() < 0.3:
            grains: list[GrainName] = ["year", "quarter", "month", "weekday"]
            grain = self.draw.choice(grains)
            return (Grain(column(dates[0]), grain),), self.conditions.phrase("keys", "one", k=grain), ("period",)
        keys, one, _ = self.key()
        if self.draw.random() < 0.25:
            other = self.category()
            if column(other) not in keys:
                said = self.conditions.phrase("keys", "two", k=one, j=other.said)
                return (*keys, column(other)), said, ("key", "key")
        return keys, self.conditions.phrase("keys", "one", k=one), ("key",)

    def extreme(self) -> tuple[str, bool]:
        """A word for the direction, and whether it is downwards."""
        return self.draw.choice((("highest", True), ("lowest", False)))

    def grouped(self, keys: tuple[Term, ...], *figures: Figure) -> Grouped:
        """Groups without the key that only tells two of one name apart."""
        hidden = int(len(keys) > 1 and isinstance(keys[0], Column) and keys[0].name == "id")
        size = len(keys) + len(figures)
        return Grouped(self.of, keys, figures, shown=tuple(range(hidden, size)) if hidden else None)

    # --- heads ---

    def list(self) -> Head:
        """The rows by name."""
        return Head(self.phrase("list"), Listing(self.of, (column(self.noun.label),)), ("list",))

    def columns(self) -> Head | None:
        """Two columns of the rows."""
        fields = self.noun.of_role("label", "category", "measure", "rate", "duration", "date")
        if len(fields) < 2:
            return None
        c, d = self.draw.sample(fields, 2)
        return Head(self.phrase("columns", c=c.said, d=d.said), Listing(self.of, (column(c), column(d))), ("columns",))

    def distinct(self) -> Head:
        """The different values of a column."""
        field = self.category()
        query = Listing(self.of, (column(field),), distinct=True)
        return Head(self.phrase("distinct", cs=field.many), query, ("distinct",))

    def count(self) -> Head:
        """How many rows."""
        return Head(self.phrase("count"), Grouped(self.of, (), (Count(),)), ("count",))

    def count_distinct(self) -> Head:
        """How many different values."""
        field = self.category()
        query = Grouped(self.of, (), (Aggregate("distinct", column(field)),))
        return Head(self.phrase("count distinct", cs=field.many), query, ("count distinct",))

    def aggregate(self) -> Head | None:
        """A figure over all rows."""
        found = self.figure()
        if found is None:
            return None
        figure, said, name = found
        return Head(self.phrase("aggregate", f=said), Grouped(self.of, (), (figure,)), (name,))

    def grouped_count(self) -> Head:
        """How many rows in each group."""
        keys, by, operators = self.by()
        return Head(self.phrase("grouped count", by=by), self.grouped(keys, Count()), ("count", *operators))

    def grouped_figure(self) -> Head | None:
        """A figure for each group."""
        found = self.figure()
        if found is None:
            return None
        figure, said, name = found
        keys, by, operators = self.by()
        return Head(self.phrase("grouped", f=said, by=by), self.grouped(keys, figure), (name, *operators))

    def sorted(self) -> Head | None:
        """The rows in order; those without a value are rows all the same, and come last."""
        field = self.amount()
        if field is None:
            return None
        downwards = self.draw.random() < 0.5
        text = self.phrase("sorted", c=field.said, direction="descending" if downwards else "ascending")
        outputs = (column(self.noun.label), column(field))
        return Head(text, Listing(self.of, outputs, order=(Order(1, downwards),), shown=1), ("list", "order"), True)

    def _known(self, *terms: Term) -> Rows:
        known: tuple[Condition, ...] = tuple(Not(Missing(term)) for term in terms)
        return replace(self.of, where=Both(known if self.of.where == NO_FILTER else (self.of.where, *known)))

    def top_rows(self) -> Head | None:
        """The rows with the greatest or least values."""
        field = self.amount()
        if field is None:
            return None
        n, (extreme, downwards) = self.draw.randint(2, 6), self.extreme()
        outputs = (column(self.noun.label), column(field))
        query = Listing(
            self._known(column(field)), outputs, order=(Order(1, downwards),), limit=Limit(n, ties=True), shown=1
        )
        return Head(self.phrase("top rows", n=n, extreme=extreme, c=field.said), query, ("list", "top"))

    def top_in_group(self) -> Head | None:
        """The best row of each group."""
        field = self.amount()
        if field is None:
            return None
        k, (extreme, downwards) = self.category(), self.extreme()
        outputs = (column(k), column(self.noun.label), column(field))
        second = self.domain.is_led and self.draw.random() < 0.5
        limit = Limit(1, (0,), ties=True, skip=int(second))
        query = Listing(self._known(column(field)), outputs, order=(Order(2, downwards),), limit=limit, shown=2)
        text = self.phrase("top in group", extreme="second " * second + extreme, c=field.said, k=k.said)
        return Head(text, query, ("list", "top", "within"))

    def top_groups(self) -> Head | None:
        """The groups with the greatest or least figures."""
        keys, one, many = self.key()
        n, (extreme, downwards) = self.draw.choice((1, 2, 3)), self.extreme()
        found = self.figure() if self.draw.random() < 0.5 else None
        if found is not None:
            figure, said, name = found
            text = self.phrase("top groups", n=n, ks=many if n > 1 else one, extreme=extreme, f=said)
            if n == 1:
                return None
        else:
            figure, name, downwards = Count(), "count", True
            head = "top groups by count" if n > 1 else "top group by count"
            text = self.phrase(head, n=n, ks=many, k=one)
        base = self.grouped(keys, figure)
        place = len(keys)
        shown = tuple(i for i in base.shown or range(place + 1) if i < place)
        of = self._known(*keys)  # rows without a district are no district that could be the best
        query = replace(base, of=of, order=(Order(place, downwards),), limit=Limit(n, ties=True), shown=shown)
        return Head(text, query, (name, "key", "top"))

    def having(self) -> Head | None:
        """The groups whose figure is above a number, or how many of them there are."""
        keys, _, many = self.key()
        found = self.figure() if self.draw.random() < 0.4 else None
        figure, said, name = found or (Count(), "", "count")
        base = self.grouped(keys, figure)
        place = len(keys)
        values = sorted(v for v in self._values(base, figure) if v is not None)
        if len(values) < 3:
            return None
        n = int(values[len(values) // 2])
        test = Compare(Output(place), ">", Constant(n))
        query = replace(base, having=test, shown=tuple(i for i in base.shown or range(place + 1) if i < place))
        if found is not None:
            return Head(self.phrase("having", ks=many, f=said, n=n), query, (name, "key", "having"))
        if self.draw.random() < 0.5:
            counted = Grouped(Groups(query), (), (Count(),))
            return Head(self.phrase("how many having", ks=many, n=n), counted, ("count", "key", "having", "groups"))
        return Head(self.phrase("having count", ks=many, n=n), query, ("count", "key", "having"))

    def _values(self, query: Grouped, figure: Figure) -> list[float]:
        found = run(self.domain.name, replace(query, shown=(len(query.keys),)))
        return [row[0] for row in found if row[0] is not None]  # type: ignore[misc]

    def of_counts(self) -> Head:
        """The mean, or the greatest, of the numbers of rows in groups."""
        keys, one, _ = self.key()
        groups = Groups(Grouped(self._known(keys[0]), keys, (Count(),)))
        function, head = self.draw.choice((("mean", "mean of counts"), ("max", "most of counts")))
        query = Grouped(groups, (), (Aggregate(function, Output(len(keys))),))
        return Head(self.phrase(head, k=one), query, ("count", "key", "groups"))

    def share_by_key(self) -> Head | None:
        """Each group's part of the whole."""
        keys, one, _ = self.key()
        total = self.total() if self.draw.random() < 0.5 else None
        if total is None:
            return Head(
                self.phrase("share by key", k=one), self.grouped(keys, Share(Count())), ("count", "key", "share")
            )
        figure, field = total
        text = self.phrase("share of total", k=one, c=field.said)
        return Head(text, self.grouped(keys, Share(figure)), ("sum", "key", "share"))

    def share_of_rows(self) -> Head | None:
        """The part of all rows that meet the conditions."""
        if self.of.where == NO_FILTER:
            return None
        ratio = Combined("ratio", Count(where=self.of.where), Count())
        return Head(self.phrase("share of rows"), Grouped(Rows(self.noun.table), (), (ratio,)), ("count", "share"))

    def along_time(self) -> Head | None:
        """A running total, a moving average, or growth from period to period."""
        dates, total = self.noun.of_role("date"), self.total()
        if not dates or total is None:
            return None
        figure, field = total
        grains: tuple[GrainName, ...] = ("year", "quarter")
        grain = self.draw.choice(grains)
        head, window = self.draw.choice(
            (
                ("running", Window("running", figure)),
                ("moving", Window("moving", figure, n=3)),
                ("growth by period", Combined("growth", Window("lag", figure), figure)),
            )
        )
        text = self.phrase(head, c=field.said, k=grain, ks=f"{grain}s")
        query = Grouped(self.of, (Grain(column(dates[0]), grain),), (window,))
        return Head(text, query, ("sum", "period", head.split()[0]))

    def growth(self) -> Head | None:
        """How much a total grew from one year to another."""
        dates, total = self.noun.of_role("date"), self.total()
        if not dates or total is None or column(dates[0]) in here(self.of.where):
            return None
        figure, field = total
        date, until = 2019 + self.draw.randrange(2), 2021 + self.draw.randrange(2)
        sides = (replace(figure, where=Within(column(dates[0]), f"{y}-01-01", f"{y + 1}-01-01")) for y in (date, until))
        query = Grouped(self.of, (), (Combined("growth", *sides),))
        return Head(self.phrase("growth", c=field.said, date=date, until=until), query, ("sum", "growth"))

    def side_by_side(self) -> Head | None:
        """A figure of two groups, or their difference."""
        found, field = self.figure(), self.category()
        if found is None or column(field) in here(self.of.where):
            return None
        figure, said, name = found
        v, w = self.draw.sample(field.values, 2)
        a, b = (replace(figure, where=Compare(column(field), "=", Constant(x))) for x in (v, w))
        if self.draw.random() < 0.5:
            query = Grouped(self.of, (), (Combined("difference", a, b),))
            text = self.phrase("difference", f=said, c=field.said, v=v, w=w)
            return Head(text, query, (name, "difference"))
        text = self.phrase("side by side", f=said, c=field.said, v=v, w=w)
        return Head(text, Grouped(self.of, (), (a, b)), (name, "side by side"))

    def ratio(self) -> Head | None:
        """One total divided by another."""
        fields = [field for field in self.noun.measured if field.adds]
        if len(fields) < 2:
            return None
        c, d = self.draw.sample(fields, 2)
        sides = (Aggregate("sum", column(field)) for field in (c, d))
        query = Grouped(self.of, (), (Combined("ratio", *sides),))
        return Head(self.phrase("ratio", c=c.said, d=d.said), query, ("sum", "ratio"))

    def rank(self) -> Head | None:
        """The place of each group."""
        keys, one, many = self.key()
        found = self.figure()
        if found is None:
            return None
        figure, said, name = found
        query = self.grouped(keys, Window("rank", figure))
        return Head(self.phrase("rank", k=one, ks=many, f=said), query, (name, "key", "rank"))


_HEADS: tuple[Callable[[Heads], Head | None], ...] = (
    Heads.list,
    Heads.columns,
    Heads.distinct,
    Heads.count,
    Heads.count_distinct,
    Heads.aggregate,
    Heads.grouped_count,
    Heads.grouped_figure,
    Heads.sorted,
    Heads.top_rows,
    Heads.top_in_group,
    Heads.top_groups,
    Heads.having,
    Heads.of_counts,
    Heads.share_by_key,
    Heads.share_of_rows,
    Heads.along_time,
    Heads.growth,
    Heads.side_by_side,
    Heads.ratio,
    Heads.rank,
)
_OPEN: dict[str, tuple[sqlite3.Connection, Schema]] = {}


def run(name: str, query: Query) -> list[tuple[object, ...]]:
    """A query's result in a domain, by the compiler: to choose questions, never to judge them."""
    if name not in _OPEN:
        _OPEN[name] = (made(name).sqlite(), Schema.of(made(name).catalog()))
    connection, schema = _OPEN[name]
    return connection.execute(to_sql(query, schema)).fetchall()


def questions(name: str, number: int, *, seed: int = 0) -> Iterator[Composed]:
    """So many different questions on a domain, all depths and heads alike."""
    draw = random.Random(f"{name} {seed}")
    conditions = Conditions(domain(name), draw)
    seen: set[str] = set()
    while len(seen) < number:
        depth, head = 1 + len(seen) % DEPTH_MAX, draw.choice(_HEADS)
        found = _composed(conditions, head, depth)
        if found is not None and found.text not in seen:
            seen.add(found.text)
            yield found


def _composed(conditions: Conditions, make: Callable[[Heads], Head | None], depth: int) -> Composed | None:
    noun = conditions.draw.choice(conditions.domain.nouns)
    further = conditions.draw.randrange(depth)
    said = conditions.many(noun, further) if further else Said("", NO_FILTER, ())
    if said is None:
        return None
    words = f"{noun.many} {said.words}".strip()
    heads = Heads(conditions, noun, words, Rows(noun.table, said.condition))
    head = make(heads)
    if head is None or len(head.operators) + further != depth or not _tells(conditions.domain.name, heads, head.query):
        return None
    return Composed(
        domain=conditions.domain.name,
        text=head.text,
        query=head.query,
        operators=(*head.operators, *said.operators),
        ordered=head.ordered,
    )


def _tells(name: str, heads: Heads, query: Query) -> bool:
    """Whether a result has rows and values, depends on each condition, and has no ties where it is cut or ordered."""
    rows = run(name, query)
    if not rows or all(value is None for value in rows[0]):
        return False
    limit = getattr(query, "limit", None)
    if limit is not None and limit.ties and run(name, _without_ties(query)) != rows:
        return False
    if limit is None and isinstance(query, Listing) and query.order and len(set(_ordering(name, query))) < len(rows):
        return False
    where = heads.of.where
    each = where.conditions if isinstance(where, Both) else () if where == NO_FILTER else (where,)
    return all(run(name, _dropped(query, where, part)) != rows for part in each)


def _without_ties(query: Query) -> Query:
    limit: Limit = getattr(query, "limit")  # noqa: B009 - a query with a limit
    return replace(query, limit=replace(limit, ties=False))  # type: ignore[arg-type]


def _ordering(name: str, query: Listing) -> list[object]:
    return [row[query.order[0].place] for row in run(name, replace(query, shown=None))]


def _dropped(query: Query, where: Condition, part: Condition) -> Query:
    """A query without one of its conditions."""
    rest = [other for other in where.conditions if other is not part] if isinstance(where, Both) else []
    return _swapped(query, where, Both(tuple(rest)))


def _swapped(value: object, old: object, new: object) -> object:  # type: ignore[return]
    from dataclasses import fields, is_dataclass

    if value == old:
        return new
    if isinstance(value, tuple):
        return tuple(_swapped(item, old, new) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(*(_swapped(getattr(value, f.name), old, new) for f in fields(value)))
    return value
