"""Make one table of delimited texts that are the parts of one, such as a file for each month.

All rows are typed together, so that one order of day and month, or one decimal separator, holds for all of them. A
column says which file a row is from. What does not have the columns of the others stays a table of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.doubts import Correction, Doubt
from assistant.plain_english import join_first
from assistant.query.quoting import literal, quoted
from assistant.sources.arrow import unique_names
from assistant.sources.reading.delimited_text import AT_ONCE_BYTES_MIN, DelimitedText, OpenText, readers, table_of
from assistant.sources.reading.file_limits import unpacked
from assistant.sources.reading.load_results import LoadedTable
from assistant.sources.reading.sidecar import Sidecar, sidecar_of
from assistant.sources.reading.text_tables import fill_in, joined_parts, layout_doubts, layout_notes, select_sql
from assistant.sources.reading.totals import may_have_totals, totals_of

if TYPE_CHECKING:
    import duckdb

    from assistant.sources.reading.table_making import TableMaker

_FILE = "file"
_SHARED_MIN = 0.75
"""Parts have so large a share of their columns in common."""
_NAMED_MAX = 3
_ROWS_LOOKED_AT = 200_000
"""Of a longer part the last rows alone are looked at for totals."""
_LAST_ROWS = 200


class TextParts:
    """Reads the parts of tables for one load.

    Args:
        con: The database that the tables are made in.
        folder: Where intermediate files may lie.
        maker: Makes the tables.
        texts: Reads texts.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, folder: Path, maker: TableMaker, texts: DelimitedText) -> None:
        self._con = con
        self._folder = folder
        self._maker = maker
        self._texts = texts

    def load(self, files: Sequence[Path], title: str) -> tuple[Path, ...]:
        """Make one table of the files that belong together.

        Args:
            files: The files.
            title: What the table is called.

        Returns:
            The files that are tables of their own.

        Raises:
            SourceError: A file cannot be read as a table; the message names it.
        """
        with ExitStack() as stack:
            texts = [
                stack.enter_context(
                    self._texts.open(file, stack.enter_context(unpacked(file, self._folder)), sidecar_of(file))
                )
                for file in files
            ]
            usual = Counter(_header(text) for text in texts).most_common(1)[0][0]
            parts = [text for text in texts if _belongs(text, usual)]
            if len(parts) < 2:
                return tuple(files)
            name = self._maker.name_table(title)
            self._make(name, _share_sidecars(parts))
            for text in texts:
                if text not in parts:
                    self._maker.doubt(text.file, _stranger(name, text, len(parts)))
        return tuple(text.file for text in texts if text not in parts)

    def _make(self, name: str, parts: Sequence[OpenText]) -> None:
        parts = [replace(part, layout=self._texts.count_left_out(part)) for part in parts]
        spellings: dict[str, str] = {}
        for part in parts:
            for spelling in part.layout.names:
                spellings.setdefault(spelling.casefold(), spelling)
        names = tuple(spellings.values())
        column = unique_names([*names, _FILE])[-1]
        self._say(name, parts, names, column)
        first = parts[0]
        table = replace(table_of(first, name), select="")
        is_large = sum(part.readable.stat().st_size for part in parts) >= AT_ONCE_BYTES_MIN
        where: dict[str, str] = {}
        if not is_large or not self._texts.make_at_once(
            replace(first, layout=replace(first.layout, footer=(), repeats=0, titles=())),
            table,
            _readings(parts, names, column)[0],
            (*names, column),
            has_totals=lambda table_sql: any(
                may_have_totals(self._con, part) for _, part in self._parts(table_sql, column)
            ),
        ):
            where = self._stage(name, table, parts, names, column)
        typed_table = self._maker.tables.pop()
        self._maker.tables += [
            replace(
                table_of(part, name),
                select=_select(part, names, column),
                columns=typed_table.columns,
                where=where.get(part.file.name, ""),
            )
            for part in parts
        ]

    def _stage(
        self, name: str, table: LoadedTable, parts: Sequence[OpenText], names: Sequence[str], column: str
    ) -> dict[str, str]:
        """Make the table of rows that are staged as texts; what a row must meet, by the file that it is from."""
        first = parts[0]
        where: dict[str, str] = {}
        with self._maker.staged(*_readings(parts, names, column)) as stage:
            if wider := self._texts.widest_reject():
                parts = [replace(part, layout=replace(part.layout, fields=wider)) for part in parts]
                self._maker.stage(*_readings(parts, names, column))
            for file, part in self._parts(stage, column):
                totals = None if first.sidecar.totals == "keep" else totals_of(self._con, part)
                if totals is not None:
                    where[file] = totals.condition
                    doubt = Doubt(
                        kind="total_rows",
                        table=name,
                        chosen=f"In {file}: {totals.note}",
                        rows=totals.rows,
                        correction=Correction(setting="totals", value="keep"),
                    )
                    self._maker.doubt(first.file, doubt)
            tests = [f"({quoted(column)} <> {literal(file)} OR {test})" for file, test in where.items()]
            self._maker.load_typed(
                first.file,
                stage,
                replace(table, where=" AND ".join(tests)),
                first.sidecar,
                continental=first.is_continental,
            )
            self._texts.say_rejected(first.file, name)
        return where

    def _parts(self, table: str, column: str) -> Iterator[tuple[str, str]]:
        """Each file of a table, and a table of its rows: of a long one of its last."""
        rows = self._con.execute(
            f"SELECT {quoted(column)}, count(*), max(rowid) FROM {table} GROUP BY ALL ORDER BY 3"
        ).fetchall()
        for file, count, last in rows:
            first = last - _LAST_ROWS if count > _ROWS_LOOKED_AT else 0
            self._con.execute(
                f"CREATE OR REPLACE TEMP TABLE part_rows AS SELECT * EXCLUDE ({quoted(column)}) FROM {table} "
                f"WHERE {quoted(column)} = {literal(file)} AND rowid > {first - 1} ORDER BY rowid"
            )
            yield file, "temp.part_rows"
        self._con.execute("DROP TABLE IF EXISTS temp.part_rows")

    def _say(self, name: str, parts: Sequence[OpenText], names: Sequence[str], column: str) -> None:
        """Say what was joined, and how each part is read."""
        files = [part.file.name for part in parts]
        self._maker.doubt(parts[0].file, joined_parts(name, files, column))
        for title in names:
            holders = sum(title.casefold() in _header(part) for part in parts)
            if holders < len(parts):
                sentence = f"{title!r} is in {holders} of {len(parts)} files; rows of the others have no value there."
                self._maker.doubt(parts[0].file, Doubt(kind="layout", table=name, columns=(title,), chosen=sentence))
        encodings: set[str] = set()
        notes: set[str] = set()
        for part in parts:
            if part.decoding.note not in encodings:
                encodings.add(part.decoding.note)
                self._texts.say_decoding(part.file, name, part.decoding)
            for note in layout_notes(part.layout):
                if note not in notes:
                    notes.add(note)
                    self._maker.note(part.file, note)
            for doubt in layout_doubts(part.layout, name):
                self._maker.doubt(part.file, doubt)


