"""The lessons that a model is told of, where the same tables or functions are in play; each telling is logged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from assistant.core.events import Looked, Role
from assistant.lessons.library import LessonLibrary, describe_lessons
from assistant.record.memory.wording import SEES_RESULTS
from knowledge.fencing import fence_text

if TYPE_CHECKING:
    from assistant.agents.model.dialogue import Dialogue
    from assistant.core.catalog import Catalog

LESSONS_TITLE = "Lessons from failures that a person kept"


class LessonTeller:
    """Tells one role's model of lessons.

    Args:
        dialogue: Its line to the model.
        role: The role.
        library: The lessons that were kept for the session's data.
    """

    def __init__(self, dialogue: Dialogue, *, role: Role, library: LessonLibrary) -> None:
        self._dialogue = dialogue
        self._role: Role = role
        self._library = library

    async def tell(self, catalogs: Sequence[Catalog], *, tables: Collection[str], text: str, turn: int) -> str:
        """The lessons about some tables, or about functions that a text names; empty where there is none.

        Args:
            catalogs: The session's catalogs.
            tables: The tables in play.
            text: The question and the step.
            turn: The turn that it is logged under.
        """
        began = time.monotonic()
        lessons = await asyncio.to_thread(self._library.find, catalogs, tables=tables, functions=text.split())
        if not lessons:
            return ""
        scope = ", ".join(dict.fromkeys(name for lesson in lessons for name in (*lesson.tables, *lesson.functions)))
        await self._dialogue.log_look(
            Looked(
                turn=turn,
                role=self._role,
                look="lessons",
                asked=scope,
                found=", ".join(lesson.id for lesson in lessons),
                seconds=round(time.monotonic() - began, 3),
            )
        )
        return fence_text(describe_lessons(lessons, tells_signs=self._dialogue.sees in SEES_RESULTS))
