"""How files are read: planning beside DuckDB's sniffer, and loading beside DuckDB and pandas, in CPU seconds.

Run as `.venv/bin/python benchmarks/loading.py [FILE ...]`; without files it writes one of a million rows. What each reads
is printed beside what it costs: rows, columns and those that are text.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pandas as pd

from assistant.core.data_errors import SourceError
from assistant.sources.addresses import SourceAddress, parse_addresses
from assistant.sources.reading.conversion import Conversion
from assistant.sources.reading.layouts import layout_of, sample_of
from assistant.sources.reading.metering import Meter
from assistant.trust.rights import Rights

_ROWS = 1_000_000


def main() -> None:
    """Print the table."""
    with TemporaryDirectory() as folder:
        files = [Path(name).resolve() for name in sys.argv[1:]] or [_written(Path(folder))]
        print(f"{'file':<24} {'reader':<12} {'CPU s':>7} {'rows':>10} {'columns':>8} {'text':>5}")
        for file in files:
            for reader, read in _READERS.items():
                _print(file, reader, read)


def _print(file: Path, reader: str, read: Callable[[Path], str]) -> None:
    started = time.process_time()
    try:
        shape = read(file)
    except (duckdb.Error, SourceError, ValueError, OSError) as problem:  # a peer that cannot read a file is a result
        shape = type(problem).__name__
    print(f"{file.name[:24]:<24} {reader:<12} {time.process_time() - started:7.3f} {shape}")


def _written(folder: Path) -> Path:
    path = folder / "orders.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("id,day,region,amount,rate,note\n")
        file.writelines(
            f"{n},2025-{n % 12 + 1:02}-{n % 28 + 1:02},Region {n % 7},{n % 900}.{n % 90 + 10},{n % 30},note {n % 999}\n"
            for n in range(_ROWS)
        )
    return path


def _plan(file: Path) -> str:
    layout = layout_of(sample_of(file))
    return f"{'':>10} {len(layout.names) if layout else 0:>8}"


def _sniff(file: Path) -> str:
    with closing(duckdb.connect()) as con:
        row = con.execute("SELECT len(Columns) FROM sniff_csv(?)", [str(file)]).fetchone()
    return f"{'':>10} {row[0] if row else 0:>8}"


def _tandem(file: Path) -> str:
    (address,) = parse_addresses(str(file), Rights(requester="person", private=(), variables=("*",)))
    with TemporaryDirectory() as folder, closing(duckdb.connect(f"{folder}/made.duckdb")) as con:
        return _loaded(address, con, Path(folder))


def _loaded(address: SourceAddress, con: duckdb.DuckDBPyConnection, folder: Path) -> str:
    with Meter(con.query_progress, lambda _: None) as meter:
        conversion = Conversion(con, folder, meter)
        conversion.load(address)
    return _shape(con, conversion.tables[0].name)


def _duckdb(file: Path) -> str:
    with TemporaryDirectory() as folder, closing(duckdb.connect(f"{folder}/made.duckdb")) as con:
        con.execute(f"CREATE TABLE made AS SELECT * FROM '{file}'")
        return _shape(con, "made")


def _pandas(file: Path) -> str:
    frame = pd.read_json(file) if file.suffix == ".json" else pd.read_csv(file)
    return f"{len(frame):>10,} {len(frame.columns):>8} {sum(kind.kind == 'O' for kind in frame.dtypes):>5}"


def _shape(con: duckdb.DuckDBPyConnection, table: str) -> str:
    kinds = [kind for _, kind, *_ in con.execute(f'DESCRIBE "{table}"').fetchall()]
    rows = con.execute(f'SELECT count(*) FROM "{table}"').fetchone()
    return f"{rows[0] if rows else 0:>10,} {len(kinds):>8} {kinds.count('VARCHAR'):>5}"


_READERS: dict[str, Callable[[Path], str]] = {
    "plan": _plan,
    "sniff_csv": _sniff,
    "tandem": _tandem,
    "duckdb": _duckdb,
    "pandas": _pandas,
}

if __name__ == "__main__":
    main()
