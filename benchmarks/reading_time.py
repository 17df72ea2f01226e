"""How much processor time the embedded analyst takes to open and to read, by how many tables a source has.

    python benchmarks/reading_time.py [--tables 20,500]

Processor time of one process, so that other work on the machine changes little. Each question is read once before it is
measured; the median is over the questions.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from start import make_tables

from assistant.analyst.lexicon.files import read
from assistant.analyst.reading import QuestionReader
from assistant.analyst.schema import Schema
from assistant.core.catalog import Catalog
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.trust.rights import Rights

QUESTIONS = (
    "total amount by region",
    "how many orders are there in 2026",
    "top 3 regions by average amount",
    "orders in the North with an amount over 100",
    "booked of ledger 3 by account",
    "which account has the highest booked in ledger 7",
    "share of orders by region",
    "running total of amount by month",
    "orders with amount above average sorted by amount descending",
    "average number of orders per region",
)


def taken(work: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


async def catalog_of(path: Path, folder: Path) -> Catalog:
    """A source's catalog."""
    live = await open_source(parse_addresses(str(path), Rights(requester="person", private=()))[0], folder=folder)
    try:
        return await live.catalog()
    finally:
        await live.close()


def line(size: int, folder: Path) -> str:
    """What a source of so many tables takes."""
    path = folder / "made.sqlite"
    make_tables(path, size)
    began = time.process_time()
    catalog = asyncio.run(catalog_of(path, folder / "opened"))
    opened = 1000 * (time.process_time() - began)
    schema_ms = taken(lambda: Schema.of(catalog))
    schema = Schema.of(catalog)
    reader_ms = taken(lambda: QuestionReader(catalog, schema=schema))
    reader = QuestionReader(catalog, schema=schema)
    first = taken(lambda: reader.read(QUESTIONS[0]))
    for question in QUESTIONS:
        reader.read(question)
    times = [taken(lambda q=question: reader.read(q)) for question in QUESTIONS]
    cells = (opened, schema_ms, reader_ms, first, statistics.median(times), max(times))
    return f"| {size} | " + " | ".join(f"{cell:.0f} ms" for cell in cells) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default="20,500")
    sizes = [int(size) for size in parser.parse_args().tables.split(",")]
    lexicon = sum(taken(lambda name=name: read(name)) for name in ("operators", "columns", "dialogue", "time"))
    print(f"the lexicon, read once: {lexicon:.0f} ms")
    print("| tables | catalog | schema | reader | first reading | a reading, median | slowest |")
    print("|---|---|---|---|---|---|---|")
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="tandem-reading-") as folder:
            print(line(size, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
