"""A run without a language model: the same conversation as AutoGen's group chat carries, and the same stop."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from conversation import Stage, Told, kinds
from memory_log import MemoryLog

from assistant.agents.participant import Participant
from assistant.core.events import AnyEvent, Plan, Question, Step
from assistant.core.flow import TURNS_MAX
from assistant.errors import SessionError
from assistant.runner import direct as without_model


def test_it_says_what_the_group_chat_says(tmp_path: Path) -> None:
    async def conversation(home: Path, *, with_team: bool) -> list[dict[str, object]]:
        home.mkdir()
        stage = Stage(home=home, with_team=with_team)
        async with stage.session() as session:
            await session.ask("Revenue by region?", approve=("plan", "query"))
            await session.settled()
            said = [entry.event for entry in session.events() if entry.event.turn]
        return [event.model_dump(include={"kind", "turn", "id", "step", "status", "verdict", "text"}) for event in said]

    async def both() -> None:
        alone = await conversation(tmp_path / "alone", with_team=False)
        assert [event["kind"] for event in alone][-1] == "answer"
        assert alone == await conversation(tmp_path / "team", with_team=True)

    asyncio.run(both())


def test_a_stop_ends_the_cell_and_the_run(tmp_path: Path) -> None:
    endless = "print('begun', flush=True)\nwhile True:\n    pass"

    async def stopped() -> list[str]:
        stage = Stage(home=tmp_path, told=Told(cells=(("python", endless),)), with_team=False)
        async with stage.session() as session:
            await session.ask("Go on?", approve=("plan", "query", "python"))
            while "execution_started" not in kinds(session):
                await asyncio.sleep(0.01)
            assert await session.stop()
            return kinds(session)

    assert asyncio.run(stopped())[-1] == "stopped"


class Talker(Participant):
    """Always plans anew, whatever is said."""

    async def speak(self) -> AnyEvent:
        number = len(self.log.events)
        return Plan(turn=1, id=f"1.plan.{number}", restated="", steps=(Step(title="Again", language="sql"),))


def test_participants_that_talk_without_end_are_ended() -> None:
    log = MemoryLog(Question(turn=1, text="What?"))
    talkers = [Talker(name, "Talks.", log=log, says=(Plan,)) for name in ("planner", "human", "coder")]
    with pytest.raises(SessionError, match="was ended"):
        asyncio.run(without_model.run(talkers, log=log))
    assert len(log.events) == 1 + TURNS_MAX
