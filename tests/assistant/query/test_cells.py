"""A rendered cell holds exactly the query it was made from, and no query hides from the approval."""

from __future__ import annotations

import ast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.query.cells import LiteralQuery, QueryProblem, is_query_cell, literal_queries, render_cell


def test_a_cell_reads_as_a_person_would_write_it() -> None:
    assert render_cell("sales", "SELECT 1\nFROM t", "shop") == (
        'sales = query("""\nSELECT 1\nFROM t\n""", source="shop")\nsales'
    )


@given(sql=st.text(min_size=1), source=st.none() | st.text(min_size=1, max_size=8))
@example(sql='SELECT "a', source=None)
@example(sql='SELECT """', source=None)
@example(sql="SELECT 'C:\\new' -- \\", source="it's")
@example(sql='ends with "', source=None)
@example(sql="a\r\nb\rc", source="x\ny")
def test_what_is_rendered_is_found_again_to_the_letter(sql: str, source: str | None) -> None:
    cell = render_cell("t", sql, source)
    assert ast.parse(cell)
    found = literal_queries(cell)
    assert isinstance(found, tuple)
    plain = sql.replace("\r\n", "\n").replace("\r", "\n")
    assert [(query.sql.strip("\n"), query.source) for query in found] == [(plain.strip("\n"), source)]


def test_rendering_is_stable_under_line_ends() -> None:
    assert render_cell("t", "a\r\nb") == render_cell("t", "a\nb")


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="not x"):
        render_cell("not x", "SELECT 1")


def test_literal_queries_are_found_wherever_they_stand_each_once() -> None:
    code = """
a = query("SELECT 1")
def f():
    return [query("SELECT 2" " FROM t", "shop") for _ in range(3)]
b = query(sql='SELECT 1', source=None)
c = df.query("x > 1")
d = query("SELECT :x", params={"x": len(a)})
"""
    assert literal_queries(code) == (
        LiteralQuery(sql="SELECT 1"),
        LiteralQuery(sql="SELECT 2 FROM t", source="shop"),
        LiteralQuery(sql="SELECT :x"),
    )


@pytest.mark.parametrize(
    "code",
    [
        "t = 'x'\nquery(f'SELECT * FROM {t}')",
        "t = 'x'\nquery('SELECT * FROM ' + t)",
        "t = 'x'\nquery('SELECT %s' % t)",
        "t = 'x'\nquery(t)",
        "t = 'x'\nquery(*t)",
        "t = 'x'\nquery(**t)",
        "t = ['x']\nquery('SELECT 1', *t)",
        "t = {'source': 'x'}\nquery('SELECT 1', **t)",
        "t = 'x'\nquery('SELECT 1', source=t)",
        "t = 'x'\nquery()",
    ],
)
def test_sql_made_at_run_time_is_a_problem_with_its_line(code: str) -> None:
    found = literal_queries(code)
    assert isinstance(found, QueryProblem)
    assert found.line == 2


def test_code_that_does_not_parse_is_a_problem() -> None:
    found = literal_queries("x = (")
    assert isinstance(found, QueryProblem)
    assert "not valid Python" in found.message


@pytest.mark.parametrize("code", ["x = 1\x00", "x = '\ud800'", "-" * 5000 + "1"])
def test_code_that_cannot_be_read_at_all_is_a_problem_and_no_query_cell(code: str) -> None:
    assert isinstance(literal_queries(code), QueryProblem)
    assert not is_query_cell(code)


@pytest.mark.parametrize(
    ("code", "is_one"),
    [
        ("t = query('SELECT 1')", True),
        ("t = query('SELECT 1')\nt", True),
        ("t = query('SELECT 1')\nu", False),
        ("t = query('SELECT 1')\nt\nt", False),
        ("t = run('SELECT 1')", False),
        ("t = run('SELECT 1')\nt", False),
        ("t.x = query('SELECT 1')", False),
        ("query('SELECT 1')", False),
        ("t = (", False),
    ],
)
def test_a_query_cell_is_a_query_with_its_name_and_no_more(code: str, is_one: bool) -> None:
    assert is_query_cell(code) == is_one


def test_an_alias_is_not_found_so_nothing_is_granted_to_it() -> None:
    assert literal_queries("q = query\nq('SELECT 1')\nlist(map(query, ['SELECT 2']))") == ()
