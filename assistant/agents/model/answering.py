"""The last word of a turn: the answer, checked against the results it speaks of, or further steps for what is missing.

The judge and the writer are one call: whoever words the answer says whether the results suffice. Figures that it refers
to are written by the program. Figures, names and claims that the results do not bear out are sent back once; what is
said again all the same is marked, and the answer is partial.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.agents.derivation import describe_computation
from assistant.agents.model.charts_in_reply import read_chart
from assistant.agents.model.dialogue import Dialogue, ModelRequest
from assistant.agents.model.grounding import Ungrounded, find_ungrounded
from assistant.agents.model.judging import make_steps
from assistant.agents.model.known_names import list_known_domains, list_known_names, list_words_of_turn
from assistant.agents.model.lookups import Lookups
from assistant.agents.model.prompts import fill_prompt
from assistant.agents.model.replies import AnswerReply
from assistant.agents.model.results import (
    StepResult,
    choose_chart,
    choose_tables,
    describe_results,
    find_earlier_results,
    list_results,
)
from assistant.agents.model.sentences import fill_sentence, find_sentence
from assistant.agents.model.source_descriptions import describe_doubts, describe_tables_read, find_table
from assistant.agents.source_notes import list_names_read
from assistant.cells.tables import has_table
from assistant.claims.references import render_references
from assistant.claims.typed_claims import to_claim
from assistant.core.events import (
    Answer,
    Appearance,
    Event,
    Execution,
    Plan,
    Trust,
)
from assistant.core.flow import is_cut_short, is_spent
from assistant.core.turns import Turn, current_turn, fold_events
from assistant.errors import BudgetReached, ModelError
from assistant.output.presentation.columns import FigureProperties
from assistant.output.presentation.units import told_of
from assistant.query.lineage import trace_lineage
from assistant.record.memory.context import PromptSection

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.cells.tables import TableView

_UNWORDED = "The result was computed and is shown, but the model did not word an answer."
_FOLLOW_UPS_MAX = 3
_ROWS_CHECKED = 100_000
_CHART_ROWS_MAX = 2_000
_CHANGES_MAX = 3
"""Changes of a turn's plan after which the answer tells what is known."""
_STEPS_MORE_MAX = 2
_LOOKUPS = ("profile", "preview", "find_values")


