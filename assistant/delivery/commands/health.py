"""Health checks: `tandem doctor`, its repair of the session store, and `tandem models`."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.api.errors import AssistantError
from assistant.delivery.options import Yes, settings

if TYPE_CHECKING:
    from assistant.api.configuration import Settings

_MARKS = {"ok": "✓", "weak": "!", "missing": "✗"}


def doctor(
    repair: Annotated[bool, typer.Option("--repair", help="Repair the session store, after a confirmation.")] = False,
    yes: Yes = False,
) -> int:
    """Check what works on this machine."""
    configuration = settings()
    return _repair(configuration, yes=yes) if repair else asyncio.run(_doctor(configuration))


async def _doctor(configuration: Settings) -> int:
    from assistant.api.opening import open_workspace

    async with open_workspace(configuration) as workspace:
        findings = await workspace.doctor()
    for finding in findings:
        print(f"{_MARKS[finding.state]} {finding.name}: {finding.text}")
        if finding.advice:
            print(f"    → {finding.advice}")
    return 1 if any(finding.state == "missing" for finding in findings) else 0


def _repair(configuration: Settings, *, yes: bool) -> int:
    from assistant.api.repair import locate_store, make_backups, make_store, plan_repair, repair

    if configuration.store:
        raise AssistantError("The session store is kept by a database server. Repair or restore it with its own tools.")
    store, backups = locate_store(configuration), make_backups(configuration)
    plan = plan_repair(store, backups)
    if not plan.report:
        print("The session store is whole. There is nothing to repair.")
        return 0
    print(*plan.report, sep="\n")
    events = sum(len(session.rows) for session in plan.sessions)
    print(
        f"The repair first copies the store as it is to a folder in {backups.folder}, with what does not join to a "
        f"session. Then it puts a new store in its place, with {events} events of {len(plan.sessions)} sessions."
    )
    if not yes and not (sys.stdin.isatty() and typer.confirm("Do it?")):
        print("Nothing was changed. Do it with: tandem doctor --repair --yes")
        return 2
    backup = repair(store, plan, backups, now=datetime.now(UTC), make=make_store)
    print(f"The session store is repaired. What was there before is kept in {backup}; delete it when you miss nothing.")
    return 0


def models(
    test: Annotated[
        bool, typer.Option("--test", help="Send each one sentence without data, and print the outcome.")
    ] = False,
) -> int:
    """List the language models by role, and their budgets."""
    return asyncio.run(_models(settings(), test=test))


async def _models(configuration: Settings, *, test: bool) -> int:
    from assistant.api.models import list_models, try_out

    models, failed = list_models(configuration), False
    if models.embedded:
        print(f"{', '.join(models.embedded)}: the embedded analyst, no language model")
    for model in models.models:
        name = f"{model.name} (model {model.model})" if model.name != model.model else model.name
        print(f"{model.use}: {name}, provider {model.provider}, at {model.endpoint}")
        if test:
            trial = await try_out(configuration, model.name)
            failed = failed or not trial.ok
            print(f"    {'✓' if trial.ok else '✗'} {trial.text}")
    for setting, limit in models.limits if models.models else ():
        print(f"{setting}: {limit:,g}")
    return int(failed)
