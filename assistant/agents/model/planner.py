"""The planner played by a model: it thinks of the plan and words the answer; what can be known is not left to it.

Tables are checked against the catalogs, citations against the documents that were shown, the status of an answer
against what ran, and the trust in it against the verified queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.agents.derivation import edited, how_computed
from assistant.agents.model.dialogue import Asked, Dialogue
from assistant.agents.model.historian import Historian
from assistant.agents.model.lookups import Lookups
from assistant.agents.model.prompts import prompt
from assistant.agents.model.replies import AnswerReply, PlanReply
from assistant.agents.model.results import chart_shown, results_in_words, table_shown
from assistant.agents.model.surroundings import find_table, nearest_tables, overview
from assistant.errors import ModelError
from assistant.events import (
    Answer,
    Clarification,
    ClarificationAnswered,
    Diagnosis,
    Event,
    Execution,
    Plan,
    Proposal,
    Question,
    Step,
    StepSkipped,
    Trust,
)
from assistant.flow import current_turn, is_cut_short, position
from assistant.memory.context import Section

if TYPE_CHECKING:
    from assistant.agents.roles import Desk
    from assistant.data.catalog import Catalog

_UNWORDED = "The result was computed and is shown, but the model did not word an answer."
STEPS_MAX = 8
_HITS = 6
_OVERVIEW_TOKENS = 3_000
_OPTIONS_MAX = 4
_FOLLOW_UPS_MAX = 3


class ModelPlanner:
    """Plays the planner with a language model."""

    def __init__(self, dialogue: Dialogue, *, desk: Desk, historian: Historian | None = None) -> None:
        self._dialogue = dialogue
        self._desk = desk
        self._historian = historian

    async def plan(self, log: Sequence[Event]) -> Plan | Clarification | Answer:
        """Plan the current turn, ask back, or decline.

        Raises:
            ModelError: the model cannot be reached or stays malformed.
        """
        if self._historian is not None:
            await self._historian.keep_up(log)
        turn = current_turn(log)
        number = turn[0].turn
        catalogs = self._dialogue.readable(await self._desk.catalogs())
        lookups = Lookups(self._desk, dialogue=self._dialogue, log=log)
        found = lookups.shown(await self._desk.search(_asked(turn), k=_HITS))
        reply = await self._dialogue.ask(
            PlanReply,
            Asked(
                log=log,
                system=prompt("planner"),
                task=prompt("task_plan", today=self._desk.today.isoformat()),
                sections=(
                    Section(title="Found in the knowledge base", text=found, whole=True),
                    Section(title="Sources", text=overview(catalogs, tokens_max=_OVERVIEW_TOKENS)),
                ),
                prose="text",
            ),
            lookups,
            problem_of=lambda reply: _problem(reply, catalogs),
        )
        match reply.kind:
            case "clarify":
                asked_before = sum(1 for event in turn if isinstance(event, Clarification))
                return Clarification(
                    turn=number,
                    id=f"{number}.clarification.{asked_before + 1}",
                    text=reply.text,
                    options=reply.options[:_OPTIONS_MAX],
                )
            case "decline":
                return Answer(turn=number, status="declined", text=reply.text, hint=reply.hint)
            case "plan":
                revision = 1 + sum(1 for event in turn if isinstance(event, Plan))
                tables = (found_table[1].name for name in reply.tables if (found_table := find_table(catalogs, name)))
                return Plan(
                    turn=number,
                    id=f"{number}.plan.{revision}",
                    restated=reply.text,
                    steps=tuple(
                        Step(title=s.title, language=s.language, instruction=s.instruction, hard=s.hard)
                        for s in reply.steps
                    ),
                    tables=tuple(dict.fromkeys(tables)),
                    assumptions=reply.assumptions,
                    citations=lookups.cited(reply.citations),
                )

    async def answer(self, log: Sequence[Event]) -> Answer:
        """Word the answer from what the executions of the turn gave.

        A model that fails here withholds no result: they are shown without its words.
        """
        turn = current_turn(log)
        ran = [event for event in turn if isinstance(event, Execution) and event.status == "ok"]
        plan = position(turn).plan
        if not ran:
            return _nothing_ran(turn)
        table, chart = table_shown(ran), chart_shown(ran)
        reply = await self._worded(log)
        return Answer(
            turn=turn[0].turn,
            status="answered" if reply.answered and not is_cut_short(turn) else "partial",
            text=reply.text,
            hint=_unfinished(turn) if is_cut_short(turn) else "",
            table=table.id if table is not None else None,
            chart=chart.id if chart is not None else None,
            how=how_computed(turn),
            notes=(*(plan.assumptions if plan is not None else ()), *reply.notes),
            citations=plan.citations if plan is not None else (),
            follow_ups=reply.follow_ups[:_FOLLOW_UPS_MAX],
            trust=await self._trust(turn),
        )

    async def _worded(self, log: Sequence[Event]) -> AnswerReply:
        """The answer's words; where the model fails, that it did. The results stand in any case."""
        sees = self._dialogue.sees
        try:
            return await self._dialogue.ask(
                AnswerReply,
                Asked(
                    log=log,
                    system=prompt("answerer"),
                    task=prompt("task_answer", sees=prompt(f"sees_{sees}")),
                    sections=(
                        Section(title="Results", text=await results_in_words(self._desk, current_turn(log), sees=sees)),
                    ),
                    prose="text",
                ),
                problem_of=lambda reply: None if reply.text.strip() else "text is empty.",
            )
        except ModelError as error:
            return AnswerReply(text=_UNWORDED, answered=False, notes=(str(error),))

    async def _trust(self, turn: Sequence[Event]) -> Trust:
        """Verified only if a query that ran is, to the letter, one that a person marked right."""
        from knowledge.documents import VerifiedQuery

        plan = position(turn).plan
        verified = [document for document in await self._desk.documents() if isinstance(document, VerifiedQuery)]
        ran = {_squeezed(run.sql) for e in turn if isinstance(e, Execution) and e.status == "ok" for run in e.queries}
        if ran and ran <= {_squeezed(document.sql) for document in verified}:
            return "verified"
        if edited(turn):
            return "new"
        cited = {citation.id for citation in plan.citations} if plan is not None else set[str]()
        return "adapted" if any(document.id in cited for document in verified) else "new"


