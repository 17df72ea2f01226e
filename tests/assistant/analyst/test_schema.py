"""Tables have a grain and a label, links a cardinality, and paths prefer single rows."""

from __future__ import annotations

from assistant.analyst.algebra import Column
from assistant.analyst.schema import Schema
from assistant.data import catalog as found


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
