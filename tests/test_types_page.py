"""The page of types says what tests hold the engines to."""

from __future__ import annotations

from typing import get_args

from typings_of_engines import ENGINES, PAGE, replace_table

from assistant.analyst.roles import Role
from assistant.core.catalog import ColumnKind, kind_of_type


def test_the_page_of_types_is_written_from_what_engines_are_held_to() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == replace_table(page), "run python tests/support/typings_of_engines.py"


def test_the_page_knows_each_role_and_no_other_kind() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = {
        role for line in page.splitlines() if line.startswith("| ") for role in line.split("|")[1].strip().split(", ")
    }
    assert set(get_args(Role)) <= rows
    assert {column.kind for columns in ENGINES.values() for column in columns} <= set(get_args(ColumnKind))


def test_types_by_a_known_word_are_of_the_kind_that_the_page_says() -> None:
    for column in ENGINES["DuckDB, and files"]:
        if column.type not in ("mood", "text[]"):
            assert kind_of_type(column.type) == column.kind, column.type
