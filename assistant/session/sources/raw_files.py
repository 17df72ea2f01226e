"""Unparsed files of a session's sources, for cells that must read them as text.

A file is given whole, so only where no column of it is masked or looks personal: nothing could be left out of it.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.errors import DataError
from assistant.query.masks import Masks, MasksNow, find_masks

if TYPE_CHECKING:
    from assistant.session.sources.personal_values import PersonalValues
    from assistant.session.sources.sources import SessionSources


class RawFiles:
    """Finds the files of a session's sources.

    Args:
        sources: The session's sources.
        personal: Knows which of their columns look personal.
        mask: Gives the setting `mask` as it is now.
    """

    def __init__(self, sources: SessionSources, *, personal: PersonalValues, mask: MasksNow) -> None:
        self._sources = sources
        self._personal = personal
        self._mask = mask

    async def find(self, name: str) -> Path:
        """The file of that name.

        Raises:
            DataError: There is none, or a column of its source is masked or looks personal. Or its path leads now to
                what is not its requester's to name.
        """
        addresses = await asyncio.to_thread(lambda: self._sources.addresses)
        matches = [(address, path) for address in addresses for path in address.files if path.name == name]
        if not matches:
            names = ", ".join(sorted(repr(path.name) for address in addresses for path in address.files)) or "none"
            raise DataError(f"No source of this session is a file named {name!r}. The files are: {names}.")
        address, path = matches[0]
        catalog = next(c for c in await self._sources.catalogs() if c.source == address.name)
        columns = _columns(find_masks(self._mask(), catalog)) + _columns(self._personal.columns(catalog))
        if columns:
            raise DataError(
                f"The file {name!r} is not handed out as it is: {', '.join(columns)} is masked or looks personal. "
                "Use query() for the columns that are needed."
            )
        await asyncio.to_thread(address.check)
        return path


def _columns(masks: Masks) -> list[str]:
    return [f"{table}.{column}" for table, columns in masks.items() for column in sorted(columns)]
