"""A cell that pours out output: the loop of all sessions does little for it, and what is cut is said."""

from __future__ import annotations

import asyncio
from pathlib import Path

from autogen_core import SingleThreadedAgentRuntime
from conversation import Stage, Told, last

from assistant.agents import group_member
from assistant.core.events import AnyEvent, Execution
from assistant.record.store.log import EventLog
from assistant.runtime.kernels import KernelRuntime
from sandbox.results import TEXT_MIME, Output

ALL = ("plan", "query", "python")
NUMBERS = (
    "k = get_ipython().kernel\nfor _ in range(20):\n    k.session.send(k.iopub_socket, 'display_data', "
    "{'data': {'application/json': [0] * 150_000}, 'metadata': {}}, parent=k.get_parent())"
)


def test_outputs_go_into_the_log_once_and_not_through_the_group_chat(tmp_path: Path, monkeypatch: object) -> None:
    passed: list[int] = []
    publish = SingleThreadedAgentRuntime.publish_message

    async def noting(self: SingleThreadedAgentRuntime, message: object, *args: object, **kwargs: object) -> None:
        passed.append(len(repr(message)))
        await publish(self, message, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(SingleThreadedAgentRuntime, "publish_message", noting)  # type: ignore[attr-defined]

    async def scenario() -> None:
        async with Stage(tmp_path, Told(cells=(("python", NUMBERS),))).session() as session:
            await session.ask("Revenue by region?", approve=ALL)  # pyright: ignore
            await session.settled()
            execution = last(session, Execution)
            assert isinstance(execution, Execution)
            assert execution.status == "ok"
            *numbers, marker = execution.outputs
            assert 1 <= len(numbers) <= 2, "values count, not their bytes alone"
            assert "more bytes were not kept" in str(marker["text"])

    asyncio.run(scenario())
    assert passed
    assert max(passed) < 20_000


def test_a_message_of_the_group_chat_is_the_event_without_outputs() -> None:
    output = {"output_type": "stream", "name": "stdout", "text": "x" * 1000}
    event: AnyEvent = Execution(
        turn=1, id="1.1.1", step=1, language="python", code="1", status="ok", outputs=(output,), seconds=1.0
    )
    brief = group_member.exclude_outputs(event)
    assert brief == event.model_copy(update={"outputs": ()})
    assert event.outputs == (output,)


def test_what_a_cell_prints_is_shown_once_a_tick_however_often_it_prints(tmp_path: Path) -> None:
    shown: list[str] = []
    printed = "".join(f"print({n}, flush=True)\n" for n in range(2_000))

    async def scenario() -> None:
        async with Stage(tmp_path, Told(cells=(("python", printed),))).session() as session:
            say = EventLog.say

            def noting(self: EventLog, participant: str, text: str | None) -> None:
                if participant == "executor" and text:
                    shown.append(text)
                say(self, participant, text)

            EventLog.say = noting  # type: ignore[method-assign]
            try:
                await session.ask("Revenue by region?", approve=ALL)  # pyright: ignore
                await session.settled()
            finally:
                EventLog.say = say  # type: ignore[method-assign]
            execution = last(session, Execution)
            assert isinstance(execution, Execution)
            assert "1999" in str(execution.outputs[0]["text"])
            assert "executor" not in session.partial

    asyncio.run(scenario())
    assert len(shown) < 500, "2,000 lines, at most one report for ten milliseconds of them"


def test_a_burst_is_one_report() -> None:
    said: list[str | None] = []

    class Noting:
        def say(self, participant: str, text: str | None) -> None:
            said.append(text)

    async def scenario() -> None:
        runtime = KernelRuntime.__new__(KernelRuntime)
        runtime._log = Noting()  # type: ignore[assignment]  # pyright: ignore
        runtime._running = "1"  # pyright: ignore
        show = runtime._show("1")  # pyright: ignore
        for number in range(1_000):
            show(Output(kind="stream", stream="stdout", data={TEXT_MIME: f"{number}\n"}))
        assert said == []
        await asyncio.sleep(0.3)
        assert len(said) == 1
        assert str(said[0]).endswith("999\n")
        show(Output(kind="stream", stream="stdout", data={TEXT_MIME: "late"}))
        runtime._running = "2"  # pyright: ignore
        await asyncio.sleep(0.3)
        assert len(said) == 1, "it belongs to a cell that is over"

    asyncio.run(scenario())
