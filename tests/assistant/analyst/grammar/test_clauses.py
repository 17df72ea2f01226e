"""Conditions in clauses, joined by "or", and on rows that other rows lead to."""

from __future__ import annotations

from contextlib import closing

import pytest
from row_tables import RowTables
from rows_evaluator import Parent

from assistant.analyst.algebra import Aggregate, Column, Compare, Constant, Either, Groups, Limit, Listing, Not, parts
from assistant.analyst.reading import QuestionReader, QuestionReading
from assistant.analyst.schema import Schema

COLLEGE = RowTables(
    name="college",
    tables={
        "departments": [{"department_id": i, "department_name": ("Law", "Arts", "Physics")[i]} for i in range(3)],
        "staff": [
            {
                "staff_id": i,
                "staff_name": f"Person {i}",
                "rank": ("Professor", "Lecturer", "Tutor")[i * i % 3],
                "home_city": ("Bonn", "Kiel", "Trier", "Jena")[i % 4],
                "age": 29 + i * 7 % 40,
                "department_id": i % 3,
            }
            for i in range(1, 25)
        ],
        "courses": [{"course_id": i, "course_title": f"Course {i}", "department_id": i % 3} for i in range(1, 10)],
        "students": [{"student_id": i, "student_name": f"Pupil {i}", "department_id": i * i % 3} for i in range(1, 31)],
        "enrolments": [{"enrolment_id": i, "student_id": 1 + i % 30, "course_id": 1 + i * i % 9} for i in range(1, 80)],
    },
    parents=(
        *(Parent(child, "department_id", "departments", "department_id") for child in ("staff", "courses", "students")),
        Parent("enrolments", "student_id", "students", "student_id"),
        Parent("enrolments", "course_id", "courses", "course_id"),
    ),
    types={},
)
AGE, CITY, RANK = Column("staff", "age"), Column("staff", "home_city"), Column("staff", "rank")


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    return QuestionReader(COLLEGE.catalog())


def first(reader: QuestionReader, question: str) -> QuestionReading:
    return reader.read(question)[0]


def rows(sql: str) -> list[tuple[object, ...]]:
    with closing(COLLEGE.sqlite()) as connection:
        return sorted(connection.execute(sql).fetchall())


@pytest.mark.parametrize(
    "question",
    [
        "staff with home city Kiel or younger than 40",
        "staff younger than 40 or with home city Kiel",
        "staff with age larger than 60 or home city Kiel",
    ],
)
def test_or_joins_what_stands_on_both_sides(reader: QuestionReader, question: str) -> None:
    found = first(reader, question)
    assert any(isinstance(part, Either) for part in parts(found.query))
    assert "or" not in found.unread


def test_rows_have_others_by_what_leads_to_both_rather_than_by_what_they_share() -> None:
    path = Schema.of(COLLEGE.catalog()).path("students", "courses")
    assert [link.table for link in path or ()] == ["enrolments", "courses"]


def test_a_column_that_only_a_clause_names_is_not_shown(reader: QuestionReader) -> None:
    for reading in reader.read("names of staff that have the greatest age"):
        if isinstance(reading.query, Listing):
            assert AGE not in reading.query.outputs[: reading.query.shown] or "size" in reading.rules[-1]
    found = first(reader, "names of staff that have the greatest age")
    assert rows(found.sql) == rows("SELECT staff_name FROM staff ORDER BY age DESC LIMIT 1")


def test_a_value_of_the_rows_is_no_other_word_for_them(reader: QuestionReader) -> None:
    assert rows(first(reader, "how many professors are there").sql) == rows(
        "SELECT COUNT(*) FROM staff WHERE rank = 'Professor'"
    )


def test_how_many_of_the_most_common_are_shown_beside_it(reader: QuestionReader) -> None:
    found = first(reader, "what is the most common rank and how many are there")
    assert rows(found.sql) == rows("SELECT rank, COUNT(*) FROM staff GROUP BY 1 ORDER BY 2 DESC LIMIT 1")


def test_a_number_is_denied_as_a_value_is(reader: QuestionReader) -> None:
    found = first(reader, "names of staff whose age is not 36")
    assert Not(Compare(AGE, "=", Constant(36))) in parts(found.query)


def test_the_greatest_of_the_greatest_in_groups_is_no_reading(reader: QuestionReader) -> None:
    for reading in reader.read("highest age by home city"):
        folded = [part for part in parts(reading.query) if isinstance(part, Groups)]
        assert not folded or Aggregate("max", AGE) not in parts(folded[0])


def test_a_number_of_things_that_are_not_read_is_not_answered(reader: QuestionReader) -> None:
    for reading in reader.read("the 3 home cities with the highest age of staff"):
        limits = [part for part in parts(reading.query) if isinstance(part, Limit)]
        is_read = CITY in parts(reading.query)
        assert is_read or not limits or reading.features["untold"] > 0
