"""Readings are run before it is decided: read-only, in a budget of time, told of, and no more than that."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast

import pytest

from assistant.agents.analyst import trials
from assistant.agents.analyst.trials import Trials
from assistant.agents.roles import SessionContext
from assistant.analyst.confidence import ROWS_MAX, ResultSummary
from assistant.analyst.deciding import QueryRuns
from assistant.analyst.outcomes import Declined, Outcome
from assistant.cells.tables import TableView
from assistant.core.data_errors import QueryFailed
from assistant.core.events import Looked


@dataclass
class Source:
    """Gives a row for each query but those that fail, after some seconds by its own clock."""

    seconds: float = 0.0
    fails: frozenset[str] = frozenset()
    clock: float = 0.0
    ran: list[str] = field(default_factory=list)

    async def try_reading(self, sql: str, *, source: str, rows_max: int, timeout_s: float) -> TableView:
        assert (source, rows_max) == ("shop", ROWS_MAX)
        assert timeout_s > 0
        self.ran.append(sql)
        self.clock += self.seconds
        if sql in self.fails:
            raise QueryFailed(f"no column {sql!r}")
        return TableView(columns=("n",), rows=((len(sql),),), total=1)


def _read(source: Source) -> tuple[list[list[ResultSummary | None] | None], list[Looked]]:
    told: list[Looked] = []
    seen: list[list[ResultSummary | None] | None] = []

    def reading(runs: QueryRuns) -> Outcome:
        seen.append(runs.results("shop", ["a", "b", "long"]))
        return Declined(reason="never mind")

    async def tell(event: Looked) -> None:
        told.append(event)

    asyncio.run(Trials(cast("SessionContext", source), on_look=tell).read(reading, turn=3))
    return seen, told


def test_a_question_is_read_again_with_the_results() -> None:
    seen, told = _read(Source(fails=frozenset("b")))
    assert seen == [None, [ResultSummary.of(((1,),)), None, ResultSummary.of(((4,),))]]
    assert [(event.turn, event.look, event.asked, event.found) for event in told] == [
        (3, "readings", "3 readings of the question", "2 ran, with 2 different results; 1 failed: no column 'b'")
    ]


def test_an_engine_that_runs_none_says_why_and_decides_nothing() -> None:
    source = Source(fails=frozenset(["a", "b"]))

    def reading(runs: QueryRuns) -> Outcome:
        return Declined(reason=f"{runs.results('shop', ['a', 'b'])}: {runs.failure('shop', ['b', 'a'])}")

    async def tell(event: Looked) -> None:
        assert event.found == "0 ran, with 0 different results; 2 failed: no column 'a'"

    outcome = asyncio.run(Trials(cast("SessionContext", source), on_look=tell).read(reading, turn=1))
    assert outcome == Declined(reason="None: no column 'b'")


def test_what_is_left_when_the_time_is_over_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source(seconds=trials.SECONDS_MAX)
    monkeypatch.setattr(trials, "time", SimpleNamespace(monotonic=lambda: source.clock))
    seen, _ = _read(source)
    assert source.ran == ["a"]
    assert seen[-1] == [ResultSummary.of(((1,),)), None, None]
