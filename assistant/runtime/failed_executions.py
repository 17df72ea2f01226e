"""Execution events for cells that never ran or whose kernel was lost. Pure."""

from __future__ import annotations

from assistant.core.events import Execution, ExecutionStarted, Failure


def make_failed(started: ExecutionStarted, failure: Failure) -> Execution:
    """The execution of a cell that failed without outputs."""
    return Execution(
        turn=started.turn,
        id=started.id,
        step=started.step,
        language=started.language,
        code=started.code,
        functions=started.functions,
        status="failed",
        failure=failure,
    )


def make_interrupted(started: ExecutionStarted, message: str) -> Execution:
    """The execution of a cell that began and did not come to its end."""
    return make_failed(started, Failure(kind="interrupted", name="Interrupted", message=message))
