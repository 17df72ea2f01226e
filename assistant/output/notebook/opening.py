"""The first code cell of the notebook: imports, data locations, and `query()`.

The code is in `cells/`, in pieces; only those that the sources need are included. All of it is in one function, so that
later cells may use any name. Here it is text: this module runs none of it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from pprint import pformat
from textwrap import indent

from assistant.cells.first_cell import list_imports_used
from assistant.cells.functions import MODULE
from assistant.cells.references import find_imported_modules, find_literal_files
from assistant.output.notebook.sources import Kind, NotebookSource, without_password

_PIECES: dict[Kind, tuple[str, ...]] = {
    "sqlite": ("engines", "sqlite"),
    "server": ("engines", "server"),
    "duckdb": ("duckdb",),
    "files": ("duckdb", "files"),
    "combined": ("duckdb", "combined"),
}
_ORDER = ("engines", "sqlite", "server", "duckdb", "files", "excel", "combined", "masks")
_PACKAGES = {
    "engines": ("sqlalchemy",),
    "duckdb": ("duckdb",),
    "excel": ("python-calamine",),
}
_DRIVERS = {"psycopg": "psycopg[binary]", "pymysql": "pymysql", "psycopg2": "psycopg2-binary"}
_DISTRIBUTIONS = {
    "sklearn": "scikit-learn",
    "PIL": "pillow",
    "yaml": "pyyaml",
    "cv2": "opencv-python",
    "bs4": "beautifulsoup4",
}
_FILES = (
    "def _files(places):",
    "    found = {}",
    "    for place in places:",
    "        for name in os.listdir(place) if os.path.isdir(place) else [os.path.basename(place)]:",
    "            found[name] = os.path.join(place, name) if os.path.isdir(place) else place",
    "    return found",
    "",
    "",
)
_CHART_ROWS_MAX = 20_000
"""The kernel of a session draws charts of so many rows; altair by itself stops at 5,000."""


def build_opening_cell(sources: Sequence[NotebookSource], codes: Sequence[str]) -> str:
    """The first code cell.

    Args:
        sources: The session's sources, the first of which `query` takes where none is named.
        codes: The code of all cells below, which says what packages they import.
    """
    first = list_imports_used(codes)
    imported = _imported((*codes, *first))
    pieces = _pieces(sources)
    lines = [f"# This notebook needs: {', '.join(list_packages(sources, codes))}", "import os", ""]
    variables = _variables(sources)
    if sources:
        lines.append("# Where the data lies. Change it here, or set the environment variable.")
    lines += [
        f"{variable} = os.environ.get({_environment(variable)!r}, {without_password(source.at)!r})"
        for source, variable in zip(_list_parts(sources), variables, strict=True)
    ]
    names = iter(variables)
    entries = "".join(
        f"    {source.name!r}: ({_write_opener(source, names)}, {_write_masks(source)}),\n" for source in sources
    )
    openers = ", ".join(f'"{kind}": open_{kind}' for kind in sorted({opener.kind for opener in _list_all(sources)}))
    body = "\n".join([_piece("frames"), *(_piece(name) for name in _ORDER if name in pieces)])
    if "files" in pieces:
        body += f"\n\n{_readers(sources)}"
    body += f"\n\nopeners = {{{openers}}}\n" + _piece("query").lstrip("\n")
    body = re.sub(r"\n{3,}", "\n\n", body.strip("\n"))
    lines += ["", "", "def _make_query(sources):", indent(body, "    "), "", ""]
    lines += [f"query = _make_query({{\n{entries}}})" if entries else "query = _make_query({})"]
    if any(find_literal_files(code) for code in codes):
        places = ", ".join(v for s, v in zip(_list_parts(sources), variables, strict=True) if s.kind == "files")
        lines += [
            "",
            "# The files themselves, for cells that read them as text.",
            *_FILES,
            f"files = _files([{places}])",
        ]
    if first:
        lines += ["", "# The kernel of the session imported these before its first cell.", *first]
    if "altair" in imported:
        lines += [
            "",
            "import altair",
            "",
            f'_ = altair.data_transformers.enable("default", max_rows={_CHART_ROWS_MAX})',
        ]
    return "\n".join(lines)


def list_packages(sources: Sequence[NotebookSource], codes: Sequence[str]) -> tuple[str, ...]:
    """The packages that the notebook needs, by the names they are installed by."""
    packages = ["pandas", "pyarrow"]
    for piece in _pieces(sources):
        packages += _PACKAGES.get(piece, ())
    for source in _list_all(sources):
        packages += [package for reader in source.readers for package in reader.packages]
        driver = re.match(r"\w+\+(\w+)://", source.at) if source.kind == "server" else None
        if driver:
            packages.append(_DRIVERS.get(driver[1], driver[1]))
    packages += [_DISTRIBUTIONS.get(name, name) for name in _imported((*codes, *list_imports_used(codes)))]
    return tuple(dict.fromkeys(packages))


def _pieces(sources: Iterable[NotebookSource]) -> set[str]:
    pieces = {piece for source in _list_all(sources) for piece in _PIECES[source.kind]}
    if any(table.format == "excel" for source in _list_all(sources) for table in source.tables):
        pieces.add("excel")
    if any(source.masked for source in sources):
        pieces.add("masks")
    return pieces


def _readers(sources: Iterable[NotebookSource]) -> str:
    """Code of readers, each in a function of its own, and `readers`, which names them by format."""
    readers = {reader.format: reader for source in _list_all(sources) for reader in source.readers}
    made = [
        f"def make_{name}_reader():\n{indent(reader.code, '    ')}\n    return read_tables\n"
        for name, reader in readers.items()
    ]
    listed = ", ".join(f"{name!r}: make_{name}_reader()" for name in readers)
    return "\n\n".join([*made, f"readers = {{{listed}}}"])


def _piece(name: str) -> str:
    cells = resources.files("assistant.output.notebook") / "cells"
    return (cells / f"{name}.py.txt").read_text(encoding="utf-8").rstrip("\n")


def _variables(sources: Sequence[NotebookSource]) -> list[str]:
    """One Python name for each of `_whole(sources)`, such as `SOURCE_SHOP`."""
    names: list[str] = []
    for source in _list_parts(sources):
        base = "SOURCE_" + (re.sub(r"[^A-Z0-9]+", "_", source.name.upper()).strip("_") or "DATA")
        name, number = base, 2
        while name in names:
            name, number = f"{base}_{number}", number + 1
        names.append(name)
    return names


def _list_all(sources: Iterable[NotebookSource]) -> list[NotebookSource]:
    """The sources, and those that are asked together as one of them."""
    return [part for source in sources for part in (source, *source.parts)]


def _list_parts(sources: Iterable[NotebookSource]) -> list[NotebookSource]:
    """What lies somewhere: of sources that are asked together each, of any other itself."""
    return [part for source in sources for part in (source.parts or (source,))]


def _write_opener(source: NotebookSource, variables: Iterator[str]) -> str:
    """How a source is opened: where it is, its kind, its tables, and the environment variable that says otherwise."""
    if not source.parts:
        variable = next(variables)
        return f"{variable}, {source.kind!r}, {_tables(source)}, {_environment(variable)!r}"
    parts = ", ".join(f"{part.name!r}: ({_write_opener(part, variables)})" for part in source.parts)
    places = indent(pformat(list(source.places), width=110), "    ").lstrip()
    return f"{{{parts}}}, {source.kind!r}, {places}, ''"


def _environment(variable: str) -> str:
    return f"TANDEM_{variable}"


def _tables(source: NotebookSource) -> str:
    if source.kind != "files":
        return "[]"
    tables = [
        {
            "name": table.name,
            "file": table.file,
            "format": table.format,
            "sheet": table.sheet,
            "cells": table.cells,
            "layout": table.layout,
            "first": table.first,
            "fields": table.fields,
            "where": table.where,
            "select": table.select,
            "member": table.member,
            "part": table.part,
            "columns": [(column.name, column.type, column.sql) for column in table.columns],
        }
        for table in source.tables
    ]
    return indent(pformat(tables, width=110, sort_dicts=False), "    ").lstrip()


def _write_masks(source: NotebookSource) -> str:
    if not source.masked:
        return "None"
    queries = {cover.sql: (list(cover.columns), list(cover.masked)) for cover in source.covers}
    fields = {"columns": list(source.masked), "queries": queries}
    return indent(pformat(fields, width=110, sort_dicts=False), "    ").lstrip()


def _imported(codes: Iterable[str]) -> tuple[str, ...]:
    """Top-level modules that some code imports, but for Python's own and the functions that stand in the notebook."""
    names = dict.fromkeys(name for code in codes for name, _ in find_imported_modules(code))
    return tuple(name for name in names if name not in sys.stdlib_module_names and name != MODULE)
