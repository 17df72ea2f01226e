"""Dialogues written by readers of the prompts, who had nothing else: kept with all they came to, and replayed.

Each reply names what it was built on (`sees`). A prompt that stops showing it fails here, and so does an answer, a
result, a status, a chart or a cell's bytes that come out otherwise.
"""

from __future__ import annotations

import asyncio
import json
import threading
from datetime import date
from pathlib import Path
from typing import Any, Literal

import pytest
from openai_server import Asked, Served, serving, typed
from recorded_dialogue import play

from assistant.sample.company import write_sample

RECORDINGS = {path.stem: path for path in sorted((Path(__file__).parent / "recordings").glob("*.json"))}
AS_OF = date(2026, 6, 15)
OF_EVERY_FORM = ("looked_first", "wrong_figure", "failed_then_repaired")
"""Those with looks, with a reply that is sent back, and with a failed cell are played in each form of reply."""

Form = Literal["auto", "json_schema", "tools", "text"]


@pytest.fixture(autouse=True)
def _reachable(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setenv("TEST_KEY", "sk-planted-secret")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample company of the recordings, which none of them changes."""
    return write_sample(tmp_path_factory.mktemp("company"), as_of=AS_OF).database


@pytest.mark.parametrize(
    "streams",
    # Replies that come whole are played below in every form, of three dialogues.
    [pytest.param(True, id="streamed"), pytest.param(False, id="whole", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recorded_dialogue_comes_to_the_same(name: str, streams: bool, tmp_path: Path, company: Path) -> None:
    _replay(name, form="auto", streams=streams, home=tmp_path, company=company)


@pytest.mark.slow
@pytest.mark.parametrize("streams", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("form", ["json_schema", "tools", "text"])
@pytest.mark.parametrize("name", OF_EVERY_FORM)
def test_it_comes_to_the_same_in_every_form_of_reply(
    name: str, form: Form, streams: bool, tmp_path: Path, company: Path
) -> None:
    _replay(name, form=form, streams=streams, home=tmp_path, company=company)


def test_there_are_ten_dialogues_that_show_what_can_happen_in_a_turn() -> None:
    told = [json.loads(path.read_text(encoding="utf-8")) for path in RECORDINGS.values()]
    kinds = {kind for kept in told for turn in kept["turns"] for kind in turn["events"]}
    assert len(told) >= 10
    assert kinds >= {"looked", "clarification", "diagnosis", "stopped", "resumed", "judgement", "decision_requested"}
    assert any(len(kept["turns"]) > 1 for kept in told)


def _replay(name: str, *, form: Form, streams: bool, home: Path, company: Path) -> None:
    kept = json.loads(RECORDINGS[name].read_text(encoding="utf-8"))
    assert kept["data"] != "company" or kept["as_of"] == AS_OF.isoformat()
    endpoint = _Endpoint(kept["replies"])
    with serving(endpoint) as server:
        turns = asyncio.run(
            play(
                kept,
                server.url,
                home=home,
                company=company,
                form=form,
                streams=streams,
                asked_to_wait=endpoint.holds_one,
            )
        )
        assert any(asked.body.get("stream") for asked in server.asked) == streams  # prose alone is streamed
    assert not endpoint.missing, "a prompt no longer shows what a reply was built on"
    assert not endpoint.left, "the dialogue ended before its last reply"
    assert len(turns) == len(kept["turns"])
    for now, then in zip(turns, kept["turns"], strict=True):
        for part in now.keys() | then.keys():
            assert now.get(part) == then.get(part), part


class _Endpoint:
    """Gives the recorded replies in their order; `missing` is what they were built on and no prompt shows."""

    def __init__(self, replies: list[dict[str, Any]]) -> None:
        self.left = list(replies)
        self.missing: list[str] = []
        self._held = threading.Event()

    async def holds_one(self) -> None:
        """Come back once a request waits for a reply that never comes."""
        assert await asyncio.to_thread(self._held.wait, 60), "no reply of the recording is held"

    def __call__(self, asked: Asked) -> Served:
        reply = self.left.pop(0)
        said = "\n".join(str(message.get("content")) for message in asked.body["messages"])
        self.missing.extend(words for words in reply.get("sees", ()) if words not in said)
        if reply.get("held"):
            self._held.set()
            return Served(delay_s=60)
        if "calls" not in reply:
            return typed(asked, reply["reply"])
        if asked.form != "text":
            return Served(calls=tuple((call["name"], call["arguments"]) for call in reply["calls"]))
        first, *others = reply["calls"]  # in text a model looks up one thing at a time
        if others:
            self.left.insert(0, {"calls": others})
        return Served(text=f"```json\n{json.dumps({'lookup': first})}\n```")
