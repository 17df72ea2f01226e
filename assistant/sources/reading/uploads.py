"""Files that a person adds to a session: kept in its folder, each beside what was said about how to read it.

A `.toml` file is no data. It is taken only as `FILE.tandem.toml`, together with `FILE`
(`assistant.sources.reading.sidecar`).
"""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from assistant.core.data_errors import AddressError
from assistant.errors import AssistantError, DataError
from assistant.plain_english import joined
from assistant.sources.file_names import file_format, identifier, is_read_with_folder, stem
from assistant.sources.reading.sidecar import SUFFIX, beside

T = TypeVar("T")
_NAME_BYTES_MAX = 180
"""A file's name has at most 255 bytes on Linux, of which caches made of it take some."""
_ENDING_MAX = 10
_NAMED_MAX = 3
"""A source of several files is named by so many of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A data file with its name alone, and the file that says how to read it, if one came with it."""

    name: str
    content: bytes = field(repr=False)
    reading: bytes | None = field(default=None, repr=False)


def uploads(files: Sequence[tuple[str, bytes]]) -> tuple[Upload, ...]:
    """The data files among what a person added, in order, each with its companion. Pure.

    Args:
        files: Names, as the browser gives them, and contents.

    Raises:
        AddressError: A `.toml` file is no companion of a file that came with it, or that can be told how it is read.
    """
    contents = {_plain(name): content for name, content in files}
    data = [name for name in contents if not name.lower().endswith(".toml")]
    readings: dict[str, bytes] = {}
    for name in contents.keys() - set(data):
        of = next((data_name for data_name in data if name.lower() == f"{data_name}{SUFFIX}".lower()), None)
        if not name.lower().endswith(SUFFIX) or name.lower() == SUFFIX:
            raise AddressError(
                f"{name!r} is no data. A .toml file can only say how a data file is read: name it after that file, as "
                f"in orders.csv{SUFFIX}, and add the two together."
            )
        if of is None:
            owner = name[: -len(SUFFIX)]
            raise AddressError(
                f"{name!r} says how {owner!r} is read, but {owner!r} did not come with it. Add the two together."
            )
        if file_format(Path(of)) is None:
            raise AddressError(
                f"{of!r} is a database, which says itself what it holds: {name!r} cannot change it. Add it alone."
            )
        readings[of] = contents[name]
    return tuple(Upload(name=name, content=contents[name], reading=readings.get(name)) for name in data)


def group_uploads(files: Sequence[Upload]) -> tuple[tuple[Upload, ...], ...]:
    """The files that are one source: tables that come together meet in one, so that a question can join them. Pure."""
    # An empty file is refused where it is alone; a folder leaves it out.
    tables = tuple(upload for upload in files if upload.content and is_read_with_folder(Path(upload.name)))
    if len(tables) < 2:
        return tuple((upload,) for upload in files)
    return (tables, *((upload,) for upload in files if upload not in tables))


async def connect_uploads(
    files: Sequence[tuple[str, bytes]],
    *,
    new_folder: Callable[[], Path],
    connect: Callable[[Path], Awaitable[Sequence[T]]],
    check: Callable[[Path], Awaitable[None]],
    name_of: Callable[[T], str],
) -> tuple[T, ...]:
    """Keep and connect files: tables that come together are one source, a database is one alone.

    Args:
        files: Names, as the browser gives them, and contents.
        new_folder: Gives the folder for a source.
        connect: Connects what was written at a path.
        check: Only opens it, and closes it again.
        name_of: What a person calls what was connected.

    Raises:
        AssistantError: One cannot be read as data, and is named; all others are connected. Or one is no companion of
            another; then none is.
    """
    connected: list[T] = []
    failures: list[AssistantError] = []
    for group in group_uploads(uploads(files)):
        try:
            connected += await _with_group(group, new_folder(), connect, is_kept=True)
        except AssistantError as error:
            readable, broken = await _find_broken(group, new_folder, check)
            failures += broken or [error]
            if broken and readable:
                connected += await _with_group(readable, new_folder(), connect, is_kept=True)
    if not failures:
        return tuple(connected)
    if len(failures) == 1 and not connected:
        raise failures[0]
    names = joined(list(map(name_of, connected)))
    raise DataError(" ".join((*map(str, failures), f"Added: {names}." if names else "")).strip())


