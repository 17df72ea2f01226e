"""The program of one evaluation worker: asks the questions of its task (`assistant.evaluation.workers`)."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import tempfile
from pathlib import Path

from assistant.errors import AssistantError
from assistant.evaluation.runner import answer
from assistant.evaluation.suite import read_suite
from assistant.evaluation.workers import Task, WorkerMessage


async def _work(folder: Path) -> None:
    stopped = asyncio.current_task()
    assert stopped is not None  # this is a coroutine
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.cancel)
    line = await asyncio.to_thread(sys.stdin.readline)
    try:
        task = Task.model_validate_json(line)
        suite = await asyncio.to_thread(read_suite, task.suite)
        ids = set(task.ids)
        cases = [case for case in suite.cases if case.id in ids]
        await answer(
            suite,
            cases,
            settings=task.settings,
            folder=folder,
            done=lambda record: print(WorkerMessage(record=record).model_dump_json(), flush=True),
        )
    except AssistantError as error:
        print(WorkerMessage(error=str(error)).model_dump_json(), flush=True)


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory(prefix="tandem-eval-") as own,
        contextlib.suppress(asyncio.CancelledError, KeyboardInterrupt),
    ):
        asyncio.run(_work(Path(own)))
