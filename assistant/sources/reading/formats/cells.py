"""A table of cells, as a page has it, becomes a query: which rows are its names, and which are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.core.doubts import Doubt
from assistant.query.quoting import quoted
from assistant.sources.arrow import unique_names
from assistant.sources.reading.grids import Grid
from assistant.sources.reading.kinds import Cell
from assistant.sources.reading.regions import find_regions

if TYPE_CHECKING:
    from assistant.core.values import ArrowTable

_SHOWN_CHARS = 60


def select_cells(table: ArrowTable) -> tuple[str, list[Doubt]]:
    """The query over `$raw` that gives a table's columns as texts, and what may be wrong with it.

    Args:
        table: Its columns are `row` and cells `c1`, `c2`, ...; its metadata `headers` counts the rows of names.
    """
    columns: list[list[Cell]] = [table.column(f"c{place}").to_pylist() for place in range(1, table.num_columns)]
    rows = [list(cells) for cells in zip(*columns, strict=True)]
    headers = int((table.schema.metadata or {}).get(b"headers", b"0"))
    grid = Grid(rows=rows[headers:], places=range(len(rows) - headers))
    region = next(iter(find_regions(grid)), None)
    doubts: list[Doubt] = []
    if headers:
        names = unique_names(_joined([rows[row][place] for row in range(headers)]) for place in range(len(columns)))
        left_out = [headers + row for row in (region.footer if region else ())]
        names_again = [row for row in range(headers, len(rows)) if rows[row] == rows[headers - 1]]
        first = headers
    else:
        own = dict(zip(region.columns, region.names, strict=True)) if region else {}
        names = unique_names(own.get(place, f"column_{place + 1}") for place in range(len(columns)))
        left_out = [*region.titles, *region.footer] if region else []
        names_again = list(region.repeats) if region else []
        first = region.body[0] if region else 0
        if not (region and region.header):
            assumption = f"It has no header; the columns are named {names[0]} and so on."
            doubts.append(Doubt(kind="header", chosen=assumption, rival="The first row may hold the names."))
        elif region.above:
            left_out = [*region.above, *left_out]
    if left_out:
        example = repr(_joined(rows[left_out[0]])[:_SHOWN_CHARS])
        many = "1 row that does not fit its columns" if len(left_out) == 1 else f"{len(left_out)} rows that do not fit"
        doubts.append(Doubt(kind="rows_left_out", chosen=f"{many} left out: {example}.", rows=len(left_out)))
    if names_again:
        many = "1 row that repeats" if len(names_again) == 1 else f"{len(names_again)} rows that repeat"
        doubts.append(Doubt(kind="rows_left_out", chosen=f"{many} the header left out.", rows=len(names_again)))
    places = [
        place for place, cells in enumerate(columns) if any(cells[first:]) or names[place] != f"column_{place + 1}"
    ]
    listed = ", ".join(f"c{place + 1} AS {quoted(names[place])}" for place in places)
    without = sorted({*left_out, *names_again})
    condition = f'"row" >= {first}' + (f' AND "row" NOT IN ({", ".join(map(str, without))})' if without else "")
    return f"SELECT {listed} FROM $raw WHERE {condition}", doubts


def _joined(cells: list[Cell]) -> str:
    """The different texts of some cells, in order."""
    return " ".join(dict.fromkeys(str(cell) for cell in cells if cell))
