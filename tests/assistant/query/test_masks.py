"""Entries of the setting `mask` against catalogs, and what is left of a catalog without masked values."""

from __future__ import annotations

import pytest

from assistant.core.catalog import Catalog, Column, Profile, Table
from assistant.core.data_errors import SourceError
from assistant.core.doubts import Doubt
from assistant.query.masks import (
    Stray,
    describe_mask,
    exclude_masked_doubts,
    exclude_masked_values,
    find_masks,
    find_strays,
    is_masked,
    read_noted_masks,
)


def table(name: str, *columns: str, schema: str | None = None, **more: object) -> Table:
    made = tuple(Column(name=column, type="text", kind="text") for column in columns)
    return Table(name=name, columns=made, schema=schema, **more)  # pyright: ignore[reportArgumentType]


SHOP = Catalog(
    source="Shop",
    dialect="postgres",
    tables=(
        table("Customer", "id", "Email", schema="crm"),
        table("customer", "email", schema="old"),
        table("sale", "id", "email"),
    ),
)


@pytest.mark.parametrize(
    ("mask", "masks"),
    [
        ((), {}),
        (("customer.email",), {"customer": {"email"}}),
        (("CRM.Customer.EMAIL", "sale.id"), {"customer": {"email"}, "sale": {"id"}}),
        (("shop.sale.email", "sale.id"), {"sale": {"email", "id"}}),
        (("shop.crm.customer.id", "other.customer.email", "else.email", "a.b.c.d"), {"customer": {"id"}}),
    ],
)
def test_entries_name_columns_with_or_without_source_and_schema(
    mask: tuple[str, ...], masks: dict[str, set[str]]
) -> None:
    assert find_masks(mask, SHOP) == masks


@pytest.mark.parametrize(
    ("entry", "hint"),
    [
        ("customer.emial", "Did you mean 'customer.email'?"),
        ("shop.custmer.email", "Did you mean 'shop.customer.email'?"),
        ("crm.customer.x", "Did you mean 'crm.customer.id'?"),
        ("SHOP.zzz.qqq", "Write it as table.column or source.table.column."),
    ],
)
def test_an_entry_of_this_source_that_names_no_column_is_an_error(entry: str, hint: str) -> None:
    with pytest.raises(SourceError) as problem:
        find_masks((entry,), SHOP)
    assert str(problem.value) == f"The setting `mask` names {entry!r}, but 'Shop' has no such column. {hint}"


def test_an_entry_that_no_source_has_is_told_with_the_nearest_name_of_its_length() -> None:
    entries = ("sale.email", "SALE.ID", "sales.email", "shop.sale.emai", "shop.id", "zzz", "saleemail")
    strays = find_strays(entries, [SHOP, Catalog(source="b", dialect="", tables=())])
    assert strays == (
        Stray(entry="sales.email", suggestion="sale.email"),
        Stray(entry="shop.sale.emai", suggestion="shop.sale.email"),
        Stray(entry="shop.id"),
        Stray(entry="zzz"),
        Stray(entry="saleemail", suggestion="sale.email"),
    )


def test_noted_masks_are_read_back_from_what_is_said_of_them() -> None:
    tables = {"Customer": ("id", "Email"), "contact": ("reach",), "sale": ("id",)}
    notes = [describe_mask("Customer", "Email"), describe_mask("contact", "reach", inherits=True), "read day first"]
    assert notes[0] == "Customer.Email is masked: its values never leave the source, ••• stands for them"
    assert read_noted_masks(notes, tables) == {"customer": {"email"}, "contact": {"reach"}}
    assert read_noted_masks(notes, tables, inherited=False) == {"customer": {"email"}}


PROFILE = Profile(distinct=2, nulls=1, low="a", high="b", top=(("a", 1),), values=("a", "b"), json_keys=("k",))
CLEAR = Profile(distinct=2, nulls=1)


@pytest.mark.parametrize(
    ("type_", "comment", "told", "comment_told"),
    [
        ("text", "How; 1 = a, 2 = b", "text", "How"),
        ("enum('a', 'b')", "0 = no", "ENUM", ""),
        ("ENUMERATION", "a=b", "ENUMERATION", "a=b"),
    ],
)
def test_a_masked_column_keeps_its_counts_and_loses_its_values(
    type_: str, comment: str, told: str, comment_told: str
) -> None:
    column = Column(name="Email", type=type_, kind="text", comment=comment, profile=PROFILE)
    masked = Column(name="Email", type=told, kind="text", comment=comment_told, profile=CLEAR)
    masks = {"customer": frozenset({"email"})}

    def left(masks: dict[str, frozenset[str]], column: Column, **more: object) -> Column:
        of = Table(name="Customer", columns=(column,), **more)  # pyright: ignore[reportArgumentType]
        return exclude_masked_values(Catalog(source="s", dialect="", tables=(of,)), masks).tables[0].columns[0]

    assert left(masks, column) == masked
    assert left({"sale": frozenset({"id"})}, column) == column
    for more in ({"is_view": True}, {"is_foreign": True}):
        assert left({"sale": frozenset({"id"})}, column, **more) == masked
        assert left({}, column, **more) == column
    bare = Column(name="email", type=type_, kind="text")
    assert left(masks, bare) == Column(name="email", type=told, kind="text")


def test_a_column_is_masked_by_the_name_that_its_table_is_stored_by() -> None:
    stored = table("shown", "Email", stored="Customer")
    assert is_masked({"customer": frozenset({"email"})}, stored, stored.columns[0])
    assert not is_masked({"shown": frozenset({"email"})}, stored, stored.columns[0])


def test_doubts_about_masked_columns_go_and_left_out_rows_are_only_counted() -> None:
    def doubt(kind: str = "rows_left_out", **more: object) -> Doubt:
        return Doubt.model_validate(
            {"kind": kind, "table": "Customer", "chosen": "'ann' is out.", "rival": "'bob'?", **more}
        )

    masks = {"customer": frozenset({"email"}), "empty": frozenset[str]()}
    kept = [doubt("layout"), doubt("layout", columns=("id",)), doubt(table="sale", rows=2), doubt(table="empty")]
    gone = [doubt("layout", columns=("id", "EMAIL")), doubt(columns=("email",))]
    counted = {None: "Rows left out", 0: "Rows left out", 1: "1 row left out", 2000: "2,000 rows left out"}
    for rows, words in counted.items():
        for name in ("Customer", ""):
            (told,) = exclude_masked_doubts([doubt(rows=rows, table=name)], masks)
            assert (told.chosen, told.rival) == (f"{words}; what stood there is masked.", "")
    assert exclude_masked_doubts([*kept, *gone], masks) == tuple(kept)
    assert exclude_masked_doubts([doubt(table="")], {}) == (doubt(table=""),)
