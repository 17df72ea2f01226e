"""A model that fails after a good step, over a real socket: the turn keeps its table and says what went wrong."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from openai_server import Asked, Served, fail, serving, typed

from assistant.api.report import Report, build_report
from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, Event, Review
from assistant.settings.models import ModelSettings
from assistant.settings.settings import Settings

STEPS = [
    {"title": "Revenue by region", "language": "sql", "instruction": "Sum amount by region.", "hard": False},
    {"title": "Share of each region", "language": "python", "instruction": "Divide by the total.", "hard": False},
]
QUERY = "SELECT region, SUM(amount) AS revenue FROM sales GROUP BY region ORDER BY region"
SHARES = "shares = revenue.assign(share=revenue['revenue'] / revenue['revenue'].sum())\nshares"
REPLIES: dict[str, dict[str, Any]] = {
    "PlanReply": {"kind": "plan", "text": "Revenue and share by region.", "steps": STEPS, "tables": ["sales"]},
    "JudgeReply": {"verdict": "go_on"},
    "ReviewReply": {"verdict": "ok", "findings": []},
    "AnswerReply": {"answered": True, "text": "The North has 15 and the South 7."},
}
BEGUN = b'data: {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [{"index": 0, "delta": '
FAULTS: dict[str, tuple[Served, str]] = {
    "fault of the server": (fail(500, "boom"), "has a fault of its own (HTTP 500)"),
    "prose": (Served(text="I am sorry, but I cannot help with that."), "gave no usable reply"),
    "stream cut off": (
        Served(
            raw=BEGUN + b'{"content": "{\\"reasoning\\": \\"I th"}, "finish_reason": null}]}\n\n',
            headers={"content-type": "text/event-stream"},
        ),
        "broke off in the middle of its reply",
    ),
    "login page": (
        Served(raw=b"<html><body>Sign in</body></html>", headers={"content-type": "text/html; charset=utf-8"}),
        "replies with a web page, as a login or a proxy does",
    ),
    "context too long": (fail(400, "maximum context length is 4096 tokens"), "takes no request this long"),
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setenv("TEST_KEY", "sk-planted-secret")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_coder_that_fails_at_a_later_step_leaves_the_first_steps_table(fault: str, tmp_path: Path) -> None:
    report, events = ask(tmp_path, FAULTS[fault][0], fails="CodeReply")
    assert (report.status, report.columns) == ("partial", ("region", "revenue"))
    assert FAULTS[fault][1] in tell_reasons(events)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_an_answerer_that_fails_leaves_the_last_steps_table(fault: str, tmp_path: Path) -> None:
    report, events = ask(tmp_path, FAULTS[fault][0], fails="AnswerReply")
    assert (report.status, report.columns) == ("partial", ("region", "revenue", "share"))
    assert FAULTS[fault][1] in tell_reasons(events)


@pytest.mark.parametrize("fault", [name for name in FAULTS if name != "stream cut off"])  # a review is not streamed
def test_a_reviewer_that_fails_is_left_out_and_its_fault_is_a_note_beside_the_code(fault: str, tmp_path: Path) -> None:
    report, events = ask(tmp_path, FAULTS[fault][0], fails="ReviewReply")
    notes = [finding.text for event in events if isinstance(event, Review) for finding in event.findings]
    assert (report.status, report.columns) == ("answered", ("region", "revenue", "share"))
    assert any("No model looked at this code" in note and FAULTS[fault][1] in note for note in notes)


def tell_reasons(events: tuple[Event, ...]) -> str:
    """What the person reads besides the answer's words."""
    answer = next(event for event in events if isinstance(event, Answer))
    return " ".join((answer.hint, *answer.notes))


def ask(folder: Path, fault: Served, *, fails: str) -> tuple[Report, tuple[Event, ...]]:
    """A question in two steps; the endpoint shows a fault wherever a reply of the type `fails` is due after the first."""

    def reply_to(asked: Asked) -> Served:
        wanted = asked.body["response_format"]["json_schema"]["name"]
        is_second = "Write step 2" in asked.text
        is_code = wanted in ("CodeReply", "CodeOrFunctionsReply")
        if (wanted == fails or (is_code and fails == "CodeReply")) and (is_second or not is_code):
            return fault
        if is_code:
            code, result = (SHARES, "shares") if is_second else (QUERY, "revenue")
            return typed(asked, {"kind": "code", "title": "Step", "code": code, "result": result})
        return typed(asked, REPLIES[wanted])

    async def scenario(url: str) -> tuple[Report, tuple[Event, ...]]:
        settings = Settings(
            home=folder / "home",
            sources=(f"shop={write_shop(folder)}",),
            models={"m": ModelSettings(model="m", base_url=url, api_key_env="TEST_KEY", retries_max=0)},
            model="m",
            sees="rows",
            embeddings="hashing",
        )
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            await session.ask("What share of revenue has each region?", approve=("plan", "query", "python"))
            await session.settled()
            entries = session.events()
            return build_report(session.id, entries, table=session.table), tuple(entry.event for entry in entries)

    with serving(reply_to) as server:
        return asyncio.run(scenario(server.url))


def write_shop(folder: Path) -> Path:
    path = folder / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE sales (region TEXT, amount INTEGER);"
            "INSERT INTO sales VALUES ('North', 10), ('North', 5), ('South', 7);"
        )
    return path
