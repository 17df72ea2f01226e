"""A file taken over: translated, run on the source, and compared with what the original gives.

The original is run where it belongs, or its recorded output is read. Without either nothing is proved.
"""

from __future__ import annotations

import asyncio
import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp

from assistant.migration.comparing import (
    CellDifference,
    ColumnsDiffer,
    ResultTable,
    compare_tables,
    find_other_names,
    make_cell,
)
from assistant.migration.statements import MigrationError, translate_statement
from assistant.query.guard import check
from assistant.sources.sources import Source
from knowledge.parsing import parse_one

_ROWS_MAX = 200_000
_FILE_BYTES_MAX = 50_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """What became of a file.

    Attributes:
        code: what it was turned into.
        language: of the code.
        dialect: of its SQL, as sqlglot calls it.
        source: what it reads.
        tables: the tables that it reads.
        rows: how many rows, or cells, were compared.
        differences: those that do not agree.
        proof: what the result was compared with; empty where there was nothing to compare with.
        notes: what to know about it, a sentence each.
    """

    code: str
    language: str
    dialect: str = ""
    source: str = ""
    tables: tuple[str, ...] = ()
    rows: int = 0
    differences: tuple[CellDifference, ...] = ()
    proof: str = ""
    notes: tuple[str, ...] = ()

    @property
    def is_proved(self) -> bool:
        """Whether it gives the same as the original. Nothing else may be kept."""
        return bool(self.proof) and self.rows > 0 and not self.differences

    def count_causes(self) -> dict[str, int]:
        """How many differences have each likely cause, the most frequent first."""
        return dict(Counter(difference.cause for difference in self.differences).most_common())


async def prove_statement(
    text: str, *, dialect: str, source: Source, original: Source | None = None, recorded: Path | None = None
) -> Migration:
    """Translate a statement and compare its result with that of the original.

    Args:
        text: the statement.
        dialect: of the statement.
        source: where the translation runs.
        original: where the statement itself runs, on the same data.
        recorded: a CSV file with its output, headed by the names of the columns.

    Raises:
        MigrationError: it cannot be translated, or would change data; its columns differ from those of the original.
        DataError: an engine cannot run it.
    """
    catalog = await source.catalog()
    translated = await asyncio.to_thread(translate_statement, text, dialect=dialect, target=catalog.dialect)
    await _require_readable(translated.sql, catalog.dialect, "translated")
    result = await _run(source, translated.sql)
    proof, expected = "", None
    if recorded is not None:
        proof, expected = f"the recorded output in {recorded.name}", await asyncio.to_thread(read_recorded, recorded)
    elif original is not None:
        place = await original.catalog()
        await _require_readable(text, place.dialect, "original")
        proof, expected = f"the original on {place.source}", await _run(original, text)
    differences: tuple[CellDifference, ...] = ()
    notes: tuple[str, ...] = ()
    try:
        if expected is not None:
            differences = compare_tables(expected, result, is_ordered=translated.is_ordered, unnamed=translated.unnamed)
            notes = _describe_names(expected, result, differences)
    except ColumnsDiffer as error:
        raise MigrationError(str(error)) from error
    return Migration(
        code=translated.sql,
        language="sql",
        dialect=catalog.dialect,
        source=catalog.source,
        tables=translated.tables,
        rows=max(len(result.rows), len(expected.rows) if expected is not None else 0),
        differences=differences,
        proof=proof,
        notes=notes,
    )


def _describe_names(
    expected: ResultTable, result: ResultTable, differences: tuple[CellDifference, ...]
) -> tuple[str, ...]:
    """That columns without an alias have the names of each engine."""
    told = {difference.place for difference in differences if difference.cause == "name"}
    return tuple(
        f"Column {at + 1} has no alias, so each engine names it: {expected.columns[at]!r}, now {result.columns[at]!r}."
        for at in find_other_names(expected, result)
        if f"column {at + 1}" not in told
    )


def make_dbt_model(migration: Migration) -> str:
    """The statement as a dbt model that reads its tables by `source()`."""
    tree = parse_one(migration.code, migration.dialect)
    marks: dict[str, str] = {}
    for table in list(tree.find_all(exp.Table)):
        if table.name in migration.tables:
            mark = f"tandem_source_{len(marks)}_"
            marks[mark] = f"{{{{ source('{migration.source}', '{table.name}') }}}}"
            table.replace(exp.to_table(mark, alias=table.alias_or_name))
    sql = tree.sql(dialect=migration.dialect, pretty=True)
    for mark, reference in marks.items():
        sql = sql.replace(mark, reference)
    return "{{ config(materialized='view') }}\n\n" + sql + "\n"


def read_recorded(file: Path) -> ResultTable:
    """A CSV file as a result.

    Raises:
        MigrationError: it cannot be read, or a row has more or fewer cells than the head.
    """
    try:
        if file.stat().st_size > _FILE_BYTES_MAX:
            raise MigrationError(f"{file.name} is larger than {_FILE_BYTES_MAX // 1_000_000} MB. Record fewer rows.")
        with file.open(encoding="utf-8-sig", newline="") as handle:
            rows = list(csv.reader(handle))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise MigrationError(f"{file.name} cannot be read as CSV: {error}") from error
    if not rows:
        raise MigrationError(f"{file.name} is empty. Its first line must name the columns.")
    for line, row in enumerate(rows[1:], 2):
        if len(row) != len(rows[0]):
            raise MigrationError(f"{file.name}, line {line}: {len(row)} cells instead of {len(rows[0])}.")
    return ResultTable(columns=tuple(rows[0]), rows=tuple(map(tuple, rows[1:])), is_text=True)


async def _require_readable(sql: str, dialect: str, which: str) -> None:
    """That the guard lets a statement run."""
    refusal = await asyncio.to_thread(check, sql, dialect=dialect)
    if refusal is not None:
        raise MigrationError(f"The {which} statement may not run: {refusal.message}")


async def _run(source: Source, sql: str) -> ResultTable:
    result = await source.run(sql)
    if result.rows > _ROWS_MAX:
        raise MigrationError(f"The statement gives {result.rows:,} rows; up to {_ROWS_MAX:,} are compared. Limit it.")
    columns = [column.to_pylist() for column in result.table.columns]
    rows = tuple(tuple(map(make_cell, row)) for row in zip(*columns, strict=True))
    return ResultTable(columns=result.columns, rows=rows)
