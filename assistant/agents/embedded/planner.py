"""The planner without a model: reads the question, says what it understood, and words the answer from the figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

from assistant.agents.derivation import edited, how_computed
from assistant.agents.embedded.reading import Reader, meaning_of_turn, study_of_turn
from assistant.agents.embedded.studying import answer_of_study, steps_of
from assistant.cells.charts import has_chart
from assistant.cells.tables import TableView, has_table
from assistant.embedded.meaning import Meaning
from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Understood
from assistant.embedded.studies.outcomes import Recognised, Refused, Unsure
from assistant.embedded.wording.answers import notes, word_answer
from assistant.events import (
    Answer,
    Appearance,
    ChartKind,
    Citation,
    Clarification,
    Decision,
    Diagnosis,
    Event,
    Execution,
    Judgement,
    Plan,
    Question,
    Step,
)
from assistant.flow import current_turn, position
from assistant.semantics.definitions import named_in

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext

_CITED_MAX = 4
_ROWS_WORDED = 1_000


class EmbeddedPlanner:
    """Plays the planner with the embedded analyst."""

    def __init__(self, *, desk: SessionContext, reader: Reader) -> None:
        self._desk = desk
        self._reader = reader

    async def plan(self, log: Sequence[Event]) -> Plan | Clarification | Answer:
        """Plan the current turn, ask which of several readings is meant, or decline and say why."""
        turn = current_turn(log)
        number = turn[0].turn
        rejected = next((e for e in reversed(turn) if isinstance(e, Decision) and e.subject == "plan"), None)
        if rejected is not None and rejected.action == "reject" and not rejected.reason and turn[-1] is rejected:
            return Clarification(turn=number, id=_next_id(turn), text="What should be different about the plan?")
        asked = next(event.text for event in turn if isinstance(event, Question))
        if (fault := named_in(asked, await self._desk.faults())) is not None:
            text = f"{fault.names[0]!r} is defined in {fault.origin}, but {fault.message}."
            return Answer(turn=number, status="declined", text=text, hint="Mend the definition and ask again.")
        outcome = await self._reader.question(log)
        match outcome:
            case Ambiguous() | Unsure():
                return Clarification(
                    turn=number,
                    id=_next_id(turn),
                    text=outcome.text,
                    options=tuple(label for label, _ in outcome.options),
                )
            case NotUnderstood() | Refused():
                return Answer(turn=number, status="declined", text=outcome.reason, hint=outcome.hint)
            case Understood():
                return await self._planned(outcome, turn)
            case Recognised():
                return await self._planned_study(outcome, turn)

    async def judge(self, log: Sequence[Event]) -> Judgement:
        """The embedded analyst's steps are fixed by its reading: they go on."""
        ran = next(event for event in reversed(log) if isinstance(event, Execution))
        return Judgement(turn=ran.turn, execution=ran.id, verdict="go_on")

    async def answer(self, log: Sequence[Event]) -> Answer:
        """Word what the executions of the turn gave, or say why they gave nothing."""
        turn = current_turn(log)
        number = turn[0].turn
        ran = [event for event in turn if isinstance(event, Execution)]
        tables = [event for event in ran if has_table(event)]
        charts = [event for event in ran if has_chart(event)]
        failed = next((e for e in reversed(turn) if isinstance(e, Diagnosis)), None)
        plan = position(turn).plan
        if not tables:
            cause = failed.cause if failed is not None else "The step gave no table."
            return Answer(turn=number, status="failed", text=cause, hint=failed.fix if failed is not None else "")
        result = tables[-1]
        view = await self._desk.rows(result.id, rows_max=_ROWS_WORDED)
        if view is None:
            return Answer(
                turn=number, status="failed", text="The result can no longer be read. Ask again to run it anew."
            )
        by_hand = bool(edited(turn))
        if (study := study_of_turn(log)) is not None:
            told = await answer_of_study(turn, study, self._desk, await self._reader.analyst(), edited=by_hand)
            if told is not None:
                return told
        meaning = meaning_of_turn(log)
        analyst = await self._reader.analyst()
        own_words = meaning is None or by_hand or result.language == "python"
        remarks = (
            []
            if own_words or meaning is None
            else list(notes(meaning, view.columns, view.rows, view.total, analyst.today))
        )
        if failed is not None and ran[-1].status != "ok":
            remarks.append(f"A later step did not work: {failed.cause}")
        return Answer(
            turn=number,
            status="answered",
            text=_plainly(view)
            if own_words or meaning is None
            else word_answer(meaning, view.columns, view.rows, view.total),
            table=result.id,
            chart=charts[-1].id if charts else None,
            how=how_computed(turn),
            notes=(*(plan.assumptions if plan is not None else ()), *remarks),
            citations=plan.citations if plan is not None else (),
            follow_ups=() if own_words or meaning is None else analyst.follow_ups(meaning, view.total),
            trust=plan.trust if plan is not None and not by_hand else "new",
            appearance=_appearance(meaning),
        )

    async def _planned(self, understood: Understood, turn: Sequence[Event]) -> Plan:
        number = turn[0].turn
        revision = 1 + sum(1 for event in turn if isinstance(event, Plan))
        asked = " ".join(event.text for event in turn if isinstance(event, Question))
        meaning = understood.meaning
        steps = [
            Step(title=f"Query {meaning.source}: {understood.restated}", language="sql"),
        ]
        return Plan(
            turn=number,
            id=f"{number}.plan.{revision}",
            restated=understood.restated,
            steps=tuple(steps),
            tables=understood.tables,
            assumptions=understood.assumptions,
            citations=await self._citations(understood.cited, asked),
            trust=understood.trust,
            meaning=meaning.model_dump_json(),
        )

    async def _planned_study(self, recognised: Recognised, turn: Sequence[Event]) -> Plan:
        number = turn[0].turn
        revision = 1 + sum(1 for event in turn if isinstance(event, Plan))
        asked = " ".join(event.text for event in turn if isinstance(event, Question))
        study = recognised.study
        return Plan(
            turn=number,
            id=f"{number}.plan.{revision}",
            restated=study.title,
            steps=steps_of(study, await self._reader.analyst()),
            tables=recognised.tables,
            assumptions=recognised.assumptions,
            citations=await self._citations(recognised.cited, asked),
            meaning=study.model_dump_json(),
        )

    async def _citations(self, cited: Sequence[str], asked: str) -> tuple[Citation, ...]:
        """What the reading rests on, as the knowledge base cites it."""
        if not cited:
            return ()
        from knowledge.retrieval import cite

        found = {hit.document.id: hit.citation for hit in await self._desk.search(asked, k=12)}
        known = {document.id: document for document in await self._desk.documents()}
        citations = [found.get(name) or cite(known[name]) for name in cited if name in found or name in known]
        return tuple(
            Citation(id=cited.id, title=cited.title, origin=cited.origin, excerpt=cited.excerpt)
            for cited in citations[:_CITED_MAX]
        )


def _appearance(meaning: Meaning | None) -> Appearance:
    """How the question wants its answer shown; what fits best where it does not say."""
    kinds: dict[str, ChartKind] = {kind: kind for kind in get_args(ChartKind)}
    return Appearance(chart=kinds.get(meaning.chart or "") if meaning is not None else None)


def _plainly(view: TableView) -> str:
    """A result in words where no meaning describes it: the person's own code, or Python."""
    if view.total == 1 and len(view.columns) == 1:
        return f"{view.columns[0]}: **{_figure(view.rows[0][0])}**."
    if view.total == 0:
        return "The code ran, and its result has no rows."
    rows = "1 row" if view.total == 1 else f"{view.total:,} rows"
    columns = "1 column" if len(view.columns) == 1 else f"{len(view.columns)} columns"
    return f"The result has **{rows}** and {columns}: {', '.join(view.columns[:8])}."


def _figure(value: object) -> str:
    match value:
        case bool() | None:
            return str(value)
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,.2f}"
        case _:
            return str(value)


def _next_id(turn: Sequence[Event]) -> str:
    return f"{turn[0].turn}.clarification.{1 + sum(1 for event in turn if isinstance(event, Clarification))}"
