"""How answers are shown is kept in the log, stands in what is exported, and what words ask for is told from questions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import wraps

import pytest
from given_table import given

from assistant.core.events import Answer, AnyEvent, Disputed, Entry, Execution, Presented, Proposal, QueryRun, Question
from assistant.errors import SessionError
from assistant.output.notebook.builder import build
from assistant.session.answers.presenting import Presentation

SQL = "SELECT region, SUM(amount) AS revenue FROM sales GROUP BY region"
ROWS = given("region revenue", [("North", 300.0), ("South", 100.0)])


def in_a_loop(test: Callable[[], Coroutine[None, None, None]]) -> Callable[[], None]:
    @wraps(test)
    def run() -> None:
        asyncio.run(test())

    return run


class Metric:
    name, synonyms, unit, unit_symbol = "revenue", (), "currency", "EUR"


@dataclass
class Log:
    events: list[AnyEvent] = field(default_factory=list)

    async def append(self, event: AnyEvent) -> None:
        self.events.append(event)

    @property
    def entries(self) -> tuple[Entry, ...]:
        now = datetime(2026, 1, 1, tzinfo=UTC)
        return tuple(Entry(seq=n, at=now, event=event) for n, event in enumerate(self.events, 1))


def presenting() -> tuple[Presentation, Log]:
    run = QueryRun(sql=SQL, source="shop", rows=2, seconds=0.1, columns=("region", "revenue"))
    log = Log(
        [
            Question(turn=1, text="revenue by region"),
            Execution(turn=1, id="1.1.1", step=1, language="sql", code="r = query('...')", status="ok", queries=(run,)),
            Answer(turn=1, status="answered", text="North leads.", table="1.1.1"),
        ]
    )

    async def metrics() -> Sequence[Metric]:
        return [Metric()]

    async def dialect(_source: str) -> str:
        return "sqlite"

    async def keys(_source: str) -> tuple[str, ...]:
        return ()

    made = Presentation(
        log=log,
        metrics=metrics,
        dialect=dialect,
        keys=keys,
        person=lambda: "Ana",
        today=lambda: date(2026, 1, 1),
        render=lambda name, sql, source: f"{name} = query({sql!r})",
    )
    return made, log


@in_a_loop
async def test_words_about_showing_become_an_event_and_questions_do_not() -> None:
    made, log = presenting()
    assert await made.present_in_words("as a pie chart")
    assert await made.present_in_words("sort by region")
    assert not await made.present_in_words("revenue by month")
    shown = [event for event in log.events if isinstance(event, Presented)]
    assert [one.look.chart for one in shown] == ["pie", "pie"]
    assert shown[-1].look.sort == "region"
    assert shown[-1].said == "sort by region"


@in_a_loop
async def test_figures_have_the_currency_of_their_metric() -> None:
    made, _ = presenting()
    facts = await made.facts("1.1.1")
    assert (facts.properties["revenue"].symbol, facts.properties["revenue"].additive) == ("EUR", True)
    assert facts.lineage is not None
    assert facts.lineage.tables == ("sales",)


@in_a_loop
async def test_what_is_wrong_is_said_and_taken_back() -> None:
    made, log = presenting()
    await made.dispute(1, " returns must not count ")
    await made.dispute(1, "", stands=False)
    said = [event for event in log.events if isinstance(event, Disputed)]
    assert [(one.by, one.note, one.stands) for one in said] == [
        ("Ana", "returns must not count", True),
        ("Ana", "", False),
    ]


@in_a_loop
async def test_the_rows_under_a_figure_are_put_forward_not_run() -> None:
    made, _ = presenting()
    begun = (await made.under("1.1.1", {"region": "North"}))(2)
    proposal = begun[-1]
    assert isinstance(proposal, Proposal)
    assert "region = 'North'" in proposal.queries[0].sql
    assert not any(isinstance(event, Execution) for event in begun)
    with pytest.raises(SessionError, match="adds nothing up"):
        await made.under("9.9.9", {})


@in_a_loop
async def test_an_exported_notebook_holds_the_chart_as_it_is_shown() -> None:
    made, log = presenting()
    await made.present_in_words("as a pie chart")
    told = await made.with_charts(log.entries, lambda _execution: ROWS)
    notebook = build(told, ())
    cell = next(cell for cell in notebook["cells"] if "from_dict" in cell["source"])
    assert '"arc"' in cell["source"]
    assert "€300" in json.dumps(cell["outputs"], ensure_ascii=False)
