"""The sources of one session as a file of its folder, `sources.json`: addresses, and never a password.

A database's URL is kept in `assistant.settings.credentials`; the file names it by an id. An older file that holds URLs
itself is rewritten when it is first read. Calls block.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, TypeAdapter

from assistant.sources.addresses import Kind, SourceAddress

if TYPE_CHECKING:
    from assistant.settings.credentials import Credentials
    from assistant.trust.rights import Rights

FILE = "sources.json"


class AddressEntry(BaseModel):
    """An address as the file holds it. `secret` is a URL with its password, in files of earlier versions alone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    kind: Kind
    display: str
    files: tuple[str, ...]
    credential: str = ""
    secret: str = ""
    parts: tuple[AddressEntry, ...] = ()
    keys: tuple[str, ...] = ()

    @property
    def has_secret(self) -> bool:
        """Whether it holds a URL itself."""
        return bool(self.secret) or any(part.has_secret for part in self.parts)

    def without_secret(self, keep: Callable[[str], str]) -> AddressEntry:
        """The same with the ids of credentials in place of URLs."""
        parts = tuple(part.without_secret(keep) for part in self.parts)
        credential = keep(self.secret) if self.secret else self.credential
        return self.model_copy(update={"credential": credential, "secret": "", "parts": parts})

    def address(self, load_secret: Callable[[str], str], rights: Rights) -> SourceAddress:
        """The address it stands for."""
        return SourceAddress(
            name=self.name,
            kind=self.kind,
            display=self.display,
            rights=rights,
            files=tuple(map(Path, self.files)),
            secret=load_secret(self.credential) if self.credential else "",
            parts=tuple(part.address(load_secret, rights) for part in self.parts),
            keys=self.keys,
        )


_ENTRIES = TypeAdapter(tuple[AddressEntry, ...])


class AddressFile:
    """The file of one session.

    Args:
        folder: The session's folder.
        credentials: Where passwords are kept.
    """

    def __init__(self, folder: Path, credentials: Credentials) -> None:
        self.path = folder / FILE
        self._credentials = credentials

    def entries(self) -> tuple[AddressEntry, ...]:
        """What it holds, passwords moved out of it.

        Raises:
            OSError, ValueError: It cannot be read or understood, or not be rewritten.
            ConfigError: A password cannot be kept.
        """
        try:
            entries = _ENTRIES.validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return ()
        if any(entry.has_secret for entry in entries):
            entries = self.write(entries)
        return entries

    def addresses(self, rights: Rights) -> tuple[SourceAddress, ...]:
        """The addresses, with their passwords: never log them.

        Args:
            rights: By which they are judged when they are opened.

        Raises:
            OSError, ValueError, ConfigError: As `entries`; or a password is not kept any more.
        """
        return tuple(entry.address(self._credentials.read, rights) for entry in self.entries())

    def write(self, entries: Iterable[AddressEntry]) -> tuple[AddressEntry, ...]:
        """Write the file whole, or leave it as it was. Gives what it holds.

        Raises:
            OSError: It cannot be written.
            ConfigError: A password cannot be kept.
        """
        new_entries = tuple(entries)
        if not any(entry.has_secret for entry in new_entries):
            self._write(new_entries)
            return new_entries
        with self._credentials.adding() as keep:
            safe_entries = tuple(entry.without_secret(keep) for entry in new_entries)
            self._write(safe_entries)  # before others may remove what no list names
        return safe_entries

    def _write(self, entries: tuple[AddressEntry, ...]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(".new")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(_ENTRIES.dump_json(entries, indent=1, exclude_defaults=True))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path)


def entry_of(address: SourceAddress) -> AddressEntry:
    """An address, to be written by `AddressFile.write`, which takes its password out."""
    return AddressEntry(
        name=address.name,
        kind=address.kind,
        display=address.display,
        files=tuple(map(str, address.files)),
        secret=address.secret,
        parts=tuple(map(entry_of, address.parts)),
        keys=address.keys,
    )


def used_credentials(sessions: Path, credentials: Collection[str]) -> Sequence[str]:
    """Those of these ids that a session below `sessions` names.

    A file that cannot be read may name any of them.
    """
    texts: list[str] = []
    for path in sessions.glob(f"*/{FILE}"):
        try:
            texts.append(path.read_text(encoding="utf-8", errors="replace"))
        except FileNotFoundError:
            continue  # its session was deleted meanwhile
        except OSError:
            return tuple(credentials)
    return tuple(name for name in credentials if any(f'"{name}"' in text for text in texts))


def copy_addresses(source: Path, target: Path, credentials: Credentials) -> None:
    """Write the list of a copied session: the same sources, those in its folder at their new place.

    Raises:
        OSError, ValueError, ConfigError: As `AddressFile.entries`.
    """
    copies = [_moved(entry, source, target) for entry in AddressFile(source, credentials).entries()]
    AddressFile(target, credentials).write(copies)


def _moved(entry: AddressEntry, source: Path, target: Path) -> AddressEntry:
    """An address with files of the session's own at their new place."""
    files = (
        str(target / Path(file).relative_to(source)) if Path(file).is_relative_to(source) else file
        for file in entry.files
    )
    parts = tuple(_moved(part, source, target) for part in entry.parts)
    return entry.model_copy(update={"files": tuple(files), "parts": parts})
