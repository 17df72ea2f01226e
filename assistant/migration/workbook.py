"""A workbook of Excel as a function of Python: its formulas in the order in which they need each other.

The values that Excel stored are the recorded output. The function is run in the cage, never here.
"""

from __future__ import annotations

import asyncio
import datetime
import inspect
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from importlib import resources
from pathlib import Path
from string import Template
from zipfile import BadZipFile, ZipFile

from openpyxl import Workbook, load_workbook
from openpyxl.utils.cell import range_boundaries
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet.formula import ArrayFormula, DataTableFormula

from assistant.functions.testing import KernelMaker
from assistant.migration.comparing import CellDifference, agree, find_cause
from assistant.migration.formulas import PythonFormula, parse_formula
from assistant.migration.proving import Migration
from assistant.migration.statements import MigrationError

_FILE_BYTES_MAX = 20_000_000
_UNPACKED_BYTES_MAX = 200_000_000
_CELLS_MAX = 2_000_000
_MERGED = re.compile(rb"""<(?:\w+:)?mergeCell\s[^>]*?ref\s*=\s*["']([A-Z0-9:$]+)""")
_FORMULAS_MAX = 20_000
_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbookFunction:
    """A workbook as a function: its source, the cells that it is given, and what Excel stored for each formula."""

    code: str
    inputs: Mapping[str, object]
    recorded: Mapping[str, object]

    def write_tests(self, name: str) -> str:
        """A test that holds the recorded output against the function."""
        return (
            f"import datetime\nfrom decimal import Decimal\n\n"
            f"from functions import {name}\n\nCELLS = {dict(self.inputs)!r}\nRECORDED = {dict(self.recorded)!r}\n\n\n"
            f"{inspect.getsource(agree)}\n\n{inspect.getsource(_plain)}\n\n"
            "def test_it_gives_what_the_workbook_stored():\n"
            f"    result = {name}(CELLS)\n    assert result.keys() == RECORDED.keys()\n"
            "    for cell, value in RECORDED.items():\n"
            "        assert agree(_plain(value), _plain(result[cell])), cell\n"
        )


def read_workbook(file: Path, *, name: str) -> WorkbookFunction:
    """Read a workbook and turn its formulas over. Blocks.

    Args:
        file: of Excel, `.xlsx`.
        name: of the function.

    Raises:
        MigrationError: it cannot be read, has no formula, was never computed, or a formula cannot be turned over.
    """
    formula_book, value_book = _load(file)
    formulas: dict[str, PythonFormula] = {}
    inputs: dict[str, object] = {}
    recorded: dict[str, object] = {}
    for sheet in formula_book.worksheets:
        if sheet.max_row * sheet.max_column > _CELLS_MAX:
            raise MigrationError(
                f"The sheet {sheet.title} of {file.name} goes to row {sheet.max_row:,} and column "
                f"{sheet.max_column:,}: more than {_CELLS_MAX:,} cells. Delete what stands far from the rest."
            )
        for cell in (cell for row in sheet.iter_rows() for cell in row if cell.value is not None):
            place, value = f"{sheet.title}!{cell.coordinate}", cell.value
            if isinstance(value, ArrayFormula | DataTableFormula):
                raise MigrationError(f"Cell {place}: an array formula or data table cannot be turned over.")
            if cell.data_type != "f":
                inputs[place] = value
                continue
            formulas[place] = parse_formula(str(value), sheet=sheet.title, cell=cell.coordinate)
            recorded[place] = value_book[sheet.title][cell.coordinate].value
            if value_book[sheet.title][cell.coordinate].data_type == "e":
                raise MigrationError(
                    f"Cell {place} holds the error {recorded[place]}. Correct it in the workbook first."
                )
            if len(formulas) > _FORMULAS_MAX:
                raise MigrationError(f"{file.name} has more than {_FORMULAS_MAX:,} formulas.")
    if not formulas:
        raise MigrationError(f"{file.name} has no formula. Ask questions about its data as a source instead.")
    if all(value is None for value in recorded.values()):
        raise MigrationError(f"{file.name} holds no computed values. Open it in Excel, save it, and try again.")
    return WorkbookFunction(code=_write_code(file.name, name, formulas), inputs=inputs, recorded=recorded)


