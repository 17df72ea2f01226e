"""Settings that are changed on the page hold in open conversations; keys go to the keyring; nobody else can change them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from conversation import Stage, Told
from keyring.backend import KeyringBackend
from openai_server import Asked, Served, fail, say, serving, typed

from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, Event, Execution
from assistant.errors import ConfigError
from assistant.models.listing import try_out
from assistant.models.providers import build
from assistant.models.role_models import find_choice
from assistant.session.roles.disclosing import find_level
from assistant.session.session import Session
from assistant.session.settings.configured_models import ModelForm
from assistant.session.settings.setting_changes import SettingChanges
from assistant.settings.config import load
from assistant.settings.level_store import DisclosureLevelStore
from assistant.settings.settings import Settings
from assistant.settings.settings_store import SettingsStore

KEY = "sk-planted-secret-0123456789"


class Ring(KeyringBackend):
    """A keyring in memory."""

    priority = 1

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[username]


@pytest.fixture
def ring() -> Iterator[Ring]:
    before = keyring.get_keyring()
    ring = Ring()
    keyring.set_keyring(ring)
    yield ring
    keyring.set_keyring(before)


@pytest.fixture
def changes(tmp_path: Path) -> SettingChanges:
    env = {"TANDEM_HOME": str(tmp_path)}
    return SettingChanges(SettingsStore(load(env, folder=tmp_path), environment=env, folder=tmp_path))


def start(folder: Path) -> Settings:
    return Settings(home=folder / "home", sources=(f"shop={Stage(folder).shop}",), embeddings="hashing")


async def ask(session: Session, text: str = "Revenue by region?") -> list[Event]:
    await session.ask(text, approve=("plan", "query"))
    await session.settled()
    return [entry.event for entry in session.events()]


def test_a_model_a_level_and_a_limit_hold_in_an_open_conversation_from_the_next_question_on(tmp_path: Path) -> None:
    def reply(asked: Asked) -> Served:
        return typed(asked, {"kind": "skip", "text": "I skip this."})

    async def scenario(url: str, asked: list[Asked]) -> None:
        async with open_workspace(start(tmp_path)) as workspace:
            settings = workspace.choices.settings
            session = await workspace.create()
            assert isinstance((await ask(session))[-1], Answer)
            assert asked == []
            await settings.keep_model(ModelForm(name="house", model="qwen", address=url))
            await settings.change(("model",), "house", was="")
            await ask(session, "Amount by region?")
            assert asked, "the model that was just chosen is asked"
            assert "North" in asked[-1].text, "on this machine it may see values"
            await settings.change(("sees",), "names", was="", consents=True)
            seen = len(asked)
            await ask(session, "Revenue of each region?")
            planned = [one.text for one in asked[seen:] if "Revenue of each region?" in one.text]
            assert planned
            assert all("North" not in text for text in planned)
            await settings.change(("model",), None, was="house")
            seen = len(asked)
            await settings.change(("rows_max",), 1, was=1_000_000)
            events = await ask(session, "Revenue by region?")
            assert len(asked) == seen, "the analyst answers again"
            (failure,) = [e.failure for e in events[-12:] if isinstance(e, Execution) and e.failure is not None]
            assert "more than 1 rows" in failure.message

    with serving(reply) as server:
        asyncio.run(scenario(server.url, server.asked))


async def test_a_key_goes_to_the_keyring_and_to_no_other_address(
    changes: SettingChanges, ring: Ring, tmp_path: Path
) -> None:
    with serving([say("ready")] * 2) as server:
        form = ModelForm(name="house", model="qwen", address=server.url, key_place="keyring", key=KEY)
        assert KEY not in repr(form)
        assert (await changes.try_form(form)).ok
        assert ring.kept == {}, "a test keeps nothing"
        await changes.keep_model(form)
        now = load({"TANDEM_HOME": str(tmp_path)}, folder=tmp_path)
        assert (await try_out(now, "house")).ok
        assert [one.headers["authorization"] for one in server.asked] == [f"Bearer {KEY}"] * 2
    for file in tmp_path.iterdir():
        assert KEY not in file.read_text()
    assert changes.forms()[0].key_place == "keyring"
    assert changes.forms()[0].key == ""
    moved = now.models["house"].model_copy(update={"base_url": "http://evil.example/v1"})
    with pytest.raises(ConfigError, match=r"holds no key for 'evil\.example'"):
        build(find_choice(now.model_copy(update={"models": {"house": moved}}), "house"))
    with pytest.raises(ConfigError, match=r"holds no key for 'evil\.example' yet"):
        await changes.keep_model(
            ModelForm(name="house", model="qwen", address="http://evil.example/v1", key_place="keyring")
        )


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"name": "a b"}, "a name of letters"),
        ({"name": 'x"]\nuncaged = true'}, "a name of letters"),
        ({"model": ""}, "the model's name"),
        ({"address": "ftp://host"}, "http:// or https://"),
        ({"address": "https://me:pa55@host/v1"}, "password is not kept"),
        ({"key_place": "environment"}, "name of the environment variable"),
    ],
)
def test_a_form_that_cannot_be_used_is_told_and_nothing_is_kept(
    changes: SettingChanges, given: dict[str, Any], says: str, tmp_path: Path
) -> None:
    form = ModelForm(**{"name": "house", "model": "m", **given})
    for work in (changes.keep_model, changes.try_form):
        with pytest.raises(ConfigError, match=says):
            asyncio.run(work(form))
    assert not (tmp_path / "tandem.toml").exists()


async def test_a_model_keeps_what_its_form_does_not_show_and_goes_only_when_unused(
    changes: SettingChanges, tmp_path: Path
) -> None:
    await changes.keep_model(ModelForm(name="house", model="m", address="http://h/v1"))
    await changes.change(("models", "house", "timeout_s"), 9.0, was=120.0)
    await changes.keep_model(ModelForm(name="house", model="n", key_place="environment", variable="HOUSE_KEY"))
    (form,) = changes.forms()
    assert form == ModelForm(name="house", model="n", key_place="environment", variable="HOUSE_KEY")
    assert changes.value(("models", "house", "timeout_s")) == 9.0
    await changes.change(("coder_model",), "house", was="")
    with pytest.raises(ConfigError, match="'house' is used as coder"):
        await changes.remove_model("house")
    await changes.change(("coder_model",), None, was="house")
    await changes.remove_model("house")
    assert changes.forms() == ()


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (fail(401, "wrong key"), "key"),
        (fail(404, "no such model"), "qwen"),
        (say(""), "Check that a model's endpoint"),
        (None, "127.0.0.1"),
    ],
)
def test_a_test_says_in_words_what_failed(changes: SettingChanges, reply: Served | None, says: str) -> None:
    with serving([reply or say("")] * 3) as server:
        url = server.url
        if reply is not None:
            tried = asyncio.run(changes.try_form(ModelForm(name="house", model="qwen", address=url)))
    if reply is None:
        tried = asyncio.run(changes.try_form(ModelForm(name="house", model="qwen", address=url)))
    assert not tried.ok
    assert says in tried.text
    assert "Traceback" not in tried.text


async def test_where_people_sign_in_nobody_changes_what_is_everybodys(tmp_path: Path) -> None:
    async with open_workspace(start(tmp_path), read_only=True) as workspace:
        theirs = workspace.of("issuer#ada").choices.settings
        assert "Several people use this server" in theirs.fixed(("rows_max",))
        form = ModelForm(name="house", model="m", address="http://127.0.0.1:9/v1")
        for work in (
            theirs.change(("rows_max",), 3, was=1_000_000),
            theirs.keep_model(form),
            theirs.try_form(form),
            theirs.remove_model("house"),
            theirs.ask_again("a.example"),
        ):
            with pytest.raises(ConfigError, match="Several people"):
                await work
        assert not (tmp_path / "home" / "tandem.toml").exists()
        await workspace.choices.settings.change(("rows_max",), 3, was=1_000_000)


def test_an_endpoint_is_asked_about_again_once_its_choice_is_forgotten(changes: SettingChanges, tmp_path: Path) -> None:
    store = DisclosureLevelStore(tmp_path)
    store.keep(["a.example", "b.example"], "rows")
    assert dict(changes.endpoints()) == {"a.example": "rows", "b.example": "rows"}
    asyncio.run(changes.ask_again("a.example"))
    assert dict(store.kept) == {"b.example": "rows"}
    assert find_level("", "a.example", store) is None, "so nothing is sent there before the person chose"
    assert find_level("", "b.example", store) == "rows"


def test_a_cell_cannot_change_the_settings(tmp_path: Path) -> None:
    """It runs in the cage, where the files of the person's folder are neither there nor written."""
    own = tmp_path / "tandem.toml"
    own.write_text("rows_max = 500\n")
    code = f"""
import pathlib
told = []
for name in ("tandem.toml", "settings-changes.jsonl", "may-see.json"):
    try:
        (pathlib.Path({str(tmp_path)!r}) / name).write_text('sees = "rows"')
        told.append("written")
    except OSError as error:
        told.append(type(error).__name__)
print(told)
"""

    async def scenario() -> str:
        async with Stage(tmp_path, Told(cells=(("python", code),))).session() as session:
            await session.ask("Change the settings", approve=("plan", "query", "python"))
            await session.settled()
            return str([one.event.model_dump() for one in session.events() if one.event.kind == "execution"])

    printed = asyncio.run(scenario())
    assert printed.count("Error") >= 3
    assert "'written'" not in printed
    assert own.read_text() == "rows_max = 500\n"
    assert not (tmp_path / "settings-changes.jsonl").exists()
    assert not (tmp_path / "may-see.json").exists()
