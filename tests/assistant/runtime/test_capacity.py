"""Capacity for kernels: who used theirs least recently gives way, who is at work never does."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from conversation import CELL, Stage, Told, last

from assistant.core.events import Answer, Execution, KernelRestarted
from assistant.runtime import capacity
from assistant.runtime.capacity import KernelCapacity
from sandbox.errors import SandboxBusy

ALL = ("plan", "query", "python")


class Sitting:
    """A tenant that notes when it is parked."""

    def __init__(self, shared: KernelCapacity, *, at_work: bool = False) -> None:
        self.shared, self.at_work, self.parked = shared, at_work, 0

    async def park(self) -> bool:
        if self.at_work:
            return False
        self.parked += 1
        self.shared.leave(self)
        return True

    async def lease(self) -> Sitting:
        await asyncio.sleep(0)
        return self


async def test_the_least_recently_used_gives_way_and_who_is_at_work_does_not() -> None:
    async with KernelCapacity(kernels_max=3) as shared:
        first, second, third, fourth = (Sitting(shared) for _ in range(4))
        for one in (first, second, third):
            await shared.take(one, one.lease)
        shared.use(first)
        third.at_work = True
        await shared.take(fourth, fourth.lease)
        assert [one.parked for one in (first, second, third, fourth)] == [0, 1, 0, 0]
        first.at_work = fourth.at_work = True
        with pytest.raises(SandboxBusy, match="All 3 kernels"):
            await shared.take(second, second.lease)
        assert shared.taken == 3
        await shared.take(first, first.lease)  # it has its place


def test_many_at_once_never_take_more_places_than_there_are() -> None:
    async def scenario() -> None:
        async with KernelCapacity(kernels_max=4) as shared:
            most = 0

            async def sit() -> None:
                nonlocal most
                one = Sitting(shared)
                await shared.take(one, one.lease)
                most = max(most, shared.taken)

            await asyncio.gather(*(sit() for _ in range(50)))
            assert most == 4

    asyncio.run(scenario())


async def test_a_lease_that_fails_leaves_its_place() -> None:
    async with KernelCapacity(kernels_max=1) as shared:

        async def fails() -> None:
            raise OSError("no")

        with pytest.raises(OSError, match="no"):
            await shared.take(Sitting(shared), fails)
        assert shared.taken == 0


async def test_another_is_parked_where_descriptors_run_out_before_places_do() -> None:
    async with KernelCapacity(kernels_max=9) as shared:
        idle, asking = Sitting(shared), Sitting(shared)
        await shared.take(idle, idle.lease)

        async def lease() -> str:
            if not idle.parked:
                raise SandboxBusy("too few descriptors")
            return "leased"

        assert await shared.take(asking, lease) == "leased"
        assert shared.taken == 1


async def test_who_is_idle_for_the_set_time_is_parked() -> None:
    async with KernelCapacity(kernels_max=9, idle_s=0.05) as shared:
        idle, working = Sitting(shared), Sitting(shared, at_work=True)
        for one in (idle, working):
            await shared.take(one, one.lease)
        async with asyncio.timeout(60):
            while not idle.parked:
                await asyncio.sleep(0.01)
        assert shared.taken == 1


def test_half_of_the_memory_is_for_kernels() -> None:
    assert capacity.limit_by_memory(16 << 30) == 128
    assert capacity.limit_by_memory(64 << 20) == 2


async def test_a_parked_kernel_comes_back_with_its_state(tmp_path: Path) -> None:
    shared = KernelCapacity(idle_s=0.2)
    stage = Stage(tmp_path, Told(cells=(("sql", CELL), ("python", "mine = int(revenue['revenue'].max())"))))
    stage.places = shared
    async with stage.session() as session:
        await session.ask("What is the revenue by region?", approve=ALL)
        await session.settled()
        async with asyncio.timeout(60):
            while shared.taken:
                await asyncio.sleep(0.01)
        stage.told.cells = (("python", "mine"),)
        await session.ask("And now?", approve=ALL)
        await session.settled()
        again = last(session, Execution)
        assert isinstance(again, Execution)
        assert again.outputs[0]["data"]["text/plain"] == "15"  # type: ignore[index, call-overload]
        rebuilt = last(session, KernelRestarted)
        assert isinstance(rebuilt, KernelRestarted)
        assert (rebuilt.rerun, rebuilt.lost, rebuilt.drifted) == (2, (), ())
        assert rebuilt.reason == "The kernel had been let go, as nobody used it."


async def test_a_cell_without_a_place_says_busy_and_runs_when_asked_again(tmp_path: Path) -> None:
    shared = KernelCapacity(kernels_max=1)
    stage = Stage(tmp_path, places=shared)
    async with stage.session() as session:
        other = Sitting(shared, at_work=True)
        await shared.take(other, other.lease)
        await session.ask("What is the revenue by region?", approve=ALL)
        await session.settled()
        told = last(session, Execution)
        assert isinstance(told, Execution)
        assert told.failure is not None
        assert (told.failure.kind, "Try again" in told.failure.message) == ("busy", True)
        shared.leave(other)
        await session.ask("What is the revenue by region?", approve=ALL)
        await session.settled()
        answer = last(session, Answer)
        assert isinstance(answer, Answer)
        assert answer.status == "answered"
        assert not [entry for entry in session.events() if isinstance(entry.event, KernelRestarted)]
