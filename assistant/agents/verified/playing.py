"""The participants that put forward what was marked right; behind them stand those that think.

A question with the words of a verified one, or with other values in their places, becomes a plan whose cells are the
kept ones; they are reviewed, approved and run like any code. As soon as the person changes something or a cell fails,
the participants behind go on. A question that is only like a verified one is answered as any other, and the verified
one is offered beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from assistant.agents.derivation import describe_computation
from assistant.agents.drafting import draft_cells
from assistant.agents.verified.code import find_result_name
from assistant.agents.verified.wording import describe_table
from assistant.cells.charts import has_chart
from assistant.cells.tables import has_table
from assistant.core.events import (
    Answer,
    Cell,
    Citation,
    Clarification,
    Diagnosis,
    Event,
    Execution,
    FunctionsProposed,
    Judgement,
    Plan,
    Proposal,
    Query,
    Review,
    Step,
    StepSkipped,
)
from assistant.core.turns import Turn, current_turn
from assistant.query.cells import QueryProblem, literal_queries
from assistant.record.memory.wording import describe_outputs

if TYPE_CHECKING:
    from assistant.agents.roles import Coder, Planner, Reviewer, SessionContext
    from assistant.agents.verified.matching import VerifiedAnswers, VerifiedMatch
    from knowledge.documents import VerifiedQuery

_ROWS_WORDED = 20_000
_OPTIONS_MAX = 6


class VerifiedPlanner:
    """Plans and answers what was marked right; leaves everything else to the planner behind it."""

    def __init__(
        self, planner: Planner, *, answers: VerifiedAnswers, context: SessionContext, review: Reviewer
    ) -> None:
        self._planner = planner
        self._answers = answers
        self._context = context
        self._coder = VerifiedCoder(_NoCoder())
        self._review = review

    async def plan(self, log: Sequence[Event]) -> Plan | Clarification | Answer:
        """The plan of what was marked right; else that of the planner behind, or what it asks, with what is like."""
        turn = current_turn(log)
        if not turn.plans and not turn.question_meaning:
            question = turn.replies[-1] if turn.replies else turn.question
            match = await self._answers.find_match(question, is_first=turn.number == 1)
            if match is not None:
                return await self._make_plan(match, turn, log)
        outcome = await self._planner.plan(log)
        return outcome if isinstance(outcome, Plan) or turn.exchanges else await self._offer(outcome, turn)

    async def judge(self, log: Sequence[Event]) -> Plan | Judgement:
        """The judgement of the planner behind: what was marked right is not judged again."""
        return await self._planner.judge(log)

    async def answer(self, log: Sequence[Event]) -> Plan | Answer:
        """The results of what was marked right, in plain words; else the answer of the planner behind."""
        turn = current_turn(log)
        if (own := _find_own_results(turn)) is not None:
            return await self._word_answer(turn, own)
        answer = await self._planner.answer(log)
        if not isinstance(answer, Answer) or answer.status not in ("answered", "partial"):
            return answer
        if _find_cells(turn) and answer.trust == "verified":
            return answer.model_copy(update={"trust": "adapted"})  # other code ran than was marked
        if answer.trust != "new":
            return answer
        like = await self._answers.find_like(turn.question)
        return answer.model_copy(update={"follow_ups": (*like, *(f for f in answer.follow_ups if f not in like))})

    async def _make_plan(self, match: VerifiedMatch, turn: Turn, log: Sequence[Event]) -> Plan:
        query = match.query
        day = f"{query.verified_on:%-d %B %Y}"
        assumption = (
            f"“{query.question}” was marked right by {query.verifier} on {day}; here it has other values."
            if match.is_adapted
            else f"This question was marked right by {query.verifier} on {day}."
        )
        plan = Plan(
            turn=turn.number,
            id=f"{turn.number}.plan.1",
            restated=turn.question if match.is_adapted else query.question,
            steps=tuple(Step(title=step.title, language=step.language) for step in match.steps),
            tables=query.tables,
            assumptions=(assumption,),
            citations=(_cite(query),),
            trust="adapted" if match.is_adapted else "verified",
            cells=tuple(
                Cell(step=n, language=step.language, code=step.code, title=step.title)
                for n, step in enumerate(match.steps, start=1)
            ),
        )
        return plan.model_copy(
            update={"cells": await draft_cells(log, plan, coder=self._coder, reviewer=self._review) or plan.cells}
        )

    async def _offer(self, outcome: Clarification | Answer, turn: Turn) -> Clarification | Answer:
        """Verified questions that are like one that is not understood, as choices."""
        if isinstance(outcome, Answer) and outcome.status != "declined":
            return outcome
        if not (like := await self._answers.find_like(turn.question)):
            return outcome
        if isinstance(outcome, Clarification):
            options = (*like, *(option for option in outcome.options if option not in like))[:_OPTIONS_MAX]
            return outcome.model_copy(update={"options": options})
        return Clarification(
            turn=turn.number,
            id=f"{turn.number}.clarification.{len(turn.exchanges) + 1}",
            text=f"{outcome.text.rstrip('. ')}. A like question was marked right. Is it the one you mean?",
            options=like,
        )

    async def _word_answer(self, turn: Turn, own: Sequence[Execution]) -> Answer:
        plan = turn.plan
        assert plan is not None
        tables = [execution for execution in own if has_table(execution)]
        query = await self._find_query(plan)
        numbers = query.shown if query is not None else ()
        main = [own[number - 1] for number in numbers if number <= len(own) and own[number - 1] in tables]
        main = main or tables[-1:]
        view = await self._context.rows(main[0].id, rows_max=_ROWS_WORDED) if main else None
        printed = "" if view is not None else describe_outputs(own[-1].outputs)
        chart = next((execution.id for execution in reversed(own) if has_chart(execution)), None)
        return Answer(
            turn=turn.number,
            status="answered",
            text=describe_table(view) if view is not None else printed or "The steps ran. They show no table.",
            table=main[0].id if main else None,
            more_tables=tuple(execution.id for execution in main[1:]),
            chart=chart,
            how=describe_computation(turn),
            notes=plan.assumptions,
            citations=plan.citations,
            trust=plan.trust,
        )

    async def _find_query(self, plan: Plan) -> VerifiedQuery | None:
        from knowledge.documents import VerifiedQuery

        cited = {citation.id for citation in plan.citations}
        documents = (d for d in await self._context.documents() if d.id in cited)
        return next((document for document in documents if isinstance(document, VerifiedQuery)), None)


class VerifiedCoder:
    """Puts kept code forward; leaves everything else to the coder behind it."""

    def __init__(self, coder: Coder) -> None:
        self._coder = coder
        self.is_free = getattr(coder, "is_free", False)

    async def propose(
        self, log: Sequence[Event], *, step: int, revision: int
    ) -> Proposal | Clarification | StepSkipped | FunctionsProposed:
        """The kept code of the step, as long as nothing was changed; else what the coder behind writes."""
        turn = current_turn(log)
        cell = _find_cells(turn).get(step)
        if cell is None or revision > 1:
            return await self._coder.propose(log, step=step, revision=revision)
        queries = literal_queries(cell.code)
        return Proposal(
            turn=turn.number,
            id=f"{turn.number}.{step}.{revision}",
            step=step,
            revision=revision,
            language=cell.language,
            title=cell.title,
            why=turn.plan.assumptions[0] if turn.plan is not None and turn.plan.assumptions else "",
            code=cell.code,
            queries=()
            if isinstance(queries, QueryProblem)
            else tuple(Query(sql=query.sql, source=query.source) for query in queries),
            result=find_result_name(cell.code),
        )


class VerifiedReviewer:
    """Reviews kept code by the deterministic checks; leaves everything else to the reviewer behind it."""

    def __init__(self, reviewer: Reviewer, *, review: Reviewer) -> None:
        self._reviewer = reviewer
        self._review = review
        self.is_free = getattr(reviewer, "is_free", False)

    async def review(self, log: Sequence[Event], proposal: Proposal, *, code: str, of_edit: bool) -> Review:
        """Judge the code."""
        cell = _find_cells(current_turn(log)).get(proposal.step)
        is_own = cell is not None and cell.code == code and not of_edit
        reviewer = self._review if is_own else self._reviewer
        return await reviewer.review(log, proposal, code=code, of_edit=of_edit)

    async def diagnose(self, log: Sequence[Event], execution: Execution) -> Diagnosis:
        """Say why an execution failed, as the reviewer behind does."""
        return await self._reviewer.diagnose(log, execution)


class _NoCoder:
    """Stands behind kept code while a plan is made of it."""

    async def propose(self, log: Sequence[Event], *, step: int, revision: int) -> StepSkipped:
        return StepSkipped(turn=current_turn(log).number, step=step, language="python", reason="")


def _find_cells(turn: Turn) -> Mapping[int, Cell]:
    """The kept cells of a turn's plan by their steps; none where the plan is not made of them, or was changed."""
    plan = turn.plan
    if plan is None or plan.trust == "new" or plan.meaning or turn.steps != plan.steps:
        return {}
    return {cell.step: cell for cell in plan.cells}


def _find_own_results(turn: Turn) -> list[Execution] | None:
    """The executions of a turn's kept cells, where exactly these ran, and ran well."""
    cells = _find_cells(turn)
    last = {execution.step: execution for execution in turn.executions}
    if not cells or last.keys() != cells.keys():
        return None
    ran = [last[step] for step in sorted(last)]
    is_own = all(execution.status == "ok" and execution.code == cells[execution.step].code for execution in ran)
    return ran if is_own and all(check.ok for execution in ran for check in execution.checks) else None


def _cite(query: VerifiedQuery) -> Citation:
    from knowledge.retrieval import cite

    citation = cite(query)
    return Citation(id=citation.id, title=citation.title, origin=citation.origin, excerpt=citation.excerpt)
