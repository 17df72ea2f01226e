"""What a file tells of an order on each of its lines counts once for the order: its freight, its days until shipping.

Where the lines of a file number what they belong to (`Attribute.settled_by`), a figure of that is made of the orders
rather than of their lines, and a list of orders holds each of them once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.naming import ROW_WORDS
from assistant.embedded.meaning import AgainstAll, ColumnRef, Meaning, Measure
from assistant.embedded.source.numbered import numbering, settles
from assistant.embedded.source.schema import Entity, Schema, unnumbered
from assistant.embedded.words.lexicon import plural

_MADE_OF_ALL = ("sum", "average")
"""Figures that change with how often a row is told."""


def told_once(meaning: Meaning, schema: Schema, draft: Draft, figures: Sequence[Wanted] = ()) -> Meaning:
    """The meaning, with rows that tell of one thing taken as one where its figures or its list are of such things.

    A metric that the company defined is computed as it says, one that is guessed (`figures` tell) of things once.

    Raises:
        Misfit: a figure of the things is asked for by what each of their rows has another of.
    """
    base = schema.entities[meaning.base]
    if meaning.beside or not _numbers(base) or any(ref.steps for ref in meaning.references()):
        return meaning
    compared = tuple(_against_things(item, base) for item in meaning.compared)
    meaning = meaning.model_copy(update={"compared": compared})
    if not meaning.measures:
        return _list_once(meaning, base)
    meaning = _things_counted(meaning, base, draft)
    guesses = frozenset(w.metric.name for w in figures if w.metric is not None and not w.metric.origin)
    return _Figures(meaning, base, schema.dialect, guesses).once(draft)


def _things_counted(meaning: Meaning, base: Entity, draft: Draft) -> Meaning:
    """Orders are counted rather than the lines of a file without a name for these, where all that is said is of orders.

    "Cancellation rate by country", "the most popular payment": a line more makes no order count more.
    """
    number = numbering(base) if base.nameless else None
    said = {draft.word(n) for n in range(len(draft.pieces))} & set(ROW_WORDS)
    if number is None or said or any(m.per or m.only for m in meaning.measures):
        return meaning
    told = [d.column for d in meaning.dimensions] + [f.column for f in meaning.filters]
    if not told or any(not settles(number.name, ref.column, base) or ref.column == number.name for ref in told):
        return meaning
    said_so = f"number of {base.many}"
    draft.assumptions[:] = [text.replace(said_so, f"number of {number.things}") for text in draft.assumptions]
    counted = {"aggregate": "distinct", "column": ColumnRef(table=base.name, column=number.name)}
    measures = tuple(
        m.model_copy(update=counted | {"label": m.label.replace(base.many, number.things)}) if _counts_rows(m) else m
        for m in meaning.measures
    )
    return meaning.model_copy(update={"measures": measures})


def _counts_rows(measure: Measure) -> bool:
    return measure.aggregate == "count" and measure.column is None and measure.metric is None


def _against_things(item: AgainstAll, base: Entity) -> AgainstAll:
    """An average is that of all orders, not of their lines: "orders with freight above average"."""
    settled = "" if item.of or item.shared else base.attributes[item.column.column].settled_by
    return item.model_copy(update={"once": settled}) if settled else item


def _numbers(base: Entity) -> set[str]:
    """The columns that number what rows belong to."""
    return {a.settled_by for a in base.attributes.values() if a.settled_by in base.attributes}


@dataclass(frozen=True, slots=True)
class _Figures:
    """The figures of a meaning over a base whose rows tell of things; `guesses` are metrics that nobody defined."""

    meaning: Meaning
    base: Entity
    dialect: str
    guesses: frozenset[str]

    def once(self, draft: Draft) -> Meaning:
        """The meaning with the figures of the things made of each of them once."""
        meaning = self.meaning
        number = next((found for m in meaning.measures for part in _parts(m) if (found := self._number_of(part))), "")
        if not number:
            return meaning
        told = [m for m in meaning.measures if any(self._number_of(part) for part in _parts(m))]
        one, words = unnumbered(number) or "row", self._words(told[0])
        chosen = [item.column for m in told for part in _parts(m) for item in part.only]
        chosen += [item.column for item in meaning.filters] if meaning.portion else []
        parted = [d.column for d in meaning.dimensions] if any(m.aggregate != "average" for m in told) else []
        for ref in (*chosen, *parted):
            if not settles(number, ref.column, self.base):
                part = self.base.attributes[ref.column].words
                raise Misfit(
                    f"Each {one} has one {words}: what part of it goes to each {part} nothing tells.", weight=5
                )
        counts = one if told[0].until is not None else f"{one}'s {words}"
        draft.assumptions.append(f"each {counts} counts once, however many rows tell of it")
        if all(self._is_once(part, number) for m in meaning.measures for part in _parts(m)):
            return meaning.model_copy(update={"once": number})
        return _side_by_side(meaning, told, number)

    def _number_of(self, measure: Measure) -> str:
        """What settles that of which a figure is made, where it matters how often that is told; else nothing."""
        if measure.metric is None and measure.aggregate not in _MADE_OF_ALL:
            return ""
        numbers = {self.base.attributes[name].settled_by for name in self._columns(measure)}
        return next(iter(numbers)) if len(numbers) == 1 and numbers <= set(self.base.attributes) else ""

    def _columns(self, measure: Measure) -> list[str]:
        """The columns that a figure is made of; none where the company says how, or where it counts rows."""
        if measure.expression is None:
            return [ref.column for ref in (measure.column, measure.until) if ref is not None]
        if measure.metric not in self.guesses or measure.needs or "COUNT(" in measure.expression.upper():
            return []
        import sqlglot
        from sqlglot import exp

        tree = sqlglot.parse_one(measure.expression, read=self.dialect)
        return [c.name for c in tree.find_all(exp.Column) if c.name in self.base.attributes]

    def _words(self, measure: Measure) -> str:
        """What the figure is made of, as people say it."""
        name = next(name for part in _parts(measure) if self._number_of(part) for name in self._columns(part))
        return self.base.attributes[name].words

    def _is_once(self, part: Measure, number: str) -> bool:
        """Whether a figure is the same over the things as over their rows, or meant of the things."""
        return part.aggregate in ("distinct", "minimum", "maximum") or self._number_of(part) == number


def _parts(measure: Measure) -> tuple[Measure, ...]:
    return (measure, measure.per) if measure.per is not None else (measure,)


def _side_by_side(meaning: Meaning, told: list[Measure], number: str) -> Meaning:
    """Figures of the things beside those of their rows, each computed by itself for the same groups."""
    rows = [m for m in meaning.measures if m not in told]
    mixed = not rows or any(m.per for m in told) or meaning.having or meaning.limit or meaning.portion
    if mixed or any(m.share for m in meaning.measures):
        raise Misfit("These figures are of different things; ask for one of them at a time.", weight=6)
    shown = [*rows, *told]
    order = tuple(
        o.model_copy(update={"index": shown.index(meaning.measures[o.index])}) if o.by == "measure" else o
        for o in meaning.order
    )
    things = meaning.model_copy(update={"measures": tuple(told), "order": (), "once": number})
    return meaning.model_copy(update={"measures": tuple(rows), "order": order, "beside": (things,)})


def _list_once(meaning: Meaning, base: Entity) -> Meaning:
    """A list of such things by their number: each of them once, though several of its rows fulfil the conditions."""
    shown = list(_shown(meaning))
    number = next((ref.column for ref in shown if ref.column in _numbers(base)), "")
    if not number or meaning.within or any(not settles(number, ref.column, base) for ref in shown):
        return meaning
    update: dict[str, object] = {"base_label": plural(unnumbered(number) or base.one)}
    update |= {"once": number} if meaning.order else {"distinct": True}
    return meaning.model_copy(update=update)


def _shown(meaning: Meaning) -> Iterator[ColumnRef]:
    for column in meaning.columns:
        yield from (column.column, *column.more)
