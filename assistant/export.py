"""A session as a notebook: what the log says, opened where the sources lie.

Here the addresses of the data room become the sources that a notebook opens by itself. What stands in the notebook is
`assistant.notebook`'s. Only the export needs the notebook library and the renderer of charts, so only it imports them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from assistant.events import Entry, SourceAdded

if TYPE_CHECKING:
    from assistant.data.addresses import SourceAddress
    from assistant.notebook.sources import Format, NotebookTable


def notebook_of(
    entries: Sequence[Entry], addresses: Sequence[SourceAddress], *, loaded_in: Callable[[SourceAddress], Path]
) -> bytes:
    """The bytes of a session's `.ipynb` file. Blocks.

    Args:
        entries: the session's log.
        addresses: its sources, in the order they were added.
        loaded_in: where the database of a file source is kept.
    """
    from assistant.notebook.builder import build
    from assistant.notebook.drawing import png_of
    from assistant.notebook.files import to_bytes
    from assistant.notebook.sources import NotebookSource

    dialects = {entry.event.name: entry.event.dialect for entry in entries if isinstance(entry.event, SourceAdded)}
    sources = [
        NotebookSource(
            name=address.name,
            kind=address.kind,
            at=_place(address),
            dialect=dialects.get(address.name, ""),
            tables=_tables(address, loaded_in(address)) if address.kind == "files" else (),
        )
        for address in addresses
    ]
    return to_bytes(build(entries, sources, draw=png_of))


def _place(address: SourceAddress) -> str:
    """Where a notebook finds a source: a URL, a file, or the folder of several files."""
    if address.secret:
        return address.secret
    return str(address.files[0] if len(address.files) == 1 else address.files[0].parent)


def _tables(address: SourceAddress, loaded: Path) -> tuple[NotebookTable, ...]:
    """How the files of a source became tables."""
    from assistant.data.loading import load_files
    from assistant.notebook.sources import NotebookColumn, NotebookTable

    return tuple(
        NotebookTable(
            name=table.name,
            file=table.file,
            format=cast("Format", table.format),
            sheet=table.sheet,
            columns=tuple(NotebookColumn(name=name, type=kind, sql=sql) for name, kind, sql in table.columns),
        )
        for table in load_files(address, loaded).tables
    )