def _header(text: OpenText) -> frozenset[str]:
    return frozenset(name.casefold() for name in text.layout.names)


def _belongs(text: OpenText, usual: frozenset[str]) -> bool:
    """Whether a text has the columns that most have, or nearly."""
    header = _header(text)
    shared = len(header & usual) / len(header | usual)
    return shared >= _SHARED_MIN and text.layout.has_header and not text.layout.further


def _share_sidecars(parts: Sequence[OpenText]) -> list[OpenText]:
    """The parts, with what persons say of the values of any of them said of all."""
    sidecars = [part.sidecar for part in parts]
    common = Sidecar(
        decimal=next((sidecar.decimal for sidecar in sidecars if sidecar.decimal), None),
        totals=next((sidecar.totals for sidecar in sidecars if sidecar.totals), None),
        missing=list(dict.fromkeys(value for sidecar in sidecars for value in sidecar.missing)),
        types={column: kind for sidecar in sidecars for column, kind in sidecar.types.items()},
    )
    return [replace(part, sidecar=common) for part in parts]


def _select(part: OpenText, names: Sequence[str], column: str) -> str:
    """The query over `$raw` of a part's rows, in the columns of all parts."""
    own = {name.casefold(): name for name in part.layout.names}
    cells = [
        f"{quoted(own[name.casefold()]) if name.casefold() in own else 'CAST(NULL AS VARCHAR)'} AS {quoted(name)}"
        for name in names
    ]
    filled = f"coalesce({', '.join(map(quoted, own.values()))}) IS NOT NULL"
    listed = f"{', '.join(cells)}, {literal(part.file.name)} AS {quoted(column)}"
    return f"SELECT {listed} FROM ({select_sql(part.layout)}) WHERE {filled}"


def _readings(parts: Sequence[OpenText], names: Sequence[str], column: str) -> tuple[str, ...]:
    """The query of all rows, by each of the readers in turn."""
    by_part = [
        [fill_in(_select(part, names, column), reader) for reader in readers(part.readable, part.layout)]
        for part in parts
    ]
    return tuple(" UNION ALL ".join(selects) for selects in zip(*by_part, strict=True))


def _stranger(table: str, text: OpenText, count: int) -> Doubt:
    columns = join_first(list(map(repr, text.layout.names)), _NAMED_MAX)
    return Doubt(
        kind="layout",
        table=table,
        chosen=f"{text.file.name} is not read with the {count} files of {table}: its columns are {columns}.",
        rival="It may be one of them.",
    )
