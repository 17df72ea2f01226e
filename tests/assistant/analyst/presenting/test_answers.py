"""The answer in words: each group is called by its value, whatever kind of value that is."""

from __future__ import annotations

import duckdb
import pytest

from assistant.analyst.algebra import Aggregate, Column, Grouped, Limit, Order, Rows
from assistant.analyst.meaning import Meaning
from assistant.analyst.presenting.answers import AnswerRows, notes, word_answer
from assistant.analyst.presenting.headings import statement
from assistant.analyst.schema import Schema
from assistant.sources.engines.duckdb_catalog import read_catalog

VISITS_BY_TEAM = Grouped(
    Rows("walks"), (Column("walks", "team"),), (Aggregate("sum", Column("walks", "visits")),), shown=(0, 1)
)


def _answer(values: str, kind: str, query: Grouped = VISITS_BY_TEAM) -> str:
    """The words of an answer over visits of groups."""
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE walks (team {kind}, visits INTEGER)")
        con.execute(f"INSERT INTO walks SELECT t, n + r FROM (VALUES {values}) AS v(t, n), range(0, 600, 100) AS s(r)")
        schema = Schema.of(read_catalog(con, source="walks"))
        meaning = Meaning(source="walks", query=query)
        cursor = con.execute(statement(meaning, schema))
        rows = cursor.fetchall()
        result = AnswerRows.of([d[0] for d in cursor.description or ()], rows, len(rows))
        return word_answer(meaning, result, schema)


@pytest.mark.parametrize(
    ("values", "kind", "highest", "lowest"),
    [
        ("(3, 1), (7, 2), (23, 5)", "INTEGER", "23", "3"),
        ("(1930, 1), (2040, 2), (1000, 3)", "INTEGER", "1000", "1930"),
        ("(1.5, 1), (2.0, 2)", "DOUBLE", "2", "1.5"),
        ("(TRUE, 1), (FALSE, 2)", "BOOLEAN", "no", "yes"),
        ("(NULL, 1), (4, 2)", "INTEGER", "4", "no team"),
        ("('', 1), ('red', 2)", "VARCHAR", "red", "no team"),
        ("('5', 1), ('12', 2)", "VARCHAR", "12", "5"),
        ("(0, 1), (1, 2)", "INTEGER", "1", "0"),
    ],
)
def test_a_group_is_called_by_its_value(values: str, kind: str, highest: str, lowest: str) -> None:
    words = _answer(values, kind)
    assert f"**{highest}** is highest (" in words
    assert f"**{lowest}** lowest (" in words
    assert "**all**" not in words


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ("('bar', 5), ('card', 4), ('cheque', 4)", "card and cheque"),
        ("('a', 5), ('b', 4), ('c', 4), ('d', 4)", "b, c and d"),
        ("('a', 5), ('b', 4), ('c', 4), ('d', 4), ('e', 4)", "b and 3 others"),
        ("('a', 4), ('b', 5), ('c', 5)", "b and c"),
    ],
)
def test_groups_that_are_equally_high_or_low_are_named_together(values: str, name: str) -> None:
    assert f"**{name}**" in _answer(values, "VARCHAR")


@pytest.mark.parametrize(
    ("teams", "remark"),
    [
        (["red", None], "1 row has no team recorded."),
        ([None, None, "red"], "2 rows have no team recorded."),
    ],
)
def test_rows_without_a_name_are_counted(teams: list[str | None], remark: str) -> None:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE walks (team VARCHAR, visits INTEGER)")
        schema = Schema.of(read_catalog(con, source="walks"))
    result = AnswerRows.of(("team", "total_visits"), [[team, 1] for team in teams], len(teams))
    assert notes(Meaning(source="walks", query=VISITS_BY_TEAM), result, schema) == (remark,)


def test_a_ranking_names_numbers_without_separators() -> None:
    first = Grouped(
        VISITS_BY_TEAM.of, VISITS_BY_TEAM.keys, VISITS_BY_TEAM.figures, order=(Order(1, True),), limit=Limit(1)
    )
    assert "1931" in _answer("(1930, 1), (1931, 5)", "INTEGER", first)


def test_figures_without_their_groups_are_called_by_none() -> None:
    words = _answer(
        "(3, 1), (7, 2)", "INTEGER", Grouped(VISITS_BY_TEAM.of, VISITS_BY_TEAM.keys, VISITS_BY_TEAM.figures, shown=(1,))
    )
    assert "from **1,506** to **1,512**, in 2 rows" in words


def test_each_of_several_figures_has_its_own_ends() -> None:
    query = Grouped(
        Rows("walks"),
        (Column("walks", "team"),),
        (Aggregate("sum", Column("walks", "visits")), Aggregate("min", Column("walks", "visits"))),
        shown=(0, 1, 2),
    )
    text = _answer("('a', 1), ('b', 5)", "VARCHAR", query)
    assert "Total visits: **b** is highest (" in text
    assert "Lowest visits: **b** is highest (5), **a** lowest (1), of 2 teams." in text


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("speed (km/h)", "60 km/h"),
        ("dose mg/kg", "60 mg/kg"),
        ("price (EUR/MWh)", "60 EUR/MWh"),
        ("distance (km)", "60 km"),
        ("start/end km", "60 km"),
    ],
)
def test_a_unit_by_another_is_said_as_the_name_of_the_column_writes_it(name: str, figure: str) -> None:
    with duckdb.connect() as con:
        con.execute(f'CREATE TABLE runs AS SELECT range AS day, 51.0 + range AS "{name}" FROM range(10)')
        schema = Schema.of(read_catalog(con, source="runs"))
        highest = Aggregate("max", Column("runs", name))
        meaning = Meaning(source="runs", query=Grouped(Rows("runs"), (), (highest,), shown=(0,)))
        cursor = con.execute(statement(meaning, schema))
        rows = cursor.fetchall()
        result = AnswerRows.of([d[0] for d in cursor.description or ()], rows, len(rows))
        assert f"**{figure}**" in word_answer(meaning, result, schema)