class Answering:
    """Words the answer of a turn with a language model."""

    def __init__(self, dialogue: Dialogue, *, context: SessionContext) -> None:
        self._dialogue = dialogue
        self._context = context

    async def answer(self, log: Sequence[Event]) -> Plan | Answer:
        """The answer from what ran; or a plan of further steps, once in a turn, where that does not suffice."""
        turn = current_turn(log)
        ran, plan = turn.ran, turn.plan
        if not ran:
            return _answer_without_results(turn)
        reply, wrong = await self._word_answer(log)
        if not reply.answered and reply.steps and plan is not None and _may_grow(turn):
            return _extend_plan(plan, reply, turn)
        results = [result for result in list_results(turn) if result.execution.status == "ok"]
        tables, chart = choose_tables(results, reply.results), choose_chart(ran)
        assumed = (text for text in (plan.assumptions if plan is not None else ()) if text not in reply.overruled)
        title = reply.chart.title if reply.chart is not None else ""
        is_title_right = not wrong.concerns(title)
        if title and not is_title_right:  # a title that is not shown is no fault of the answer
            wrong = replace(wrong, claims=tuple(claim for claim in wrong.claims if title not in claim))
        appearance, chart_notes = await self._read_chart(reply, tables, turn.question, is_title_right=is_title_right)
        full = reply.answered and not wrong and not is_cut_short(turn)
        return Answer(
            turn=turn.number,
            status="answered" if full else "partial",
            text=reply.text,
            hint=_explain_unfinished(turn) if is_cut_short(turn) else "",
            table=tables[0].id if tables else None,
            more_tables=tuple(table.id for table in tables[1:]),
            chart=chart.id if chart is not None else None,
            how=describe_computation(turn),
            appearance=appearance,
            notes=(*wrong.notes, *chart_notes, *_describe_failed_checks(ran), *assumed, *reply.notes),
            citations=plan.citations if plan is not None else (),
            follow_ups=reply.follow_ups[:_FOLLOW_UPS_MAX],
            trust=await self._judge_trust(turn),
        )

    async def _word_answer(self, log: Sequence[Event]) -> tuple[AnswerReply, Ungrounded]:
        """The answer's words, and what of them the results do not hold; where the model fails, that it did."""
        sees = self._dialogue.sees
        turn = current_turn(log)
        results = (*find_earlier_results(fold_events(log).turns, turn), *list_results(turn))
        named_tables = await self._load_tables(results)
        tables = tuple(named_tables.values())
        known_texts = (
            *list_words_of_turn(turn, today=self._context.today.isoformat()),
            *await self._count_rows_of_tables(turn),
        )
        words, domains = await list_known_names(self._context), await list_known_domains(self._context)
        lookups = Lookups(self._context, dialogue=self._dialogue, log=log, only=_LOOKUPS)
        catalogs = self._dialogue.readable(await self._context.catalogs())
        plan = turn.plan
        table_names = [name.casefold() for name in plan.tables] if plan is not None else []
        catalogs = [replace(c, tables=tuple(t for t in c.tables if t.name.casefold() in table_names)) for c in catalogs]
        read = await asyncio.to_thread(list_names_read, log)  # it parses the SQL that ran
        gaps = describe_tables_read(catalogs, table_names, read=read, sees=sees)
        sent_back = False
        latest: tuple[AnswerReply, Ungrounded] | None = None

        def wrong_in(reply: AnswerReply) -> Ungrounded:
            # Without a table to look into, nothing can be said of a figure.
            if not tables or not reply.answered:
                return Ungrounded()
            title = reply.chart.title if reply.chart is not None else ""
            rendered = render_references("\n".join((reply.text, *reply.notes, title)), named_tables)
            wrong = find_ungrounded(
                rendered.text,
                tables=tables,
                known_texts=(*known_texts, gaps, *lookups.texts),
                words=words,
                domains=domains,
                question=turn.question,
                typed=tuple(to_claim(claim) for claim in reply.claims),
            )
            return replace(wrong, absent=(*rendered.problems, *wrong.absent))

        async def check(reply: AnswerReply) -> Ungrounded:
            """What is wrong in a reply, looked for off the loop and once."""
            nonlocal latest
            if latest is None or latest[0] is not reply:
                latest = reply, await asyncio.to_thread(wrong_in, reply)
            return latest[1]

        async def problem_of(reply: AnswerReply) -> str | None:
            nonlocal sent_back
            if not reply.text.strip():
                return "text is empty."
            if (wrong := await check(reply)) and not sent_back:
                sent_back = True
                return wrong.problem
            return None

        if (ready := _word_by_sentence(turn, tables)) is not None and not await check(ready):
            return ready, Ungrounded()
        request = ModelRequest(
            log=log,
            system=fill_prompt("answerer"),
            task=fill_prompt("task_answer", sees=fill_prompt(f"sees_{sees}")),
            sections=(
                PromptSection(title="Results", text=await describe_results(self._context, results, sees=sees)),
                PromptSection(title="Tables that were read", text=gaps),
                PromptSection(title="Doubts about the data", text=describe_doubts(log, catalogs, sees=sees, read=read)),
            ),
            prose="text",
            tells_variables=False,
        )
        try:
            reply = await self._dialogue.ask(AnswerReply, request, lookups, problem_of=problem_of)
        except (ModelError, BudgetReached) as error:
            return AnswerReply(text=_UNWORDED, answered=False, notes=(str(error),)), Ungrounded()
        wrong = await check(reply)
        text, *notes = (render_references(words, named_tables).text for words in (reply.text, *reply.notes))
        return reply.model_copy(update={"text": text, "notes": tuple(notes)}), wrong

    async def _read_chart(
        self, reply: AnswerReply, tables: Sequence[Execution], question: str, *, is_title_right: bool
    ) -> tuple[Appearance, tuple[str, ...]]:
        """How the answer's table is drawn at first; by the program's choice where the model names no chart."""
        if reply.chart is None or not tables:
            return Appearance(), ()
        table = await self._context.rows(tables[0].id, rows_max=_CHART_ROWS_MAX)
        if table is None:
            return Appearance(), ()
        query = tables[0].queries[-1] if tables[0].language == "sql" and tables[0].queries else None
        properties: dict[str, FigureProperties] = {}
        if query is not None:
            dialects = {catalog.source: catalog.dialect for catalog in await self._context.catalogs()}
            lineage = await asyncio.to_thread(trace_lineage, query.sql, dialects.get(query.source, ""))
            properties = told_of(table.columns, lineage, ())
        return read_chart(reply.chart, table, question=question, is_title_right=is_title_right, properties=properties)

    async def _load_tables(self, results: Sequence[StepResult]) -> dict[str, TableView]:
        """The tables of results by their names; of two with one name the later."""
        views = {
            result.name or result.execution.id: await self._context.rows(result.execution.id, rows_max=_ROWS_CHECKED)
            for result in results
            if has_table(result.execution)
        }
        return {name: view for name, view in views.items() if view is not None}

    async def _count_rows_of_tables(self, turn: Turn) -> tuple[str, ...]:
        """How many rows the tables of the plan have, as the facts of a review tell."""
        plan = turn.plan
        catalogs = await self._context.catalogs()
        tables = (find_table(catalogs, name) for name in (plan.tables if plan is not None else ()))
        return tuple(str(match[1].rows) for match in tables if match is not None and match[1].rows is not None)

    async def _judge_trust(self, turn: Turn) -> Trust:
        """Verified only if a query that ran is, to the letter, one that a person marked right."""
        from knowledge.documents import VerifiedQuery

        plan = turn.plan
        verified = [document for document in await self._context.documents() if isinstance(document, VerifiedQuery)]
        ran = {_squeeze(run.sql) for execution in turn.ran for run in execution.queries}
        if ran and ran <= {_squeeze(document.sql) for document in verified}:
            return "verified"
        if turn.edits:
            return "new"
        cited = {citation.id for citation in plan.citations} if plan is not None else set[str]()
        return "adapted" if any(document.id in cited for document in verified) else "new"


