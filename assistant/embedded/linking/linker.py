"""The linker: what in one source, and in what is known about it, goes by which name, and how surely.

"Customers" are the table `customer`, and so may be "clients", by a word alike; "turnover" is the metric of that name.
Names are learned once, when a source is read; which words of a question say one is read off elsewhere (`phrases`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from assistant.embedded.linking.knowledge import Alias, BindingRule
from assistant.embedded.linking.naming import (
    above_names,
    column_names,
    end_names,
    linked_stems,
    metric_names,
    prose_names,
    table_names,
    term_names,
)
from assistant.embedded.linking.options import (
    EXACT,
    Option,
    ToColumn,
    ToMetric,
    ToTable,
    ToTerm,
    ToValue,
    strongest,
    weaker,
)
from assistant.embedded.source import values
from assistant.embedded.source.schema import Attribute, Entity, Schema, works
from assistant.embedded.words.lexicon import is_short, name_stems, name_words, root, shortens, stem
from assistant.embedded.words.thesaurus import other_words, synonyms

if TYPE_CHECKING:
    from knowledge.documents import Metric, Term

SYNONYM = 0.8
"""How sure a name is that is said whole in another word: "clients" of customers."""
_SYNONYM_IN_PART = 0.65
_SYNONYM_MORE = 0.97
"""How much less sure a phrase is by each further part of it that is said in other words."""
_SYNONYM_BESIDE = 0.7
"""How much less sure it is where a column has the word itself: the amount is the total amount before the quantity."""
_AKIN = 0.85
"""How sure a name is that has but its root in common with what is said: "approval" of what is approved."""
_WAYS_MAX = 16
"""How many ways to shorten a phrase are looked up."""
_SHUFFLED = 0.8
"""How sure a name is whose words are said in another order: "settlement date" of the date settled."""
_SHORTENED = 0.9
"""How sure a name is that is but short for what is said: `comm` of the commission."""
_WHOLE = 0.84
"""From which strength on a name is said whole rather than in part."""
_REFERRING = 0.65
"""How sure a table's name means a column that only refers to it."""
_AT_WORK = 0.8
"""How sure it is that people are those who work here, where there is one table of them."""
_SOLD = 0.85
"""How surely a metric must go by a word for what was sold."""
DONE_BY_SOMEBODY = frozenset(("place", "rate", "order", "visit", "rent", "book", "ship", "score", "rank", "report"))
"""What somebody does to what a table of that name holds: "how many parts did Ada order"."""


