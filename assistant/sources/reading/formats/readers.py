"""The readers of further formats, each with its code, so that an exported notebook reads a file in the same way."""

from __future__ import annotations

import ast
import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

ReadTables: TypeAlias = Callable[[str], list[tuple[str, Any]]]
"""From a file's path to its tables, each a name and a `pyarrow.Table`; raises ValueError to complete "'FILE' ..."."""
_FOLDER = __package__


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatReader:
    """How files of a format become tables.

    Attributes:
        module: The module, which imports nothing of Tandem.
        packages: What a notebook needs to run it, by the names they are installed by.
        values: "typed" where tables have the types of their file, "texts" where they do not, "declared" where fields
            name the types of their texts, "cells" where tables have rows of cells and names of columns among them.
    """

    module: str
    packages: tuple[str, ...] = ()
    values: Literal["typed", "texts", "declared", "cells"] = "typed"

    def read_tables(self, file: Path) -> list[tuple[str, Any]]:
        """The tables of a file.

        Raises:
            ValueError: It cannot be read; the message completes "'FILE' ...".
        """
        read: ReadTables = importlib.import_module(f"{_FOLDER}.{self.module}").read_tables
        return read(str(file))

    def code(self) -> str:
        """The module's code without annotations, which defines `read_tables`."""
        source = importlib.util.find_spec(f"{_FOLDER}.{self.module}")
        if source is None or source.origin is None:
            raise AssertionError(f"{self.module!r} is a module of this package")
        tree = ast.parse(Path(source.origin).read_text(encoding="utf-8"))
        tree.body = [statement for statement in tree.body[1:] if not _is_future(statement)]
        return ast.unparse(ast.fix_missing_locations(_WithoutAnnotations().visit(tree)))


READERS: Mapping[str, FormatReader] = {
    "statistics": FormatReader(module="statistical_files", packages=("pyreadstat",)),
    "records": FormatReader(module="record_files", packages=("fastavro[snappy,zstandard]",)),
    "geojson": FormatReader(module="geojson", values="texts"),
    "xml": FormatReader(module="xml_records", packages=("lxml",), values="texts"),
    "sql": FormatReader(module="sql_dumps", packages=("sqlglot",), values="declared"),
    "html": FormatReader(module="html_tables", packages=("lxml",), values="cells"),
}
"""The readers by the format of a file (`addresses.FILE_SUFFIXES`)."""


class _WithoutAnnotations(ast.NodeTransformer):
    """Annotations name types that a notebook does not import."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.returns = None
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """Fields of a data class need theirs."""
        node.body = [part if isinstance(part, ast.AnnAssign) else self.visit(part) for part in node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is None:
            return ast.Pass()
        return ast.Assign(targets=[node.target], value=node.value)


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
