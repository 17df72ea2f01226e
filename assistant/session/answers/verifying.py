"""Marks an answer right, and revokes that: the only way in which Tandem learns.

Stored are the question, in words that mean the same for everybody and on every day, and the exact code that was
approved and ran: one query, or all cells that the answer depends on. Relative dates are stored as such. The file in the
knowledge folder is written before the event, so that the log records only what happened; repeating either does no harm.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Protocol

from sqlglot import exp
from sqlglot.errors import SqlglotError

from assistant.analyst.verified import list_significant_words
from assistant.core.events import (
    AnyEvent,
    Event,
    Execution,
    QueryRun,
    Revoked,
    Verified,
)
from assistant.core.turns import Transcript, Turn, fold_events, fold_turn
from assistant.errors import SessionError
from assistant.query.cells import QueryProblem, is_query_cell, literal_queries
from assistant.session.answers.chains import Chain, find_chain
from knowledge.documents import VerifiedQuery, VerifiedStep
from knowledge.errors import KnowledgeError
from knowledge.parsing import parse_one
from knowledge.relative_days import depends_on_today, generalise_days
from knowledge.sources.results import KeptResult, sql_hash

LEANS = "Ask this as a full question to save it as verified: it continues the previous one."

_WORDS_MIN = 3
"""A question as it was typed is known again by so many words of its own, where others are kept in its place."""


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

    def keep(self, query: VerifiedQuery, result: KeptResult | None) -> Path:
        """Keep a query, in the file that is given back, and what it gave, where it is one query."""
        ...

    def revoke(self, id_: str, code: str) -> None:
        """Remove a query, if it is still there, with that code."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """What an answer rests on, as it ran.

    Attributes:
        sql: The query that gave it; empty where `executions` did.
        run: How that query ran.
        source: The session's name of the source, of several the first.
        executions: The cells that gave it together.
        answer_steps: The steps, from 1, whose tables the answer shows.
        titles: What the cells are called.
    """

    sql: str = ""
    run: QueryRun | None = None
    source: str
    executions: tuple[Execution, ...] = ()
    answer_steps: tuple[int, ...] = ()
    titles: tuple[str, ...] = ()


def find_basis(events: Sequence[Event], number: int) -> Basis | str:
    """What a turn's answer rests on; or why it cannot be marked right, in a sentence."""
    transcript, turn = fold_events(events), fold_turn(events, number)
    if turn is None:
        return f"There is no question {number} in this conversation."
    answer = turn.answer
    if answer is None or answer.status != "answered":
        return "The question has no answer."
    last = {execution.step: execution for execution in turn.executions}
    if any(execution.status == "failed" or not all(c.ok for c in execution.checks) for execution in last.values()):
        return "One of its steps failed."
    if (single := _find_single_query(turn, list(last.values()))) is not None:
        return Basis(sql=single.sql.strip(), run=single, source=single.source)
    return _find_steps(transcript, turn, find_chain(transcript, turn))


def _find_single_query(turn: Turn, executions: Sequence[Execution]) -> QueryRun | None:
    """The query that is all of an answer, but for a chart; None where the answer is more than a query's result."""
    of_query = [execution for execution in executions if execution.queries]
    if len(of_query) != 1 or len(of_query[0].queries) != 1 or turn.answer is None:
        return None
    (execution,) = of_query
    query = execution.queries[0]
    is_whole = all(candidate in (execution.id, turn.answer.chart) for candidate in (e.id for e in executions))
    is_shown = turn.answer.table in (None, execution.id) and not turn.answer.more_tables
    return query if is_whole and is_shown and is_query_cell(execution.code) and not query.parameters else None


def _find_steps(transcript: Transcript, turn: Turn, chain: Chain) -> Basis | str:
    """The cells of a chain as steps; or why they cannot be run again elsewhere."""
    queries = [query for execution in chain.executions for query in execution.queries]
    if not queries:
        return "No query gave this answer."
    if chain.undefined_names:
        return f"It uses {chain.undefined_names[0]!r}, which no step of this conversation computes."
    for execution in chain.executions:
        if isinstance(problem := literal_queries(execution.code), QueryProblem):
            return problem.message
    ids = [execution.id for execution in chain.executions]
    answer = turn.answer
    tables = (answer.table, *answer.more_tables) if answer is not None else ()
    titles = {item.proposal.id: item.proposal.title for past in transcript.turns for item in past.proposals}
    return Basis(
        source=queries[0].source,
        executions=chain.executions,
        answer_steps=tuple(ids.index(table) + 1 for table in tables if table in ids),
        titles=tuple(titles.get(id_) or f"Step {n}" for n, id_ in enumerate(ids, start=1)),
    )