def _word_by_sentence(turn: Turn, tables: Sequence[TableView]) -> AnswerReply | None:
    """The answer as the plan worded it, where its values are all that was missing."""
    sentence = find_sentence(turn)
    text = fill_sentence(sentence, tables[-1]) if sentence and tables else ""
    return AnswerReply(text=text, answered=True) if text else None


def _describe_failed_checks(ran: Sequence[Execution]) -> Iterator[str]:
    """The checks that do not hold, for each step as it ran last."""
    for execution in {event.step: event for event in ran}.values():
        for check in execution.checks:
            if not check.ok:
                yield f"A check of step {execution.step} does not hold: {check.name}. {check.detail}".strip()


def _may_grow(turn: Turn) -> bool:
    """Whether the turn may still get further steps: not for ever, and not where it was ended by rule."""
    changed = sum(1 for plan in turn.plans if plan.changed)
    return changed < _CHANGES_MAX and not is_cut_short(turn) and not is_spent(turn)


def _extend_plan(plan: Plan, reply: AnswerReply, turn: Turn) -> Plan:
    """The plan of what is still missing; what ran before stays."""
    revision = 1 + len(turn.plans)
    # A plan that was stopped early goes on behind the steps that ran.
    done = turn.steps[: max((event.step for event in (*turn.executions, *turn.skips)), default=0)]
    return plan.model_copy(
        update={
            "id": f"{plan.turn}.plan.{revision}",
            "steps": (*done, *make_steps(reply.steps[:_STEPS_MORE_MAX])),
            "begins": len(done) + 1,
            "changed": reply.text,
        }
    )


def _explain_unfinished(turn: Turn) -> str:
    """Why the plan did not come to its end, as far as the log tells."""
    if turn.stage == "diagnosis":
        return f"A later step did not work out: {turn.diagnoses[-1].cause}"
    if turn.stage == "proposal":
        step = turn.proposals[-1].proposal.step
        return f"Step {step} was put forward with the very code that had failed, so it was not run again."
    return "The turn took too many messages, so it was ended here."


def _answer_without_results(turn: Turn) -> Answer:
    diagnosis = turn.diagnosis
    return Answer(
        turn=turn.number,
        status="failed",
        text=diagnosis.cause if diagnosis is not None else _explain_no_results(turn),
        hint=diagnosis.fix if diagnosis is not None else "Ask again, or ask differently.",
    )


def _explain_no_results(turn: Turn) -> str:
    return turn.skips[-1].reason if turn.skips else "Nothing ran, so there is nothing to answer with."


def _squeeze(sql: str) -> str:
    return " ".join(sql.split()).rstrip("; ")
