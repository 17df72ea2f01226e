"""Health checks of `tandem doctor`: each part is tested on this machine, with advice where a test fails."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assistant.core.approval.policy import UNCAGED
from assistant.core.catalog import Catalog
from assistant.core.events import Role
from assistant.errors import AssistantError
from assistant.models.role_models import find_choice, list_names
from assistant.query.mask_inheritance import inherit_masks
from assistant.query.masks import find_masks, find_strays, is_masked
from assistant.query.sensitive import WORDS, find_sensitive_columns
from assistant.sample.company import DATABASE
from assistant.settings.config import FILE, Settings
from assistant.settings.masks import MASKS, masks_decided
from assistant.sources.addresses import SourceAddress, parse_addresses
from assistant.sources.catalog.doubts import list_notes
from assistant.sources.opening import open_source
from assistant.sources.reading.loading import load_files
from assistant.sources.reading.sidecar import SUFFIX
from knowledge.errors import KnowledgeError
from sandbox.errors import SandboxError
from sandbox.selfcheck import check, summary

if TYPE_CHECKING:
    from assistant.runtime.cages import MachineCages
    from assistant.trust.rights import Rights
    from knowledge.embedding import EmbedderChoice
    from sandbox.levels import Level

State = Literal["ok", "weak", "missing"]
OpenSources = Callable[[], Awaitable[Sequence[tuple[str, "Catalog"]]]]

_STRENGTH = {
    "zygote": "full: no network, no host files, no secrets, hard limits; kernels start in a blink",
    "bubblewrap": "full: no network, no host files, no secrets, hard limits; kernels start in about a second",
    "landlock": "good: files, network, sockets and signals are held; /tmp is not capped",
    "process": "none: code would run with your rights; it never does without your consent",
}
_ANOTHER_LEVEL = "Set TANDEM_CAGE to a level that holds."
_UNREAD_MAX = 10
_WATCHED = "each process of a session has a limit that the system holds; all together are looked at once a second"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A column that looks like personal data, put before a person. Nothing is masked before it is confirmed."""

    column: str
    data_kind: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """One thing that was examined.

    `advice` is what to do, empty where nothing is to be done; `suggestions` are columns that a person may mask.
    """

    name: str
    state: State
    text: str
    advice: str = ""
    suggestions: tuple[Suggestion, ...] = ()


async def examine(
    *,
    settings: Settings,
    cages: MachineCages,
    choose_embedder: Callable[[], EmbedderChoice],
    open_sources: OpenSources,
    unread: Callable[[], Awaitable[Sequence[str]]],
    store: Health,
    rights: Rights,
) -> tuple[Health, ...]:
    """Examine cage, embeddings, models, sources, knowledge and store.

    Args:
        settings: the settings.
        cages: the cages of this machine.
        choose_embedder: finds the embedder that would be used.
        open_sources: opens the default sources; the sample company is written thereby where it is one.
        unread: gives what in the knowledge folder of the default sources cannot be read, in words.
        store: how the session store is.
        rights: by which the sources are judged.
    """
    return (
        *await _cage(cages),
        await asyncio.to_thread(_embeddings, choose_embedder),
        *_models(settings),
        *await _sources(settings, open_sources, rights),
        *_knowledge(settings),
        *await _unread(unread),
        store,
    )


async def _cage(cages: MachineCages) -> tuple[Health, ...]:
    try:
        level = await cages.level()
        reports = await cages.reports()
    except SandboxError as error:
        return (Health(name="cage", state="missing", text=str(error), advice=_ANOTHER_LEVEL),)
    advice = {
        "landlock": "Allow user namespaces, or install bubblewrap, for a cage that also caps /tmp.",
        "process": "Run Tandem on Linux with user namespaces or bubblewrap; --uncaged consents to run without a cage.",
    }.get(level, "")
    state: State = "ok" if level in ("zygote", "bubblewrap") else "weak" if level == "landlock" else "missing"
    findings = [Health(name="cage", state=state, text=f"{level} — {_STRENGTH[level]}", advice=advice)]
    group = next((report.memory_cgroup for report in reports if report.level == level), None)
    shared = f"all processes of a session together have one limit, and the system holds it (cgroup {group})"
    findings.append(Health(name="cage memory", state="ok", text=shared if group else _WATCHED))
    if level != UNCAGED:
        findings.append(await _promises(level))
    for report in reports:
        if report.level not in (level, UNCAGED):
            text = "holds as well" if report.holds else f"does not hold: {report.why_not}"
            findings.append(
                Health(name=f"cage level {report.level}", state="ok" if report.holds else "weak", text=text)
            )
    return tuple(findings)


