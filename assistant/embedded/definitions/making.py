"""What one definition in prose is made into: a metric, a term with a condition, or another name of something known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.embedded.assembly.routing import Router
from assistant.embedded.assembly.timing import Timing
from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.definitions.amounts import Amount
from assistant.embedded.definitions.comparisons import options
from assistant.embedded.definitions.criteria import Chosen
from assistant.embedded.definitions.cutting import unfolded
from assistant.embedded.definitions.expressions import Expressions, Unreadable, looks_like_sql, value_of
from assistant.embedded.definitions.formulas import Formulas
from assistant.embedded.definitions.sentences import Definition, acronym_of, parts_of_gloss
from assistant.embedded.linking.knowledge import Alias
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable, ToTerm, ToValue
from assistant.embedded.source.dating import happens
from assistant.embedded.source.schema import Entity, Schema
from assistant.embedded.source.values import index_words
from assistant.embedded.words.lexicon import name_words, singular
from knowledge.documents import Metric, Term

if TYPE_CHECKING:
    from sqlglot import exp

_SURE = 0.93
_SAID_CHARS_MAX = 160


_GAINS = frozenset(("profit", "profits", "loss", "losses", "revenue", "earnings", "income", "turnover", "proceeds"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseMetric(Metric):
    """A figure that prose defines. `document` is the id of what defines it, `said` tells the person so."""

    document: str
    said: str

    @property
    def id(self) -> str:
        return self.document


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseTerm(Term):
    """A condition that prose defines. `document` is the id of what defines it, `said` tells the person so."""

    document: str
    said: str

    @property
    def id(self) -> str:
        return self.document


Made = ProseMetric | ProseTerm | Alias


@dataclass(frozen=True)
class Maker:
    """Makes what the analyst can use of single definitions, on one source."""

    formulas: Formulas

    @property
    def schema(self) -> Schema:
        """The source's schema."""
        return self.formulas.criteria.schema

    @property
    def expressions(self) -> Expressions:
        """What reads SQL."""
        return self.formulas.criteria.expressions

    def made(self, definition: Definition) -> list[Made]:
        """Everything a definition comes to; nothing where it cannot be read to the end."""
        for reading in self._readings(definition):
            for attempt in (self._quality, self._code, self._other_name, self._figure, self._rows):
                try:
                    return attempt(reading)
                except Unreadable:
                    continue
        return []

    def _readings(self, definition: Definition) -> Iterator[Definition]:
        """The definition as it is; then without a gloss, and by what stands in its brackets."""
        body = definition.body
        if (formula := unfolded(body)) is not None:
            yield replace(definition, body=formula)
            return
        yield definition
        for name, rest in parts_of_gloss(body):
            if any(o.strength >= _SURE for o in options(self.formulas.criteria.exact.linker, name)):
                continue  # it is no further name but a part of what is said
            more = tuple(dict.fromkeys((*definition.names, name)))
            yield replace(definition, names=more, body=rest)
        bracketed = re.fullmatch(r"(.+?)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", body)
        if bracketed and looks_like_sql(bracketed[2]):
            yield replace(definition, body=bracketed[2].removeprefix("i.e. "))
        elif bracketed and acronym_of(bracketed[2], bracketed[1]):
            yield replace(definition, body=bracketed[1], names=(*definition.names, bracketed[2]))

    # --- names ---

    def _other_name(self, definition: Definition) -> list[Made]:
        """ "X is stored in table.column", "clients are customers", "CR stands for conversion rate"."""
        text = _OF_A_COLUMN.sub("", definition.body).strip(" '\"")
        if re.search(r"[()=<>*/+]", text):
            raise Unreadable(text)
        table, _, column = text.rpartition(".")
        if " " not in text and table and (found := self.schema.find(table, column)):
            alias = Alias(name="", table=found.table, column=found.name)
        elif (entity := self.schema.find_entity(text)) is not None:
            alias = Alias(name="", table=entity.name)
        elif " " not in text and "_" in text:
            attribute = self.expressions.chosen([self.expressions.by_name(text)], set())[0]
            alias = Alias(name="", table=attribute.table, column=attribute.name)
        else:
            linker = self.formulas.criteria.exact.linker
            held = linker.index.find(index_words(text))
            values = [ToValue(attribute=f.attribute, value=f.value, strength=f.strength) for f in held]
            targets = [t for o in (*options(linker, text), *values) if (t := _target(o))]
            if len({t.target for t in targets}) != 1:
                raise Unreadable(text)
            alias = targets[0]
        return [self._named(alias, name, definition) for name in definition.names]

    def _code(self, definition: Definition) -> list[Made]:
        """ "status 'C' means cancelled": a word for a value that is kept as a code."""
        match = re.fullmatch(
            r"(?:(?:a|the) )?(?P<c>[\w. ]+?) (?:of |= ?|is )?['\"]?(?P<v>[^'\"]+)['\"]?", definition.names[0]
        )
        if match is None or not re.fullmatch(r"(?:an? |the )?[\w-]+(?: [\w-]+)?", definition.body):
            raise Unreadable(definition.body)
        columns = [
            o.attribute for o in options(self.formulas.criteria.exact.linker, match["c"]) if isinstance(o, ToColumn)
        ]
        held = [(a, value) for a in columns if (value := value_of(a, match["v"])) is not None]
        if len(held) != 1:
            raise Unreadable(definition.body)
        word = re.sub(r"^(?:an?|the) ", "", definition.body)
        alias = Alias(name="", table=held[0][0].table, column=held[0][0].name, value=held[0][1])
        return [self._named(alias, word, definition)]

    def _named(self, alias: Alias, name: str, definition: Definition) -> Alias:
        return replace(alias, name=name, document=definition.document.id, said=_said(name, definition))

    # --- figures ---

    def _figure(self, definition: Definition) -> list[Made]:
        amount = self.formulas.amount(definition.body)
        if not amount.table:
            raise Unreadable(definition.body)
        name, *others = definition.names
        if amount.whole:
            return [self._metric(name, tuple(others), amount, definition)]
        return list(self._of_each_row(amount, definition))

    def _of_each_row(self, amount: Amount, definition: Definition) -> Iterator[Made]:
        """What every row has, such as a profit: its average and extremes, and its sum where that says something.

        Where it does not, the name alone may mean each of them, and it is asked which.
        """
        from sqlglot import exp

        amount = replace(amount, adds_up=amount.adds_up or self._is_gain(amount, definition))
        made: list[tuple[tuple[str, ...], type[exp.AggFunc]]] = [
            (("average", "mean", "avg"), exp.Avg),
            (("highest", "maximum", "max", "largest"), exp.Max),
            (("lowest", "minimum", "min", "smallest"), exp.Min),
        ]
        if amount.adds_up:
            name, *others = definition.names
            total = tuple(f"total {word}" for word in definition.names)
            summed = replace(amount, tree=exp.Sum(this=amount.tree), whole=True)
            yield self._metric(name, (*others, *total), summed, definition)
        alone: list[str] = []
        try:
            yield self._metric(
                definition.names[0], definition.names[1:], self.formulas.amounts.pooled(amount), definition
            )
        except Unreadable:
            alone = [] if amount.adds_up else list(definition.names)
        for words, kind in made:
            names = [*(f"{word} {name}" for word in words for name in definition.names), *alone]
            figure = replace(amount, tree=kind(this=amount.tree), whole=True)
            yield self._metric(names[0], tuple(names[1:]), figure, definition)

    def _is_gain(self, amount: Amount, definition: Definition) -> bool:
        """Whether it is called a profit or the like, of rows that happen: what is won adds up, as prices do not."""
        from sqlglot import exp

        won = any(name_words(name)[-1] in _GAINS for name in definition.names)
        return won and amount.tree.find(exp.Div) is None and happens(self.schema.entities[amount.table])

    def _metric(self, name: str, others: tuple[str, ...], amount: Amount, definition: Definition) -> ProseMetric:
        from sqlglot import exp

        entity = self.schema.entities[amount.table]
        owners = (
            self.schema.find_entity(c.table)
            for c in amount.tree.find_all(exp.Column)
            if not c.find_ancestor(exp.Subquery, exp.Exists)
        )
        joins = dict.fromkeys(o.name for o in owners if o is not None and o is not entity)
        return ProseMetric(
            name=name,
            synonyms=others,
            definition=definition.body,
            expression=amount.tree.sql(dialect=self.schema.dialect),
            table=entity.name,
            filters=amount.filters,
            joins=tuple(joins),
            date_column=self._date(entity),
            unit="percent" if amount.percent else None,
            origin=definition.document.origin or definition.document.title,
            document=definition.document.id,
            said=_said(definition.names[0], definition),
        )

    def _date(self, entity: Entity) -> str | None:
        """The date of a table's rows, or of what they belong to; None where that is not plain."""
        router = Router(joins=self.formulas.amounts.joins, draft=Draft(schema=self.schema, pieces=[]), base=entity.name)
        try:
            found = Timing(router).date_of_base()
        except Misfit:
            return None
        return f"{found.table}.{found.name}" if found else None

    # --- conditions ---

    def _rows(self, definition: Definition) -> list[Made]:
        """ "active customers are those with status 'active'", "churned means status = 'churned'"."""
        criteria = self.formulas.criteria
        subject = next((t for name in definition.names if (t := self._head(name))), None)
        try:
            chosen = criteria.rows(definition.body, subject)
        except Unreadable:
            if subject is not None:
                chosen = criteria.fulfilling(definition.body, subject)
            elif looks_like_sql(definition.body):
                chosen = criteria.home(definition.body)
            else:
                raise
        if not chosen.conditions or (subject is not None and chosen.table != subject.name):
            raise Unreadable(definition.body)
        return [self._term(definition.names, chosen, definition)]

    def _quality(self, definition: Definition) -> list[Made]:
        """ "A customer is active if ..."."""
        if not definition.subject:
            raise Unreadable(definition.body)
        entity = self.formulas.criteria.table(definition.subject)
        if entity is None:
            raise Unreadable(definition.subject)
        chosen = self.formulas.criteria.fulfilling(definition.body, entity)
        names = tuple(f"{name} {definition.subject}" if not self._head(name) else name for name in definition.names)
        return [self._term((*names, *definition.names), chosen, definition)]

    def _head(self, name: str) -> Entity | None:
        """The table that the last word of a name, or all of it but its first, names."""
        words = name_words(name)
        for start in range(1, len(words)):
            entity = self.formulas.criteria.table(" ".join(words[start:]))
            if entity is not None:
                return entity
        return None

    def _term(self, names: tuple[str, ...], chosen: Chosen, definition: Definition) -> ProseTerm:
        others = tuple(name for name in dict.fromkeys(names[1:]) if name != names[0])
        return ProseTerm(
            name=singular(names[0]),
            synonyms=others,
            definition=definition.body,
            sql=" AND ".join(f"({c})" if " OR " in c else c for c in chosen.conditions),
            table=chosen.table,
            origin=definition.document.origin or definition.document.title,
            document=definition.document.id,
            said=_said(definition.names[0], definition),
        )


