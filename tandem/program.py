"""The workspace of this process, on an event loop of its own, because a notebook already runs one."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from assistant.api.loop import Loop
    from assistant.api.workspace import Workspace

T = TypeVar("T")


class Program:
    """An open workspace and the loop that it lives on."""

    def __init__(self, loop: Loop, opened: AbstractAsyncContextManager[Workspace]) -> None:
        self._loop = loop
        self._close = asyncio.Event()
        opening: concurrent.futures.Future[Workspace] = concurrent.futures.Future()
        self._life = loop.begin(self._live(opened, opening))
        self.workspace = opening.result()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the loop and wait for it."""
        return self._loop.begin(work).result()

    def close(self) -> None:
        """Close the workspace and the loop."""
        self._loop.begin(self._ask_to_close()).result()
        self._life.result()
        self._loop.close()

    async def _live(
        self,
        opened: AbstractAsyncContextManager[Workspace],
        opening: concurrent.futures.Future[Workspace],
    ) -> None:
        """Open, wait and close in one task: what is opened may belong to the task that opened it."""
        try:
            async with opened as workspace:
                workspace.warm()
                opening.set_result(workspace)
                await self._close.wait()
        except BaseException as error:
            if opening.done():
                raise
            opening.set_exception(error)

    async def _ask_to_close(self) -> None:
        self._close.set()


@cache
def get_program() -> Program:
    """The program of this process, opened by its first question and closed at its end.

    Raises:
        AssistantError: the settings are wrong, or the session store cannot be used.
    """
    from assistant.api.loop import Loop
    from assistant.api.opening import open_workspace

    loop = Loop()
    loop.start()
    try:
        instance = Program(loop, open_workspace())
    except BaseException:
        loop.close()
        raise
    # Closing needs threads, and `atexit` runs when no executor takes work any more. AnyIO ends its thread so too.
    threading._register_atexit(close)  # type: ignore[attr-defined]
    return instance


def close() -> None:
    """Let all sessions of this process go. They stay in the store; the next question opens it again."""
    if get_program.cache_info().currsize:
        get_program().close()
        get_program.cache_clear()
