"""Results as the host kept them: tables that survive, charts that reach nowhere."""

from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.cells.charts import find_chart, has_chart, why_unsafe
from assistant.cells.tables import DATA_RESOURCE, TableView, has_table, read_table, to_days, to_json_value
from assistant.core.events import Execution, QueryRun
from assistant.delivery.terminal import format_table


def execution(language: str = "python", *, queries: tuple[QueryRun, ...] = (), **data: object) -> Execution:
    outputs = ({"output_type": "display_data", "data": data, "metadata": {}},) if data else ()
    return Execution(
        turn=1,
        id="1.1.1",
        step=1,
        language=language,
        code="",
        status="ok",
        outputs=outputs,
        queries=queries,  # pyright: ignore
    )


def written(folder: Path, table: pa.Table, name: str = "1.1.1-1.arrow") -> QueryRun:
    with pa.OSFile(str(folder / name), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return QueryRun(sql="SELECT 1", source="s", rows=table.num_rows, seconds=0, file=name)


def test_a_querys_table_is_the_snapshot_with_its_types(tmp_path: Path) -> None:
    table = pa.table(
        {
            "day": [date(2026, 1, 31), None],
            "at": [datetime(2026, 1, 31, 12, 30), None],
            "price": pa.array([Decimal("1.50"), None], pa.decimal128(10, 2)),
            "n": [1, None],
        }
    )
    view = read_table(execution("sql", queries=(written(tmp_path, table),)), folder=tmp_path, rows_max=1)
    assert view is not None
    assert (view.columns, view.total, len(view.rows)) == (("day", "at", "price", "n"), 2, 1)
    assert view.numeric == {"price", "n"}
    assert view.temporal == {"day", "at"}
    assert [to_json_value(cell) for cell in view.rows[0]] == ["2026-01-31", "2026-01-31 12:30:00", 1.5, 1]


def test_a_snapshot_that_is_gone_or_damaged_is_no_table(tmp_path: Path) -> None:
    run = written(tmp_path, pa.table({"n": [1]}))
    (tmp_path / run.file).write_bytes(b"garbage")
    assert read_table(execution("sql", queries=(run,)), folder=tmp_path, rows_max=10) is None
    (tmp_path / run.file).unlink()
    assert read_table(execution("sql", queries=(run,)), folder=tmp_path, rows_max=10) is None


def test_a_snapshots_name_cannot_leave_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    run = written(tmp_path, pa.table({"n": [1]}), "secret.arrow")
    outside = run.model_copy(update={"file": "../secret.arrow"})
    assert read_table(execution("sql", queries=(outside,)), folder=tmp_path / "data", rows_max=10) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 10) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["schema", "fields", "name", "data", "rows_total", "type", "a"]), inner, max_size=4
        )
    ),
    max_leaves=20,
)


@given(resource=st.dictionaries(st.sampled_from(["schema", "data", "rows_total"]), JSON))
def test_whatever_a_kernel_says_is_a_table_or_none(resource: dict[str, object]) -> None:
    """The kernel is untrusted: no shape of its output may break the page."""
    said = execution(**{DATA_RESOURCE: resource})
    view = read_table(said, folder=Path("/nowhere"), rows_max=5)
    if view is not None:
        assert all(len(row) == len(view.columns) for row in view.rows)
        assert view.total >= len(view.rows)
        json.dumps([[to_json_value(cell) for cell in row] for row in view.rows])


def test_only_executions_that_worked_have_results() -> None:
    failed = execution(**{DATA_RESOURCE: {"schema": {"fields": []}, "data": []}}).model_copy(
        update={"status": "failed"}
    )
    assert not has_table(failed)
    assert not has_chart(failed)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (float("nan"), None),
        (float("inf"), None),
        (datetime(2026, 1, 1), "2026-01-01"),
        (Decimal("10"), 10),
        (Decimal("1.25"), 1.25),
        (b"abc", "<3 bytes>"),
        ({"a": [date(2026, 1, 1)]}, {"a": ["2026-01-01"]}),
    ],
)
def test_cells_become_json(value: object, expected: object) -> None:
    assert to_json_value(value) == expected


