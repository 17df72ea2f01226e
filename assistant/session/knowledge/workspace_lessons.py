"""The lessons of a workspace, as people read and remove them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.errors import AssistantError

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from assistant.lessons.lesson import KeptLesson
    from assistant.lessons.library import LessonLibrary
    from knowledge.sources.problems import Problem


class WorkspaceLessons:
    """The lessons that were kept for the default data.

    Args:
        library: Reads them.
        catalogs: Gives the catalogs of the default data.
        folder: Gives the knowledge folder to write to.
    """

    def __init__(
        self,
        library: Callable[[], Awaitable[LessonLibrary]],
        *,
        catalogs: Callable[[], Awaitable[Sequence[Catalog]]],
        folder: Callable[[], Awaitable[Path]],
    ) -> None:
        self._library = library
        self._catalogs = catalogs
        self._folder = folder

    async def read(self) -> tuple[KeptLesson, ...]:
        """All lessons; stale ones are not used.

        Callers: Anyone.
        """
        return await asyncio.to_thread((await self._library()).list_lessons, await self._catalogs())

    async def list_problems(self) -> tuple[Problem, ...]:
        """What is wrong with their files.

        Callers: Anyone.
        """
        return await asyncio.to_thread((await self._library()).list_problems)

    async def remove(self, lesson_id: str) -> None:
        """Remove a lesson.

        Callers: Anyone.

        Raises:
            AssistantError: there is no such lesson. Nothing changed.
        """
        from assistant.lessons.folder import remove_lesson

        if not await asyncio.to_thread(remove_lesson, await self._folder(), lesson_id):
            raise AssistantError(f"There is no lesson {lesson_id!r}. 'tandem lessons list' shows those that are kept.")
