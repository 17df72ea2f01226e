"""Combined sources: `together.json` in the home folder, with the names of the sources only.

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
from assistant.sources.addresses import TOGETHER, SourceAddress, is_key, parse_addresses
from assistant.trust.requester import NotAllowed

if TYPE_CHECKING:
    from assistant.trust.rights import Rights

FILE = "together.json"


class Combination(BaseModel):
    """Sources that are asked as one, with the keys between them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    parts: tuple[str, ...]
    keys: tuple[str, ...] = ()


class _Kept(BaseModel):
    """What the file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    wholes: tuple[Combination, ...] = ()


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
    def wholes(self) -> tuple[Combination, ...]:
        """What is put together.

        Raises:
            ConfigError: The file cannot be read or understood.
        """
        stored = read_model(self._path, _Kept)
        return stored.wholes if stored is not None else ()

    def arrange(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Sources as one would type them, each whole in the place of its parts. Passwords included: never log them."""
        wholes = self.wholes
        if not wholes:
            return tuple(texts)
        rights = self._rights()
        texts_by_name = _index_by_name(texts, rights)
        complete = [combination for combination in wholes if all(part in texts_by_name for part in combination.parts)]
        replaced = {texts_by_name[part] for combination in complete for part in combination.parts}
        return (
            *(text for text in texts if text not in replaced),
            *(format_combination(combination, texts, rights) for combination in complete),
        )

    def keep(self, combination: Combination) -> None:
        """Put sources together from now on.

        Raises:
            AddressError: One of them is part of a whole already.
            ConfigError: The file cannot be written.
        """
        with self._mutex:
            existing = self.wholes
            names = {part for combined in existing for part in (combined.name, *combined.parts)}
            if twice := names & {combination.name, *combination.parts}:
                raise AddressError(f"{min(twice)!r} is together with others already. Take that apart first.")
            write_model(self._path, _Kept(wholes=(*existing, combination)))

    def remove(self, name: str) -> None:
        """Take a whole apart.

        Raises:
            AddressError: There is none of that name.
            ConfigError: The file cannot be written.
        """
        with self._mutex:
            existing = self.wholes
            if name not in (combination.name for combination in existing):
                raise AddressError(f"Nothing is put together as {name!r}. It may have been taken apart in another tab.")
            write_model(
                self._path, _Kept(wholes=tuple(combination for combination in existing if combination.name != name))
            )


def format_combination(combination: Combination, texts: Sequence[str], rights: Rights) -> str:
    """A whole as one would type it. Pure but for looking where files are.

    Raises:
        AddressError: A part is not among the sources, or comes with others out of one folder. Or a key is none: it
            would be read as a part of the address.
    """
    texts_by_name = _index_by_name(texts, rights)
    if strange := next((key for key in combination.keys if not is_key(key)), None):
        raise AddressError(f"{strange!r} is no key. Write it as table.column = table.column.")
    if strange := next((part for part in combination.parts if part not in texts_by_name), None):
        raise AddressError(
            f"{strange!r} cannot be combined with others: it is not connected by itself. Connect its file alone."
        )
    parts = TOGETHER.join(_as_part(part, texts_by_name[part]) for part in combination.parts)
    on = f" on {', '.join(combination.keys)}" if combination.keys else ""
    return f"{combination.name}=({parts}{on})"


def _as_part(name: str, text: str) -> str:
    return text if text.lstrip().startswith(f"{name}=") else f"{name}={text}"


def _index_by_name(texts: Sequence[str], rights: Rights) -> dict[str, str]:
    """Sources that are one each, by their names."""
    by_name: dict[str, str] = {}
    for text in texts:
        match _addresses(text, rights):
            case (SourceAddress(kind="combined"),):
                continue
            case (address,):
                by_name[address.name] = text
            case _:
                continue
    return by_name


def _addresses(text: str, rights: Rights) -> tuple[SourceAddress, ...]:
    try:
        return parse_addresses(text, rights)
    except (DataError, NotAllowed):
        return ()  # it is told where it is shown
