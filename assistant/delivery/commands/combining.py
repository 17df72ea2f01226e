"""`tandem combine`: combines sources by join keys, which are proposed from values and confirmed here."""

from __future__ import annotations

import asyncio
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.errors import DataError

if TYPE_CHECKING:
    from assistant.api.combining import Catalog

SourceArguments = Annotated[
    list[str],
    typer.Argument(metavar="SOURCE SOURCE...", help="Files, folders or database URLs, each maybe NAME=SOURCE."),
]


def combine(sources: SourceArguments) -> int:
    """Confirm the keys between two or more sources, and print the combined source."""
    return asyncio.run(_combine(sources))


async def _combine(sources: list[str]) -> int:
    from assistant.api.combining import TOGETHER, open_together, parse_addresses, rights_of
    from assistant.api.configuration import load

    if len(sources) < 2:
        raise DataError("One source needs no combining. Give two or more: tandem combine SOURCE SOURCE")
    typed = TOGETHER.join(sources)
    (address,) = await asyncio.to_thread(parse_addresses, typed, rights_of(load(), "person"))
    folder = await asyncio.to_thread(tempfile.mkdtemp, prefix="tandem-")
    try:
        source = await open_together(address, folder=Path(folder))
        try:
            catalog = await source.catalog()
            proposed = source.proposed
        finally:
            await source.close()
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    _list(catalog)
    keys = await asyncio.to_thread(_confirm_keys, proposed)
    if keys:
        typed = f"{typed} on {', '.join(keys)}"
    print(f"\nAsk them together:\n\n  tandem ask --source {shlex.quote(typed)}")
    return 0


def _list(catalog: Catalog) -> None:
    for table in catalog.tables:
        print(f"{table.schema}.{table.name} ({', '.join(column.name for column in table.columns)})")


def _confirm_keys(proposed: tuple[str, ...]) -> list[str]:
    """The keys that the person says are right; without a terminal none."""
    if not proposed:
        print("\nNo key between the sources was found. If you know one, add it: ... on table.column = table.column")
        return []
    if not sys.stdin.isatty():
        print("\nThe values speak for these keys. To confirm one, add it: ... on table.column = table.column")
        print("\n".join(f"  {key}" for key in proposed))
        return []
    print("\nThe values speak for these keys between the sources. Only you know whether they mean the same.")
    return [key for key in proposed if input(f"  {key}  Is that right? [y/N] ").strip().lower() in ("y", "yes")]
