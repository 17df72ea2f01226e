"""Published tables with their readings, where somebody fetched them: a list in JSON and a folder of files.

An entry of the list has `file` (`owner/repository:path`), `sheet`, `rows` (a number, or those that are right), `names`
(some or all), `ncols`, `types` (`num`, `int`, `bool`, `text`, `date`, ... or several), `at` (row and value, by column),
`nulls` and `sums` by column, and `#0` for a column by its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from assistant.core.catalog import ColumnKind
from corpus.values import Check, Expected, ExpectedTable

_KINDS: dict[str, ColumnKind] = {"num": "number", "int": "integer", "float": "number", "bool": "boolean"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFile:
    """A published file and how one of its tables is to be read."""

    name: str
    sheet: str
    path: Path
    expected: Expected


def published_files(readings: Path, folder: Path) -> tuple[PublishedFile, ...]:
    """Those of a list whose files are in a folder."""
    return tuple(_published(readings, folder))


def _published(readings: Path, folder: Path) -> Iterator[PublishedFile]:
    entries: list[dict[str, Any]] = json.loads(readings.read_text(encoding="utf-8"))
    for entry in entries:
        name = str(entry["file"])
        path = folder / name.replace(":", "/", 1)
        if path.is_file():
            yield PublishedFile(name=name, sheet=entry["sheet"] or "", path=path, expected=_expected(entry))


def _expected(entry: dict[str, Any]) -> Expected:
    """The table of an entry: columns of which something is said, under the names that are given for them."""
    named: list[str] = [*(entry["names"] or []), *entry["types"], *entry["at"], *entry["nulls"], *entry["sums"]]
    names = tuple(dict.fromkeys(named))
    rows = entry["rows"] if isinstance(entry["rows"], list) else [entry["rows"]]
    checks = [
        Check(column=name, sql=f"SELECT {_quoted(name)} FROM t LIMIT 1 OFFSET {int(row)}", values=(value,))
        for name, (row, value) in entry["at"].items()
    ]
    checks += [
        Check(column=name, sql=f"SELECT sum({_quoted(name)}) FROM t", values=(value,))
        for name, value in entry["sums"].items()
    ]
    table = ExpectedTable(
        names=tuple((name,) for name in names),
        has_header=entry["names"] is not None,
        rows=tuple(cast("list[int]", rows)),
        columns=entry["ncols"],
        types={name: _kinds(kinds) for name, kinds in entry["types"].items()},
        missing={name: (int(count),) for name, count in entry["nulls"].items()},
        checks=tuple(checks),
        is_partial=True,
    )
    return Expected(tables=(table,))


def _kinds(names: str | list[str]) -> tuple[ColumnKind, ...]:
    several = [names] if isinstance(names, str) else names
    return tuple(_KINDS.get(name, cast("ColumnKind", name)) for name in several)


def _quoted(name: str) -> str:
    return '"' + re.sub('"', '""', name) + '"'
