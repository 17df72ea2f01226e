"""Operands: what a part of a formula is that cannot be cut further, a number, SQL, columns, or a figure already known.

Columns go by their whole name; by a part of it only where no other number column of the tables spoken of does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.embedded.definitions import cutting
from assistant.embedded.definitions.amounts import Amount, Amounts, real_divisions
from assistant.embedded.definitions.comparisons import options
from assistant.embedded.definitions.criteria import Criteria, halves
from assistant.embedded.definitions.expressions import Unreadable, is_condition, looks_like_sql
from assistant.embedded.linking.naming import linked_stems
from assistant.embedded.linking.options import ToColumn, ToMetric
from assistant.embedded.source.schema import Attribute
from assistant.embedded.sql.tables import number_of

if TYPE_CHECKING:
    from knowledge.documents import Metric

_SURE = 0.93


@dataclass(frozen=True)
class Operands:
    """Reads operands on one source. `near` are tables that are spoken of: a name of several means their column."""

    amounts: Amounts
    criteria: Criteria
    near: frozenset[str] = frozenset()

    def number(self, text: str) -> Amount:
        """A plain number."""
        from sqlglot import exp

        plain = text.replace(",", "")
        if not re.fullmatch(r"\d+(?:\.\d+)?", plain):
            raise Unreadable(text)
        return Amount(tree=exp.Literal.number(plain))

    def sql(self, text: str) -> Amount:
        """An expression in SQL."""
        if not looks_like_sql(text):
            raise Unreadable(text)
        tree = self.criteria.expressions.parsed(text, self.near)
        if is_condition(tree):
            raise Unreadable(text)
        return self.amounts.of_tree(real_divisions(tree))

    def columnar(self, text: str) -> Amount:
        """Columns in words with operators between: what is sure of one decides about the others."""
        import sqlglot
        from sqlglot.errors import SqlglotError

        signs = cutting.signed(text)
        if signs is None:
            raise Unreadable(text)
        expressions = self.criteria.expressions
        parts = [part for part in re.split(r"( [-+*/] |[()])", signs) if part.strip()]
        found = {n: self.numbers(part.strip()) for n, part in enumerate(parts) if re.match(r"\s*[A-Za-z]", part)}
        if len(found) < 2 and not any(part.strip().isdigit() for part in parts):
            raise Unreadable(text)
        bound = dict(zip(found, expressions.chosen(list(found.values()), set(self.near)), strict=True))
        dialect = self.criteria.schema.dialect
        for n, attribute in bound.items():
            parts[n] = self.column(attribute).tree.sql(dialect=dialect)
        try:
            tree = sqlglot.parse_one("".join(parts), read=dialect)
        except SqlglotError:
            raise Unreadable(text) from None
        return self.amounts.of_tree(real_divisions(tree))

    def numbers(self, text: str) -> list[Attribute]:
        """The number and date columns that words name.

        Raises:
            Unreadable: they name a figure.
        """
        found = options(self.criteria.exact.linker, text)
        literal = self.criteria.expressions.by_name(text)
        if not literal and any(isinstance(o, ToMetric) and o.strength >= _SURE for o in found):
            raise Unreadable(text)
        named = [o for o in found if isinstance(o, ToColumn)]
        columns = literal or [o.attribute for o in named if o.strength >= _SURE]
        numbers = [a for a in columns if a.is_number or a.role == "date"]
        return numbers or self._of_table(text) or self._by_part(text, [o.attribute for o in named])

    def _of_table(self, text: str) -> list[Attribute]:
        """ "booking amount": the one number of the bookings that is called so, or has it in its name."""
        for table, column in halves(text):
            entity = self.criteria.table(table)
            if entity is None:
                continue
            words = linked_stems(column)
            numbers = [a for a in entity.attributes.values() if a.is_number]
            whole = [a for a in numbers if words in (a.stems, a.own)]
            held = whole or [a for a in numbers if set(words) <= set(a.stems)]
            if len(held) == 1:
                return held
        return []

    def _by_part(self, text: str, attributes: list[Attribute]) -> list[Attribute]:
        """ "amount" where the only number of that kind is `payment_amount`."""
        words = set(linked_stems(text))
        held = [a for a in attributes if a.is_number and words <= set(a.stems)]
        near = [a for a in held if a.table in self.near]
        return next((found for found in (near, held) if len(found) == 1), [])

    def known(self, text: str) -> Amount:
        """A figure of the knowledge base, or a column by its whole name."""
        found = options(self.criteria.exact.linker, text)
        metrics = [o.metric for o in found if isinstance(o, ToMetric) and o.strength >= _SURE]
        if len(metrics) == 1 and not ("_" in text and self.criteria.expressions.by_name(text)):
            return self.metric(metrics[0])
        numbers = self.numbers(text)
        return self.column(self.criteria.expressions.chosen([numbers], set(self.near))[0])

    def column(self, attribute: Attribute) -> Amount:
        """A column, as a number where its source keeps numbers as text."""

        tree = number_of(self.criteria.expressions.column(attribute), attribute)
        return Amount(tree=tree, table=attribute.table, adds_up=attribute.adds_up)

    def metric(self, metric: Metric) -> Amount:
        """A figure of the knowledge base with its conditions."""
        expressions = self.criteria.expressions
        entity = self.criteria.schema.find_entity(metric.table)
        if entity is None:
            raise Unreadable(metric.name)
        dialect = self.criteria.schema.dialect
        filters = tuple(expressions.qualified(f, entity.name).sql(dialect=dialect) for f in metric.filters)
        tree = expressions.qualified(metric.expression, entity.name)
        return Amount(tree=tree, table=entity.name, whole=True, filters=filters)
