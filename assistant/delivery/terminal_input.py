"""Reads what the person types, so that Ctrl+C ends the wait.

A thread that reads from the terminal cannot be cancelled, and asyncio waits for threads of its own pool at exit: after
Ctrl+C the program would wait until somebody pressed Enter.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def typed(prompt: str) -> str:
    """What the person types after `prompt`.

    Raises:
        EOFError: there is nobody to type.
    """
    return await wait_for_input(lambda: input(prompt))


async def wait_for_input(prompt: Callable[[], T]) -> T:
    """What `prompt`, which waits for the person, gives or raises. Cancelled, it is left to end with the program."""
    loop = asyncio.get_running_loop()
    reply: asyncio.Future[T] = loop.create_future()

    def settle(done: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if reply.done() else done())

    def reading() -> None:
        try:
            text = prompt()
        except BaseException as error:  # noqa: BLE001 - it is raised where the text was waited for
            raised = error
            settle(lambda: reply.set_exception(raised))
        else:
            settle(lambda: reply.set_result(text))

    threading.Thread(target=reading, name="typing", daemon=True).start()
    return await reply
