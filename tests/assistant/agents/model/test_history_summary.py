from __future__ import annotations

import asyncio

from memory_sessions import answered_turn
from openai_server import Asked, Served, fail, serving, typed

from assistant.agents.model.dialogue import Dialogue
from assistant.agents.model.history_summary import Summariser
from assistant.core.events import Event, HistorySummarised, Question, Usage
from assistant.models.providers import ModelChoice, build

SUMMARY = {"facts": ["Mrs Petrov owns the budget (turn 3)"], "definitions": [], "decisions": [], "results": []}


def session(turns: int) -> list[Event]:
    log = [
        event for turn in range(1, turns + 1) for event in answered_turn(turn, f"What was sold in shop {turn}? " * 3)
    ]
    return [*log, Question(turn=turns + 1, text="And now?")]


def kept_up(log: list[Event], url: str) -> tuple[list[HistorySummarised], list[Usage]]:
    kept: list[HistorySummarised] = []
    used: list[Usage] = []

    async def keep(event: HistorySummarised) -> None:
        kept.append(event)

    async def count(usage: Usage) -> None:
        used.append(usage)

    async def scenario() -> None:
        model = build(ModelChoice(provider="openai", model="m", base_url=url, api_key_env="", retries_max=0))
        try:
            dialogue = Dialogue(model, role="planner", sees="rows", on_usage=count)
            await Summariser(dialogue, keep=keep).summarise_if_due(log)
        finally:
            await model.close()

    asyncio.run(scenario())
    return kept, used


def test_turns_that_leave_the_prompt_are_summarised_by_the_model_once() -> None:
    asked: list[str] = []

    def reply(request: Asked) -> Served:
        asked.append(request.text)
        return typed(request, SUMMARY)

    log = session(60)
    with serving(reply) as server:
        kept, used = kept_up(log, server.url)
        assert [(event.turn, event.upto) for event in kept] == [(61, 48)]
        assert "Mrs Petrov owns the budget" in kept[0].text
        assert [usage.turn for usage in used] == [61]
        assert "What was sold in shop 1?" in asked[0]
        again, _ = kept_up([*log[:-1], kept[0], log[-1]], server.url)
    assert not again


def test_a_short_session_costs_no_call() -> None:
    with serving(lambda _: fail(500, "must not be asked")) as server:
        assert kept_up(session(13), server.url) == ([], [])
        assert not server.asked


def test_a_model_that_fails_to_summarise_fails_no_turn() -> None:
    with serving(lambda _: fail(500, "down")) as server:
        assert kept_up(session(60), server.url)[0] == []