def _asked(turn: Sequence[Event]) -> str:
    said = (event.text for event in turn if isinstance(event, Question | ClarificationAnswered))
    return " ".join(said)


def _problem(reply: PlanReply, catalogs: Sequence[Catalog]) -> str | None:
    if not reply.text.strip():
        return "text is empty."
    if reply.kind != "plan":
        return None
    if not reply.steps:
        return "A plan needs at least one step."
    if len(reply.steps) > STEPS_MAX:
        return f"A plan has at most {STEPS_MAX} steps."
    for name in reply.tables:
        if find_table(catalogs, name) is None:
            return f"There is no table {name!r}. The nearest are: {', '.join(nearest_tables(catalogs, name))}."
    return None


def _unfinished(turn: Sequence[Event]) -> str:
    """Why the plan did not come to its end, as far as the log tells."""
    match turn[-1]:
        case Diagnosis(cause=cause):
            return f"A later step did not work out: {cause}"
        case Proposal(step=step):
            return f"Step {step} was put forward with the very code that had failed, so it was not run again."
        case _:
            return "The turn took too many messages, so it was ended here."


def _nothing_ran(turn: Sequence[Event]) -> Answer:
    diagnosis = next((event for event in reversed(turn) if isinstance(event, Diagnosis)), None)
    return Answer(
        turn=turn[0].turn,
        status="failed",
        text=diagnosis.cause if diagnosis is not None else _nothing_why(turn),
        hint=diagnosis.fix if diagnosis is not None else "Ask again, or ask differently.",
    )


def _nothing_why(turn: Sequence[Event]) -> str:
    skipped = [event.reason for event in turn if isinstance(event, StepSkipped)]
    return skipped[-1] if skipped else "Nothing ran, so there is nothing to answer with."


def _squeezed(sql: str) -> str:
    return " ".join(sql.split()).rstrip("; ")
