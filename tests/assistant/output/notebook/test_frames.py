"""A query gives the same frame in the notebook as in the session's kernel: values, types and column names."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import pandas as pd
import pytest
from rights_of_person import PERSON

from assistant.output.notebook.opening import build_opening_cell
from assistant.output.notebook.sources import NotebookSource
from assistant.sources.addresses import addresses
from assistant.sources.arrow import write_file
from assistant.sources.opening import open_source

SQLITE = [
    "SELECT 1 AS a, 2.5 AS b, 'x' AS c, NULL AS d, x'00ff' AS e",
    "SELECT * FROM (VALUES (1), (NULL), (3))",
    "SELECT * FROM (VALUES (1), (2.5))",
    "SELECT * FROM (VALUES (1), ('x'), (NULL))",
    "SELECT 1 AS id, 2 AS id, 3 AS ID, 4 AS ''",
    "SELECT * FROM t WHERE 0",
    "SELECT * FROM t",
    "SELECT 9223372036854775807 AS big, date('2026-01-01') AS day, 0.1 + 0.2 AS odd",
    "SELECT t.a AS \"t.a\", '%s 100% :x ?' AS text FROM t",
]
DUCKDB = [
    "SELECT 1::TINYINT AS a, 2.5::FLOAT AS b, 'x' AS c, NULL AS d, true AS e, '\\xAA'::BLOB AS f",
    "SELECT DATE '2026-01-01' AS day, TIMESTAMP '2026-01-01 10:30:00' AS at, TIME '10:30:00' AS clock",
    "SELECT unnest([DATE '2026-01-01', NULL]) AS day, unnest([true, NULL]) AS flag, unnest([1, NULL]) AS n",
    "SELECT 12.34::DECIMAL(10,2) AS money, 5::DECIMAL(10,0) AS whole, SUM(n) AS total FROM range(3) t(n)",
    "SELECT 170141183460469231731687303715884105727::HUGEINT AS huge, 18446744073709551615::UBIGINT AS wide",
    "SELECT [1, 2] AS list, {'a': 1} AS struct, INTERVAL 1 DAY AS span, 'a'::ENUM('a', 'b') AS label",
    "SELECT TIMESTAMPTZ '2026-01-01 10:30:00+00' AS zoned, gen_random_uuid() IS NULL AS no, UUID "
    "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' AS id",
    "SELECT 1 AS id, 2 AS id WHERE false",
]


def in_kernel(path: Path, sql: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """The frame as the kernel makes it: the session's source, its Arrow file, the kernel's own `query`."""

    async def asked() -> None:
        source = await open_source(addresses(str(path), PERSON)[0], folder=folder)
        try:
            write_file((await source.run(sql)).table, folder / "result.arrow", mode=0o600)
        finally:
            await source.close()

    asyncio.run(asked())
    guest = ModuleType("tandem_guest")
    vars(guest).update(call=lambda *_, **__: {"file": "result.arrow"}, data_path=lambda name: folder / name)
    monkeypatch.setitem(sys.modules, "tandem_guest", guest)
    names: dict[str, Any] = {}
    exec((resources.files("assistant.sources") / "prelude.py.txt").read_text(encoding="utf-8"), names)
    return names["query"](sql)


def in_notebook(source: NotebookSource, sql: str) -> pd.DataFrame:
    names: dict[str, Any] = {}
    exec(build_opening_cell([source], []), names)
    return names["query"](sql)


@pytest.mark.parametrize("sql", SQLITE)
def test_sqlite_gives_the_same_frame(sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "t.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (a INTEGER, b TEXT, c DATE, d BOOLEAN, e NUMERIC)")
        connection.execute("INSERT INTO t VALUES (1, 'x', '2026-01-01', 1, 5), (NULL, NULL, NULL, NULL, 5.5)")
        connection.commit()
    theirs = in_notebook(NotebookSource(name="t", kind="sqlite", at=str(path)), sql)
    pd.testing.assert_frame_equal(theirs, in_kernel(path, sql, tmp_path, monkeypatch))


@pytest.mark.parametrize("sql", DUCKDB)
def test_duckdb_gives_the_same_frame(sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "t.duckdb"
    duckdb.connect(str(path)).close()
    ours = in_kernel(path, sql, tmp_path, monkeypatch)
    theirs = in_notebook(NotebookSource(name="t", kind="duckdb", at=str(path)), sql)
    pd.testing.assert_frame_equal(theirs, ours)
