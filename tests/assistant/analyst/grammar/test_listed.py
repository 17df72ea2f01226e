"""Things listed beside figures are counted, and things told by what was done to them are not what it was done by."""

from __future__ import annotations

import pytest
from row_tables import RowTables
from rows_evaluator import Parent

from assistant.analyst.algebra import Aggregate, Column, Count, Grouped, Not, Related, Rows, parts
from assistant.analyst.reading import QuestionReader

REPAIRED = (3, 5, 6, 11, 17)
YARD = RowTables(
    name="yard",
    tables={
        "owners": [{"owner_id": i, "name": f"Owner {i}", "town": ("Ulm", "Bonn")[i % 2]} for i in range(1, 6)],
        "boats": [
            {
                "boat_id": 10 + i,
                "owner_id": 1 + i % 4,
                "name": f"Boat {i}",
                "value": 100.0 * i + 7,
                "berth": "ABC"[i % 3],
            }
            for i in range(20)
        ],
        "repairs": [
            {"repair_id": 100 + i, "boat_id": 10 + boat, "cost": 20.5 + i, "hours": 2 + i}
            for i, boat in enumerate(REPAIRED)
        ],
    },
    parents=(Parent("boats", "owner_id", "owners", "owner_id"), Parent("repairs", "boat_id", "boats", "boat_id")),
    types={"value": "DOUBLE", "cost": "DOUBLE"},
)
VALUE, BERTH = Column("boats", "value"), Column("boats", "berth")


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    return QuestionReader(YARD.catalog())


def first(reader: QuestionReader, question: str) -> Grouped:
    query = reader.read(question)[0].query
    assert isinstance(query, Grouped)
    return query


@pytest.mark.parametrize("question", ["total value and boats by berth", "boats and total value by berth"])
def test_a_thing_listed_beside_a_figure_is_counted(reader: QuestionReader, question: str) -> None:
    query = first(reader, question)
    assert query.keys == (BERTH,)
    assert set(query.figures) == {Aggregate("sum", VALUE), Count()}


def test_no_reading_leaves_out_a_thing_that_is_listed(reader: QuestionReader) -> None:
    for reading in reader.read("total cost and owners by berth"):
        query = reading.query
        counted = {
            part for part in parts(query) if isinstance(part, Count) or getattr(part, "function", "") == "distinct"
        }
        keys = query.keys if isinstance(query, Grouped) else ()
        said = counted or any(isinstance(key, Column) and key.table == "owners" for key in keys)
        assert said or "owners" in reading.unread, reading


def test_things_that_something_was_done_to_are_those_with_rows_of_it(reader: QuestionReader) -> None:
    query = first(reader, "how many repaired boats")
    assert isinstance(query.of, Rows)
    assert (query.of.table, query.figures) == ("boats", (Count(),))
    assert query.of.where == Related("boats", Rows("repairs"))


def test_without_such_things_means_without_the_rows_that_have_it(reader: QuestionReader) -> None:
    query = first(reader, "total value without repaired boats")
    assert isinstance(query.of, Rows)
    assert (query.of.table, query.figures) == ("boats", (Aggregate("sum", VALUE),))
    assert query.of.where == Not(Related("boats", Rows("repairs")))


def test_a_key_is_not_said_by_the_name_of_its_thing(reader: QuestionReader) -> None:
    read = {part for reading in reader.read("boats and owners in 2025") for part in parts(reading.query.of)}
    assert Column("owners", "owner_id") not in read
