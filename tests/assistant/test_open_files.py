"""A whole session over a sheet: what was done to it is said with the first answer, and a changed file is read anew."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, Entry
from assistant.settings.config import Settings

QUESTION = "total amount by region"


def answers(entries: Sequence[Entry]) -> list[Answer]:
    return [entry.event for entry in entries if isinstance(entry.event, Answer)]


def test_a_total_row_is_said_with_each_answer_and_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "sales.csv"
    path.write_text("region,amount\nNorth,10\nSouth,20\nTotal,30\n")

    async def scenario() -> list[Answer]:
        settings = Settings(home=tmp_path / "home", sources=(f"sales={path}",), embeddings="hashing")
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            for _ in range(2):
                await session.ask(QUESTION, approve=("plan", "query", "python"))
                await session.settled()
            path.write_text("region,amount\nNorth,10\nSouth,20\nWest,70\nTotal,100\n")
            await session.ask(QUESTION, approve=("plan", "query", "python"))
            await session.settled()
            return answers(session.events())

    first, second, third = asyncio.run(scenario())
    for answer in (first, second, third):
        assert any("1 total row" in note for note in answer.notes)
    assert any("it changed and was read anew" in note for note in third.notes)
    assert "West" in third.text
    assert first.as_of.startswith("sales.csv as of ")


def test_a_metric_that_cannot_be_computed_is_said_when_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("region,amount\nNorth,10\nSouth,20\n")
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "metrics.yaml").write_text(
        "metrics:\n- name: net revenue\n  table: salez\n  expression: SUM(amount)\n"
        "- name: gross margin\n  table: sales\n  expression: SUM(amount\n"
    )

    async def scenario() -> list[Answer]:
        settings = Settings(home=tmp_path / "home", sources=(f"sales={tmp_path / 'sales.csv'}",), embeddings="hashing")
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            for asked in ("net revenue by region", "gross margin by region", QUESTION):
                await session.ask(asked, approve=("plan", "query", "python"))
                await session.settled()
            assert len((await workspace.knowledge.read()).problems) == 2
            return answers(session.events())

    missing, malformed, sound = asyncio.run(scenario())
    assert missing.status == malformed.status == "declined"
    assert "no table 'salez' in 'sales'; did you mean 'sales'?" in missing.text
    assert "'SUM(amount' is no SQL" in malformed.text
    assert sound.status == "answered"
