"""What a `tandem.toml` that comes with data may set: tried for every setting there is, by loading a file that sets it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, get_args

import pytest
import tomlkit
from pydantic import BaseModel

from assistant.errors import ConfigError
from assistant.models.clients import CLIENTS
from assistant.settings.config import load
from assistant.settings.folder_file import read_folder_file
from assistant.settings.models import KEYED_PROVIDERS, ModelSettings
from assistant.settings.settings import Settings
from assistant.settings.settings_store import SettingsStore
from assistant.trust.consents import FILE, ConsentStore
from assistant.trust.setting_scopes import Setter, mark_of

BY_ANY_FOLDER = {"as_of", "embeddings", "mask", "time_zone"}
LISTS = ("password_variables", "database_hosts", "web_hosts", "functions", "functions_without_tables")
BY_THE_PERSON = {
    *("home", "store", "base_url", "api_key_env", "verifier", "sees", "cage", "uncaged"),
    *LISTS,
    *("models.NAME.api_key_env", "models.NAME.config"),
}
"""All others need the person's consent to the file. Whoever adds a setting decides here too."""


def fields(kind: type[BaseModel], place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every field of the settings, tables and what is in them."""
    for name, field in kind.model_fields.items():
        yield (*place, name), field
        for table in (field.annotation, *get_args(field.annotation)):
            if isinstance(table, type) and issubclass(table, BaseModel):
                yield from fields(table, (*place, name, *(["NAME"] if table is ModelSettings else [])))


def is_table(field: Any) -> bool:
    return any(
        isinstance(kind, type) and issubclass(kind, BaseModel)
        for kind in (field.annotation, *get_args(field.annotation))
    )


VALUES: dict[str, object] = {
    **dict.fromkeys(("home", "knowledge"), "/elsewhere"),
    **{
        "as_of": date(2020, 1, 2),
        "time_zone": "Asia/Tokyo",
        "uncaged": True,
        "streams": False,
        "config": {"a": 1},
        "provider": "ollama",
    },
    **{"embeddings": "hashing", "cage": "landlock", "sees": "rows", "form": "text", "key_in": "keyring"},
    **{name: ["a.b"] for name in ("sources", "mask", "fallbacks", *LISTS)},
    **{f"{role}_fallbacks": ["a"] for role in ("planner", "coder", "reviewer")},
}
TEXTS = {"model", "planner_model", "coder_model", "reviewer_model", "base_url", "api_key_env", "store", "verifier"}
LEAVES = [(place, field) for place, field in fields(Settings) if not is_table(field)]


def value_of(name: str) -> object:
    return VALUES.get(name, "x" if name in TEXTS else 7)


def expected(place: tuple[str, ...]) -> Setter:
    name = ".".join(place)
    return "folder" if name in BY_ANY_FOLDER else "person" if name in BY_THE_PERSON else "trusted folder"


class Place:
    """A home, and a folder whose file says something."""

    def __init__(self, folder: Path) -> None:
        self.home, self.folder = folder / "home", folder / "data"
        self.home.mkdir()
        self.folder.mkdir()
        self.env = {"TANDEM_HOME": str(self.home)}

    def say(self, text: str) -> None:
        (self.folder / "tandem.toml").write_text(text)

    def trust(self) -> None:
        ConsentStore(self.home).keep(self.folder, read_folder_file(self.folder, self.home).digest)

    def load(self, **env: str) -> Settings:
        return load({**self.env, **env}, folder=self.folder)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_every_setting_is_marked_and_every_table_takes_only_what_it_knows() -> None:
    places = list(fields(Settings))
    assert len(places) > 60
    assert [".".join(place) for place, field in places if mark_of(field) is None] == []
    for kind in (Settings, *{t for _, f in places for t in (f.annotation, *get_args(f.annotation)) if _is_model(t)}):
        assert kind.model_config.get("extra") == "forbid"
    names = {".".join(place) for place, _ in LEAVES}
    assert names >= BY_ANY_FOLDER | BY_THE_PERSON


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: ".".join(leaf[0]))
def test_a_folder_sets_what_its_mark_says(place: Place, leaf: tuple[tuple[str, ...], Any]) -> None:
    keys = [key if key != "NAME" else "house" for key in leaf[0]]
    content: Any = value_of(leaf[0][-1])
    for key in reversed(keys):
        content = {key: content}
    place.say(tomlkit.dumps(content))
    least = expected(leaf[0])
    name = re.escape(repr(".".join(keys)))
    if least != "folder":
        with pytest.raises(ConfigError, match=rf"^{name} cannot be set in .*{place.folder}.* a folder may come from"):
            place.load()
        place.trust()
    if least == "person":
        with pytest.raises(ConfigError, match=rf"{name}.*Take it out of that file"):
            place.load()
        (place.folder / "tandem.toml").rename(place.home / "tandem.toml")
    place.load()
    (place.home / "tandem.toml").write_text(tomlkit.dumps(content))
    (place.folder / "tandem.toml").unlink(missing_ok=True)
    place.load()  # what is the person's own


def test_what_a_folder_may_set_holds_and_what_a_trusted_one_may_too(place: Place) -> None:
    place.say('as_of = 2020-01-02\nembeddings = "hashing"\nmask = ["a.b"]\n')
    settings = place.load()
    assert (settings.as_of, settings.embeddings, settings.mask) == (date(2020, 1, 2), "hashing", ("a.b",))
    place.say('rows_max = 5\n[models.house]\nmodel = "m"\n')
    place.trust()
    assert (place.load().rows_max, place.load().models["house"].model) == (5, "m")


def test_an_empty_table_and_an_unknown_setting_are_no_way_around(place: Place) -> None:
    for text in ("[models.house]\n", "models = {}\n", "[budgets.turn]\n"):
        place.say(text)
        with pytest.raises(ConfigError, match="cannot be set"):
            place.load()
    place.say("[model.house]\nanything = 1\n")  # a variable hides it from validation
    with pytest.raises(ConfigError, match="cannot be set"):
        place.load(TANDEM_MODEL="mine")


@pytest.mark.parametrize("change", ["# more\n", "", 'model = "other"\n'])
def test_any_change_of_the_file_voids_the_consent(place: Place, change: str) -> None:
    place.say('model = "m"\n')
    place.trust()
    place.load()
    place.say(change if change.startswith("model") else 'model = "m" \n' + change)
    with pytest.raises(ConfigError, match="has changed since you agreed"):
        place.load()
    place.say('model = "m"\n')
    place.load()


def test_a_consent_is_to_one_folder_and_for_its_owner_alone(place: Place, tmp_path: Path) -> None:
    place.say('model = "m"\n')
    place.trust()
    assert (place.home / FILE).stat().st_mode & 0o777 == 0o600
    other = tmp_path / "other"
    other.mkdir()
    (other / "tandem.toml").write_text('model = "m"\n')
    with pytest.raises(ConfigError, match="cannot be set"):
        load(place.env, folder=other)
    assert ConsentStore(place.home).remove(place.folder)
    with pytest.raises(ConfigError, match="cannot be set"):
        place.load()


def test_a_file_of_consents_in_the_folder_is_no_consent(place: Place) -> None:
    place.say('model = "m"\n')
    ConsentStore(place.folder).keep(place.folder, read_folder_file(place.folder, place.home).digest)
    with pytest.raises(ConfigError, match="cannot be set"):
        place.load()
    (place.home / FILE).write_text("[]")
    with pytest.raises(ConfigError, match="cannot be set"):
        place.load()


def test_no_folder_changes_a_model_that_the_person_declares(place: Place) -> None:
    """Its address would be sent the key that is meant for the person's."""
    place.say('[models.house]\nbase_url = "http://127.0.0.1:9/v1"\n')
    place.trust()
    with pytest.raises(ConfigError, match="declared in your own settings"):
        place.load(TANDEM_MODELS__HOUSE__API_KEY_ENV="MY_KEY")
    (place.home / "tandem.toml").write_text('[models.house]\napi_key_env = "MY_KEY"\nmodel = "m"\n')
    with pytest.raises(ConfigError, match="declared in your own settings"):
        place.load()


def test_an_address_from_a_trusted_folder_gets_no_key_of_the_environment(place: Place) -> None:
    place.say('[models.house]\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n[models.theirs]\nmodel = "m"\n')
    place.trust()
    models = place.load().models
    assert models["house"].api_key_env == ""
    assert models["theirs"].api_key_env is None  # the provider's own address, and its usual variable


@pytest.mark.parametrize("provider", ["autogen_core.tools.FunctionTool", "bedrock", "os.system", "x"])
def test_a_trusted_folder_names_no_class(place: Place, provider: str) -> None:
    place.say(f'[models.house]\nprovider = "{provider}"\nmodel = "m"\n')
    place.trust()
    with pytest.raises(ConfigError, match=r"'models\.house\.provider' cannot be set"):
        place.load()


def test_the_providers_that_a_folder_may_name_have_short_names() -> None:
    assert set(KEYED_PROVIDERS) == set(CLIENTS) - {"bedrock"}


def test_a_link_or_a_subfolder_leads_past_nothing(place: Place, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.toml").write_text('store = "sqlite:///x"\n')
    (place.folder / "tandem.toml").symlink_to(tmp_path / "elsewhere.toml")
    with pytest.raises(ConfigError, match="'store' cannot be set"):
        place.load()
    linked = tmp_path / "linked"
    linked.symlink_to(place.folder)
    with pytest.raises(ConfigError, match="'store' cannot be set"):
        load(place.env, folder=linked)
    below = place.folder / "below"
    below.mkdir()
    assert load(place.env, folder=below).store == ""  # a file above it is not looked for


def test_the_persons_own_file_is_theirs_also_from_its_own_folder(place: Place, tmp_path: Path) -> None:
    (place.home / "tandem.toml").write_text('store = "sqlite:///x"\n')
    assert load(place.env, folder=place.home).store == "sqlite:///x"
    linked = tmp_path / "linked"
    linked.symlink_to(place.home)
    assert load(place.env, folder=linked).store == "sqlite:///x"
    (place.folder / "tandem.toml").symlink_to(place.home / "tandem.toml")
    with pytest.raises(ConfigError, match="'store' cannot be set"):  # a link from the data says it as the data's own
        place.load()


def test_a_home_is_named_in_full_or_its_files_would_come_with_the_data(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = place.folder / "tandem"
    planted.mkdir()
    (planted / "tandem.toml").write_text('store = "sqlite:///planted"\n')
    monkeypatch.chdir(place.folder)
    for named in ("tandem", "./tandem", "."):
        with pytest.raises(ConfigError, match="Name it in full"):
            load({"TANDEM_HOME": named})
    assert load({"XDG_DATA_HOME": ".", "HOME": str(place.home)}).store == ""


def test_a_pipe_or_an_endless_file_ends_with_words(place: Place) -> None:
    os.mkfifo(place.folder / "tandem.toml")
    with pytest.raises(ConfigError, match="not a regular file"):
        place.load()
    (place.folder / "tandem.toml").unlink()
    (place.folder / "tandem.toml").symlink_to("/dev/zero")
    with pytest.raises(ConfigError, match="not a regular file"):
        place.load()
    (place.folder / "tandem.toml").unlink()
    place.say("#" * 1_000_001)
    with pytest.raises(ConfigError, match="it is larger than"):
        place.load()


def test_the_settings_page_writes_nothing_of_an_untrusted_folder(place: Place) -> None:
    settings = place.load()
    place.say('[models.house]\nprovider = "autogen_core.tools.FunctionTool"\n')
    store = SettingsStore(settings, environment=place.env, folder=place.folder)
    with pytest.raises(ConfigError, match="cannot be set"):
        store.change(("rows_max",), 5, was=1_000_000)
    assert not (place.home / "tandem.toml").exists()
    assert store.now.models == {}


def test_the_reference_says_who_may_set_each_setting() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    words = {"folder": "any folder", "trusted folder": "a trusted folder", "person": "you"}
    tables = {"": r"\| setting \|", "models.NAME": r"\| setting of `\[models\.NAME\]` \|", "budgets": r"\| table \|"}
    for prefix, heading in tables.items():
        table = re.search(rf"^{heading}.*?\n\n", page, re.MULTILINE | re.DOTALL)
        assert table is not None
        rows = dict(re.findall(r"^\| `(\w+)` \|.*\| ([\w ]+) \|$", table[0], re.MULTILINE))
        named = {at[-1]: field for at, field in fields(Settings) if ".".join(at[:-1]) == prefix}
        assert rows == {
            name: words[mark.least] for name, field in named.items() if (mark := mark_of(field)) is not None
        }
