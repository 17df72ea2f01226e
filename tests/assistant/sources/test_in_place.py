"""Parquet is read where it lies: nothing is copied, and nothing that a query can do changes it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rights_of_person import PERSON

from assistant.sources.addresses import addresses
from assistant.sources.opening import open_source
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
confine(read=[made, given], write=[scratch], scratch=scratch, memory_bytes=3 << 30)
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
        (address,) = addresses(str(file), PERSON)
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
