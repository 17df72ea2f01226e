"""A turn as the command line reports it: one plain value with everything a program wants to know. Pure.

Its JSON form is a contract (`docs/reference/command-line.md`): fields are added, never renamed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from assistant.cells.tables import TableView, to_json_value, select_columns
from assistant.core.doubts import Doubt
from assistant.core.events import (
    Answer,
    Decision,
    Entry,
    Language,
    Subject,
    Trust,
    Usage,
)
from assistant.core.turns import Outcome, PendingRequest, ProposalItem, Turn, fold_session
from assistant.models.usage import sum_usage

if TYPE_CHECKING:
    from assistant.analyst.interpretation.interpretation import Interpretation


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


class ReportedChip(Reported):
    """A part of what is computed: its kind, such as "Group by", and its text. "Unread" is a word not understood."""

    kind: str
    text: str


class Report(Reported):
    """One turn. `interpretation` is what it computes, or what was understood of its question, in chips."""

    session: str
    turn: int
    status: Outcome
    answer: str
    notes: tuple[str, ...]
    doubts: tuple[Doubt, ...] = ()
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
    interpretation: tuple[ReportedChip, ...] = ()


def build_report(
    session: str,
    entries: Sequence[Entry],
    *,
    table: Callable[[str], TableView | None],
    interpretation: Interpretation | None = None,
) -> Report:
    """Report a session's current turn.

    Args:
        session: the session's id.
        entries: its log.
        table: gives the table of an execution.
        interpretation: what the turn computes, in chips.
    """
    turn = fold_session(entries).current
    if turn is None:
        return refused("")
    answer = turn.answer
    result = table(answer.table) if answer is not None and answer.table is not None else None
    item = turn.proposal(answer.table) if answer is not None and answer.table is not None else None
    if result is not None and item is not None:
        result = select_columns(result, item.proposal.asked)
    waiting = turn.waiting
    clarification = waiting.clarification if waiting is not None else None
    return Report(
        session=session,
        turn=turn.number,
        status=turn.outcome,
        answer=_text(turn),
        notes=answer.notes if answer is not None else (),
        doubts=answer.doubts if answer is not None else (),
        columns=result.columns if result is not None else (),
        rows=_rows(result) if result is not None else (),
        more=tuple(_further(answer, turn, table)) if answer is not None else (),
        sql=tuple(query.sql for query in turn.queries),
        steps=tuple(map(_step, turn.proposals)),
        clarification=ReportedClarification(question=clarification.text, options=clarification.options)
        if clarification is not None
        else None,
        trust=answer.trust if answer is not None else turn.plan.trust if turn.plan is not None else "new",
        usage=_usage(turn.model_calls),
        seconds=round((turn.updated_at - turn.started_at).total_seconds(), 3)
        if turn.updated_at is not None and turn.started_at is not None
        else 0.0,
        waiting=_waiting(waiting) if waiting is not None and clarification is None else None,
        interpretation=tuple(
            ReportedChip(kind=chip.kind, text=chip.text) for chip in (interpretation.chips if interpretation else ())
        ),
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
    return tuple(tuple(to_json_value(cell) for cell in row) for row in table.rows)


def _further(answer: Answer, turn: Turn, table: Callable[[str], TableView | None]) -> Iterator[ReportedTable]:
    for execution in answer.more_tables:
        if (view := table(execution)) is not None:
            item = turn.proposal(execution)
            name = item.proposal.result if item is not None else execution
            yield ReportedTable(name=name, columns=view.columns, rows=_rows(view))


def _text(turn: Turn) -> str:
    if turn.answer is not None:
        return f"{turn.answer.text}\n\n{turn.answer.hint}".strip()
    if turn.failed is not None:
        return f"{turn.failed.message} {turn.failed.next_action}".strip()
    return "The turn was stopped before its end. Everything up to there is kept." if turn.stopped is not None else ""


def _step(item: ProposalItem) -> ReportedStep:
    decision = item.decision
    return ReportedStep(
        language=item.proposal.language,
        code=decision.code if decision is not None and decision.code is not None else item.proposal.code,
        decision=None if decision is None else _decided(decision),
        status="skipped" if item.execution is None else item.execution.status,
    )


def _decided(decision: Decision) -> Literal["approved", "edited", "rejected", "auto"]:
    match decision.action:
        case "reject":
            return "rejected"
        case "edit":
            return "edited"
        case "approve":
            return "auto" if decision.by == "policy" else "approved"


def _waiting(waiting: PendingRequest) -> ReportedWaiting | None:
    request = waiting.decision
    if request is None:
        return None
    return ReportedWaiting(
        request=request.id, subject=request.subject, reason=request.reason, code=waiting.code or None
    )


def _usage(calls: Sequence[Usage]) -> ReportedUsage:
    used = sum_usage(calls)
    return ReportedUsage(
        calls=used.calls, input_tokens=used.input_tokens, output_tokens=used.output_tokens, cost=used.cost
    )
