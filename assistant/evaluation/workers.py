"""Worker processes that share a suite's questions. Each runs the program `assistant.evaluation.worker_program`.

A worker gets its task as one JSON line on standard input and answers with a JSON line for each record. SIGTERM stops
it; it then closes its kernels and deletes its home like any other run.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from assistant.evaluation.score import CaseRecord
from assistant.evaluation.suite import SuiteError
from assistant.settings.config import Settings

if TYPE_CHECKING:
    from assistant.evaluation.suite import Case, Suite

_LINE_BYTES_MAX = 2**24
_GRACE_S = 20.0


class Task(BaseModel):
    """What a worker is to do: the questions of these ids."""

    model_config = ConfigDict(frozen=True)

    suite: Path
    ids: tuple[str, ...]
    settings: Settings


class WorkerMessage(BaseModel):
    """What a worker says: a record, or why it cannot go on."""

    model_config = ConfigDict(frozen=True)

    record: CaseRecord | None = None
    error: str = ""


async def answer_in_processes(
    suite: Suite,
    cases: Sequence[Case],
    *,
    settings: Settings,
    jobs: int,
    done: Callable[[CaseRecord], None],
) -> None:
    """Ask cases in `jobs` processes, those of one source together as far as that goes.

    Raises:
        SuiteError: a worker could not go on, or ended early.
    """
    ordered = sorted(cases, key=lambda case: case.source)
    size = -(-len(ordered) // jobs)
    parts = [ordered[start : start + size] for start in range(0, len(ordered), size)]
    try:
        async with asyncio.TaskGroup() as group:
            for part in parts:
                task = Task(
                    suite=suite.path.absolute(),
                    ids=tuple(case.id for case in part),
                    settings=settings.model_copy(update={"home": settings.home.absolute()}),
                )
                group.create_task(_worker(task, done))
    except* SuiteError as errors:
        raise errors.exceptions[0] from None


async def _worker(task: Task, done: Callable[[CaseRecord], None]) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # the working folder may hold modules of any name
        "-m",
        "assistant.evaluation.worker_program",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=_LINE_BYTES_MAX,
        start_new_session=True,  # Ctrl-C is for the program that the person started; it stops its workers
    )
    assert process.stdin is not None  # it is a pipe, and so is the output
    assert process.stdout is not None
    try:
        process.stdin.write(task.model_dump_json().encode() + b"\n")
        await process.stdin.drain()
        process.stdin.close()
        async for line in process.stdout:
            message = WorkerMessage.model_validate_json(line)
            if message.record is None:
                raise SuiteError(message.error)
            done(message.record)
        status = await process.wait()
    except (BrokenPipeError, ConnectionResetError):
        status = await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_GRACE_S):
                    await process.wait()
        if process.returncode is None:
            process.kill()
            await process.wait()
    if status != 0:
        raise SuiteError(
            f"A process of the evaluation ended early, with status {status}. Run it again: with --out it goes on."
        )
