"""A file that tells on each of its lines what an order came to: every line counts, and once for each order if asked."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from datetime import date, timedelta

import duckdb
import pytest

from assistant.agents.analyst.offers import Offer, add_distinct_offer
from assistant.analyst.algebra import Column, Grouped, Rows
from assistant.analyst.analyst import Analyst
from assistant.analyst.meaning import Meaning
from assistant.analyst.outcomes import Declined, Understood
from assistant.analyst.presenting.answers import AnswerRows, word_answer
from assistant.cells.tables import TableView
from assistant.sources.engines.duckdb_catalog import read_catalog

Export = tuple[Analyst, duckdb.DuckDBPyConnection]
ORDERS = 'SELECT DISTINCT "Order No", "Order Date", Customer, Country, Freight FROM export'


@pytest.fixture(scope="module")
def export() -> Iterator[Export]:
    random.seed(8)
    with duckdb.connect() as con:
        con.execute(
            'CREATE TABLE export ("Order No" INTEGER, "Order Date" DATE, Customer VARCHAR, Country VARCHAR,'
            " Product VARCHAR, Quantity INTEGER, Freight DOUBLE)"
        )
        for number in range(1, 121):
            day, who = date(2026, 1, 3) + timedelta(days=random.randrange(300)), random.randrange(26)
            order = (number, day, f"Client {who:02}", ("Italy", "Malta", "Spain")[who % 3])
            freight = float(random.randrange(4, 90))
            for name in random.sample(("Tea", "Coffee", "Cocoa", "Honey"), random.randrange(1, 5)):
                con.execute(
                    "INSERT INTO export VALUES (?, ?, ?, ?, ?, ?, ?)", [*order, name, random.randrange(1, 6), freight]
                )
        yield Analyst([read_catalog(con, source="export")], (), date(2026, 11, 21)), con


def _rows(con: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[object, ...]]:
    found = con.execute(sql).fetchall()
    return sorted(tuple(round(v, 6) if isinstance(v, float) else v for v in row) for row in found)


@pytest.mark.parametrize(
    ("question", "figure", "by"),
    [
        ("total freight", "SUM(Freight)", ""),
        ("total freight by country", "Country, SUM(Freight)", " GROUP BY 1"),
        ("average freight by country", "Country, AVG(Freight)", " GROUP BY 1"),
        ("total freight by product", "Product, SUM(Freight)", " GROUP BY 1"),
        ("total freight in Italy", "SUM(Freight)", " WHERE Country = 'Italy'"),
        ("total quantity by product", "Product, SUM(Quantity)", " GROUP BY 1"),
    ],
)
def test_every_row_counts(export: Export, question: str, figure: str, by: str) -> None:
    analyst, con = export
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), outcome
    assert _rows(con, analyst.sql(outcome.meaning)) == _rows(con, f"SELECT {figure} FROM export{by}")


@pytest.mark.parametrize(
    ("question", "figure", "by"),
    [
        ("total freight counting each order once", "SUM(Freight)", ""),
        ("total freight, count each order no only once", "SUM(Freight)", ""),
        ("total freight once per order", "SUM(Freight)", ""),
        ("average freight by country, counting each order once", "Country, AVG(Freight)", " GROUP BY 1"),
        ("total freight in Italy if each order counts once", "SUM(Freight)", " WHERE Country = 'Italy'"),
    ],
)
def test_each_order_counts_once_where_that_is_asked(export: Export, question: str, figure: str, by: str) -> None:
    analyst, con = export
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), outcome
    assert "counting each order no once" in outcome.restated
    assert _rows(con, analyst.sql(outcome.meaning)) == _rows(con, f"SELECT {figure} FROM ({ORDERS}){by}")


def test_what_differs_between_the_lines_of_an_order_has_no_part_of_its_freight(export: Export) -> None:
    outcome = export[0].read("total freight by product, counting each order once")
    assert isinstance(outcome, Declined)
    assert "cannot count once" in outcome.reason


def test_once_said_of_what_does_not_repeat_is_no_such_wish(export: Export) -> None:
    outcome = export[0].read("total quantity by country, counting each country once")
    assert not isinstance(outcome, Understood)


def _offer(export: Export, question: str, previous: Meaning | None = None, *, can_look: bool = True) -> Offer:
    """The answer to a question with what is offered beside it."""
    analyst, con = export
    outcome = analyst.read(question, previous)
    assert isinstance(outcome, Understood), outcome

    def view(meaning: Meaning) -> TableView:
        cursor = con.execute(analyst.sql(meaning))
        rows = tuple(cursor.fetchall())
        return TableView(columns=tuple(d[0] for d in cursor.description or ()), rows=rows, total=len(rows))

    async def look(meaning: Meaning) -> TableView | None:
        return view(meaning) if can_look else None

    table = view(outcome.meaning)
    result = AnswerRows.of(table.columns, table.rows, table.total)
    text = word_answer(outcome.meaning, result, analyst.schema_of(outcome.meaning))
    return asyncio.run(add_distinct_offer(text, outcome.meaning, result, analyst, look))


def test_the_other_figure_is_offered_beside_the_total(export: Export) -> None:
    every, once = (int(_rows(export[1], f"SELECT SUM(Freight) FROM {of}")[0][0]) for of in ("export", f"({ORDERS})"))  # type: ignore[call-overload]
    offer = _offer(export, "total freight")
    assert offer.text.endswith(f": **{every:,}**; {once:,} if each order no counts once.")
    assert f"{once:,} if each order no counts once" in offer.notes[0]
    followed = export[0].read(offer.follow_ups[0], Meaning(source="export", query=_query(export, "total freight")))
    assert isinstance(followed, Understood)
    assert _rows(export[1], export[0].sql(followed.meaning)) == [(float(once),)]


def _query(export: Export, question: str) -> Grouped:
    outcome = export[0].read(question)
    assert isinstance(outcome, Understood)
    assert isinstance(outcome.meaning.query, Grouped)
    return outcome.meaning.query


def test_the_other_figures_of_groups_are_offered(export: Export) -> None:
    offer = _offer(export, "average freight by country")
    assert " If each order no counts once: **" in offer.text
    assert offer.follow_ups == ("count each order no once",)


def test_what_cannot_count_once_says_that_every_row_counts(export: Export) -> None:
    offer = _offer(export, "total freight by product")
    assert offer.notes == ("Values repeat on the rows of each order no; here every row counts.",)


def test_a_source_that_gives_no_other_figure_leaves_the_offer_in_words(export: Export) -> None:
    offer = _offer(export, "total freight", can_look=False)
    assert "once" not in offer.text
    assert "count each order no once" in offer.notes[0]


@pytest.mark.parametrize("question", ["total quantity by product", "total freight counting each order once"])
def test_nothing_is_offered_where_nothing_repeats_or_it_was_asked_for(export: Export, question: str) -> None:
    assert _offer(export, question).notes == ()


def test_nothing_is_offered_where_both_figures_are_the_same(export: Export) -> None:
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE export AS SELECT r // 2 AS order_no, 5.0 + (r // 2) % 3 AS freight FROM range(80) t(r)"
        )
        analyst = Analyst([read_catalog(con, source="export")], (), date(2026, 11, 21))
        assert analyst.schema_of(Meaning(source="export", query=Grouped(Rows("export"), (), ()))).wholes == {
            Column("export", "order_no")
        }
        assert _offer((analyst, con), "average freight").notes == ()
