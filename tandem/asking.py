"""Asks a question from Python. Decisions are taken in the caller's thread, where `input` reaches the person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.api.errors import AssistantError
from tandem.answer import Answer
from tandem.data import Data, name_sources
from tandem.deciding import Choice, Decide, Policy, Waiting, in_text
from tandem.program import get_program

if TYPE_CHECKING:
    import pandas as pd
    from pydantic import JsonValue

    from assistant.analyst.interpretation.interpretation import Interpretation
    from assistant.api.events import Approvable, DecisionRequested, PolicyLevel
    from assistant.api.report import Report
    from assistant.api.session import Session
    from assistant.api.turns import PendingRequest

_LEVELS: dict[Policy, PolicyLevel] = {"ask": "ask", "queries": "queries", "all": "python"}
_ROWS_MAX = 1_000_000


def ask(question: str, *, data: Data | None = None, approve: Policy = "ask", decide: Decide = in_text) -> Answer:
    """Ask a question of data.

    Args:
        question: in plain words.
        data: a frame, a file, a folder, a URL, or several by name; the default data where it is left out.
        approve: what runs without asking: nothing (`ask`), read-only queries that pass all checks, and plans of
            queries alone (`queries`), also caged Python that passes them, and every plan (`all`).
        decide: is asked about everything else, and for answers to questions back; reads from `input` by default.

    Raises:
        AssistantError: the data cannot be opened, or the settings are wrong; the text says what to do.
    """
    from assistant.api.events import POLICIES

    session = get_program().run(get_program().workspace.create(name_sources(data)))
    return Conversation(session, approve=POLICIES[_LEVELS[approve]], decide=decide).ask(question)


class Conversation:
    """A session whose decisions are taken by a function."""

    def __init__(self, session: Session, *, approve: tuple[Approvable, ...], decide: Decide) -> None:
        self._session = session
        self._approve = approve
        self._decide = decide
        self._run = get_program().run

    def ask(self, question: str | Interpretation) -> Answer:
        """Ask, decide what waits until the turn ends, and give what came of it."""
        if isinstance(question, str):
            self._run(self._session.ask(question, approve=self._approve))
        else:
            self._run(self._session.ask_interpretation(question, approve=self._approve))
        while self._goes_on():
            pass
        return self._answer()

    def _goes_on(self) -> bool:
        """Wait until the run ends; have decided what it waits for. False where the turn is over or left waiting."""
        self._run(self._session.settled())
        if self._session.fault:
            raise AssistantError(self._session.fault)
        waiting = self._session.transcript.waiting
        if waiting is None:
            return False
        if waiting.clarification is not None:
            text, options = waiting.clarification.text, waiting.clarification.options
            choice = self._decide(Waiting(subject="question", reason="", text=text, options=options))
            return choice.action == "answer" and self._run(self._session.answer_clarification(waiting.id, choice.text))
        request = waiting.decision
        assert request is not None, "what waits is a question back or a decision"
        choice = self._decide(Waiting(subject=request.subject, reason=request.reason, text=_describe(waiting)))
        return self._decided(request, choice)

    def _decided(self, waiting: DecisionRequested, choice: Choice) -> bool:
        decide, request = self._session.decide, waiting.id
        match choice.action:
            case "approve" if waiting.subject == "package":  # its name is needed: no function approves it by reflex
                return bool(choice.text) and self._run(decide(request, "approve", typed=choice.text))
            case "approve" if waiting.subject == "functions":  # what is kept outlives the question
                return choice.text == "keep" and self._run(decide(request, "approve"))
            case "approve":
                return self._run(decide(request, "approve", approve=self._approve))
            case "edit":
                return self._run(decide(request, "edit", code=choice.text, approve=self._approve))
            case "reject":
                return self._run(decide(request, "reject", reason=choice.text, approve=self._approve))
            case _:
                return False

    def _report(self) -> Report:
        from assistant.api.report import build_report

        read_table = self._session.table
        return build_report(
            self._session.id, self._session.events(), table=lambda execution: read_table(execution, rows_max=_ROWS_MAX)
        )

    def _answer(self) -> Answer:
        document = self._report()
        turn = self._session.transcript.current
        answer = turn.answer if turn is not None else None
        interpretation, without_chips = self._interpretation() if document.status != "failed" else (None, "")
        chart = self._session.chart(answer.chart) if answer is not None and answer.chart is not None else None
        return Answer(
            question=turn.question if turn is not None else "",
            status=document.status,
            text=document.answer or (document.clarification.question if document.clarification is not None else ""),
            notes=document.notes,
            doubts=document.doubts,
            options=document.clarification.options if document.clarification is not None else (),
            table=_frame(document.columns, document.rows),
            more={
                table.name: frame for table in document.more if (frame := _frame(table.columns, table.rows)) is not None
            },
            chart=chart,
            sql=document.sql,
            derivation=answer.how if answer is not None else (),
            trust=document.trust,
            session=document.session,
            follow=self.ask,
            notebook=lambda: self._run(self._session.export()),
            interpretation=interpretation,
            without_chips=without_chips,
        )

    def _interpretation(self) -> tuple[Interpretation | None, str]:
        """What the turn computes in chips, or why they cannot show it."""
        from assistant.api.errors import InterpretationError

        try:
            return self._run(self._session.interpretation()), ""
        except InterpretationError as error:
            return None, str(error)


def _frame(columns: Sequence[str], rows: Sequence[Sequence[JsonValue]]) -> pd.DataFrame | None:
    import pandas as pd

    return pd.DataFrame([list(row) for row in rows], columns=list(columns)) if columns else None


def _describe(waiting: PendingRequest) -> str:
    """What waits, in words or as code."""
    if waiting.package is not None:
        from assistant.api.packages import describe_proposal

        return "\n".join(describe_proposal(waiting.package))
    if waiting.functions is not None:
        from assistant.api.functions import format_functions

        return format_functions(waiting.functions)
    if waiting.plan is not None:
        steps = (f"  {n}. {step.title}" for n, step in enumerate(waiting.plan.steps, start=1))
        return "\n".join([waiting.plan.restated, *steps])
    return waiting.code
