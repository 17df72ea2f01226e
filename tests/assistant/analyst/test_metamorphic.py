"""Laws that hold between questions, whatever the data: their answers are compared with each other, not with gold.

A question that is not understood breaks no law; therefore each law has a floor of questions that it was held against.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest
from little_shop import SHOP
from row_tables import RowTables
from sample_analyst import asked, columns, rows_of, sample_analyst

from assistant.analyst.algebra import (
    NO_FILTER,
    Both,
    Column,
    Condition,
    Count,
    Defined,
    Either,
    Grouped,
    Missing,
    Not,
    Query,
    Related,
    Rows,
    parts,
)
from assistant.analyst.analyst import Analyst
from assistant.analyst.outcomes import Outcome, Understood
from assistant.analyst.sql.custom_sql import rejects_missing
from assistant.analyst.sql.queries import to_sql

CONDITIONS = {
    "orders": ("online", "in 2025", "with status completed", "from the North region", "since 2024"),
    "customers": ("corporate", "churned", "from the South region", "who signed up in 2025", "in the consumer segment"),
    "products": ("in the Furniture category", "discontinued", "with list price over 100", "with unit cost under 20"),
    "support tickets": ("open", "with priority urgent", "about delivery", "opened"),
    "returns": ("in 2025", "with quantity over 1", "with refund amount under 50"),
}
FIGURES = ("net revenue", "units sold", "gross revenue", "total refund amount")
KEYS = ("region", "category", "customer segment")
POLITE = ("{}?", "please {}", "can you show me {}", "show me {}", "{} please", "{}.")
PLAIN = ("net revenue by region", "top 5 products by units sold", "how many open tickets are there", "churn rate")


@cache
def outcome_of(question: str) -> Outcome:
    """What comes of a question; laws compare the same ones with many others."""
    return asked(question)


def query_of(question: str) -> Query | None:
    """The query that a question means by itself; None where it is not understood."""
    outcome = outcome_of(question)
    is_query = isinstance(outcome, Understood) and not outcome.meaning.study and not outcome.meaning.verbatim
    return outcome.meaning.query if isinstance(outcome, Understood) and is_query else None


def count(rows: Rows) -> int:
    """How many rows there are."""
    schema = sample_analyst().sources["company"].schema
    value = rows_of(to_sql(Grouped(rows, (), (Count(),)), schema))[0][0]
    assert isinstance(value, int)
    return value


def answer(question: str) -> list[tuple[object, ...]] | None:
    """The rows that answer a question; None where it is not understood."""
    outcome = outcome_of(question)
    return rows_of(sample_analyst().sql(outcome.meaning)) if isinstance(outcome, Understood) else None


def own_conditions(rows: Rows) -> list[Condition]:
    """The conditions that the question names, without those of standing rules."""
    found = rows.where.conditions if isinstance(rows.where, Both) else (rows.where,)
    return [c for c in found if not (isinstance(c, Defined) and not c.name)]


def conditioned() -> Iterator[tuple[str, Rows, Condition]]:
    """Questions with a condition, the rows that are meant, and that condition."""
    for thing, said in CONDITIONS.items():
        for condition in said:
            for question in (f"how many {condition} {thing} are there", f"how many {thing} {condition}"):
                query = query_of(question)
                if isinstance(query, Grouped) and isinstance(query.of, Rows) and len(own_conditions(query.of)) == 1:
                    yield question, query.of, own_conditions(query.of)[0]
                    break


def can_be_open(condition: Condition) -> bool:
    """Whether a condition is neither true nor false where a value is missing."""
    if isinstance(condition, Defined):
        return rejects_missing(condition.sql)
    return not any(isinstance(part, Related | Missing) for part in parts(condition))


def test_rows_that_meet_a_condition_that_fail_it_and_that_leave_it_open_are_all() -> None:
    seen = 0
    for question, rows, condition in conditioned():
        read = {part for part in parts(condition) if isinstance(part, Column)}
        is_open = Either(tuple(Missing(c) for c in read)) if can_be_open(condition) else Either(())
        everything = Rows(rows.table)
        sizes = [count(replace(everything, where=c)) for c in (condition, Not(condition), is_open)]
        assert sum(sizes) == count(everything), question
        seen += 1
    assert seen >= 15


def test_a_filter_more_never_adds_rows() -> None:
    seen = 0
    for question, more, fewer in filtered_twice():
        if more is not None and fewer is not None:
            assert fewer <= more, question
            seen += 1
    assert seen >= 8


def filtered_twice() -> Iterator[tuple[str, int | None, int | None]]:
    """Questions with two conditions: how many rows meet the first one, and how many both, where it is understood."""
    for thing, said in CONDITIONS.items():
        behind = [condition for condition in said if " " in condition and not condition.startswith("about")]
        for one, other in combinations(behind, 2):
            question = f"how many {thing} {one} {other}"
            yield question, number(f"how many {thing} {one}"), number(question)


def number(question: str) -> int | None:
    """The number that answers a question; None where it is not understood."""
    rows = answer(question)
    value = rows[0][0] if rows and len(rows) == len(rows[0]) == 1 else None
    return value if isinstance(value, int) else None


def test_an_order_neither_adds_nor_drops_rows() -> None:
    by = {"orders": "freight", "products": "list price", "customers": "signup date", "returns": "refund amount"}
    seen = 0
    for thing, column in by.items():
        for direction in ("ascending", "descending"):
            ordered = answer(f"list the {thing} sorted by {column} {direction}")
            if ordered is not None:
                assert len(ordered) == number(f"how many {thing} are there"), thing
                seen += 1
    assert seen >= 2


@pytest.mark.parametrize("figure", FIGURES)
def test_the_groups_of_a_total_add_up_to_it(figure: str) -> None:
    whole = answer(f"{figure}")
    assert whole is not None
    seen = 0
    for key in KEYS:
        query, rows = query_of(f"{figure} by {key}"), answer(f"{figure} by {key}")
        if rows is None or not isinstance(query, Grouped) or not query.keys:
            continue
        assert sum(v for v in columns(rows, -1) if isinstance(v, int | float)) == pytest.approx(whole[0][0]), key
        seen += 1
    assert seen >= 2


@pytest.mark.parametrize("thing", ["products", "customers", "categories", "regions"])
def test_the_top_three_are_the_head_of_the_top_five(thing: str) -> None:
    three, five = answer(f"top 3 {thing} by net revenue"), answer(f"top 5 {thing} by net revenue")
    assert three is not None
    assert five is not None
    assert three == five[:3]


@pytest.mark.parametrize("question", PLAIN)
@pytest.mark.parametrize("form", POLITE)
def test_courtesies_and_signs_change_nothing(question: str, form: str) -> None:
    assert query_of(form.format(question)) == query_of(question) is not None


@pytest.mark.parametrize(
    "question", ["how many products are in the Furniture category", "Top 5 Products By Units Sold"]
)
def test_case_changes_nothing(question: str) -> None:
    assert query_of(question.lower()) == query_of(question) is not None


RENAMED = {"customers": "clients", "orders": "bookings", "lines": "lines", "products": "articles"}
ASKED = (
    "how many {orders} are there",
    "total freight by region",
    "how many {customers} are in the North region",
    "average freight by region",
    "average freight",
)


def test_renaming_tables_in_data_and_question_changes_no_answer() -> None:
    tables = {RENAMED[name]: rows for name, rows in SHOP.tables.items()}
    parents = tuple(
        replace(parent, table=RENAMED[parent.table], child=RENAMED[parent.child]) for parent in SHOP.parents
    )
    renamed = replace(SHOP, tables=tables, parents=parents)
    for said in ASKED:
        own = shop_answer(SHOP, said.format(**{name: name for name in RENAMED}))
        assert own == shop_answer(renamed, said.format(**RENAMED)), said
        assert own is not None, said


def test_renaming_values_in_data_and_question_changes_no_answer() -> None:
    names = {"North": "Harbour", "South": "Valley", "book": "novel"}
    tables = {
        name: [{key: names.get(str(value), value) for key, value in row.items()} for row in rows]
        for name, rows in SHOP.tables.items()
    }
    renamed = replace(SHOP, tables=tables)
    for said in (
        "how many customers are in the {North} region",
        "total freight of orders from the {South} region",
        "average price of {book} products",
        "customers in the {North} region",
    ):
        own = shop_answer(SHOP, said.format(**{name: name for name in names}))
        assert own == shop_answer(renamed, said.format(**names)), said
        assert own is not None, said


def shop_answer(shop: RowTables, question: str) -> list[str] | None:
    """The rows that answer a question on the little shop, whichever names it has."""
    from datetime import date

    analyst = Analyst((shop.catalog(),), (), date(2026, 11, 21))
    outcome = analyst.read(question)
    if not isinstance(outcome, Understood):
        return None
    return sorted(map(repr, shop.sqlite().execute(analyst.sql(outcome.meaning)).fetchall()))


def test_no_condition_is_lost_where_there_is_none() -> None:
    query = query_of("how many customers are there")
    assert isinstance(query, Grouped)
    assert query.of == Rows("customers", NO_FILTER)
