"""How an answer was computed, from what ran. Pure; the same for every planner."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.core.events import Event
from assistant.core.turns import Turn, fold_events


def describe_computation(turn: Turn) -> tuple[str, ...]:
    """The operations of the cells that succeeded, in plain words, and the queries that ran for them."""
    lines: list[str] = []
    for execution in turn.ran:
        item = turn.proposal(execution.id)
        if item is not None and item.is_edited:
            lines.append("You changed the code of this step; the result is your version's.")
        elif item is not None:
            lines += item.proposal.operations or (item.proposal.title,)
        for run in execution.queries:
            rows = "1 row" if run.rows == 1 else f"{run.rows:,} rows"
            took = f"{run.seconds:.2f} s" if run.seconds >= 0.01 else "less than 0.01 s"
            lines.append(f"{run.source}: {rows} in {took}")
    return tuple(lines)


def describe_last_computation(log: Sequence[Event]) -> str | None:
    """How the last answer that was computed came about, in Markdown; None where there is none."""
    for turn in reversed(fold_events(log).turns):
        if (answer := turn.answer) is not None and answer.status == "answered" and answer.how:
            subject = f": {turn.plan.restated}" if turn.plan is not None and turn.plan.restated else ""
            lines = (*answer.how, *dict.fromkeys(answer.notes))
            first = f"This is how the last answer was computed{subject}."
            return "\n".join((first, "", *(f"- {line}" for line in lines)))
    return None
