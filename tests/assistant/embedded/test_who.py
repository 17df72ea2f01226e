""" "Who" asks for people, and is never answered with a figure or a flag."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from assistant.data.catalog import Catalog
from assistant.embedded.analyst import Analyst, NotUnderstood, Understood


@pytest.fixture
def staff(tmp_path: Path) -> Path:
    path = tmp_path / "staff.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.execute("CREATE TABLE staff (employee TEXT, department TEXT, salary INTEGER, city TEXT, remote TEXT)")
        con.executemany(
            "INSERT INTO staff VALUES (?, ?, ?, ?, ?)",
            [
                ("Ann", "Sales", 52000, "Bern", "yes"),
                ("Cleo", "IT", 81000, "Bern", "yes"),
                ("Dan", "IT", 81000, "Zug", "no"),
                ("Eve", "HR", None, "Basel", "no"),
            ],
        )
    return path


def test_who_has_the_highest_names_people(staff: Path, catalog_of: Callable[[Path], Catalog]) -> None:
    analyst = Analyst((catalog_of(staff),), (), date(2026, 11, 21))
    outcome = analyst.read("who has the highest salary?")
    assert isinstance(outcome, Understood)
    with closing(sqlite3.connect(staff)) as con:
        rows = con.execute(analyst.sql(outcome.meaning)).fetchall()
    assert {row[0] for row in rows} == {"Cleo", "Dan"}
    figure = analyst.read("what is the highest salary?")
    assert isinstance(figure, Understood)
    with closing(sqlite3.connect(staff)) as con:
        assert con.execute(analyst.sql(figure.meaning)).fetchall() == [(81000,)]


@pytest.mark.parametrize("question", ["who is remote?", "who is yes?"])
def test_who_is_never_answered_with_a_flag(staff: Path, catalog_of: Callable[[Path], Catalog], question: str) -> None:
    analyst = Analyst((catalog_of(staff),), (), date(2026, 11, 21))
    outcome = analyst.read(question)
    if isinstance(outcome, Understood):
        with closing(sqlite3.connect(staff)) as con:
            rows = con.execute(analyst.sql(outcome.meaning)).fetchall()
        assert {row[0] for row in rows} == {"Ann", "Cleo"}
    else:
        assert isinstance(outcome, NotUnderstood) or outcome.options
