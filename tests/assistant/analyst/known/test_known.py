"""Metrics, terms and rules of the knowledge base as values of the algebra, and as words of a question."""

from __future__ import annotations

from datetime import date

import pytest
from little_shop import catalog, sqlite

from assistant.analyst.algebra import NO_FILTER, Column, Combined, Defined, Grouped, Listing, Metric, Rows
from assistant.analyst.checking import problems
from assistant.analyst.known.anchors import KnownLinker
from assistant.analyst.known.documents import PreparedDocuments, prepare
from assistant.analyst.linking.tokens import words
from assistant.analyst.reading import QuestionReader
from assistant.analyst.schema import Schema
from assistant.analyst.sql.queries import to_sql
from knowledge.documents import Metric as MetricDoc
from knowledge.documents import Rule, Term

TODAY = date(2026, 11, 21)
DOCUMENTS = (
    MetricDoc(
        name="shipping income",
        synonyms=("shipping",),
        expression="SUM(orders.freight)",
        table="orders",
        filters=("orders.freight > 0",),
        date_column="orders.day",
    ),
    MetricDoc(name="freight per order", expression="SUM(freight) / COUNT(*)", table="orders"),
    MetricDoc(name="elsewhere", expression="SUM(invoices.amount)", table="invoices"),
    Term(name="heavy order", synonyms=("whale",), definition="", table="orders", sql="orders.freight > 10"),
    Rule(name="Dated", statement="", applies_to=("orders",), condition="orders.day < '{today}'"),
)


@pytest.fixture(scope="module")
def schema() -> Schema:
    return Schema.of(catalog())


@pytest.fixture(scope="module")
def known(schema: Schema) -> PreparedDocuments:
    return prepare(DOCUMENTS, schema, TODAY)


def test_what_names_no_table_of_the_source_is_left_out(known: PreparedDocuments) -> None:
    assert [named.names[0] for named in known.metrics] == ["shipping income", "freight per order"]


def test_the_day_stands_in_a_rule(known: PreparedDocuments) -> None:
    (rule,) = known.rules
    assert TODAY.isoformat() in rule.condition.sql
    assert rule.condition.columns == (Column("orders", "day"),)


def test_a_metric_computes_over_its_own_rows_beside_other_figures(known: PreparedDocuments, schema: Schema) -> None:
    first, second = (named.figure for named in known.metrics)
    query = Grouped(Rows("orders"), (), (first, second, Combined("ratio", first, second)))
    assert problems(query, schema) == ()
    ((income, mean, ratio),) = sqlite().execute(to_sql(query, schema)).fetchall()
    ((total,),) = sqlite().execute("SELECT SUM(freight) FROM orders WHERE freight > 0").fetchall()
    ((plain,),) = sqlite().execute("SELECT SUM(freight) / COUNT(*) FROM orders").fetchall()
    assert income == pytest.approx(total)
    assert mean == pytest.approx(plain)
    assert ratio == pytest.approx(total / plain)


def test_a_term_is_a_condition_and_a_quotient_adds_up_to_nothing(known: PreparedDocuments, schema: Schema) -> None:
    (term,) = known.terms
    query = Listing(Rows("orders", term.value), (Column("orders", "freight"),))
    assert all(freight > 10 for (freight,) in sqlite().execute(to_sql(query, schema)))
    assert isinstance(term.value, Defined)


def test_a_question_uses_them(known: PreparedDocuments, schema: Schema) -> None:
    reader = QuestionReader(catalog()).beside((KnownLinker(known, schema),))
    best = reader.read("shipping income by region")[0].query
    assert isinstance(best, Grouped)
    (figure,) = best.figures
    assert isinstance(figure, Metric)
    assert figure.where != NO_FILTER
    heavy = reader.read("how many heavy orders")[0].query
    assert isinstance(heavy, Grouped)
    assert heavy.of == Rows("orders", known.terms[0].value)


def test_a_term_that_names_a_whole_thing_is_written_out(known: PreparedDocuments, schema: Schema) -> None:
    linker = KnownLinker(known, schema)
    assert [word.lower for word in linker.written_out(words("how many whales"))] == ["how", "many", "whales", "order"]
    assert len(linker.written_out(words("how many whale orders"))) == 4


def test_a_term_that_begins_with_the_name_of_a_table_is_read_only_with_its_thing_behind_it(schema: Schema) -> None:
    term = Term(name="product line", definition="", table="lines", sql="lines.quantity > 0")
    linker = KnownLinker(prepare((term,), schema, TODAY), schema)
    assert [part.category for part in linker.anchors(words("how many product lines"))] == ["condition"]
    assert not list(linker.anchors(words("which product has the most lines")))