def tables_of(sql: str, dialect: str) -> tuple[str, ...]:
    """The tables that a query reads, each once."""
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

    async def suggest_question(self, turn: int) -> str:
        """The question under which a turn's answer is kept: as it was typed where that stands alone, else the plan's.

        Empty where the plan does not put it in words of its own either: then the person has to.
        """
        marked = fold_turn(self._log.events, turn)
        if marked is None:
            return ""
        if await self._stands_alone_as_typed(marked):
            return marked.question.strip()
        restated = marked.plan.restated.strip() if marked.plan is not None else ""
        return "" if restated.casefold() == marked.question.strip().casefold() else restated

    async def verify(self, turn: int, *, question: str = "") -> Verified:
        """Keep the question and the code of a turn, because a person says that its answer is right.

        Args:
            turn: The turn.
            question: The question in the person's own words, which must stand alone; as suggested where it is empty.

        Raises:
            AssistantError: It cannot be marked, or not be kept; the text says why. Nothing changed.
        """
        marked = fold_turn(self._log.events, turn)
        if marked is not None and marked.verified is not None:
            return marked.verified
        basis = find_basis(self._log.events, turn)
        if isinstance(basis, str) or marked is None:
            raise SessionError(f"This answer cannot be saved as verified. {basis}")
        words = " ".join((question or await self.suggest_question(turn)).split())
        if not words:
            raise SessionError(LEANS)
        query = await self._make_query(basis, marked, words)
        try:
            file = await asyncio.to_thread(self._queries.keep, query, _make_result(query, basis))
        except KnowledgeError as error:
            raise SessionError(str(error)) from error
        mark = Verified(
            turn=turn,
            by=query.verifier,
            on=query.verified_on,
            query=query.id,
            question=query.question,
            sql=query.code,
            source=basis.source,
            file=str(file),
        )
        await self._log.append(mark)
        return mark

    async def _make_query(self, basis: Basis, turn: Turn, question: str) -> VerifiedQuery:
        """What is kept of a turn.

        Raises:
            SessionError: Its code names a day that nothing explains.
        """
        queries = [run for execution in basis.executions for run in execution.queries]
        sqls = [(basis.sql, basis.source)] if basis.sql else [(run.sql, run.source) for run in queries]
        names: dict[str, None] = {}
        for sql, source in sqls:
            dialect = await self._dialect(source)
            names |= dict.fromkeys(await asyncio.to_thread(tables_of, sql, dialect))
        steps = zip(basis.titles, basis.executions, strict=True)
        typed = turn.question.strip()
        is_known_again = (
            typed != question
            and not _is_clarified(turn)
            and await asyncio.to_thread(_count_words, typed) >= _WORDS_MIN
            and not any(depends_on_today(code, typed) for code in (basis.sql, *(ran.code for ran in basis.executions)))
        )
        return VerifiedQuery(
            question=question,
            asked=typed if is_known_again else "",
            sql=self._keep_days(basis.sql, turn, question),
            steps=tuple(
                VerifiedStep(title=title, language=ran.language, code=self._keep_days(ran.code, turn, question))
                for title, ran in steps
            ),
            shown=basis.answer_steps,
            source=basis.source,
            tables=tuple(names),
            verifier=self._person(),
            verified_on=self._today(),
        )

    def _keep_days(self, code: str, turn: Turn, question: str) -> str:
        """Code whose days move with today where those of the question do.

        Raises:
            SessionError: It names a day that nothing explains.
        """
        plan = turn.plan
        planned = (
            (plan.restated, *plan.assumptions, *(f"{step.title} {step.instruction}" for step in turn.steps))
            if plan is not None
            else ()
        )
        words = " ".join((turn.question, question, *turn.replies, *planned))
        typed = f"{turn.question} {question} {' '.join(turn.replies)}"
        text = generalise_days(code, question=typed, words=words, today=self._today())
        if text is None:
            raise SessionError(
                "This answer cannot be saved: its code uses dates that the question does not name. Ask again with the "
                "dates, such as “in the last 90 days”."
            )
        return text

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

    async def _stands_alone_as_typed(self, turn: Turn) -> bool:
        if turn.plan is not None and turn.plan.trust == "verified":
            return True
        if _is_clarified(turn):
            return False
        return turn.number == fold_events(self._log.events).turns[0].number or await self._stands_alone(turn)


def _count_words(question: str) -> int:
    """How many words of a question say what it is about."""
    return len(list_significant_words(question))


def _make_result(query: VerifiedQuery, basis: Basis) -> KeptResult | None:
    """What the query gave, to be compared later; None of several steps, which are not compared."""
    if basis.run is None:
        return None
    run = basis.run
    return KeptResult(
        sql=sql_hash(query),
        fingerprint=run.fingerprint,
        rows=run.rows,
        columns=run.columns,
        on=query.verified_on,
    )
