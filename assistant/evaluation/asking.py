"""One question put to Tandem, and what came of it: through a whole session, or through the reader alone.

`SessionAsker` is the real thing: planner, coder, reviewer, guard, broker and kernel, plans and queries approved by
policy. Python is not approved: where a chart waits for its approval, the query's table is the result. `ReaderAsker`
leaves out the conversation and the kernel: the embedded analyst reads, the broker guards and runs. Neither judges.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from assistant.cells.tables import has_table, only
from assistant.errors import DataError
from assistant.events import Approvable, Clarification, DecisionRequested, Execution, Query
from assistant.turns import Turn

if TYPE_CHECKING:
    from assistant.analyst.analyst import Analyst
    from assistant.analyst.confidence import Result
    from assistant.data.broker import Broker
    from assistant.data.catalog import Catalog
    from assistant.data.sources import Source
    from assistant.data.values import ArrowTable, Budget
    from assistant.session.session import Session
    from assistant.session.workspace import Workspace
    from knowledge.similarity import Similarity

Status = Literal["answered", "asked", "declined", "failed"]
Rows = tuple[tuple[object, ...], ...]

APPROVED: tuple[Approvable, ...] = ("plan", "query")
OPTIONS_MAX = 3
"""How many of the readings that a question back offers are tried."""
ROWS_MAX = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came of a question. `rows` is None where there is no table; `text` says why, or what was asked back.

    `offered` holds the results of the first readings that a question back offered, likeliest first. `confidence` is
    the reader's, 0 to 1, where it is known.
    """

    status: Status
    sql: str = ""
    rows: Rows | None = None
    text: str = ""
    offered: tuple[Rows | None, ...] = ()
    confidence: float | None = None


class Asker(Protocol):
    """Puts questions to one source."""

    async def ask(self, question: str) -> Reply:
        """Ask a question that stands for itself: nothing of an earlier one is known."""
        ...


class SessionAsker:
    """Asks in a session of its own for each question, and deletes it afterwards."""

    def __init__(self, workspace: Workspace, address: str) -> None:
        self._workspace = workspace
        self._address = address

    async def ask(self, question: str) -> Reply:
        """Ask; where a question comes back, take each of its options in a session of its own as well."""
        async with self._session() as session:
            asked, reply = await self._reply(session, question)
        if asked is None or asked.asker != "planner":
            return reply
        offered: list[Rows | None] = []
        for option in asked.options[:OPTIONS_MAX]:
            async with self._session() as session:
                again, _ = await self._reply(session, question)
                if again is not None and await session.answer_clarification(again.id, option):
                    await session.settled()
                    offered.append((await _settled(session)).rows)
        return Reply(status="asked", text=reply.text, offered=tuple(offered))

    async def _reply(self, session: Session, question: str) -> tuple[Clarification | None, Reply]:
        await session.ask(question, approve=APPROVED)
        await session.settled()
        reply = await _settled(session)
        waiting = session.transcript.waiting
        return (waiting.request if waiting is not None and isinstance(waiting.request, Clarification) else None), reply

    @asynccontextmanager
    async def _session(self) -> AsyncGenerator[Session]:
        session = await self._workspace.create((self._address,))
        try:
            yield session
        finally:
            await self._workspace.delete(session.id)


async def _settled(session: Session) -> Reply:
    """What came of the turn that a session is through with."""
    turn = session.transcript.current
    assert turn is not None
    match turn.outcome:
        case "needs_clarification":
            assert isinstance(turn.pending, Clarification)
            return Reply(status="asked", text=f"{turn.pending.text} {' / '.join(turn.pending.options)}")
        case "declined" | "failed" as status:
            return Reply(status=status, text=_text(turn))
        case "answered" | "partial" | "needs_decision":
            result = _result(turn)
            view = None
            if result is not None:
                view = await asyncio.to_thread(session.table, result.id, rows_max=ROWS_MAX)
            if result is None or view is None:
                return Reply(status="failed", text=_text(turn) or "It gave no table.")
            sql = result.queries[-1].sql if result.queries else ""
            item = turn.proposal(result.id)
            rows = only(view, item.proposal.asked).rows if item is not None else view.rows
            return Reply(status="answered", sql=sql, rows=rows, text=_text(turn))


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
    if isinstance(turn.pending, DecisionRequested):
        return f"A person has to decide: {turn.pending.reason}"
    return ""


