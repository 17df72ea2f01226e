"""Sources that a person combined: `together.json` in the home folder, with the names of the sources only.

Addresses and passwords stay where they were. A combination replaces its parts in the list of sources; if a part is no
longer connected, the others are listed as before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from assistant.core.data_errors import AddressError
from assistant.errors import DataError
from assistant.settings.json_files import read_model, write_model
from assistant.sources.addresses import TOGETHER, SourceAddress, addresses, is_key
from assistant.trust.requester import NotAllowed

if TYPE_CHECKING:
    from assistant.trust.rights import Rights

FILE = "together.json"


class Whole(BaseModel):
    """Sources that are asked as one, with the keys between them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    parts: tuple[str, ...]
    keys: tuple[str, ...] = ()


class _Kept(BaseModel):
    """What the file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    wholes: tuple[Whole, ...] = ()


class CombinedSourceStore:
    """What is put together in a home folder. Calls block; they may come from any thread.

    Args:
        home: The home folder.
        rights: What whoever connected the sources may name.
    """

    def __init__(self, home: Path, *, rights: Callable[[], Rights]) -> None:
        self._path = home / FILE
        self._rights = rights
        self._mutex = threading.Lock()

    @property
    def wholes(self) -> tuple[Whole, ...]:
        """What is put together.

        Raises:
            ConfigError: The file cannot be read or understood.
        """
        kept = read_model(self._path, _Kept)
        return kept.wholes if kept is not None else ()

    def arranged(self, given: Sequence[str]) -> tuple[str, ...]:
        """Sources as one would type them, each whole in the place of its parts. Passwords included: never log them."""
        wholes = self.wholes
        if not wholes:
            return tuple(given)
        rights = self._rights()
        named = _by_name(given, rights)
        whole = [one for one in wholes if all(part in named for part in one.parts)]
        gone = {named[part] for one in whole for part in one.parts}
        return (*(text for text in given if text not in gone), *(typed(one, given, rights) for one in whole))

    def keep(self, whole: Whole) -> None:
        """Put sources together from now on.

        Raises:
            AddressError: One of them is part of a whole already.
            ConfigError: The file cannot be written.
        """
        with self._mutex:
            known = self.wholes
            taken = {part for one in known for part in (one.name, *one.parts)}
            if twice := taken & {whole.name, *whole.parts}:
                raise AddressError(f"{min(twice)!r} is together with others already. Take that apart first.")
            write_model(self._path, _Kept(wholes=(*known, whole)))

    def remove(self, name: str) -> None:
        """Take a whole apart.

        Raises:
            AddressError: There is none of that name.
            ConfigError: The file cannot be written.
        """
        with self._mutex:
            known = self.wholes
            if name not in (one.name for one in known):
                raise AddressError(f"Nothing is put together as {name!r}. It may have been taken apart in another tab.")
            write_model(self._path, _Kept(wholes=tuple(one for one in known if one.name != name)))


def typed(whole: Whole, given: Sequence[str], rights: Rights) -> str:
    """A whole as one would type it. Pure but for looking where files are.

    Raises:
        AddressError: A part is not among the sources, or comes with others out of one folder. Or a key is none: it
            would be read as a part of the address.
    """
    named = _by_name(given, rights)
    if strange := next((key for key in whole.keys if not is_key(key)), None):
        raise AddressError(f"{strange!r} is no key. Write it as table.column = table.column.")
    if strange := next((part for part in whole.parts if part not in named), None):
        raise AddressError(
            f"{strange!r} cannot be put together with others: it is not connected by itself. Connect its file alone."
        )
    parts = TOGETHER.join(_as_part(part, named[part]) for part in whole.parts)
    on = f" on {', '.join(whole.keys)}" if whole.keys else ""
    return f"{whole.name}=({parts}{on})"


def _as_part(name: str, text: str) -> str:
    return text if text.lstrip().startswith(f"{name}=") else f"{name}={text}"


def _by_name(given: Sequence[str], rights: Rights) -> dict[str, str]:
    """Sources that are one each, by their names."""
    found: dict[str, str] = {}
    for text in given:
        match _addresses(text, rights):
            case (SourceAddress(kind="combined"),):
                continue
            case (one,):
                found[one.name] = text
            case _:
                continue
    return found


def _addresses(text: str, rights: Rights) -> tuple[SourceAddress, ...]:
    try:
        return addresses(text, rights)
    except (DataError, NotAllowed):
        return ()  # it is told where it is shown