async def _promises(level: Level) -> Health:
    """What the cage promises, tried by the cells of a real kernel. Takes a few seconds."""
    try:
        results = await check(level)
    except SandboxError as error:
        return Health(name="cage promises", state="missing", text=str(error), advice=_ANOTHER_LEVEL)
    is_safe = all(result.kept for result in results)
    return Health(
        name="cage promises",
        state="ok" if is_safe else "missing",
        text=f"{summary(results)}; each was put to the test by a real cell",
        advice="" if is_safe else _ANOTHER_LEVEL,
    )


def _knowledge(settings: Settings) -> tuple[Health, ...]:
    """The knowledge folder that the settings name."""
    folder = settings.knowledge
    if folder is None:
        return ()
    if folder.is_dir():
        return (Health(name="knowledge", state="ok", text=f"is read from {folder}"),)
    text = f"the settings name {str(folder)!r}, and there is no such folder: questions are answered without it"
    return (
        Health(name="knowledge", state="missing", text=text, advice="Create it, or name another as TANDEM_KNOWLEDGE."),
    )


async def _unread(unread: Callable[[], Awaitable[Sequence[str]]]) -> tuple[Health, ...]:
    """What in the knowledge folder cannot be read, and so is left out of every answer."""
    try:
        problems = await unread()
    except (AssistantError, KnowledgeError):
        return ()  # the sources, or the embeddings, tell what is wrong with them
    advice = "It is left out, and all else is used. Fix the file: the next question reads it again."
    findings = tuple(
        Health(name="knowledge file", state="weak", text=problem, advice=advice) for problem in problems[:_UNREAD_MAX]
    )
    more = len(problems) - len(findings)
    if more:
        text = f"{more} more faults of the knowledge folder; the page Knowledge lists all"
        findings += (Health(name="knowledge file", state="weak", text=text, advice=advice),)
    return findings


def _embeddings(choose_embedder: Callable[[], EmbedderChoice]) -> Health:
    choice = choose_embedder()
    name = choice.embedder.name
    weak = "hashing" in name.lower()
    return Health(
        name="embeddings",
        state="weak" if weak else "ok",
        text=f"{name}: {choice.reason}",
        advice="script/bootstrap installs the local model." if weak else "",
    )


def _models(settings: Settings) -> tuple[Health, ...]:
    roles: tuple[Role, ...] = ("planner", "coder", "reviewer")
    models_by_role = {role: list_names(settings, role) for role in roles}
    if not any(models_by_role.values()):
        offered = bool(os.environ.get(settings.api_key_env))
        return (
            Health(
                name="models",
                state="ok",
                text="the embedded analyst plays every role; nothing leaves this machine",
                advice=f"{settings.api_key_env} is set: set TANDEM_MODEL to let a model take the roles."
                if offered
                else "",
            ),
        )
    findings: list[Health] = []
    for role, names in models_by_role.items():
        if not names:
            findings.append(Health(name=f"model of the {role}", state="ok", text="the embedded analyst"))
        for place, choice in enumerate(find_choice(settings, name) for name in names):
            # An endpoint of one's own may want no key.
            keyed = bool(os.environ.get(choice.api_key_env) or choice.base_url or not choice.way.needs_key)
            description = f"model of the {role}" if place == 0 else f"model {place + 1} of the {role}"
            text = f"{choice.model or choice.name} at {choice.endpoint}{'' if keyed else ' has no key'}"
            advice = "" if keyed else f"Set {choice.api_key_env} to its key, or leave TANDEM_MODEL empty."
            findings.append(Health(name=description, state="ok" if keyed else "missing", text=text, advice=advice))
    return tuple(findings)


async def _sources(settings: Settings, open_sources: OpenSources, rights: Rights) -> tuple[Health, ...]:
    """Each source opened by itself, so that one that fails hides no other."""
    texts = settings.sources
    if not texts:
        sample = settings.home / "sample" / settings.today.isoformat() / DATABASE
        if not sample.exists():
            try:
                await open_sources()  # writes the sample company
            except AssistantError as error:
                return (Health(name="sources", state="missing", text=str(error), advice="Mend what it names."),)
        texts = (f"company={sample}",)
    findings: list[Health] = []
    catalogs: list[Catalog] = []
    for text in texts:
        try:
            matches = await asyncio.to_thread(parse_addresses, text, rights)
        except AssistantError as error:
            advice = "Mend the source, or name another."
            findings.append(Health(name="sources", state="missing", text=str(error), advice=advice))
            continue
        for address in matches:
            healths, catalog = await _source(address, settings)
            findings += healths
            catalogs += [catalog] if catalog is not None else []
    if not any(finding.state == "missing" for finding in findings):  # or an entry may be for the source that is missing
        findings += _strays(settings, catalogs)
    return tuple(findings)


