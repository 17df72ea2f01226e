"""Statements of other engines: translated, or refused with the line."""

from __future__ import annotations

import pytest

from assistant.migration.statements import MigrationError, translate_statement


@pytest.mark.parametrize(
    ("dialect", "text", "sql"),
    [
        ("T-SQL", "SELECT TOP 3 ISNULL(a, 0) AS a FROM t ORDER BY a", "COALESCE(a, 0)"),
        ("oracle", "SELECT NVL(a, 0) AS a FROM t", "COALESCE(a, 0)"),
        ("snowflake", "SELECT IFF(a > 1, 'x', 'y') AS b FROM t", "CASE WHEN"),
        ("mysql", "SELECT IFNULL(a, 0) AS `a b` FROM t", '"a b"'),
    ],
)
def test_a_statement_is_translated(dialect: str, text: str, sql: str) -> None:
    translated = translate_statement(text, dialect=dialect, target="duckdb")
    assert sql in " ".join(translated.sql.split())
    assert translated.tables == ("t",)
    assert translated.is_ordered == ("ORDER BY" in text)


@pytest.mark.parametrize(
    ("text", "is_ordered", "unnamed"),
    [
        ("(SELECT a FROM t ORDER BY a)", True, ()),
        ("((SELECT a FROM t)) ORDER BY a", True, ()),
        ("(SELECT a, SUM(b) FROM t)", False, (1,)),
        ("SELECT 1, t.*, a, a + 1, a + 2 AS c FROM t", False, (0, -2)),
        ("SELECT CAST(a AS INT) FROM t UNION SELECT b FROM t", False, (0,)),
    ],
)
def test_the_order_and_the_names_of_a_statement(text: str, is_ordered: bool, unnamed: tuple[int, ...]) -> None:
    translated = translate_statement(text, dialect="postgres", target="duckdb")
    assert (translated.is_ordered, translated.unnamed) == (is_ordered, unnamed)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT a,\n  FOOBAR(b)\nFROM t", "Line 2: the function FOOBAR"),
        ("SELECT FROM WHERE", "Line 1, column 17"),
        ("DELETE FROM t", "Give one SELECT"),
        ("SELECT 1; SELECT 2", "2 statements"),
        ("SELECT 'a", "is not tsql"),
        ("", "0 statements"),
        ("SELECT " + "(" * 60 + "1" + ")" * 60, "brackets"),
    ],
)
def test_what_cannot_be_translated_is_refused(text: str, message: str) -> None:
    with pytest.raises(MigrationError, match="(?i)" + message):
        translate_statement(text, dialect="tsql", target="sqlite")


def test_an_unknown_dialect_is_named() -> None:
    with pytest.raises(MigrationError, match="no dialect 'cobol'"):
        translate_statement("SELECT 1", dialect="cobol", target="sqlite")
