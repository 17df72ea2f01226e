"""Asks one question of a suite in a complete session, and records the outcome.

Planner, coder, reviewer, guard, broker and kernel take part; plans and queries are approved by policy. Python is not
approved: where a chart waits for its approval, the query's table is the result. Nothing is judged here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assistant.cells.tables import has_table, select_columns
from assistant.core.events import Approvable, Clarification, Execution
from assistant.core.turns import Turn

if TYPE_CHECKING:
    from assistant.core.values import ArrowTable
    from assistant.session.session import Session
    from assistant.session.workspace import Workspace

Status = Literal["answered", "asked", "declined", "failed"]
Rows = tuple[tuple[object, ...], ...]

APPROVED: tuple[Approvable, ...] = ("plan", "query")
OPTIONS_MAX = 3
"""How many of the readings that a question back offers are tried."""
ROWS_MAX = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReply:
    """What came of a question. `rows` is None where there is no table; `text` says why, or what was asked back.

    `offered` holds the results of the first readings that a question back offered, likeliest first.
    """

    status: Status
    sql: str = ""
    rows: Rows | None = None
    text: str = ""
    offered: tuple[Rows | None, ...] = ()


class SessionAsker:
    """Asks in a session of its own for each question, and deletes it afterwards."""

    def __init__(self, workspace: Workspace, address: str) -> None:
        self._workspace = workspace
        self._address = address

    async def ask(self, question: str) -> CaseReply:
        """Ask; where a question comes back, take each of its options in a session of its own as well."""
        async with self._session() as session:
            clarification, reply = await self._reply(session, question)
        if clarification is None or clarification.asker != "planner":
            return reply
        offered: list[Rows | None] = []
        for option in clarification.options[:OPTIONS_MAX]:
            async with self._session() as session:
                again, _ = await self._reply(session, question)
                if again is not None and await session.answer_clarification(again.id, option):
                    await session.settled()
                    offered.append((await _settled(session)).rows)
        return CaseReply(status="asked", text=reply.text, offered=tuple(offered))

    async def _reply(self, session: Session, question: str) -> tuple[Clarification | None, CaseReply]:
        await session.ask(question, approve=APPROVED)
        await session.settled()
        reply = await _settled(session)
        waiting = session.transcript.waiting
        return (waiting.clarification if waiting is not None else None), reply

    @asynccontextmanager
    async def _session(self) -> AsyncGenerator[Session]:
        session = await self._workspace.create((self._address,))
        try:
            yield session
        finally:
            await self._workspace.delete(session.id)


async def _settled(session: Session) -> CaseReply:
    """What came of the turn that a session is through with."""
    turn = session.transcript.current
    assert turn is not None
    match turn.outcome:
        case "needs_clarification":
            back = turn.exchanges[-1].clarification
            return CaseReply(status="asked", text=f"{back.text} {' / '.join(back.options)}")
        case "declined" | "failed" as status:
            return CaseReply(status=status, text=_text(turn))
        case "answered" | "partial" | "needs_decision":
            result = _result(turn)
            view = None
            if result is not None:
                view = await asyncio.to_thread(session.table, result.id, rows_max=ROWS_MAX)
            if result is None or view is None:
                return CaseReply(status="failed", text=_text(turn) or "It gave no table.")
            sql = result.queries[-1].sql if result.queries else ""
            item = turn.proposal(result.id)
            rows = select_columns(view, item.proposal.asked).rows if item is not None else view.rows
            return CaseReply(status="answered", sql=sql, rows=rows, text=_text(turn))


def _result(turn: Turn) -> Execution | None:
    """The execution whose table is the result; None where something other than a chart of it waits for a person."""
    tables = [execution for execution in turn.executions if has_table(execution)]
    if turn.answer is not None and turn.answer.table is not None:
        return next((execution for execution in tables if execution.id == turn.answer.table), None)
    return tables[-1] if tables else None


def _text(turn: Turn) -> str:
    if turn.answer is not None:
        return turn.answer.text
    if turn.failed is not None:
        return turn.failed.message
    if turn.waiting is not None and turn.waiting.decision is not None:
        return f"A person has to decide: {turn.waiting.decision.reason}"
    return ""


def rows_of(table: ArrowTable) -> Rows:
    """The rows of an Arrow table as Python values."""
    columns = [column.to_pylist() for column in table.columns]
    return tuple(zip(*columns, strict=True)) if columns else ()