def _load(file: Path) -> tuple[Workbook, Workbook]:
    """The workbook with its formulas, and with the values that Excel stored."""
    try:
        if file.stat().st_size > _FILE_BYTES_MAX:
            raise MigrationError(f"{file.name} is larger than {_FILE_BYTES_MAX // 1_000_000} MB.")
        with ZipFile(file) as archive:
            _require_size(file.name, archive)
        return load_workbook(file), load_workbook(file, data_only=True)
    except (OSError, BadZipFile, InvalidFileException, KeyError, RuntimeError, ValueError) as error:
        raise MigrationError(f"{file.name} cannot be read as a workbook: {error}") from error


def _require_size(name: str, archive: ZipFile) -> None:
    """That a workbook fits into memory: unpacked, and with the cells that it merges, each of which is made."""
    if sum(member.file_size for member in archive.infolist()) > _UNPACKED_BYTES_MAX:
        raise MigrationError(f"{name} is larger than {_UNPACKED_BYTES_MAX // 1_000_000} MB unpacked.")
    merged = 0
    for member in archive.infolist():
        for area in _MERGED.findall(archive.read(member)):
            left, top, right, bottom = range_boundaries(area.decode())
            merged += ((right or 0) - (left or 0) + 1) * ((bottom or 0) - (top or 0) + 1)
    if merged > _CELLS_MAX:
        raise MigrationError(f"{name} merges {merged:,} cells, more than {_CELLS_MAX:,}. Split them.")


def _write_code(workbook: str, name: str, formulas: Mapping[str, PythonFormula]) -> str:
    graph = {place: [place for place in formula.reads if place in formulas] for place, formula in formulas.items()}
    try:
        order = tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise MigrationError(f"These cells need each other in a circle: {' → '.join(error.args[1])}.") from error
    title = "".join(letter for letter in workbook if letter.isalnum() or letter in " .-_")  # it stands in a docstring
    template = (resources.files("assistant.migration") / "prelude.py.txt").read_text(encoding="utf-8")
    return Template(template).substitute(
        title=f"Compute {title.rpartition('.')[0]}.",
        workbook=title,
        name=name,
        lines="\n".join(f"        at = {place!r}\n        c[at] = {formulas[place].code}" for place in order),
        outputs=repr(list(formulas)),
    )


async def prove_workbook(file: Path, *, name: str, kernel: KernelMaker) -> tuple[Migration, WorkbookFunction]:
    """Run a workbook's function in the cage, and compare each cell with what Excel stored.

    Raises:
        MigrationError: it cannot be turned over, or the function does not run.
        SandboxError: no kernel can be started.
    """
    function = await asyncio.to_thread(read_workbook, file, name=name)
    mark = secrets.token_hex(16)
    call = f"import datetime, json\nprint({mark!r} + json.dumps({name}({dict(function.inputs)!r}), default=str))"
    async with kernel() as fresh:
        printed, error = await fresh.run(f"{function.code}\n\n{call}", timeout_s=_TIMEOUT_S)
    if error:
        last = error.strip().splitlines()[-1]
        raise MigrationError(f"The formulas of {file.name} cannot be computed: {last}")
    try:
        results: object = json.loads(printed.rpartition(mark)[2])
    except ValueError:
        results = None
    if not isinstance(results, dict):
        raise MigrationError(f"The formulas of {file.name} gave no values.")
    differences = tuple(_compare(function.recorded, results))
    migration = Migration(
        code=function.code,
        language="python",
        rows=len(function.recorded),
        differences=differences,
        proof=f"the values that {file.name} stores",
    )
    return migration, function


def _compare(recorded: Mapping[str, object], results: Mapping[str, object]) -> list[CellDifference]:
    differences: list[CellDifference] = []
    for place, value in recorded.items():
        first, second = _plain(value), _plain(results.get(place))
        cause = find_cause(first, second)
        if cause is not None:
            differences.append(CellDifference(place=place, recorded=first, result=second, cause=cause))
    return differences


def _plain(value: object) -> str | int | float | bool | None:
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
