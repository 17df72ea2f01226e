"""What works here: `tandem doctor`, its repair of the session store, and `tandem models`."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.api.errors import AssistantError
from assistant.delivery.options import Yes, settings

if TYPE_CHECKING:
    from assistant.settings.settings import Settings

_MARKS = {"ok": "✓", "weak": "!", "missing": "✗"}


def doctor(
    repair: Annotated[bool, typer.Option("--repair", help="Repair the session store, after a confirmation.")] = False,
    yes: Yes = False,
) -> int:
    """Check what works on this machine."""
    chosen = settings()
    return _repair(chosen, yes=yes) if repair else asyncio.run(_doctor(chosen))


async def _doctor(chosen: Settings) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(chosen) as workspace:
        found = await workspace.doctor()
    for one in found:
        print(f"{_MARKS[one.state]} {one.name}: {one.text}")
        if one.advice:
            print(f"    → {one.advice}")
    return 1 if any(one.state == "missing" for one in found) else 0


def _repair(chosen: Settings, *, yes: bool) -> int:
    from assistant.record.store.opening import locate_store, make_backups, make_store
    from assistant.record.store.repair import plan_repair, repair

    if chosen.store:
        raise AssistantError("The session store is kept by a database server. Repair or restore it with its own tools.")
    store, backups = locate_store(chosen), make_backups(chosen)
    plan = plan_repair(store, backups)
    if not plan.report:
        print("The session store is whole. There is nothing to repair.")
        return 0
    print(*plan.report, sep="\n")
    events = sum(len(one.rows) for one in plan.sessions)
    print(
        f"The repair first copies the store as it is to a folder in {backups.folder}, with what does not join to a "
        f"session. Then it puts a new store in its place, with {events} events of {len(plan.sessions)} sessions."
    )
    if not yes and not (sys.stdin.isatty() and typer.confirm("Do it?")):
        print("Nothing was changed. Do it with: tandem doctor --repair --yes")
        return 2
    kept = repair(store, plan, backups, now=datetime.now(UTC), make=make_store)
    print(f"The session store is repaired. What was there before is kept in {kept}; delete it when you miss nothing.")
    return 0


def models(
    test: Annotated[
        bool, typer.Option("--test", help="Send each one sentence without data, and print the outcome.")
    ] = False,
) -> int:
    """List the language models by role, and their budgets."""
    return asyncio.run(_models(settings(), test=test))


async def _models(chosen: Settings, *, test: bool) -> int:
    from assistant.models import listing

    found, failed = listing.list_models(chosen), False
    if found.embedded:
        print(f"{', '.join(found.embedded)}: the embedded analyst, no language model")
    for one in found.models:
        name = f"{one.name} (model {one.model})" if one.name != one.model else one.name
        print(f"{one.use}: {name}, provider {one.provider}, at {one.endpoint}")
        if test:
            tried = await listing.try_out(chosen, one.name)
            failed = failed or not tried.ok
            print(f"    {'✓' if tried.ok else '✗'} {tried.text}")
    for setting, limit in found.limits if found.models else ():
        print(f"{setting}: {limit:,g}")
    return int(failed)
