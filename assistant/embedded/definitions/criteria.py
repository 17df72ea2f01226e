"""Which rows a definition speaks of: "customers with status 'active'", "orders where shipped_date is after due_date".

A criterion is read as SQL where it is written so, by a small grammar of comparisons where it is not, and otherwise by
the analyst itself, if that leaves no doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from assistant.embedded.definitions.comparisons import Comparisons, options
from assistant.embedded.definitions.exact import Exact
from assistant.embedded.definitions.expressions import Expressions, Unreadable, is_condition, looks_like_sql
from assistant.embedded.linking.naming import linked_stems
from assistant.embedded.linking.options import Option, ToColumn, ToTable, ToTerm
from assistant.embedded.source.schema import Entity, Schema

if TYPE_CHECKING:
    from sqlglot import exp

_SURE = 0.93


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The rows of a table that fulfil every one of some conditions in SQL."""

    table: str
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Criteria:
    """Reads which rows are meant, on one source."""

    exact: Exact
    expressions: Expressions
    comparisons: Comparisons

    @property
    def schema(self) -> Schema:
        """The source's schema."""
        return self.expressions.schema

    def rows(self, text: str, subject: Entity | None = None) -> Chosen:
        """The rows that words name.

        Args:
            text: "customers with status 'active'", "those whose total is over 100", "active customers", "orders".
            subject: The table that "those" speaks of.

        Raises:
            Unreadable: the words do not say for certain.
        """
        bare = _BARE.sub("", _plain(text))
        if (entity := self.table(bare)) is not None:
            return Chosen(table=entity.name)
        for option in options(self.exact.linker, bare):
            if isinstance(option, ToTerm) and option.strength >= _SURE and option.term.table and option.term.sql:
                entity = self._entity(option.term.table)
                condition = self.expressions.qualified(option.term.sql, entity.name)
                return Chosen(table=entity.name, conditions=(self._sql(condition),))
        if match := _LINKED.match(bare) or _PAST.match(bare):
            try:
                which = self._of(match["t"], subject)
                condition = self.condition(match["c"], self.schema.entities[which.table])
                return Chosen(table=which.table, conditions=(*which.conditions, condition))
            except Unreadable:
                pass
        for adjective, table in halves(bare):
            if (entity := self.table(table)) is not None and (found := self.qualified(adjective, entity)) is not None:
                return Chosen(table=entity.name, conditions=(self._sql(found),))
        if subject is not None:
            bare = re.sub(rf"^(?:{'|'.join(_PRONOUNS)})\b", subject.many, bare, flags=re.IGNORECASE)
        return self._asked(bare)

    def _of(self, words: str, subject: Entity | None) -> Chosen:
        """The rows before "with", "where" or "that"."""
        if words.lower() not in _PRONOUNS:
            return self.rows(words)
        if subject is None:
            raise Unreadable(words)
        return Chosen(table=subject.name)

    def qualified(self, adjective: str, entity: Entity) -> exp.Expr | None:
        """ "closed" of tickets: the one column of the table that has such a value, or is called so and says yes."""
        from sqlglot import exp

        flags = [a for a in entity.attributes.values() if a.role == "flag" and a.name.lower() == adjective.lower()]
        held = self.comparisons.valued(adjective, entity)
        if held is not None and not flags:
            return exp.EQ(this=self.expressions.column(held[0]), expression=exp.Literal.string(held[1]))
        return self.comparisons.condition(adjective, entity) if len(flags) == 1 and held is None else None

    def fulfilling(self, criterion: str, entity: Entity) -> Chosen:
        """The rows of a table that fulfil a criterion with no subject of its own: "is active if they have an order".

        Raises:
            Unreadable: the words do not say for certain.
        """
        text = re.sub(rf"^(?:it|they|he or she|he|she|the {entity.one})\s+", "", _plain(criterion), flags=re.IGNORECASE)
        try:
            return Chosen(table=entity.name, conditions=(self.condition(text, entity),))
        except Unreadable:
            pass
        held = re.sub(r"^(?:has|have|had) ", "", text)
        for words in (f"with {held}", f"that {text}", f"whose {text}"):
            try:
                chosen = self._asked(f"{entity.many} {words}")
            except Unreadable:
                continue
            if chosen.table == entity.name:
                return chosen
        raise Unreadable(criterion)

    def condition(self, text: str, entity: Entity) -> str:
        """A condition on the rows of a table, in SQL or in plain words.

        Raises:
            Unreadable: the words do not say for certain.
        """
        written = _plain(text)
        if looks_like_sql(written):
            try:
                tree = self.expressions.parsed(written, {entity.name})
            except Unreadable:
                tree = None
            if tree is not None and is_condition(tree) and self._tables_of(tree) == {entity.name}:
                return self._sql(tree)
        return self._sql(self.comparisons.condition(written, entity))

    def home(self, text: str) -> Chosen:
        """The rows that a condition in SQL chooses, of the one table that all of its columns are in.

        Raises:
            Unreadable: it is no such condition.
        """
        tree = self.expressions.parsed(_plain(text))
        tables = self._tables_of(tree)
        if not is_condition(tree) or len(tables) != 1:
            raise Unreadable(text)
        return Chosen(table=tables.pop(), conditions=(self._sql(tree),))

    def table(self, text: str) -> Entity | None:
        """The table that words name by its own name; None where they do not, or name several."""
        literal = self._tables_by_name.get(text.lower())
        if literal is not None:
            return literal
        found = options(self.exact.linker, text)
        tables = [o.entity for o in found if isinstance(o, ToTable) and o.strength >= _SURE]
        if not tables and not any(_rivals(o) for o in found):  # "tickets", where all tickets are support tickets
            words = set(linked_stems(text))
            tables = [o.entity for o in found if isinstance(o, ToTable) and words <= set(o.entity.stems)]
        return tables[0] if len(tables) == 1 else None

    @cached_property
    def _tables_by_name(self) -> dict[str, Entity]:
        bare = {name.rpartition(".")[2].lower(): entity for name, entity in self.schema.entities.items()}
        return bare | {name.lower(): entity for name, entity in self.schema.entities.items()}

    def _asked(self, text: str) -> Chosen:
        """By the analyst: what nothing else could read."""
        meaning = self.exact.meaning(text)
        if meaning is None or not self.exact.rows(meaning):
            raise Unreadable(text)
        conditions = self.exact.conditions(meaning)
        named = set(linked_stems(text)) & set(self.schema.entities[meaning.base].stems)
        if not conditions or not (named or meaning.conditions):
            raise Unreadable(text)  # "amount before tax" names no rows
        return Chosen(table=meaning.base, conditions=conditions)

    def _entity(self, table: str) -> Entity:
        entity = self.schema.find_entity(table)
        if entity is None:
            raise Unreadable(table)
        return entity

    def _tables_of(self, tree: exp.Expr) -> set[str]:
        """The tables that a condition speaks of.

        Raises:
            Unreadable: it is about figures, not rows.
        """
        from sqlglot import exp

        if tree.find(exp.AggFunc):
            raise Unreadable(tree.sql())
        return {self.expressions.attribute_of(column).table for column in tree.find_all(exp.Column)}

    def _sql(self, tree: exp.Expr) -> str:
        return tree.sql(dialect=self.schema.dialect)


