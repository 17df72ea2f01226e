"""How long a result takes from DuckDB to a DataFrame in another process: our way, beside two usual ones.

    python benchmarks/handover.py [--rows 1000000] [--columns 10] [--rounds 5]

In one run: `query()` (the broker runs it, writes an Arrow file, the prelude of the kernel maps it), `pandas.read_sql`
on an open connection (no hand-over at all: the rows are made in the asking process), and a CSV file written and read
again. The kernel's side of `query()` runs in this process; what a request across the cage costs is not in it.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib import resources
from pathlib import Path
from types import ModuleType

import duckdb
import pandas as pd

from assistant.query.cells import LiteralQuery
from assistant.sources.addresses import parse_addresses
from assistant.sources.broker import Broker
from assistant.sources.opening import open_source
from assistant.trust.rights import Rights

SQL = "SELECT * FROM wide"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print one line per way."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5, help="how often each way is gone, in turn")
    options = parser.parse_args(argv)

    taken: dict[str, list[float]] = {}
    arrived: dict[str, pd.DataFrame] = {}

    def note(way: str, measured: tuple[float, pd.DataFrame]) -> None:
        taken.setdefault(way, []).append(measured[0])
        arrived[way] = measured[1]

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "wide.duckdb"
        kinds = ("i", "i * 1.25", "'label ' || (i % 50)", "DATE '2020-01-01' + CAST(i % 2000 AS INTEGER)", "i % 3 = 0")
        columns = ", ".join(f"{kinds[place % len(kinds)]} AS c{place}" for place in range(options.columns))
        with duckdb.connect(str(path)) as con:
            con.execute(f"CREATE TABLE wide AS SELECT {columns} FROM range({options.rows}) AS r(i)")
        for _ in range(options.rounds):
            note("query()", _ours(path, folder))
            with duckdb.connect(str(path), read_only=True) as con, warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # pandas would rather have SQLAlchemy
                note("pandas.read_sql", _timed(partial(pd.read_sql, SQL, con)))
                note("CSV", _timed(partial(_by_csv, con, folder / "wide.csv")))
    own = statistics.median(taken["query()"])
    print(f"{options.rows:,} rows x {options.columns} columns from DuckDB to a DataFrame; fastest / median")
    print(f"{'way':18}{'seconds':>14}{'times ours':>12}   types that arrive")
    for way, seconds in taken.items():
        middle = statistics.median(seconds)
        types = ", ".join(str(kind) for kind in arrived[way].dtypes[:5])
        print(f"{way:18}{f'{min(seconds):.2f} / {middle:.2f}':>14}{middle / own:>12.1f}   {types}")
    return 0


def _timed(work: Callable[[], pd.DataFrame]) -> tuple[float, pd.DataFrame]:
    started = time.perf_counter()
    frame = work()
    return time.perf_counter() - started, frame


def _by_csv(con: duckdb.DuckDBPyConnection, path: Path) -> pd.DataFrame:
    con.sql(SQL).df().to_csv(path, index=False)
    return pd.read_csv(path)


def _ours(path: Path, folder: Path) -> tuple[float, pd.DataFrame]:
    prelude = resources.files("assistant.sources").joinpath("prelude.py.txt").read_text(encoding="utf-8")

    async def work() -> tuple[float, pd.DataFrame]:
        source = await open_source(parse_addresses(str(path), Rights(requester="person", private=()))[0], folder=folder)
        broker = Broker({source.name: source}, folder=folder)
        await broker.open_grant("e", [LiteralQuery(sql=SQL)])
        loop = asyncio.get_running_loop()

        def call(_: str, **arguments: object) -> dict[str, object]:
            served = asyncio.run_coroutine_threadsafe(broker.serve("e", arguments), loop)
            return dict(served.result().wire())

        guest = ModuleType("tandem_guest")
        vars(guest).update(call=call, data_path=lambda file: folder / file)
        sys.modules["tandem_guest"] = guest
        names: dict[str, Callable[[str], pd.DataFrame]] = {}
        exec(compile(prelude, "prelude", "exec"), names)  # as a kernel does
        try:
            return await asyncio.to_thread(_timed, lambda: names["query"](SQL))
        finally:
            await broker.close_grant("e")
            await source.close()

    return asyncio.run(work())


if __name__ == "__main__":
    sys.exit(main())
