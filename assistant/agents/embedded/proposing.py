"""What every proposal of the embedded coder is made with: the queries in its code, a question back, a step left out."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.data.cells import Problem, literal_queries
from assistant.events import Clarification, Event, Query, StepSkipped

LEAVE_OUT = "Leave this step out"


def queries_in(code: str) -> tuple[Query, ...]:
    """The literal queries of a cell; none where they cannot be told."""
    found = literal_queries(code)
    return () if isinstance(found, Problem) else tuple(Query(sql=q.sql, source=q.source) for q in found)


def ask(turn: Sequence[Event], text: str, options: tuple[str, ...] = ()) -> Clarification:
    """A question back about a step; leaving the step out is always among the answers."""
    number = 1 + sum(1 for event in turn if isinstance(event, Clarification))
    return Clarification(
        turn=turn[0].turn,
        id=f"{turn[0].turn}.clarification.{number}",
        asker="coder",
        text=text,
        options=(*options, LEAVE_OUT),
    )


def skipped(turn: Sequence[Event], step: int, reason: str) -> StepSkipped:
    """A Python step that needs no code."""
    return StepSkipped(turn=turn[0].turn, step=step, language="python", reason=reason)
