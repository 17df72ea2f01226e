"""Keeps functions that a model wrote and a person approved, in the knowledge folder of a session's data."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from assistant.core.events import WrittenFunction
from assistant.errors import AssistantError
from assistant.functions.folder import FOLDER, keep_function
from assistant.functions.library import FunctionLibrary
from assistant.functions.specifying import make_function
from assistant.functions.testing import CaseResult, SuiteRun


class WrittenFunctionStore:
    """Where approved functions are kept.

    Args:
        library: The functions that there are.
        place: Gives the knowledge folder to write to. Blocks.
        person: Says who keeps them.
        today: Gives the day.
    """

    def __init__(
        self,
        library: FunctionLibrary,
        *,
        place: Callable[[], Path],
        person: Callable[[], str],
        today: Callable[[], date],
    ) -> None:
        self._library = library
        self._place = place
        self._person = person
        self._today = today

    async def keep(self, functions: Sequence[WrittenFunction]) -> None:
        """Keep functions, each after those that it needs.

        Raises:
            AssistantError: a function of that name came meanwhile, or the files cannot be draft.
            KnowledgeError: there is no folder to keep them in.
        """
        await asyncio.to_thread(self._keep, functions)

    def _keep(self, functions: Sequence[WrittenFunction]) -> None:
        folder = self._place() / FOLDER
        for draft in functions:
            existing = self._library.find(draft.name)
            if existing is not None and existing.source.code != draft.code:
                raise AssistantError(f"There is another function {draft.name!r} meanwhile. Nothing was replaced.")
        for draft in functions:
            function = make_function(draft, author=self._person(), date=self._today().isoformat())
            results = tuple(CaseResult(name=r.name, outcome=r.outcome, message=r.message) for r in draft.results)
            keep_function(folder, SuiteRun(function=function, results=results).mark_tested())
