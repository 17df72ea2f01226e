"""Means per thing of what lies in several rows of it: totals or numbers for each thing first, then their mean."""

from __future__ import annotations

import pytest
from row_tables import RowTables
from rows_evaluator import Parent

from assistant.analyst import algebra as al
from assistant.analyst.deciding import decide
from assistant.analyst.ranking import weights
from assistant.analyst.reading import QuestionReader

EXPORT = RowTables(
    name="export",
    tables={
        "export": [
            {
                "line_id": i,
                "order_id": f"O-{1000 + i // 3}",
                "customer_name": f"Person {chr(65 + i // 3 % 26)}{chr(97 + i // 3 % 60 // 26)}",
                "region": ("North", "South", "East")[i % 3],
                "profit": float(i * 7 % 31 - 5),
            }
            for i in range(240)
        ]
    },
    parents=(),
    types={"profit": "DOUBLE"},
)
SHOP = RowTables(
    name="shop",
    tables={
        "albums": [{"album_id": i, "title": f"Album {chr(65 + i)}", "units_on_order": i % 4} for i in range(9)],
        "tracks": [{"track_id": i, "album_id": i * i % 9, "name": f"Track {i}"} for i in range(60)],
        "orders": [{"order_id": 500 + i, "placed": f"2024-0{1 + i % 9}-11"} for i in range(30)],
        "order_lines": [
            {"line_id": i, "order_id": 500 + i * i % 30, "album_id": i % 9, "price": 2.5 + i % 5, "quantity": 1 + i % 3}
            for i in range(80)
        ],
    },
    parents=(
        Parent("tracks", "album_id", "albums", "album_id"),
        Parent("order_lines", "order_id", "orders", "order_id"),
        Parent("order_lines", "album_id", "albums", "album_id"),
    ),
    types={"placed": "DATE", "price": "DOUBLE"},
)
PROFIT, ORDER = al.Column("export", "profit"), al.Column("export", "order_id")


@pytest.fixture(scope="module")
def export() -> QuestionReader:
    return QuestionReader(EXPORT.catalog())


@pytest.fixture(scope="module")
def shop() -> QuestionReader:
    return QuestionReader(SHOP.catalog())


@pytest.mark.parametrize(
    ("question", "function"), [("average profit per order", "mean"), ("median profit per order", "median")]
)
def test_lines_are_added_up_for_each_order_first(export: QuestionReader, question: str, function: al.Function) -> None:
    query = export.read(question)[0].query
    assert isinstance(query, al.Grouped)
    assert isinstance(query.of, al.Groups)
    assert (query.keys, query.figures) == ((), (al.Aggregate(function, al.Output(1)),))
    assert isinstance(query.of.query, al.Grouped)
    assert (query.of.query.keys, query.of.query.figures) == ((ORDER,), (al.Aggregate("sum", PROFIT),))


def test_no_order_is_listed_with_the_mean_of_its_lines(export: QuestionReader) -> None:
    found = [reading.query for reading in export.read("average profit per order")]
    of_lines = ((ORDER,), (al.Aggregate("mean", PROFIT),))
    assert of_lines not in [(q.keys, q.figures) for q in found if isinstance(q, al.Grouped)]


def test_a_mean_by_class_is_one_for_each(export: QuestionReader) -> None:
    query = export.read("average profit per region")[0].query
    assert isinstance(query, al.Grouped)
    assert (query.keys, query.figures) == ((al.Column("export", "region"),), (al.Aggregate("mean", PROFIT),))


def test_means_of_many_people_are_asked_about(export: QuestionReader) -> None:
    """ "average profit per customer" may be a list of 60 means, or the mean of what each brings."""
    decision = decide(export.read("average profit per customer"), None, weights())
    assert decision.kind != "answer"
    assert len(decision.options) > 1


@pytest.mark.parametrize(
    "question", ["average number of tracks on an album", "how many tracks does an album have on average"]
)
def test_what_a_thing_has_is_counted_before_the_mean(shop: QuestionReader, question: str) -> None:
    query = shop.read(question)[0].query
    assert isinstance(query, al.Grouped)
    assert isinstance(query.of, al.Groups)
    assert query.figures[0].function == "mean"  # type: ignore[union-attr]
    assert al.Count() in set(al.parts(query.of.query))


@pytest.mark.parametrize("question", ["average order value", "average order size"])
def test_the_value_of_an_order_may_lie_in_its_lines(shop: QuestionReader, question: str) -> None:
    query = shop.read(question)[0].query
    amount = al.Arithmetic("*", al.Column("order_lines", "price"), al.Column("order_lines", "quantity"))
    orders = al.Aggregate("distinct", al.Column("order_lines", "order_id"))
    assert query == al.Grouped(al.Rows("order_lines"), (), (al.Combined("ratio", al.Aggregate("sum", amount), orders),))
