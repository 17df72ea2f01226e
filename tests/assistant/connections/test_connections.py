"""The data page's side of the default sources: shown, sampled, corrected, read otherwise, connected and let go."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager, closing
from functools import wraps
from pathlib import Path

import pytest

from assistant.bootstrap import open_workspace
from assistant.connections.connections import Connections
from assistant.connections.descriptions import Login
from assistant.errors import DataError
from assistant.settings.settings import Settings

SALES = "order_id,day,region,amount\n1,2026-01-05,North,10.5\n2,2026-01-06,South,20\n3,2026-02-01,North,5\n"


@asynccontextmanager
async def opened(folder: Path, *sources: str, **settings: object) -> AsyncGenerator[Connections]:
    home = folder / "home"
    chosen = Settings.model_validate({"home": home, "sources": sources, "uncaged": True, **settings})
    async with open_workspace(chosen) as workspace:
        yield workspace.connections


def on_a_loop(test: Callable[[Path], Coroutine[None, None, None]]) -> Callable[[Path], None]:
    """Run a test on a loop of its own."""

    @wraps(test)
    def run(tmp_path: Path) -> None:
        asyncio.run(test(tmp_path))

    return run


def sales(folder: Path, text: str = SALES, name: str = "sales.csv") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


@on_a_loop
async def test_a_source_is_shown_with_roles_profile_and_period(tmp_path: Path) -> None:
    async with opened(tmp_path, sales(tmp_path)) as connections:
        (source,) = await connections.all()
        assert (source.name, source.origin, source.is_file, source.rows) == ("sales", "settings", True, 3)
        assert source.period == ("2026-01-05", "2026-02-01")
        columns = {column.name: column for column in source.tables[0].columns}
        assert columns["amount"].role == "measure"
        assert (columns["region"].distinct, columns["region"].top[0]) == (2, ("North", 2))
        sample = await connections.sample("sales", "sales")
        assert sample.columns == ("order_id", "day", "region", "amount")
        assert sample.rows[0] == (1, "2026-01-05", "North", 10.5)


@on_a_loop
async def test_a_corrected_role_is_kept_and_can_be_taken_back(tmp_path: Path) -> None:
    async with opened(tmp_path, sales(tmp_path)) as connections:
        await connections.correct("sales", "sales", "amount", "rate")
        with pytest.raises(DataError, match="no role"):
            await connections.correct("sales", "sales", "amount", "money")
    async with opened(tmp_path, sales(tmp_path)) as connections:
        (source,) = await connections.all()
        amount = next(column for column in source.tables[0].columns if column.name == "amount")
        assert (amount.role, amount.guessed) == ("rate", "measure")
        await connections.correct("sales", "sales", "amount", "")
        (source,) = await connections.all()
        assert next(one.role for one in source.tables[0].columns if one.name == "amount") == "measure"


@on_a_loop
async def test_a_file_is_read_as_a_person_says_or_stays_as_it_was(tmp_path: Path) -> None:
    given = sales(tmp_path, "Report of January\n" + SALES)
    async with opened(tmp_path, given) as connections:
        await connections.read_as("sales", "sales.csv", {"skip": 1, "header": True, "encoding": ""})
        (reading,) = await connections.readings("sales")
        assert reading.choices == {"skip": 1, "header": True}
        assert reading.guesses["delimiter"] == ","
        assert reading.first_lines[0] == "Report of January"
        (source,) = await connections.all()
        assert next(column.name for column in source.tables[0].columns) == "order_id"
        with pytest.raises(DataError):
            await connections.read_as("sales", "sales.csv", {"types": {"nobody": "number"}})
        assert (await connections.readings("sales"))[0].choices == {"skip": 1, "header": True}
        await connections.read_as("sales", "sales.csv", {})
        assert not Path(f"{given}.tandem.toml").exists()


@on_a_loop
async def test_the_other_side_of_a_doubt_is_chosen_with_all_else_that_was_said_of_the_file(tmp_path: Path) -> None:
    given = sales(tmp_path, "Report of January\nregion,amount\nNorth,10\nSouth,20\nEast,5\nTotal,35\n")
    async with opened(tmp_path, given) as connections:
        await connections.read_as("sales", "sales.csv", {"skip": 1, "header": True})
        (source,) = await connections.all()
        doubt = next(one for one in source.doubts if one.kind == "total_rows")
        assert not any(doubt.sentence in note for note in source.notes), "nothing is said twice"
        assert source.rows == 3
        await connections.correct_doubt("sales", doubt)
        (source,) = await connections.all()
        assert source.rows == 4
        assert (await connections.readings("sales"))[0].choices == {"skip": 1, "header": True, "totals": "keep"}
        with pytest.raises(DataError):
            await connections.correct_doubt("sales", doubt.model_copy(update={"correction": None}))


@on_a_loop
async def test_a_key_that_is_doubted_is_one_by_a_click(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as con:
        con.execute("CREATE TABLE kinds (kind_id INTEGER PRIMARY KEY, label TEXT)")
        con.execute("CREATE TABLE goods (good_id INTEGER PRIMARY KEY REFERENCES kinds (kind_id), price REAL)")
        con.executemany("INSERT INTO kinds VALUES (?, ?)", [(1, "a"), (2, "b")])
        con.executemany("INSERT INTO goods VALUES (?, ?)", [(n, n) for n in range(1, 21)])
        con.commit()
    async with opened(tmp_path, str(tmp_path / "shop.sqlite")) as connections:
        (source,) = await connections.all()
        doubt = next(one for one in source.doubts if one.kind == "declared_key")
        await connections.correct_doubt("shop", doubt)
        (source,) = await connections.all()
        assert [one for one in source.doubts if one.kind == "declared_key"] == []


def gases(folder: Path) -> str:
    """A database whose readings have a mark for "no value"."""
    path = folder / "air.sqlite"
    with closing(sqlite3.connect(path)) as con:
        con.execute("CREATE TABLE readings (reading_id INTEGER PRIMARY KEY, gas REAL)")
        con.executemany("INSERT INTO readings (gas) VALUES (?)", [(n % 7 + 0.5,) for n in range(40)] + [(-200.0,)] * 4)
        con.commit()
    return str(path)


@on_a_loop
async def test_a_choice_for_a_database_holds_in_later_sessions_on_it_until_it_is_taken_back(tmp_path: Path) -> None:
    given, before = gases(tmp_path), (tmp_path / "air.sqlite").read_bytes()
    async with opened(tmp_path, given) as connections:
        (source,) = await connections.all()
        doubt = next(one for one in source.doubts if one.kind == "sentinels")
        await connections.correct_doubt("air", doubt)
    kept = (tmp_path / "home" / "choices.json").read_text()
    assert "-200" not in kept, "no value of the data is kept"
    assert str(tmp_path) not in kept, "no place is kept"
    assert (tmp_path / "air.sqlite").read_bytes() == before
    async with opened(tmp_path, given) as connections:
        (source,) = await connections.all()
        doubt = next(one for one in source.doubts if one.kind == "sentinels")
        assert (doubt.is_chosen, doubt.chosen) == (True, "As you chose, -200 in readings.gas is read as no value.")
        await connections.correct_doubt("air", doubt)
        (source,) = await connections.all()
        assert not any(one.is_chosen for one in source.doubts)


@on_a_loop
async def test_masked_values_are_in_no_sample_no_profile_and_no_line(tmp_path: Path) -> None:
    async with opened(tmp_path, sales(tmp_path), mask=("sales.region",)) as connections:
        (source,) = await connections.all()
        region = next(column for column in source.tables[0].columns if column.name == "region")
        assert region.masked
        assert not region.top
        assert region.low is None
        assert {row[2] for row in (await connections.sample("sales", "sales")).rows} == {"•••"}
        assert (await connections.readings("sales"))[0].first_lines == ()


@on_a_loop
async def test_dropped_files_are_kept_until_they_are_disconnected(tmp_path: Path) -> None:
    async with opened(tmp_path) as connections:
        assert [one.origin for one in await connections.all()] == ["sample"]
        assert await connections.connect_files([("sales.csv", SALES.encode())]) == ("sales",)
        with pytest.raises(DataError):
            await connections.connect_files([("empty.csv", b"")])
    async with opened(tmp_path) as connections:
        (source,) = await connections.all()
        assert (source.name, source.origin, source.rows) == ("sales", "kept", 3)
        assert len(list((tmp_path / "home" / "files").iterdir())) == 1
        await connections.disconnect("sales")
        assert [one.origin for one in await connections.all()] == ["sample"]
        assert not list((tmp_path / "home" / "files").iterdir())


@on_a_loop
async def test_what_cannot_be_opened_is_told_beside_what_can(tmp_path: Path) -> None:
    gone = sales(tmp_path, name="gone.csv")
    async with opened(tmp_path, sales(tmp_path), gone) as connections:
        Path(gone).unlink()
        first, second = await connections.all()
        assert (first.problem, second.tables) == ("", ())
        assert "gone.csv" in second.problem


@on_a_loop
async def test_a_login_is_tried_before_it_is_kept(tmp_path: Path) -> None:
    login = Login(kind="postgresql", host="127.0.0.1", port=1, database="shop", user="reader", password="s3cr3t-word")
    async with opened(tmp_path) as connections:
        tried = await connections.try_out(login)
        assert not tried.ok
        assert "s3cr3t" not in tried.text
        with pytest.raises(DataError):
            await connections.connect(login)
        assert [one.origin for one in await connections.all()] == ["sample"]


@on_a_loop
async def test_sources_are_put_together_by_a_key_that_was_found_and_taken_apart_again(tmp_path: Path) -> None:
    regions = sales(tmp_path, "region,manager\nNorth,Ada\nSouth,Bob\nWest,Eve\n", "regions.csv")
    orders = sales(tmp_path, f"{SALES}4,2026-02-02,Nowhere,1\n")
    async with opened(tmp_path, orders) as connections:
        await connections.connect_address(regions)
        (match,) = await connections.keys_between(("sales", "regions"))
        assert (match.key, match.filled, match.matching) == ("sales.region = regions.region", 4, 3)
        with pytest.raises(DataError, match="no such column"):
            await connections.combine("both", ("sales", "regions"), ("sales.nothing = regions.region",))
        with pytest.raises(DataError, match="cannot be a name"):
            await connections.combine("my both", ("sales", "regions"), ())
        with pytest.raises(DataError, match="already"):
            await connections.combine("sales", ("sales", "regions"), ())
        assert [source.name for source in await connections.all()] == ["sales", "regions"]
        await connections.combine("both", ("sales", "regions"), (match.key,))
    async with opened(tmp_path, orders) as connections:
        (whole,) = await connections.all()
        assert (whole.name, whole.origin, whole.problem) == ("both", "together", "")
        assert [table.name for table in whole.tables] == ["sales", "regions"]
        assert [link.table for link in whole.tables[0].links] == ["regions"]
        with pytest.raises(DataError, match="together with others already"):
            await connections.combine("again", ("sales", "regions"), ())
        await connections.take_apart("both")
        assert [(one.name, one.origin) for one in await connections.all()] == [
            ("sales", "settings"),
            ("regions", "kept"),
        ]
        with pytest.raises(DataError, match="taken apart"):
            await connections.take_apart("both")


@on_a_loop
async def test_a_whole_whose_part_is_gone_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    regions = sales(tmp_path, "region,manager\nNorth,Ada\nSouth,Bob\n", "regions.csv")
    async with opened(tmp_path, sales(tmp_path), regions) as connections:
        await connections.combine("both", ("sales", "regions"), ())
    async with opened(tmp_path, sales(tmp_path)) as connections:
        assert [(one.name, one.origin) for one in await connections.all()] == [("sales", "settings")]


@on_a_loop
async def test_tables_that_are_dropped_together_meet_in_one_source(tmp_path: Path) -> None:
    shops = "shop_id,town\n1,Bern\n2,Basel\n3,Chur\n"
    visits = "visit,shop_id,people\n" + "".join(f"{n},{n % 3 + 1 if n else ''},{n}\n" for n in range(40))
    async with opened(tmp_path) as connections:
        dropped = [("shops.csv", shops.encode()), ("visits.tsv", visits.replace(",", "\t").encode())]
        assert await connections.connect_files(dropped) == ("shops_visits",)
        (source,) = await connections.all()
        assert sorted(table.name for table in source.tables) == ["shops", "visits"]
        (link,) = [link for table in source.tables for link in table.links]
        assert (link.columns, link.table, link.target_columns) == (("shop_id",), "shops", ("shop_id",))
        assert (link.matched, link.filled) == (39, 39)
        with pytest.raises(DataError, match=r"'bad.parquet'.*Added: good"):
            await connections.connect_files([("good.csv", shops.encode()), ("bad.parquet", b"PAR1 no")])
        assert len(list((tmp_path / "home" / "files").iterdir())) == 2
        await connections.disconnect("good")
        await connections.disconnect("shops_visits")
        assert not list((tmp_path / "home" / "files").iterdir())
