"""The priority lock: strict order, one holder, and nobody lost when some give up waiting."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from sandbox.priority_lock import PriorityLock


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=12))
def test_it_goes_to_the_first_who_still_waits(callers: list[tuple[bool, bool]]) -> None:
    """Each caller is (stands in front, gives up)."""

    async def scenario() -> None:
        lock, order, expected = PriorityLock(), list[int](), list[int]()

        async def call(number: int, *, first: bool) -> None:
            async with lock.held(first=first):
                order.append(number)
                await asyncio.sleep(0)

        async with lock.held():
            tasks: list[asyncio.Task[None]] = []
            for number, (first, gives_up) in enumerate(callers):
                tasks.append(asyncio.create_task(call(number, first=first)))
                await asyncio.sleep(0)
                if not gives_up:
                    expected.insert(0 if first else len(expected), number)
        for task, (_, gives_up) in zip(tasks, callers, strict=True):
            if gives_up:
                task.cancel()  # in the very moment in which the lock is handed on
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order == expected
        async with asyncio.timeout(60), lock.held():
            pass

    asyncio.run(scenario())
