"""Parquet is read where it lies: nothing is copied, and nothing that a query can do changes it."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import QueryFailed, SourceError
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.reading import loading
from assistant.sources.workers import frames, worker
from assistant.sources.workers.messages import FIRST, REPLY, Failed, Opening
from sandbox.cage import linux

WALLED = pytest.mark.skipif(linux.landlock_abi() == 0, reason="without Landlock Parquet is copied")
PROBE = """
import asyncio, sys
from pathlib import Path
from assistant.core.data_errors import QueryFailed
from assistant.sources.addresses import SourceAddress
from assistant.sources.engines.duckdb import DuckdbSource
from assistant.sources.workers.limits import confine
made, given, other, scratch = sys.argv[1:]
confine(readable=[made, given], writable=[scratch], scratch=scratch, memory_bytes=3 << 30)
address = SourceAddress(name="s", kind="duckdb", display="s", rights=None, files=(Path(made),))
source = asyncio.run(DuckdbSource.open(address, spill=Path(scratch), in_place=(given,)))
for sql in (
    "SELECT count(*) FROM sales",
    f"COPY (SELECT 1 AS a) TO '{given}' (FORMAT parquet)",
    f"SELECT * FROM read_parquet('{other}')",
    "SET allowed_paths = ['/']",
    "SET enable_external_access = true",
):
    try:
        source._attempt(sql)
        print("done")
    except QueryFailed:
        print("refused")
"""


def write(path: Path, rows: int = 100_000) -> Path:
    """A Parquet file of so many rows."""
    pq.write_table(pa.table({"id": range(rows), "amount": [n % 977 * 0.25 for n in range(rows)]}), path)
    return path


@WALLED
def test_a_parquet_file_is_a_table_of_which_no_copy_is_made(tmp_path: Path) -> None:
    file = write(tmp_path / "sales.parquet")

    async def work() -> None:
        (address,) = parse_addresses(str(file), PERSON)
        source = await open_source(address, folder=tmp_path / "own")
        (table,) = (await source.catalog()).tables
        assert (table.name, table.rows, table.is_view, table.definition) == ("sales", 100_000, False, "")
        assert (await source.run("SELECT max(id) AS n FROM sales")).table.to_pylist() == [{"n": 99_999}]
        await source.close()
        again = await open_source(address, folder=tmp_path / "own")
        assert (await again.run("SELECT count(*) AS n FROM sales")).table.to_pylist() == [{"n": 100_000}]
        await again.close()

    asyncio.run(work())
    copies = sum(made.stat().st_size for made in (tmp_path / "own").glob("*.duckdb"))
    assert copies < file.stat().st_size / 2


@WALLED
def test_no_statement_of_a_worker_writes_the_file_or_reads_another(tmp_path: Path) -> None:
    import duckdb

    given, other, made = write(tmp_path / "sales.parquet"), write(tmp_path / "other.parquet", 3), tmp_path / "m.duckdb"
    with duckdb.connect(str(made)) as con:
        con.execute(f"CREATE VIEW sales AS SELECT * FROM read_parquet('{given}')")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    before = given.read_bytes()
    command = [sys.executable, "-c", PROBE, str(made), str(given), str(other), str(scratch)]
    output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    assert output.split() == ["done", "refused", "refused", "refused", "refused"]
    assert given.read_bytes() == before


def confine_nothing(**_: object) -> bool:
    """A wall where the system has none."""
    return False


def ask(file: Path, folder: Path, sql: str) -> list[dict[str, object]]:
    """What a query on a file gives."""

    async def work() -> list[dict[str, object]]:
        (address,) = parse_addresses(str(file), PERSON)
        source = await open_source(address, folder=folder)
        try:
            return (await source.run(sql)).table.to_pylist()
        finally:
            await source.close()

    return asyncio.run(work())


def test_parquet_in_an_archive_is_copied_for_it_is_unpacked_only_while_it_is_read(tmp_path: Path) -> None:
    file = write(tmp_path / "sales.parquet", 3)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(file, "sales.parquet")
    assert ask(tmp_path / "all.zip", tmp_path / "own", "SELECT count(*) AS n FROM sales") == [{"n": 3}]


@WALLED
def test_a_home_that_loses_its_wall_copies_what_it_read_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, own = write(tmp_path / "sales.parquet", 3), tmp_path / "own"
    ask(file, own, "SELECT 1 AS n FROM sales")
    monkeypatch.setattr(loading, "has_wall", lambda: False)
    (address,) = parse_addresses(str(file), PERSON)
    made = loading.load_files(address, own)
    assert made.in_place == ()
    assert len(list(own.glob("*.duckdb"))) == 2, "the database with the view was taken for the copy"


def test_a_worker_without_a_wall_opens_nothing_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "confine", confine_nothing)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    file = str(write(tmp_path / "sales.parquet", 3))
    ours, other = socket.socketpair()
    with ours, other:
        opening = Opening(
            engine="duckdb", name="sales", display="sales.parquet", database=str(tmp_path / "m.duckdb"), files=(file,), writable=(),
            scratch=str(tmp_path), folders=(), memory_bytes=1 << 30, in_place=(file,),
        )  # fmt: skip
        frames.send(ours, opening, FIRST)
        worker.serve(other)
        reply = frames.receive(ours, REPLY)
    assert isinstance(reply, Failed)
    assert "nothing here would keep a query from writing them" in reply.text


@WALLED
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT sql FROM duckdb_views()",
        "SELECT view_definition FROM information_schema.views",
        'SELECT * FROM "INFORMATION_SCHEMA"."views"',
        "SELECT definition FROM pg_catalog.pg_views",
        "SELECT sql FROM sqlite_master",
    ],
)
def test_no_query_tells_where_a_file_lies(tmp_path: Path, sql: str) -> None:
    with pytest.raises(QueryFailed, match="How these tables were made"):
        ask(write(tmp_path / "sales.parquet", 3), tmp_path / "own", sql)


@WALLED
def test_a_file_that_is_replaced_is_read_anew_and_a_link_is_not_followed(tmp_path: Path) -> None:
    file, other = write(tmp_path / "sales.parquet", 3), write(tmp_path / "other.parquet", 5)
    sql = "SELECT count(*) AS n FROM sales"

    async def work() -> None:
        (address,) = parse_addresses(str(file), PERSON)
        source = await open_source(address, folder=tmp_path / "own")
        assert (await source.run(sql)).table.to_pylist() == [{"n": 3}]
        os.replace(write(tmp_path / "new.parquet", 4), file)
        assert (await source.run(sql)).table.to_pylist() == [{"n": 4}]
        file.unlink()
        file.symlink_to(other)
        with pytest.raises(SourceError, match="is not where it was any more"):
            await source.run(sql)
        file.unlink()
        with pytest.raises(SourceError, match="is not where it was any more"):
            await source.run(sql)
        await source.close()

    asyncio.run(work())
