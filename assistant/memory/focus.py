"""What a follow-up refers to: "only 2025", "by region instead", "as a bar chart" speak of the last answered turn.

Turns that were declined, failed or stopped, or that only spoke ("explain this answer", "thanks"), are passed over, as a
person would: after "I did not understand that", the next "by region" still means the result before. Nothing is
interpreted here; that is for whoever plans.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.cells.charts import has_chart
from assistant.events import Answer, Decision, Event, Execution, Plan, Proposal, Question, Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """The last answered turn, as far as a follow-up needs it; empty where no turn was answered yet.

    Attributes:
        turn: Its number; None where there is none.
        question: What was asked.
        plan_meaning: The last plan's meaning as JSON; None where no analyst wrote one.
        proposal_meaning: The meaning behind the last code that ran well, as JSON; None likewise.
        edited: The person changed that code or plan by hand, so the meanings no longer say all of it.
        assumptions: What its plan took for granted.
        cited: The ids of the documents its plan rests on.
        trust: Whether its plan was made of a verified query.
        sql: The last query that ran.
        source: The source it ran on.
        variable: The kernel's name for the last result; of a table that was drawn, the table's.
        columns: That result's columns.
        execution: The id of the last cell that ran well.
        chart: The id of the execution whose chart was shown, if any.
    """

    turn: int | None = None
    question: str | None = None
    plan_meaning: str | None = None
    proposal_meaning: str | None = None
    edited: bool = False
    assumptions: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    trust: Trust = "new"
    sql: str | None = None
    source: str | None = None
    variable: str | None = None
    columns: tuple[str, ...] = ()
    execution: str | None = None
    chart: str | None = None


def focus(events: Sequence[Event]) -> Focus:
    """Find what a follow-up refers to."""
    turns = _answered(events)
    return _of_turn(*turns[-1]) if turns else Focus()


def answered(events: Sequence[Event]) -> tuple[Focus, ...]:
    """Every turn that was answered, the newest last."""
    return tuple(_of_turn(*turn) for turn in _answered(events))


def _answered(events: Sequence[Event]) -> list[tuple[int, list[Event], Answer]]:
    """The turns that were answered by a plan or by code, each with its own events and its answer."""
    answers = {event.turn: event for event in events if isinstance(event, Answer)}
    turns: dict[int, list[Event]] = {turn: [] for turn in sorted(answers) if answers[turn].status == "answered"}
    for event in events:
        if event.turn in turns:
            turns[event.turn].append(event)
    return [
        (turn, own, answers[turn])
        for turn, own in turns.items()
        if any(isinstance(event, Plan | Execution) for event in own)
    ]


def _of_turn(turn: int, events: Sequence[Event], answer: Answer) -> Focus:
    question: str | None = None
    plan: Plan | None = None
    proposals: dict[str, Proposal] = {}
    edited: set[str] = set()
    ran: list[Execution] = []
    for event in events:
        match event:
            case Question(text=text):
                question = text
            case Plan():
                plan = event
            case Proposal(id=ref):
                proposals[ref] = event
            case Decision(action="edit", ref=ref):
                edited.add(ref)
            case Decision(action="approve", ref=ref):
                edited.discard(ref)
            case Execution(status="ok"):
                ran.append(event)
            case _:
                pass
    last = ran[-1] if ran else None
    meant = next((p.meaning for e in reversed(ran) if (p := proposals.get(e.id)) is not None and p.meaning), None)
    query = next((event.queries[-1] for event in reversed(ran) if event.queries), None)
    named = (e for e in reversed(ran) if (p := proposals.get(e.id)) is not None and p.result)
    held = next((e for e in named if not has_chart(e)), last)
    variable = proposals[held.id].result or None if held is not None and held.id in proposals else None
    return Focus(
        turn=turn,
        question=question,
        plan_meaning=plan.meaning or None if plan is not None else None,
        proposal_meaning=meant,
        edited=bool(edited & ({e.id for e in ran} | ({plan.id} if plan is not None else set[str]()))),
        assumptions=plan.assumptions if plan is not None else (),
        cited=tuple(citation.id for citation in plan.citations) if plan is not None else (),
        trust=plan.trust if plan is not None else "new",
        sql=query.sql if query is not None else None,
        source=query.source if query is not None else None,
        variable=variable,
        columns=_columns(held, variable),
        execution=last.id if last is not None else None,
        chart=answer.chart,
    )


def _columns(execution: Execution | None, variable: str | None) -> tuple[str, ...]:
    if execution is None:
        return ()
    for held in execution.variables:
        if held.name == variable:
            return held.columns
    return execution.queries[-1].columns if execution.queries else ()
