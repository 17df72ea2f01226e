"""What a person adds to a session: data files, each with what was said about how to read it, and nothing else."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from conversation import Stage

from assistant.core.data_errors import AddressError
from assistant.errors import DataError
from assistant.sources.reading.uploads import Upload, discard, discard_group, group_uploads, keep, keep_group, uploads

ORDERS = b"no;amount\n00012;1.500\n00013;2.000\n"
READING = b'decimal = ","\n[types]\nno = "text"\n'


def test_a_companion_goes_with_its_file_in_whatever_order_they_come() -> None:
    both = [("C:\\in\\Orders.csv.TANDEM.toml", READING), ("Orders.csv", ORDERS), ("more.csv", b"a\n1\n")]
    assert uploads(both) == (
        Upload(name="Orders.csv", content=ORDERS, reading=READING),
        Upload(name="more.csv", content=b"a\n1\n"),
    )


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ([("settings.toml", b"")], "is no data"),
        ([("orders.csv", ORDERS), ("orders.toml", b"")], "name it after that file, as in orders.csv.tandem.toml"),
        ([(".tandem.toml", b"")], "is no data"),
        ([("orders.csv.tandem.toml", READING)], "'orders.csv' did not come with it"),
        ([("orders.csv", ORDERS), ("order.csv.tandem.toml", READING)], "'order.csv' did not come with it"),
        ([("shop.sqlite", b"SQLite format 3\x00"), ("shop.sqlite.tandem.toml", READING)], "is a database"),
    ],
)
def test_any_other_toml_is_refused_with_what_to_do(files: list[tuple[str, bytes]], told: str) -> None:
    with pytest.raises(AddressError, match=told):
        uploads(files)


def test_a_second_file_of_a_name_leaves_the_first_as_it_is(tmp_path: Path) -> None:
    first = keep(Upload(name="orders.csv.gz", content=b"1", reading=READING), tmp_path)
    second = keep(Upload(name="orders.csv.gz", content=b"2"), tmp_path)
    assert [path.name for path in (first, second)] == ["orders.csv.gz", "orders-2.csv.gz"]
    discard(second)
    assert {path.name for path in tmp_path.iterdir()} == {"orders.csv.gz", "orders.csv.gz.tandem.toml"}
    for name in ("..", ".", " ", ""):
        (upload,) = uploads([(name, b"")])
        assert keep(upload, tmp_path).parent == tmp_path


def test_a_session_reads_an_upload_as_its_companion_says(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            (guessed,) = await session.sources.add_files([("orders.csv", ORDERS)])
            (told,) = await session.sources.add_files([("orders.csv", ORDERS), ("orders.csv.tandem.toml", READING)])
            assert (guessed.name, told.name) == ("orders", "orders_2")
            sources = {source.name: source for source in await session._resources.data.sources()}
            rows = (await sources["orders_2"].run("SELECT * FROM orders_2")).table.to_pylist()
            assert rows == [{"no": "00012", "amount": 1500}, {"no": "00013", "amount": 2000}]
            before = sorted(path.name for path in (tmp_path / "sessions" / "s1" / "uploads").iterdir())
            with pytest.raises(DataError, match="decimals"):
                await session.sources.add_files([("new.csv", ORDERS), ("new.csv.tandem.toml", b"decimals = 1\n")])
            assert sorted(path.name for path in (tmp_path / "sessions" / "s1" / "uploads").iterdir()) == before

    asyncio.run(scenario())


def test_tables_that_come_together_are_one_source_and_a_database_is_one_alone(tmp_path: Path) -> None:
    given = uploads(
        [("b.csv", b"1"), ("b.csv.tandem.toml", READING), ("s.db", b"2"), ("c.xlsx", b"3"), ("d.zip", b"4")]
    )
    together, *alone = group_uploads(given)
    assert [upload.name for upload in together] == ["b.csv", "c.xlsx"]
    assert [[upload.name for upload in group] for group in alone] == [["s.db"], ["d.zip"]]
    first, second = keep_group(together, tmp_path), keep_group(together, tmp_path)
    assert (first.name, second.name) == ("b_c", "b_c_2")
    assert sorted(path.name for path in first.iterdir()) == ["b.csv", "b.csv.tandem.toml", "c.xlsx"]
    discard_group(first)
    assert [path.name for path in tmp_path.iterdir()] == ["b_c_2"]


def test_a_question_joins_tables_that_are_added_together(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            files = [("towns.csv", b"town,area\nBern,52\nChur,28\n"), ("people.csv", b"town,people\nBern,134000\n")]
            (added,) = await session.sources.add_files(files)
            assert added.name == "towns_people"
            (source,) = [one for one in await session._resources.data.sources() if one.name == added.name]
            joined = await source.run("SELECT people / area AS density FROM towns JOIN people USING (town)")
            assert [round(row["density"]) for row in joined.table.to_pylist()] == [2577]

    asyncio.run(scenario())


def test_a_broken_file_is_named_and_the_others_are_added(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            files = [
                ("towns.csv", b"town,area\nBern,52\nChur,28\n"),
                ("broken.xlsx", b"\x00\x01 not a workbook"),
                ("broken.json", b'{"a": [1,'),
                ("people.csv", b"town,people\nBern,134000\n"),
                ("broken.db", b"SQLite format 3\x00 cut"),
            ]
            with pytest.raises(DataError) as caught:
                await session.sources.add_files(files)
            assert all(name in str(caught.value) for name in ("'broken.xlsx'", "'broken.json'", "broken.db"))
            assert str(caught.value).endswith("Added: towns_people/.")
            (source,) = [one for one in await session._resources.data.sources() if one.name == "towns_people"]
            joined = await source.run("SELECT people / area AS density FROM towns JOIN people USING (town)")
            assert [round(row["density"]) for row in joined.table.to_pylist()] == [2577]
            assert [path.name for folder in tmp_path.rglob("uploads") for path in folder.iterdir()] == ["towns_people"]

    asyncio.run(scenario())


def test_names_that_no_file_here_can_have_are_shortened_and_stay_apart(tmp_path: Path) -> None:
    long = "売上" * 80
    names = [f"{long}1.csv", f"{long}2.csv.gz", f"{'a' * 250}.csv", "a\x00b\n.csv", "Ä" * 251 + ".xlsx"]
    added = uploads([(name, ORDERS) for name in names] + [(f"{long}1.csv.tandem.toml", READING)])
    assert len({upload.name for upload in added}) == len(names)
    assert [upload.reading for upload in added] == [READING, None, None, None, None]
    assert [Path(upload.name).suffix for upload in added] == [".csv", ".gz", ".csv", ".csv", ".xlsx"]
    for upload in added:
        assert keep(upload, tmp_path / "uploads").read_bytes() == ORDERS
    assert len([*keep_group(added[:3], tmp_path / "uploads").iterdir()]) == 4


def test_files_with_long_names_are_asked_together(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            files = [
                ("売" * 100 + "towns.csv", b"town,area\nBern,52\n"),
                ("上" * 100 + ".csv", b"town,people\nBern,9\n"),
            ]
            (added,) = await session.sources.add_files(files)
            assert len(added.tables) == 2

    asyncio.run(scenario())
