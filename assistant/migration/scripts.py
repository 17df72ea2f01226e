"""A script of pandas: checked without running it, then run in the cage over the tables of a source that it names.

The cage has no file and no network, so a script that needs them is an error that names the line, before it runs.
"""

from __future__ import annotations

import ast
import asyncio
import base64
import builtins
import io
import json
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template

import pyarrow as pa
from sqlglot import exp

from assistant.functions.testing import KernelMaker
from assistant.migration.comparing import ColumnsDiffer, ResultTable, compare_tables
from assistant.migration.proving import Migration, read_recorded
from assistant.migration.statements import MigrationError
from assistant.sources.sources import Source

_MODULES = frozenset(
    ("pandas", "numpy", "datetime", "math", "re", "statistics", "collections", "itertools", "functools")
)
_OUTSIDE = frozenset(("open", "exec", "eval", "compile", "input", "__import__"))
_WRITERS = ("to_csv", "to_excel", "to_parquet", "to_sql", "to_pickle", "to_feather", "to_hdf")
_SORTERS = ("sort_values", "sort_index", "nlargest", "nsmallest")
_ROWS_MAX = 200_000
_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptReading:
    """A script whose last line is its result.

    Attributes:
        code: the script.
        names: what it expects to be there: tables.
        is_ordered: it sorts, so that its rows are compared in their order.
    """

    code: str
    names: tuple[str, ...]
    is_ordered: bool = False


def read_script(text: str, tables: Collection[str]) -> ScriptReading:
    """Check a script without running it.

    Args:
        text: the script; its result is the last line, or the variable `result`.
        tables: the tables that it may name as DataFrames.

    Raises:
        MigrationError: it is no Python, needs a file or the network, or names what is not there; with the line.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, SyntaxError) else 1
        raise MigrationError(f"Line {line}: the script is not valid Python.") from error
    for node in ast.walk(tree):
        if (outside := _find_outside(node)) is not None:
            raise MigrationError(
                f"Line {getattr(node, 'lineno', 1)}: {outside} needs a file, the network or other code. "
                "Use a table of the source by its name as a DataFrame."
            )
    assigned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    assigned |= {alias.asname or alias.name.partition(".")[0] for alias in _list_aliases(tree)}
    assigned |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assigned |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    used = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    names: dict[str, None] = {}
    for node in used:
        if node.id in tables and node.id not in assigned:
            names[node.id] = None
        elif node.id not in assigned and not hasattr(builtins, node.id) and node.id != "pd":
            table_names = ", ".join(sorted(tables))
            raise MigrationError(f"Line {node.lineno}: there is no {node.id!r}. The source has {table_names}.")
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body[-1] = ast.copy_location(ast.Assign([ast.Name("result", ast.Store())], last.value), last)
    elif "result" not in assigned:
        raise MigrationError("The script has no result. End it with the DataFrame, or name that 'result'.")
    is_ordered = any(isinstance(node, ast.Attribute) and node.attr in _SORTERS for node in ast.walk(tree))
    return ScriptReading(code=ast.unparse(ast.fix_missing_locations(tree)), names=tuple(names), is_ordered=is_ordered)


def _list_aliases(tree: ast.AST) -> list[ast.alias]:
    return [alias for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names]


def _find_outside(node: ast.AST) -> str | None:
    """What in a piece of code reaches out of the script."""
    match node:
        case ast.Import(names=names):
            return next((a.name for a in names if a.name.partition(".")[0] not in _MODULES), None)
        case ast.ImportFrom(module=module):
            return module if (module or ".").partition(".")[0] not in _MODULES else None
        case ast.Call(func=ast.Attribute(attr=name)) if name.startswith("read_") or name in _WRITERS:
            return name
        case ast.Call(func=ast.Name(id=name)) if name in _OUTSIDE:
            return name
        case _:
            return None


async def prove_script(text: str, *, source: Source, recorded: Path | None, kernel: KernelMaker) -> Migration:
    """Run a script in the cage over the tables that it names, and compare its result with the recorded output.

    Raises:
        MigrationError: it needs what the cage does not have, or fails; or a table is too large.
        DataError: the source cannot be read.
        SandboxError: no kernel can be started.
    """
    catalog = await source.catalog()
    script = await asyncio.to_thread(read_script, text, [table.name for table in catalog.tables])
    parts = [await _read_table(source, name, catalog.dialect) for name in script.names]
    mark = secrets.token_hex(16)
    template = (resources.files("assistant.migration") / "script.py.txt").read_text(encoding="utf-8")
    code = Template(template).substitute(
        tables=repr(dict(zip(script.names, parts, strict=True))), script=script.code, mark=repr(mark)
    )
    async with kernel() as fresh:
        printed, error = await fresh.run(code, timeout_s=_TIMEOUT_S)
    if error:
        raise MigrationError(f"The script failed: {error.strip().splitlines()[-1]}")
    result = _read_result(printed.rpartition(mark)[2])
    expected = await asyncio.to_thread(read_recorded, recorded) if recorded is not None else None
    try:
        differences = compare_tables(expected, result, is_ordered=script.is_ordered) if expected is not None else ()
    except ColumnsDiffer as error:
        raise MigrationError(str(error)) from error
    return Migration(
        code=script.code,
        language="python",
        tables=script.names,
        rows=max(len(result.rows), len(expected.rows) if expected is not None else 0),
        differences=differences,
        proof=f"the recorded output in {recorded.name}" if recorded is not None else "",
    )


async def _read_table(source: Source, name: str, dialect: str) -> str:
    result = await source.run(exp.select("*").from_(exp.to_identifier(name, quoted=True)).sql(dialect=dialect))
    if result.rows > _ROWS_MAX:
        raise MigrationError(f"The table {name!r} has {result.rows:,} rows; a script may take up to {_ROWS_MAX:,}.")
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, result.table.schema) as writer:
        writer.write_table(result.table)
    return base64.b64encode(stream.getvalue()).decode()


def _read_result(text: str) -> ResultTable:
    """The rows that the cage printed. All of it is untrusted."""
    try:
        form: object = json.loads(text)
    except (ValueError, RecursionError):
        form = None
    if not isinstance(form, Mapping) or not isinstance(form.get("data"), list):
        raise MigrationError("The script gave no table. End it with a DataFrame, or name that 'result'.")
    rows = [row for row in form["data"] if isinstance(row, list)]
    cells = tuple(tuple(c if isinstance(c, str | int | float | bool) or c is None else str(c) for c in r) for r in rows)
    columns = tuple(map(str, form.get("columns") or ()))
    if any(len(row) != len(columns) for row in cells):
        raise MigrationError("The script gave a table whose rows have other columns than its head.")
    return ResultTable(columns=columns, rows=cells)