BAR = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
    "mark": {"type": "bar", "tooltip": True},
    "data": {"name": "d"},
    "datasets": {"d": [{"region": "North", "url": "a column that is named so", "n": 1}]},
    "encoding": {"x": {"field": "region"}, "y": {"field": "n"}},
}
HOSTILE = {
    "data by url": {"mark": "bar", "data": {"url": "https://example.test/?stolen"}},
    "data by url, deep inside": {"layer": [{"mark": "bar", "data": {"url": "file:///etc/passwd"}}]},
    "lookup": {"mark": "bar", "transform": [{"lookup": "a", "from": {"data": {"url": "//example.test"}, "key": "a"}}]},
    "image mark": {"mark": "image", "encoding": {"x": {"field": "a"}}},
    "image mark as an object": {"mark": {"type": "image"}},
    "image encoding": {"mark": "point", "encoding": {"url": {"field": "a"}}},
    "link": {"mark": {"type": "point", "href": "https://example.test"}},
    "link encoding": {"mark": "point", "encoding": {"href": {"field": "a"}}},
    "options for the embedder": {"mark": "bar", "usermeta": {"embedOptions": {"loader": {"baseURL": "//x"}}}},
    "hidden in values": {"vconcat": [{"mark": "bar", "data": {"values": [], "url": "//example.test"}}]},
}


def vegalite(specification: object) -> Execution:
    return execution(**{"application/vnd.vegalite.v6+json": specification})


@pytest.mark.parametrize("noon", ["2026-08-20T12:00:00", datetime(2026, 8, 20, 12)])
def test_days_are_shown_alone_where_every_value_is_at_midnight(noon: object) -> None:
    midnight = ["2026-08-19T00:00:00", None, datetime(2026, 8, 20)]
    assert to_days(midnight) == [date(2026, 8, 19), None, date(2026, 8, 20)]
    for kept in ([*midnight, noon], ["2026-02-30T00:00:00"], ["2026-08"], [None], [20260819], []):
        assert to_days(kept) == kept


def test_a_table_in_the_terminal_shows_days_alone() -> None:
    view = TableView(columns=("period", "at"), rows=(("2026-08-19T00:00:00", "2026-08-19T09:30:00"),), total=1)
    assert format_table(view).splitlines()[-1].split() == ["2026-08-19", "2026-08-19T09:30:00"]
    empty = TableView(columns=("period",), rows=(), total=0)
    assert format_table(empty).splitlines() == ["period", "──────"]


def test_a_year_and_a_key_are_no_amounts_in_the_terminal() -> None:
    rows = tuple((2022 + n, 10_000 + n, 20_000 + n) for n in range(3))
    view = TableView(
        columns=("year", "order_id", "orders"), rows=rows, total=3, numeric=frozenset({"year", "order_id", "orders"})
    )
    assert format_table(view).splitlines()[-1].split() == ["2024", "10002", "20,002"]


def test_a_chart_with_its_own_data_is_drawn() -> None:
    chart = find_chart(vegalite(BAR))
    assert chart is not None
    assert chart["datasets"] == BAR["datasets"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_chart_that_could_reach_outside_is_not_drawn(name: str) -> None:
    said = vegalite(HOSTILE[name])
    assert has_chart(said)
    assert find_chart(said) is None
    assert "outside" in str(why_unsafe(HOSTILE[name])) or "embedder" in name  # type: ignore[arg-type]


@given(JSON)
def test_no_specification_breaks_the_check(specification: object) -> None:
    why_unsafe(specification)  # type: ignore[arg-type]
    find_chart(vegalite(specification))


def test_parts_of_one_are_told_apart_in_the_terminal() -> None:
    rows = (("Meat", 0.0632, 12.5), ("Grains", 0.0598, 0.25))
    view = TableView(columns=("name", "discount", "price"), rows=rows, total=2)
    assert [line.split()[1:] for line in format_table(view).splitlines()[2:]] == [
        ["0.0632", "12.50"],
        ["0.0598", "0.25"],
    ]
