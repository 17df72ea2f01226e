"""The looks on a real source: what they find, what each level may ask for, and what they never show."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from rights_of_person import PERSON
from shop_session import CHURN, SHOP, TABLE_OF_TWO, VERIFIED, ShopContext, answered, hit

from assistant.agents.model.lookup_choice import open_lookups
from assistant.agents.model.lookups import Lookups
from assistant.agents.model.source_descriptions import describe_table
from assistant.cells.tables import TableView, make_view
from assistant.core.catalog import Catalog
from assistant.core.events import Event
from assistant.query.personal import exclude_personal_values, find_personal_columns
from assistant.record.memory.recall import compare_nothing
from assistant.record.memory.tiers import Digest
from assistant.record.memory.wording import Sees
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from knowledge.documents import TableDoc
from knowledge.retrieval import Hit


class Seeing:
    def __init__(self, sees: Sees) -> None:
        self.sees: Sees = sees
        self.compare = compare_nothing

    def readable(self, catalogs: Sequence[Catalog]) -> tuple[Catalog, ...]:
        return tuple(exclude_personal_values(catalog, find_personal_columns(catalog)) for catalog in catalogs)

    def withheld(self, catalog: Catalog) -> Mapping[str, Collection[str]]:
        return find_personal_columns(catalog)


def write(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, category TEXT, note TEXT, customer_id INTEGER);"
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, city TEXT);"
            "INSERT INTO orders VALUES (1, 'Electronics', 'n1', 1), (2, 'Electronic Toys', 'n2', 1), (3, '10  West Street', 'n3', 9);"
            "INSERT INTO customers VALUES (1, 'ada@lovelace.example', 'Bern'), (2, 'bo@quist.example', 'Ulm');"
        )
        rows = [(n, "Toys", f"pallet number {n}", 1) for n in range(10, 5_200)]
        connection.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", rows)
    connection.close()


def look(tmp_path: Path, name: str, *, sees: Sees = "rows", **arguments: object) -> str:
    async def run() -> str:
        path = tmp_path / "shop.sqlite"
        if not path.exists():
            write(path)
        source = await open_source(parse_addresses(f"shop={path}", PERSON)[0], folder=tmp_path)

        class Context(ShopContext):
            async def ask_source(self, sql: str, *, source: str, rows_max: int) -> TableView:
                self.asked.append(sql)
                return make_view((await opened.run(sql)).table, rows_max=rows_max)

        opened = source
        context = Context(catalog=(await source.catalog(),), table=TABLE_OF_TWO)
        context.files_of = {"plain.csv": ("nowhere", ("a;b",)), "shop.csv": ("shop", ("ada@lovelace.example",))}
        try:
            return await Lookups(context, dialogue=Seeing(sees), log=answered()).look_up(name, arguments)  # type: ignore[arg-type]
        finally:
            await source.close()

    return asyncio.run(run())


@pytest.mark.parametrize("written", ["Electronics", "electronic", "Electroncis", "ELECTRONICS "])
def test_a_value_is_found_however_it_is_spelt(tmp_path: Path, written: str) -> None:
    assert "orders.category: 'Electronics'" in look(tmp_path, "find_values", sees="values", text=written)


def test_a_value_is_found_with_the_spaces_that_stand_in_it(tmp_path: Path) -> None:
    assert "orders.category: '10  West Street'" in look(tmp_path, "find_values", sees="values", text="10 west street")


def test_what_only_looks_like_a_value_is_not_listed_beside_it(tmp_path: Path) -> None:
    found = look(tmp_path, "find_values", text="electronics").splitlines()
    assert found == ["orders.category: 'Electronics'"]
    assert len(look(tmp_path, "find_values", text="electroncis").splitlines()) == 2


def test_a_value_of_a_column_with_too_many_values_for_a_profile_is_found_in_the_source(tmp_path: Path) -> None:
    assert "orders.note: 'pallet number 5123'" in look(tmp_path, "find_values", text="Pallet number 5123")


def test_a_value_with_quotes_and_wildcards_asks_for_nothing_else(tmp_path: Path) -> None:
    assert "stands in no text column" in look(tmp_path, "find_values", text="'; DROP TABLE orders; --")
    assert "stands in no text column" in look(tmp_path, "find_values", text="%%%__zzzz", table="orders")


@pytest.mark.parametrize("name", ["find_values", "preview", "profile"])
def test_no_look_shows_a_personal_value(tmp_path: Path, name: str) -> None:
    for of in ("customers", "shop.csv", "ada@lovelace.example", "ada"):
        said = look(tmp_path, name, **({"text": of} if name == "find_values" else {"of": of}))
        assert "lovelace" not in said.replace("'ada@lovelace.example', or", "").replace(f"named {of!r}", "").replace(
            f"result {of!r}", ""
        ).replace(f"table {of!r}", "")


def test_a_preview_shows_rows_of_a_table_without_personal_columns(tmp_path: Path) -> None:
    said = look(tmp_path, "preview", of="customers")
    assert "Bern" in said
    assert "Left out, because it looks personal: email" in said


def test_documents_of_a_schema_are_found_where_the_prompt_does_not_tell_them_already() -> None:
    hits = (hit(CHURN), hit(TableDoc(table="orders", columns=("id", "amount"), origin="shop")))

    class Found(ShopContext):
        async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
            return hits

    def found(told: str | None) -> str:
        lookups = Lookups(Found(), dialogue=Seeing("results"))
        return asyncio.run(lookups.search_documents("orders at risk", k=4, source_text=told))

    assert "Table orders" in found("Further tables: orders")
    for told in ("- orders, 3 rows (id integer, amount number)", "Table orders\n- id INTEGER\n- amount REAL", None):
        assert "Table orders" not in found(told)
        assert CHURN.name in found(told)


def test_a_table_that_is_described_is_not_told_again_though_its_names_have_spaces() -> None:
    hits = (hit(TableDoc(table="Order Details", columns=("Unit price", "#id"), origin="shop")),)

    class Found(ShopContext):
        async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
            return hits

    def find(source_text: str) -> str:
        lookups = Lookups(Found(), dialogue=Seeing("results"))
        return asyncio.run(lookups.search_documents("prices", k=4, source_text=source_text))

    assert not find("Table Order Details, 3 rows\n- #id INTEGER\n- Unit price REAL")
    assert "Table Order Details" in find("Table Orders, 3 rows\n- #id INTEGER\n- Unit price REAL")


def test_a_look_up_that_could_find_nothing_is_not_offered() -> None:
    def offer(context: ShopContext, source_text: str) -> set[str]:
        lookups = asyncio.run(open_lookups(context, dialogue=Seeing("results"), log=(), source_text=source_text))
        return {lookup.name for lookup in lookups.offered}

    tables = "\n\n".join(describe_table(table, source="", sees="results") for table in SHOP.tables)
    alone = replace(SHOP, tables=SHOP.tables[:1])
    assert offer(ShopContext(), "") >= {"search_knowledge", "describe_table", "check_join", "recall"}
    assert offer(ShopContext(found=()), tables) == {"find_values", "profile", "check_join"}
    assert offer(ShopContext(found=(), catalog=(alone,)), tables) == {"find_values", "profile"}
    assert "describe_table" in offer(ShopContext(found=()), tables.replace("- id", "- number"))


def test_a_preview_is_not_offered_before_there_is_a_result_where_rows_of_tables_are_not_shown() -> None:
    def offered(sees: Sees, log: Sequence[Event]) -> bool:
        return "preview" in {one.name for one in Lookups(ShopContext(), dialogue=Seeing(sees), log=log).offered}

    assert (offered("results", ()), offered("results", answered())) == (False, True)
    assert (offered("rows", ()), offered("values", answered())) == (True, False)


def test_a_preview_of_a_table_needs_the_level_rows_and_one_of_a_result_the_level_results(tmp_path: Path) -> None:
    assert "not shown to you" in look(tmp_path, "preview", sees="results", of="orders")
    assert "Northland | 12.5" in look(tmp_path, "preview", sees="results", of="by_region")
    assert "There is no 'preview'" in look(tmp_path, "preview", sees="values", of="by_region")
    assert "There is no 'profile'" in look(tmp_path, "profile", sees="names", of="orders")


def test_a_profile_tells_quartiles_and_distinct_values(tmp_path: Path) -> None:
    assert "median 2603" in look(tmp_path, "profile", sees="values", of="orders").replace(",", "")
    said = look(tmp_path, "profile", sees="results", of="by_region")
    assert "revenue: 0 empty, 2 distinct, number: min 7.25" in said


def test_a_join_is_checked_for_fan_out_and_rows_without_a_match(tmp_path: Path) -> None:
    arguments = {
        "left_table": "customers",
        "left_columns": ["id"],
        "right_table": "orders",
        "right_columns": ["customer_id"],
    }
    said = look(tmp_path, "check_join", sees="values", **arguments)
    assert "customers: 2 rows, 1 without a match. orders: 5,193 rows, 1 without." in said
    assert "One row of customers matches up to 5,192 rows of orders" in said
    assert "has no column 'nope'" in look(tmp_path, "check_join", **(arguments | {"left_columns": ["nope"]}))


def recalled(query: str, *, sees: Sees = "results", context: ShopContext | None = None) -> str:
    lookups = Lookups(context or ShopContext(), dialogue=Seeing(sees), log=answered())  # type: ignore[arg-type]
    return asyncio.run(lookups.look_up("recall", {"query": query}))


def test_recall_reaches_other_sessions_and_verified_queries() -> None:
    other = Digest(turn=4, question="What is the freight budget?", status="answered", answer="It is 410,000 EUR.")
    context = ShopContext(found=(VERIFIED, CHURN), others=(other,))
    said = recalled("freight budget", context=context)
    assert "In other sessions" in said
    assert "It is 410,000 EUR." in said
    assert "Verified queries" in said
    assert "SUM(amount)" in said
    assert "410,000" not in recalled("freight budget", sees="values", context=context)


def test_recall_that_finds_nothing_says_so() -> None:
    assert recalled("zebra", context=ShopContext(found=())) == (
        "Nothing said or found before is like these words. Try others, or ask the person."
    )
