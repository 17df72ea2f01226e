"""A session tells what a turn computes in chips, and runs chips that a person changed under the same approval."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path

import pytest

from assistant.analyst.interpretation.interpretation import empty
from assistant.api.report import build_report
from assistant.bootstrap import open_workspace
from assistant.delivery.terminal import show_interpretation
from assistant.errors import InterpretationError
from assistant.session.session import Session
from assistant.settings.config import Settings

EVERYTHING = ("plan", "query", "python")


def in_session(folder: Path, scenario: Callable[[Session], Awaitable[None]]) -> None:
    database = folder / "shop.sqlite"
    connection = sqlite3.connect(database)
    connection.executescript(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT, channel TEXT, amount INTEGER);"
        "INSERT INTO orders (city, channel, amount) VALUES"
        "  ('Kiel', 'shop', 10), ('Kiel', 'post', 25), ('Ulm', 'shop', 30), ('Ulm', 'shop', 40);"
    )
    connection.commit()
    connection.close()
    settings = Settings.model_validate(
        {
            "home": folder / "home",
            "sources": (f"shop={database}",),
            "as_of": date(2026, 9, 1),
            "embeddings": "hashing",
        }
    )

    async def run() -> None:
        async with open_workspace(settings) as workspace:
            await scenario(await workspace.create())

    asyncio.run(run())


def rows(session: Session) -> set[tuple[object, ...]]:
    return {tuple(row) for row in build_report(session.id, session.events(), table=session.table).rows}


def test_a_changed_interpretation_is_asked_and_its_turn_has_its_chips(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        assert await session.interpretation() is None
        await session.ask("total amount by city", approve=EVERYTHING)
        await session.settled()
        first = await session.interpretation()
        assert first is not None
        changed = first.replace(group_by="channel", filters="Ulm")
        await session.ask_interpretation(changed, approve=EVERYTHING)
        await session.settled()
        assert rows(session) == {("shop", 70)}
        assert await session.interpretation() == changed
        await session.ask("only Kiel", approve=EVERYTHING)
        await session.settled()
        assert rows(session) == {("post", 25), ("shop", 10)}

    in_session(tmp_path, scenario)


def test_nothing_runs_of_chips_that_nobody_approved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def scenario(session: Session) -> None:
        await session.ask("total amount by city", approve=EVERYTHING)
        await session.settled()
        first = await session.interpretation()
        assert first is not None
        await session.ask_interpretation(first.replace(top=1))
        await session.settled()
        turn = session.transcript.current
        assert turn is not None
        assert (turn.outcome, turn.executions) == ("needs_decision", [])
        assert turn.question == "City with the highest total amount of orders"
        await show_interpretation(session)
        told = capsys.readouterr().out.split("\n")
        assert [line.split() for line in told if line] == [
            ["Measure", "total", "amount"],
            ["Group", "by", "city"],
            ["Sort", "total", "amount,", "highest", "first"],
            ["Top", "first", "1"],
        ]
        made = build_report(
            session.id, session.events(), table=session.table, interpretation=await session.interpretation()
        )
        assert [chip.kind for chip in made.interpretation] == ["Measure", "Group by", "Sort", "Top"]

    in_session(tmp_path, scenario)


def test_what_is_not_computed_yet_is_not_asked(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        source = next(iter((await session.analyst()).sources.values()))
        with pytest.raises(InterpretationError, match="Choose a measure"):
            await session.ask_interpretation(empty(source))
        assert session.transcript.current is None

    in_session(tmp_path, scenario)


def test_a_refused_question_is_gone_on_from_by_its_chips(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await session.ask("total amount by star sign of the postman", approve=EVERYTHING)
        await session.settled()
        turn = session.transcript.current
        assert turn is not None
        assert turn.outcome == "declined"
        understood = await session.interpretation()
        assert understood is not None
        assert "Measure: total amount" in map(str, understood.chips)
        assert "postman" in understood.unread
        await session.ask_interpretation(understood.replace(group_by="city"), approve=EVERYTHING)
        await session.settled()
        assert rows(session) == {("Kiel", 35), ("Ulm", 70)}

    in_session(tmp_path, scenario)


def test_the_options_of_a_question_back_are_told_apart_by_chips(tmp_path: Path) -> None:
    async def scenario(session: Session) -> None:
        await session.ask("average karma of amount by city", approve=EVERYTHING)
        await session.settled()
        waiting = session.transcript.waiting
        assert waiting is not None
        differences = await session.differences()
        assert waiting.clarification is not None
        assert len(differences) == len(waiting.clarification.options) > 1
        assert len(set(differences)) == len(differences)
        assert all(":" in difference for difference in differences)

    in_session(tmp_path, scenario)
