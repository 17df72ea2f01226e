"""`tandem migrate`: an old query, workbook or script is taken over, with a proof that it gives the same."""

from __future__ import annotations

import asyncio
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.delivery.options import owned_by_person, settings
from assistant.delivery.visible_text import make_visible

if TYPE_CHECKING:
    from assistant.api.migration import Migration

_DIFFERENCES_MAX = 20
_WORKBOOKS = (".xlsx", ".xlsm")


class Target(StrEnum):
    """What a file is turned into."""

    SQL = "sql"
    DBT = "dbt"
    PANDAS = "pandas"


def migrate(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file of SQL, a workbook of Excel or a pandas script.")
    ],
    source: Annotated[
        str | None, typer.Option(metavar="SOURCE", help="The data: a file, a folder or a database URL.")
    ] = None,
    to: Annotated[Target | None, typer.Option(help="What to turn it into; by default what is nearest.")] = None,
    dialect: Annotated[str, typer.Option("--from", metavar="DIALECT", help="Of the SQL: tsql, oracle, ...")] = "tsql",
    original: Annotated[
        str | None, typer.Option(metavar="SOURCE", help="Where the original SQL runs, on the same data.")
    ] = None,
    recorded: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="The output of the original, with names of columns.")
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Keep what is proved: the question of a query, the name of a function."),
    ] = None,
) -> int:
    """Take over an old query, workbook or script, and prove that it gives the same. Status 1 if it does not."""
    if file.suffix.casefold() in _WORKBOOKS:
        return asyncio.run(_workbook(file, to, keep))
    if source is None:
        print("tandem: name the data with --source.", file=sys.stderr)
        return 2
    if file.suffix.casefold() == ".py":
        return asyncio.run(_script(file, source, to, recorded, keep))
    return asyncio.run(_statement(file, source, to, dialect, original, recorded, keep))


async def _statement(
    file: Path,
    source: str,
    to: Target | None,
    dialect: str,
    original: str | None,
    recorded: Path | None,
    keep: str | None,
) -> int:
    from assistant.api.migration import keep_statement, make_dbt_model, migrate_statement

    if to is Target.PANDAS:
        return _refuse("SQL cannot be turned into pandas without a language model. Leave out --to.")
    configuration = settings()
    migration = await migrate_statement(
        file, source=source, dialect=dialect, settings=configuration, original=original, recorded=recorded
    )
    status = _print(migration, make_dbt_model(migration) if to is Target.DBT else migration.code)
    if keep is not None and status == 0:
        with owned_by_person():
            place = await keep_statement(migration, keep, source=source, settings=configuration)
        print(f"Kept as a verified query in {place}.")
    return status


async def _script(file: Path, source: str, to: Target | None, recorded: Path | None, keep: str | None) -> int:
    from assistant.api.migration import migrate_script

    if to in (Target.SQL, Target.DBT) or keep is not None:
        return _refuse("A script is only checked: without a language model it is not turned into SQL or a function.")
    return _print(
        migration := await migrate_script(file, source=source, settings=settings(), recorded=recorded), migration.code
    )


async def _workbook(file: Path, to: Target | None, keep: str | None) -> int:
    from assistant.api.migration import migrate_workbook
    from assistant.api.opening import open_workspace

    if to in (Target.SQL, Target.DBT):
        return _refuse("Formulas become a function of Python. They are not turned into SQL without a language model.")
    name = keep or "workbook"
    if not name.isidentifier():
        return _refuse(f"{name!r} is no name for a function: use letters, figures and underscores.")
    migration, tests = await migrate_workbook(file, name=name)
    status = _print(migration, migration.code.partition("\n\n\nclass _Cells")[0])
    if keep is not None and status == 0:
        async with open_workspace(settings()) as workspace:
            run = await workspace.knowledge.functions.keep(name, migration.code, tests)
        print(f"Kept {name}." if run.all_tests_passed else f"Nothing was kept: {run.error or 'its test failed'}")
        status = 0 if run.all_tests_passed else 1
    return status


def _refuse(text: str) -> int:
    print(f"tandem: {text}", file=sys.stderr)
    return 2


def _print(migration: Migration, code: str) -> int:
    """The code and the proof; status 1 where it is not proved."""
    print(make_visible(code.rstrip("\n"), keep="\n\t"))
    unit = "cells" if migration.language == "python" and not migration.tables else "rows"
    if not migration.proof:
        print("\nNot proved: give --original or --recorded to compare with. It is not kept until then.")
        return 1
    print(f"\nCompared {migration.rows:,} {unit} with {migration.proof}.")
    for note in migration.notes:
        print(make_visible(f"Note: {note}"))
    if migration.is_proved:
        print("Proved: all cells agree.")
        return 0
    if not migration.differences:
        print("Not proved: there are no rows to compare.")
        return 1
    causes = ", ".join(f"{count:,} × {cause}" for cause, count in migration.count_causes().items())
    print(f"Not proved: {len(migration.differences):,} differences by likely cause: {causes}.")
    for difference in migration.differences[:_DIFFERENCES_MAX]:
        text = f"  {difference.place}: {difference.recorded!r} recorded, {difference.result!r} now ({difference.cause})"
        print(make_visible(text))
    if (more := len(migration.differences) - _DIFFERENCES_MAX) > 0:
        print(f"  and {more:,} more")
    return 1
