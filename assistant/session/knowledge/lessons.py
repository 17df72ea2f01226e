"""Lessons of a session: those that its repaired failures offer, and those that a person kept for its data."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from assistant.core.events import LessonDecided
from assistant.core.turns import ProposalItem, Turn
from assistant.errors import SessionError
from assistant.lessons.folder import keep_lesson, remove_lesson
from assistant.lessons.lesson import KeptLesson, Lesson, find_lessons
from assistant.lessons.library import LessonLibrary
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from assistant.session.knowledge.ledger import LedgerLog
    from assistant.session.runs.runs import Runs


class SessionLessons:
    """What a session's repaired failures show, for a person to keep or to drop.

    Args:
        log: The session's log.
        runs: What runs on the session; while something is written, nothing else does.
        library: The lessons that were kept for its data.
        catalogs: Gives its catalogs.
        place: Gives the knowledge folder to write to; raises KnowledgeError without one. Blocks.
        person: Gives the name of who keeps them.
        today: Gives the day.
    """

    def __init__(
        self,
        *,
        log: LedgerLog,
        runs: Runs,
        library: LessonLibrary,
        catalogs: Callable[[], Awaitable[Sequence[Catalog]]],
        place: Callable[[], Path],
        person: Callable[[], str],
        today: Callable[[], date],
    ) -> None:
        self._log = log
        self._runs = runs
        self._library = library
        self._catalogs = catalogs
        self._place = place
        self._person = person
        self._today = today

    async def list_offers(self) -> tuple[Lesson, ...]:
        """The lessons that nobody kept or dropped yet, the latest last.

        Callers: Anyone.
        """
        catalogs = await self._catalogs()
        existing = {entry.lesson.id for entry in await asyncio.to_thread(self._library.list_lessons, catalogs)}
        return tuple(
            lesson
            for turn, lesson in await self._find(catalogs)
            if lesson.id not in {*existing, *turn.lesson_decisions}
        )

    async def list_kept(self) -> tuple[KeptLesson, ...]:
        """The lessons that were kept for this data; stale ones are not used.

        Callers: Anyone.
        """
        return await asyncio.to_thread(self._library.list_lessons, await self._catalogs())

    async def decide(self, lesson_id: str, action: Literal["keep", "drop"]) -> Path | None:
        """Keep a lesson as knowledge, or drop it. Gives its file.

        Callers: The owner.

        Raises:
            AssistantError: There is no such lesson, or it cannot be kept. Nothing changed.
        """
        async with self._runs.write():
            catalogs = await self._catalogs()
            match = next(
                ((turn, lesson) for turn, lesson in await self._find(catalogs) if lesson.id == lesson_id), None
            )
            if match is None:
                raise SessionError(f"This session has no lesson {lesson_id!r}.")
            turn, lesson = match
            try:
                place = await asyncio.to_thread(self._place)
            except KnowledgeError as error:
                raise SessionError(str(error)) from error
            file: Path | None = None
            if action == "keep":
                schema = await asyncio.to_thread(self._library.hash_scope, lesson, catalogs)
                dated = replace(lesson, schema=schema, author=self._person(), date=self._today().isoformat())
                file = await asyncio.to_thread(keep_lesson, place, dated)
            else:
                await asyncio.to_thread(remove_lesson, place, lesson_id)
            await self._log.append(
                LessonDecided(turn=turn.number, lesson=lesson_id, action=action, file=str(file) if file else "")
            )
            return file

    async def _find(self, catalogs: Sequence[Catalog]) -> list[tuple[Turn, Lesson]]:
        turns = tuple(turn for turn in self._log.transcript.turns if not turn.is_withheld)
        return await asyncio.to_thread(_find_lessons, turns, {c.source: c.dialect for c in catalogs})


def _find_lessons(turns: Sequence[Turn], dialects: Mapping[str, str]) -> list[tuple[Turn, Lesson]]:
    """The lessons of turns, with the tables that their queries read. Blocks: it reads SQL."""
    from assistant.session.answers.verifying import tables_of  # it loads the SQL parser

    def list_tables(item: ProposalItem) -> tuple[str, ...]:
        runs = item.execution.queries if item.execution is not None else ()
        return tuple(dict.fromkeys(name for r in runs for name in tables_of(r.sql, dialects.get(r.source, ""))))

    return [(turn, lesson) for turn in turns for lesson in find_lessons(turn, list_tables)]
