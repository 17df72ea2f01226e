"""Wheels as files: what is in one, what makes it unfit, and how it is unpacked. Nothing of a wheel is ever run here.

Source: the binary distribution format, https://packaging.python.org/specifications/binary-distribution-format/.
"""

from __future__ import annotations

import hashlib
import shutil
import stat
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath

from assistant.errors import AssistantError
from assistant.packages.names import is_here, is_ours

FILES_MAX = 50_000
UNPACKED_BYTES_MAX = 2 << 30
_LIBRARIES = ("purelib", "platlib")
_AT_START = frozenset({"sitecustomize", "usercustomize"})
"""Modules that Python imports by itself when it starts."""


def sha256_of(path: Path) -> str:
    """The hash of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def modules_in(wheel: Path, *, taken: Collection[str] = ()) -> tuple[str, ...]:
    """The top-level modules of a wheel. Blocks.

    Args:
        wheel: the file.
        taken: modules of packages that were added before.

    Raises:
        AssistantError: it is no wheel, or holds what is refused; the text says what.
    """
    with _opened(wheel) as archive:
        places = _places(wheel.name, archive)
    found = sorted({_module(place) for place in places.values() if ".dist-info" not in place.parts[0]})
    clashes = [name for name in found if name in taken or is_here(name) or is_ours(name)]
    if clashes:
        raise AssistantError(
            f"{wheel.name} brings {', '.join(clashes)}, which the session has already. It was not added: a package may "
            "not take the place of another, nor bring another version of it."
        )
    return tuple(found)


def unpack(wheel: Path, folder: Path) -> None:
    """Unpack a wheel's modules into `folder`, readable by all who can reach it. Blocks.

    Raises:
        AssistantError: it holds what is refused, or a file that is there already.
    """
    with _opened(wheel) as archive:
        for member, place in _places(wheel.name, archive).items():
            target = folder / place
            _make(target.parent, folder)
            try:
                with archive.open(member) as source, target.open("xb") as file:
                    shutil.copyfileobj(source, file)
            except FileExistsError as error:
                raise AssistantError(f"{wheel.name} brings {place}, which another package brings as well.") from error
            target.chmod(0o644)


def _make(parent: Path, folder: Path) -> None:
    parent.mkdir(parents=True, exist_ok=True)
    for made in (parent, *parent.parents):
        if made == folder:
            break
        made.chmod(0o755)


def _opened(wheel: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(wheel)
    except (OSError, zipfile.BadZipFile) as error:
        raise AssistantError(f"{wheel.name} cannot be read as a wheel ({error}).") from error


def _places(name: str, archive: zipfile.ZipFile) -> Mapping[zipfile.ZipInfo, PurePosixPath]:
    """Where each file of a wheel goes. Its scripts and headers stay packed."""
    members = archive.infolist()
    if len(members) > FILES_MAX or sum(member.file_size for member in members) > UNPACKED_BYTES_MAX:
        raise AssistantError(f"{name} is too large unpacked. It was not added.")
    places: dict[zipfile.ZipInfo, PurePosixPath] = {}
    for member in members:
        if reason := _fault(member):
            raise AssistantError(f"{name} {reason} ({member.filename!r}). It was not added.")
        place = _place(PurePosixPath(member.filename))
        if place is not None and not member.is_dir():
            places[member] = place
    return places


def _fault(member: zipfile.ZipInfo) -> str:
    path = PurePosixPath(member.filename)
    if path.is_absolute() or ".." in path.parts or "\\" in member.filename or not path.parts:
        return "holds a file that would lie outside its folder"
    if member.external_attr and stat.S_ISLNK(member.external_attr >> 16):
        return "holds a symbolic link"
    if path.suffix.lower() == ".pth":
        return "holds a file of paths, which Python runs when it starts"
    if any(part.partition(".")[0] in _AT_START for part in path.parts):
        return "holds a module that Python runs when it starts"
    return ""


def _place(path: PurePosixPath) -> PurePosixPath | None:
    if path.parts[0].endswith(".data"):
        return PurePosixPath(*path.parts[2:]) if len(path.parts) > 2 and path.parts[1] in _LIBRARIES else None
    return None if "__pycache__" in path.parts else path


def _module(place: PurePosixPath) -> str:
    return place.parts[0].partition(".")[0]
