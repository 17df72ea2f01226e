"""`tandem ask`: asks a question in the terminal, or for another program."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.api.errors import AssistantError, InterpretationError
from assistant.delivery.options import AsOf, settings, write

if TYPE_CHECKING:
    from assistant.api.configuration import Settings
    from assistant.api.events import Approvable
    from assistant.api.interpretation import Interpretation
    from assistant.api.session import Session
    from assistant.api.workspace import Workspace
    from sandbox.zygote import Zygote

_STATUS = {"answered": 0, "partial": 1, "failed": 1, "declined": 2, "needs_decision": 2, "needs_clarification": 2}
_EVERYTHING: tuple[Approvable, ...] = ("plan", "python", "query")


@dataclass(frozen=True, slots=True, kw_only=True)
class _AskRequest:
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
    request = _AskRequest(
        question=question,
        sources=tuple(source or ()),
        session=session,
        approve=_EVERYTHING if yes else (),
        as_json=as_json,
        trace=trace,
        export=export,
    )
    from assistant.api.prestart import begin

    zygote = begin()
    return asyncio.run(_ask(request, settings(as_of=as_of, uncaged=uncaged), zygote))


async def _ask(request: _AskRequest, settings: Settings, zygote: Zygote | None) -> int:
    from assistant.api.opening import open_workspace
    from assistant.delivery.terminal import converse, interactive

    async with open_workspace(settings, begun=zygote) as workspace:
        workspace.warm()
        session = await _open_session(request, workspace)
        try:
            await converse(session, approve=request.approve, quiet=request.as_json or not interactive())
        except asyncio.CancelledError:
            await session.stop()
            raise
        if request.trace:
            await asyncio.to_thread(_trace, session)
        if request.export:
            await asyncio.to_thread(write, request.export, await session.export())
        return await _print_answer(request, session)


async def _open_session(request: _AskRequest, workspace: Workspace) -> Session:
    """The session, with its run under way."""
    from assistant.delivery.terminal import answer_option

    if request.session:
        session = await workspace.open(request.session)
        for source in request.sources:
            if not await session.sources.has(source):
                await session.sources.add(source)
    elif request.question is None:
        raise AssistantError("Ask a question, or name a --session to go on with.")
    else:
        session = await workspace.create(list(request.sources))
    if request.question is None:
        await session.resume(approve=request.approve)
    elif not await answer_option(session, request.question):
        from assistant.delivery.disclosing import choose
        from assistant.delivery.terminal import interactive

        await choose(session, request.question, quiet=request.as_json or not interactive())
        await session.ask(request.question, approve=request.approve)
    return session


def _trace(session: Session) -> None:
    from assistant.delivery.disclosing import print_calls

    print_calls(session)


async def _interpretation(session: Session) -> Interpretation | None:
    """What the turn computes in chips; None where chips cannot show it."""
    try:
        return await session.interpretation()
    except InterpretationError:
        return None


async def _print_answer(request: _AskRequest, session: Session) -> int:
    """Print how the turn stands; its exit status."""
    from assistant.api.report import build_report
    from assistant.delivery.terminal import show_answer, show_interpretation, show_waiting

    turn = session.transcript.current
    status = turn.outcome if turn is not None else "failed"
    if request.as_json:
        document = await asyncio.to_thread(
            build_report,
            session.id,
            session.events(),
            table=lambda execution: session.table(execution, rows_max=100_000),
            interpretation=await _interpretation(session) if status != "failed" else None,
        )
        print(document.model_dump_json())
    elif status in ("needs_decision", "needs_clarification"):
        await show_waiting(session)
    elif status == "failed":
        print(build_report(session.id, session.events(), table=lambda _: None).answer, file=sys.stderr)
    else:
        show_answer(session)
        if status == "declined":
            await show_interpretation(session)
    return _STATUS[status]
