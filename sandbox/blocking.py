"""Runs blocking work off the event loop, also while the interpreter exits.

A front end may shut its kernels down in an exit handler (`jupyter run` does), where no thread can be started. Clean-up
then runs in the calling thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


async def in_thread(call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """What `call` returns or raises. Blocks the loop only where the interpreter is ending."""
    work = partial(call, *args, **kwargs)
    try:
        running = asyncio.get_running_loop().run_in_executor(None, work)
    except RuntimeError:  # "cannot schedule new futures after interpreter shutdown"
        return work()
    return await running


async def make_in_thread(make: Callable[[], _T], *, undo: Callable[[_T], object]) -> _T:
    """What `make` makes, in a thread. A thread cannot be cancelled: where this is, what it still makes is undone."""
    making = asyncio.create_task(in_thread(make))
    try:
        return await asyncio.shield(making)
    except asyncio.CancelledError:
        await asyncio.wait({making})
        if making.exception() is None:
            await in_thread(undo, making.result())
        raise
