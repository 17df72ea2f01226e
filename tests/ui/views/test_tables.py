"""A table in words: what Streamlit is given is what pandas would have made of it, and is made once."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
from streamlit.elements.lib.pandas_styler_utils import marshall_styler
from streamlit.proto.ArrowData_pb2 import ArrowData

from assistant.core.events import Appearance
from ui.views import tables
from ui.views.result import Result, build_result


@dataclass(frozen=True)
class Table:
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]

    @property
    def total(self) -> int:
        return len(self.rows)


def result(rows: tuple[tuple[object, ...], ...]) -> Result:
    return build_result(Table(("region", "order_date", "amount"), rows), None, Appearance(), "de-DE", key=())


ROWS = (("North", "2026-01-31", 1234.5), ("South", None, None), (None, "2026-02-28", -0.25))


def drawn(styler: object) -> ArrowData:
    proto = ArrowData()
    marshall_styler(proto, styler, "a-table")  # type: ignore[arg-type]
    return proto


def words(proto: ArrowData) -> dict[str, list[object]]:
    return pa.ipc.open_stream(proto.styler.display_values).read_all().to_pydict()


def test_figures_and_days_are_read_as_the_person_writes_them() -> None:
    found = words(drawn(tables.CellTexts.from_result(result(ROWS)).styled()))
    assert found["amount"] == ["1.234,50", "", "-0,25"]
    assert found["order_date"] == ["31.01.2026", "", "28.02.2026"]
    assert found["region"][:2] == ["North", "South"]


def test_marked_cells_have_their_style_and_no_others() -> None:
    styles = drawn(
        tables.CellTexts.from_result(result(ROWS)).styled([(2, 0), (0, 2)], [("color", "red")])
    ).styler.styles
    assert styles == "#T_a-table_row2_col0, #T_a-table_row0_col2 { color: red }"
    assert drawn(tables.CellTexts.from_result(result(ROWS)).styled()).styler.styles == ""


def test_a_table_with_too_many_cells_to_word_is_drawn_as_it_is() -> None:
    made = result(tuple((f"City {n}", "2026-01-31", n / 4) for n in range(tables.ROWS_MAX)))
    few, tables.CELLS_STYLED_MAX = tables.CELLS_STYLED_MAX, 100
    try:
        assert tables.CellTexts.from_result(made).styled() is not None
        assert not tables.CellTexts.from_result(made).texts
    finally:
        tables.CELLS_STYLED_MAX = few
