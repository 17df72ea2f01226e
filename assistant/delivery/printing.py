"""Prints to a terminal with rich: tables for a terminal, plain text for a pipe.

Piped output is a contract with other programs: no colour, no header, one line an entry, however long.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_UNBOUNDED = 10_000
"""Columns of a terminal that has no edge."""


def console() -> Console:
    """The standard output; without an edge where it is no terminal."""
    from rich.console import Console

    edge = None if sys.stdout.isatty() else _UNBOUNDED
    return Console(width=edge, highlight=False, markup=False, soft_wrap=False)


def print_list(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print entries, one a line; with a header in a terminal."""
    from rich.table import Table

    out = console()
    table = Table(box=None, pad_edge=False, show_header=out.is_terminal, header_style="bold")
    for name in columns:
        table.add_column(name, no_wrap=True, overflow="ellipsis")
    for row in rows:
        table.add_row(*row)
    print_lines(table)


def print_lines(table: Table) -> None:
    """Print a table without blanks at the ends of its lines."""
    print(*lines(table), sep="\n")


def lines(table: Table) -> list[str]:
    """A table as lines, styled where the standard output is a terminal."""
    out = console()
    with out.capture() as captured:
        out.print(table)
    return [line.rstrip() for line in captured.get().splitlines()]
