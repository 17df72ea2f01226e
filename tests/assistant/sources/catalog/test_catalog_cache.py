"""A catalog is profiled once for files as they are, by whatever program asks next; a change is seen."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from rights_of_person import PERSON

from assistant.core.catalog import Catalog
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.workers.client import EngineSource


def described(path: Path) -> Catalog:
    async def work() -> Catalog:
        source = await open_source(parse_addresses(str(path), PERSON)[0], folder=path.parent / "own")
        try:
            return await source.catalog()
        finally:
            await source.close()

    return asyncio.run(work())


@pytest.mark.parametrize("kind", ["csv", "sqlite"])
def test_a_second_program_does_not_profile_again_and_a_change_is_seen(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"t.{kind}"

    def write(*rows: tuple[str, int]) -> None:
        if kind == "csv":
            path.write_text("day,n\n" + "".join(f"{day},{n}\n" for day, n in rows))
            return
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("CREATE TABLE IF NOT EXISTS t (day TEXT, n INTEGER)")
            database.execute("DELETE FROM t")
            database.executemany("INSERT INTO t VALUES (?, ?)", rows)

    asked: list[object] = []
    ask = EngineSource._ask

    async def counted(self: EngineSource, request: object, *rest: object, **more: object) -> object:
        asked.append(request)
        return await ask(self, request, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(EngineSource, "_ask", counted)
    write(("2024-01-01", 1), ("2024-01-02", 2))
    first = described(path)
    assert len(asked) == 1
    assert described(path) == first, "dates and profiles survive being kept"
    assert len(asked) == 1
    write(("2024-01-01", 1), ("2024-01-02", 2), ("2024-01-03", 3))
    assert described(path).tables[0].rows == 3
    assert len(asked) == 2
    (kept,) = (tmp_path / "own").glob("*.catalog.json")
    assert os.stat(kept).st_mode & 0o077 == 0
    kept.write_text("no catalog")
    assert described(path).tables[0].rows == 3
