"""Tables have a grain and a label, links a cardinality, and paths prefer single rows."""

from __future__ import annotations

import pytest

from assistant.analyst.algebra import Column
from assistant.analyst.schema import Schema
from assistant.core import catalog as found


def column(name: str, kind: found.ColumnKind = "integer", distinct: int = 10, **more: object) -> found.Column:
    profile = found.Profile(distinct=distinct, nulls=0, **more)  # pyright: ignore[reportArgumentType]
    return found.Column(name=name, type="", kind=kind, profile=profile)


def shop() -> Schema:
    customers = found.Table(
        name="customers",
        columns=(column("id"), column("first_name", "text"), column("last_name", "text"), column("vip", "boolean")),
        primary_key=("id",),
        rows=10,
    )
    orders = found.Table(
        name="orders",
        columns=(column("id", distinct=50), column("customer_id"), column("freight", "number")),
        primary_key=("id",),
        foreign_keys=(found.ForeignKey(columns=("customer_id",), table="Customers", target_columns=("ID",)),),
        rows=50,
    )
    passports = found.Table(
        name="passports",
        columns=(column("number", "text"), column("customer_id")),
        foreign_keys=(found.ForeignKey(columns=("customer_id",), table="customers", target_columns=("id",)),),
        rows=10,
    )
    alone = found.Table(name="alone", columns=(column("x"),), rows=10)
    return Schema.of(found.Catalog(source="shop", dialect="sqlite", tables=(customers, orders, passports, alone)))


def test_a_row_of_orders_has_one_customer_and_a_customer_many_orders() -> None:
    schema = shop()
    assert schema.reaches_one("orders", "customers")
    assert not schema.reaches_one("customers", "orders")


def test_a_unique_reference_is_one_to_one() -> None:
    assert shop().reaches_one("customers", "passports")


def test_a_table_without_links_cannot_be_reached() -> None:
    assert shop().path("orders", "alone") is None
    assert shop().path("alone", "alone") == ()


def test_a_person_is_named_by_both_names_and_an_order_by_its_key() -> None:
    tables = shop().tables
    assert tables["customers"].label == (Column("customers", "first_name"), Column("customers", "last_name"))
    assert tables["orders"].label == tables["orders"].grain == (Column("orders", "id"),)


def test_a_reference_is_typed_as_a_key() -> None:
    assert shop().typed[Column("orders", "customer_id")].role == "key"
    assert shop().typed[Column("orders", "freight")].role == "measure"


def test_a_view_tells_again_what_tables_hold_and_is_left_out() -> None:
    table = found.Table(name="orders", columns=(column("id"),), primary_key=("id",), rows=10)
    view = found.Table(name="big_orders", columns=(column("id"),), rows=3, is_view=True)
    both = found.Catalog(source="shop", dialect="sqlite", tables=(table, view))
    assert list(Schema.of(both).tables) == ["orders"]
    alone = found.Catalog(source="shop", dialect="sqlite", tables=(view,))
    assert list(Schema.of(alone).tables) == ["big_orders"]


def test_rows_without_a_name_are_called_by_what_they_belong_to() -> None:
    people = found.Table(
        name="people", columns=(column("id"), column("name", "text", distinct=40)), primary_key=("id",), rows=40
    )
    pay = found.Table(
        name="pay",
        columns=(column("person_id", distinct=40), column("since", "date"), column("amount", "number")),
        primary_key=("person_id", "since"),
        foreign_keys=(found.ForeignKey(columns=("person_id",), table="people", target_columns=("id",)),),
        rows=90,
    )
    schema = Schema.of(found.Catalog(source="pay", dialect="sqlite", tables=(people, pay)))
    assert schema.tables["pay"].label == (Column("people", "name"),)


def test_a_way_that_few_rows_have_is_not_the_first() -> None:
    staff = found.Table(name="staff", columns=(column("id", distinct=100),), primary_key=("id",), rows=100)
    teams = found.Table(name="teams", columns=(column("id", distinct=5),), primary_key=("id",), rows=5)
    keys = (
        found.ForeignKey(columns=("staff_id",), table="staff", target_columns=("id",)),
        found.ForeignKey(columns=("team_id",), table="teams", target_columns=("id",)),
    )
    leads = found.Table(
        name="leads", columns=(column("staff_id", distinct=5), column("team_id")), foreign_keys=keys, rows=5
    )
    places = found.Table(
        name="places", columns=(column("staff_id", distinct=99), column("team_id")), foreign_keys=keys, rows=120
    )
    schema = Schema.of(found.Catalog(source="work", dialect="sqlite", tables=(leads, places, staff, teams)))
    path = schema.path("staff", "teams")
    assert path is not None
    assert [link.table for link in path] == ["places", "teams"]


@pytest.mark.parametrize(
    ("table", "name", "role"), [("flights", "flight", "identifier"), ("visits", "visits", "measure")]
)
def test_a_number_called_as_one_row_tells_rows_apart_and_one_called_as_all_adds_up(
    table: str, name: str, role: str
) -> None:
    tables = (found.Table(name=table, columns=(column(name, low=1, high=9500),), rows=12),)
    schema = Schema.of(found.Catalog(source="s", dialect="duckdb", tables=tables))
    assert schema.typed[Column(table, name)].role == role


def test_a_way_through_several_tables_is_the_cheapest_from_each_start() -> None:
    """Ways are kept by their start; the way back from the far end is another one."""

    def table(name: str, *refers: str, rows: int = 50) -> found.Table:
        keys = tuple(found.ForeignKey(columns=(f"{one}_id",), table=one, target_columns=("id",)) for one in refers)
        columns = (column("id", distinct=rows), *(column(f"{one}_id") for one in refers))
        return found.Table(name=name, columns=columns, primary_key=("id",), foreign_keys=keys, rows=rows)

    tables = (
        table("line", "sale"),
        table("sale", "shop"),
        table("shop", "town"),
        table("town"),
        table("visit", "town"),
    )
    schema = Schema.of(found.Catalog(source="s", dialect="sqlite", tables=tables))
    there = schema.path("line", "town") or ()
    assert [link.table for link in there] == ["sale", "shop", "town"]
    assert [link.table for link in schema.path("town", "line") or ()] == ["shop", "sale", "line"]
    assert [link.table for link in schema.path("line", "visit") or ()] == ["sale", "shop", "town", "visit"]
    assert schema.path("line", "line") == ()
    assert schema.reaches_one("line", "town")
    assert not schema.reaches_one("line", "visit")