_OF_A_COLUMN = re.compile(
    r"^(?:the |a |an |our )?(?:(?:column|field|table|value|values)(?: of| in)?(?: the)? )?(?:the )?(?=\S)"
    r"|(?: column| field| table)(?: of the [\w.]+(?: table)?| in the [\w.]+(?: table)?)?$",
    re.IGNORECASE,
)


def _target(option: object) -> Alias | None:
    """Something known by just this name, as the target of another name."""
    match option:
        case ToTable() if option.strength >= _SURE:
            return Alias(name="", table=option.entity.name)
        case ToColumn() if option.strength >= _SURE:
            return Alias(name="", table=option.attribute.table, column=option.attribute.name)
        case ToMetric() if option.strength >= _SURE:
            return Alias(name="", named=option.metric.name)
        case ToTerm() if option.strength >= _SURE:
            return Alias(name="", named=option.term.name)
        case ToValue() if option.strength >= _SURE:
            return Alias(name="", table=option.attribute.table, column=option.attribute.name, value=option.value)
        case _:
            return None


def _said(name: str, definition: Definition) -> str:
    body = definition.body
    body = body if len(body) <= _SAID_CHARS_MAX else f"{body[:_SAID_CHARS_MAX].rsplit(' ', 1)[0]} …"
    return f"“{name}” means {body} (knowledge: {definition.document.title})"
