"""The semantic model: drafted, imported, checked against the data, and its schema for editors."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assistant.delivery.options import AsOf, owned_by_person, settings
from assistant.errors import AssistantError, DataError

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from assistant.semantics.importing.building import Imported
    from assistant.semantics.validating import CheckFinding
    from assistant.sources.addresses import SourceAddress
    from assistant.sources.sources import Source
    from knowledge.documents import VerifiedQuery

model = typer.Typer(help="The semantic model: draft it, import it, and its schema.", no_args_is_help=True)

SourceGiven = Annotated[str, typer.Argument(metavar="SOURCE", help="A file, a folder or a database URL.")]
KnowledgeGiven = Annotated[
    Path | None, typer.Option("--knowledge", help="The knowledge folder; the one beside the data by default.")
]


class Format(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"


@model.command()
def init(source: SourceGiven, knowledge: KnowledgeGiven = None) -> int:
    """Draft a model of a source; inferred parts are marked, for you to confirm or correct."""
    return asyncio.run(_init(source, knowledge))


@model.command("import")
def import_(
    given: Annotated[
        Path, typer.Argument(metavar="PATH", help="A dbt or LookML project, or a file of Snowflake, Cube or LookML.")
    ],
    knowledge: Annotated[Path, typer.Option("--knowledge", help="The knowledge folder to write to.")] = Path(
        "knowledge"
    ),
) -> int:
    """Import the model of another tool, and say what was left out."""
    imported = _imported(given)
    target = _write(knowledge, imported.model.name, _text(imported))
    made = imported.model
    print(
        f"Wrote {target}: {len(made.datasets)} datasets, {len(made.relationships)} relationships, "
        f"{len(made.metrics)} metrics. Check it against your data: tandem check SOURCE --knowledge {knowledge}"
    )
    for reason in imported.left_out:
        print(f"tandem: left out: {reason}", file=sys.stderr)
    return 0


@model.command()
def schema() -> int:
    """Print the JSON schema of the files, for editors."""
    from knowledge.semantic.files import json_schema

    print(json_schema(), end="")
    return 0


def check(
    source: SourceGiven,
    knowledge: KnowledgeGiven = None,
    form: Annotated[Format, typer.Option("--format", help="How to print what was found.")] = Format.TEXT,
    as_of: AsOf = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings too.")] = False,
    keep_results: Annotated[
        bool,
        typer.Option("--keep-results", help="Keep the current results of verified queries, to compare with later."),
    ] = False,
) -> int:
    """Check the semantic model and the verified queries against the data. Status 1 if a check failed."""
    return asyncio.run(_check(source, knowledge, form, as_of or date.today(), strict=strict, keep=keep_results))


async def _init(given: str, knowledge: Path | None) -> int:
    from assistant.semantics.drafting import drafted
    from knowledge.semantic.files import written

    async with _opened(given) as (address, _, catalog):
        pass
    if not catalog.tables:
        raise DataError(f"{address.display!r} holds no table. Give a source with data in it.")
    target = _write(_folder(address, knowledge), catalog.source, written(drafted(catalog)))
    print(
        f'Wrote {target}. What was inferred says "inferred": true; delete that where it is right, correct it where it '
        f"is not, then: tandem check {given}"
    )
    return 0


async def _check(given: str, knowledge: Path | None, form: Format, today: date, *, strict: bool, keep: bool) -> int:
    from assistant.semantics.reporting import as_json, as_junit, as_text
    from assistant.semantics.validating import CheckFinding, findings
    from knowledge.documents import VerifiedQuery
    from knowledge.sources.folder import read_folder, read_models

    async with _opened(given) as (address, source, catalog):
        folder = _folder(address, knowledge)
        reading = await asyncio.to_thread(read_folder, folder)
        found: list[CheckFinding] = [
            CheckFinding(kind="file", name=p.origin, state="failed", message=str(p)) for p in reading.problems
        ]
        found += await asyncio.to_thread(_document_files, folder)
        for one in await asyncio.to_thread(read_models, folder):
            found += [finding async for finding in findings(one, source, catalog, today=today)]
        queries = [d for d in reading.documents if isinstance(d, VerifiedQuery) and d.source in (None, catalog.source)]
        found += await _queries(queries, source, folder, today, keep=keep)
        found += await asyncio.to_thread(_definitions, reading.documents, catalog)
    if strict:
        found = [replace(one, state="failed") if one.state == "warning" else one for one in found]
    print({Format.TEXT: as_text, Format.JSON: as_json, Format.JUNIT: as_junit}[form](found))
    return 1 if any(one.state == "failed" for one in found) else 0


async def _queries(
    queries: Sequence[VerifiedQuery], source: Source, folder: Path, today: date, *, keep: bool
) -> list[CheckFinding]:
    """The verified queries, behind the masks that they had when their results were kept."""
    from assistant.semantics.validating import query_findings
    from assistant.settings.masks import MaskStore
    from assistant.sources.masked_source import MaskedSource
    from knowledge.errors import KnowledgeError
    from knowledge.sources.results import KeptResult, keep_results, read_results

    chosen = settings()
    masked = MaskedSource(source, MaskStore(chosen.home, chosen.mask).entries)
    await masked.check()
    kept = {} if keep else await asyncio.to_thread(read_results, folder)
    found: list[CheckFinding] = []
    made: dict[str, KeptResult] = {}
    names = iter(queries)
    async for finding, result in query_findings(queries, masked, today=today, kept_results=kept):
        query = next(names)
        found.append(finding)
        if result is not None:
            made[query.id] = result
    if keep and made:
        try:
            with owned_by_person():
                await asyncio.to_thread(keep_results, folder, made)
        except KnowledgeError as error:
            raise AssistantError(str(error)) from error
    return found


def _document_files(folder: Path) -> list[CheckFinding]:
    """The document files of the folder, each read as far as it can be. Blocks."""
    from assistant.semantics.validating import CheckFinding
    from assistant.sources.workers.extracting import extract
    from knowledge.files.background_reader import BackgroundReader

    reader = BackgroundReader(extract, extracts=settings().home / "knowledge" / "files", on_change=lambda _: None)
    reader.take(folder)
    reader.settle()
    reading = reader.take(folder)
    read = dict.fromkeys(note.origin for note in reading.documents)
    left_out = [
        CheckFinding(
            kind="file",
            name=p.origin,
            state="warning" if p.origin in read else "failed",
            message=f"{p.origin}: {p.message}",
        )
        for p in reading.problems
    ]
    whole = read.keys() - {problem.origin for problem in reading.problems}
    return [*(CheckFinding(kind="file", name=origin, state="ok") for origin in read if origin in whole), *left_out]


def _definitions(documents: Any, catalog: Catalog) -> list[CheckFinding]:
    """The metrics of `metrics.yaml` that name what the source lacks."""
    from assistant.semantics.definitions import faults_of
    from assistant.semantics.validating import CheckFinding

    return [
        CheckFinding(
            kind="metric", name=fault.names[0], state="failed" if fault.is_fatal else "warning", message=fault.message
        )
        for fault in faults_of([d for d in documents if not d.origin.startswith("semantic/")], [catalog])
    ]


@asynccontextmanager
async def _opened(given: str) -> AsyncGenerator[tuple[SourceAddress, Source, Catalog]]:
    """The one source that was given, while it is needed: what is made to read it goes with it."""
    from assistant.bootstrap import rights_of
    from assistant.settings.config import load
    from assistant.sources.addresses import addresses
    from assistant.sources.opening import open_source

    found = await asyncio.to_thread(addresses, given, rights_of(load(), "person"))
    if len(found) != 1:
        names = ", ".join(address.name for address in found)
        raise DataError(f"{given!r} holds several sources ({names}). Give one of them.")
    folder = await asyncio.to_thread(tempfile.mkdtemp, prefix="tandem-")
    try:
        source = await open_source(found[0], folder=Path(folder))
        try:
            yield found[0], source, await source.catalog()
        finally:
            await source.close()
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _folder(address: SourceAddress, knowledge: Path | None) -> Path:
    if knowledge is not None:
        return knowledge
    return (address.files[0].parent if address.files else Path()) / "knowledge"


def _write(knowledge: Path, name: str, text: str) -> Path:
    """Write a model, and never over one that is there."""
    from knowledge.documents import slug
    from knowledge.semantic.files import FOLDER

    folder = knowledge / FOLDER
    target, number = folder / f"{slug(name)}.yaml", 2
    while target.exists():
        target, number = folder / f"{slug(name)}-{number}.yaml", number + 1
    try:
        with owned_by_person():
            folder.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise AssistantError(f"{str(target)!r} cannot be written ({error.strerror}). Name another folder.") from None
    return target


def _imported(given: Path) -> Imported:
    """The model of another tool, by what its file says.

    Raises:
        ImportFailed: It is none that is known.
    """
    from assistant.semantics.importing.building import ImportFailed
    from assistant.semantics.importing.cube import from_cube
    from assistant.semantics.importing.dbt import from_dbt
    from assistant.semantics.importing.lookml import SUFFIX, from_lookml
    from assistant.semantics.importing.snowflake import from_snowflake
    from knowledge.errors import DocumentMalformed
    from knowledge.sources.entries import load_plain

    if given.suffix == SUFFIX:
        return from_lookml(given)
    if given.is_dir():
        is_lookml = not (given / "dbt_project.yml").exists() and any(given.rglob(f"*{SUFFIX}"))
        return from_lookml(given) if is_lookml else from_dbt(given)
    try:
        said: Any = load_plain(given.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, DocumentMalformed) as error:
        raise ImportFailed(f"{given.name!r} cannot be read as YAML: {' '.join(str(error).split())[:200]}") from None
    if isinstance(said, dict):
        if "cubes" in said:
            return from_cube(said)
        if "tables" in said:
            return from_snowflake(said)
    raise ImportFailed(
        f"{given.name!r} is no model that is known. Give the folder of a dbt or LookML project, a Snowflake "
        "semantic model (`tables:`), a Cube data model (`cubes:`) or a `.lkml` file."
    )


def _text(imported: Imported) -> str:
    from knowledge.semantic.files import written

    return written(imported.model)
