"""Files being read: how far that is is told, it can be stopped, and many who want one file have it read once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from assistant.data import loading
from assistant.data.addresses import SourceAddress, addresses
from assistant.data.engine.converting import convert
from assistant.data.shared_loads import loaded
from assistant.progress import Progress, watched

ROWS = 1_000_000


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> SourceAddress:
    file = tmp_path_factory.mktemp("loads") / "visits.csv"
    with file.open("w") as out:
        out.write("id,day,city,amount\n")
        out.writelines(f"{n},2026-01-{n % 28 + 1:02d},City {n % 999},{n}.25\n" for n in range(ROWS))
    return addresses(str(file))[0]


def test_rows_and_bytes_read_so_far_are_told_to_who_waits(long: SourceAddress, tmp_path: Path) -> None:
    told: list[Progress] = []

    async def load() -> None:
        with watched(told.append):
            await loaded(long, tmp_path)

    asyncio.run(load())
    read = [one for one in told if one.step == "rows" and one.rows]
    assert read
    assert {one.file for one in told} == {"visits.csv"}
    for one in read:
        assert one.rows_total == ROWS
        assert 0 < one.rows <= ROWS  # type: ignore[operator]
        assert 0 < (one.bytes_read or 0) <= one.bytes_total == long.files[0].stat().st_size
    assert [one.rows for one in read] == sorted(one.rows or 0 for one in read)


def test_a_load_that_is_stopped_ends_its_worker_and_leaves_nothing(long: SourceAddress, tmp_path: Path) -> None:
    async def run() -> None:
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()
        with watched(lambda _: loop.call_soon_threadsafe(begun.set)):
            load = asyncio.create_task(loaded(long, tmp_path))
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

        def counted(address: SourceAddress, *rest: object, **named: object) -> object:
            conversions.append(address.name)
            return convert(address, *rest, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(loading, "convert", counted)
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()
        with watched(lambda _: loop.call_soon_threadsafe(begun.set)):
            first = asyncio.create_task(loaded(long, tmp_path))
        await begun.wait()
        joined: list[Progress] = []
        with watched(joined.append):
            second = asyncio.create_task(loaded(long, tmp_path))
        while not joined:
            await asyncio.sleep(0.01)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        made = await second
        assert made.path.exists()
        assert conversions == ["visits"]
        assert (await loaded(long, tmp_path)).path == made.path
        assert conversions == ["visits"]

    asyncio.run(run())
