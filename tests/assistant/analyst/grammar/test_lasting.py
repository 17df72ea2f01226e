"""How long things take, and how late they are: told by two dates of one row."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from row_tables import RowTables
from rows_evaluator import Parent

from assistant.analyst import algebra as al
from assistant.analyst.durations import lasted
from assistant.analyst.reading import QuestionReader
from assistant.analyst.schema import Schema
from assistant.analyst.wording import sentence

FIRST = datetime(2024, 1, 3)


def day(n: int, hours: int = 0) -> str:
    return (FIRST + timedelta(days=n, hours=hours)).isoformat(sep=" ")


PARCELS = RowTables(
    name="parcels",
    tables={
        "carriers": [{"carrier_id": i, "name": ("Fleet", "Snail", "Post")[i], "founded": 1950 + i} for i in range(3)],
        "parcels": [
            {
                "parcel_id": 100 + i,
                "carrier_id": i % 3,
                "order_date": day(5 * i)[:10],
                "promised_date": day(5 * i + 4)[:10],
                "delivery_date": None if i % 9 == 8 else day(5 * i + 2 + i % 3 * 2)[:10],
                "weight": float(1 + i % 7),
            }
            for i in range(60)
        ],
        "drivers": [
            {"driver_id": i, "birth_date": day(-9000 - 40 * i)[:10], "hired": day(-300 - 9 * i)[:10]} for i in range(9)
        ],
        "stops": [{"stop_id": i, "started": day(i, 8), "ended": day(i, 9)} for i in range(20)],
    },
    parents=(Parent("parcels", "carrier_id", "carriers", "carrier_id"),),
    types={"order_date": "DATE", "promised_date": "DATE", "delivery_date": "DATE", "started": "DATE"}
    | {"ended": "DATE", "birth_date": "DATE", "hired": "DATE", "weight": "DOUBLE"},
)
ORDERED, PROMISED, DELIVERED = (al.Column("parcels", f"{name}_date") for name in ("order", "promised", "delivery"))
TIME, LATE = al.Days(ORDERED, DELIVERED), al.Days(PROMISED, DELIVERED)


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    return QuestionReader(PARCELS.catalog())


@pytest.fixture(scope="module")
def schema() -> Schema:
    return Schema.of(PARCELS.catalog())


def read(reader: QuestionReader, question: str) -> al.Query:
    return reader.read(question)[0].query


@pytest.mark.parametrize(
    ("question", "function"),
    [
        ("average delivery time", "mean"),
        ("average delivery time in days", "mean"),
        ("how long does delivery take", "mean"),
        ("how long does delivery take on average", "mean"),
        ("how long does delivery take at the median", "median"),
        ("time between order and delivery", "mean"),
        ("maximum delivery time", "max"),
    ],
)
def test_a_deed_takes_the_days_since_the_date_before_it(
    reader: QuestionReader, question: str, function: al.Function
) -> None:
    query = read(reader, question)
    assert query == al.Grouped(al.Rows("parcels"), (), (al.Aggregate(function, TIME),))
    assert sentence(query).endswith("days from order date to delivery date of parcels")


def test_the_slowest_of_others_takes_longest_on_average(reader: QuestionReader) -> None:
    query = read(reader, "which carrier is slowest")
    assert isinstance(query, al.Grouped)
    assert al.Column("carriers", "name") in query.keys
    assert query.figures == (al.Aggregate("mean", TIME),)
    assert query.order[0].descending


def test_rows_are_compared_by_what_they_took(reader: QuestionReader) -> None:
    query = read(reader, "how many parcels took more than 2 weeks to deliver")
    assert query == al.Grouped(al.Rows("parcels", al.Compare(TIME, ">", al.Constant(14))), (), (al.Count(),))


@pytest.mark.parametrize(("said", "op"), [("late", ">"), ("on time", "<=")])
def test_what_came_after_the_planned_day_is_late(reader: QuestionReader, said: str, op: al.Comparison) -> None:
    query = read(reader, f"how many parcels were {said}")
    assert query == al.Grouped(al.Rows("parcels", al.Compare(LATE, op, al.Constant(0))), (), (al.Count(),))


def test_no_time_is_told_by_dates_that_are_no_course_of_days(schema: Schema) -> None:
    """A hiring ends nothing that began with the birth; whole days say nothing of what takes an hour; plans end nothing."""
    ends = [al.Column("drivers", "hired"), al.Column("stops", "ended"), PROMISED, ORDERED]
    assert [lasted(schema, end) for end in ends] == [None] * 4
    assert lasted(schema, DELIVERED) == TIME


def test_no_total_is_made_of_dates(reader: QuestionReader) -> None:
    found = {part for reading in reader.read("total delivery date")[:5] for part in al.parts(reading.query)}
    assert al.Aggregate("sum", TIME) not in found
