"""Wheel files: metadata, validation and unpacking. No code of a wheel is ever run here.

Source: the binary distribution format, https://packaging.python.org/specifications/binary-distribution-format/.
"""

from __future__ import annotations

import hashlib
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath

from assistant.errors import AssistantError
from assistant.packages.names import is_here, is_ours

FILES_MAX = 50_000
UNPACKED_BYTES_MAX = 2 << 30
NAME_BYTES_MAX, PATH_BYTES_MAX = 200, 1_000
"""Of a file's name and of its path in a wheel: what a file system takes (255), with room for the names of drafts."""
_DIRECTORY_BYTES_MAX = 16 << 20
_SHOWN_MAX = 100
_END = struct.Struct("<4s4H2LH")  # the end of a zip's central directory, without its comment
_UNREADABLE = (
    *(OSError, zipfile.BadZipFile, zlib.error, EOFError, struct.error),
    *(ValueError, NotImplementedError, RuntimeError, OverflowError),
)
"""What `zipfile` raises about a file that is damaged, encrypted, or packed in a way that it does not know."""
_LIBRARIES = ("purelib", "platlib")
_AT_START = frozenset({"sitecustomize", "usercustomize"})
"""Modules that Python imports by itself when it starts."""


def sha256_of(path: Path) -> str:
    """The hash of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def modules_in(wheel: Path, *, used_modules: Collection[str] = ()) -> tuple[str, ...]:
    """The top-level modules of a wheel. Blocks.

    Args:
        wheel: the file.
        used_modules: modules of packages that were added before.

    Raises:
        AssistantError: it is no wheel, or holds what is refused; the text says what.
    """
    with _opened(wheel) as archive:
        places = _places(wheel.name, archive)
    modules = sorted({_module(place) for place in places.values() if ".dist-info" not in place.parts[0]})
    clashes = [name for name in modules if name in used_modules or is_here(name) or is_ours(name)]
    if clashes:
        raise AssistantError(
            f"{shorten(wheel.name)} brings {', '.join(map(shorten, clashes))}, which the session has already. It was "
            "not added: a package may not take the place of another, nor bring another version of it."
        )
    return tuple(modules)


def unpack(wheel: Path, folder: Path) -> None:
    """Unpack a wheel's modules into `folder`, readable by all who can reach it. Blocks.

    Raises:
        AssistantError: it holds what is refused, or a file that is there already.
    """
    with _opened(wheel) as archive:
        for member, place in _places(wheel.name, archive).items():
            target = folder / place
            try:
                _make(target.parent, folder)
                with archive.open(member) as source, target.open("xb") as file:
                    shutil.copyfileobj(source, file)
            except FileExistsError as error:
                text = f"{shorten(wheel.name)} brings {shorten(str(place))}, which another package brings as well."
                raise AssistantError(text) from error
            except _UNREADABLE as error:
                raise AssistantError(
                    f"{shorten(wheel.name)} cannot be unpacked: {shorten(str(place))} ({_reason(error)}). "
                    "It was not added."
                ) from error
            target.chmod(0o644)


def _make(parent: Path, folder: Path) -> None:
    parent.mkdir(parents=True, exist_ok=True)
    for directory in (parent, *parent.parents):
        if directory == folder:
            break
        directory.chmod(0o755)


def _opened(wheel: Path) -> zipfile.ZipFile:
    try:
        if _directory_bytes(wheel) > _DIRECTORY_BYTES_MAX:
            raise AssistantError(f"{shorten(wheel.name)} has a list of files that is too large. It was not added.")
        return zipfile.ZipFile(wheel)
    except _UNREADABLE as error:
        raise AssistantError(f"{shorten(wheel.name)} cannot be read as a wheel ({_reason(error)}).") from error


def _directory_bytes(wheel: Path) -> int:
    """How large a zip says its list of files is; `zipfile` would take all of it into memory. 0 where it has none."""
    with wheel.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _END.size - 0xFFFF))
        tail = file.read()
    at = tail.rfind(b"PK\5\6")
    return _END.unpack_from(tail, at)[5] if 0 <= at <= len(tail) - _END.size else 0


def shorten(name: str) -> str:
    """A name of others, short and printable, for a sentence."""
    printable = "".join(c if c.isprintable() else "?" for c in name)
    return printable if len(printable) <= _SHOWN_MAX else f"{printable[:_SHOWN_MAX]}..."


def _reason(error: Exception) -> str:
    return shorten((error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__)


def _places(name: str, archive: zipfile.ZipFile) -> Mapping[zipfile.ZipInfo, PurePosixPath]:
    """Where each file of a wheel goes. Its scripts and headers stay packed."""
    members = archive.infolist()
    if len(members) > FILES_MAX or sum(member.file_size for member in members) > UNPACKED_BYTES_MAX:
        raise AssistantError(f"{shorten(name)} is too large unpacked. It was not added.")
    places: dict[zipfile.ZipInfo, PurePosixPath] = {}
    files: set[PurePosixPath] = set()
    for member in members:
        if reason := _fault(member):
            raise AssistantError(f"{shorten(name)} {reason} ({shorten(member.filename)}). It was not added.")
        place = _place(PurePosixPath(member.filename))
        if place is not None and not member.is_dir():
            if place in files:
                raise AssistantError(f"{shorten(name)} holds a file twice ({shorten(str(place))}). It was not added.")
            files.add(place)
            places[member] = place
    for place in files:
        if not files.isdisjoint(place.parents):
            above = shorten(str(place))
            raise AssistantError(
                f"{shorten(name)} holds a file and a folder of one name (above {above}). It was not added."
            )
    return places


def _fault(member: zipfile.ZipInfo) -> str:
    path = PurePosixPath(member.filename)
    if path.is_absolute() or ".." in path.parts or "\\" in member.filename or not path.parts:
        return "holds a file that would lie outside its folder"
    sizes = [len(part.encode("utf-8", "surrogatepass")) for part in path.parts]
    if max(sizes) > NAME_BYTES_MAX or sum(sizes) + len(sizes) > PATH_BYTES_MAX:
        return "holds a file whose name is too long"
    if member.flag_bits & 0x1:
        return "holds an encrypted file"
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "holds a file that is packed in a way wheels are not"
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