async def _source(address: SourceAddress, settings: Settings) -> tuple[list[Health], Catalog | None]:
    """A source as it is, without its masks: a mask that names nothing would keep it from being opened at all."""
    name = f"source {address.name}"
    try:
        source = await open_source(address, folder=settings.home / "loaded")
        try:
            catalog = await source.catalog()
            access = await source.access()
        finally:
            await source.close()
    except AssistantError as error:
        advice = "Mend the source, or name another."
        return [Health(name=name, state="missing", text=str(error), advice=advice)], None
    count = len(catalog.tables)
    sentences = [
        f"{source.display}: {count} {'table' if count == 1 else 'tables'}, read-only ({catalog.dialect})",
        f"{access.lock}; {access.limit}",
        *([f"by its rights the login could do more than read: {', '.join(access.rights)}"] if access.rights else []),
        *list_notes(source, catalog),
    ]
    is_enforced = access.locked is not False and access.stopped is not False
    state: State = "missing" if not is_enforced else "weak" if access.rights or access.advice else "ok"
    health = Health(name=name, state=state, text="; ".join(sentences) + ".", advice=access.advice)
    findings = await asyncio.to_thread(_reading, address, settings) if address.kind == "files" else []
    return [health, *findings, *_masks(settings, catalog)], catalog


def _reading(address: SourceAddress, settings: Settings) -> list[Health]:
    """How each file of a source became a table: what was guessed of it, or told by the file beside it."""
    findings: list[Health] = []
    for table in load_files(address, settings.home / "loaded").tables:
        layout: list[str] = []
        if table.layout is not None:
            encoding, delimiter, header, skip = table.layout
            layout = [
                f"encoding {encoding}",
                f"delimiter {delimiter!r}",
                f"header {'yes' if header else 'no'}",
                f"skip {skip}",
            ]
        columns = ", ".join(f"{name} {kind}" for name, kind, _ in table.columns)
        description = "; ".join([*layout, columns or "with the types that the file has"])
        advice = (
            f"Read wrongly? Say how in {table.file}{SUFFIX} beside it (docs/reference/files.md)." if columns else ""
        )
        findings.append(Health(name=f"table {table.name} of {table.file}", state="ok", text=description, advice=advice))
    return findings


def _masks(settings: Settings, catalog: Catalog) -> list[Health]:
    """What is masked in a source, what else looks as if it should be, and entries that name no column of it."""
    try:
        masks = inherit_masks(find_masks(settings.mask, catalog), catalog).masks
    except AssistantError as error:
        advice = (
            f"Fix it where it is set ({FILE}, TANDEM_MASK or {settings.home / MASKS}): until then no session opens."
        )
        return [Health(name=f"masks of {catalog.source}", state="missing", text=str(error), advice=advice)]
    decided = masks_decided(settings.home)
    personal = find_sensitive_columns(catalog, masked=lambda table, column: is_masked(masks, table, column))
    open_columns = [column for column in personal if column.entry not in (*decided.mask, *decided.dismissed)]
    health: list[Health] = []
    if masks:
        listed = sorted(f"{table}.{column}" for table, columns in masks.items() for column in columns)
        text = f"never shown: {', '.join(listed)}"
        health.append(Health(name=f"masks of {catalog.source}", state="ok", text=text))
    if open_columns:
        line = ", ".join(
            json.dumps(entry, ensure_ascii=False) for entry in (*settings.mask, *(o.entry for o in open_columns))
        )
        health.append(
            Health(
                name=f"personal data in {catalog.source}",
                state="weak",
                text="shown in clear, and it looks like personal data: "
                + "; ".join(f"{column.entry} ({WORDS[column.kind]}: {column.reason})" for column in open_columns),
                advice=f"To mask it, put this line into {FILE}: mask = [{line}]. Take out what may be shown.",
                suggestions=tuple(
                    Suggestion(column=column.entry, data_kind=WORDS[column.kind], reason=column.reason)
                    for column in open_columns
                ),
            )
        )
    return health


def _strays(settings: Settings, catalogs: Sequence[Catalog]) -> list[Health]:
    """Entries of `mask` that name no column of any default source: misspelt, or of a source that is added later."""
    return [
        Health(
            name=f"mask {stray.entry}",
            state="weak",
            text=f"{stray.entry!r} names no column of these sources, so it protects nothing in them"
            + (f"; did you mean {stray.suggestion!r}?" if stray.suggestion else ""),
            advice=f"Fix it in {FILE}, TANDEM_MASK or {settings.home / MASKS}, if it is not for a source added later.",
        )
        for stray in find_strays(settings.mask, catalogs)
    ]