async def _find_broken(
    group: Sequence[Upload], new_folder: Callable[[], Path], check: Callable[[Path], Awaitable[None]]
) -> tuple[tuple[Upload, ...], list[AssistantError]]:
    """The files of a group that can be read alone, and why each other one cannot; both empty for a single file."""
    readable: list[Upload] = []
    broken: list[AssistantError] = []
    for upload in group if len(group) > 1 else ():
        try:
            await _with_group((upload,), new_folder(), check, is_kept=False)
        except AssistantError as error:
            broken.append(error)
        else:
            readable.append(upload)
    return tuple(readable), broken


async def _with_group(
    group: Sequence[Upload], folder: Path, work: Callable[[Path], Awaitable[T]], *, is_kept: bool
) -> T:
    """Work with the files of a source once they are written; they stay only where that went well and they are kept."""
    path = await asyncio.to_thread(keep_group, group, folder)
    is_done = False
    try:
        result = await work(path)
        is_done = True
    finally:  # after a stop as well
        if not (is_kept and is_done):
            await asyncio.to_thread(discard_group, path)
            with suppress(OSError):  # other sources may be there
                await asyncio.to_thread(folder.rmdir)
    return result


def keep_group(group: Sequence[Upload], folder: Path) -> Path:
    """Write the files of a source; several go to a folder of their own, which is the source.

    Raises:
        AddressError: One cannot be written; then none is.
    """
    if len(group) == 1:
        return keep(group[0], folder)
    names = [identifier(stem(Path(upload.name))) for upload in group]
    base = "_".join(names[:_NAMED_MAX]) + (f"_and_{len(names) - _NAMED_MAX}_more" if len(names) > _NAMED_MAX else "")
    base = _cut(base, _NAME_BYTES_MAX)
    own, number = folder / base, 2
    while own.exists():
        own, number = folder / f"{base}_{number}", number + 1
    try:
        for upload in group:
            keep(upload, own)
    except AddressError:
        discard_group(own)
        raise
    return own


def discard_group(path: Path) -> None:
    """Delete what `keep_group` wrote."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        discard(path)


def keep(upload: Upload, folder: Path) -> Path:
    """Write a file and its companion; under a name of its own where another of that name was added before.

    Raises:
        AddressError: It cannot be written.
    """
    target, number = folder / upload.name, 2
    while target.exists() or beside(target).exists():
        stem, dot, endings = upload.name.partition(".")
        target, number = folder / f"{stem}-{number}{dot}{endings}", number + 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if upload.reading is not None:
            beside(target).write_bytes(upload.reading)
        target.write_bytes(upload.content)
    except OSError as problem:
        discard(target)
        reason = problem.strerror or "the disk refused it"
        raise AddressError(f"{upload.name!r} cannot be kept: {reason}. Free some space, or rename the file.") from None
    return target


def discard(path: Path) -> None:
    """Delete a file that was kept, and its companion."""
    for file in (path, beside(path)):
        file.unlink(missing_ok=True)


def _plain(name: str) -> str:
    """A name without folders and unprintable signs, whatever system it comes from, and short enough for a file here."""
    plain = "".join(c if c.isprintable() else " " for c in Path(name.replace("\\", "/")).name)
    if not plain.strip(". "):
        return "upload"
    companion = plain[-len(SUFFIX) :] if plain.lower().endswith(SUFFIX) else ""
    data = plain.removesuffix(companion)
    return (data if len(data.encode()) <= _NAME_BYTES_MAX else _shorten(data)) + companion


def _shorten(name: str) -> str:
    """The beginning of a name and its endings (`.csv.gz`), with a few signs that tell it from others alike."""
    endings = "".join(ending for ending in Path(name).suffixes[-2:] if len(ending) <= _ENDING_MAX)
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{_cut(name.removesuffix(endings), _NAME_BYTES_MAX - 2 * _ENDING_MAX - 9)}-{digest}{endings}"


def _cut(text: str, bytes_max: int) -> str:
    return text.encode()[:bytes_max].decode(errors="ignore")
