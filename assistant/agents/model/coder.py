"""The coder played by a model: one cell for one step. Where the planner wrote it with its plan, no model is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.agents.model.candidates import TRIES, Candidate, group_tries, run_tries
from assistant.agents.model.candidates import describe_table_size as in_words_of
from assistant.agents.model.dialogue import Dialogue, ModelRequest
from assistant.agents.model.function_replies import CodeOrFunctionsReply
from assistant.agents.model.function_writing import FunctionWriter
from assistant.agents.model.lessons_told import LESSONS_TITLE, LessonTeller
from assistant.agents.model.lookups import Lookups
from assistant.agents.model.prompts import fill_prompt
from assistant.agents.model.replies import CodeReply
from assistant.agents.model.results import describe_results, list_results
from assistant.agents.model.source_descriptions import describe_overview, describe_table, find_table
from assistant.agents.model.spelling import quote_value
from assistant.agents.model.written_cells import (
    CellProblems,
    FindFaults,
    choose_source,
    list_queries,
    make_cell,
    make_check,
)
from assistant.cells.first_cell import load_imports
from assistant.core.approval.policy import Policy
from assistant.core.events import (
    Cell,
    Clarification,
    Event,
    FunctionsProposed,
    Proposal,
    Step,
    StepSkipped,
)
from assistant.core.turns import Turn, current_turn
from assistant.functions.matching import ListFunctions, describe_functions_for, list_none
from assistant.record.memory.context import PromptSection

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.core.catalog import Catalog

_HITS = 4
_OVERVIEW_TOKENS = 1_500
_FILES_MAX = 20
_OPTIONS_MAX = 4
_CHECKS_MAX = 6


class ModelCoder:
    """Plays the coder with a language model."""

    def __init__(
        self,
        dialogue: Dialogue,
        *,
        context: SessionContext,
        find_faults: FindFaults | None = None,
        list_functions: ListFunctions = list_none,
        writer: FunctionWriter | None = None,
        lessons: LessonTeller | None = None,
    ) -> None:
        self._dialogue = dialogue
        self._context = context
        self._find_faults = find_faults
        self._list_functions = list_functions
        self._writer = writer
        self._lessons = lessons

    async def propose(
        self, log: Sequence[Event], *, step: int, revision: int
    ) -> Proposal | Clarification | StepSkipped | FunctionsProposed:
        """Write the step's code, following what was said about earlier versions; ask back; or skip the step.

        What is worth keeping is written by test first, as functions, where a writer is given.

        Raises:
            ModelError: the model cannot be reached or stays malformed.
        """
        turn = current_turn(log)
        number = turn.number
        planned = turn.steps[step - 1]
        if self._writer is not None and _is_writing_open(turn):
            return await self._writer.resume(log, turn.functions[-1])
        if (cell := _find_planned_cell(turn, step)) is not None:
            return _propose_cell(cell, turn=number, revision=revision)
        catalogs = self._dialogue.readable(await self._context.catalogs())
        lookups = Lookups(self._context, dialogue=self._dialogue, log=log)
        plan = turn.plan
        tables = plan.tables if plan is not None else ()
        of_plan = self._describe_tables(catalogs, tables)
        overview_text = describe_overview(
            catalogs, tokens_max=_OVERVIEW_TOKENS, besides=tables, sees=self._dialogue.sees
        )
        documents = await lookups.search_documents(
            _describe_subject(turn, planned), k=_HITS, source_text=f"{of_plan}\n{overview_text}"
        )
        writer = self._writer if planned.language == "python" and not _has_functions(turn, step) else None
        how = fill_prompt(f"code_{planned.language}", imports=load_imports(), files=await self._describe_files())
        task = fill_prompt(
            "task_code",
            today=self._context.today.isoformat(),
            step=str(step),
            title=planned.title,
            instruction=planned.instruction or planned.title,
            how=f"{how}\n\n{fill_prompt('code_functions')}" if writer is not None else how,
        )
        results = await describe_results(self._context, list_results(turn), sees=self._dialogue.sees)
        functions = await asyncio.to_thread(
            describe_functions_for, _describe_subject(turn, planned), self._list_functions
        )
        lessons = await self._tell_lessons(catalogs, turn, planned)
        request = ModelRequest(
            log=log,
            system=fill_prompt("coder"),
            task=task,
            sections=(
                PromptSection(title="Results so far", text=results),
                PromptSection(title="Tables of the plan", text=of_plan),
                PromptSection(title="Found in the knowledge base", text=documents, is_indivisible=True),
                PromptSection(title="Tested functions that a cell can import", text=functions),
                PromptSection(title=LESSONS_TITLE, text=lessons),
                PromptSection(title="Sources", text=overview_text),
            ),
            step=step,
            prose="why",
            instructs=True,
        )

        async def ask(of: ModelRequest) -> CodeReply:
            problems = CellProblems(planned, catalogs=catalogs, log=log, find_faults=self._find_faults)
            return await self._ask(of, lookups, problems, writer)

        async def again(number: int) -> CodeReply:
            retry_task = fill_prompt("task_code_again", number=str(number), tries=str(TRIES))
            return await ask(replace(request, task=f"{task}\n{retry_task}", prose=""))

        reply = await ask(request)
        if writer is not None and isinstance(reply, CodeOrFunctionsReply) and reply.functions:
            return await writer.write(log, reply.functions, step=step)
        if reply.kind == "code" and revision == 1 and _deserves_tries(log, planned):
            tries = await run_tries(
                self._context,
                reply,
                again=again,
                source=lambda code_reply: choose_source(code_reply, catalogs),
                on_look=self._dialogue.log_look,
                turn=number,
            )
            agreed = _choose_reply(group_tries(tries), turn)
            if isinstance(agreed, Clarification):
                return agreed
            reply = agreed or reply
        return _make_event(reply, turn, planned, revision=revision, step=step, catalogs=catalogs)

    async def _tell_lessons(self, catalogs: Sequence[Catalog], turn: Turn, planned: Step) -> str:
        """The lessons about the tables of the plan, and about functions that the step names."""
        if self._lessons is None:
            return ""
        tables = turn.plan.tables if turn.plan is not None else ()
        text = _describe_subject(turn, planned)
        return await self._lessons.tell(catalogs, tables=tables, text=text, turn=turn.number)

    async def _ask(
        self, request: ModelRequest, lookups: Lookups, problems: CellProblems, writer: FunctionWriter | None
    ) -> CodeReply:
        """The code of a step; with a writer, functions that come before it."""
        if writer is None:
            return await self._dialogue.ask(CodeReply, request, lookups, problem_of=problems)

        async def find_problem(reply: CodeOrFunctionsReply) -> str | None:
            return await (writer.find_problem(reply.functions) if reply.functions else problems(reply))

        return await self._dialogue.ask(CodeOrFunctionsReply, request, lookups, problem_of=find_problem)

    async def _describe_files(self) -> str:
        """What a cell is told of the files it may open: none of a source that has withheld columns."""
        withheld = {c.source for c in await self._context.catalogs() if self._dialogue.withheld(c)}
        files = (await self._context.files()).items()
        names = [quote_value(name) for source, file_names in files if source not in withheld for name in file_names]
        if not names:
            return fill_prompt("code_no_files")
        more = f" and {len(names) - _FILES_MAX} more" if len(names) > _FILES_MAX else ""
        return fill_prompt("code_files", names=", ".join(names[:_FILES_MAX]) + more)

    def _describe_tables(self, catalogs: Sequence[Catalog], names: Sequence[str]) -> str:
        tables = (find_table(catalogs, name) for name in names)
        return "\n\n".join(
            describe_table(table, source=source, sees=self._dialogue.sees) for source, table in filter(None, tables)
        )


def _make_event(
    reply: CodeReply, turn: Turn, planned: Step, *, revision: int, step: int, catalogs: Sequence[Catalog]
) -> Proposal | Clarification | StepSkipped:
    """What a reply comes to: a cell, a question back, or no code."""
    match reply.kind:
        case "clarify":
            return Clarification(
                turn=turn.number,
                id=f"{turn.number}.clarification.{len(turn.exchanges) + 1}",
                asker="coder",
                text=reply.text,
                options=reply.options[:_OPTIONS_MAX],
            )
        case "skip":
            return StepSkipped(turn=turn.number, step=step, language=planned.language, reason=reply.text)
        case "code":
            code = make_cell(reply, planned.language, catalogs)
            return Proposal(
                turn=turn.number,
                id=f"{turn.number}.{step}.{revision}",
                step=step,
                revision=revision,
                language=planned.language,
                title=reply.title or planned.title,
                why=reply.why,
                operations=reply.operations,
                code=code,
                queries=list_queries(code),
                result=reply.result,
                checks=tuple(make_check(check) for check in reply.checks[:_CHECKS_MAX]),
            )


def _is_writing_open(turn: Turn) -> bool:
    """Whether the person decided about a test in doubt, so that writing goes on."""
    return turn.stage == "functions_decision" and turn.functions[-1].proposal.doubt is not None


def _has_functions(turn: Turn, step: int) -> bool:
    """Whether functions were written for a step already: they are written once."""
    return any(item.proposal.step == step for item in turn.functions)


def _find_planned_cell(turn: Turn, step: int) -> Cell | None:
    """The cell that came with the plan, as long as nobody changed the plan or said anything about that cell."""
    decision = turn.plan_decision
    if turn.plan is None or turn.open_proposal is not None or (decision is not None and decision.steps is not None):
        return None
    return next((cell for cell in turn.plan.cells if cell.step == step), None)


def _propose_cell(cell: Cell, *, turn: int, revision: int) -> Proposal:
    return Proposal(
        turn=turn,
        id=f"{turn}.{cell.step}.{revision}",
        step=cell.step,
        revision=revision,
        language=cell.language,
        title=cell.title,
        operations=cell.operations,
        code=cell.code,
        queries=list_queries(cell.code),
        result=cell.result,
    )


def _deserves_tries(log: Sequence[Event], step: Step) -> bool:
    """Whether a step is written several times: it is hard, a query, approved by policy, and nobody chose already."""
    turn = current_turn(log)
    allowed = "query" in Policy.of(log, turn=turn.number).approve
    has_choice = any(exchange.clarification.asker == "coder" for exchange in turn.exchanges)
    return step.hard and step.language == "sql" and allowed and not has_choice


def _choose_reply(groups: Sequence[Sequence[Candidate]], turn: Turn) -> CodeReply | Clarification | None:
    """The reply whose result most tries gave; the choice where no two of several agree; None where nothing ran."""
    if not groups:
        return None
    best, *other_groups = groups
    reply = best[0].reply
    if not other_groups:
        return reply if len(best) == 1 else _add_reason(reply, f"Written {len(best)} times with the same result.")
    if len(best) > 1:
        rival_results = " / ".join(in_words_of(group[0].table) for group in other_groups)
        return _add_reason(reply, f"{len(best)} tries gave this result; another gave {rival_results}.")
    readings = [
        f"Reading {n}: {attempt.reply.title or attempt.reply.why}" for n, (attempt, *_) in enumerate(groups, start=1)
    ]
    options = [
        f"{reading} ({in_words_of(attempt.table)})" for reading, (attempt, *_) in zip(readings, groups, strict=True)
    ]
    queries = [
        f"{reading}\n{attempt.reply.code.strip()}" for reading, (attempt, *_) in zip(readings, groups, strict=True)
    ]
    number = turn.number
    return Clarification(
        turn=number,
        id=f"{number}.clarification.{len(turn.exchanges) + 1}",
        asker="coder",
        text="Written several times, this step gave different results. Which reading is meant?\n\n"
        + "\n\n".join(queries),
        options=tuple(options[:_OPTIONS_MAX]),
    )


def _add_reason(reply: CodeReply, more: str) -> CodeReply:
    return reply.model_copy(update={"why": f"{reply.why} {more}".strip()})


def _describe_subject(turn: Turn, step: Step) -> str:
    return f"{turn.question} {step.title} {step.instruction}".strip()
