"""Files being read: how far that is is told, it can be stopped, and many who want one file have it read once."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import long_files
import openpyxl
import pyarrow as pa
import pytest
from rights_of_person import PERSON

from assistant.progress import Progress, Watcher, watched
from assistant.sources.addresses import SourceAddress, parse_addresses
from assistant.sources.reading import loading
from assistant.sources.reading.shared_loads import load_shared
from assistant.sources.reading.workbooks import read_sheets
from assistant.sources.workers.converting import Stop, convert
from assistant.sources.workers.messages import Converted

ROWS = 1_000_000


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> SourceAddress:
    return parse_addresses(str(long_files.visits(tmp_path_factory.mktemp("loads"), rows=ROWS)), PERSON)[0]


def test_rows_and_bytes_read_so_far_are_told_to_who_waits(long: SourceAddress, tmp_path: Path) -> None:
    told: list[Progress] = []

    async def load() -> None:
        with watched(told.append):
            await load_shared(long, tmp_path)

    asyncio.run(load())
    read = [one for one in told if one.step == "rows" and one.rows]
    assert read
    assert {one.file for one in told} == {"visits.csv"}
    for one in read:
        assert one.rows_total == ROWS
        assert 0 < one.rows <= ROWS  # type: ignore[operator]
        assert 0 < (one.bytes_read or 0) <= one.bytes_total == long.files[0].stat().st_size
    assert [one.rows for one in read] == sorted(one.rows or 0 for one in read)


def told_of(file: Path, folder: Path) -> list[Progress]:
    told: list[Progress] = []

    async def load() -> None:
        with watched(told.append):
            await load_shared(parse_addresses(str(file), PERSON)[0], folder)

    asyncio.run(load())
    return told


@pytest.mark.parametrize("is_stream", [False, True])
def test_rows_of_an_arrow_file_are_counted_as_they_are_read(is_stream: bool, tmp_path: Path) -> None:
    table = pa.table({"id": list(range(5_000)), "amount": [n / 4 for n in range(5_000)]})
    made = pa.ipc.new_stream if is_stream else pa.ipc.new_file
    with made(tmp_path / "visits.arrow", table.schema) as out:
        out.write_table(table, max_chunksize=1_000)
    rows = [one for one in told_of(tmp_path / "visits.arrow", tmp_path / "loaded") if one.step == "rows"]
    assert rows[-1].rows == 5_000
    assert rows[-1].share == (None if is_stream else 1.0)


def test_rows_of_all_sheets_of_a_workbook_are_counted_as_they_are_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for sheet in (book.worksheets[0], book.create_sheet("More")):
        sheet.append([])
        sheet.append(["id", "amount"])
        for n in range(2_500):
            sheet.append([n, n / 4])
    book.save(tmp_path / "visits.xlsx")
    read: list[int] = []
    read_sheets(tmp_path / "visits.xlsx", read.append)
    assert read == [1_000, 2_000, 2_501, 3_501, 4_501, 5_002]
    told = told_of(tmp_path / "visits.xlsx", tmp_path / "loaded")
    assert {one.rows_total for one in told if one.step == "table"} == {2_500}


def hold_loads(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """From here on a load pauses where it first tells how far it is, until it is stopped or the event is set."""
    go_on = threading.Event()

    def held(address: SourceAddress, folder: Path, *, tell: Watcher, stop: Stop) -> Converted:
        def told(progress: Progress) -> None:
            tell(progress)
            while not stop.stopped and not go_on.wait(0.01):
                pass

        return convert(address, folder, tell=told, stop=stop)

    monkeypatch.setattr(loading, "convert", held)
    return go_on


def test_a_load_that_is_stopped_ends_its_worker_and_leaves_nothing(
    long: SourceAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_loads(monkeypatch)

    async def run() -> None:
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()
        with watched(lambda _: loop.call_soon_threadsafe(begun.set)):
            load = asyncio.create_task(load_shared(long, tmp_path))
        await begun.wait()
        load.cancel()
        with pytest.raises(asyncio.CancelledError):
            await load
        assert list(tmp_path.iterdir()) == []

    asyncio.run(run())


def test_who_wants_the_same_file_joins_and_one_who_leaves_ends_nothing(
    long: SourceAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        conversions: list[str] = []
        go_on = hold_loads(monkeypatch)
        held = loading.convert

        def counted(address: SourceAddress, *rest: object, **named: object) -> object:
            conversions.append(address.name)
            return held(address, *rest, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(loading, "convert", counted)
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()
        with watched(lambda _: loop.call_soon_threadsafe(begun.set)):
            first = asyncio.create_task(load_shared(long, tmp_path))
        await begun.wait()
        joined: list[Progress] = []
        with watched(joined.append):
            second = asyncio.create_task(load_shared(long, tmp_path))
        while not joined:
            await asyncio.sleep(0.01)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        go_on.set()
        made = await second
        assert made.path.exists()
        assert conversions == ["visits"]
        assert (await load_shared(long, tmp_path)).path == made.path
        assert conversions == ["visits"]

    asyncio.run(run())
