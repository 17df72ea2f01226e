"""Environment variables that may be read as passwords."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.bootstrap import rights_of
from assistant.connections.connection_store import FILE, Connection, ConnectionStore
from assistant.settings.settings import Settings
from assistant.trust.requester import NotAllowed
from assistant.trust.rights import Rights


def judged(**settings: object) -> Rights:
    return rights_of(Settings.model_validate({"home": Path("home"), **settings}), "person")


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "PATH", "CORP_DB_PASSWORD", "TANDEM_TOKEN", "TANDEM_STORE", ""])
def test_only_variables_on_the_list_are_passwords(name: str) -> None:
    with pytest.raises(NotAllowed, match="password_variables"):
        judged().check_variable(name)
    judged().check_variable("TANDEM_DB_SHOP")
    judged(password_variables=("CORP_*",)).check_variable("CORP_DB_PASSWORD")
    with pytest.raises(NotAllowed):
        judged(password_variables=()).check_variable("TANDEM_DB_SHOP")


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "MINE", "THEIRS"])
def test_no_list_allows_the_key_of_a_model(name: str) -> None:
    models = {"m": {"provider": "openai", "model": "x", "api_key_env": "THEIRS"}}
    rights = judged(password_variables=("*", name), api_key_env="MINE", models=models)
    rights.check_variable("SHOP_PASSWORD")
    with pytest.raises(NotAllowed):
        rights.check_variable(name)


def test_a_connection_that_was_kept_before_is_judged_when_it_is_used(tmp_path: Path) -> None:
    kept = Connection(
        name="x", address="postgresql+psycopg://me@h/d", password_place="environment", variable="OPENAI_API_KEY"
    )
    (tmp_path / FILE).write_text(f'{{"connections": [{kept.model_dump_json()}]}}')
    store = ConnectionStore(tmp_path, rights=judged, environment={"OPENAI_API_KEY": "sk-planted"})
    with pytest.raises(NotAllowed, match="OPENAI_API_KEY"):
        store.given()
    store.remove("x")
    assert store.given() == ()
