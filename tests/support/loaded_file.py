"""A file as it is loaded in a worker, and the same file as an exported notebook reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import SourceError
from assistant.output.notebook.opening import build_opening_cell
from assistant.output.notebook.sources import NotebookSource
from assistant.session.answers.export import notebook_readers, notebook_table
from assistant.sources.addresses import addresses
from assistant.sources.reading.load_results import Loaded
from assistant.sources.reading.loading import load_files

Rows: TypeAlias = list[tuple[Any, ...]]


class LoadedFile:
    """A file that was loaded: its tables, notes and doubts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.loaded: Loaded = load_files(addresses(str(path), PERSON)[0], path.parent / "loaded")

    @property
    def names(self) -> list[str]:
        """The names of its tables."""
        return [table.name for table in self.loaded.tables]

    def rows(self, sql: str) -> Rows:
        """What a query gives."""
        with duckdb.connect(str(self.loaded.path), read_only=True) as con:
            return con.execute(sql).fetchall()

    def columns(self, table: str) -> dict[str, tuple[str, str]]:
        """The columns of a table, each with its type and comment."""
        sql = "SELECT column_name, data_type, coalesce(comment, '') FROM duckdb_columns() WHERE table_name = $table"
        with duckdb.connect(str(self.loaded.path), read_only=True) as con:
            return {name: (kind, comment) for name, kind, comment in con.execute(sql, {"table": table}).fetchall()}

    def check_notebook(self) -> None:
        """The notebook's own code gives the same rows."""
        tables = tuple(map(notebook_table, self.loaded.tables))
        source = NotebookSource(
            name="loaded", kind="files", at=str(self.path), tables=tables, readers=notebook_readers(tables)
        )
        names: dict[str, Any] = {}
        exec(compile(build_opening_cell([source], []), "<opening>", "exec"), names)
        for table in self.names:
            with duckdb.connect(str(self.loaded.path), read_only=True) as con:
                wanted = con.execute(f'FROM "{table}"').df()
            read = names["query"](f'FROM "{table}"')
            assert list(read.columns) == list(wanted.columns)
            assert read.astype(str).to_numpy().tolist() == wanted.astype(str).to_numpy().tolist(), table


def refusal(path: Path) -> str:
    """Why a file is not read; nothing of it is left."""
    with pytest.raises(SourceError) as refused:
        load_files(addresses(str(path), PERSON)[0], path.parent / "loaded")
    assert list((path.parent / "loaded").iterdir()) == []
    assert path.name in str(refused.value)
    return str(refused.value)
