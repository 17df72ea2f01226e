"""A model's code as a cell, and what the program finds in it before anybody decides about it.

A SQL step's cell is rendered here from the model's SQL, never written by it, and the queries that an approval will
cover are read from the cell itself. What the program finds goes back to the writer once; what then remains is for the
reviewer and the person.
"""

from __future__ import annotations

import ast
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from assistant.agents.cell_review import review_cell
from assistant.agents.model.dates_of_step import find_missing_days
from assistant.agents.model.replies import CheckReply, CodeReply, is_name
from assistant.agents.result_checks import describe_check
from assistant.core.events import Event, Finding, Language, PlannedCheck, Query, Step
from assistant.core.turns import current_turn, fold_events
from assistant.query.cells import QueryProblem, literal_queries, render_cell

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog

FindFaults = Callable[[str, Language, Sequence[Event]], Awaitable[tuple[Finding, ...]]]
"""Looks at a cell, after these events, without a model: the guard, findings in the code, the source's estimate."""


def make_cell(reply: CodeReply, language: Language, catalogs: Sequence[Catalog]) -> str:
    """The cell that a reply's code becomes."""
    if language == "python":
        return _end_with_result(reply.code.replace("\r\n", "\n").replace("\r", "\n").strip("\n"), reply.result)
    source = choose_source(reply, catalogs)
    return render_cell(reply.result, reply.code.strip().rstrip(";").rstrip(), source if len(catalogs) > 1 else None)


def _end_with_result(code: str, result: str) -> str:
    """The cell, ending with the name of its result, so that what was named is what is shown."""
    body = ast.parse(code).body
    assigned = {node.id for node in ast.walk(ast.Module(body=body, type_ignores=[])) if isinstance(node, ast.Name)}
    last = body[-1] if body else None
    shows = isinstance(last, ast.Expr) and isinstance(last.value, ast.Name) and last.value.id == result
    return code if shows or result not in assigned else f"{code}\n{result}"


def list_queries(cell: str) -> tuple[Query, ...]:
    """The queries that an approval of a cell covers."""
    queries = literal_queries(cell)
    if isinstance(queries, QueryProblem):
        return ()
    return tuple(Query(sql=query.sql, source=query.source) for query in queries)


def choose_source(reply: CodeReply, catalogs: Sequence[Catalog]) -> str | None:
    """The source that a reply's query is for; None where it names none of several."""
    names = [catalog.source for catalog in catalogs]
    if reply.source in names:
        return reply.source
    return names[0] if len(names) == 1 else None


def make_check(check: CheckReply) -> PlannedCheck:
    """A check as the log holds it."""
    planned = PlannedCheck(**check.model_dump())
    return planned.model_copy(update={"text": describe_check(planned)})


class CellProblems:
    """What is wrong with a step's code. What the program finds in it is sent back once: what repeats is shown.

    Args:
        step: The step.
        catalogs: The session's catalogs.
        log: The session's events.
        find_faults: Looks at a cell; without it only its text is looked at.
    """

    def __init__(
        self, step: Step, *, catalogs: Sequence[Catalog], log: Sequence[Event], find_faults: FindFaults | None
    ) -> None:
        self._step = step
        self._catalogs = catalogs
        self._log = log
        self._find_faults = find_faults
        self._was_told = False

    async def __call__(self, reply: CodeReply) -> str | None:
        """What is wrong with a reply; None where nothing is."""
        problem = find_form_problem(reply, self._step.language, self._catalogs)
        if problem is not None or reply.kind != "code" or self._was_told:
            return problem
        doubt = await self._find_doubt(make_cell(reply, self._step.language, self._catalogs))
        self._was_told = doubt is not None
        return doubt

    async def _find_doubt(self, cell: str) -> str | None:
        turn = current_turn(self._log)
        if any(ran.status == "failed" and ran.code.strip() == cell.strip() for ran in turn.executions):
            return "This very code ran already and failed. Change what the diagnosis says, or say why in `text`."
        if turn.is_sent_back(cell):
            return "This very code was sent back by the review. Change what it says."
        if self._find_faults is not None:
            facts = await self._find_faults(cell, self._step.language, self._log)
        else:
            facts = review_cell(cell, fold_events(self._log).kernel.variables)
        days = find_missing_days(self._step.instruction, [query.sql for query in list_queries(cell)])
        # A package that the cage lacks is settled with the person.
        faults = [f for f in (*facts, *days) if f.level in ("warning", "danger") and not f.missing]
        message = " ".join(f"Line {f.line}: {f.text}" if f.line else f.text for f in faults)
        return f"{message} Correct it; where it is right all the same, send it again." if faults else None


def find_form_problem(reply: CodeReply, language: Language, catalogs: Sequence[Catalog]) -> str | None:
    """What of a reply cannot be made a cell."""
    if reply.kind != "code":
        return None if reply.text.strip() else "text is empty."
    if not reply.code.strip():
        return "code is empty."
    if wrong := next(filter(None, map(_find_check_problem, reply.checks)), None):
        return wrong
    if language == "sql":
        if not is_name(reply.result):
            return f"result {reply.result!r} is not a Python name. Give a short one in lower case."
        if catalogs and choose_source(reply, catalogs) is None:
            names = ", ".join(repr(catalog.source) for catalog in catalogs)
            return f"source {reply.source!r} is not one of {names}. A query reads one source."
        return None
    if reply.result and not is_name(reply.result):
        return f"result {reply.result!r} is not a Python name."
    try:
        ast.parse(reply.code)
    except (SyntaxError, ValueError) as error:
        return f"The code is not valid Python: {error}."
    queries = literal_queries(reply.code)
    return queries.message if isinstance(queries, QueryProblem) else None


def _find_check_problem(check: CheckReply) -> str | None:
    if check.kind in ("unique", "no_missing", "range", "same_total") and not check.columns:
        return f"A check {check.kind!r} needs columns of the result."
    if check.kind == "range" and check.low is None and check.high is None:
        return "A check 'range' needs low or high."
    if check.kind in ("same_rows", "same_total") and not check.result:
        return f"A check {check.kind!r} needs the name of an earlier result."
    return None
