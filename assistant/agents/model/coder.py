"""The coder played by a model: one cell for one step.

A SQL step's cell is rendered here from the model's SQL, never written by it, and the queries that an approval will
cover are read from the cell itself.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.agents.cell_review import cell_findings
from assistant.agents.model.candidates import TRIES, Tried, grouped, tried
from assistant.agents.model.candidates import in_words as in_words_of
from assistant.agents.model.dialogue import Asked, Dialogue
from assistant.agents.model.lookups import Lookups
from assistant.agents.model.prompts import prompt
from assistant.agents.model.replies import CheckReply, CodeReply, is_name
from assistant.agents.model.results import results_in_words, results_of
from assistant.agents.model.source_descriptions import described, find_table, overview
from assistant.agents.model.spelling import quoted
from assistant.agents.result_checks import in_words
from assistant.cells.first_cell import imports
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
from assistant.record.memory.context import Section

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
        of_plan = self._described(catalogs, tables)
        others = overview(catalogs, tokens_max=_OVERVIEW_TOKENS, besides=tables, sees=self._dialogue.sees)
        found = await lookups.found(_about(turn, planned), k=_HITS, told=f"{of_plan}\n{others}")
        task = prompt(
            "task_code",
            today=self._context.today.isoformat(),
            step=str(step),
            title=planned.title,
            instruction=planned.instruction or planned.title,
            how=prompt(f"code_{planned.language}", imports=imports(), files=await self._files()),
        )
        results = await results_in_words(self._context, results_of(turn), sees=self._dialogue.sees)
        asked = Asked(
            log=log,
            system=prompt("coder"),
            task=task,
            sections=(
                Section(title="Results so far", text=results),
                Section(title="Tables of the plan", text=of_plan),
                Section(title="Found in the knowledge base", text=found, whole=True),
                Section(title="Sources", text=others),
            ),
            step=step,
            prose="why",
            instructs=True,
        )

        async def ask(of: Asked) -> CodeReply:
            problems = _Problems(planned.language, catalogs, log)
            return await self._dialogue.ask(CodeReply, of, lookups, problem_of=problems)

        async def again(number: int) -> CodeReply:
            told = prompt("task_code_again", number=str(number), tries=str(TRIES))
            return await ask(replace(asked, task=f"{task}\n{told}", prose=""))

        reply = await ask(asked)
        if reply.kind == "code" and revision == 1 and _gets_tries(log, planned):
            tries = await tried(
                self._context,
                reply,
                again=again,
                source=lambda one: _source(one, catalogs),
                told=self._dialogue.looked,
                turn=number,
            )
            agreed = _agreed(grouped(tries), turn)
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
                code = _cell(reply, planned.language, catalogs)
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
                    checks=tuple(_planned(check) for check in reply.checks[:_CHECKS_MAX]),
                )

    async def _files(self) -> str:
        """What a cell is told of the files it may open: none of a source that has withheld columns."""
        withheld = {c.source for c in await self._context.catalogs() if self._dialogue.withheld(c)}
        files = (await self._context.files()).items()
        names = [quoted(name) for source, held in files if source not in withheld for name in held]
        if not names:
            return prompt("code_no_files")
        more = f" and {len(names) - _FILES_MAX} more" if len(names) > _FILES_MAX else ""
        return prompt("code_files", names=", ".join(names[:_FILES_MAX]) + more)

    def _described(self, catalogs: Sequence[Catalog], names: Sequence[str]) -> str:
        tables = (find_table(catalogs, name) for name in names)
        return "\n\n".join(
            described(table, source=source, sees=self._dialogue.sees) for source, table in filter(None, tables)
        )


def _gets_tries(log: Sequence[Event], step: Step) -> bool:
    """Whether a step is written several times: it is hard, a query, approved by policy, and nobody chose already."""
    turn = current_turn(log)
    allowed = "query" in Policy.of(log, turn=turn.number).approve
    chosen = any(exchange.clarification.asker == "coder" for exchange in turn.exchanges)
    return step.hard and step.language == "sql" and allowed and not chosen


def _agreed(groups: Sequence[Sequence[Tried]], turn: Turn) -> CodeReply | Clarification | None:
    """The reply whose result most tries gave; the choice where no two of several agree; None where nothing ran."""
    if not groups:
        return None
    best, *others = groups
    reply = best[0].reply
    if not others:
        return reply if len(best) == 1 else _saying(reply, f"Written {len(best)} times with the same result.")
    if len(best) > 1:
        told = " / ".join(in_words_of(group[0].table) for group in others)
        return _saying(reply, f"{len(best)} tries gave this result; another gave {told}.")
    readings = [f"Reading {n}: {one.reply.title or one.reply.why}" for n, (one, *_) in enumerate(groups, start=1)]
    options = [f"{said} ({in_words_of(one.table)})" for said, (one, *_) in zip(readings, groups, strict=True)]
    queries = [f"{said}\n{one.reply.code.strip()}" for said, (one, *_) in zip(readings, groups, strict=True)]
    number = turn.number
    return Clarification(
        turn=number,
        id=f"{number}.clarification.{len(turn.exchanges) + 1}",
        asker="coder",
        text="Written several times, this step gave different results. Which reading is meant?\n\n"
        + "\n\n".join(queries),
        options=tuple(options[:_OPTIONS_MAX]),
    )


def _saying(reply: CodeReply, more: str) -> CodeReply:
    return reply.model_copy(update={"why": f"{reply.why} {more}".strip()})


def _about(turn: Turn, step: Step) -> str:
    return f"{turn.question} {step.title} {step.instruction}".strip()


def _cell(reply: CodeReply, language: Language, catalogs: Sequence[Catalog]) -> str:
    if language == "python":
        return _showing(reply.code.replace("\r\n", "\n").replace("\r", "\n").strip("\n"), reply.result)
    source = _source(reply, catalogs)
    return render_cell(reply.result, reply.code.strip().rstrip(";").rstrip(), source if len(catalogs) > 1 else None)


def _showing(code: str, result: str) -> str:
    """The cell, ending with the name of its result, so that what was named is what is shown."""
    body = ast.parse(code).body
    assigned = {node.id for node in ast.walk(ast.Module(body=body, type_ignores=[])) if isinstance(node, ast.Name)}
    last = body[-1] if body else None
    shows = isinstance(last, ast.Expr) and isinstance(last.value, ast.Name) and last.value.id == result
    return code if shows or result not in assigned else f"{code}\n{result}"


def _check_problem(check: CheckReply) -> str | None:
    if check.kind in ("unique", "no_missing", "range", "same_total") and not check.columns:
        return f"A check {check.kind!r} needs columns of the result."
    if check.kind == "range" and check.low is None and check.high is None:
        return "A check 'range' needs low or high."
    if check.kind in ("same_rows", "same_total") and not check.result:
        return f"A check {check.kind!r} needs the name of an earlier result."
    return None


def _planned(check: CheckReply) -> PlannedCheck:
    planned = PlannedCheck(**check.model_dump())
    return planned.model_copy(update={"text": in_words(planned)})


def _source(reply: CodeReply, catalogs: Sequence[Catalog]) -> str | None:
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
        problem = _problem(reply, self._language, self._catalogs)
        if problem is not None or reply.kind != "code" or self._was_told:
            return problem
        code = _cell(reply, self._language, self._catalogs).strip()
        doubt = self._doubt(code)
        self._was_told = doubt is not None
        return doubt

    def _doubt(self, code: str) -> str | None:
        for execution in current_turn(self._log).executions:
            if execution.status == "failed" and execution.code.strip() == code:
                return "This very code ran already and failed. Change what the diagnosis says, or say why in `text`."
        if self._language == "sql":
            return None
        found = cell_findings(code, fold_events(self._log).kernel.variables)
        said = " ".join(f"Line {f.line}: {f.text}" if f.line else f.text for f in found)
        return f"{said} Correct it; where it is right all the same, send it again." if found else None


def _problem(reply: CodeReply, language: Language, catalogs: Sequence[Catalog]) -> str | None:
    if reply.kind != "code":
        return None if reply.text.strip() else "text is empty."
    if not reply.code.strip():
        return "code is empty."
    if wrong := next(filter(None, map(_check_problem, reply.checks)), None):
        return wrong
    if language == "sql":
        if not is_name(reply.result):
            return f"result {reply.result!r} is not a Python name. Give a short one in lower case."
        if catalogs and _source(reply, catalogs) is None:
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