_PRONOUNS = ("those", "these", "ones", "one", "rows", "records", "entries", "anyone", "everyone", "people", "all")
_BARE = re.compile(r"^(?:(?:all|any|every|each|the|a|an|only)\s+)+(?!of\b)", re.IGNORECASE)
_LINKED = re.compile(
    r"(?:(?:rows|records|entries) (?:in|of|from) (?:the )?)?(?P<t>[\w. ]+?)(?: table)?,?\s+"
    r"(?:where|with|whose|that|who|which|having|when|for which|in which|on which)\s+(?:the\s+|a\s+|an\s+)?(?P<c>.+)",
    re.IGNORECASE,
)


_PAST = re.compile(
    r"(?P<t>[\w. ]+?) (?P<c>(?:\w+ed|bought|sold|sent|paid|made|born) "
    r"(?:in|within|during|since|after|before|until|from|between|on|over|later than|prior to) .+)",
    re.IGNORECASE,
)


def _rivals(option: Option) -> bool:
    """Whether words by which a table goes in part surely name something else: keys are called like their tables."""
    match option:
        case ToColumn():
            return option.strength >= _SURE and option.attribute.role not in ("key", "reference")
        case ToTable():
            return False
        case _:
            return option.strength >= _SURE


def halves(text: str) -> Iterator[tuple[str, str]]:
    """ "closed support tickets": what stands before a name, and the name."""
    words = text.split()
    for at in range(1, min(len(words), 4)):
        yield " ".join(words[:at]), " ".join(words[at:])


def _plain(text: str) -> str:
    quotes = str.maketrans({"“": "'", "”": "'", "‘": "'", "’": "'", "`": None})
    return text.translate(quotes).strip(" .;,")