class Runner:
    """Runs queries behind guard and broker, each under a grant of its own; results go to `data` and are taken away."""

    def __init__(self, broker: Broker, *, data: Path) -> None:
        self._broker = broker
        self._data = data
        self._number = 0

    async def run(self, sql: str, source: str) -> Rows:
        """The rows of a query.

        Raises:
            DataError: it is refused, or does not run.
        """
        self._number += 1
        name = f"question-{self._number}"
        await self._broker.open_grant(name, [Query(sql=sql, source=source)])
        try:
            reply = await self._broker.serve(name, {"sql": sql, "source": source, "params": None})
        finally:
            await self._broker.close_grant(name)
        return await asyncio.to_thread(_taken, self._data / reply.file)


class ReaderAsker:
    """Asks the embedded analyst, and runs what it reads behind guard and broker."""

    def __init__(self, analyst: Analyst, broker: Broker, *, data: Path) -> None:
        self._analyst = analyst
        self._runner = Runner(broker, data=data)

    async def ask(self, question: str) -> Reply:
        """Ask, with the results of the likely readings; where a question comes back, run the first of its options."""
        from assistant.analyst.deciding import Runs
        from assistant.analyst.outcomes import Ambiguous, Declined, Told, Understood

        runs = Runs()
        read = await asyncio.to_thread(self._analyst.read, question, None, runs)
        if runs.wanted:
            runs.add({(source, sql): await self._result(sql, source) for source, sql in runs.wanted})
            read = await asyncio.to_thread(self._analyst.read, question, None, runs)
        match read:
            case Understood():
                sql = self._analyst.sql(read.meaning)
                try:
                    rows = await self._runner.run(sql, read.meaning.source)
                except DataError as error:
                    return Reply(status="failed", sql=sql, text=str(error), confidence=read.confidence)
                return Reply(status="answered", sql=sql, rows=rows, text=read.restated, confidence=read.confidence)
            case Ambiguous():
                offered: list[Rows | None] = []
                for _, meaning in read.options[:OPTIONS_MAX]:
                    try:
                        offered.append(await self._runner.run(self._analyst.sql(meaning), meaning.source))
                    except DataError:
                        offered.append(None)  # a reading that cannot be run is no right one
                labels = " / ".join(label for label, _ in read.options)
                return Reply(status="asked", text=f"{read.text} {labels}", offered=tuple(offered))
            case Told():
                return Reply(status="declined", text=read.text)
            case Declined():
                return Reply(status="declined", text=read.reason)

    async def _result(self, sql: str, source: str) -> Result | None:
        from assistant.analyst.confidence import Result

        try:
            return Result.of(await self._runner.run(sql, source))
        except DataError:
            return None


async def reader(source: Source, *, knowledge: Path | None, data: Path, budget: Budget, today: date) -> ReaderAsker:
    """An asker without conversation and kernel, on an open source and its knowledge folder; files go to `data`."""
    from assistant.data.broker import Broker

    await asyncio.to_thread(data.mkdir, parents=True, exist_ok=True)
    analyst = await asyncio.to_thread(_analyst, await source.catalog(), knowledge, today)
    return ReaderAsker(analyst, Broker({source.name: source}, folder=data, budget=lambda: budget), data=data)


def _analyst(catalog: Catalog, knowledge: Path | None, today: date) -> Analyst:
    from assistant.analyst.analyst import Analyst
    from knowledge.sources.folder import read_folder, without_doubles
    from knowledge.sources.schema import schema_documents

    written = read_folder(knowledge).documents if knowledge is not None else ()
    documents, _ = without_doubles((*written, *schema_documents(catalog.source, catalog.tables)))
    return Analyst([catalog], documents, today, alike=_similarity())


@cache
def _similarity() -> Similarity:
    from knowledge.embedding import choose_embedder
    from knowledge.similarity import Similarity

    return Similarity(choose_embedder)


def rows_of(table: ArrowTable) -> Rows:
    """The rows of an Arrow table as Python values."""
    columns = [column.to_pylist() for column in table.columns]
    return tuple(zip(*columns, strict=True)) if columns else ()


def _taken(path: Path) -> Rows:
    """The rows of a result that the broker wrote; the file goes."""
    import pyarrow as pa

    with pa.OSFile(str(path)) as file:
        rows = rows_of(pa.ipc.open_file(file).read_all())
    path.unlink()
    return rows
