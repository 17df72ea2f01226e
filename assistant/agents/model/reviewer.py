"""The reviewer played by a model, over facts that no model can talk away.

A model is asked by risk alone: a hard step, a definition in play, a join that repeats rows, Python that computes. The
deterministic findings come first and stand in every review; a model adds to them. What they call a danger is sent back
whatever the model says of it, and an edit of the person's is sent back for a danger only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from assistant.agents.analyst.reviewer import EmbeddedReviewer
from assistant.agents.cell_review import is_plain_chart
from assistant.agents.model.dates_of_step import find_missing_days
from assistant.agents.model.dialogue import Dialogue, ModelRequest
from assistant.agents.model.lookup_choice import open_lookups
from assistant.agents.model.lookups import Lookups
from assistant.agents.model.prompts import fill_prompt
from assistant.agents.model.replies import DiagnosisReply, ReviewReply
from assistant.agents.model.results import describe_results, list_results
from assistant.agents.model.source_descriptions import describe_table, find_table
from assistant.agents.model.written_cells import FindFaults, list_queries
from assistant.core.events import (
    Decision,
    Diagnosis,
    Event,
    Execution,
    Finding,
    Language,
    Proposal,
    Review,
)
from assistant.core.turns import Turn, current_turn, fold_events
from assistant.errors import ModelError
from assistant.query.review.findings import is_plain_read, multiplies_rows
from assistant.record.memory.context import PromptSection

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext

_HITS = 4
_DEFINITIONS = frozenset({"term", "metric", "rule"})
"""Kinds of documents that say how something is computed or counted."""
_WEIGHT = {"ok": 0, "concerns": 1, "revise": 2}


class ModelReviewer:
    """Plays the reviewer with a language model and with facts."""

    def __init__(self, dialogue: Dialogue, *, context: SessionContext, check: FindFaults) -> None:
        self._dialogue = dialogue
        self._context = context
        self._check = check

    async def review(self, log: Sequence[Event], proposal: Proposal, *, code: str, of_edit: bool) -> Review:
        """Judge the code: by the facts, then by the model unless the facts already forbid it."""
        facts = await self._check(code, proposal.language, log)
        if not of_edit:  # the person may mean other days than the step
            facts = (*facts, *_find_days_left_out(log, proposal))
        if any(finding.level == "danger" for finding in facts):
            return _make_review(proposal, "revise", facts, of_edit=of_edit)
        if any(finding.missing for finding in facts):
            return _make_review(proposal, "concerns", facts, of_edit=of_edit)  # the package is settled first
        if current_turn(log).is_sent_back(code) or not await self._find_risk(log, proposal, code, of_edit=of_edit):
            return _make_review(proposal, "ok", facts, of_edit=of_edit)
        try:
            reply = await self._judge(log, proposal, code, facts, of_edit=of_edit)
        except ModelError as error:
            # The reviewer advises: where it cannot, the facts stand by themselves and the person is told.
            skipped = Finding(level="note", text=f"No model looked at this code. {error}")
            return _make_review(proposal, "ok", (*facts, skipped), of_edit=of_edit)
        lines = code.count("\n") + 1
        thought = tuple(
            Finding(level=f.level, text=f.text, line=f.line if f.line is not None and 1 <= f.line <= lines else None)
            for f in reply.findings
        )
        return _make_review(proposal, reply.verdict, (*facts, *thought), of_edit=of_edit)

    async def _find_risk(self, log: Sequence[Event], proposal: Proposal, code: str, *, of_edit: bool) -> bool:
        """Whether the code is of a kind whose figures can be wrong without the program seeing it."""
        turn = current_turn(log)
        step = turn.steps[proposal.step - 1] if proposal.step <= len(turn.steps) else None
        if step is not None and step.hard:
            return True
        if proposal.language == "python":
            return not await asyncio.to_thread(is_plain_chart, code, fold_events(log).kernel.variables)
        catalogs = {catalog.source: catalog for catalog in await self._context.catalogs()}
        for query in list_queries(code):
            catalog = catalogs.get(query.source) if query.source is not None else next(iter(catalogs.values()), None)
            if catalog is None:
                continue
            if _has_definitions(turn) and (of_edit or not await asyncio.to_thread(is_plain_read, query.sql, catalog)):
                return True
            if await asyncio.to_thread(multiplies_rows, query.sql, catalog):
                return True
        return False

    async def _judge(
        self, log: Sequence[Event], proposal: Proposal, code: str, facts: Sequence[Finding], *, of_edit: bool
    ) -> ReviewReply:
        turn = current_turn(log)
        tables_text = await self._describe_tables(log, proposal.language, code)
        lookups = await open_lookups(self._context, dialogue=self._dialogue, log=log, source_text=tables_text)
        about = " ".join(filter(None, (turn.question, proposal.title, *proposal.operations)))
        return await self._dialogue.ask(
            ReviewReply,
            ModelRequest(
                log=_exclude_code(log, proposal, of_edit=of_edit),
                system=fill_prompt("reviewer"),
                task=fill_prompt(
                    "task_review",
                    whose="The person's edit" if of_edit else "The proposal",
                    language=proposal.language,
                    code=code,
                    facts="\n".join(f"- {fact.level}: {fact.text}" for fact in facts) or "- none",
                ),
                sections=(
                    PromptSection(
                        title="Found in the knowledge base",
                        text=await lookups.search_documents(about, k=_HITS, source_text=None),
                        is_indivisible=True,
                    ),
                    PromptSection(title="Tables of the plan", text=tables_text),
                    PromptSection(
                        title="Results so far",
                        text=await describe_results(
                            self._context,
                            list_results(turn),
                            sees=self._dialogue.sees,
                            code=code if proposal.language == "python" else None,
                        ),
                    ),
                ),
                step=proposal.step,
                tells_variables=proposal.language == "python",
            ),
            lookups,
            problem_of=_find_problem,
        )

    async def diagnose(self, log: Sequence[Event], execution: Execution) -> Diagnosis:
        """Say why an execution failed, and whether a repair is worth another proposal."""
        try:
            return await self._ask_for_diagnosis(log, execution)
        except ModelError:
            diagnosis = await EmbeddedReviewer(check=self._check).diagnose(log, execution)
            raised = execution.failure is not None and execution.failure.kind in ("raised", "refused")
            return diagnosis.model_copy(update={"repairable": raised})

    async def _ask_for_diagnosis(self, log: Sequence[Event], execution: Execution) -> Diagnosis:
        reply = await self._dialogue.ask(
            DiagnosisReply,
            ModelRequest(
                log=log,
                system=fill_prompt("diagnostician"),
                task=fill_prompt("task_diagnose", execution=execution.id),
                sections=(PromptSection(title="Tables of the plan", text=await self._describe_tables(log)),),
                step=execution.step,
            ),
            Lookups(self._context, dialogue=self._dialogue, log=log),
            problem_of=lambda reply: None if reply.cause.strip() else "cause is empty.",
        )
        interrupted = execution.failure is not None and execution.failure.kind == "interrupted"
        return Diagnosis(
            turn=execution.turn,
            execution=execution.id,
            category=reply.category,
            cause=reply.cause,
            fix=reply.fix,
            # What the person stopped is not to be proposed to them again.
            repairable=reply.repairable and not interrupted,
        )

    async def _describe_tables(self, log: Sequence[Event], language: Language = "sql", code: str = "") -> str:
        """The tables of the plan; for a Python cell, which works on results, only those that it names."""
        plan = current_turn(log).plan
        if plan is None:
            return ""
        catalogs = self._dialogue.readable(await self._context.catalogs())
        words = code.casefold()
        names = [table_name for table_name in plan.tables if language == "sql" or table_name.casefold() in words]
        tables = (find_table(catalogs, name) for name in names)
        return "\n\n".join(
            describe_table(table, source=source, sees=self._dialogue.sees) for source, table in filter(None, tables)
        )


def _find_days_left_out(log: Sequence[Event], proposal: Proposal) -> tuple[Finding, ...]:
    steps = current_turn(log).steps
    instruction = steps[proposal.step - 1].instruction if proposal.step <= len(steps) else ""
    return find_missing_days(instruction, [query.sql for query in proposal.queries])


def _has_definitions(turn: Turn) -> bool:
    """Whether the plan rests on what the organisation defined."""
    kinds = {citation.id.partition(":")[0] for citation in (turn.plan.citations if turn.plan is not None else ())}
    return bool(kinds & _DEFINITIONS)


def _exclude_code(log: Sequence[Event], proposal: Proposal, *, of_edit: bool) -> Sequence[Event]:
    """The log without the code under review, which stands in the task."""
    if not of_edit:
        return [event for event in log if event != proposal]
    return [
        event.model_copy(update={"code": None}) if isinstance(event, Decision) and event.ref == proposal.id else event
        for event in log
    ]


def _find_problem(reply: ReviewReply) -> str | None:
    if reply.verdict == "revise" and not any(f.level in ("warning", "danger") for f in reply.findings):
        return "A verdict of revise needs a warning or danger that says what to change."
    return None


def _make_review(
    proposal: Proposal,
    verdict: Literal["ok", "concerns", "revise"],
    findings: Sequence[Finding],
    *,
    of_edit: bool,
) -> Review:
    """The review that findings allow: never milder than they are."""
    levels = {finding.level for finding in findings}
    least: Literal["ok", "concerns", "revise"] = "ok"
    if "danger" in levels:
        least = "revise"
    elif "warning" in levels:
        least = "concerns"
    if _WEIGHT[least] > _WEIGHT[verdict]:
        verdict = least
    if of_edit and verdict == "revise" and "danger" not in levels:
        # The person chose these bytes; a matter of taste does not send them back.
        verdict = "concerns"
    return Review(turn=proposal.turn, proposal=proposal.id, verdict=verdict, findings=tuple(findings), of_edit=of_edit)
