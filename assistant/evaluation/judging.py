"""Judges a reply: runs the gold queries of its question on the source and compares the results."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.core.data_errors import QueryError
from assistant.evaluation.asking import CaseReply, Rows, rows_of
from assistant.evaluation.comparison import are_equal, contains_result, is_ordered
from assistant.evaluation.score import CaseRecord

if TYPE_CHECKING:
    from assistant.core.values import Budget
    from assistant.evaluation.suite import Case
    from assistant.sources.sources import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gold:
    """The result of a gold query. `given` by the suite: an answer with further columns is right as well."""

    rows: Rows
    ordered: bool
    is_given: bool = False


class Judge:
    """Judges replies on one source, which it reads for itself."""

    def __init__(self, source: Source, *, budget: Budget) -> None:
        self._source = source
        self._budget = budget

    async def judge(self, case: Case, reply: CaseReply, *, seconds: float) -> CaseRecord:
        """Say whether a reply is right; a gold query that does not run does not count."""
        tables = (reply.rows, *reply.offered)
        golds = await self._golds(case) if any(rows is not None for rows in tables) else ()
        right: bool | None = not case.sql and reply.status == "declined"
        wide = False
        if reply.status == "answered" and reply.rows is not None:
            right = await asyncio.to_thread(_equals, reply.rows, golds) if golds or not case.sql else None
            wide = right is False and await asyncio.to_thread(_holds, reply.rows, golds)
        readings = [rows is not None and await asyncio.to_thread(_equals, rows, golds) for rows in reply.offered]
        return CaseRecord(
            id=case.id,
            source=case.source,
            question=case.question,
            status=reply.status,
            sql=reply.sql,
            right=right,
            wide=wide,
            offered=any(readings),
            first=bool(readings) and readings[0],
            seconds=round(seconds, 4),
            text=reply.text,
        )

    async def equals_gold(self, case: Case, tables: Sequence[Rows | None]) -> tuple[bool, ...] | None:
        """Which of these results are right; None where no gold query runs."""
        golds = await self._golds(case)
        if not golds:
            return None
        return tuple([t is not None and await asyncio.to_thread(_equals, t, golds) for t in tables])

    async def _golds(self, case: Case) -> tuple[_Gold, ...]:
        golds: list[_Gold] = []
        answers = case.answers or ()
        for place, sql in enumerate(case.sql):
            if place < len(answers) and (rows := answers[place]) is not None:
                golds.append(_Gold(rows=tuple(map(tuple, rows)), ordered=False, is_given=True))
                continue
            try:
                result = await self._source.run(sql, None, self._budget)
            except QueryError:
                continue  # it may be written for another engine; where none runs, the record says so
            ordered = await asyncio.to_thread(is_ordered, sql, dialect=self._source.dialect)
            golds.append(_Gold(rows=await asyncio.to_thread(rows_of, result.table), ordered=ordered))
        return tuple(golds)


def _equals(rows: Rows, golds: Sequence[_Gold]) -> bool:
    return any(
        (contains_result if gold.is_given else are_equal)(rows, gold.rows, ordered=gold.ordered) for gold in golds
    )


def _holds(rows: Rows, golds: Sequence[_Gold]) -> bool:
    return any(contains_result(rows, gold.rows, ordered=gold.ordered) for gold in golds)
