"""What the knowledge base says, made ready for one source and one day.

Only metrics, terms, rules and verified queries whose tables the source has are kept; `{today}` in their SQL becomes
the day. Nothing is searched here: the analyst is given the documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from assistant.embedded.source.schema import Schema

if TYPE_CHECKING:
    from knowledge.documents import Document, Metric, Rule, Term, VerifiedQuery

TODAY = "{today}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BindingRule:
    """A rule with a condition, and the tables and columns that the condition speaks of (columns in lower case)."""

    id: str
    name: str
    origin: str
    condition: str
    applies_to: tuple[str, ...]
    tables: tuple[str, ...]
    columns: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """Another name, as prose gives it, of a table, a column, a value, or of a metric or term (`named`).

    `document` is the id of what says so, `said` tells the person.
    """

    name: str
    table: str = ""
    column: str = ""
    value: str = ""
    named: str = ""
    document: str = ""
    said: str = ""

    @property
    def target(self) -> tuple[str, str, str, str]:
        """What it is another name of."""
        return self.table, self.column, self.value, self.named


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The knowledge that applies to one source. `terms` have a condition; `aliases` are what prose calls things.

    `unread` are words that prose defines in a way that cannot be computed with, each with the title of what does so.
    """

    metrics: tuple[Metric, ...] = ()
    terms: tuple[Term, ...] = ()
    rules: tuple[BindingRule, ...] = ()
    queries: tuple[VerifiedQuery, ...] = ()
    aliases: tuple[Alias, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()


def prepare(documents: Iterable[Document], schema: Schema, today: date) -> Known:
    """Keep what speaks of this source and put the day in."""
    from knowledge.documents import Metric, Rule, Term, VerifiedQuery

    day = today.isoformat()
    metrics: list[Metric] = []
    terms: list[Term] = []
    rules: list[BindingRule] = []
    queries: list[VerifiedQuery] = []
    for document in documents:
        if document.source not in (None, schema.source):
            continue
        match document:
            case Metric() if _has(schema, document.table, *document.joins):
                metrics.append(
                    replace(
                        document,
                        expression=document.expression.replace(TODAY, day),
                        filters=tuple(f.replace(TODAY, day) for f in document.filters),
                    )
                )
            case Term() if document.sql and document.table and _has(schema, document.table):
                sql = document.sql.replace(TODAY, day)
                if _is_condition(sql, schema.dialect):
                    terms.append(replace(document, sql=sql))
            case Rule() if document.condition:
                rules += _binding(document, document.condition.replace(TODAY, day), schema)
            case VerifiedQuery() if _has(schema, *document.tables):
                queries.append(replace(document, sql=document.sql.replace(TODAY, day)))
            case _:
                continue
    return Known(metrics=tuple(metrics), terms=tuple(terms), rules=tuple(rules), queries=tuple(queries))


def _binding(rule: Rule, condition: str, schema: Schema) -> list[BindingRule]:
    """The rule if its condition speaks of one table of this source."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import ParseError

    try:
        columns = list(sqlglot.parse_one(condition, read=schema.dialect).find_all(exp.Column))
    except ParseError:
        return []
    tables = tuple(dict.fromkeys(c.table for c in columns if c.table))
    if not tables:
        tables = tuple(t for t in rule.applies_to if all(schema.find(t, c.name) for c in columns))[:1]
    if len(tables) != 1 or not _has(schema, *tables):
        return []
    return [
        BindingRule(
            id=rule.id,
            name=rule.name,
            origin=rule.origin,
            condition=condition,
            applies_to=rule.applies_to,
            tables=tables,
            columns=frozenset(c.name.lower() for c in columns),
        )
    ]


def _has(schema: Schema, *tables: str) -> bool:
    return all(schema.find_entity(table) is not None for table in tables)


def _is_condition(sql: str, dialect: str) -> bool:
    """Whether SQL is a condition (true or false) rather than a value."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import ParseError

    try:
        tree = sqlglot.parse_one(sql, read=dialect)
    except ParseError:
        return False
    while isinstance(tree, exp.Paren):
        tree = tree.this
    return isinstance(tree, exp.Predicate | exp.Connector | exp.Not | exp.Exists | exp.Boolean)
