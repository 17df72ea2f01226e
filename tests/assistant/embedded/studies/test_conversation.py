"""What the person does with a study: rejects its plan or code with a reason, edits its code, is asked back."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from assistant.approval.gate import pending
from assistant.bootstrap import open_workspace
from assistant.events import Answer, Clarification, Event, Plan, Proposal, StepSkipped
from assistant.session.session import Session
from assistant.settings.config import Settings

ALL = ("plan", "query", "python")
SCHEMA = """
CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, sold_on DATE NOT NULL, region TEXT NOT NULL, amount REAL NOT NULL);
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, seen_on DATE NOT NULL, pages INTEGER NOT NULL);
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two years of sales in two regions, and a few visits."""
    path = tmp_path_factory.mktemp("shop") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(SCHEMA)
        for n in range(24):
            day = date(2024 + n // 12, n % 12 + 1, 15).isoformat()
            for region, factor in (("North", 1.0), ("South", 0.5)):
                row = (day, region, factor * (100 + 5 * n + (40 if n % 12 == 11 else 0)))
                connection.execute("INSERT INTO sales (sold_on, region, amount) VALUES (?, ?, ?)", row)
        connection.execute("INSERT INTO visits (seen_on, pages) VALUES ('2025-01-01', 3)")
    return path


def in_session(shop: Path, home: Path, scenario: Callable[[Session], Awaitable[None]]) -> None:
    async def run() -> None:
        settings = Settings(home=home, as_of=date(2026, 1, 5), sources=(str(shop),), embeddings="hashing")
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            await scenario(session)
            await session.close()

    asyncio.run(run())


def events(session: Session) -> list[Event]:
    return [entry.event for entry in session.events()]


async def decided(session: Session, action: str, **more: str) -> None:
    request = pending(events(session))
    assert request is not None, events(session)[-1]
    assert await session.decide(request.id, action, **more)  # type: ignore[arg-type]
    await session.settled()


async def asked(session: Session, question: str, *approve: str) -> Event:
    await session.ask(question, approve=approve)  # type: ignore[arg-type]
    await session.settled()
    return events(session)[-1]


def test_a_plan_rejected_with_a_reason_comes_back_as_the_reason_says(shop: Path, tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session, "is there a trend in the amount?")
        await decided(session, "reject", reason="only the north")
        plan = [e for e in events(session) if isinstance(e, Plan)][-1]
        assert re.fullmatch(r"Trend of total .*amount by month, where region is North", plan.restated)
        assert [step.language for step in plan.steps] == ["sql", "python"]

    in_session(shop, tmp_path, scenario)


def test_a_query_rejected_with_a_reason_is_written_anew(shop: Path, tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session, "is there a trend in the amount?", "plan")
        await decided(session, "reject", reason="only the south")
        proposal = [e for e in events(session) if isinstance(e, Proposal)][-1]
        assert "'South'" in proposal.code
        await decided(session, "approve")
        await decided(session, "approve")
        answer = events(session)[-1]
        assert isinstance(answer, Answer)
        assert answer.status == "answered"
        assert "region is South" in answer.text

    in_session(shop, tmp_path, scenario)


def test_python_is_not_rewritten_for_rows_that_were_not_read(shop: Path, tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session, "is there a trend in the amount?", "plan", "query")
        await decided(session, "reject", reason="only the south")
        back = events(session)[-1]
        assert isinstance(back, Clarification)
        assert "other rows" in back.text
        assert await session.answer_clarification(back.id, "Leave this step out")
        await session.settled()
        assert any(isinstance(e, StepSkipped) for e in events(session))
        answer = events(session)[-1]
        assert isinstance(answer, Answer)
        assert answer.table is not None, "the rows that were read are the answer then"

    in_session(shop, tmp_path, scenario)


def test_edited_code_is_answered_in_its_own_words(shop: Path, tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session, "is there a trend in the amount?", "plan", "query")
        code = "import pandas as pd\nmine = pd.DataFrame({'mine': [1, 2, 3]})\nmine"
        await decided(session, "edit", code=code)
        answer = events(session)[-1]
        assert isinstance(answer, Answer)
        assert answer.status == "answered"
        assert "**3 rows**" in answer.text
        assert "rises" not in answer.text

    in_session(shop, tmp_path, scenario)


def test_it_asks_which_table_is_meant_and_goes_on_with_the_one_chosen(shop: Path, tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        back = await asked(session, "what is odd in this table?", *ALL)
        assert isinstance(back, Clarification)
        assert back.options == ("What looks odd in sales", "What looks odd in visits")
        assert await session.answer_clarification(back.id, "What looks odd in sales")
        await session.settled()
        answer = events(session)[-1]
        assert isinstance(answer, Answer)
        assert answer.text == "Nothing looks odd in the 48 rows of sales."

    in_session(shop, tmp_path, scenario)


def test_a_follow_up_after_a_study_may_be_an_ordinary_question(shop: Path, tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await asked(session, "is there a trend in the amount?", *ALL)
        answer = await asked(session, "by region instead", *ALL)
        assert isinstance(answer, Answer)
        assert re.match(r"Total .*amount by region", answer.text)
        trend = await asked(session, "is there a trend in it?", *ALL)
        assert isinstance(trend, Answer)
        assert re.match(r"Yes: total .*amount rises by about \*\*7.50 a month\*\*", trend.text)

    in_session(shop, tmp_path, scenario)


def test_a_period_beyond_the_data_is_declined_with_what_is_known(shop: Path, tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        answer = await asked(session, "why did the amount fall in March 2012?", *ALL)
        assert isinstance(answer, Answer)
        assert answer.status == "declined"
        assert "15 January 2024 to 15 December 2025, not for March 2012" in answer.text

    in_session(shop, tmp_path, scenario)