@dataclass
class Linker:
    """Links words to one source and the knowledge about it."""

    schema: Schema
    index: values.ValueIndex
    metrics: Sequence[Metric] = ()
    terms: Sequence[Term] = ()
    rules: Sequence[BindingRule] = ()
    guesses: Sequence[tuple[Metric, float]] = ()
    today: date | None = None
    tables: dict[tuple[str, ...], list[ToTable]] = field(default_factory=dict, repr=False)
    """The tables by the stems of what they may be called."""
    _columns: dict[tuple[str, ...], list[ToColumn]] = field(default_factory=dict, repr=False)
    _roots: dict[tuple[str, ...], list[ToTable | ToColumn]] = field(default_factory=dict, repr=False)
    _shuffled: dict[tuple[str, ...], list[ToColumn]] = field(default_factory=dict, repr=False)
    _known: dict[tuple[str, ...], list[ToMetric | ToTerm]] = field(default_factory=dict, repr=False)
    _aliases: dict[tuple[str, ...], list[Option]] = field(default_factory=dict, repr=False)
    vocabulary: tuple[str, ...] = field(default=(), repr=False)
    """All longer words that a name has, one of which a misspelt word may have been."""
    _words: frozenset[str] = field(default=frozenset(), repr=False)
    _shorts: dict[str, str] = field(default_factory=dict, repr=False)
    _longer: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        taken = {entity.stems for entity in self.schema.entities.values()}
        for entity in self.schema.entities.values():
            for stems, strength in table_names(entity, alone=self.schema.is_one_table, taken=taken):
                self.tables.setdefault(stems, []).append(ToTable(entity=entity, strength=strength))
        self.tables = {stems: self._called_so(named) for stems, named in self.tables.items()}
        working = [e for e in self.schema.entities.values() if works(e)]
        for word in ("people", "staff", "person") if len(working) == 1 else ():
            if name_stems(word) not in self.tables:
                self.tables[name_stems(word)] = [ToTable(entity=working[0], strength=_AT_WORK)]
        for attribute in self.schema.attributes:
            referred = self.schema.referred(attribute)
            borrowed = self._borrows_name(attribute)
            for stems, strength in column_names(attribute, self.schema.entities[attribute.table]):
                if borrowed and stems[-1] == "name":
                    continue
                refers = referred is not None and referred.stems == stems
                if attribute.role in ("key", "reference") and stems in self.tables and strength < 1.0:
                    continue
                option = ToColumn(attribute=attribute, strength=_REFERRING if refers else strength)
                self._columns.setdefault(stems, []).append(option)
        for attribute, referred in self.schema.ends:
            for stems, strength in end_names(attribute, referred):
                self._columns.setdefault(stems, []).append(ToColumn(attribute=attribute, strength=strength))
        for attribute, _ in self.schema.superiors:
            for stems, strength in above_names(attribute):
                self._columns.setdefault(stems, []).append(ToColumn(attribute=attribute, strength=strength))
        self._words = frozenset(word for stems in (*self.tables, *self._columns) for word in stems)
        called = [*self.schema.entities, *(attribute.name for attribute in self.schema.attributes)]
        raw = {word for name in called for word in name_words(name)}
        self._shorts = {word: stem(word) for word in raw if is_short(word) or not other_words((stem(word),))}
        for stems, options in (*self.tables.items(), *self._columns.items()):
            self._roots.setdefault(tuple(root(word) for word in stems), []).extend(options)
        for attribute in self.schema.attributes:
            for words in {_in_any_order(attribute.stems), _in_any_order(attribute.own)}:
                if len(words) > 1:
                    self._shuffled.setdefault(words, []).append(ToColumn(attribute=attribute, strength=_SHUFFLED))
        metrics, terms, guesses = self.metrics, self.terms, self.guesses
        self.metrics, self.terms, self.guesses = (), (), ()
        self.learn(metrics=metrics, terms=terms, guesses=guesses, typed=True)

    def _called_so(self, tables: list[ToTable]) -> list[ToTable]:
        """The tables that a name may mean: "stations" are those that stops of a line refer to, not `line_station`."""
        exact = {table.entity.name for table in tables if table.strength >= EXACT}

        def refers(table: ToTable) -> bool:
            edges = self.schema.edges.get(table.entity.name, ())
            return any(edge.right in exact and not edge.many for edge in edges)

        return [table for table in tables if table.strength >= EXACT or not refers(table)]

    def _borrows_name(self, attribute: Attribute) -> bool:
        """Whether a row is called by the name of what it ties in: club members, by that of the member."""
        entity = self.schema.entities[attribute.table]
        if "name" in attribute.stems or attribute.name not in entity.label:
            return False
        noun = self.schema.nouns.get(entity.name)
        return noun is not None and any("name" in noun.attributes[column].stems for column in noun.label)

    def learn(
        self,
        *,
        metrics: Sequence[Metric] = (),
        terms: Sequence[Term] = (),
        aliases: Sequence[Alias] = (),
        guesses: Sequence[tuple[Metric, float]] = (),
        typed: bool = False,
    ) -> None:
        """Link further names: what is `typed` by SQL, what prose defines, or what words may mean by a guess."""
        self.metrics, self.terms = (*self.metrics, *metrics), (*self.terms, *terms)
        self.guesses = (*self.guesses, *guesses)
        for metric in metrics:
            for stems, strength in metric_names(metric) if typed else prose_names(metric):
                self._known.setdefault(stems, []).append(ToMetric(metric=metric, strength=strength))
        for metric, sure in guesses:
            names = (metric.name, *metric.synonyms)
            for stems in dict.fromkeys(form for name in names for form in (name_stems(name), linked_stems(name))):
                self._known.setdefault(stems, []).append(ToMetric(metric=metric, strength=sure))
        for term in terms:
            for stems, strength in term_names(term, self.schema):
                self._known.setdefault(stems, []).append(ToTerm(term=term, strength=strength))
        for alias in aliases:
            self._aliases.setdefault(linked_stems(alias.name), []).append(self._meant(alias))
        keys = (*self.tables, *self._columns, *self._known, *self._aliases)
        self.vocabulary = tuple({word for stems in keys for word in stems if len(word) >= 5})

    def _meant(self, alias: Alias) -> Option:
        """What another name stands for."""
        if alias.named:
            metric = next((m for m in self.metrics if m.name == alias.named), None)
            if metric is not None:
                return ToMetric(metric=metric, strength=EXACT + 0.05)
            return ToTerm(term=next(t for t in self.terms if t.name == alias.named), strength=1.0)
        if not alias.column:
            return ToTable(entity=self.schema.entities[alias.table], strength=1.0)
        attribute = self.schema.attribute(alias.table, alias.column)
        if alias.value:
            return ToValue(attribute=attribute, value=alias.value, strength=1.0)
        return ToColumn(attribute=attribute, strength=1.0)

    @property
    def sold(self) -> Metric | None:
        """The figure of what was sold, as the company defines it or as it is guessed; None where nothing says it."""
        return self._metric("revenue", "sales", "turnover", "net revenue")

    @property
    def spent(self) -> Metric | None:
        """The figure of what was spent, likewise."""
        return self._metric("spending", "expenses")

    def _metric(self, *names: str) -> Metric | None:
        """The first of these figures that is surely known."""
        for name in names:
            known = (o for o in self._known.get(name_stems(name), ()) if isinstance(o, ToMetric))
            best = max(known, key=lambda option: option.strength, default=None)
            if best is not None and best.strength >= _SOLD:
                return best.metric
        return None

    @property
    def sold_by_line(self) -> Metric | None:
        """The figure of what was sold by its lines, where that of the whole sale is another one."""
        lines = [o for o in self._known.get(name_stems("revenue"), ()) if isinstance(o, ToMetric)]
        finer = [o.metric for o in lines if o.strength < _SOLD and not o.metric.origin]
        return finer[0] if self.sold is not None and len(finer) == 1 else None

    def names(self, stems: tuple[str, ...], *, literally: bool = False) -> list[Option]:
        """The tables, columns, metrics and terms that go by these stems, or by words alike, strongest first."""
        if stems in self._aliases:  # the company says what it calls so
            return strongest([*self._aliases[stems], *self._known.get(stems, ())])
        found: list[Option] = list(self._known.get(stems, ()))
        found += [*self.tables.get(stems, ()), *self._columns.get(stems, ())]
        akin: list[Option] = []
        if not found:
            akin += [weaker(option, _AKIN) for option in self._roots.get(tuple(root(word) for word in stems), ())]
            akin += [] if akin or len(stems) == 1 else self._shuffled.get(_in_any_order(stems), ())
        alone = literally or (akin and len(stems) > 1)
        for words, changed in synonyms(stems, () if alone else self._words).items():
            others = (*self.tables.get(words, ()), *self._columns.get(words, ()))
            more = _SYNONYM_MORE ** (changed - 1)
            more = more * _SYNONYM_BESIDE if self._said_itself(stems, found) else more
            found += [weaker(o, more * (SYNONYM if o.strength > _WHOLE else _SYNONYM_IN_PART)) for o in others]
        found = found or akin or self._shortened(stems)
        if any(isinstance(option, ToTable) and option.strength > EXACT for option in found):
            found = [o for o in found if not (isinstance(o, ToMetric) and o.strength < EXACT)]
        if any(isinstance(option, ToMetric) and option.strength > EXACT for option in found):
            found = [o if isinstance(o, ToMetric) else weaker(o, 0.75) for o in found]
        return strongest(found)

    def _said_itself(self, stems: tuple[str, ...], found: Sequence[Option]) -> bool:
        """Whether a single word is the noun of a number's name, so that another word for it is hardly meant."""
        if len(stems) != 1:
            return False
        numbers = [o.attribute for o in found if isinstance(o, ToColumn) and o.attribute.is_number]
        return any(number.own[-1] == stems[0] and len(number.own) > 1 for number in numbers)

    def has(self, word: str) -> bool:
        """Whether a name of the source has the word."""
        return word in self._words

    def _shortened(self, stems: tuple[str, ...]) -> list[Option]:
        """What goes by a name that is short for what is said, each word for itself: `ins_typ`, the instrument type."""
        ways: list[tuple[str, ...]] = [()]
        for word in stems:
            if word not in self._longer:
                shorts = (s for raw, s in self._shorts.items() if shortens(raw, word) and s in self._words)
                self._longer[word] = (word,) if word in self._words else tuple(dict.fromkeys(shorts))
            ways = [(*way, other) for way in ways for other in self._longer[word]][:_WAYS_MAX]
        found = [o for way in ways if way != stems for o in (*self.tables.get(way, ()), *self._columns.get(way, ()))]
        return [weaker(option, _SHORTENED) for option in found]

    def deed(self, word: str) -> Entity | None:
        """The table that is called like a verb which somebody does: how many parts "did Ada order"."""
        if word.lower() not in DONE_BY_SOMEBODY:
            return None
        tables = self.tables.get((stem(word.lower()),), ())
        return next((o.entity for o in tables if o.strength > EXACT), None)


def _in_any_order(stems: tuple[str, ...]) -> tuple[str, ...]:
    """What is the same of a name in whatever order and form its words are said: "settlement date", `date_settled`."""
    roots = [root(word).removesuffix("ed").removesuffix("e") for word in stems if word not in _BETWEEN_NOUNS]
    return tuple(sorted(word[:-1] if word.endswith("ll") else word for word in roots))


_BETWEEN_NOUNS = frozenset(("of", "the", "in", "at", "on", "to", "for", "by", "from"))
"""What says nothing more in a name of several words."""
