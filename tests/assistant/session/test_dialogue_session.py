"""A dialogue through a real session: what is gone back to and what comes next is run and told, turn after turn."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from assistant.api.report import ReportedWaiting, build_report
from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, Clarification, Plan, Proposal, Step
from assistant.session.session import Session
from assistant.settings.config import Settings

TABLE = "\n".join(
    ["city,country,people"]
    + [f"Town {n:02},{'Italy' if n % 3 else 'France'},{1000 - 10 * n}" for n in range(1, 21)]
    + ["Bern,Switzerland,5000"]
)


async def _told(session: Session, question: str) -> tuple[str, str]:
    await session.ask(question, approve=("plan", "query", "python"))
    await session.settled()
    said = build_report(session.id, session.events(), table=session.table)
    return said.status, said.answer


def _settings(tmp_path: Path) -> Settings:
    (tmp_path / "towns.csv").write_text(TABLE + "\n")
    return Settings(
        home=tmp_path / "home", sources=(str(tmp_path / "towns.csv"),), embeddings="hashing", as_of=date(2026, 11, 21)
    )


async def test_a_session_goes_back_and_on(tmp_path: Path) -> None:
    async with open_workspace(_settings(tmp_path)) as workspace:
        session = await workspace.create()
        status, first = await _told(session, "top 3 cities by total people")
        assert status == "answered"
        assert "**Bern**" in first
        _, second = await _told(session, "the next 3")
        assert "places 4 to 6" in second
        assert "Bern" not in second
        _, third = await _told(session, "only Italy")
        assert "Italy" in third
        assert await _told(session, "back") == ("answered", second)
        assert await _told(session, "back") == ("answered", first)
        status, reason = await _told(session, "back")
        assert status == "declined"
        assert "no answer before" in reason
        _, other = await _told(session, "how many cities are there by country?")
        assert await _told(session, "show me the first answer again") == ("answered", first)
        assert await _told(session, "undo that") == ("answered", other)


async def test_a_session_begun_anew_in_another_process_still_knows_the_way_back(tmp_path: Path) -> None:
    settings = _settings(tmp_path)
    async with open_workspace(settings) as workspace:
        session = await workspace.create()
        _, first = await _told(session, "top 3 cities by total people")
        await _told(session, "the next 3")
    async with open_workspace(settings) as workspace:
        again = await workspace.open(session.id)
        assert await _told(again, "back") == ("answered", first)
        assert not any(isinstance(entry.event, Clarification) for entry in again.events())
        answers = [entry.event for entry in again.events() if isinstance(entry.event, Answer)]
        assert [answer.status for answer in answers] == ["answered"] * 3


async def test_code_that_was_rejected_in_words_nobody_reads_can_be_had_back(tmp_path: Path) -> None:
    async with open_workspace(_settings(tmp_path)) as workspace:
        session = await workspace.create()
        await session.ask("how many cities are there by country?", approve=("plan",))
        await session.settled()
        await session.decide(_waiting(session).request, "reject", reason="more purple frobnication")
        await session.settled()
        asked = [entry.event for entry in session.events()][-1]
        assert isinstance(asked, Clarification)
        assert asked.options == ("Show the code as it was", "Leave this step out")
        await session.answer_clarification(asked.id, "Show the code as it was")
        await session.settled()
        first, again = (e.event for e in session.events() if isinstance(e.event, Proposal))
        assert (again.code, again.why, again.revision) == (first.code, first.why, 2)
        await session.decide(_waiting(session).request, "approve", approve=("python",))
        await session.settled()
        assert build_report(session.id, session.events(), table=session.table).status == "answered"


@pytest.mark.slow
async def test_what_is_chosen_among_the_readings_of_a_step_is_taken_and_not_asked_about_again(tmp_path: Path) -> None:
    async with open_workspace(Settings(home=tmp_path, embeddings="hashing")) as workspace:
        session = await workspace.create()
        await session.ask("correlation between discount and quantity of order lines")
        await session.settled()
        plan = next(entry.event for entry in session.events() if isinstance(entry.event, Plan))
        steps = (plan.steps[0], Step(title="Average quantity by discount", language="sql"))
        await session.decide(_waiting(session).request, "edit", steps=steps, approve=("query", "python"))
        await session.settled()
        asked = session.events()[-1].event
        assert isinstance(asked, Clarification)
        assert asked.options[-1] == "Leave this step out"
        await session.answer_clarification(asked.id, asked.options[0])
        await session.settled()
        proposed = [entry.event for entry in session.events() if isinstance(entry.event, Proposal)][-1]
        assert (proposed.step, proposed.title) == (2, asked.options[0])


async def test_an_edit_that_ended_in_an_error_comes_back_as_the_version_before_in_whole_sentences(
    tmp_path: Path,
) -> None:
    async with open_workspace(_settings(tmp_path)) as workspace:
        session = await workspace.create()
        await session.ask("how many cities are there by country?", approve=("plan",))
        await session.settled()
        await session.decide(_waiting(session).request, "edit", code="1 / 0")
        await session.settled()
        again = [e.event for e in session.events() if isinstance(e.event, Proposal)][-1]
        assert again.why == (
            "Your edit ended in an error (ZeroDivisionError: division by zero). This is the version before it."
        )


async def test_an_answer_to_an_edited_query_claims_nothing_that_only_the_plan_assumed(tmp_path: Path) -> None:
    async with open_workspace(_settings(tmp_path)) as workspace:
        session = await workspace.create()
        await session.ask("total people per country")
        await session.settled()
        proposal = next(e.event for e in session.events() if isinstance(e.event, Proposal))
        edit = proposal.code.replace("GROUP BY", "WHERE country <> 'Italy'\nGROUP BY")
        assert edit != proposal.code
        await session.decide(_waiting(session).request, "edit", code=edit)
        await session.settled()
        answer = next(e.event for e in reversed(session.events()) if isinstance(e.event, Answer))
        assert answer.text == "The result has **2 rows** and 2 columns: Country, Total people."
        assert answer.notes == ("You edited the code, so what the plan assumed need not hold for this result.",)


def _waiting(session: Session) -> ReportedWaiting:
    waiting = build_report(session.id, session.events(), table=session.table).waiting
    assert waiting is not None
    return waiting
