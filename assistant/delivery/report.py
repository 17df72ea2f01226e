"""A turn as the command line reports it: one plain value with everything a program wants to know. Pure.

Its JSON form is a contract (`docs/reference/command-line.md`): fields are added, never renamed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue

from assistant.cells.tables import TableView, json_value, only
from assistant.events import (
    Answer,
    Clarification,
    Decision,
    DecisionRequested,
    Entry,
    Event,
    Execution,
    Failed,
    Language,
    Plan,
    Proposal,
    Stopped,
    Subject,
    Trust,
)
from assistant.flow import Outcome, current_turn, outcome
from assistant.models.usage import total

E = TypeVar("E", bound=Event)


class Reported(BaseModel):
    """Base of the report's values."""

    model_config = ConfigDict(frozen=True)


class ReportedStep(Reported):
    """Code that was put forward. `decision` is None while it waits."""

    language: Language
    code: str
    decision: Literal["approved", "edited", "rejected", "auto"] | None
    status: Literal["ok", "failed", "skipped"]


class ReportedUsage(Reported):
    """What models were used for; `cost` in US dollars, None where a price is unknown."""

    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None


class ReportedClarification(Reported):
    """A question back, with the answers it offers."""

    question: str
    options: tuple[str, ...]


class ReportedWaiting(Reported):
    """What waits for a decision."""

    request: str
    subject: Subject
    reason: str
    code: str | None


class ReportedTable(Reported):
    """A further table of an answer: the name of its result, and its rows."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[JsonValue, ...], ...]


class Report(Reported):
    """One turn."""

    session: str
    turn: int
    status: Outcome
    answer: str
    notes: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[JsonValue, ...], ...]
    more: tuple[ReportedTable, ...] = ()
    sql: tuple[str, ...]
    steps: tuple[ReportedStep, ...]
    clarification: ReportedClarification | None
    trust: Trust
    usage: ReportedUsage
    seconds: float
    waiting: ReportedWaiting | None


def report(session: str, entries: Sequence[Entry], *, table: Callable[[str], TableView | None]) -> Report:
    """Report a session's current turn.

    Args:
        session: the session's id.
        entries: its log.
        table: gives the table of an execution.
    """
    turn = current_turn([entry.event for entry in entries])
    times = [entry.at for entry in entries if turn and entry.event.turn == turn[0].turn]
    answer = _last(turn, Answer)
    result = table(answer.table) if answer is not None and answer.table is not None else None
    shown = next((e for e in turn if isinstance(e, Proposal) and answer is not None and e.id == answer.table), None)
    if result is not None and shown is not None:
        result = only(result, shown.asked)
    status = outcome(turn)
    asked = _last(turn, Clarification) if status == "needs_clarification" else None
    plan = _last(turn, Plan)
    return Report(
        session=session,
        turn=turn[0].turn if turn else 0,
        status=status,
        answer=_text(turn),
        notes=answer.notes if answer is not None else (),
        columns=result.columns if result is not None else (),
        rows=_rows(result) if result is not None else (),
        more=tuple(_further(answer, turn, table)) if answer is not None else (),
        sql=tuple(run.sql for event in turn if isinstance(event, Execution) for run in event.queries),
        steps=tuple(_step(proposal, turn) for proposal in turn if isinstance(proposal, Proposal)),
        clarification=ReportedClarification(question=asked.text, options=asked.options) if asked is not None else None,
        trust=answer.trust if answer is not None else plan.trust if plan is not None else "new",
        usage=_usage(turn),
        seconds=round((times[-1] - times[0]).total_seconds(), 3) if times else 0.0,
        waiting=_waiting(turn) if status == "needs_decision" else None,
    )


def refused(message: str) -> Report:
    """What is reported where no turn came about: a source that cannot be opened, a session that does not exist."""
    return Report(
        session="",
        turn=0,
        status="failed",
        answer=message,
        notes=(),
        columns=(),
        rows=(),
        sql=(),
        steps=(),
        clarification=None,
        trust="new",
        usage=_usage(()),
        seconds=0.0,
        waiting=None,
    )


def _rows(table: TableView) -> tuple[tuple[JsonValue, ...], ...]:
    return tuple(tuple(json_value(cell) for cell in row) for row in table.rows)


def _further(
    answer: Answer, turn: Sequence[Event], table: Callable[[str], TableView | None]
) -> Iterator[ReportedTable]:
    names = {event.id: event.result for event in turn if isinstance(event, Proposal)}
    for execution in answer.more_tables:
        if (view := table(execution)) is not None:
            yield ReportedTable(name=names.get(execution, execution), columns=view.columns, rows=_rows(view))


def _text(turn: Sequence[Event]) -> str:
    for event in reversed(turn):
        match event:
            case Answer():
                return f"{event.text}\n\n{event.hint}".strip()
            case Failed():
                return f"{event.message} {event.next_action}".strip()
            case Stopped():
                return "The turn was stopped before its end. Everything up to there is kept."
            case _:
                continue
    return ""


def _step(proposal: Proposal, turn: Sequence[Event]) -> ReportedStep:
    decision = next((e for e in reversed(turn) if isinstance(e, Decision) and e.ref == proposal.id), None)
    execution = next((e for e in turn if isinstance(e, Execution) and e.id == proposal.id), None)
    code = decision.code if decision is not None and decision.code is not None else proposal.code
    return ReportedStep(
        language=proposal.language,
        code=code,
        decision=None if decision is None else _decided(decision),
        status="skipped" if execution is None else execution.status,
    )


def _decided(decision: Decision) -> Literal["approved", "edited", "rejected", "auto"]:
    match decision.action:
        case "reject":
            return "rejected"
        case "edit":
            return "edited"
        case "approve":
            return "auto" if decision.by == "policy" else "approved"


def _waiting(turn: Sequence[Event]) -> ReportedWaiting | None:
    request = _last(turn, DecisionRequested)
    if request is None:
        return None
    proposal = next((e for e in turn if isinstance(e, Proposal) and e.id == request.ref), None)
    code = request.code if request.code is not None else proposal.code if proposal is not None else None
    return ReportedWaiting(request=request.id, subject=request.subject, reason=request.reason, code=code)


def _usage(turn: Sequence[Event]) -> ReportedUsage:
    used = total(turn)
    return ReportedUsage(
        calls=used.calls, input_tokens=used.input_tokens, output_tokens=used.output_tokens, cost=used.cost
    )


def _last(turn: Sequence[Event], kind: type[E]) -> E | None:
    return next((event for event in reversed(turn) if isinstance(event, kind)), None)
