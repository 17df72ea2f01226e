"""The execution of a cell that began and did not come to its end. Pure."""

from __future__ import annotations

from assistant.events import Execution, ExecutionStarted, Failure


def interrupted(started: ExecutionStarted, message: str) -> Execution:
    """The execution of a cell that began and did not come to its end."""
    return Execution(
        turn=started.turn,
        id=started.id,
        step=started.step,
        language=started.language,
        code=started.code,
        status="failed",
        failure=Failure(kind="interrupted", name="Interrupted", message=message),
    )
