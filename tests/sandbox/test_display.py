"""Which index of a frame is a column of its table, and which only numbers the rows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import sandbox

SALES = pd.DataFrame(
    {"region": ["North", "South", "North", "West"], "year": [2023, 2023, 2024, 2024], "amount": [5.0, 9.0, 7.0, 1.0]}
)


@pytest.fixture(scope="module")
def resource() -> Iterator[Callable[[Any], dict[str, Any]]]:
    """What the guest makes of a frame or series, which the table on the page is read from."""
    guest = str(Path(sandbox.__file__).parent / "guest")
    sys.path.insert(0, guest)
    from tandem_guest import display  # pyright: ignore[reportMissingImports]

    yield lambda data: (display.series_resource if isinstance(data, pd.Series) else display.frame_resource)(data)
    sys.path.remove(guest)


NUMBERED: dict[str, Callable[[], Any]] = {
    "as it is": lambda: SALES,
    "sorted": lambda: SALES.sort_values("amount"),
    "filtered": lambda: SALES[SALES.amount > 4],
    "sorted and cut": lambda: SALES.sort_values("amount").head(2),
    "largest": lambda: SALES.nlargest(2, "amount"),
    "a sample": lambda: SALES.sample(3, random_state=1),
    "put together": lambda: pd.concat([SALES, SALES]),
    "without doubles": lambda: SALES.drop_duplicates("region"),
    "without gaps": SALES[SALES.amount > 5].dropna,
    "no rows": lambda: SALES[SALES.amount > 99],
    "a part": lambda: SALES.iloc[1:3],
    "exploded": lambda: SALES.assign(region=[["a", "b"]] * 4).explode("region"),
}


@pytest.mark.parametrize("name", NUMBERED)
def test_an_unnamed_numbering_of_rows_is_no_column(resource: Callable[[Any], dict[str, Any]], name: str) -> None:
    made = resource(NUMBERED[name]())
    assert [field["name"] for field in made["schema"]["fields"]] == ["region", "year", "amount"]
    assert "primaryKey" not in made["schema"]


KEPT: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "grouped": (SALES.groupby("region")[["amount"]].sum, ["region", "amount"]),
    "grouped by a number": (SALES.groupby("year")[["amount"]].sum, ["year", "amount"]),
    "grouped by two": (SALES.groupby(["region", "year"])[["amount"]].sum, ["region", "year", "amount"]),
    "a pivot": (lambda: SALES.pivot_table("amount", "region", "year"), ["region", "2023", "2024"]),
    "described": (SALES[["amount"]].describe, ["index", "amount"]),
    "turned": (lambda: SALES[["amount"]].T, ["index", "0", "1", "2", "3"]),
    "by text": (lambda: pd.Series({"a": 1, "b": 2}), ["index", "values"]),
    "by date": (lambda: pd.Series([1, 2], index=pd.date_range("2024-01-01", periods=2)), ["index", "values"]),
    "quantiles": (lambda: SALES.amount.quantile([0.25, 0.5]), ["index", "amount"]),
    "counted": (SALES.year.value_counts, ["year", "count"]),
    "named": (lambda: SALES.rename_axis("row"), ["row", "region", "year", "amount"]),
}


@pytest.mark.parametrize("name", KEPT)
def test_an_index_that_says_what_the_rows_are_is_a_column(resource: Callable[[Any], dict[str, Any]], name: str) -> None:
    make, columns = KEPT[name]
    assert [field["name"] for field in resource(make())["schema"]["fields"]] == columns
