"""Several cells that were marked right answer again in any session on the same data, and nobody thinks for it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

import assistant.bootstrap as bootstrap
from assistant.core.events import Answer, Clarification, DecisionRequested, Event, Plan, Proposal, Query, Review, Step
from assistant.core.turns import current_turn
from assistant.query.cells import QueryProblem, literal_queries, render_cell
from assistant.session.roles import participants
from assistant.session.session import Session
from assistant.session.workspace import Workspace
from assistant.settings.config import Settings

TOTALS = render_cell(
    "totals",
    "SELECT city, SUM(amount) AS total FROM orders"
    " WHERE amount > 5 AND day >= '2026-08-01' AND day < '2026-09-01' GROUP BY city",
)
SHARES = "totals['share'] = totals['total'] / totals['total'].sum()\nshares = totals[['city', 'share']]\nshares"
CELLS = (("sql", TOTALS), ("python", SHARES))
QUESTION = "What share of the total has each city with amounts over 5 in the last month?"
ALL = ("plan", "query", "python")


class Script:
    """A planner and coder that say what they are told, and count how often they were asked."""

    def __init__(self) -> None:
        self.cells: Sequence[tuple[str, str]] = CELLS
        self.calls = 0
        self.declines = False

    async def plan(self, log: Sequence[Event]) -> Plan | Answer:
        self.calls += 1
        turn = current_turn(log)
        if self.declines:
            return Answer(turn=turn.number, status="declined", text="That is not understood.")
        steps = tuple(
            Step(title=f"Step {n}", language=language)  # pyright: ignore[reportArgumentType] - literals
            for n, (language, _) in enumerate(self.cells, start=1)
        )
        return Plan(turn=turn.number, id=f"{turn.number}.plan.1", restated="Share of each city", steps=steps)

    async def answer(self, log: Sequence[Event]) -> Answer:
        self.calls += 1
        turn = current_turn(log)
        return Answer(turn=turn.number, status="answered", text="Done.", table=turn.ran[-1].id, follow_ups=("by day",))

    async def propose(self, log: Sequence[Event], *, step: int, revision: int) -> Proposal:
        self.calls += 1
        turn = current_turn(log)
        language, code = self.cells[step - 1]
        queries = literal_queries(code)
        assert not isinstance(queries, QueryProblem)
        return Proposal(
            turn=turn.number,
            id=f"{turn.number}.{step}.{revision}",
            step=step,
            revision=revision,
            language=language,  # pyright: ignore[reportArgumentType] - a literal
            title=f"Step {step}",
            code=code,
            queries=tuple(Query(sql=query.sql, source=query.source) for query in queries),
        )


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    played = Script()
    monkeypatch.setattr(participants.Roles, "_planner", lambda _: played)
    monkeypatch.setattr(participants.Roles, "_coder", lambda _: played)
    return played


def settings(folder: Path, **more: object) -> Settings:
    database = folder / "shop.sqlite"
    if not database.exists():
        with sqlite3.connect(database) as connection:
            connection.executescript(
                "CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT, amount INTEGER, day TEXT);"
                "INSERT INTO orders (city, amount, day) VALUES ('Kiel', 10, '2026-08-02'), ('Ulm', 30, '2026-08-09'),"
                " ('Ulm', 40, '2026-09-03'), ('Bonn', 8, '2026-09-04');"
            )
        connection.close()
    given = {"home": folder / "home", "sources": (f"shop={database}",), "as_of": date(2026, 9, 1), "verifier": "Ana"}
    return Settings.model_validate(given | {"embeddings": "hashing"} | more)


async def ask(session: Session, text: str, *, approve: Sequence[str] = ALL) -> Answer | None:
    await session.ask(text, approve=tuple(approve))  # pyright: ignore[reportArgumentType] - literals
    await session.settled()
    turn = session.transcript.turns[-1]
    return turn.answer


def shares(session: Session, answer: Answer) -> dict[object, float]:
    table = session.table(answer.table or "")
    assert table is not None
    return {row[0]: round(float(str(row[1])), 4) for row in table.rows}


def run(folder: Path, scenario: object, **more: object) -> None:
    async def opened() -> None:
        async with bootstrap.open_workspace(settings(folder, **more)) as workspace:
            await scenario(workspace)  # type: ignore[operator]

    asyncio.run(opened())


def test_cells_that_were_marked_right_answer_in_a_new_session_without_a_thought(tmp_path: Path, script: Script) -> None:
    async def mark(workspace: Workspace) -> None:
        session = await workspace.create()
        answer = await ask(session, QUESTION)
        assert answer is not None
        assert answer.trust == "new"
        await session.answers.verify(1)

    async def again(workspace: Workspace) -> None:
        script.calls = 0
        session = await workspace.create()
        answer = await ask(session, QUESTION.lower().rstrip("?"))
        assert answer is not None
        assert (answer.status, answer.trust, script.calls) == ("answered", "verified", 0)
        assert shares(session, answer) == {"Kiel": 0.25, "Ulm": 0.75}
        assert "Ana" in answer.notes[0]
        codes = [execution.code for execution in session.transcript.turns[0].executions]
        assert codes == [TOTALS, SHARES]

    async def a_month_later(workspace: Workspace) -> None:
        session = await workspace.create()
        answer = await ask(session, QUESTION)
        assert answer is not None
        assert answer.trust == "verified"
        assert shares(session, answer) == {"Ulm": 0.8333, "Bonn": 0.1667}

    async def other_values(workspace: Workspace) -> None:
        script.calls = 0
        session = await workspace.create()
        answer = await ask(session, QUESTION.replace("5", "9"))
        assert answer is not None
        assert (answer.trust, script.calls) == ("adapted", 0)
        assert shares(session, answer) == {"Kiel": 0.25, "Ulm": 0.75}
        assert "amount > 9" in session.transcript.turns[0].executions[0].code
        assert session.transcript.turns[0].executions[1].code == SHARES

    run(tmp_path, mark)
    run(tmp_path, again)
    run(tmp_path, a_month_later, as_of=date(2026, 10, 2))
    run(tmp_path, other_values)


def test_kept_code_is_reviewed_and_waits_for_the_person_like_any_other(tmp_path: Path, script: Script) -> None:
    async def scenario(workspace: Workspace) -> None:
        first = await workspace.create()
        await ask(first, QUESTION)
        await first.answers.verify(1)
        session = await workspace.create()
        assert await ask(session, QUESTION, approve=()) is None
        plan = session.transcript.turns[0].plan
        assert plan is not None
        assert [(cell.code, bool(cell.findings)) for cell in plan.cells] == [(TOTALS, True), (SHARES, True)]
        requests = [e.event for e in session.events() if isinstance(e.event, DecisionRequested)]
        assert [request.subject for request in requests] == ["plan"]
        await session.decide(requests[0].id, "approve")
        await session.settled()
        assert [e.event.kind for e in session.events()].count("execution") == 0
        waiting = [e.event for e in session.events() if isinstance(e.event, DecisionRequested)][-1]
        assert waiting.subject == "code"
        assert [e.event.proposal for e in session.events() if isinstance(e.event, Review)] == ["1.1.1"]

        script.calls = 0
        await session.decide(waiting.id, "reject", reason="count orders instead")
        await session.settled()
        assert script.calls == 1, "what the person changes is written by whoever writes code"

    run(tmp_path, scenario)


def test_an_upload_keeps_its_answers_for_every_session_that_adds_it(tmp_path: Path, script: Script) -> None:
    data = ("visits.csv", b"city,amount,day\nKiel,10,2026-08-02\nUlm,30,2026-08-09\n")

    async def scenario(workspace: Workspace) -> None:
        sql = "SELECT city, SUM(amount) AS total FROM visits WHERE day >= '2026-08-01' GROUP BY city"
        script.cells = (("sql", render_cell("totals", sql, "visits")), ("python", SHARES))
        first, second, other = await workspace.create(), await workspace.create(), await workspace.create()
        await first.sources.add_files([data])
        await ask(first, QUESTION)
        mark = await first.answers.verify(1)
        assert not Path(mark.file).is_relative_to(tmp_path / "home" / "sessions")

        script.calls = 0
        await second.sources.add_files([data])
        answer = await ask(second, QUESTION)
        assert answer is not None
        assert (answer.trust, script.calls) == ("verified", 0)

        await other.sources.add_files([("visits.csv", b"town,cost\nKiel,10\nUlm,30\n")])
        await ask(other, QUESTION)
        assert script.calls > 0, "data of that name with other columns has no answer of its own"

        await first.answers.revoke(1)
        script.calls = 0
        await ask(second, QUESTION)
        assert script.calls > 0

    run(tmp_path, scenario)


def test_a_like_question_is_offered_beside_a_new_answer_and_where_none_is_found(tmp_path: Path, script: Script) -> None:
    async def scenario(workspace: Workspace) -> None:
        first = await workspace.create()
        await ask(first, QUESTION)
        await first.answers.verify(1, question="Share of the total by city")
        session = await workspace.create()
        answer = await ask(session, "Share of the total by city, please with all years")
        assert answer is not None
        assert (answer.trust, answer.follow_ups) == ("new", ("Share of the total by city", "by day"))

        script.declines = True
        session = await workspace.create()
        await ask(session, "Share of all total by city and shop")
        asked = [e.event for e in session.events() if isinstance(e.event, Clarification)][-1]
        assert asked.options == ("Share of the total by city",)
        await session.answer_clarification(asked.id, asked.options[0])
        await session.settled()
        answer = session.transcript.turns[0].answer
        assert answer is not None
        assert answer.trust == "verified"

    run(tmp_path, scenario)
