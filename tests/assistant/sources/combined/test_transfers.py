"""What leaves each source for a query over several: needed columns, and conditions that no engine reads otherwise."""

from __future__ import annotations

import pytest

from assistant.core.catalog import Catalog, Column, ForeignKey, Profile, Table
from assistant.core.data_errors import SourceError
from assistant.sources.combined.naming import bridges, combined, masked_in
from assistant.sources.combined.transfers import transfers_of


def column(name: str, kind: str, type_: str = "", **more: object) -> Column:
    return Column(name=name, type=type_ or kind, kind=kind, **more)  # pyright: ignore[reportArgumentType]


ORDERS = Table(
    name="Orders",
    schema="sales",
    columns=(
        column("Id", "integer"),
        column("store_id", "integer"),
        column("day", "date"),
        column("at", "datetime", "timestamp with time zone"),
        column("status", "text"),
    ),
    foreign_keys=(ForeignKey(columns=("store_id",), table="stores", target_columns=("id",)),),
)
STORES = Table(name="stores", schema="sales", columns=(column("id", "integer"), column("city", "text")))
PLANS = Table(
    name="plans",
    columns=(
        column("store", "integer"),
        column("month", "date", "TEXT", stored_as_text=True),
        column("goal", "number"),
    ),
)
SHOP = Catalog(source="shop", dialect="postgres", tables=(ORDERS, STORES))
PLAN = Catalog(source="plan", dialect="sqlite", tables=(PLANS,))
WHOLE = combined("both", (SHOP, PLAN), ("plans.store = shop.stores.id",))


def crossed(sql: str) -> dict[str, str]:
    return {one.name: one.sql for one in transfers_of(sql, WHOLE)}


def test_only_the_columns_that_a_query_names_cross() -> None:
    sql = "SELECT s.city, sum(p.goal) FROM stores s JOIN plan.plans p ON p.store = s.id GROUP BY s.city"
    assert crossed(sql) == {
        "stores": 'SELECT "id", "city" FROM "sales"."stores"',
        "plans": 'SELECT "store", "goal" FROM "plans"',
    }


def test_of_rows_that_are_only_counted_one_column_crosses() -> None:
    assert crossed("SELECT count(*) FROM orders") == {"Orders": 'SELECT "Id" FROM "sales"."Orders"'}


def test_a_name_inside_a_subquery_crosses_too() -> None:
    sql = "SELECT city FROM stores s WHERE EXISTS (SELECT 1 FROM orders o WHERE o.store_id = s.id)"
    assert crossed(sql) == {
        "stores": 'SELECT "id", "city" FROM "sales"."stores"',
        "Orders": 'SELECT "store_id" FROM "sales"."Orders"',
    }


@pytest.mark.parametrize(
    ("condition", "there"),
    [
        ("o.id > 5", '"Id" > 5'),
        ("o.id BETWEEN 1 AND 3", '"Id" BETWEEN 1 AND 3'),
        ("o.id IN (1, -2)", '"Id" IN (1, -2)'),
        ("o.status = 'sent'", "\"status\" = 'sent'"),
        ("o.day >= DATE '2026-01-01'", "\"day\" >= CAST('2026-01-01' AS DATE)"),
        ("o.status = 'sent' AND o.id = 1", '"status" = \'sent\' AND "Id" = 1'),
        ("o.status > 'a'", ""),  # engines sort text in other ways
        ("o.at > TIMESTAMP '2026-01-01'", ""),  # whose midnight?
        ("o.status IS NULL", ""),  # would change what an outer join finds
        ("o.id = 1 OR s.id = 2", ""),
        ("o.id = s.id", ""),
        ("lower(o.status) = 'sent'", ""),
        ("o.id = 'five'", ""),
        ("o.id IN (SELECT store FROM plans)", ""),
        ("NOT o.id = 5", ""),
    ],
)
def test_a_condition_goes_down_only_where_all_engines_agree(condition: str, there: str) -> None:
    sql = f"SELECT o.id, s.id FROM stores s LEFT JOIN orders o ON o.store_id = s.id WHERE {condition}"
    assert crossed(sql)["Orders"].partition(" WHERE ")[2] == there


def test_a_date_that_is_kept_as_text_is_compared_as_text() -> None:
    sql = "SELECT sum(goal) FROM plans WHERE month >= '2026-01-01'"
    assert crossed(sql)["plans"] == 'SELECT "month", "goal" FROM "plans" WHERE "month" >= \'2026-01-01\''


def test_a_table_that_is_named_twice_crosses_whole() -> None:
    sql = "SELECT a.id FROM orders a JOIN orders b ON a.id = b.store_id WHERE a.id = 1"
    assert "WHERE" not in crossed(sql)["Orders"]


def test_of_the_first_rows_of_a_table_no_more_cross() -> None:
    assert crossed("SELECT * FROM plans LIMIT 20")["plans"].endswith("LIMIT 20")
    for sql in ("SELECT max(goal) FROM plans LIMIT 20", "SELECT store FROM plans ORDER BY goal LIMIT 20"):
        assert "LIMIT" not in crossed(sql)["plans"]


def test_of_a_query_that_cannot_be_followed_all_columns_cross() -> None:
    found = crossed("PIVOT plans ON store USING sum(goal)")
    assert found == {"plans": 'SELECT "store", "month", "goal" FROM "plans"'}


def test_tables_of_one_name_are_called_by_their_source() -> None:
    other = Catalog(source="crm", dialect="sqlite", tables=(Table(name="Stores", columns=STORES.columns),))
    whole = combined("all", (SHOP, other), ())
    assert [(t.schema, t.name) for t in whole.catalog.tables] == [
        ("shop", "Orders"),
        ("shop", "shop_stores"),
        ("crm", "crm_Stores"),
    ]
    assert whole.catalog.tables[0].foreign_keys[0].table == "shop_stores"
    assert masked_in(whole, (SHOP, other), ("crm.stores.city",)) == ("crm_Stores.city",)
    assert masked_in(whole, (SHOP, other), ("stores.city",)) == ("shop_stores.city", "crm_Stores.city")


def test_a_confirmed_key_joins_and_one_that_names_nothing_is_refused() -> None:
    plans = WHOLE.catalog.table("plans")
    assert plans is not None
    assert [(key.columns, key.table, key.inferred) for key in plans.foreign_keys] == [(("store",), "stores", False)]
    with pytest.raises(SourceError, match=r"names 'stores.nothing', and there is no such column"):
        combined("both", (SHOP, PLAN), ("plans.store = stores.nothing",))


def test_a_key_is_proposed_where_all_values_occur_in_the_other_source() -> None:
    def cities(*values: str, rows: int) -> Table:
        profile = Profile(distinct=len(values), nulls=0, values=values)
        return Table(name=f"t{rows}", columns=(column("city", "text", profile=profile),), rows=rows)

    own = Catalog(source="a", dialect="sqlite", tables=(cities("Bergen", "Oslo", rows=2),))
    few = Catalog(source="b", dialect="sqlite", tables=(cities("Oslo", rows=9),))
    found = [(one.table.name, one.target.name) for one in bridges(combined("all", (own, few), ()))]
    assert found == [("t9", "t2")]
