"""Knowledge of the default data: read and edited before any session."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.analyst.outcomes import Explanation
    from assistant.connections.descriptions import Starter
    from assistant.session.knowledge.default_knowledge import DefaultKnowledge
    from assistant.session.knowledge.defining import Defined, Definitions
    from assistant.session.knowledge.editing import Editing
    from assistant.session.knowledge.knowledge_cards import Knowledge
    from assistant.session.knowledge.workspace_functions import WorkspaceFunctions
    from assistant.session.knowledge.workspace_lessons import WorkspaceLessons
    from assistant.session.session import Session


class WorkspaceKnowledge:
    """The knowledge of the default data.

    Args:
        knowledge: What is known.
        definitions: Keeps a person's own definitions.
        editing: Makes what changes entries, when a page first does: it imports the compiler to SQL.
        functions: The tested functions.
        lessons: What repaired failures showed.
    """

    def __init__(
        self,
        knowledge: DefaultKnowledge,
        *,
        definitions: Definitions,
        editing: Callable[[], Editing],
        functions: WorkspaceFunctions,
        lessons: WorkspaceLessons,
    ) -> None:
        self._known = knowledge
        self._definitions = definitions
        self._editing = editing
        self.functions = functions
        """The functions that cells may import, with their tests."""
        self.lessons = lessons
        """What repaired failures showed, as it was kept."""

    @cached_property
    def entries(self) -> Editing:
        """What a person changes of the knowledge, one entry at a time.

        Callers: Anyone.
        """
        return self._editing()

    async def read(self) -> Knowledge:
        """What the organisation means by the default data: terms, metrics, rules, verified queries, notes.

        Callers: Anyone.
        """
        return await self._known.entries()

    async def starters(self, session: Session | None = None, *, quick: bool = False) -> tuple[Starter, ...]:
        """Six questions on the session's or the default data, each tried; `quick` ones are made of its tables alone.

        Callers: Anyone.
        """
        if quick:
            return await self._known.quick_starters()
        return await self._known.starters(None if session is None else await session.analyst())

    async def explain(self, question: str) -> Explanation | None:
        """How the embedded analyst reads a question about the default data; None where it has no reading.

        Callers: Anyone.
        """
        return await self._known.explain(question)

    async def define(self, word: str, meaning: str, *, instead_of: str = "") -> Defined:
        """Keep a person's own definition of a word, beside the default data; `instead_of` the one of that id.

        Callers: Anyone.

        Raises:
            AssistantError: it says nothing, the word is defined already, or it cannot be kept. Nothing changed.
        """
        return await self._definitions.keep(word, meaning, instead_of=instead_of)

    async def undefine(self, definition: str) -> str:
        """Remove a definition that was kept here, by its id. Gives the file in which it stood.

        Callers: Anyone.

        Raises:
            AssistantError: it is gone, was written or edited by hand, or cannot be removed. Nothing changed.
        """
        return await self._definitions.remove(definition)

    async def revoke_query(self, query: str) -> str:
        """Keep a verified query no more, by its id. Gives the file in which it stood.

        The sessions in which it was marked are not told: `Workspace.revoke` tells them.

        Callers: The program.

        Raises:
            AssistantError: it is gone, was written or edited by hand, or cannot be removed. Nothing changed.
        """
        return await self._known.revoke_query(query)
