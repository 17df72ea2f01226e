"""What the page says of the data that came with a question."""

from __future__ import annotations

import pytest

from assistant.core.doubts import Doubt
from assistant.core.events import SourceAdded, TableSummary
from ui.views.source_reading import describe_tables, say_doubt


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


def test_a_doubt_names_its_table_where_there_are_several() -> None:
    doubt = Doubt(kind="encoding", table="sales", chosen="Read as Windows-1252.")
    assert say_doubt(doubt, ("sales", "plan")) == "sales: Read as Windows-1252."
    assert say_doubt(doubt, ("sales",)) == "Read as Windows-1252."
    assert say_doubt(Doubt(kind="not_read", chosen="One view is left out."), ("a", "b")) == "One view is left out."
