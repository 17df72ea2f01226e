"""The planner without a model: a meaning becomes a plan of one query; its chart is drawn by the page, without code."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from assistant.agents.analyst.offers import add_blanks, add_distinct_offer, add_rival_offers, add_ties
from assistant.agents.analyst.proposing import make_question_id
from assistant.agents.analyst.reading import Reader, find_meaning
from assistant.agents.analyst.rivals import find_rivals
from assistant.agents.analyst.studying import answer_study, make_answer, make_failure, plan_study
from assistant.agents.derivation import describe_last_computation
from assistant.agents.source_notes import rank_doubts_of_turn
from assistant.analyst.dialogue.replies import asks_how
from assistant.analyst.meaning import Meaning, to_json
from assistant.analyst.outcomes import Ambiguous, Declined, Message, Understood
from assistant.analyst.presenting.answers import AnswerRows, notes, word_answer
from assistant.cells.tables import has_table
from assistant.core import events
from assistant.core.turns import Turn, current_turn, fold_events
from assistant.output.presentation.columns import columns_of, heading
from assistant.output.presentation.formats import shown
from assistant.semantics.definitions import named_in

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.analyst.analyst import Analyst
    from assistant.cells.tables import TableView
    from assistant.core.doubts import Doubt

_ROWS_WORDED = 20_000
"""So many rows are looked at for the highest, the lowest and the total; of more the answer says that it is a part."""
_CITED_MAX = 4


class AnalystPlanner:
    """Plays the planner with the embedded analyst."""

    reads_verified_queries = True
    """It answers what was marked right by itself where that is one statement, as a reading that can be changed."""

    def __init__(self, *, context: SessionContext, reader: Reader) -> None:
        self._context = context
        self._reader = reader

    async def plan(self, log: Sequence[events.Event]) -> events.Plan | events.Clarification | events.Answer:
        """Plan the current turn, ask back, answer from what is known, or decline."""
        turn = current_turn(log)
        number = turn.number
        is_rejected = turn.stage == "plan_decision" and turn.decisions[-1].action == "reject"
        if is_rejected and not turn.decisions[-1].reason:
            return events.Clarification(
                turn=number, id=make_question_id(turn), text="What should be different about the plan?"
            )
        question = turn.question
        if (fault := named_in(question, await self._context.faults())) is not None:
            text = f"{fault.names[0]!r} is defined in {fault.origin}, but {fault.message}."
            return events.Answer(turn=number, status="declined", text=text, hint="Mend the definition and ask again.")
        if asks_how(question) and (computed := describe_last_computation(log)) is not None:
            return events.Answer(turn=number, status="answered", text=computed)
        outcome = await self._reader.read_question(log)
        match outcome:
            case Ambiguous():
                labels = tuple(label for label, _ in outcome.options)
                return events.Clarification(turn=number, id=make_question_id(turn), text=outcome.text, options=labels)
            case Message():
                return events.Answer(turn=number, status="answered", text=outcome.text, follow_ups=outcome.follow_ups)
            case Declined():
                return events.Answer(turn=number, status="declined", text=outcome.reason, hint=outcome.hint)
            case Understood():
                return await self._make_plan(outcome, turn)

    async def _make_plan(self, understood: Understood, turn: Turn) -> events.Plan:
        number, meaning = turn.number, understood.meaning
        revision = 1 + len(turn.plans)
        query = events.Step(title=f"Query {meaning.source}: {understood.restated}", language="sql")
        return events.Plan(
            turn=number,
            id=f"{number}.plan.{revision}",
            restated=understood.restated,
            steps=plan_study(meaning) if meaning.study else (query,),
            tables=meaning.tables,
            assumptions=meaning.assumptions,
            citations=await self._cite(meaning.cited),
            trust=understood.trust,
            meaning=to_json(meaning),
        )

    async def judge(self, log: Sequence[events.Event]) -> events.Judgement:
        """The steps are fixed by the reading: they go on."""
        ran = current_turn(log).executions[-1]
        return events.Judgement(turn=ran.turn, execution=ran.id, verdict="go_on")

    async def answer(self, log: Sequence[events.Event]) -> events.Answer:
        """Word what the executions of the turn gave, or say why they gave nothing."""
        turn = current_turn(log)
        tables = [execution for execution in turn.executions if has_table(execution)]
        meaning = find_meaning(turn)
        if meaning is not None and meaning.study is not None:
            answer = await answer_study(turn, meaning, self._context)
            if answer is not None:
                return answer
        if not tables:
            return make_failure(turn, otherwise="The step gave no table.")
        view = await self._context.rows(tables[-1].id, rows_max=_ROWS_WORDED)
        if view is None:
            text = "The result can no longer be read. Ask again to run it anew."
            return events.Answer(turn=turn.number, status="failed", text=text)
        own = turn.edits or tables[-1].language == "python"
        return await self._word_answer(
            log, None if own else meaning, view, await self._reader.get_analyst(), tables[-1].id
        )

    async def _word_answer(
        self, log: Sequence[events.Event], meaning: Meaning | None, view: TableView, analyst: Analyst, table: str
    ) -> events.Answer:
        turn = current_turn(log)
        doubts: tuple[Doubt, ...] = ()
        text, remarks, follow_ups = _describe_view(view), _describe_later_failure(turn), tuple[str, ...]()
        if meaning is not None:
            result = AnswerRows.of(view.columns, view.rows, view.total)
            text, answer_notes, follow_ups = await asyncio.to_thread(_describe_answer, meaning, result, analyst)
            remarks = (*answer_notes, *remarks)
            look = partial(self._reader.look, rows_max=_ROWS_WORDED, turn=turn.number)
            offer = await add_distinct_offer(text, meaning, result, analyst, look)
            concerned = await asyncio.to_thread(_find_doubts, meaning, log)
            doubts = tuple(doubt for doubt in concerned if doubt.kind == "repeated_values") if offer.notes else ()
            schema = analyst.schema_of(meaning)
            further = [doubt for doubt in concerned if doubt.kind != "repeated_values" and not doubt.is_chosen]
            offer = await add_rival_offers(offer, find_rivals(meaning, further, schema), result, schema, look)
            for add in (add_ties, add_blanks):
                offer = await add(offer, meaning, result, schema, look)
            doubts = (*doubts, *offer.doubts)
            text, remarks, follow_ups = offer.text, (*offer.notes, *remarks), (*offer.follow_ups, *follow_ups)
        appearance = events.Appearance(chart=meaning.chart or None if meaning is not None else None)
        answer = make_answer(turn, text, remarks, table=table, appearance=appearance, follow_ups=follow_ups)
        return answer.model_copy(update={"doubts": doubts})

    async def _cite(self, cited: Sequence[str]) -> tuple[events.Citation, ...]:
        """What the reading rests on, as the knowledge base cites it. Nothing is searched for: it is known by its id."""
        if not cited:
            return ()
        from knowledge.retrieval import cite

        documents = {document.id: document for document in await self._context.documents()}
        citations = [cite(documents[name]) for name in cited if name in documents]
        return tuple(
            events.Citation(id=citation.id, title=citation.title, origin=citation.origin, excerpt=citation.excerpt)
            for citation in citations[:_CITED_MAX]
        )


def _find_doubts(meaning: Meaning, log: Sequence[events.Event]) -> tuple[Doubt, ...]:
    """The doubts that concern an answer, the heaviest first. Reads SQL, so it belongs in a thread."""
    source = next((source for source in fold_events(log).sources if source.name == meaning.source), None)
    return rank_doubts_of_turn(source, current_turn(log)) if source is not None else ()


def _describe_answer(
    meaning: Meaning, result: AnswerRows, analyst: Analyst
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The sentence of an answer, its notes, and what may be asked next. Reads SQL, so it belongs in a thread."""
    schema = analyst.schema_of(meaning)
    return word_answer(meaning, result, schema), tuple(notes(meaning, result, schema)), analyst.follow_ups(meaning)


def _describe_later_failure(turn: Turn) -> tuple[str, ...]:
    if turn.diagnosis is None or not turn.executions or turn.executions[-1].status == "ok":
        return ()
    return (f"A later step did not work: {turn.diagnosis.cause}",)


def _describe_view(view: TableView) -> str:
    """A result in words where no meaning describes it: the person's own code, or Python."""
    if view.total == 1 and len(view.columns) == 1:
        (column,) = columns_of(view)
        value = view.rows[0][0]
        text = shown(value, column) if column.role in ("identifier", "time") else _format_figure(value)
        return f"{column.label}: **{text}**."
    if view.total == 0:
        return "The code ran, and its result has no rows."
    rows = "1 row" if view.total == 1 else f"{view.total:,} rows"
    columns = "1 column" if len(view.columns) == 1 else f"{len(view.columns)} columns"
    return f"The result has **{rows}** and {columns}: {', '.join(map(heading, view.columns[:8]))}."


def _format_figure(value: object) -> str:
    match value:
        case bool() | None:
            return str(value)
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,.2f}"
        case _:
            return str(value)
