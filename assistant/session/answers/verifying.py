"""Marking an answer right, and taking that back: the only way in which anything is learned.

What is kept is the question and the very SQL that was approved and ran. A turn can be marked if its answer is one
query's result, and if its words mean the same whoever asks them, and whenever. The file in the knowledge folder comes
first and the log second: what the log says happened has happened, and doing either again does no harm.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assistant.core.events import (
    AnyEvent,
    Event,
    QueryRun,
    Revoked,
    Verified,
)
from assistant.core.turns import Turn, fold_events, fold_turn
from assistant.errors import SessionError
from assistant.query.cells import is_query_cell
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from knowledge.documents import VerifiedQuery
    from knowledge.sources.results import KeptResult

LEANS = (
    "It may lean on the answer before it. Ask it in words that stand alone, in a new conversation, and mark it there."
)

_DATE = re.compile(r"(?<![\w.])((?:19|20)\d\d)(?:-(\d\d)(?:-(\d\d))?)?(?![\w.])")
_OF_THE_DAY = re.compile(
    r"\b(today|yesterday|tomorrow|now|nowadays|current(ly)?|recent(ly)?|latest|ago|so far|to date"
    r"|ytd|mtd|qtd|overdue|late"
    r"|(this|last|past|previous|prior|next|coming|these)( \w+)? (days?|weeks?|months?|quarters?|years?|weekends?))\b",
    re.IGNORECASE,
)


class Log(Protocol):
    """The session's log."""

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, oldest first."""
        ...

    async def append(self, event: AnyEvent) -> object:
        """Make an event durable, then visible."""
        ...


class QueryStore(Protocol):
    """Where verified queries are kept. Calls block, and raise KnowledgeError."""

    def keep(self, query: VerifiedQuery, result: KeptResult) -> Path:
        """Keep a query, in the file that is given back, and what it gave."""
        ...

    def revoke(self, id_: str, sql: str) -> None:
        """Remove a query, if it is still there, with that SQL."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """The question and the query that an answer rests on, as it ran. `source` is the session's name of its source."""

    question: str
    sql: str
    source: str
    run: QueryRun


def find_basis(events: Sequence[Event], number: int) -> Basis | str:
    """What a turn's answer rests on; or why it cannot be marked right, in a sentence."""
    turn = fold_turn(events, number)
    if turn is None:
        return f"There is no question {number} in this conversation."
    answer = turn.answer
    if answer is None or answer.status != "answered":
        return "It has no answer."
    last = {execution.step: execution for execution in turn.executions}
    if any(execution.status == "failed" or not all(c.ok for c in execution.checks) for execution in last.values()):
        return "A step of it failed."
    queries = [query for execution in last.values() for query in execution.queries]
    if len(queries) != 1:
        return "It rests on several queries, and only one can be kept." if queries else "It rests on no query."
    of_query = next(execution for execution in last.values() if execution.queries)
    other_executions = [execution for execution in last.values() if execution is not of_query]
    computed = any(execution.id != answer.chart for execution in other_executions) or answer.table not in (
        None,
        of_query.id,
    )
    if computed or not is_query_cell(of_query.code) or queries[0].parameters:
        return "It was worked out in Python, and only SQL can be kept."
    if _is_clarified(turn):
        return "The question was settled in words of your own. Ask in those words, and mark that."
    sql = queries[0].sql.strip()
    if depends_on_today(turn.question, sql):
        return (
            "Its SQL names days that the question does not: on another day it would mean others. Ask for fixed dates."
        )
    return Basis(question=turn.question.strip(), sql=sql, source=queries[0].source, run=queries[0])


