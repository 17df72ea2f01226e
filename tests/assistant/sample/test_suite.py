"""The suite over the sample company: each accepted answer equals one that pandas computes without any SQL."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from assistant.sample.company import write_sample

AS_OF = date(2026, 11, 21)
TABLES = [
    "regions",
    "stores",
    "customers",
    "categories",
    "products",
    "orders",
    "order_lines",
    "returns",
    "marketing_spend",
    "support_tickets",
]
Rows = list[tuple[object, ...]]
Frames = dict[str, pd.DataFrame]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample(tmp_path_factory.mktemp("suite"), as_of=AS_OF).database.parent


@pytest.fixture(scope="module")
def frames(folder: Path) -> Frames:
    with closing(sqlite3.connect(folder / "company.sqlite")) as connection:
        read = {name: pd.read_sql_query(f"SELECT * FROM {name}", connection) for name in TABLES}
    live = read["orders"][read["orders"]["status"] != "cancelled"]
    sales = (
        read["order_lines"].merge(live, on="order_id").merge(read["customers"], on="customer_id", suffixes=("", "_k"))
    )
    sales = sales.merge(read["products"].rename(columns={"name": "product"}), on="product_id")
    sales = sales.merge(read["categories"].rename(columns={"name": "category"}), on="category_id")
    sales = sales.merge(read["regions"].rename(columns={"name": "region"}), on="region_id")
    sales["gross"] = sales["quantity"] * sales["unit_price"]
    sales["net"] = sales["gross"] * (1 - sales["discount"]) - sales["refunded"]
    sales["margin"] = sales["net"] - (sales["quantity"] - sales["returned_quantity"]) * sales["unit_cost"]
    people = read["customers"].merge(read["regions"].rename(columns={"name": "region"}), on="region_id")
    return {**read, "sales": sales, "people": people}


def pairs(series: pd.Series) -> Rows:
    return list(zip(series.index.tolist(), series.tolist(), strict=True))


def between(frame: pd.DataFrame, column: str, first: str, last: str) -> pd.DataFrame:
    return frame[frame[column].between(first, last)]


def last_year(frame: pd.DataFrame, column: str = "order_date") -> pd.DataFrame:
    return between(frame, column, "2025-01-01", "2025-12-31")


def last_quarter(frame: pd.DataFrame, column: str = "order_date") -> pd.DataFrame:
    return between(frame, column, "2026-07-01", "2026-09-30")


def rate(frame: pd.DataFrame, key: str, part: str, whole: str) -> Rows:
    sums = frame.groupby(key)[[part, whole]].sum()
    return pairs(100 * sums[part] / sums[whole])


def churn(frames: Frames) -> Rows:
    people = frames["people"].dropna(subset=["last_purchase_date"])
    return pairs(100 * (people["last_purchase_date"] < "2026-05-25").groupby(people["region"]).mean())


def order_value(frames: Frames) -> Rows:
    by_order = last_year(frames["sales"]).groupby(["channel", "order_id"])["net"].sum()
    return pairs(by_order.groupby("channel").mean())


ANSWERS: dict[str, Callable[[Frames], Rows]] = {
    "net-revenue-by-region": lambda f: pairs(last_quarter(f["sales"]).groupby("region")["net"].sum()),
    "net-revenue-last-year": lambda f: [(last_year(f["sales"])["net"].sum(),)],
    "net-revenue-per-month": lambda f: pairs(
        last_year(f["sales"]).groupby(last_year(f["sales"])["order_date"].str[:7])["net"].sum()
    ),
    "top-products": lambda f: pairs(f["sales"].groupby("product")["quantity"].sum().nlargest(5)),
    "active-customers": lambda f: pairs(
        between(f["people"], "last_purchase_date", "2026-08-23", "2026-11-20").groupby("region").size()
    ),
    "churn-rate": churn,
    "churned-south": lambda f: [
        (int(((f["people"]["region"] == "South") & (f["people"]["last_purchase_date"] < "2026-05-25")).sum()),)
    ],
    "order-value-by-channel": order_value,
    "return-rate": lambda f: rate(f["sales"], "category", "returned_quantity", "quantity"),
    "gross-margin": lambda f: pairs(last_year(f["sales"]).groupby("category")["margin"].sum()),
    "cancelled-orders": lambda f: [
        (int((between(f["orders"], "order_date", "2026-10-01", "2026-10-31")["status"] == "cancelled").sum()),)
    ],
    "open-tickets": lambda f: pairs(
        f["support_tickets"][f["support_tickets"]["closed_date"].isna()].groupby("priority").size()
    ),
    "marketing-by-channel": lambda f: pairs(
        last_year(f["marketing_spend"], "spend_month").groupby("channel")["amount"].sum()
    ),
    "new-customers": lambda f: [(len(last_quarter(f["customers"], "signup_date")),)],
    "best-customers": lambda f: pairs(f["sales"].groupby("name")["net"].sum().nlargest(10)),
    "satisfaction": lambda f: pairs(f["support_tickets"].groupby("topic")["satisfaction"].mean()),
    "products-in-category": lambda f: [(int((f["products"]["category_id"] == 1).sum()),)],
    "refunds-by-reason": lambda f: pairs(
        last_year(f["returns"], "return_date").groupby("reason")["refund_amount"].sum()
    ),
    "corporate-customers": lambda f: [(int((f["customers"]["segment"] == "corporate").sum()),)],
    "best-category": lambda f: pairs(last_year(f["sales"]).groupby("category")["gross"].sum().nlargest(1)),
}


def questions(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "suite.jsonl").read_text(encoding="utf-8").splitlines()]


def same(one: Rows, other: Rows) -> bool:
    """Equal as multisets of rows, numbers to 1e-6 relative."""
    if len(one) != len(other):
        return False
    pairs_of_rows = zip(sorted(one, key=str), sorted(other, key=str), strict=True)
    return all(
        x == (pytest.approx(y, rel=1e-6) if isinstance(y, int | float) else y)
        for left, right in pairs_of_rows
        for x, y in zip(left, right, strict=True)
    )


def test_twenty_questions_with_ids_of_their_own(folder: Path):
    asked = questions(folder)
    assert len(asked) == 20
    assert len({entry["id"] for entry in asked}) == len({entry["question"] for entry in asked}) == 20
    for entry in asked:
        assert set(entry) == {"id", "question", "source", "sql"}
        assert (folder / str(entry["source"])).is_file()
        assert "{" not in str(entry["sql"])


@pytest.mark.parametrize("name", ANSWERS)
def test_an_accepted_answer_equals_what_pandas_computes(folder: Path, frames: Frames, name: str):
    (entry,) = [entry for entry in questions(folder) if str(entry["id"]).endswith(name)]
    golds = entry["sql"]
    assert isinstance(golds, list)
    with closing(sqlite3.connect(folder / "company.sqlite")) as connection:
        answers = [connection.execute(gold).fetchall() for gold in golds]
    assert all(answers)
    expected = ANSWERS[name](frames)
    assert any(len(answer[0]) == len(expected[0]) and same(answer, expected) for answer in answers)


@pytest.mark.parametrize("name", ["top-products", "best-customers"])
def test_a_ranking_has_no_ties_that_could_fall_either_way(frames: Frames, name: str):
    values = [value for _, value in ANSWERS[name](frames)]
    assert len(set(values)) == len(values)


def test_gold_follows_the_day(tmp_path: Path):
    folder = write_sample(tmp_path, as_of=date(2025, 2, 3)).database.parent
    with closing(sqlite3.connect(folder / "company.sqlite")) as connection:
        for entry in questions(folder):
            for gold in entry["sql"]:  # pyright: ignore[reportGeneralTypeIssues]
                assert connection.execute(gold).fetchall(), entry["id"]
        (last,) = [entry for entry in questions(folder) if str(entry["id"]).endswith("new-customers")]
        counted = connection.execute(last["sql"][0]).fetchone()  # pyright: ignore[reportIndexIssue]
        expected = "SELECT COUNT(*) FROM customers WHERE signup_date BETWEEN '2024-10-01' AND '2024-12-31'"
        assert counted == connection.execute(expected).fetchone()
