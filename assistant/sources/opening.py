"""From an address to an open source: which adapter serves which kind. The adapters are imported when one is needed.

File engines run in processes of their own (`engine`). Every address is judged again here, by its rights: links may have
been turned since it was named."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from assistant.core.data_errors import SourceError
from assistant.errors import DataError
from assistant.query.functions import NO_FUNCTIONS, AllowedFunctions

if TYPE_CHECKING:
    from assistant.query.masks import MasksNow
    from assistant.sources.addresses import SourceAddress
    from assistant.sources.catalog.catalogs import CatalogCache
    from assistant.sources.combined.source import CombinedSource
    from assistant.sources.sources import Source
    from assistant.trust.rights import Rights


_UNREACHABLE = (
    "The database could not be reached, or did not accept the login. Check host, port, database, user and password, or "
    "ask whoever runs this server."
)
"""All that a member learns of a server that is not theirs: nothing tells open ports from closed ones."""


async def open_source(
    address: SourceAddress,
    *,
    folder: Path,
    mask: Sequence[str] | MasksNow = (),
    functions: AllowedFunctions = NO_FUNCTIONS,
) -> Source:
    """Open what an address names.

    Args:
        address: From `assistant.sources.addresses`.
        folder: Where the database of a file source may be written; made if missing.
        mask: Columns whose values never leave the source, as `table.column` or `source.table.column`; or what gives
            them anew for each query.
        functions: Functions beside the engine's own that a person allowed to be called.

    Raises:
        SourceError: It cannot be opened or read, or `mask` names a column that it does not have; the message says
            what to do next. Or what it names is not its requester's to name any more.
    """
    if address.kind == "combined":
        return await _open_combined(address, folder, mask)
    source = await _open_engine(address, folder, functions)
    if not mask:
        return source
    from assistant.sources.masked_source import MaskedSource

    masked = MaskedSource(source, mask, functions=functions.tableless)
    try:
        await masked.check()
    except BaseException:
        await source.close()
        raise
    return masked


@asynccontextmanager
async def open_single_source(
    text: str, rights: Rights, *, mask: Sequence[str] | MasksNow = ()
) -> AsyncGenerator[tuple[SourceAddress, Source]]:
    """The one source that a person typed, open while it is needed; what is made to read it goes with it.

    Raises:
        DataError: `text` is no address, holds several sources, or its source cannot be opened.
    """
    from assistant.sources.addresses import parse_addresses

    matches = await asyncio.to_thread(parse_addresses, text, rights)
    if len(matches) != 1:
        names = ", ".join(address.name for address in matches)
        raise DataError(f"{text!r} holds several sources ({names}). Give one of them.")
    folder = await asyncio.to_thread(tempfile.mkdtemp, prefix="tandem-")
    try:
        source = await open_source(matches[0], folder=Path(folder), mask=mask)
        try:
            yield matches[0], source
        finally:
            await source.close()
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def open_together(address: SourceAddress, *, folder: Path, mask: Sequence[str] | MasksNow = ()) -> CombinedSource:
    """Open several sources as one, each with its own masks, to look for keys between them.

    Args:
        address: Of kind "combined".
        folder: As for `open_source`.
        mask: As for `open_source`.

    Raises:
        SourceError: As `open_source`.
    """
    from assistant.sources.combined.source import CombinedSource

    opened: list[Source] = []
    try:
        for part in address.parts:
            opened.append(await open_source(part, folder=folder, mask=mask))
        source = CombinedSource(address, opened, mask=mask if callable(mask) else lambda: mask)
        await source.catalog()
    except BaseException:
        for source_part in opened:
            await source_part.close()
        raise
    return source


async def _open_combined(address: SourceAddress, folder: Path, mask: Sequence[str] | MasksNow) -> Source:
    """Several sources as one: the masks of each hold once more over the whole."""
    from assistant.sources.masked_source import MaskedSource

    source = await open_together(address, folder=folder, mask=mask)
    return MaskedSource(source, source.masked) if mask else source


async def _open_engine(address: SourceAddress, folder: Path, functions: AllowedFunctions) -> Source:
    files = await asyncio.to_thread(address.check)
    match address.kind:
        case "sqlite" | "duckdb":
            from assistant.sources.workers.client import EngineSource

            return await EngineSource(
                address,
                engine=address.kind,
                database=files[0],
                cache=_kept(address, folder),
                functions=functions.names,
            ).start()
        case "files":
            from assistant.sources.reading.shared_loads import load_shared
            from assistant.sources.web_files import download
            from assistant.sources.workers.client import EngineSource

            if address.url and address.rights is not None:
                await asyncio.to_thread(download, address.url, files[0], address.rights)
            database = await load_shared(address, folder)
            return await EngineSource(
                address,
                engine="duckdb",
                database=database.path,
                notes=database.notes,
                doubts=database.doubts,
                cache=_kept(address, folder),
                in_place=database.in_place,
            ).start()
        case "server":
            from assistant.sources.engines.server import ServerSource

            try:
                return await ServerSource.open(address, functions=functions.names)
            except SourceError:
                if address.rights is None or address.rights.can_name_places:
                    raise
                raise SourceError(_UNREACHABLE) from None
        case "combined":
            raise AssertionError("its parts are opened each by itself")
        case _:
            assert_never(address.kind)


def _kept(address: SourceAddress, folder: Path) -> CatalogCache:
    from assistant.sources.catalog.catalogs import CatalogCache
    from assistant.sources.reading.sidecar import beside

    return CatalogCache(folder, name=address.name, files=(*address.files, *map(beside, address.files)))
