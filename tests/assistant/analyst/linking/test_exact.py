"""Names and values of the data bind as they are written: before words of the lexicon, and before names that are alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import date
from itertools import product
from typing import Any

import duckdb
import pytest

from assistant.analyst.algebra import Aggregate, Column, Compare, Constant, OneOf, Query, parts
from assistant.analyst.analyst import Analyst
from assistant.analyst.confidence import ResultSummary
from assistant.analyst.deciding import QueryRuns
from assistant.analyst.lexicon.files import read
from assistant.analyst.linking.tokens import words
from assistant.analyst.outcomes import Outcome, Understood
from assistant.analyst.presenting.headings import slug
from assistant.core.catalog import Catalog
from assistant.sources.engines.duckdb_catalog import read_catalog

SHORT_RUN = 60
"""The short run tries every so-manieth word of the lexicon, the long one all."""


def _read(question: str, *statements: str) -> tuple[Outcome, list[tuple[object, ...]]]:
    """What a question over a small table means, decided with the results of its readings, and what it gives."""
    with duckdb.connect() as con:
        for statement in statements:
            con.execute(statement)
        analyst = Analyst([read_catalog(con, source="depot")], (), date(2026, 11, 21))
        outcome = _decide(question, analyst, con)
        rows = con.execute(analyst.sql(outcome.meaning)).fetchall() if isinstance(outcome, Understood) else []
    return outcome, rows


def _decide(question: str, analyst: Analyst, con: duckdb.DuckDBPyConnection) -> Outcome:
    runs = QueryRuns()
    outcome = analyst.read(question, None, runs)
    while runs.wanted:
        runs.add({of: ResultSummary.of(con.execute(of[1]).fetchall()) for of in runs.wanted})
        outcome = analyst.read(question, None, runs)
    return outcome


DOTS = 'CREATE TABLE dots AS SELECT * FROM (VALUES (0.0, TRUE, 1), (0.5, FALSE, 2), (0.25, FALSE, 3)) AS v("i.a", "i.b", "x_y-z")'
SALES = 'CREATE TABLE sales AS SELECT r AS store, 100 + r AS "Net Sales", r AS net_sales, 7 + r AS "NET-SALES" FROM range(3) t(r)'
TASKS = (
    "CREATE TABLE tasks AS SELECT 'T-' || (1000 + r) AS task, (['P0', 'P1', 'A12-b'])[1 + r % 3] AS level,"
    " (['Harbour', 'Bridge'])[1 + r % 2] AS project, (['paid', 'open'])[1 + r % 2] AS state, r % 9 AS hours,"
    " 2.5 * r AS amount, DATE '2026-01-01' + CAST(r AS INTEGER) AS day FROM range(90) t(r)"
)


@pytest.mark.parametrize(
    ("question", "table", "sql"),
    [
        ("average i.a by i.b", DOTS, 'SELECT "i.b", AVG("i.a") FROM dots GROUP BY 1'),
        ("total x_y-z", DOTS, 'SELECT SUM("x_y-z") FROM dots'),
        ("max i.a", DOTS, 'SELECT MAX("i.a") FROM dots'),
        ("total net_sales", SALES, "SELECT SUM(net_sales) FROM sales"),
        ("total Net Sales", SALES, 'SELECT SUM("Net Sales") FROM sales'),
        ("total NET-SALES", SALES, 'SELECT SUM("NET-SALES") FROM sales'),
        ("how many P0 tasks", TASKS, "SELECT COUNT(*) FROM tasks WHERE level = 'P0'"),
        ("total hours for level A12-b", TASKS, "SELECT SUM(hours) FROM tasks WHERE level = 'A12-b'"),
        ("total hours by project", TASKS, "SELECT project, SUM(hours) FROM tasks GROUP BY 1"),
        ("how many hours on project Harbour", TASKS, "SELECT SUM(hours) FROM tasks WHERE project = 'Harbour'"),
        ("how many paid tasks", TASKS, "SELECT COUNT(*) FROM tasks WHERE state = 'paid'"),
        ("number of paid tasks", TASKS, "SELECT COUNT(*) FROM tasks WHERE state = 'paid'"),
    ],
)
def test_a_name_that_is_written_as_the_data_write_it_is_that(question: str, table: str, sql: str) -> None:
    outcome, rows = _read(question, table)
    assert isinstance(outcome, Understood), outcome
    with duckdb.connect() as con:
        con.execute(table)
        assert sorted(map(repr, rows)) == sorted(map(repr, con.execute(sql).fetchall()))


def test_names_with_signs_are_one_word_and_others_are_split() -> None:
    text = "total i.a, by 'A12-b' and A12-b."
    assert [word.text for word in words(text, {"i.a", "a12-b"})] == [
        "total",
        "i.a",
        ",",
        "by",
        "A12-b",
        "and",
        "A12-b",
        ".",
    ]
    assert [word.text for word in words("total i.a")] == ["total", "i", ".", "a"]


def test_a_small_word_in_other_letters_is_no_value() -> None:
    table = "CREATE TABLE staff AS SELECT r AS id, (['IT', 'HR'])[1 + r % 2] AS unit, r % 5 AS pay FROM range(60) t(r)"
    assert not _goes_by(_read("how many staff are in it", table)[0], "IT")
    written = _read("how many staff are in IT", table)[0]
    assert _goes_by(written, "IT") or not isinstance(written, Understood)


def _goes_by(outcome: Outcome, value: str) -> bool:
    return isinstance(outcome, Understood) and _holds_value(outcome.meaning.query, value)


# --- any word of the lexicon may be a name ---


def _words_of_lexicon() -> list[str]:
    def texts(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from (str(key), *texts(inner))
        elif isinstance(value, list):
            for inner in value:
                yield from texts(inner)
        else:
            yield str(value)

    found = (text for file in ("operators", "dialogue", "time", "columns") for text in texts(read(file)))
    return sorted(
        {word.lower() for text in found for word in re.findall(r"[A-Za-z]+", text)} - {"id", "weight", "town"}
    )


def _holds_column(query: Query, name: str) -> bool:
    return any(isinstance(part, Column) and part.name == name for part in parts(query))


def _holds_value(query: Query, value: str) -> bool:
    return any(
        (isinstance(part, Compare) and part.right == Constant(value))
        or (isinstance(part, OneOf) and value in part.values)
        for part in parts(query)
    )


NAMED = (
    ("total {name}", 'r * 37 % 91 + 0.5 AS "{name}"'),
    ("total weight by {name}", "(['Bern', 'Chur'])[1 + r % 2] AS \"{name}\", r * 7 % 9 + 0.5 AS weight"),
    ("how many rows with {name}", "(['{name}', 'Chur'])[1 + r % 2] AS town, r * 7 % 9 + 0.5 AS weight"),
)
"""Questions about a name, each with the columns of its table."""


def _make_parcels(con: duckdb.DuckDBPyConnection, place: int, name: str) -> None:
    columns = NAMED[place][1].format(name=name)
    con.execute(f"CREATE OR REPLACE TABLE parcels AS SELECT r + 100 AS id, {columns} FROM range(40) t(r)")


def _rename(value: Any, old: str, new: str) -> Any:
    """A catalog, or a part of it, with another name in place of `old`: reading one takes longer than a question."""
    if isinstance(value, tuple):
        return tuple(_rename(part, old, new) for part in value)
    if is_dataclass(value):
        return replace(value, **{f.name: _rename(getattr(value, f.name), old, new) for f in fields(value)})  # type: ignore[type-var]
    return new if value == old else value


def _misreadings(names: list[str]) -> list[str]:
    """The questions over a table with such a name that are answered, and not by it."""
    wrong: list[str] = []
    with duckdb.connect() as con:
        catalogs: list[Catalog] = []
        for place in range(len(NAMED)):
            _make_parcels(con, place, names[0])
            catalogs.append(read_catalog(con, source="depot"))
        for place, name in product(range(len(NAMED)), names):
            _make_parcels(con, place, name)
            question = NAMED[place][0].format(name=name)
            analyst = Analyst([_rename(catalogs[place], names[0], name)], (), date(2026, 11, 21))
            outcome = _decide(question, analyst, con)
            if not isinstance(outcome, Understood):
                continue
            query = outcome.meaning.query
            is_total = place > 0 or any(isinstance(part, Aggregate) for part in parts(query))
            if (
                outcome.meaning.study
                or not is_total
                or not (_holds_value if place == 2 else _holds_column)(query, name)
            ):
                wrong.append(f"{question}: {outcome.restated}")
    return wrong


def test_a_renamed_catalog_is_that_of_the_renamed_table() -> None:
    with duckdb.connect() as con:
        for place in range(len(NAMED)):
            catalogs: list[Catalog] = []
            for name in ("average", "total"):
                _make_parcels(con, place, name)
                catalogs.append(read_catalog(con, source="depot"))
            assert _rename(catalogs[0], "average", "total") == catalogs[1]


def test_some_words_of_the_lexicon_are_names_where_the_data_have_them() -> None:
    assert not _misreadings(_words_of_lexicon()[::SHORT_RUN])


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_word_of_the_lexicon_is_a_name_where_the_data_have_it() -> None:
    assert not _misreadings(_words_of_lexicon())


def test_a_value_of_the_table_that_a_key_leads_to_is_bound() -> None:
    staff = (
        "CREATE TABLE staff (id INTEGER PRIMARY KEY, chief_id INTEGER REFERENCES staff (id), grade TEXT, wage DOUBLE)",
        "INSERT INTO staff SELECT r, NULL, (['junior', 'senior'])[1 + r % 2], 100.5 + r FROM range(5) t(r)",
        "INSERT INTO staff SELECT r, r % 4, (['junior', 'senior'])[1 + r % 2], 100.5 + r FROM range(5, 40) t(r)",
    )
    outcome, rows = _read("Minimum wage of staff with a chief whose grade is senior", *staff)
    assert isinstance(outcome, Understood), outcome
    assert rows == [(105.5,)]


LAKES = (
    "CREATE TABLE lakes AS SELECT * FROM (VALUES ('Ladoga', 'Russia', 230, 10), ('Onega', 'Russia', 127, 20),"
    " ('Saimaa', 'Finland', 82, 30)) AS v(lake, country, \"Max depth (m)\", \"Area (km²)\")"
)


def test_a_name_is_known_without_the_unit_behind_it() -> None:
    _, rows = _read("average max depth by country", LAKES)
    assert sorted(rows) == [("Finland", 82.0), ("Russia", 178.5)]


def test_figures_of_a_unit_with_an_exponent_have_a_python_name() -> None:
    assert [slug("total area (km²)"), slug("½ m³ of ①"), slug("Částka Kč")] == [
        "total_area_km2",
        "_1_2_m3_of_1",
        "částka_kč",
    ]
