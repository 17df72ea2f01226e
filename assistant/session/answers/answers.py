"""Actions of a person on an answer: mark it right or wrong, change its display, run its query again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import JsonValue

from assistant.cells.tables import TableView, make_view
from assistant.core.events import Appearance, Execution, Verified
from assistant.core.flow import find_last_turn
from assistant.errors import SessionError
from assistant.query.guard import check

if TYPE_CHECKING:
    from assistant.session.answers.presenting import Presentation
    from assistant.session.answers.verifying import Verification
    from assistant.session.runs.runs import Runs
    from assistant.sources.sources import Source


class Answers:
    """The answers of one session.

    Args:
        runs: What runs on the session; while a mark is written, nothing does.
        verifying: Marks answers right.
        presenting: Changes how answers are shown.
    """

    def __init__(self, runs: Runs, *, verifying: Verification, presenting: Presentation) -> None:
        self._runs = runs
        self._verifying = verifying
        self._presenting = presenting

    def why_not_verifiable(self, turn: int) -> str:
        """Why a turn's answer cannot be marked right, as far as the log tells; empty where it can.

        Callers: The owner.
        """
        return self._verifying.why_not_verifiable(turn)

    async def suggest_question(self, turn: int) -> str:
        """The question under which a turn's answer is kept if it is marked right; empty where the person has to say it.

        Callers: The owner.
        """
        return await self._verifying.suggest_question(turn)

    async def verify(self, turn: int, *, question: str = "") -> Verified:
        """Mark a turn's answer right: its question and its code are kept in the knowledge folder.

        Callers: The owner.

        Args:
            turn: the turn.
            question: the question in words that stand alone; as suggested where it is empty.

        Raises:
            AssistantError: it cannot be marked or kept; nothing changed.
        """
        async with self._runs.turn(), self._runs.alone():
            return await self._verifying.verify(turn, question=question)

    async def revoke(self, turn: int) -> bool:
        """Take back that a turn's answer is right. False where no mark stands.

        Callers: The owner.

        Raises:
            AssistantError: what was kept was edited by hand meanwhile, or cannot be removed; nothing changed.
        """
        async with self._runs.turn(), self._runs.alone():
            return await self._verifying.revoke(turn)

    async def dispute(self, turn: int, note: str = "", *, stands: bool = True) -> None:
        """Say that a turn's answer is wrong, and why; or, with `stands` False, take that back.

        Callers: The owner.
        """
        async with self._runs.turn(), self._runs.alone():
            await self._presenting.dispute(turn, note, stands=stands)

    async def present(self, turn: int, look: Appearance) -> None:
        """Show a turn's answer so from now on: its chart, order and format. Nothing runs for it.

        Callers: The owner.
        """
        async with self._runs.write():
            await self._presenting.present(turn, look)

    async def present_in_words(self, text: str) -> bool:
        """Show the last answer as the words say, if they say nothing else; False where they are a question.

        Callers: The owner.
        """
        if self._runs.state != "idle":
            return False
        async with self._runs.write():
            return self._runs.state == "idle" and await self._presenting.present_in_words(text)

    async def ask_for_rows_under(self, execution: str, row: Mapping[str, object]) -> None:
        """Put the query for the rows under one row of a result forward, as a turn of its own.

        Callers: The owner.

        Args:
            execution: the execution that gave the result.
            row: the row, by the names of its columns.

        Raises:
            SessionError: its query adds nothing up or cannot be read, or the session is at work.
        """
        under = await self._presenting.under(execution, row)
        async with self._runs.turn():
            await self._runs.start(lambda log: under(find_last_turn(log) + 1))

    async def picture(self, specification: Mapping[str, JsonValue], kind: Literal["png", "svg"]) -> bytes:
        """A chart as a picture.

        Callers: The owner.

        Raises:
            SessionError: it is not safe to draw, or cannot be drawn.
        """
        from assistant.output.notebook.drawing import picture_of

        picture = await asyncio.to_thread(picture_of, specification, kind)
        if picture is None:
            raise SessionError("The chart could not be drawn as a picture. Download it as Vega, or try again.")
        return picture


async def rerun(execution: Execution | None, sources: Sequence[Source], *, rows_max: int) -> TableView:
    """Run the last query of an execution again: the very text that ran, past the guard and under the query limits.

    Raises:
        SessionError: It did not run, or was no query, or its source is gone.
        DataError: It cannot run any more.
    """
    if execution is None or execution.status != "ok" or execution.language != "sql" or not execution.queries:
        raise SessionError("That answer has no query that ran, so it cannot be refreshed. It stays as it was.")
    ran = execution.queries[-1]
    source = next((candidate for candidate in sources if candidate.name == ran.source), None)
    if source is None:
        raise SessionError(f"Its source {ran.source!r} is not connected any more.")
    refusal = await asyncio.to_thread(check, ran.sql, dialect=source.dialect, functions=source.functions)
    if refusal is not None:
        raise SessionError(refusal.message)
    result = await source.run(ran.sql, json.loads(ran.parameters) if ran.parameters else None)
    return await asyncio.to_thread(make_view, result.table, rows_max=rows_max)
