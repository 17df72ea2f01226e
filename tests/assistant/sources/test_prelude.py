"""What `query()` gives in the kernel is a DataFrame an analyst can work with."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from assistant.cells.first_cell import list_aliases, list_imports_used, render_prelude
from assistant.sources.arrow import write_file

PRELUDE = resources.files("assistant.sources").joinpath("prelude.py.txt").read_text(encoding="utf-8")
Asked = list[dict[str, Any]]


@pytest.fixture
def kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[pa.Table], tuple[Callable[..., pd.DataFrame], Asked]]:
    """The prelude as a kernel runs it, over a guest module that answers with one table."""

    def make(table: pa.Table) -> tuple[Callable[..., pd.DataFrame], Asked]:
        write_file(table, tmp_path / "r.arrow", mode=0o644)
        asked: Asked = []
        guest = ModuleType("tandem_guest")

        def call(name: str, **arguments: Any) -> dict[str, Any]:
            asked.append({"name": name, **arguments})
            return {"file": "r.arrow"}

        vars(guest).update(call=call, data_path=lambda file: tmp_path / file)
        monkeypatch.setitem(sys.modules, "tandem_guest", guest)
        names: dict[str, Any] = {}
        exec(compile(PRELUDE, "prelude", "exec"), names)
        return names["query"], asked

    return make


def everything() -> pa.Table:
    return pa.table(
        {
            "i": pa.array([1, 2, 3]),
            "i_null": pa.array([2**53 + 1, None, 3]),
            "f": pa.array([1.5, None, 3.0]),
            "d": pa.array([Decimal("1.10"), None, Decimal("3.00")]),
            "b": pa.array([True, False, True]),
            "b_null": pa.array([True, None, False]),
            "s": pa.array(["x", None, "y"]),
            "day": pa.array([date(2024, 1, 5), None, date(2024, 2, 5)]),
            "at": pa.array([datetime(2024, 1, 5, 10), None, datetime(2024, 2, 5)], pa.timestamp("us")),
            "zone": pa.array([datetime(2024, 1, 5, 10), None, datetime(2024, 2, 5)], pa.timestamp("us", "UTC")),
            "clock": pa.array([time(10), None, time(11)]),
            "raw": pa.array([b"x", None, b"y"]),
            "list": pa.array([[1], None, [2, 3]]),
            "none": pa.nulls(3),
        }
    )


def test_every_type_becomes_what_an_analyst_expects(kernel: Any) -> None:
    query, _ = kernel(everything())
    frame = query("SELECT 1")
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == {
        "i": "int64",
        "i_null": "Int64",
        "f": "float64",
        "d": "float64",
        "b": "bool",
        "b_null": "boolean",
        "s": "str",
        "day": "datetime64[s]",
        "at": "datetime64[us]",
        "zone": "datetime64[us, UTC]",
        "clock": "object",
        "raw": "object",
        "list": "object",
        "none": "object",
    }
    assert frame["i_null"].iloc[0] == 2**53 + 1
    assert frame["d"].sum() == pytest.approx(4.1)
    assert frame["none"].isna().all()


def test_the_usual_next_steps_work(kernel: Any) -> None:
    query, _ = kernel(everything())
    frame = query("SELECT 1")
    assert frame.groupby("s")["i_null"].sum().to_dict() == {"x": 2**53 + 1, "y": 3}
    assert frame.groupby(frame["day"].dt.to_period("M"))["f"].sum().tolist() == [1.5, 3.0]
    assert pd.to_datetime(frame["day"]).dt.year.tolist()[0] == 2024
    assert frame["s"].str.upper().tolist()[0] == "X"
    frame["new"] = frame["i"] * 2
    frame.loc[0, "i"] = 10
    assert frame["i"].tolist() == [10, 2, 3]
    assert frame.merge(frame, on="s").shape[0] >= 2
    chart = alt.Chart(frame.drop(columns=["raw", "list", "clock"])).mark_bar().encode(x="day:T", y="i_null:Q").to_dict()
    assert chart["data"]
    assert "2024" in frame.to_json(date_format="iso") or frame.to_csv()


def test_an_empty_result_keeps_its_columns(kernel: Any) -> None:
    query, _ = kernel(everything().slice(0, 0))
    frame = query("SELECT 1")
    assert frame.shape == (0, 14)
    assert kernel(pa.table({}))[0]("SELECT 1").shape == (0, 0)


def test_parameters_travel_as_plain_values(kernel: Any) -> None:
    query, asked = kernel(everything())
    query("q", source="shop", params={"n": np.int64(3), "d": date(2024, 1, 5), "t": pd.Timestamp("2024-01-05 10:00")})
    query("q", params=(1, "x"))
    query("q")
    assert asked == [
        {
            "name": "query",
            "sql": "q",
            "source": "shop",
            "params": {"n": 3, "d": "2024-01-05", "t": "2024-01-05 10:00:00"},
        },
        {"name": "query", "sql": "q", "source": None, "params": [1, "x"]},
        {"name": "query", "sql": "q", "source": None, "params": None},
    ]


def test_only_query_and_files_are_left_in_the_kernel() -> None:
    names: dict[str, Any] = {}
    exec(compile(PRELUDE, "prelude", "exec"), names)
    assert [name for name in names if not name.startswith("__")] == ["query", "files"]


def test_the_first_cell_imports_what_models_are_told_of() -> None:
    assert list_aliases().keys() == {"alt", "plt", "np", "pd"}
    for alias, statement in list_aliases().items():
        module = statement.split()[1]
        assert f"{alias} = tandem_guest.later({module!r})" in render_prelude() or f"{statement}\n" in render_prelude()
    assert list_imports_used(["x = 1", "pd.DataFrame()", "%magic"]) == ("import pandas as pd",)
