"""Dates that SQLite keeps as text in a notation of their own are read as days, and nothing else is taken for one."""

from __future__ import annotations

import sqlite3
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from assistant.data.catalog import Column, Profile
from assistant.embedded.outcomes import Understood
from assistant.embedded.source.notation import Notation, notation_of
from assistant.embedded.sql.noted import iso_day

_SCHEMA = """
CREATE TABLE crew (crew_id INTEGER PRIMARY KEY, crew_name TEXT NOT NULL, hiredate TEXT);
CREATE TABLE voyage (voyage_id INTEGER PRIMARY KEY, crew_id INTEGER NOT NULL REFERENCES crew (crew_id),
    sail_date TEXT NOT NULL, cargo REAL NOT NULL);
INSERT INTO crew VALUES (1, 'Alba', '1999-6-12'), (2, 'Boreas', '2004-11-2'), (3, 'Ciara', '2004-2-10'), (4, 'Dune', '');
INSERT INTO voyage VALUES (1, 1, '8/29/2023 9:08', 10), (2, 1, '10/2/2023 23:59', 20), (3, 2, '8/3/2024 0:30', 5),
    (4, 3, '12/31/2023 12:00', 7), (5, 3, '9/5/2023 7:15', 8);
"""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def column(*texts):
    """A text column that holds these values."""
    top = tuple((text, 1) for text in texts)
    return Column(name="noted", type="TEXT", kind="text", profile=Profile(distinct=len(texts), nulls=0, top=top))


@pytest.mark.parametrize(
    ("texts", "spoken"),
    [
        (("8/29/2013 9:08", "1/2/2014 10:00"), "month/day/year"),
        (("29/8/2013", "1/2/2014"), "day/month/year"),
        (("3.4.2020", "30.12.2021"), "day.month.year"),
        (("3.4.2020",), "day.month.year"),
        (("1950-6-12", "1961-11-2"), "year-month-day"),
        (("21-Mar-2014", "3-DEC-2015"), "day-month-year"),
        (("21-OCT-09", "03-JAN-99"), "day-month-year"),
    ],
)
def test_the_order_of_the_parts_is_told_from_the_values(texts, spoken):
    found = notation_of(column(*texts))
    assert found is not None
    assert found.spoken == spoken


@pytest.mark.parametrize(
    "texts",
    [
        ("1/2/2014", "3/4/2014"),  # either may be the month
        ("29/8/2013", "1/30/2014"),  # both orders
        ("29/8/2013", "soon"),
        ("4:27", "3:10"),
        ("1.2.3", "2.0.1"),
        ("555-123-4567",),
        ("12-Mab-2014",),
        ("1/2/13", "3/15/14"),
        (),
    ],
)
def test_other_text_is_no_date(texts):
    assert notation_of(column(*texts)) is None


@given(
    day=st.dates(min_value=date(1970, 1, 1), max_value=date(2069, 12, 31)),
    form=st.sampled_from(("mdy/", "dmy/", "dmy.", "ymd-", "dmy-named", "dmy-short")),
)
def test_every_day_is_read_back(day, form):
    y, m, d = day.year, day.month, day.day
    order = {"m": "month", "d": "day", "y": "year"}
    parts = tuple(order[letter] for letter in form[:3])
    mark = form[3]
    named, short = form.endswith(("named", "short")), form.endswith("short")
    said = {"year": f"{y % 100:02d}" if short else str(y), "month": _MONTHS[m - 1] if named else str(m), "day": str(d)}
    text = mark.join(said[part] for part in parts)
    notation = Notation(parts=parts, mark=mark, example=text, named=named, short=short)
    sql = iso_day(exp.column("noted"), notation).sql(dialect="sqlite")
    con = sqlite3.connect(":memory:")
    read = con.execute(f"WITH held(noted) AS (VALUES (?), (''), (NULL)) SELECT {sql} FROM held", (text,)).fetchall()
    con.close()
    assert read == [(day.isoformat(),), (None,), (None,)]


@pytest.fixture(scope="module")
def harbour(opened):
    return opened("harbour", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("voyages per month", [("2023-08-01", 1), ("2023-09-01", 1), ("2023-10-01", 1), ("2023-12-01", 1), ("2024-08-01", 1)]),
        ("How many voyages were there in 2023?", [(4,)]),
        ("total cargo of voyages since October 2023", [(32.0,)]),
        ("How many voyages were there per weekday?", None),
        ("Which crew was hired most recently?", [("Boreas",)]),
        ("Which crew has the earliest hire date?", [("Alba",)]),
        ("Which crews had no voyage in 2023?", [("Boreas",), ("Dune",)]),
        ("crews hired after 2000", [("Boreas",), ("Ciara",)]),
    ],
)  # fmt: skip
def test_questions_over_time_are_answered(harbour, question, rows):
    analyst, con = harbour
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), outcome
    answer = con.execute(analyst.sql(outcome.meaning, context=False)).fetchall()
    assert answer == rows if rows is not None else len(answer) > 1
    assert any("is read as" in said for said in outcome.assumptions)


def test_what_is_only_shown_stays_as_it_is_stored(harbour):
    analyst, con = harbour
    outcome = analyst.read("Show the id and the sail date of each voyage")
    assert isinstance(outcome, Understood)
    assert (1, "8/29/2023 9:08") in con.execute(analyst.sql(outcome.meaning, context=False)).fetchall()
    assert not any("is read as" in said for said in outcome.assumptions)
