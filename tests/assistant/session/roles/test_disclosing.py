"""Nothing goes to a model elsewhere before the person was shown what is sent, and chose; the choice is kept."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conversation import Stage
from openai_server import Asked, OpenAIServer, Served, serving, typed

from assistant.bootstrap import open_workspace
from assistant.core.events import Event, Failed, Usage
from assistant.errors import ConfigError
from assistant.record.store.sent_calls import SentCall, SentCalls, SentMessage
from assistant.session.roles import disclosing
from assistant.session.session import Session
from assistant.settings.level_store import DISCLOSURE_FILE, LEVELS, DisclosureLevelStore
from assistant.settings.models import ModelSettings
from assistant.settings.settings import Settings

PLAN = {
    "kind": "plan",
    "text": "Revenue",
    "steps": [{"title": "Add up", "language": "sql", "instruction": "Sum", "hard": False}],
    "tables": ["sales"],
}


def reply(asked: Asked) -> Served:
    body = asked.text.replace('\\"', '"')
    return typed(asked, PLAN if '"assumptions"' in body else {"kind": "skip", "text": "Nothing to do."})


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's own server counts as one that is not this machine."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setattr(disclosing, "is_loopback", lambda _: False)


def settings(folder: Path, server: OpenAIServer, **more: Any) -> Settings:
    house = ModelSettings(model="house", base_url=server.url, api_key_env="")
    shop = f"shop={Stage(folder).shop}"
    return Settings(
        home=folder / "home", sources=(shop,), embeddings="hashing", model="house", models={"house": house}, **more
    )


async def ask(session: Session, text: str = "Revenue by region?") -> Sequence[Event]:
    await session.ask(text, approve=("plan",))
    await session.settled()
    return [entry.event for entry in session.events()]


def test_nothing_is_sent_before_the_person_chose_and_the_choice_is_kept(tmp_path: Path, elsewhere: None) -> None:
    async def scenario(server: OpenAIServer) -> None:
        async with open_workspace(settings(tmp_path, server)) as workspace:
            session = await workspace.create()
            events = await ask(session)
            assert isinstance(events[-1], Failed)
            assert "nobody has chosen what it may see" in events[-1].message
            assert server.asked == []
            other = await workspace.create()
            told = await other.models.disclosure("Revenue by region?")
            assert told is not None
            assert told.endpoints == (server.origin.removeprefix("http://"),)
            assert (told.models, told.suggested) == (("house",), "results")
            assert server.asked == []
            await other.models.choose(told.endpoints, "values")
            assert await other.models.disclosure("Revenue by region?") is None
            await ask(other)
            assert server.asked
            # What was shown is what was sent, to the letter.
            body = server.asked[0].body
            assert [m["content"] for m in body["messages"]] == [m.text for m in told.first["values"].messages]
            assert "Revenue by region?" in body["messages"][-1]["content"]
            assert len({call.text for call in told.first.values()}) > 1
            assert list(told.first) == list(LEVELS)
        async with open_workspace(settings(tmp_path, server)) as workspace:  # another program
            session = await workspace.create()
            assert await session.models.disclosure("And now?") is None
            await ask(session)
            (call,) = {event.sent for event in events_of(session, Usage)[:1]}
            assert (await asyncio.to_thread(session.models.sent, call) or nothing()).sees == "values"

    with serving(reply) as server:
        asyncio.run(scenario(server))
    assert stat.S_IMODE((tmp_path / "home" / DISCLOSURE_FILE).stat().st_mode) == 0o600


def events_of(session: Session, kind: type[Usage]) -> list[Usage]:
    return [entry.event for entry in session.events() if isinstance(entry.event, kind)]


def nothing() -> SentCall:
    raise AssertionError("the call is not kept")


def test_a_choice_made_elsewhere_holds_for_a_session_that_is_open(tmp_path: Path, elsewhere: None) -> None:
    async def scenario(server: OpenAIServer) -> None:
        async with open_workspace(settings(tmp_path, server)) as workspace:
            session = await workspace.create()
            told = await session.models.disclosure("?")
            assert told is not None
            await session.models.choose(told.endpoints, "rows")
            await ask(session)
            DisclosureLevelStore(tmp_path / "home").keep(told.endpoints, "names")
            await ask(session, "Again?")
            levels = [
                (await asyncio.to_thread(session.models.sent, e.sent) or nothing()).sees
                for e in events_of(session, Usage)
            ]
            assert {levels[0], levels[-1]} == {"rows", "names"}

    with serving(reply) as server:
        asyncio.run(scenario(server))


@pytest.mark.parametrize("more", [{"sees": "names"}, {"sees": "sample"}])
def test_a_setting_is_a_choice(tmp_path: Path, elsewhere: None, more: dict[str, Any]) -> None:
    async def scenario(server: OpenAIServer) -> None:
        async with open_workspace(settings(tmp_path, server, **more)) as workspace:
            session = await workspace.create()
            assert await session.models.disclosure("?") is None
            await ask(session)
            assert server.asked

    with serving(reply) as server:
        asyncio.run(scenario(server))


def test_this_machine_may_see_rows_and_the_least_of_several_holds(tmp_path: Path) -> None:
    book = DisclosureLevelStore(tmp_path)
    assert disclosing.find_level("", "127.0.0.1:8901", book) == disclosing.find_level("", "localhost", book) == "rows"
    assert disclosing.find_level("", "api.example.org:443", book) is None
    assert disclosing.find_level("statistics", "localhost", book) == "values"
    book.keep(["api.example.org:443", "localhost"], "names")
    assert disclosing.find_level("", "localhost", book) == "names"
    assert disclosing.find_least(["rows", "values", None]) == "values"
    (tmp_path / DISCLOSURE_FILE).write_text("[")
    assert book.kept == {}
    (tmp_path / DISCLOSURE_FILE).write_text('{"a": "everything", "b": "rows"}')
    assert book.kept == {"b": "rows"}


def test_a_choice_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written"):
        DisclosureLevelStore(tmp_path / "gone").keep(["a"], "rows")


def test_calls_are_kept_for_their_owner_alone_and_read_by_their_name_alone(tmp_path: Path) -> None:
    calls = SentCalls(tmp_path)
    call = SentCall(
        role="planner",
        model="m",
        endpoint="h",
        sees="rows",
        messages=(SentMessage(role="user", text="hi"),),
        reply="ho",
    )
    names = [calls.keep(call), calls.keep(call)]
    assert names == ["000001.json.gz", "000002.json.gz"]
    assert calls.read(names[1]) == call
    assert "--- user\nhi" in call.text
    assert stat.S_IMODE((tmp_path / "sent" / names[0]).stat().st_mode) == 0o600
    (tmp_path / "secret.json.gz").write_bytes((tmp_path / "sent" / names[0]).read_bytes())
    assert calls.read("../secret.json.gz") is None
    assert calls.read("000009.json.gz") is None
    (tmp_path / "sent" / names[0]).write_bytes(b"\x1f\x8b")
    assert calls.read(names[0]) is None
    assert SentCalls(tmp_path / "sent" / names[0]).keep(call) == ""  # nowhere to write: the turn goes on


def test_the_key_is_in_no_call_that_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "sk-planted-secret-0123456789")

    async def scenario(server: OpenAIServer) -> None:
        house = ModelSettings(model="house", base_url=server.url, api_key_env="TEST_KEY")
        given = settings(tmp_path, server).model_copy(update={"models": {"house": house}})
        async with open_workspace(given) as workspace:
            session = await workspace.create()
            await ask(session)
            kept = [await asyncio.to_thread(session.models.sent, one.sent) for one in events_of(session, Usage)]
            assert kept
            assert all(call is not None and call.reply and "sk-planted" not in call.model_dump_json() for call in kept)

    with serving(reply) as server:
        asyncio.run(scenario(server))
