"""All functions that cells may import: those that ship, and those of knowledge folders, which come first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.cells.functions import find_function_names, order_functions
from assistant.core.events import FunctionSource
from assistant.functions.folder import FOLDER, FunctionFolder, read_functions
from assistant.functions.function import Function
from knowledge.sources.problems import Problem

if TYPE_CHECKING:
    from assistant.analyst.studies.function_study import FunctionStudy


class FunctionLibrary:
    """The functions of Tandem and of some knowledge folders, read anew each time they are asked for.

    Args:
        folders: gives the knowledge folders; an earlier one's function hides later ones of the same name.
    """

    def __init__(self, folders: Callable[[], Iterable[Path]] = tuple[Path, ...]) -> None:
        self._folders = folders

    def list_functions(self) -> tuple[Function, ...]:
        """All functions, by name."""
        functions = {function.name: function for function in list_shipped()}
        for reading in reversed(self._read()):
            functions |= {function.name: function for function in reading.functions}
        return tuple(functions[name] for name in sorted(functions))

    def list_problems(self) -> tuple[Problem, ...]:
        """What is wrong with files of the folders."""
        return tuple(problem for reading in self._read() for problem in reading.problems)

    def find(self, name: str) -> Function | None:
        """A function by its name."""
        return next((function for function in self.list_functions() if function.name == name), None)

    def find_sources(self, code: str) -> tuple[FunctionSource, ...]:
        """The functions that a cell imports with all that those need, in the order in which they are defined.

        Raises:
            FunctionCycle: they need each other in a circle.
        """
        names = find_function_names(code)
        if not names:
            return ()
        sources = {function.name: function.source for function in self.list_functions()}
        return order_functions(names, sources.get)

    def _read(self) -> list[FunctionFolder]:
        return [read_functions(folder / FOLDER) for folder in self._folders()]


@cache
def list_shipped() -> tuple[Function, ...]:
    """The functions that come with Tandem."""
    with resources.as_file(resources.files("assistant.functions") / "library") as folder:
        return read_functions(folder, is_shipped=True).functions


def list_studies(functions: Iterable[Function]) -> tuple[FunctionStudy, ...]:
    """The functions that can be asked for by name; those whose YAML does not say how are for cells alone.

    Raises:
        ValueError: a YAML says it in another form. The functions of a folder were read without.
    """
    from assistant.analyst.studies.function_study import parse_study

    return tuple(
        parse_study(
            function.name,
            function.study,
            purpose=function.purpose,
            parameters=[parameter.name for parameter in function.parameters],
        )
        for function in functions
        if function.study
    )
