"""How long an edit of an interpretation takes to its SQL, and how long its choices take, by how many tables there are.

    python benchmarks/chips.py [--tables 20,500]

Processor time of one process. Each edit is made once before it is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from reading_time import catalog_of, taken
from start import make_tables

from assistant.analyst.interpretation.chips import ChipKind
from assistant.analyst.interpretation.interpretation import empty
from assistant.analyst.source import AnalystSource

EDITS: tuple[Mapping[str, Any], ...] = (
    {"group_by": "region"},
    {"measure": "average amount"},
    {"measure": "number of orders"},
    {"filters": "North"},
    {"filters": "amount above 100"},
    {"period": "2026"},
    {"compare": "share of the total"},
    {"sort": "region", "top": 2},
)
KINDS: tuple[ChipKind, ...] = ("Measure", "Group by", "Filter", "Period", "Sort", "Compare")


def line(size: int, folder: Path) -> str:
    """What a source of so many tables takes."""
    path = folder / f"{size}.sqlite"
    make_tables(path, size)
    data = AnalystSource(asyncio.run(catalog_of(path, folder / str(size))), (), date(2026, 11, 21))
    start = empty(data).replace(measure="total amount", group_by="region")
    edits: list[float] = []
    for edit in EDITS:
        assert start.replace(**edit).sql
        edits.append(taken(lambda edit=edit: start.replace(**edit).sql))
    choices: list[float] = []
    for kind in KINDS:
        start.choices(kind)
        choices.append(taken(lambda kind=kind: start.choices(kind)))
    figures = (statistics.median(edits), max(edits), statistics.median(choices), max(choices))
    return f"{size:>6} " + " ".join(f"{figure:>10.1f}" for figure in figures)


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default="20,500")
    sizes = [int(size) for size in parser.parse_args().tables.split(",")]
    print(f"{'':>6} {'edit to SQL, ms':>21} {'choices, ms':>21}")
    print(f"{'tables':>6} {'median':>10} {'highest':>10} {'median':>10} {'highest':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            print(line(size, Path(folder)))


if __name__ == "__main__":
    main()
