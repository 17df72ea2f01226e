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
    return await waited_for(lambda: input(prompt))


async def waited_for(read: Callable[[], T]) -> T:
    """What `read`, which waits for the person, gives or raises. Cancelled, it is left to end with the program."""
    loop = asyncio.get_running_loop()
    said: asyncio.Future[T] = loop.create_future()

    def settle(done: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if said.done() else done())

    def reading() -> None:
        try:
            text = read()
        except BaseException as error:  # noqa: BLE001 - it is raised where the text was waited for
            raised = error
            settle(lambda: said.set_exception(raised))
        else:
            settle(lambda: said.set_result(text))

    threading.Thread(target=reading, name="typing", daemon=True).start()
    return await said
