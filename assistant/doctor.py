"""What works here and what does not, each really tried, and what to do about it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assistant.approval.policy import UNCAGED
from assistant.config import Settings
from assistant.errors import AssistantError
from sandbox.errors import SandboxError

if TYPE_CHECKING:
    from assistant.cages import MachineCages
    from assistant.data.catalog import Catalog
    from knowledge.embedding import Choice

OpenSources = Callable[[], Awaitable[Sequence[tuple[str, "Catalog"]]]]

_STRENGTH = {
    "zygote": "full: no network, no host files, no secrets, hard limits; kernels start in a blink",
    "bubblewrap": "full: no network, no host files, no secrets, hard limits; kernels start in a quarter of a second",
    "landlock": "good: files, network, sockets and signals are held; /tmp is not capped",
    "process": "none: code would run with your rights; it never does without your consent",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """One thing that was examined. `advice` is what to do, empty where nothing is to be done."""

    name: str
    state: Literal["ok", "weak", "missing"]
    text: str
    advice: str = ""


async def examine(
    *,
    settings: Settings,
    cages: MachineCages,
    choose_embedder: Callable[[], Choice],
    open_sources: OpenSources,
    store: str,
) -> tuple[Health, ...]:
    """Examine cage, embeddings, models, sources and store.

    Args:
        settings: the settings.
        cages: the cages of this machine.
        choose_embedder: finds the embedder that would be used.
        open_sources: opens the default sources, and gives how each is shown and its catalog.
        store: where sessions are kept, as a person may read it.
    """
    return (
        *await _cage(cages),
        await asyncio.to_thread(_embeddings, choose_embedder),
        *_models(settings),
        *await _sources(open_sources),
        Health(name="store", state="ok", text=f"sessions are kept in {store} (SQLite {sqlite3.sqlite_version})"),
    )


async def _cage(cages: MachineCages) -> tuple[Health, ...]:
    try:
        level = await cages.level()
        reports = await cages.reports()
    except SandboxError as error:
        return (Health(name="cage", state="missing", text=str(error), advice="Set TANDEM_CAGE to a level that holds."),)
    advice = {
        "landlock": "Allow user namespaces, or install bubblewrap, for a cage that also caps /tmp.",
        "process": "Run Tandem on Linux with user namespaces or bubblewrap; --uncaged consents to run without a cage.",
    }.get(level, "")
    state: Literal["ok", "weak", "missing"] = (
        "ok" if level in ("zygote", "bubblewrap") else "weak" if level == "landlock" else "missing"
    )
    held = [Health(name="cage", state=state, text=f"{level} — {_STRENGTH[level]}", advice=advice)]
    for report in reports:
        if report.level not in (level, UNCAGED):
            text = "holds as well" if report.holds else f"does not hold: {report.why_not}"
            held.append(Health(name=f"cage level {report.level}", state="ok" if report.holds else "weak", text=text))
    return tuple(held)


def _embeddings(choose_embedder: Callable[[], Choice]) -> Health:
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
    named = {
        "planner": settings.model_of("planner"),
        "coder": settings.model_of("coder"),
        "reviewer": settings.model_of("reviewer"),
    }
    if not any(named.values()):
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
    keyed = bool(os.environ.get(settings.api_key_env))
    where = settings.base_url or "the provider's own address"
    return tuple(
        Health(
            name=f"model of the {role}",
            state="ok" if not model or keyed else "missing",
            text=f"{model} at {where}" if model else "the embedded analyst",
            advice="" if not model or keyed else f"Set {settings.api_key_env} to the endpoint's key.",
        )
        for role, model in named.items()
    )


async def _sources(open_sources: OpenSources) -> tuple[Health, ...]:
    try:
        opened = await open_sources()
    except AssistantError as error:
        return (Health(name="sources", state="missing", text=str(error), advice="Mend the source, or name another."),)
    return tuple(
        Health(
            name=f"source {catalog.source}",
            state="ok",
            text=f"{display}: {len(catalog.tables)} tables, read-only ({catalog.dialect})",
        )
        for display, catalog in opened
    )
