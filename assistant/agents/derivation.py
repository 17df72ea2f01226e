"""How an answer was computed, from what ran. Pure; the same for every planner."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.core.events import Answer, Decision, Event, Execution, Plan, Proposal


def how_computed(turn: Sequence[Event]) -> tuple[str, ...]:
    """The operations of the cells that succeeded, in plain words, and the queries that ran for them."""
    lines: list[str] = []
    proposals = {event.id: event for event in turn if isinstance(event, Proposal)}
    edits = edited(turn)
    for event in turn:
        if not isinstance(event, Execution) or event.status != "ok":
            continue
        proposal = proposals.get(event.id)
        if event.id in edits:
            lines.append("You changed the code of this step; the result is your version's.")
        elif proposal is not None:
            lines += proposal.operations or (proposal.title,)
        for run in event.queries:
            rows = "1 row" if run.rows == 1 else f"{run.rows:,} rows"
            took = f"{run.seconds:.2f} s" if run.seconds >= 0.01 else "less than 0.01 s"
            lines.append(f"{run.source}: {rows} in {took}")
    return tuple(lines)


def last_computed(log: Sequence[Event]) -> str | None:
    """How the last answer that was computed came about, in Markdown; None where there is none."""
    answers = [e for e in log if isinstance(e, Answer) and e.status == "answered" and e.how]
    if not answers:
        return None
    answer = answers[-1]
    plan = next((e for e in reversed(log) if isinstance(e, Plan) and e.turn == answer.turn), None)
    subject = f": {plan.restated}" if plan is not None and plan.restated else ""
    lines = (*answer.how, *dict.fromkeys(answer.notes))
    return "\n".join((f"This is how the last answer was computed{subject}.", "", *(f"- {said}" for said in lines)))


def edited(turn: Sequence[Event]) -> frozenset[str]:
    """The proposals whose code the person changed by hand; an edit that was given up again does not count."""
    last = {e.ref: e.action for e in turn if isinstance(e, Decision) and e.subject == "code"}
    return frozenset(ref for ref, action in last.items() if action == "edit")
