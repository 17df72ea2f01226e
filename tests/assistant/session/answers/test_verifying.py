"""An answer is marked right: what is kept, what cannot be, and how it is taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from conversation import CELL, SQL, Stage, Told, kinds, last

from assistant.core.approval.gate import find_pending_request
from assistant.core.events import Clarification, Event, Execution, Plan, Revoked, Step, Verified
from assistant.core.turns import current_turn
from assistant.errors import SessionError
from assistant.query.cells import render_cell
from assistant.session.answers.verifying import tables_of
from assistant.session.session import Session
from knowledge.documents import VerifiedQuery
from knowledge.sources.folder import read_folder
from knowledge.sources.results import read_results

ALL = ("plan", "query", "python")
QUESTION = "Revenue by region?"


def run(stage: Stage, scenario: Callable[[Session], Awaitable[None]]) -> None:
    async def staged() -> None:
        async with stage.session() as session:
            await scenario(session)

    asyncio.run(staged())


async def asked(session: Session, text: str = QUESTION, *, approve: tuple[str, ...] = ALL) -> None:
    await session.ask(text, approve=approve)  # pyright: ignore[reportArgumentType] - literals
    await session.settled()


def kept(stage: Stage) -> list[VerifiedQuery]:
    folder = stage.home / "knowledge"
    documents = read_folder(folder).documents if folder.exists() else ()
    return [document for document in documents if isinstance(document, VerifiedQuery)]


def told(*cells: tuple[str, str | list[str]]) -> Told:
    return Told(cells=cells)  # pyright: ignore[reportArgumentType] - literals


def test_the_question_and_the_sql_that_ran_are_kept_beside_the_data(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session)
        assert session.answers.why_not_verifiable(1) == ""
        mark = await session.answers.verify(1)
        assert last(session, Verified) == mark
        [query] = kept(stage)
        assert (query.question, query.sql, query.source, query.tables) == (QUESTION, SQL, "shop", ("sales",))
        assert (query.verifier, query.verified_on.isoformat()) == ("Ana", "2026-09-01")
        assert Path(mark.file).is_relative_to(tmp_path / "knowledge" / "queries")
        assert session.state == "idle"

    stage = Stage(tmp_path)
    run(stage, scenario)


def test_nothing_is_kept_without_a_mark(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session)
        assert not (tmp_path / "knowledge").exists()

    run(Stage(tmp_path), scenario)


def test_of_an_edited_query_what_ran_is_kept_and_never_what_was_proposed(tmp_path: Path) -> None:
    edited = "SELECT region, MAX(amount) AS revenue FROM sales GROUP BY region ORDER BY region"

    async def scenario(session: Session) -> None:
        await asked(session, approve=("plan",))
        request = find_pending_request([entry.event for entry in session.events()])
        assert request is not None
        await session.decide(request.id, "edit", code=render_cell("revenue", edited))
        await session.settled()
        await session.answers.verify(1)
        (query,) = kept(stage)
        assert query.sql == edited
        ran = next(entry.event for entry in session.events() if isinstance(entry.event, Execution)).queries[0]
        result = read_results(tmp_path / "knowledge")[query.id]
        assert (result.fingerprint, result.rows, result.columns) == (ran.fingerprint, ran.rows, ("region", "revenue"))
        await session.answers.revoke(1)
        assert read_results(tmp_path / "knowledge") == {}

    stage = Stage(tmp_path)
    run(stage, scenario)


MORE = render_cell("more", "SELECT COUNT(*) AS n FROM sales")


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ([("sql", "raise ValueError('no')")], "has no answer"),
        ([("sql", CELL), ("python", "revenue['no such column']")], "One of its steps failed"),
        ([("python", "1 + 1")], "No query"),
    ],
)
def test_what_rests_on_no_query_that_ran_cannot_be_marked(
    tmp_path: Path, cells: list[tuple[str, str | list[str]]], why: str
) -> None:
    async def scenario(session: Session) -> None:
        await asked(session)
        assert why in session.answers.why_not_verifiable(1)
        with pytest.raises(SessionError, match=why):
            await session.answers.verify(1)
        assert kept(stage) == []
        assert "verified" not in kinds(session)

    stage = Stage(tmp_path, told(*cells))
    run(stage, scenario)


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        ([("sql", CELL), ("sql", MORE)], (2,)),
        ([("python", f"{CELL}\nsmall = query('SELECT 1 AS one')")], (1,)),
        ([("sql", CELL), ("python", "revenue['revenue'] * 2")], (2,)),
        ([("python", f"{CELL}.head(1)")], (1,)),
        (
            [("python", 'revenue = query("SELECT * FROM sales WHERE amount > :n", params={"n": 6})\nrevenue')],
            (1,),
        ),
    ],
)
def test_every_cell_that_an_answer_rests_on_is_kept_as_it_ran(
    tmp_path: Path, cells: list[tuple[str, str | list[str]]], shown: tuple[int, ...]
) -> None:
    async def scenario(session: Session) -> None:
        await asked(session)
        assert session.answers.why_not_verifiable(1) == ""
        mark = await session.answers.verify(1)
        [query] = kept(stage)
        assert [(step.language, step.code) for step in query.steps] == cells
        assert (query.sql, query.shown) == ("", shown)
        assert mark.sql == query.code
        assert await session.answers.revoke(1)
        assert kept(stage) == []

    stage = Stage(tmp_path, told(*cells))
    run(stage, scenario)


def test_what_an_earlier_answer_computed_is_kept_with_the_cell_that_uses_it(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session)
        stage.told.cells = (("sql", MORE), ("python", "revenue['share'] = revenue['revenue'] / more['n'].iloc[0]"))
        await asked(session, "How is it per sale?")
        stage.told.cells = (("python", "revenue.sort_values('share')"),)
        await asked(session, "and sorted?")
        mark = await session.answers.verify(3, question="Which region has the least revenue per sale?")
        [query] = kept(stage)
        assert query.question == mark.question == "Which region has the least revenue per sale?"
        assert [step.code for step in query.steps] == [
            CELL,
            MORE,
            "revenue['share'] = revenue['revenue'] / more['n'].iloc[0]",
            "revenue.sort_values('share')",
        ]

    stage = Stage(tmp_path, stands_alone=False)
    run(stage, scenario)


def test_a_turn_that_is_not_there_or_not_answered_cannot_be_marked(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        with pytest.raises(SessionError, match="no question 1"):
            await session.answers.verify(1)
        await asked(session, approve=())
        with pytest.raises(SessionError, match="no answer"):
            await session.answers.verify(1)

    run(Stage(tmp_path), scenario)


def test_a_question_that_goes_on_from_another_is_kept_in_the_words_of_its_plan(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session)
        await asked(session, "and by month?")
        assert await session.answers.suggest_question(1) == QUESTION
        assert await session.answers.suggest_question(2) == "Revenue by region"
        assert (await session.answers.verify(2)).question == "Revenue by region"
        await asked(session, "Revenue by region")
        with pytest.raises(SessionError, match="full question"):
            await session.answers.verify(3)  # its plan says no more than its words, and these go on from another

    stage = Stage(tmp_path, stands_alone=False)
    run(stage, scenario)
    assert [query.question for query in kept(stage)] == ["Revenue by region"]


def test_a_question_that_was_settled_in_other_words_is_kept_in_those_of_its_plan(tmp_path: Path) -> None:
    def plan(log: Sequence[Event]) -> Plan | Clarification:
        turn = current_turn(log)
        if not turn.replies:
            return Clarification(turn=turn.number, id="1.c", text="Which figure?", options=("Count",))
        step = Step(title="Sum the amount", language="sql")
        return Plan(turn=turn.number, id="1.plan.1", restated=f"Best regions by {turn.replies[-1]}", steps=(step,))

    async def scenario(session: Session) -> None:
        await asked(session, "Which regions are best?")
        await session.answer_clarification("1.c", "amount sold")
        await session.settled()
        await session.answers.verify(1)
        [query] = kept(stage)
        assert (query.question, query.asked) == ("Best regions by amount sold", "")

    stage = Stage(tmp_path, Told(plan_with=plan))
    run(stage, scenario)


def test_days_that_follow_from_today_are_kept_as_such(tmp_path: Path) -> None:
    sql = "SELECT * FROM sales WHERE '2026-08-20' >= '2026-08-01' AND '2026-08-20' < '2026-09-01'"

    async def scenario(session: Session) -> None:
        await asked(session, "Which sales were there last month?")
        with pytest.raises(SessionError, match="dates that the question does not name"):
            await session.answers.verify(1)
        await session.answers.verify(1, question="Which sales were there last month, seen on 20 August 2026?")

    stage = Stage(tmp_path, told(("sql", render_cell("revenue", sql))))
    run(stage, scenario)
    [query] = kept(stage)
    assert query.sql == sql, "a year that is named stays"

    moving = "SELECT * FROM sales WHERE date('now') >= '2026-08-01' AND date('now') < '2026-09-01'"
    stage = Stage(tmp_path / "other", told(("sql", render_cell("revenue", moving))))
    stage.home.mkdir()

    async def again(session: Session) -> None:
        await asked(session, "Which sales were there last month?")
        await session.answers.verify(1)

    run(stage, again)
    [query] = kept(stage)
    assert "'{today:start of month-1}'" in query.sql
    assert "'{today:start of month}'" in query.sql


def test_marking_twice_is_no_harm_and_is_told_once(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session)
        first = await session.answers.verify(1)
        stage.person = "Ben"
        assert await session.answers.verify(1) == first
        assert kinds(session).count("verified") == 1
        assert [query.verifier for query in kept(stage)] == ["Ana"]

    stage = Stage(tmp_path)
    run(stage, scenario)


def test_other_sql_that_somebody_marked_for_the_same_question_is_not_lost(tmp_path: Path) -> None:
    other = tmp_path / "knowledge" / "queries" / "ours.yaml"
    other.parent.mkdir(parents=True)
    other.write_text(f"question: {QUESTION}\nsql: SELECT 1\nsource: shop\nverifier: Ben\nverified_on: 2026-08-01\n")

    async def scenario(session: Session) -> None:
        await asked(session)
        with pytest.raises(SessionError, match="Ben marked other SQL right"):
            await session.answers.verify(1)
        assert [query.sql for query in kept(stage)] == ["SELECT 1"]
        assert "verified" not in kinds(session)

    stage = Stage(tmp_path)
    run(stage, scenario)


def test_a_folder_that_cannot_be_written_is_said_and_nothing_is_told_to_have_happened(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("a file where the folder should be")

    async def scenario(session: Session) -> None:
        await asked(session)
        with pytest.raises(SessionError, match="could not be kept"):
            await session.answers.verify(1)
        assert "verified" not in kinds(session)

    run(Stage(tmp_path, knowledge=tmp_path / "elsewhere"), scenario)


def test_what_was_marked_is_taken_back_once(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session)
        assert not await session.answers.revoke(1)
        await session.answers.verify(1)
        assert await session.answers.revoke(1)
        assert kept(stage) == []
        assert isinstance(last(session, Revoked), Revoked)
        assert not await session.answers.revoke(1)
        await session.answers.verify(1)
        assert len(kept(stage)) == 1

    stage = Stage(tmp_path)
    run(stage, scenario)


def test_a_kept_query_that_was_edited_by_hand_is_never_deleted(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session)
        file = Path((await session.answers.verify(1)).file)
        written = file.read_text()
        for edited, why in ((written + "# mine\n", "edited by hand"), (written.replace("SUM", "MAX"), "other code")):
            file.write_text(edited)
            with pytest.raises(SessionError, match=why):
                await session.answers.revoke(1)
            assert file.read_text() == edited
        assert "revoked" not in kinds(session)
        file.unlink()
        assert await session.answers.revoke(1), "what is gone already is taken back"

    run(Stage(tmp_path), scenario)


def test_a_mark_is_there_after_a_restart_and_what_follows_is_not_disturbed(tmp_path: Path) -> None:
    stage = Stage(tmp_path)

    async def first(session: Session) -> None:
        await asked(session)
        await session.answers.verify(1)

    async def then(session: Session) -> None:
        assert isinstance(last(session, Verified), Verified)
        assert session.state == "idle"
        await asked(session)
        assert [e.event.id for e in session.events() if isinstance(e.event, Plan)] == ["1.plan.1", "2.plan.1"]
        assert await session.answers.revoke(1)

    run(stage, first)
    run(stage, then)


def test_what_is_withheld_since_a_mask_cannot_be_marked(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session)
        assert session.answers.why_not_verifiable(1) == ""
        stage.masks = ("sales.region",)
        with pytest.raises(SessionError, match="no answer"):
            await session.answers.verify(1)
        assert kept(stage) == []

    stage = Stage(tmp_path)
    run(stage, scenario)


def test_the_tables_of_a_query_are_those_of_the_source() -> None:
    sql = "WITH a AS (SELECT * FROM orders) SELECT * FROM a JOIN main.customers c USING (id) JOIN orders USING (id)"
    assert set(tables_of(sql, "sqlite")) == {"orders", "customers"}
