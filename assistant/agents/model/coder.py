"""The coder played by a model: one cell for one step.

A SQL step's cell is rendered here from the model's SQL, never written by it, and the queries that an approval will
cover are read from the cell itself.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.agents.cell_review import review_cell
from assistant.agents.model.candidates import TRIES, Candidate, group_tries, run_tries
from assistant.agents.model.candidates import describe_table_size as in_words_of
from assistant.agents.model.dialogue import Dialogue, ModelRequest
from assistant.agents.model.lookups import Lookups
from assistant.agents.model.prompts import fill_prompt
from assistant.agents.model.replies import CheckReply, CodeReply, is_name
from assistant.agents.model.results import describe_results, list_results
from assistant.agents.model.source_descriptions import describe_overview, describe_table, find_table
from assistant.agents.model.spelling import quote_value
from assistant.agents.result_checks import describe_check
from assistant.cells.first_cell import load_imports
from assistant.core.approval.policy import Policy
from assistant.core.events import (
    Clarification,
    Event,
    Language,
    PlannedCheck,
    Proposal,
    Query,
    Step,
    StepSkipped,
)
from assistant.core.turns import Turn, current_turn, fold_events
from assistant.query.cells import QueryProblem, literal_queries, render_cell
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

    def __init__(self, dialogue: Dialogue, *, context: SessionContext) -> None:
        self._dialogue = dialogue
        self._context = context

    async def propose(
        self, log: Sequence[Event], *, step: int, revision: int
    ) -> Proposal | Clarification | StepSkipped:
        """Write the step's code, following what was said about earlier versions; ask back; or skip the step.

        Raises:
            ModelError: the model cannot be reached or stays malformed.
        """
        turn = current_turn(log)
        number = turn.number
        planned = turn.steps[step - 1]
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
        task = fill_prompt(
            "task_code",
            today=self._context.today.isoformat(),
            step=str(step),
            title=planned.title,
            instruction=planned.instruction or planned.title,
            how=fill_prompt(f"code_{planned.language}", imports=load_imports(), files=await self._describe_files()),
        )
        results = await describe_results(self._context, list_results(turn), sees=self._dialogue.sees)
        request = ModelRequest(
            log=log,
            system=fill_prompt("coder"),
            task=task,
            sections=(
                PromptSection(title="Results so far", text=results),
                PromptSection(title="Tables of the plan", text=of_plan),
                PromptSection(title="Found in the knowledge base", text=documents, is_indivisible=True),
                PromptSection(title="Sources", text=overview_text),
            ),
            step=step,
            prose="why",
            instructs=True,
        )

        async def ask(of: ModelRequest) -> CodeReply:
            problems = _Problems(planned.language, catalogs, log)
            return await self._dialogue.ask(CodeReply, of, lookups, problem_of=problems)

        async def again(number: int) -> CodeReply:
            retry_task = fill_prompt("task_code_again", number=str(number), tries=str(TRIES))
            return await ask(replace(request, task=f"{task}\n{retry_task}", prose=""))

        reply = await ask(request)
        if reply.kind == "code" and revision == 1 and _deserves_tries(log, planned):
            tries = await run_tries(
                self._context,
                reply,
                again=again,
                source=lambda code_reply: _choose_source(code_reply, catalogs),
                on_look=self._dialogue.log_look,
                turn=number,
            )
            agreed = _choose_reply(group_tries(tries), turn)
            if isinstance(agreed, Clarification):
                return agreed
            reply = agreed or reply
        match reply.kind:
            case "clarify":
                return Clarification(
                    turn=number,
                    id=f"{number}.clarification.{len(turn.exchanges) + 1}",
                    asker="coder",
                    text=reply.text,
                    options=reply.options[:_OPTIONS_MAX],
                )
            case "skip":
                return StepSkipped(turn=number, step=step, language=planned.language, reason=reply.text)
            case "code":
                code = _make_cell(reply, planned.language, catalogs)
                queries = literal_queries(code)
                return Proposal(
                    turn=number,
                    id=f"{number}.{step}.{revision}",
                    step=step,
                    revision=revision,
                    language=planned.language,
                    title=reply.title or planned.title,
                    why=reply.why,
                    operations=reply.operations,
                    code=code,
                    queries=()
                    if isinstance(queries, QueryProblem)
                    else tuple(Query(sql=query.sql, source=query.source) for query in queries),
                    result=reply.result,
                    checks=tuple(_make_check(check) for check in reply.checks[:_CHECKS_MAX]),
                )

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


def _make_cell(reply: CodeReply, language: Language, catalogs: Sequence[Catalog]) -> str:
    if language == "python":
        return _end_with_result(reply.code.replace("\r\n", "\n").replace("\r", "\n").strip("\n"), reply.result)
    source = _choose_source(reply, catalogs)
    return render_cell(reply.result, reply.code.strip().rstrip(";").rstrip(), source if len(catalogs) > 1 else None)


def _end_with_result(code: str, result: str) -> str:
    """The cell, ending with the name of its result, so that what was named is what is shown."""
    body = ast.parse(code).body
    assigned = {node.id for node in ast.walk(ast.Module(body=body, type_ignores=[])) if isinstance(node, ast.Name)}
    last = body[-1] if body else None
    shows = isinstance(last, ast.Expr) and isinstance(last.value, ast.Name) and last.value.id == result
    return code if shows or result not in assigned else f"{code}\n{result}"


def _find_check_problem(check: CheckReply) -> str | None:
    if check.kind in ("unique", "no_missing", "range", "same_total") and not check.columns:
        return f"A check {check.kind!r} needs columns of the result."
    if check.kind == "range" and check.low is None and check.high is None:
        return "A check 'range' needs low or high."
    if check.kind in ("same_rows", "same_total") and not check.result:
        return f"A check {check.kind!r} needs the name of an earlier result."
    return None


def _make_check(check: CheckReply) -> PlannedCheck:
    planned = PlannedCheck(**check.model_dump())
    return planned.model_copy(update={"text": describe_check(planned)})


def _choose_source(reply: CodeReply, catalogs: Sequence[Catalog]) -> str | None:
    names = [catalog.source for catalog in catalogs]
    if reply.source in names:
        return reply.source
    return names[0] if len(names) == 1 else None


class _Problems:
    """What is wrong with a reply. What is only likely wrong is sent back once: the flow ends what repeats."""

    def __init__(self, language: Language, catalogs: Sequence[Catalog], log: Sequence[Event]) -> None:
        self._language: Language = language
        self._catalogs = catalogs
        self._log = log
        self._was_told = False

    def __call__(self, reply: CodeReply) -> str | None:
        problem = _find_problem(reply, self._language, self._catalogs)
        if problem is not None or reply.kind != "code" or self._was_told:
            return problem
        code = _make_cell(reply, self._language, self._catalogs).strip()
        doubt = self._find_doubt(code)
        self._was_told = doubt is not None
        return doubt

    def _find_doubt(self, code: str) -> str | None:
        for execution in current_turn(self._log).executions:
            if execution.status == "failed" and execution.code.strip() == code:
                return "This very code ran already and failed. Change what the diagnosis says, or say why in `text`."
        if self._language == "sql":
            return None
        findings = review_cell(code, fold_events(self._log).kernel.variables)
        message = " ".join(f"Line {f.line}: {f.text}" if f.line else f.text for f in findings)
        return f"{message} Correct it; where it is right all the same, send it again." if findings else None


def _find_problem(reply: CodeReply, language: Language, catalogs: Sequence[Catalog]) -> str | None:
    if reply.kind != "code":
        return None if reply.text.strip() else "text is empty."
    if not reply.code.strip():
        return "code is empty."
    if wrong := next(filter(None, map(_find_check_problem, reply.checks)), None):
        return wrong
    if language == "sql":
        if not is_name(reply.result):
            return f"result {reply.result!r} is not a Python name. Give a short one in lower case."
        if catalogs and _choose_source(reply, catalogs) is None:
            names = ", ".join(repr(catalog.source) for catalog in catalogs)
            return f"source {reply.source!r} is not one of {names}."
        return None
    if reply.result and not is_name(reply.result):
        return f"result {reply.result!r} is not a Python name."
    try:
        ast.parse(reply.code)
    except (SyntaxError, ValueError) as error:
        return f"The code is not valid Python: {error}."
    queries = literal_queries(reply.code)
    return queries.message if isinstance(queries, QueryProblem) else None
