"""Zip and tar archives: the files in them that can be tables, unpacked one at a time.

Only regular files are unpacked, under their own name in an empty folder: no path, link or device of an archive is
followed. Archives in archives are not opened. How much one file unpacks to is limited as it is written.
"""

from __future__ import annotations

import lzma
import shutil
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import IO
from uuid import uuid4

from assistant.sources.file_names import file_format, stem
from assistant.sources.reading.file_limits import unpack

MEMBERS_MAX = 1_000
_ENTRIES_MAX = 100_000
_NAME_BYTES_MAX = 200
_ENCRYPTED = 0x1
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, NotImplementedError)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveMember:
    """A file in an archive that can be tables.

    Attributes:
        path: Its path there.
        name: The name that it is unpacked under; it has the folder in it where two files have one name.
        entry: What opens it.
    """

    path: str
    name: str
    entry: zipfile.ZipInfo | tarfile.TarInfo


class Archive:
    """An archive that is read. Use it as `with`.

    Attributes:
        members: The files that can be tables.
        unread: The other files, each with the reason.

    Raises:
        ValueError: It is damaged, locked or holds too many files; the message completes "'FILE' ...".
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._stack = ExitStack()
        self.unread: list[tuple[str, str]] = []
        try:
            if zipfile.is_zipfile(file):
                self._archive = self._stack.enter_context(zipfile.ZipFile(file))
                self.members = self._named(self._zip_entries(self._archive))
            else:
                self._archive = self._stack.enter_context(tarfile.open(file))  # noqa: SIM115  # the stack closes it
                self.members = self._named(self._tar_entries(self._archive))
        except _BROKEN as problem:
            self._stack.close()
            raise _damaged(problem) from None
        except ValueError:
            self._stack.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._stack.close()

    @contextmanager
    def unpacked(self, member: ArchiveMember, folder: Path) -> Generator[Path]:
        """A file of the archive in a folder of its own, which goes again.

        Raises:
            ValueError: It is damaged.
            SourceError: It unpacks to too much.
        """
        own = folder / f".{uuid4().hex}"
        own.mkdir()
        try:
            plain = own / member.name
            try:
                with self._open(member) as source:
                    unpack(source, plain, self._file)
            except _BROKEN as problem:
                raise _damaged(problem) from None
            yield plain
        finally:
            shutil.rmtree(own, ignore_errors=True)

    def _open(self, member: ArchiveMember) -> IO[bytes]:
        if isinstance(self._archive, zipfile.ZipFile):
            assert isinstance(member.entry, zipfile.ZipInfo)
            return self._archive.open(member.entry)
        assert isinstance(member.entry, tarfile.TarInfo)
        source = self._archive.extractfile(member.entry)
        if source is None:
            raise tarfile.ReadError(f"{member.path!r} is no file")
        return source

    def _zip_entries(self, archive: zipfile.ZipFile) -> Generator[tuple[str, zipfile.ZipInfo]]:
        for entry in archive.infolist():
            # The upper half holds the mode of a Unix file; a link is none that is read.
            is_link = (entry.external_attr >> 16) & 0o170000 == 0o120000
            if entry.is_dir() or not self._is_table(entry.filename, is_file=not is_link):
                continue
            if entry.flag_bits & _ENCRYPTED:
                raise ValueError("is locked with a password. Unpack it, and give the files")
            yield entry.filename, entry

    def _tar_entries(self, archive: tarfile.TarFile) -> Generator[tuple[str, tarfile.TarInfo]]:
        for number, entry in enumerate(archive):
            if number > _ENTRIES_MAX:
                raise ValueError(f"holds more than {_ENTRIES_MAX:,} entries. Unpack it, and give the files")
            if not entry.isdir() and self._is_table(entry.name, is_file=entry.isreg() and not entry.issparse()):
                yield entry.name, entry

    def _is_table(self, path: str, *, is_file: bool) -> bool:
        """Whether an entry is a file of a format that is read; of any other it is kept why not."""
        parts = PurePosixPath(path.replace("\\", "/")).parts
        if any(part.startswith((".", "~$", "__MACOSX")) and part not in (".", "..") for part in parts):
            return False
        kind = file_format(Path(path))
        if kind is not None and kind != "archive" and is_file:
            return True
        reason = "is a link, which is not followed" if not is_file else "is an archive itself; unpack it, and give that"
        self.unread.append((path, "is of no kind that can be read" if is_file and kind is None else reason))
        return False

    def _named(self, entries: Generator[tuple[str, zipfile.ZipInfo | tarfile.TarInfo]]) -> tuple[ArchiveMember, ...]:
        listed: list[tuple[str, zipfile.ZipInfo | tarfile.TarInfo]] = []
        for path, entry in entries:
            listed.append((path, entry))
            if len(listed) > MEMBERS_MAX:
                raise ValueError(f"holds more than {MEMBERS_MAX:,} files of data. Unpack it, and give its folder")
        stem_counts = Counter(stem(Path(path)).casefold() for path, _ in listed)
        return tuple(
            ArchiveMember(
                path=path, name=_name(path, with_folder=stem_counts[stem(Path(path)).casefold()] > 1), entry=entry
            )
            for path, entry in listed
        )


def _name(path: str, *, with_folder: bool) -> str:
    parts = [part for part in PurePosixPath(path.replace("\\", "/")).parts if part not in ("/", "..")]
    name = "_".join(parts[-2:] if with_folder else parts[-1:])
    return name.encode(errors="replace")[-_NAME_BYTES_MAX:].decode(errors="ignore")


def _damaged(problem: BaseException) -> ValueError:
    own_words = problem.strerror if isinstance(problem, OSError) else None  # the rest names folders of ours
    reason = next(iter((own_words or str(problem)).splitlines()), "").rstrip(". ") or "it ends too early"
    return ValueError(f"cannot be unpacked: {reason}. Check that the file is whole")
