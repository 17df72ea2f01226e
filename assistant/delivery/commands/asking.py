"""`tandem ask`: a question in the terminal, or for another program."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.api.errors import AssistantError
from assistant.delivery.options import AsOf, settings, write

if TYPE_CHECKING:
    from assistant.api.events import Approvable
    from assistant.api.session import Session
    from assistant.api.workspace import Workspace
    from assistant.settings.settings import Settings
    from sandbox.zygote import Zygote

_STATUS = {"answered": 0, "partial": 1, "failed": 1, "declined": 2, "needs_decision": 2, "needs_clarification": 2}
_EVERYTHING: tuple[Approvable, ...] = ("plan", "python", "query")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What the person wants of the command."""

    question: str | None
    sources: tuple[str, ...]
    session: str | None
    approve: tuple[Approvable, ...]
    as_json: bool
    trace: bool
    export: Path | None


def ask(
    question: Annotated[str | None, typer.Argument(help="The question; leave it out to continue a --session.")] = None,
    source: Annotated[
        list[str] | None, typer.Option(metavar="URL_OR_FILE", help="Data: [NAME=]URL, file or folder; repeatable.")
    ] = None,
    session: Annotated[str | None, typer.Option(metavar="ID", help="Continue this session.")] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Approve plans, read-only queries and caged Python without findings.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Print what models were sent and what they replied, on the error stream.")
    ] = False,
    export: Annotated[Path | None, typer.Option(metavar="FILE.ipynb", help="Write the session as a notebook.")] = None,
    uncaged: Annotated[
        bool, typer.Option("--uncaged", help="Consent to run code without a cage where none works.")
    ] = False,
    as_of: AsOf = None,
) -> int:
    """Ask a question in the terminal."""
    asked = _Asked(
        question=question,
        sources=tuple(source or ()),
        session=session,
        approve=_EVERYTHING if yes else (),
        as_json=as_json,
        trace=trace,
        export=export,
    )
    from assistant.runtime.prestart import begin

    begun = begin()
    return asyncio.run(_ask(asked, settings(as_of=as_of, uncaged=uncaged), begun))


async def _ask(asked: _Asked, chosen: Settings, begun: Zygote | None) -> int:
    from assistant.api.opening import open_workspace
    from assistant.delivery.terminal import converse, interactive

    async with open_workspace(chosen, begun=begun) as workspace:
        workspace.warm()
        session = await _started(asked, workspace)
        try:
            await converse(session, approve=asked.approve, quiet=asked.as_json or not interactive())
        except asyncio.CancelledError:
            await session.stop()
            raise
        if asked.trace:
            await asyncio.to_thread(_trace, session)
        if asked.export:
            await asyncio.to_thread(write, asked.export, await session.export())
        return await _told(asked, session)


async def _started(asked: _Asked, workspace: Workspace) -> Session:
    """The session, with its run under way."""
    from assistant.delivery.terminal import answer_option

    if asked.session:
        session = await workspace.open(asked.session)
        for given in asked.sources:
            if not await session.sources.has(given):
                await session.sources.add(given)
    elif asked.question is None:
        raise AssistantError("Ask a question, or name a --session to go on with.")
    else:
        session = await workspace.create(list(asked.sources))
    if asked.question is None:
        await session.resume(approve=asked.approve)
    elif not await answer_option(session, asked.question):
        from assistant.delivery.disclosing import choose
        from assistant.delivery.terminal import interactive

        await choose(session, asked.question, quiet=asked.as_json or not interactive())
        await session.ask(asked.question, approve=asked.approve)
    return session


def _trace(session: Session) -> None:
    from assistant.delivery.disclosing import trace

    trace(session)


async def _told(asked: _Asked, session: Session) -> int:
    """Print how the turn stands; its exit status."""
    from assistant.api.report import report
    from assistant.delivery.terminal import show_answer, show_interpretation, show_waiting

    turn = session.transcript.current
    status = turn.outcome if turn is not None else "failed"
    if asked.as_json:
        made = await asyncio.to_thread(
            report,
            session.id,
            session.events(),
            table=lambda execution: session.table(execution, rows_max=100_000),
            interpretation=await session.interpretation() if status != "failed" else None,
        )
        print(made.model_dump_json())
    elif status in ("needs_decision", "needs_clarification"):
        await show_waiting(session)
    elif status == "failed":
        print(report(session.id, session.events(), table=lambda _: None).answer, file=sys.stderr)
    else:
        show_answer(session)
        if status == "declined":
            await show_interpretation(session)
    return _STATUS[status]
