"""Two sources in one question: a SQLite database and a CSV file, as any other source, behind the masks of each."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import AddressError, QueryFailed, QueryRefused
from assistant.core.values import Budget
from assistant.query.guard import check
from assistant.sources.addresses import parse_addresses
from assistant.sources.combined import source as combined_source
from assistant.sources.opening import open_source

T = TypeVar("T")
KEY = "budgets.store_id = stores.store_id"


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


@pytest.fixture
def given(tmp_path: Path) -> str:
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as con, con:
        con.executescript(
            "CREATE TABLE stores (store_id INTEGER PRIMARY KEY, city TEXT, email TEXT, closed_on TEXT);"
            "INSERT INTO stores VALUES (1,'Oslo','a@planted.example',NULL),(2,'Bergen','b@planted.example',NULL),"
            "(3,'Molde',NULL,NULL);"
            "CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, store_id INTEGER REFERENCES stores(store_id),"
            " sold_on TEXT, amount REAL);"
            "INSERT INTO sales VALUES (1,1,'2026-01-05',10),(2,1,'2026-02-05',20),(3,2,'2026-01-07',5.5),(4,3,'2026-03-01',7);"
        )
    (tmp_path / "budgets.csv").write_text("store_id,year,budget\n1,2026,25\n2,2026,10\n3,2026,9\n")
    return f"{tmp_path / 'shop.sqlite'} + {tmp_path / 'budgets.csv'}"


def ask(given: str, tmp_path: Path, sql: str, *, mask: tuple[str, ...] = (), budget: Budget | None = None) -> list[Any]:
    async def work() -> list[Any]:
        source = await open_source(parse_addresses(given, PERSON)[0], folder=tmp_path / "made", mask=mask)
        try:
            assert check(sql, dialect=source.dialect) is None
            return (await source.run(sql, None, budget)).table.to_pylist()
        finally:
            await source.close()

    return run(work())


def test_tables_of_two_sources_are_joined_by_plain_and_by_qualified_names(given: str, tmp_path: Path) -> None:
    sql = (
        "SELECT st.city, sum(sa.amount) AS sold, max(b.budget) AS budget FROM shop.sales AS sa "
        "JOIN stores AS st USING (store_id) JOIN budgets.budgets AS b ON b.store_id = st.store_id "
        "WHERE b.year = 2026 AND sa.sold_on < '2026-03-01' GROUP BY st.city ORDER BY st.city"
    )
    assert ask(given, tmp_path, sql) == [
        {"city": "Bergen", "sold": 5.5, "budget": 10},
        {"city": "Oslo", "sold": 30.0, "budget": 25},
    ]


def test_a_column_without_values_has_the_type_that_its_source_says(given: str, tmp_path: Path) -> None:
    sql = "SELECT count(*) AS n FROM stores JOIN budgets USING (store_id) WHERE closed_on = 'x' OR closed_on IS NULL"
    assert ask(given, tmp_path, sql) == [{"n": 3}]


def test_parameters_are_bound(given: str, tmp_path: Path) -> None:
    async def work() -> list[Any]:
        source = await open_source(parse_addresses(given, PERSON)[0], folder=tmp_path / "made")
        sql = "SELECT city, budget FROM stores JOIN budgets USING (store_id) WHERE budget > :least"
        try:
            return (await source.run(sql, {"least": 20})).table.to_pylist()
        finally:
            await source.close()

    assert run(work()) == [{"city": "Oslo", "budget": 25}]


def test_the_catalog_shows_both_and_proposes_the_key_between_them(given: str, tmp_path: Path) -> None:
    async def work(typed: str) -> tuple[Any, tuple[str, ...]]:
        source = await open_source(parse_addresses(typed, PERSON)[0], folder=tmp_path / "made")
        try:
            return await source.catalog(), source.notes
        finally:
            await source.close()

    catalog, notes = run(work(given))
    assert [(t.schema, t.name) for t in catalog.tables] == [
        ("shop", "stores"),
        ("shop", "sales"),
        ("budgets", "budgets"),
    ]
    assert catalog.tables[0].at == ("shop", "", "stores")
    assert catalog.table("budgets").foreign_keys == ()  # proposed, and for a person to confirm
    assert any(note.startswith(f"{KEY} looks like a key between the sources") for note in notes)
    catalog, notes = run(work(f"{given} on {KEY}"))
    assert [key.table for key in catalog.table("budgets").foreign_keys] == ["stores"]
    assert not any("looks like a key" in note for note in notes)


def test_a_column_with_a_value_that_the_other_source_lacks_is_no_key(given: str, tmp_path: Path) -> None:
    (tmp_path / "budgets.csv").write_text("store_id,year,budget\n1,2026,25\n4,2026,10\n")

    async def work() -> tuple[str, ...]:
        source = await open_source(parse_addresses(given, PERSON)[0], folder=tmp_path / "made")
        try:
            return source.notes
        finally:
            await source.close()

    assert not any("looks like a key" in note for note in run(work()))


MASK = ("stores.email",)


def test_a_mask_of_one_source_holds_in_what_is_joined(given: str, tmp_path: Path) -> None:
    sql = "SELECT s.email AS reach, b.budget FROM stores s JOIN budgets b USING (store_id) ORDER BY b.budget"
    found = ask(given, tmp_path, sql, mask=MASK)
    assert [row["reach"] for row in found] == [None, "•••", "•••"]
    counted = "SELECT count(s.email) AS n FROM stores s JOIN budgets b USING (store_id)"
    assert ask(given, tmp_path, counted, mask=MASK) == [{"n": 2}]


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT budget FROM stores JOIN budgets USING (store_id) WHERE email = 'a@planted.example'",
        "SELECT budget FROM stores JOIN budgets USING (store_id) WHERE email LIKE 'a%'",
        "SELECT budget FROM shop.stores s JOIN budgets b ON s.email = CAST(b.budget AS TEXT)",
        "SELECT upper(email) AS e FROM stores JOIN budgets USING (store_id)",
        "SELECT max(email) AS e FROM stores",
        "SELECT count(DISTINCT email) AS n FROM stores",
        "SELECT email, count(*) AS n FROM stores GROUP BY email",
        "SELECT budget FROM stores JOIN budgets USING (store_id) ORDER BY email",
        "SELECT e FROM (SELECT email || '' AS e FROM stores)",
        "SELECT (SELECT email FROM stores WHERE store_id = b.store_id) AS e FROM budgets b",
        "SELECT * FROM stores PIVOT (count(*) FOR email IN ('a@planted.example'))",
        "SELECT s FROM stores AS s",
    ],
)
def test_what_could_tell_a_masked_value_is_refused(given: str, tmp_path: Path, sql: str) -> None:
    with pytest.raises(QueryRefused):
        ask(given, tmp_path, sql, mask=MASK)


def test_a_mask_holds_from_the_moment_it_is_set(given: str, tmp_path: Path) -> None:
    masked: list[str] = []

    async def work() -> tuple[list[Any], list[Any], Any]:
        source = await open_source(
            parse_addresses(given, PERSON)[0], folder=tmp_path / "made", mask=lambda: tuple(masked)
        )
        sql = "SELECT email FROM stores JOIN budgets USING (store_id) WHERE budget = 25"
        try:
            before = (await source.run(sql)).table.to_pylist()
            masked.append("shop.stores.email")
            after = (await source.run(sql)).table.to_pylist()
            return before, after, await source.catalog()
        finally:
            await source.close()

    before, after, catalog = run(work())
    assert (before, after) == ([{"email": "a@planted.example"}], [{"email": "•••"}])
    assert "planted" not in repr(catalog)


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM budgets; DROP TABLE budgets",
        "ATTACH 'x.db'",
        "DELETE FROM budgets",
        "CREATE TABLE x AS SELECT * FROM budgets",
    ],
)
def test_the_locks_hold_without_the_guard(given: str, tmp_path: Path, sql: str) -> None:
    """What would pass the guard by a fault of it finds a database that is read-only, locked and confined."""

    async def work() -> None:
        source = await open_source(parse_addresses(given, PERSON)[0], folder=tmp_path / "made")
        try:
            await source.run(sql)
        finally:
            await source.close()

    with pytest.raises((QueryFailed, QueryRefused)):
        run(work())


def test_no_names_of_tables_or_sources_are_read_as_sql(tmp_path: Path) -> None:
    evil = 'x"; DROP TABLE "y'
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as con, con:
        con.execute(f'CREATE TABLE "{evil.replace(chr(34), chr(34) * 2)}" ("a""b" INTEGER, "select" INTEGER)')
        con.execute(f'INSERT INTO "{evil.replace(chr(34), chr(34) * 2)}" VALUES (1, 2)')
    (tmp_path / "b.csv").write_text("n\n1\n")
    given = f"{tmp_path / 'a.sqlite'} + {tmp_path / 'b.csv'}"
    quoted = '"' + evil.replace('"', '""') + '"'
    assert ask(given, tmp_path, f'SELECT e."a""b" AS a, e."select" AS s FROM {quoted} e JOIN b ON b.n = e."a""b"') == [
        {"a": 1, "s": 2}
    ]


def test_more_than_may_cross_is_refused_with_what_to_do(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(combined_source, "CROSSING_ROWS_MAX", 5)
    both = "SELECT count(*) AS n FROM sales JOIN budgets USING (store_id)"
    with pytest.raises(QueryRefused, match=r"budgets.budgets cannot be brought over: .* rows .*ask its source alone"):
        ask(given, tmp_path, both)
    assert ask(given, tmp_path, f"{both} WHERE sales.amount > 15") == [{"n": 1}]  # filtered where it lies


def test_an_unknown_column_is_told_before_anything_is_approved(given: str, tmp_path: Path) -> None:
    async def work() -> str:
        source = await open_source(parse_addresses(given, PERSON)[0], folder=tmp_path / "made")
        try:
            assert await source.explain("SELECT city, budget FROM stores JOIN budgets USING (store_id)") == ""
            return await source.explain("SELECT nothing FROM stores JOIN budgets USING (store_id)")
        finally:
            await source.close()

    with pytest.raises(QueryFailed, match="nothing"):
        run(work())


def test_nothing_of_a_query_is_left_on_the_disk(given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []
    make = combined_source.temporary.make

    def noted(kind: str) -> Path:
        made.append(make(kind))
        return made[-1]

    monkeypatch.setattr(combined_source.temporary, "make", noted)
    ask(given, tmp_path, "SELECT count(*) AS n FROM stores JOIN budgets USING (store_id)")
    assert made
    assert not any(folder.exists() for folder in made)


def test_sources_are_told_apart_and_named(given: str, tmp_path: Path) -> None:
    (one,) = parse_addresses(f"all=({given} on {KEY})", PERSON)
    assert (one.name, one.keys, [part.name for part in one.parts]) == ("all", (KEY,), ["shop", "budgets"])
    first, second = given.split(" + ")
    assert [part.name for part in parse_addresses(f"a={first} + b={second}", PERSON)[0].parts] == ["a", "b"]
    with pytest.raises(AddressError, match="Two of the sources are called 'budgets'"):
        parse_addresses(f"{second} + {second}", PERSON)
    odd = tmp_path / "a + b.csv"
    odd.write_text("n\n1\n")
    assert parse_addresses(str(odd), PERSON)[0].kind == "files"
