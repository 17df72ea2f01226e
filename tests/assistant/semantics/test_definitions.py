"""A definition that cannot be used says why; it never vanishes without a word."""

from __future__ import annotations

import pytest

from assistant.core.catalog import Catalog, Column, Table
from assistant.semantics.definitions import faults_of, filter_usable
from knowledge.documents import Metric

ORDERS = Table(
    name="orders",
    columns=tuple(Column(name=name, type="TEXT", kind="text") for name in ("id", "amount", "region", "placed_on")),
)
CUSTOMERS = Table(name="customers", columns=(Column(name="name", type="TEXT", kind="text"),))
CATALOG = Catalog(source="shop", dialect="sqlite", tables=(ORDERS, CUSTOMERS))


def metric(**told: object) -> Metric:
    fields = {"name": "Revenue", "expression": "SUM(amount)", "table": "orders", "origin": "metrics.yaml"} | told
    return Metric(**fields)  # pyright: ignore[reportArgumentType]


def test_a_sound_metric_has_no_fault() -> None:
    sound = metric(joins=("customers",), dimensions=("region", "customers.name"), date_column="placed_on")
    assert faults_of([sound], [CATALOG]) == ()


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"table": "ordrs"}, "no table 'ordrs' in 'shop'; did you mean 'orders'?"),
        ({"joins": ("custmers",)}, "no table 'custmers' to join in 'shop'; did you mean 'customers'?"),
        ({"expression": "SUM(amount"}, "is no SQL of sqlite"),
        ({"expression": "amount"}, "write an aggregate, such as SUM(amount)"),
        ({"expression": "SUM(amont)"}, "the column 'amont', which 'orders' lacks; did you mean 'amount'?"),
        ({"filters": ("customers.name = 'x'",)}, "the table 'customers', which it does not join"),
    ],
)
def test_a_metric_that_cannot_be_computed_is_said_and_left_out(told: dict[str, object], said: str) -> None:
    broken = metric(**told)
    (fault,) = faults_of([broken], [CATALOG])
    assert said in fault.message
    assert fault.is_fatal
    assert filter_usable([broken], [fault]) == ()


def test_a_dimension_that_is_not_there_is_said_and_the_metric_stays() -> None:
    told = metric(dimensions=("regoin",))
    (fault,) = faults_of([told], [CATALOG])
    assert "dimension 'regoin' names the column 'regoin', which 'orders' lacks; did you mean 'region'?" in fault.message
    assert filter_usable([told], [fault]) == (told,)


def test_a_metric_of_a_source_that_is_not_open_is_no_fault() -> None:
    assert faults_of([metric(source="elsewhere", table="x")], [CATALOG]) == ()
