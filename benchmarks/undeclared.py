"""Makes copies of a suite's SQLite databases that declare no keys, as files do, and counts the keys found again.

    python benchmarks/undeclared.py SUITE.jsonl FOLDER [--split tuning|measuring]

Prints how many of the declared keys are found by names and values alone, and how many others. FOLDER then holds the
copies and their suite, for `tandem eval FOLDER/suite.jsonl`.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from assistant.core.catalog import Catalog
from assistant.evaluation.suite import Suite, read_suite
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.trust.rights import Rights

_TUNING = 100

Link = tuple[str, str, str, str]
"""A column and the column it refers to, each with its table before it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Copy, count, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("suite", type=Path, metavar="SUITE.jsonl")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--split", choices=("tuning", "measuring"), help="which sources of a suite of over 100")
    options = parser.parse_args(argv)
    suite = read_suite(options.suite)
    names = sorted({case.source for case in suite.cases})
    names = {"tuning": names[:_TUNING], "measuring": names[_TUNING:]}.get(options.split or "", names)
    declared, found, others = asyncio.run(_counted(suite, names, options.folder))
    kept = [case.model_dump_json() for case in suite.cases if case.source in set(names)]
    (options.folder / "suite.jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")
    print(f"{len(names)} databases, {declared} declared keys: {found} found again, and {others} others")
    return 0


async def _counted(suite: Suite, names: Sequence[str], folder: Path) -> tuple[int, int, int]:
    """How many keys of one column are declared, how many of them are found in the copies, and how many others."""
    declared, found, others = 0, 0, 0
    for name in names:
        copy = folder / name
        _copy(Path(suite.address(name)), copy)
        before, after = await _catalog(suite.address(name)), await _catalog(str(copy))
        told = _links(before, inferred=False)
        read = _links(after, inferred=True)
        declared, found, others = declared + len(told), found + len(told & read), others + len(read - told)
    return declared, found, others


async def _catalog(address: str) -> Catalog:
    with tempfile.TemporaryDirectory() as folder:
        source = await open_source(
            parse_addresses(address, Rights(requester="person", private=()))[0], folder=Path(folder)
        )
        try:
            return await source.catalog()
        finally:
            await source.close()


def _links(catalog: Catalog, *, inferred: bool) -> set[Link]:
    names = {table.name.lower() for table in catalog.tables}
    return {
        (table.name.lower(), key.columns[0].lower(), key.table.lower(), key.target_columns[0].lower())
        for table in catalog.tables
        for key in table.foreign_keys
        if key.inferred == inferred and len(key.columns) == 1 and key.table.lower() in names
    }


def _copy(origin: Path, copy: Path) -> None:
    """The tables with their columns, types and rows, and nothing else."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.unlink(missing_ok=True)
    with (
        closing(sqlite3.connect(f"{origin.absolute().as_uri()}?immutable=1", uri=True)) as old,
        closing(sqlite3.connect(copy)) as new,
    ):
        old.text_factory = _text
        tables = old.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        for (table,) in tables.fetchall():
            columns = [f'"{name}" {kind}' for _, name, kind, *_ in old.execute(f'PRAGMA table_info("{table}")')]
            new.execute(f'CREATE TABLE "{table}" ({", ".join(columns)})')
            places = ", ".join("?" * len(columns))
            new.executemany(f'INSERT INTO "{table}" VALUES ({places})', old.execute(f'SELECT * FROM "{table}"'))
        new.commit()


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


if __name__ == "__main__":
    sys.exit(main())
