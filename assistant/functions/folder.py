"""A folder of functions: for each `NAME.py`, `test_NAME.py`, and `NAME.yaml` with who kept it and what was tested.

The files are plain text and belong in version control. What is wrong with one is a problem that names it; the others
are read all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.errors import AssistantError
from assistant.functions.function import Function, FunctionMalformed, parse_function
from knowledge.errors import DocumentMalformed
from knowledge.sources.entries import format_scalar, load_plain
from knowledge.sources.file_writer import format_fields, write_file
from knowledge.sources.folder import FUNCTIONS as FOLDER
from knowledge.sources.problems import Problem

_TEST = "test_"
_FILE_BYTES_MAX = 200_000
_LINK = "The folder 'functions' is a link to elsewhere. Put the folder itself there."
_TEXTS = ("complexity", "author", "date", "tested")


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionFolder:
    """What a folder holds, by name, and what in it could not be read."""

    functions: tuple[Function, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_functions(folder: Path, *, is_shipped: bool = False) -> FunctionFolder:
    """Read every function of a folder; one that is not there has none."""
    functions: list[Function] = []
    problems: list[Problem] = []
    if folder.is_symlink():
        return FunctionFolder(problems=(Problem(origin=FOLDER, message=_LINK),))
    for file in sorted(folder.glob("*.py")):
        if file.stem.startswith((_TEST, "_")):
            continue
        try:
            functions.append(_read_function(file, is_shipped=is_shipped))
        except (FunctionMalformed, OSError, ValueError, RecursionError) as error:
            message = str(error) if isinstance(error, FunctionMalformed) else "The files cannot be read."
            problems.append(Problem(origin=f"{FOLDER}/{file.name}", message=message))
    return FunctionFolder(functions=tuple(functions), problems=tuple(problems))


def _read_function(file: Path, *, is_shipped: bool) -> Function:
    tests, about = file.with_name(f"{_TEST}{file.name}"), file.with_suffix(".yaml")
    function = parse_function(
        file.stem,
        _read_text(file),
        tests=_read_text(tests) if tests.exists() else "",
        is_shipped=is_shipped,
        **(_parse_about(_read_text(about), file.stem) if about.exists() else {}),
    )
    _check_study(function)
    return function


def _check_study(function: Function) -> None:
    if not function.study:
        return
    from assistant.analyst.studies.function_study import parse_study

    try:
        parse_study(function.name, function.study, purpose="", parameters=())
    except ValueError as error:
        raise FunctionMalformed(f"{function.name}.yaml: {error}") from error


def _read_text(file: Path) -> str:
    """The text of a file of the folder itself, of sensible size."""
    if file.is_symlink() or not file.is_file():
        raise FunctionMalformed(f"{file.name} is not a plain file. Put the file itself there, not a link.")
    if file.stat().st_size > _FILE_BYTES_MAX:
        raise FunctionMalformed(f"{file.name} is larger than {_FILE_BYTES_MAX // 1000} kB.")
    return file.read_text(encoding="utf-8")


def _parse_about(text: str, name: str) -> dict[str, Any]:
    try:
        entries: object = load_plain(text, has_aliases=False) or {}
    except DocumentMalformed as error:
        raise FunctionMalformed(f"{name}.yaml is not valid YAML, or uses aliases, which are not read.") from error
    if not isinstance(entries, dict):
        raise FunctionMalformed(f"{name}.yaml must hold names with values.")
    words, packages = entries.get("words") or [], entries.get("packages") or {}
    study = entries.get("study") or {}
    if not isinstance(words, list) or not isinstance(packages, dict) or not isinstance(study, dict):
        raise FunctionMalformed(
            f"{name}.yaml: 'words' must be a list, 'packages' names with versions, and 'study' a mapping."
        )
    try:
        return {
            **{key: format_scalar(entries[key]) for key in _TEXTS if entries.get(key)},
            "study": study,
            "words": tuple(map(format_scalar, words)),
            "packages": {format_scalar(package): format_scalar(version) for package, version in packages.items()},
        }
    except DocumentMalformed as error:
        raise FunctionMalformed(f"{name}.yaml {error}.") from error


def keep_function(folder: Path, function: Function) -> None:
    """Write a function's three files. The source is written last: a function without its tests is never there.

    Raises:
        AssistantError: a file cannot be written; an older version is left as it was, as far as that goes.
    """
    about = {
        **{key: getattr(function, key) for key in _TEXTS},
        "words": [*function.words],
        "packages": function.packages,
        **({"study": dict(function.study)} if function.study else {}),
    }
    files = {
        f"{_TEST}{function.name}.py": function.tests,
        f"{function.name}.yaml": format_fields(about),
        f"{function.name}.py": function.source.code,
    }
    if folder.is_symlink():
        raise AssistantError(_LINK)
    try:
        for name, text in files.items():
            write_file(folder / name, text, instead=True)
    except OSError as error:
        raise AssistantError(f"The function {function.name!r} cannot be kept ({error.strerror}).") from error


def remove_function(folder: Path, name: str) -> None:
    """Remove a function's three files; its source first."""
    for file in (f"{name}.py", f"{name}.yaml", f"{_TEST}{name}.py"):
        (folder / file).unlink(missing_ok=True)
