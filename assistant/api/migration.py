"""Old queries, workbooks and scripts taken over with a proof."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.bootstrap import rights_of
from assistant.migration.comparing import CellDifference as CellDifference
from assistant.migration.proving import Migration as Migration, make_dbt_model as make_dbt_model, prove_statement
from assistant.migration.statements import MigrationError as MigrationError
from assistant.settings.config import load
from assistant.settings.masks import MaskStore
from assistant.settings.settings import Settings
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_single_source

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from assistant.sources.addresses import SourceAddress
    from assistant.sources.sources import Source


async def migrate_statement(
    file: Path,
    *,
    source: str,
    dialect: str,
    settings: Settings,
    original: str | None = None,
    recorded: Path | None = None,
) -> Migration:
    """Translate the statement of a file into the dialect of a source, run both and compare.

    Args:
        file: with one SELECT.
        source: a file, a folder or a database URL, as on the command line.
        dialect: of the statement: "tsql", "oracle", "snowflake", "mysql", ...
        settings: say what is masked.
        original: likewise, where the statement itself runs on the same data.
        recorded: a CSV file with its output.

    Callers: The person alone: it opens what the addresses name.

    Raises:
        MigrationError: it cannot be taken over; the message names the line.
        DataError: a source cannot be opened or cannot run it.
    """
    text = await asyncio.to_thread(_read_text, file)
    async with _open(source, settings) as (_, new):
        prove = partial(prove_statement, text, dialect=dialect, source=new, recorded=recorded)
        if original is None:
            return await prove(original=None)
        async with _open(original, settings) as (_, old):
            return await prove(original=old)


async def migrate_script(file: Path, *, source: str, settings: Settings, recorded: Path | None = None) -> Migration:
    """Run a script of pandas in the cage over the tables that it names, and compare its result.

    Callers: The person alone: it opens what the address names.

    Raises:
        MigrationError: it needs a file or the network, or fails; the message names the line.
        DataError: the source cannot be opened or read.
    """
    from assistant.migration.scripts import prove_script
    from assistant.runtime.cages import MachineCages
    from assistant.runtime.spare_kernels import open_spare_kernel
    from sandbox.limits import Limits

    text = await asyncio.to_thread(_read_text, file)
    async with (
        _open(source, settings) as (_, opened),
        MachineCages(limits=Limits(), level=None, uncaged=False, ready=0) as cages,
    ):
        return await prove_script(text, source=opened, recorded=recorded, kernel=partial(open_spare_kernel, cages))


async def migrate_workbook(file: Path, *, name: str) -> tuple[Migration, str]:
    """Turn the formulas of a workbook into a function, run it in the cage, and compare it with the stored values.

    Returns:
        What became of it, and the tests with which the function can be kept.

    Callers: Anyone.

    Raises:
        MigrationError: a formula cannot be turned over; the message names the cell.
    """
    from assistant.migration.workbook import prove_workbook
    from assistant.runtime.cages import MachineCages
    from assistant.runtime.spare_kernels import open_spare_kernel
    from sandbox.limits import Limits

    async with MachineCages(limits=Limits(), level=None, uncaged=False, ready=0) as cages:
        migration, function = await prove_workbook(file, name=name, kernel=partial(open_spare_kernel, cages))
    return migration, function.write_tests(name)


async def keep_statement(migration: Migration, question: str, *, source: str, settings: Settings) -> Path:
    """Keep a proved statement as a verified query in the knowledge folder beside the data.

    Callers: The person alone.

    Raises:
        MigrationError: it is not proved.
        KnowledgeError: the folder cannot be written.
    """
    from knowledge.documents import VerifiedQuery
    from knowledge.sources.queries import keep_query

    if not migration.is_proved:
        raise MigrationError("It is not proved that this gives the same as the original, so it is not kept.")
    address = (await asyncio.to_thread(parse_addresses, source, rights_of(load(), "person")))[0]
    folder = (address.files[0].parent if address.files else Path()) / "knowledge"
    query = VerifiedQuery(
        question=question,
        sql=migration.code,
        source=address.name,
        tables=migration.tables,
        verifier=settings.person(),
        verified_on=settings.today,
    )
    return await asyncio.to_thread(keep_query, folder, query)


def _read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise MigrationError(f"{str(file)!r} cannot be read as text: {error}") from error


def _open(text: str, settings: Settings) -> AbstractAsyncContextManager[tuple[SourceAddress, Source]]:
    """The one source of an address behind the masks."""
    mask = MaskStore(settings.home, settings.mask).entries
    return open_single_source(text, rights_of(load(), "person"), mask=mask)
