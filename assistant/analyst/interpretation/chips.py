"""The chips of an interpretation: each part of what will be computed in a few words of business English."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from assistant.analyst import algebra as al
from assistant.analyst.interpretation.comparing import Across, Sides
from assistant.analyst.meaning import columns_of
from assistant.analyst.preparation import target_of
from assistant.analyst.wording import (
    condition,
    figure_words,
    named,
    period,
    phrase,
    sentence,
    term,
    things,
)
from assistant.plain_english import joined

if TYPE_CHECKING:
    from assistant.analyst.interpretation.composition import Composition

ChipKind = Literal[
    "Measure",
    "Show",
    "Of",
    "Group by",
    "Filter",
    "Period",
    "Sort",
    "Top",
    "Compare",
    "Chart",
    "Computed as",
    "Assumption",
    "Unread",
]
KINDS: tuple[ChipKind, ...] = get_args(ChipKind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One part of what will be computed. `place` tells apart several of a kind, as the interpretation holds them."""

    kind: ChipKind
    text: str
    place: int = 0

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


def chips_of(of: Composition) -> tuple[Chip, ...]:
    """All chips, in the order in which a person reads them."""
    return tuple(_Words(of).chips())


class _Words:
    """Says the parts of an interpretation, with what its data call things."""

    def __init__(self, of: Composition) -> None:
        self._of = of
        rows = of.rows or al.Rows("")
        readable: al.Grouped = of.data.schema.said(al.Grouped(rows, of.groups, of.measures))
        self._said = readable
        self._rows = readable.of

    def chips(self) -> Iterator[Chip]:
        of = self._of
        if of.verbatim is not None:
            yield Chip(kind="Computed as", text=f"the verified query “{of.verbatim.question}”")
        elif of.computed is not None:
            yield Chip(kind="Computed as", text=sentence(of.data.schema.said(of.computed)))
        else:
            yield from self._computed()
        if of.study is not None:
            yield Chip(kind="Computed as", text=of.study.subject)
            changes = of.study.call.changes if of.study.call is not None else ()
            yield from (Chip(kind="Assumption", text=str(change), place=at) for at, change in enumerate(changes))
        if of.chart:
            yield Chip(kind="Chart", text=of.chart)
        yield from (Chip(kind="Unread", text=word, place=at) for at, word in enumerate(of.unread))

    def _computed(self) -> Iterator[Chip]:
        yield from self._subject()
        yield from self._conditions()
        yield from self._presentation()

    def _subject(self) -> Iterator[Chip]:
        of = self._of
        for at, measure in enumerate(of.measures):
            if not of.is_hidden(measure):
                yield Chip(kind="Measure", text=self.measure(measure), place=at)
        if of.columns:
            yield Chip(kind="Show", text=self._listed())
        elif self._tells_rows():
            yield Chip(kind="Of", text=self._home())
        for at, group in enumerate(of.groups):
            if not of.is_hidden(group):
                yield Chip(kind="Group by", text=self.group(group), place=at)

    def _conditions(self) -> Iterator[Chip]:
        of = self._of
        for at, part in enumerate(of.filters):
            yield Chip(kind="Period" if is_period(part) else "Filter", text=self.filter(part), place=at)
        if of.of_groups != al.NO_FILTER:
            yield Chip(kind="Filter", text=self._of_groups(), place=len(of.filters))

    def _presentation(self) -> Iterator[Chip]:
        of = self._of
        for at, order in enumerate(of.order):
            text = phrase("chips", "highest" if order.descending else "lowest", self._output(order.place))
            yield Chip(kind="Sort", text=text, place=at)
        if of.limit is not None:
            yield Chip(kind="Top", text=self._limit(of.limit))
        if of.comparison is not None:
            yield Chip(kind="Compare", text=self._comparison(of.comparison))

    def measure(self, figure: al.Figure) -> str:
        """A measure, with the rows that it is of where it does not say so."""
        readable: al.Figure = self._of.data.schema.said(self._counted(figure))
        return figure_words(readable, self._said)

    def _counted(self, figure: al.Figure) -> al.Figure:
        """A figure; so many different keys as so many rows of their table."""
        match figure:
            case al.Aggregate("distinct", al.Column() as key, al.Both(())) if table := self._keyed(key):
                return al.Count(of=al.Rows(table))
            case _:
                return figure

    def _keyed(self, key: al.Column) -> str:
        """The table whose rows a key tells apart; empty where it is no key."""
        schema = self._of.data.schema
        return (target_of(key, schema) or "") if schema.typed[key].role == "key" else ""

    def group(self, of: al.Term) -> str:
        """A term to group by; of a period the date, too."""
        readable: al.Term = self._of.data.schema.said(of)
        words = term(readable, al.Rows("") if _is_name(readable) else self._rows)
        if isinstance(readable, al.Grain) and words == readable.grain:
            return f"{words} of {term(readable.of, self._rows)}"
        return words

    def value(self, column: al.Column) -> Callable[[al.Scalar], str]:
        """The words of the condition that a column has a value."""
        name = self.group(column)

        def readable(value: al.Scalar) -> str:
            return condition(al.Compare(column, "=", al.Constant(value)), self._rows)

        own = term(column, self._rows)
        return lambda value: name + readable(value).removeprefix(own)

    def filter(self, of: al.Condition) -> str:
        """A condition on rows."""
        if rule := next((rule for rule in self._of.data.known.rules if rule.condition == of), None):
            return rule.name
        match of:
            case al.Defined(name=name) if name:
                return name
            case al.Not(al.Defined(name=name)) if name:
                return phrase("chips", "not", name)
            case _:
                pass
        readable: al.Condition = self._of.data.schema.said(of)
        if isinstance(readable, al.Within):
            return f"{self.group(readable.term)} {period(readable.start, readable.end)}"
        name = next((part for part in al.here(readable) if isinstance(part, al.Column)), None)
        words = condition(readable, al.Rows("") if _is_name(name) else self._rows)
        return words or " ".join(part.sql for part in al.parts(of) if isinstance(part, al.Defined))

    def _of_groups(self) -> str:
        of = self._of
        figures = tuple(of.data.schema.said(self._counted(figure)) for figure in of.figures)
        return condition(of.data.schema.said(of.of_groups), al.Groups(replace(self._said, figures=figures)))

    def _output(self, place: int) -> str:
        output = self._of.outputs[place]
        return self.measure(output) if isinstance(output, al.Figure) else self.group(output)

    def _listed(self) -> str:
        of = self._of
        texts = [self.group(column) for column in of.columns if not of.is_hidden(column)]
        return phrase("chips", "different" if of.distinct else "listed", joined(texts), self._home())

    def _tells_rows(self) -> bool:
        """Whether a person would not guess from the measures which rows they are computed from."""
        of = self._of
        if of.rows is None:
            return False
        if isinstance(of.rows, al.Groups) or of.rows.once is not None or not (of.measures or of.groups):
            return True
        plain = [m for m in of.measures if not isinstance(m, al.Count | al.Metric)]
        tables = {column.table for column in columns_of(plain)}
        return bool(tables) and tables != {of.rows.table}

    def _home(self) -> str:
        rows = self._rows
        if isinstance(rows, al.Groups):
            inner = sentence(rows.query)
            return inner[0].lower() + inner[1:]
        once = phrase("chips", "once", things(rows.table), named(rows.once.name)) if rows.once else ""
        return once or things(rows.table)

    def _limit(self, limit: al.Limit) -> str:
        last = limit.skip + limit.n
        text = phrase("chips", "places" if limit.skip else "first", f"{limit.skip + 1:,}", f"{last:,}")
        within = phrase("chips", "for each", joined([self._output(at) for at in limit.within])) if limit.within else ""
        return text + within + (phrase("chips", "ties") if limit.ties else "")

    def _comparison(self, of: Sides | Across) -> str:
        match of:
            case Sides():
                first, second = (self._side(condition) for condition in (of.first, of.second))
                return phrase("chips", f"sides {of.how}".strip(), first, second)
            case Across():
                along = self.group(self._of.groups[of.along]) if of.along < len(self._of.groups) else ""
                within = joined([self.group(self._of.groups[at]) for at in of.within])
                for_each = phrase("chips", "for each", within) if within else ""
                return phrase("chips", of.how, along, n=of.n) + for_each

    def _side(self, of: al.Condition) -> str:
        if of == al.NO_FILTER:
            return phrase("chips", "all")
        readable: al.Condition = self._of.data.schema.said(of)
        if isinstance(readable, al.Within):
            return period(readable.start, readable.end).removeprefix("in ").removeprefix("on ")
        return condition(readable, self._rows)


def chip_words(of: Composition) -> _Words:
    """What says the parts of an interpretation."""
    return _Words(of)


def _is_name(of: object) -> bool:
    """Whether a column is what the rows of its table are called: its values say which of them."""
    return isinstance(of, al.Column) and named(of.name) in ("name", "title")


def is_period(of: al.Condition) -> bool:
    """Whether a condition says when."""
    match of:
        case al.Within():
            return True
        case al.Compare(left=al.Grain()) | al.OneOf(term=al.Grain()):
            return True
        case al.Either() | al.Both():
            return bool(of.conditions) and all(map(is_period, of.conditions))
        case al.Not():
            return is_period(of.condition)
        case _:
            return False
