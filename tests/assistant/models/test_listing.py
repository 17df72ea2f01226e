"""The models are listed by role with their budgets, and a test of each says in words how one cheap call went."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from openai_server import Asked, Served, fail, say, serving

from assistant.delivery import command_line
from assistant.models import listing
from assistant.settings.models import Budgets, ModelSettings, RoleLimits
from assistant.settings.settings import Settings

KEY = "sk-planted-secret-0123456789"


def settings(home: Path, url: str = "http://127.0.0.1:9/v1", **more: Any) -> Settings:
    house = ModelSettings(model="qwen", base_url=url, api_key_env="HOUSE_KEY")
    return Settings(home=home, models={"house": house}, **{"model": "house", **more})


def tried(url: str, home: Path, **more: Any) -> listing.TrialResult:
    return asyncio.run(listing.try_out(settings(home, url, **more), "house", environment={"HOUSE_KEY": KEY}))


def test_each_model_is_listed_once_with_its_roles_and_its_place_among_the_fallbacks(tmp_path: Path) -> None:
    found = listing.list_models(
        settings(
            tmp_path,
            model="",
            planner_model="house",
            coder_model="house",
            fallbacks=("spare", "house"),
            budgets=Budgets(turn=RoleLimits(calls=7), session=RoleLimits(dollars=2.5)),
        )
    )
    assert [(one.name, one.model, one.endpoint, one.use) for one in found.models] == [
        ("house", "qwen", "127.0.0.1:9", "planner, coder; fallback 2"),
        ("spare", "spare", "api.openai.com", "fallback 1"),
    ]
    assert found.embedded == ("reviewer",)
    assert found.limits == (("budgets.turn.calls", 7), ("budgets.session.dollars", 2.5))


def test_a_role_can_have_fallbacks_of_its_own(tmp_path: Path) -> None:
    found = listing.list_models(settings(tmp_path, fallbacks=("spare",), coder_fallbacks=("big", "spare")))
    assert [(one.name, one.use) for one in found.models] == [
        ("house", "planner, coder, reviewer"),
        ("spare", "fallback 1 of planner, reviewer; fallback 2 of coder"),
        ("big", "fallback 1 of coder"),
    ]


def test_one_call_is_made_without_any_data_and_what_was_left_out_is_told(tmp_path: Path) -> None:
    def script(asked: Asked) -> Served:
        return fail(400, "stream_options?") if "stream_options" in asked.body else say("ready, and at your service")

    with serving(script) as server:
        first = tried(server.url, tmp_path)
        assert first.ok
        assert first.text.startswith("Replied: “ready, and at your service” after ")
        assert "in pieces. The endpoint does not take stream_options" in first.text
        asked_before = len(server.asked)
        assert tried(server.url, tmp_path).ok
        assert len(server.asked) == asked_before + 1  # what was found out is remembered
    assert all([m["content"] for m in asked.body["messages"]] == [listing.QUESTION] for asked in server.asked)


@pytest.mark.parametrize(
    ("served", "says"),
    [
        (fail(401, f"wrong key {KEY}"), "did not accept the key (HTTP 401). Set 'HOUSE_KEY'"),
        (fail(429, "quota"), "over its rate or quota"),
        (fail(404, "no such model"), "Check the model's name and its address"),
        (fail(400, "no"), "turned the request down (HTTP 400)"),
        (say(""), "Replied with nothing"),
        (
            Served(raw=b"<html>hello</html>", headers={"content-type": "text/html"}),
            "replies with a web page, as a login or a proxy does, and not as a model. Check the address (base_url in [models.house]",
        ),
    ],
)
def test_a_test_that_fails_says_what_to_do_and_tells_no_key(tmp_path: Path, served: Served, says: str) -> None:
    with serving(lambda _: served) as server:
        outcome = tried(server.url, tmp_path)
    assert not outcome.ok
    assert says in outcome.text
    assert KEY not in outcome.text
    assert "question is kept" not in outcome.text  # nobody asked one


def test_an_address_where_nothing_listens_is_said(tmp_path: Path) -> None:
    with serving() as server:
        url = server.url
    outcome = tried(url, tmp_path)
    assert not outcome.ok
    assert "cannot be reached" in outcome.text


def test_the_command_lists_and_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TANDEM_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert command_line.main(["models"]) == 0
    assert capsys.readouterr().out == "planner, coder, reviewer: the embedded analyst, no language model\n"
    with serving(lambda _: say("ready")) as server:
        monkeypatch.setenv("TANDEM_MODEL", "some-model")
        monkeypatch.setenv("TANDEM_BASE_URL", server.url)
        assert command_line.main(["models"]) == 0
        assert server.asked == []
        assert "budgets.turn.calls: 60" in capsys.readouterr().out
        assert command_line.main(["models", "--test"]) == 0
        assert "✓ Replied: “ready”" in capsys.readouterr().out
    assert command_line.main(["models", "--test"]) == 1
    assert "✗" in capsys.readouterr().out
