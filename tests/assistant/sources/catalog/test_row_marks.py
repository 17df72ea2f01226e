"""Figures whose rows say how they are to be read are doubted, and no others."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pytest

from assistant.core.doubts import Doubt
from assistant.sources.catalog.row_marks import find_row_marks, find_time_counts
from assistant.sources.engines.duckdb_catalog import read_catalog


def doubts(mark: str, values: Sequence[str], *, figure: str = "amount", low: int = 0) -> list[Doubt]:
    """The doubts of a table with a figure, and a column that says one of these values of each row."""
    listed = ", ".join(f"'{value}'" for value in values)
    with duckdb.connect() as con:
        con.execute(
            f'CREATE TABLE lines AS SELECT r AS line_id, r * 1.5 + {low} AS "{figure}", '
            f'[{listed}][1 + (r % {len(values)})::INT] AS "{mark}" FROM range(60) t(r)'
        )
        (table,) = read_catalog(con, source="lines").tables
    return [*find_row_marks(table)]


@pytest.mark.parametrize(
    ("mark", "values", "word"),
    [
        ("currency", ("EUR", "USD"), "added up"),
        ("ccy", ("EUR", "USD", "JPY"), "added up"),
        ("paid in", ("EUR", "USD"), "added up"),
        ("unit", ("kg", "g"), "added up"),
        ("Einheit", ("Stk", "kg"), "added up"),
        ("type", ("DR", "CR"), "positive"),
        ("Soll/Haben", ("S", "H"), "positive"),
        ("kind", ("debit", "credit"), "positive"),
        ("direction", ("in", "out"), "positive"),
    ],
)
def test_rows_of_different_currency_unit_or_side_are_doubted(mark: str, values: Sequence[str], word: str) -> None:
    (doubt,) = doubts(mark, values)
    assert (doubt.kind, doubt.columns) == ("number_format", ("amount",))
    assert word in doubt.chosen
    assert doubt.rows == 60 - 60 // len(values)


@pytest.mark.parametrize(
    ("mark", "values"),
    [
        ("currency", ("EUR",)),
        ("team", ("RED", "BLU")),
        ("unit", ("Sales", "Finance")),
        ("region", ("N", "S")),
        ("size", ("S", "H")),
        ("type", ("new", "old")),
    ],
)
def test_other_columns_are_no_marks(mark: str, values: Sequence[str]) -> None:
    assert doubts(mark, values) == []


def test_signed_amounts_and_numbers_that_are_no_amounts_are_not_doubted() -> None:
    assert doubts("type", ("debit", "credit"), low=-40) == []
    assert doubts("currency", ("EUR", "USD"), figure="year") == []


def test_whole_numbers_of_a_database_that_may_be_times_are_doubted_by_name_and_size() -> None:
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE events AS SELECT r AS id, 1700000000 + r AS created_at, r AS units FROM range(9) t(r)"
        )
        (table,) = read_catalog(con, source="events").tables
    (doubt,) = find_time_counts(table)
    assert doubt.columns == ("created_at",)
    assert "seconds since 1970" in doubt.rival
