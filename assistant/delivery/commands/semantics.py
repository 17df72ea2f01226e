"""Commands about the semantic model: draft, import, check against the data, and the JSON Schema for editors."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from enum import StrEnum
from functools import partial
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
    source_file: Annotated[
        Path, typer.Argument(metavar="PATH", help="A dbt or LookML project, or a file of Snowflake, Cube or LookML.")
    ],
    knowledge: Annotated[Path, typer.Option("--knowledge", help="The knowledge folder to write to.")] = Path(
        "knowledge"
    ),
) -> int:
    """Import the model of another tool, and say what was left out."""
    imported = _import_model(source_file)
    target = _write(knowledge, imported.model.name, _text(imported))
    imported_model = imported.model
    print(
        f"Wrote {target}: {len(imported_model.datasets)} datasets, {len(imported_model.relationships)} relationships, "
        f"{len(imported_model.metrics)} metrics. "
        f"Check it against your data: tandem check SOURCE --knowledge {knowledge}"
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
    """Check the semantic model, verified queries and functions. Status 1 if a check failed."""
    return asyncio.run(_check(source, knowledge, form, as_of or date.today(), strict=strict, keep=keep_results))


async def _init(text: str, knowledge: Path | None) -> int:
    from assistant.semantics.drafting import draft_model
    from knowledge.semantic.files import format_model

    async with _open_source(text) as (address, _, catalog):
        pass
    if not catalog.tables:
        raise DataError(f"{address.display!r} holds no table. Give a source with data in it.")
    target = _write(_folder(address, knowledge), catalog.source, format_model(draft_model(catalog)))
    print(
        f'Wrote {target}. What was inferred says "inferred": true; delete that where it is right, correct it where it '
        f"is not, then: tandem check {text}"
    )
    return 0


async def _check(text: str, knowledge: Path | None, form: Format, today: date, *, strict: bool, keep: bool) -> int:
    from assistant.semantics.validating import CheckFinding, as_json, as_junit, as_text, find_problems
    from knowledge.documents import VerifiedQuery
    from knowledge.sources.folder import read_folder, read_models

    async with _open_source(text) as (address, source, catalog):
        folder = _folder(address, knowledge)
        reading = await asyncio.to_thread(read_folder, folder)
        results: list[CheckFinding] = [
            CheckFinding(kind="file", name=p.origin, state="failed", message=str(p)) for p in reading.problems
        ]
        results += await asyncio.to_thread(_document_files, folder)
        for model in await asyncio.to_thread(read_models, folder):
            results += [finding async for finding in find_problems(model, source, catalog, today=today)]
        queries = [d for d in reading.documents if isinstance(d, VerifiedQuery) and d.source in (None, catalog.source)]
        results += await _queries(queries, source, folder, today, keep=keep)
        results += await asyncio.to_thread(_definitions, reading.documents, catalog)
        results += await _functions(folder)
    if strict:
        results = [replace(finding, state="failed") if finding.state == "warning" else finding for finding in results]
    print({Format.TEXT: as_text, Format.JSON: as_json, Format.JUNIT: as_junit}[form](results))
    return 1 if any(result.state == "failed" for result in results) else 0


async def _functions(folder: Path) -> list[CheckFinding]:
    """The tests of the folder's functions, each run in the cage."""
    from assistant.functions.folder import FOLDER, read_functions
    from assistant.functions.library import list_shipped
    from assistant.functions.testing import check_functions
    from assistant.runtime.cages import MachineCages
    from assistant.runtime.spare_kernels import open_spare_kernel
    from assistant.semantics.validating import CheckFinding
    from sandbox.limits import Limits

    reading = await asyncio.to_thread(read_functions, folder / FOLDER)
    results = [CheckFinding(kind="file", name=p.origin, state="failed", message=str(p)) for p in reading.problems]
    if reading.functions:
        async with MachineCages(limits=Limits(), level=None, uncaged=False, ready=0) as cages:
            kernel = partial(open_spare_kernel, cages)
            failures = await check_functions(reading.functions, list_shipped(), kernel=kernel)
        results += [
            CheckFinding(kind="function", name=name, state="failed" if failure else "ok", message=failure)
            for name, failure in failures.items()
        ]
    return results


