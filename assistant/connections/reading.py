"""How the files of a source are read, with the person's corrections in a sidecar file beside each."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from assistant.connections.descriptions import FileReading
from assistant.core.data_errors import SourceError
from assistant.core.doubts import Correction, Doubt
from assistant.sources.addresses import SourceAddress
from assistant.sources.file_names import GZIP_MAGIC, file_format
from assistant.sources.reading.load_results import LoadedTable
from assistant.sources.reading.loading import load_files
from assistant.sources.reading.sidecar import Sidecar, beside, sidecar_of, write_sidecar

_LINES = 6
_LINE_CHARS = 200


def describe_readings(address: SourceAddress, loaded: Path, *, show_lines: bool) -> tuple[FileReading, ...]:
    """How each file of a source is read. Blocks.

    Args:
        address: Of kind "files".
        loaded: Where its database is kept.
        show_lines: Whether the beginning of text files may be shown: not where a column is masked.

    Raises:
        SourceError: A file or its sidecar cannot be read, or leads to what is not its requester's to name.
    """
    address.check()
    tables = load_files(address, loaded).tables
    return tuple(
        _describe_reading(file, [table for table in tables if table.file == file.name], show_lines)
        for file in address.files
    )


def read_as(address: SourceAddress, loaded: Path, file: str, choices: Mapping[str, object]) -> None:
    """Read a file as a person says. If it cannot be read so, everything stays as it was. Blocks.

    Args:
        address: The source.
        loaded: Where its database is kept.
        file: The file's name.
        choices: The words of the sidecar; what is None or empty is guessed.

    Raises:
        SourceError: There is no such file, a word is wrong, or the file cannot be read so.
    """
    path = next((candidate for candidate in address.files if candidate.name == file), None)
    if path is None:
        raise SourceError(f"{address.display!r} has no file {file!r}.")
    before = sidecar_of(path)
    try:
        sidecar = Sidecar.model_validate(
            {name: value for name, value in choices.items() if value not in (None, "", {}, [])}
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise SourceError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}. Nothing was changed.") from None
    write_sidecar(path, sidecar)
    try:
        load_files(address, loaded)
    except BaseException:
        write_sidecar(path, before)
        raise


def is_setting_of_files(correction: Correction | None) -> bool:
    """Whether a correction changes how a file is read."""
    return correction is not None and correction.setting in Sidecar.model_fields


def correct_reading(address: SourceAddress, loaded: Path, doubt: Doubt) -> None:
    """Read the file of a doubt by its other side, with all else that was said of the file. Blocks.

    Args:
        address: Of kind "files".
        loaded: Where its database is kept.
        doubt: A doubt of that source, with a correction.

    Raises:
        SourceError: Nobody can choose its other side here, or the file cannot be read so. Nothing was changed.
    """
    address.check()
    tables = load_files(address, loaded).tables
    names = [table.file for table in tables if table.name == doubt.table] or [file.name for file in address.files][:1]
    file = next(path for path in address.files if path.name == names[0])
    correction = doubt.correction
    if correction is None or not is_setting_of_files(correction):
        raise SourceError("There is no other reading to choose for this.")
    choices: dict[str, object] = sidecar_of(file).model_dump(exclude_defaults=True)
    before, value = choices.get(correction.setting), correction.value
    if isinstance(value, dict) and isinstance(before, dict):
        choices[correction.setting] = {**before, **value}
    elif isinstance(value, tuple):
        stored = map(str, before) if isinstance(before, list) else ()
        choices[correction.setting] = list(dict.fromkeys((*stored, *value)))
    else:
        choices[correction.setting] = value
    read_as(address, loaded, file.name, choices)


def _describe_reading(file: Path, tables: Sequence[LoadedTable], show_lines: bool) -> FileReading:
    kind = file_format(file) or ""
    guesses: dict[str, object] = {}
    for table in tables:
        if table.layout:
            guesses |= dict(zip(("encoding", "delimiter", "header", "skip"), table.layout, strict=True))
    encoding = str(guesses.get("encoding", ""))
    return FileReading(
        file=file.name,
        format=kind,
        choices=sidecar_of(file).model_dump(exclude_defaults=True) if beside(file).exists() else {},
        guesses=guesses,
        sheets=tuple(dict.fromkeys(name for table in tables for name in (table.sheet, *table.others) if name)),
        first_lines=_first_lines(file, encoding) if kind == "csv" and encoding and show_lines else (),
    )


def _first_lines(file: Path, encoding: str) -> tuple[str, ...]:
    with file.open("rb") as raw:
        packed = raw.read(2) == GZIP_MAGIC
    open_text = gzip.open if packed else open
    with open_text(file, "rt", encoding=encoding, errors="replace") as text:
        return tuple(line.rstrip("\r\n")[:_LINE_CHARS] for _, line in zip(range(_LINES), text, strict=False))
