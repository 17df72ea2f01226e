"""Knowledge folders of data that has none: uploads, and sources that are not files.

A verified query on an upload belongs to the data, not to the session: the same file in another session has the same
folder. So has a database behind a URL, whatever its password.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.session.knowledge.knowledge_bases import knowledge_beside
from knowledge.documents import slug

if TYPE_CHECKING:
    from assistant.sources.addresses import SourceAddress

FOLDER = "data_knowledge"
"""Below the home folder."""


def list_knowledge_files(addresses: Iterable[SourceAddress], *, home: Path, owner: str = "") -> tuple[Path, ...]:
    """The files beside which the knowledge of some sources lies; a file need not be there.

    Args:
        addresses: The sources.
        home: Tandem's home folder.
        owner: Who signed in and added the uploads: those of another person are not looked at.
    """
    return tuple(dict.fromkeys(file for address in addresses for file in _list_files(address, home, owner)))


def find_personal_folder(home: Path, *, owner: str) -> Path:
    """The knowledge folder of what holds for everything that a person asks, whatever the data."""
    return home / FOLDER / _name(owner or "person", "always") / "knowledge"


def list_statement_folders(addresses: Iterable[SourceAddress], *, home: Path, owner: str = "") -> tuple[Path, ...]:
    """The folders below the home folder for what a person said of some sources, one for each.

    Nothing that came with the data is read as the person's words, so these do not lie beside it.

    Args:
        addresses: The sources.
        home: Tandem's home folder.
        owner: Who signed in.
    """
    of_person = home / FOLDER / (_name(owner) if owner else "shared")
    identities = (sorted(_identify(address, home)) for address in addresses)
    return tuple(dict.fromkeys(of_person / _name(*names) for names in identities))


def _identify(address: SourceAddress, home: Path) -> Iterator[str]:
    """What a source is in every session: the names of uploads, the places of other files, the address of a server."""
    for part in address.parts:
        yield from _identify(part, home)
    for file in address.files:
        yield file.name if _is_upload(file, home) else str(file)
    if not address.parts and not address.files:
        yield address.display


def is_data_file(file: Path, *, home: Path) -> bool:
    """Whether a file stands for data without a folder of its own."""
    return file.is_relative_to(home / FOLDER)


def _list_files(address: SourceAddress, home: Path, owner: str) -> Iterator[Path]:
    if address.parts:
        for part in address.parts:
            yield from _list_files(part, home, owner)
        return
    uploads = [file for file in address.files if _is_upload(file, home)]
    for file in address.files:
        if file not in uploads or knowledge_beside([file]) is not None:  # an earlier version wrote beside uploads
            yield file
    if uploads or not address.files:
        of_person = home / FOLDER / (_name(owner) if owner and uploads else "shared")
        names = sorted(file.name for file in uploads) or [address.display]
        yield of_person / _name(*names) / "data"


def _is_upload(file: Path, home: Path) -> bool:
    return file.is_relative_to(home / "sessions")


def _name(*texts: str) -> str:
    """A folder's name for texts: readable, and another for others."""
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]
    return f"{slug(texts[0])[:40]}-{digest}"
