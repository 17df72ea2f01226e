"""The tested functions of a workspace: read, test, add and remove."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.errors import AssistantError
from sandbox.errors import SandboxError

if TYPE_CHECKING:
    from assistant.functions.function import Function
    from assistant.functions.library import FunctionLibrary
    from assistant.functions.testing import KernelMaker, SuiteRun
    from knowledge.sources.problems import Problem


class WorkspaceFunctions:
    """The functions that ship and those of the default data's knowledge folder.

    Args:
        library: Reads them.
        folder: Gives the folder of functions to write to.
        kernel: Makes a kernel for their tests.
        person: Says who keeps them.
        today: Gives the day.
    """

    def __init__(
        self,
        library: Callable[[], Awaitable[FunctionLibrary]],
        *,
        folder: Callable[[], Awaitable[Path]],
        kernel: KernelMaker,
        person: Callable[[], str],
        today: Callable[[], date],
    ) -> None:
        self._library = library
        self._folder = folder
        self._kernel = kernel
        self._person = person
        self._today = today

    async def read(self) -> tuple[Function, ...]:
        """All functions, by name.

        Callers: Anyone.
        """
        return await asyncio.to_thread((await self._library()).list_functions)

    async def list_problems(self) -> tuple[Problem, ...]:
        """What is wrong with their files.

        Callers: Anyone.
        """
        return await asyncio.to_thread((await self._library()).list_problems)

    async def test(self, name: str) -> SuiteRun:
        """Run a function's tests in the cage. Where a kept one passes, that is written to its file.

        Callers: Anyone.

        Raises:
            AssistantError: there is no such function, or no kernel can be started.
        """
        from assistant.functions.folder import keep_function

        function = await self._find(name)
        run = await self._run_tests(function)
        if run.all_tests_passed and not function.is_shipped and function.tested != function.sha256:
            await asyncio.to_thread(keep_function, await self._folder(), run.mark_tested())
        return run

    async def keep(self, name: str, code: str, tests: str) -> SuiteRun:
        """Test a function, and keep it where all of its tests pass; else nothing is written.

        Callers: Anyone.

        Raises:
            AssistantError: the code does not define it, or it cannot be tested or written. Nothing changed.
        """
        from assistant.functions.folder import keep_function
        from assistant.functions.function import parse_function

        today = self._today().isoformat()
        run = await self._run_tests(parse_function(name, code, tests=tests, author=self._person(), date=today))
        if run.all_tests_passed:
            function = run.mark_tested()
            await asyncio.to_thread(keep_function, await self._folder(), function)
            return replace(run, function=function)
        return run

    async def remove(self, name: str) -> tuple[str, ...]:
        """Remove a kept function. Gives the names of those that need it, and will not run any more.

        Callers: Anyone.

        Raises:
            AssistantError: there is no such function, or it came with Tandem. Nothing changed.
        """
        from assistant.functions.folder import remove_function

        function = await self._find(name)
        if function.is_shipped:
            raise AssistantError(f"{name!r} came with Tandem and stays.")
        needing = tuple(user.name for user in await self.read() if name in user.needs)
        await asyncio.to_thread(remove_function, await self._folder(), name)
        return needing

    async def _find(self, name: str) -> Function:
        library = await self._library()
        function = await asyncio.to_thread(library.find, name)
        if function is None:
            names = ", ".join(function.name for function in await self.read())
            raise AssistantError(f"There is no function {name!r}. There are {names}.")
        return function

    async def _run_tests(self, function: Function) -> SuiteRun:
        from assistant.functions.testing import run_tests

        sources = {entry.name: entry.source for entry in await self.read()}
        try:
            return await run_tests(function, sources.get, kernel=self._kernel)
        except SandboxError as error:
            raise AssistantError(f"The tests of {function.name!r} did not run: {error}") from error