async def _queries(
    queries: Sequence[VerifiedQuery], source: Source, folder: Path, today: date, *, keep: bool
) -> list[CheckFinding]:
    """The verified queries, behind the masks that they had when their results were kept."""
    from assistant.semantics.validating import query_findings
    from assistant.settings.masks import MaskStore
    from assistant.sources.masked_source import MaskedSource
    from knowledge.errors import KnowledgeError
    from knowledge.sources.results import KeptResult, keep_results, read_results

    configuration = settings()
    masked = MaskedSource(source, MaskStore(configuration.home, configuration.mask).entries)
    await masked.check()
    stored = {} if keep else await asyncio.to_thread(read_results, folder)
    results: list[CheckFinding] = []
    fresh_results: dict[str, KeptResult] = {}
    names = iter(queries)
    async for finding, result in query_findings(queries, masked, today=today, kept_results=stored):
        query = next(names)
        results.append(finding)
        if result is not None:
            fresh_results[query.id] = result
    if keep and fresh_results:
        try:
            with owned_by_person():
                await asyncio.to_thread(keep_results, folder, fresh_results)
        except KnowledgeError as error:
            raise AssistantError(str(error)) from error
    return results


def _document_files(folder: Path) -> list[CheckFinding]:
    """The document files of the folder, each read as far as it can be. Blocks."""
    from assistant.semantics.validating import CheckFinding
    from assistant.sources.workers.extracting import extract
    from knowledge.files.background_reader import BackgroundReader

    reader = BackgroundReader(extract, extracts=settings().home / "knowledge" / "files", on_change=lambda _: None)
    reader.take(folder)
    reader.settle()
    reading = reader.take(folder)
    origins = dict.fromkeys(note.origin for note in reading.documents)
    left_out = [
        CheckFinding(
            kind="file",
            name=p.origin,
            state="warning" if p.origin in origins else "failed",
            message=f"{p.origin}: {p.message}",
        )
        for p in reading.problems
    ]
    complete = origins.keys() - {problem.origin for problem in reading.problems}
    return [
        *(CheckFinding(kind="file", name=origin, state="ok") for origin in origins if origin in complete),
        *left_out,
    ]


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
async def _open_source(text: str) -> AsyncGenerator[tuple[SourceAddress, Source, Catalog]]:
    """The one source that was given, while it is needed: what is made to read it goes with it."""
    from assistant.bootstrap import rights_of
    from assistant.settings.config import load
    from assistant.sources.opening import open_single_source

    async with open_single_source(text, rights_of(load(), "person")) as (address, source):
        yield address, source, await source.catalog()


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


def _import_model(path: Path) -> Imported:
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

    if path.suffix == SUFFIX:
        return from_lookml(path)
    if path.is_dir():
        is_lookml = not (path / "dbt_project.yml").exists() and any(path.rglob(f"*{SUFFIX}"))
        return from_lookml(path) if is_lookml else from_dbt(path)
    try:
        content: Any = load_plain(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, DocumentMalformed) as error:
        raise ImportFailed(f"{path.name!r} cannot be read as YAML: {' '.join(str(error).split())[:200]}") from None
    if isinstance(content, dict):
        if "cubes" in content:
            return from_cube(content)
        if "tables" in content:
            return from_snowflake(content)
    raise ImportFailed(
        f"{path.name!r} is no model that is known. Give the folder of a dbt or LookML project, a Snowflake "
        "semantic model (`tables:`), a Cube data model (`cubes:`) or a `.lkml` file."
    )


def _text(imported: Imported) -> str:
    from knowledge.semantic.files import format_model

    return format_model(imported.model)
