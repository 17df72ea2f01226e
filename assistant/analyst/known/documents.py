"""The knowledge that speaks of one source on one day: metrics as figures, terms as conditions, rules as conditions.

Nothing is searched here: the analyst is given the documents. What names a table or a column that the source does not
have is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.errors import ParseError

from assistant.analyst.algebra import NO_FILTER, Both, Column, Condition, Defined, Figure, Metric
from assistant.analyst.names import words_of
from assistant.analyst.schema import Schema
from knowledge.parsing import parse_one

if TYPE_CHECKING:
    from datetime import date

    from knowledge import documents as written

TODAY = "{today}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedMetric:
    """A figure of a table's rows with all its names, and the document that defines it."""

    figure: Figure
    table: str
    names: tuple[str, ...]
    document: str
    definition: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTerm:
    """A condition on the rows of a table with all its names and its document."""

    table: str
    value: Condition
    names: tuple[str, ...]
    document: str
    definition: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRule:
    """A condition that holds for the rows of some tables unless a question speaks of its columns itself."""

    name: str
    condition: Defined
    tables: tuple[str, ...]
    document: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedDocuments:
    """All knowledge of one source. `prose` are terms that define a word in a sentence alone."""

    metrics: tuple[NamedMetric, ...] = ()
    terms: tuple[NamedTerm, ...] = ()
    rules: tuple[StandingRule, ...] = ()
    queries: tuple[written.VerifiedQuery, ...] = ()
    prose: tuple[written.Term, ...] = field(default=())


def prepare(documents: Iterable[written.Document], schema: Schema, today: date) -> PreparedDocuments:
    """Keep what speaks of this source, with the day put in."""
    from knowledge import documents as written

    reader = _Written(schema=schema, today=today)
    own = [document for document in documents if document.source in (None, schema.source)]
    terms = [document for document in own if isinstance(document, written.Term)]
    rules = [document for document in own if isinstance(document, written.Rule)]
    queries = [document for document in own if isinstance(document, written.VerifiedQuery)]
    return PreparedDocuments(
        metrics=tuple(
            entry for candidate in own if isinstance(candidate, written.Metric) for entry in reader.metric(candidate)
        ),
        terms=tuple(entry for term in terms if term.sql for entry in reader.term(term, term.sql)),
        rules=tuple(entry for rule in rules if rule.condition for entry in reader.rule(rule, rule.condition)),
        queries=tuple(query for query in queries if query.sql and all(map(reader.table, query.tables))),
        prose=tuple(term for term in terms if not term.sql),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """Reads what people wrote in SQL against a schema."""

    schema: Schema
    today: date

    def table(self, name: str) -> str | None:
        """The table as the source spells it."""
        return next((t for t in self.schema.tables if t.casefold() == name.casefold()), None)

    def metric(self, document: written.Metric) -> Iterator[NamedMetric]:
        table = self.table(document.table)
        expression = self._sql(document.expression, table) if table else None
        filters = [self._sql(text, table) for text in document.filters] if table else []
        if table is None or expression is None or any(f is None for f in filters):
            return
        defined_filters = [Defined("", *f) for f in filters if f is not None]
        where: Condition = (
            NO_FILTER
            if not defined_filters
            else defined_filters[0]
            if len(defined_filters) == 1
            else Both(tuple(defined_filters))
        )
        units = {"percent": "%", "currency": document.unit_symbol or "", "count": "", None: ""}
        figure = Metric(document.name, table, *expression, self._date(document, table), units[document.unit], where)
        yield NamedMetric(
            figure=figure,
            table=table,
            names=(document.name, *document.synonyms),
            document=document.id,
            definition=document.definition,
        )

    def _date(self, document: written.Metric, table: str) -> Column | None:
        expression = self._sql(document.date_column, table) if document.date_column else None
        return expression[1][0] if expression and expression[1] else None

    def term(self, document: written.Term, sql: str) -> Iterator[NamedTerm]:
        table = self.table(document.table) if document.table else None
        expression = self._sql(sql, table)
        if expression is None or not expression[1]:
            return
        if not isinstance(self._parsed(expression[0]).unnest(), exp.Predicate | exp.Connector | exp.Not):
            return  # a value is no condition
        yield NamedTerm(
            table=table or expression[1][0].table,
            value=Defined(document.name, *expression),
            names=(document.name, *document.synonyms),
            document=document.id,
            definition=document.definition,
        )

    def rule(self, document: written.Rule, condition: str) -> Iterator[StandingRule]:
        bound = [table for name in document.applies_to if (table := self.table(name))]
        expression = self._sql(condition, bound[0] if len(bound) == 1 else None)
        if expression is None or not expression[1]:
            return
        tables = tuple(bound) or (expression[1][0].table,)
        yield StandingRule(name=document.name, condition=Defined("", *expression), tables=tables, document=document.id)

    def _sql(self, sql: str, table: str | None) -> tuple[str, tuple[Column, ...]] | None:
        """SQL with every column as `table.column`, and those columns; None where the source has not all of them."""
        try:
            tree = self._parsed(sql.replace(TODAY, self.today.isoformat()))
        except ParseError:
            return None
        columns: list[Column] = []
        for written_column in tree.find_all(exp.Column):
            column = self._column(written_column, table)
            if column is None:
                return None
            written_column.set("table", exp.to_identifier(column.table, quoted=True))
            written_column.set("this", exp.to_identifier(column.name, quoted=True))
            columns.append(column)
        return tree.sql(dialect=self.schema.dialect), tuple(dict.fromkeys(columns))

    def _parsed(self, sql: str) -> exp.Expr:
        return parse_one(sql, self.schema.dialect)

    def _column(self, reference: exp.Column, table: str | None) -> Column | None:
        home = self.table(reference.table) if reference.table else table
        if home is None:
            return None
        columns = self.schema.tables[home].columns
        return next((c for c in columns if c.name.casefold() == reference.name.casefold()), None)


def name_words(name: str) -> tuple[str, ...]:
    """The words of a name in base form, as a question's words are compared with."""
    return tuple(word for part in name.split() for word in words_of(part.lower()))
