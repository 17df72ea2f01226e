"""Databases that declare no keys, as files do: what tells rows apart is found, and tables are joined all the same."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE readers (reader_no INTEGER, reader_name TEXT, born INTEGER);
CREATE TABLE towns (town TEXT, county TEXT);
CREATE TABLE books (bid INTEGER, title TEXT, price REAL);
CREATE TABLE loans (loan_no INTEGER, reader_no INTEGER, bid INTEGER, loaned_on DATE);
CREATE TABLE moves (reader_no INTEGER, town TEXT, moved_on DATE);
INSERT INTO readers VALUES (1, 'Ada', 1990), (2, 'Bo', 1985), (3, 'Cleo', 2001), (4, 'Dirk', 1970);
INSERT INTO towns VALUES ('Kiel', 'North'), ('Ulm', 'South'), ('Trier', 'South'), ('Jena', 'East');
INSERT INTO books VALUES (11, 'Dune', 10.0), (12, 'Emma', 8.0), (13, 'Ulysses', 20.0);
INSERT INTO loans VALUES (101, 1, 11, '2026-01-03'), (102, 1, 12, '2026-02-03'), (103, 2, 11, '2026-02-05'),
    (104, 4, 11, '2026-03-01'), (105, 1, 11, '2026-04-01');
INSERT INTO moves VALUES (1, 'Kiel', '2020-01-01'), (1, 'Kiel', '2023-01-01'), (2, 'Kiel', '2021-01-01'),
    (3, 'Ulm', '2021-05-01'), (4, 'Trier', '2022-05-01'), (4, 'Ulm', '2024-05-01'), (4, 'Trier', '2025-05-01');
"""


@pytest.fixture(scope="module")
def library(opened):
    return opened("library", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many loans does each reader have?", [("Ada", 3), ("Bo", 1), ("Dirk", 1)]),
        ("Which book was loaned the most?", [("Dune",)]),
        ("readers without loans", [("Cleo",)]),
        ("titles of the books that Ada loaned", [("Dune",), ("Emma",)]),
        ("number of readers by town", [("Kiel", 2), ("Ulm", 2), ("Trier", 1)]),  # each once, though Ada moved twice
        ("how many readers moved to the South?", [(2,)]),
    ],
)
def test_tables_without_any_key_are_joined(question, rows, library, same_rows):
    analyst, con = library
    sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), rows), sql