def depends_on_today(question: str, sql: str) -> bool:
    """Whether SQL with dates in it answers the question only for the day on which it was asked."""
    dates = _DATE.findall(sql)
    if not dates:
        return False
    years = {int(year) for year in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", question.replace(",", ""))}
    relative_years = years | {year + 1 for year in years if (str(year + 1), "01", "01") in dates}
    return _OF_THE_DAY.search(question) is not None or any(int(year) not in relative_years for year, _, _ in dates)


def tables_of(sql: str, dialect: str) -> tuple[str, ...]:
    """The tables that a query reads, each once."""
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    from knowledge.parsing import parse_one

    try:
        tree = parse_one(sql, dialect)
    except SqlglotError:  # the database understood it
        return ()
    own = {part.alias.casefold() for part in tree.find_all(exp.CTE)}
    names = (table.name for table in tree.find_all(exp.Table))
    return tuple(dict.fromkeys(name for name in names if name and name.casefold() not in own))


def _is_clarified(turn: Turn) -> bool:
    """Whether the person answered a question back, or rejected a plan, with words that are not in the question."""
    return any(
        item.reply is not None and item.reply not in item.clarification.options for item in turn.exchanges
    ) or any(
        decision.subject == "plan" and decision.action == "reject" and decision.reason for decision in turn.decisions
    )


def marked_in(events: Sequence[Event], file: str) -> tuple[int, ...]:
    """The turns with a mark that stands and whose query is kept in that file."""
    turns = fold_events(events).turns
    return tuple(turn.number for turn in turns if turn.verified is not None and turn.verified.file == file)


class Verification:
    """Marks the answers of one session.

    Args:
        log: The session's log.
        queries: Where verified queries are kept.
        person: Gives the name of who marks.
        today: Gives the day.
        dialect: Gives the SQL dialect of a source.
        stands_alone: Whether a turn's question means the same without those before it.
    """

    def __init__(
        self,
        *,
        log: Log,
        queries: QueryStore,
        person: Callable[[], str],
        today: Callable[[], date],
        dialect: Callable[[str], Awaitable[str]],
        stands_alone: Callable[[Turn], Awaitable[bool]],
    ) -> None:
        self._log = log
        self._queries = queries
        self._person = person
        self._today = today
        self._dialect = dialect
        self._stands_alone = stands_alone

    def why_not_verifiable(self, turn: int) -> str:
        """Why a turn's answer cannot be marked right, as far as the log tells; empty where it can."""
        basis = find_basis(self._log.events, turn)
        return basis if isinstance(basis, str) else ""

    async def depends_on_previous(self, turn: int) -> bool:
        """Whether a turn's question may lean on the answer before it, so that its answer cannot be marked right."""
        return not await self._means_the_same(turn)

    async def verify(self, turn: int) -> Verified:
        """Keep the question and the SQL of a turn, because a person says that its answer is right.

        Raises:
            AssistantError: It cannot be marked, or not be kept; the text says why. Nothing changed.
        """
        from knowledge.documents import VerifiedQuery
        from knowledge.sources.results import KeptResult, sql_hash

        marked = fold_turn(self._log.events, turn)
        if marked is not None and marked.verified is not None:
            return marked.verified
        basis = find_basis(self._log.events, turn)
        if isinstance(basis, str):
            raise SessionError(f"This answer cannot be marked right. {basis}")
        if await self.depends_on_previous(turn):
            raise SessionError(f"This answer cannot be marked right. {LEANS}")
        query = VerifiedQuery(
            question=basis.question,
            sql=basis.sql,
            source=basis.source,
            tables=await asyncio.to_thread(tables_of, basis.sql, await self._dialect(basis.source)),
            verifier=self._person(),
            verified_on=self._today(),
        )
        result = KeptResult(
            sql=sql_hash(query),
            fingerprint=basis.run.fingerprint,
            rows=basis.run.rows,
            columns=basis.run.columns,
            on=query.verified_on,
        )
        try:
            file = await asyncio.to_thread(self._queries.keep, query, result)
        except KnowledgeError as error:
            raise SessionError(str(error)) from error
        mark = Verified(
            turn=turn,
            by=query.verifier,
            on=query.verified_on,
            query=query.id,
            sql=query.sql,
            source=basis.source,
            file=str(file),
        )
        await self._log.append(mark)
        return mark

    async def revoke(self, turn: int) -> bool:
        """Take back that a turn's answer is right. False where no mark stands.

        Raises:
            AssistantError: The kept query was edited by hand meanwhile, or cannot be removed. Nothing changed.
        """
        marked = fold_turn(self._log.events, turn)
        mark = marked.verified if marked is not None else None
        if mark is None:
            return False
        try:
            await asyncio.to_thread(self._queries.revoke, mark.query, mark.sql)
        except KnowledgeError as error:
            raise SessionError(str(error)) from error
        await self._log.append(Revoked(turn=turn, by=self._person(), on=self._today()))
        return True

    async def _means_the_same(self, number: int) -> bool:
        turns = fold_events(self._log.events).turns
        turn = next(turn for turn in turns if turn.number == number)
        if turn is turns[0] or (turn.plan is not None and turn.plan.trust == "verified"):
            return True
        return await self._stands_alone(turn)
