"""Rows of two tables: what a row has no partner for, two of one name, and whose column is meant."""

from __future__ import annotations

from dataclasses import replace

import pytest
from row_tables import RowTables
from rows_evaluator import Parent

from assistant.analyst.algebra import (
    Aggregate,
    Column,
    Compare,
    Constant,
    Count,
    Grouped,
    Listing,
    Related,
    Rows,
    parts,
    settled,
)
from assistant.analyst.linking.longest_match import names_in_full
from assistant.analyst.linking.tokens import words
from assistant.analyst.parts import Part
from assistant.analyst.reading import QuestionReader
from assistant.analyst.schema import Schema

CLUB = RowTables(
    name="club",
    tables={
        "players": [
            {
                "player_id": i,
                "player_name": ("Ada", "Bea", "Cleo")[i % 3],
                "position": ("keeper", "wing")[i % 2],
                "age": 19 + i * 3 % 17,
            }
            for i in range(1, 13)
        ],
        "salaries": [{"salary_id": 100 + i, "player_id": 1 + i % 12, "amount": 900.0 + 7 * i} for i in range(36)],
        "captains": [{"player_id": 2 + 3 * i, "bonus": 50 + i} for i in range(3)],
        "matches": [
            {"match_id": 500 + i, "player_id": 1 + i * i % 12, "number_of_visitors": 30 + i * 5 % 41} for i in range(24)
        ],
    },
    parents=tuple(Parent(child, "player_id", "players", "player_id") for child in ("salaries", "captains", "matches")),
    types={"amount": "DOUBLE"},
)
DRAFTS = RowTables(
    name="drafts",
    tables={
        "drafts": [
            {
                "draft_id": i,
                "player": f"Player {i}",
                "college": ("Duke", "Akron", "Yale")[i % 3],
                "league": "AB"[i % 2],
                "amount_claimed": i,
            }
            for i in range(1, 13)
        ],
    },
    parents=(),
    types={},
)
PLAYER, POSITION, AGE = (Column("players", name) for name in ("player_name", "position", "age"))


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    return QuestionReader(CLUB.catalog())


def test_a_thing_that_some_rows_lack_keeps_those_that_have_it(reader: QuestionReader) -> None:
    query = reader.read("average salary of captains")[0].query
    assert Related("salaries", Rows("captains")) in set(parts(query))
    keys = reader.read("average salary of captains by position")
    assert all(
        reading.features.get("untold") or Rows("captains") in set(parts(reading.query))
        for reading in keys[:2]
        if isinstance(reading.query, Grouped)
        and Aggregate("mean", Column("salaries", "amount")) in parts(reading.query)
    )


def test_rows_are_not_said_to_have_what_their_condition_tells_already(reader: QuestionReader) -> None:
    query = reader.read("salaries of players whose position is wing")[0].query
    assert not any(isinstance(part, Related) for part in parts(query))


def test_two_of_one_name_are_counted_apart(reader: QuestionReader) -> None:
    query = reader.read("the player name with the most matches")[0].query
    assert isinstance(query, Grouped)
    assert {PLAYER, Column("players", "player_id")} <= {*query.keys}
    assert query.shown == (query.keys.index(PLAYER),)


def test_of_whose_a_column_is_is_not_shown_beside_it(reader: QuestionReader) -> None:
    drafts = QuestionReader(DRAFTS.catalog())
    for query in (
        drafts.read("colleges of players in league A")[0].query,
        reader.read("positions of players")[0].query,
    ):
        assert isinstance(query, Listing)
        assert query.outputs[: query.shown] in ((POSITION,), (Column("drafts", "college"),))


def test_the_words_of_a_whole_name_may_be_said_in_another_order() -> None:
    schema, said = Schema.of(DRAFTS.catalog()), words("claimed amount by class")
    name = Part.over("column", Column("drafts", "amount_claimed"), 0, 2, 1.0)
    assert names_in_full([name, replace(name, end=1), replace(name, end=3)], said, schema) == [name]


def test_a_key_of_which_one_value_is_kept_is_no_group(reader: QuestionReader) -> None:
    query = reader.read("how many players by position with position keeper")[0].query
    assert query == Grouped(Rows("players", Compare(POSITION, "=", Constant("keeper"))), (), (Count(),))


def test_a_size_that_names_its_column_is_no_size_of_another(reader: QuestionReader) -> None:
    visitors = Column("matches", "number_of_visitors")
    for reading in reader.read("matches with visitors older than 30"):
        assert not any(isinstance(part, Compare) and part.left == visitors for part in parts(reading.query))


def test_a_figure_of_others_rows_does_not_stand_for_the_thing_that_is_asked_for(reader: QuestionReader) -> None:
    for reading in [*reader.read("highest paid player")[:3], *reader.read("which captain has the highest salary")]:
        assert not reading.sql.startswith("SELECT t2.f0"), reading.sql
        is_figure = isinstance(reading.query, Grouped) and not reading.query.keys
        assert not is_figure or "captain" not in reading.sql


def test_the_highest_of_a_thing_is_its_size_and_the_most_of_it_its_number(reader: QuestionReader) -> None:
    amount = Column("salaries", "amount")
    highest = set(parts(reader.read("which player has the highest salary")[0].query))
    most = set(parts(reader.read("which player got the most salaries")[0].query))
    assert (amount in highest, Count() in highest) == (True, False)
    assert (amount in most, Count() in most) == (False, True)


def test_what_was_said_is_not_the_answer() -> None:
    for reading in QuestionReader(DRAFTS.catalog()).read("what about Player 3"):
        assert not (isinstance(reading.query, Listing) and settled(reading.query.of) >= {*reading.query.outputs})


def test_rows_without_a_name_of_their_own_are_told_by_their_sizes(reader: QuestionReader) -> None:
    query = reader.read("captains named Ada")[0].query
    assert isinstance(query, Listing)
    assert query.outputs[: query.shown] == (PLAYER, Column("captains", "bonus"))


@pytest.mark.parametrize("question", ["how many players left", "number of players gone"])
def test_a_deed_that_is_not_read_is_never_left_out(reader: QuestionReader, question: str) -> None:
    assert all(reading.features.get("untold") for reading in reader.read(question))


def test_the_greatest_of_a_column_in_groups_is_a_value_and_no_row(reader: QuestionReader) -> None:
    value = reader.read("highest visitors of matches per position")[0].query
    assert isinstance(value, Grouped)
    assert value.figures == (Aggregate("max", Column("matches", "number_of_visitors")),)
    row = reader.read("which match has the highest visitors in each position")
    assert any(isinstance(reading.query, Listing) and reading.query.limit for reading in row)
