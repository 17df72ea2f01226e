"""What the page says of the data that came with a question."""

from __future__ import annotations

import pytest

from assistant.core.events import SourceAdded, TableSummary
from ui.views.turn import describe_tables


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ((("sales", 300),), "(300 rows)"),
        ((("Sheet1", 300),), "Sheet1 (300 rows)"),
        ((("items", 3), ("sales", 1)), "items (3 rows), sales (1 row)"),
        ((("sales", None),), ""),
        ((), ""),
    ],
)
def test_each_of_several_tables_is_named_also_where_one_is_called_as_the_file(
    tables: tuple[tuple[str, int | None], ...], said: str
) -> None:
    summaries = tuple(TableSummary(name=name, rows=rows) for name, rows in tables)
    assert describe_tables(SourceAdded(name="sales", dialect="duckdb", display="sales.json", tables=summaries)) == said
