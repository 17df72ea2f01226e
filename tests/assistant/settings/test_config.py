"""The settings: defaults that work, three places to set them, errors that name the setting, and documentation of each."""

from __future__ import annotations

import re
import traceback
from datetime import date
from pathlib import Path

import pytest
from pydantic import BaseModel

from assistant.errors import ConfigError
from assistant.settings.config import load
from assistant.settings.folder_file import read_folder_file
from assistant.settings.masks import decide_mask, masks_decided
from assistant.settings.models import BudgetLimits, Budgets, ModelSettings, RoleLimits
from assistant.settings.settings import Settings
from assistant.trust.consents import ConsentStore


def test_nothing_set_works(tmp_path: Path) -> None:
    settings = load({"HOME": str(tmp_path)}, folder=tmp_path)
    assert settings.home == tmp_path / ".local" / "share" / "tandem"
    assert settings.model_of("planner") == ""
    before = date.today()
    assert before <= settings.today <= date.today()


def test_the_environment_wins_over_the_file_and_the_command_over_both(tmp_path: Path) -> None:
    (tmp_path / "tandem.toml").write_text("as_of = 2026-01-02\n")
    (tmp_path / "home").mkdir()
    own = 'model = "file"\nas_of = 2025-01-01\ncoder_model = "coder"\n'
    (tmp_path / "home" / "tandem.toml").write_text(own)
    env = {
        "TANDEM_HOME": str(tmp_path / "home"),
        "TANDEM_MODEL": "environment",
        "OPENAI_BASE_URL": "http://127.0.0.1:1",
    }
    settings = load(env, folder=tmp_path)
    assert (settings.model_of("planner"), settings.model_of("coder")) == ("environment", "coder")
    assert settings.today == date(2026, 1, 2)
    assert settings.base_url == "http://127.0.0.1:1"
    assert load(env, folder=tmp_path, as_of=date(2020, 1, 1)).today == date(2020, 1, 1)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("modle = 'x'", "modle"),
        ("rows_max = 0", "rows_max"),
        ("cage = 'none'", "cage"),
        ("rows_max = ", "not valid TOML"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, line: str, named: str) -> None:
    (tmp_path / "tandem.toml").write_text(line + "\n")
    with pytest.raises(ConfigError, match=named):
        load({"HOME": str(tmp_path)}, folder=tmp_path)


TABLES = """
model = "house"
fallbacks = ["spare", "gpt-4o"]
[models.house]
provider = "ollama"
model = "qwen3:8b"
price_in = 0
config = { options = { num_gpu = 1 } }
[budgets.turn]
tokens = 9000
[budgets.session.coder]
dollars = 0.5
"""


def test_tables_are_read_from_both_files_and_the_environment(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "tandem.toml").write_text(TABLES)
    (tmp_path / "tandem.toml").write_text("[models.spare]\nmodel = 's'\n[budgets.turn]\nseconds = 9\n")
    ConsentStore(home).keep(tmp_path, read_folder_file(tmp_path, home).digest)
    env = {
        "TANDEM_HOME": str(home),
        "TANDEM_BUDGETS__TURN__CALLS": "7",
        "TANDEM_MODELS__HOUSE__TEMPERATURE": "0.5",
        "TANDEM_MODELS__HOUSE__TIMEOUT_S": "9",
        "TANDEM_FALLBACKS": "",
    }
    settings = load(env, folder=tmp_path)
    house = settings.models["house"]
    assert (house.model, house.timeout_s, house.temperature) == ("qwen3:8b", 9, 0.5)
    assert house.config == {"options": {"num_gpu": 1}}
    assert settings.models["spare"].model == "s"
    assert settings.fallbacks == ("spare", "gpt-4o")
    assert (settings.budgets.turn.calls, settings.budgets.turn.tokens, settings.budgets.turn.seconds) == (7, 9000, 9)
    assert settings.budgets.session.coder.dollars == 0.5
    assert load({**env, "TANDEM_FALLBACKS": "llama3:8b, x"}, folder=tmp_path).fallbacks == ("llama3:8b", "x")


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("[models.house]\ntimeout = 9", r"'models\.house\.timeout' is unknown.*Did you mean 'timeout_s'"),
        ("[models.house]\ntimeout_s = 0", r"'models\.house\.timeout_s' \('0'\).*TANDEM_MODELS__HOUSE__TIMEOUT_S"),
        ("[budgets.turn.codr]\ncalls = 1", r"'budgets\.turn\.codr' is unknown.*'coder'"),
        ("[budgets.turn]\ncalls = -1", r"'budgets\.turn\.calls' \('-1'\)"),
        ("modle = 'x'", r"'modle' is unknown. Did you mean 'model'"),
        ("store = ['postgresql://me:pa55@host/db']", r"'store' is wrong"),
    ],
)
def test_an_error_names_setting_and_value_and_what_to_write(tmp_path: Path, lines: str, says: str) -> None:
    (tmp_path / "tandem.toml").write_text(lines + "\n")
    with pytest.raises(ConfigError, match=says) as raised:
        load({"HOME": str(tmp_path)}, folder=tmp_path)
    assert "pa55" not in "".join(traceback.format_exception(raised.value))


@pytest.mark.parametrize("line", ["uncaged = true", 'sees = "rows"'])
def test_a_file_that_comes_with_data_takes_no_wall_down(tmp_path: Path, line: str) -> None:
    home, folder = tmp_path / "home", tmp_path / "data"
    home.mkdir()
    folder.mkdir()
    (folder / "tandem.toml").write_text(line + "\n")
    with pytest.raises(ConfigError, match="a folder may come from somebody else"):
        load({"TANDEM_HOME": str(home)}, folder=folder)
    (home / "tandem.toml").write_text(line + "\n")
    (folder / "tandem.toml").unlink()
    load({"TANDEM_HOME": str(home)}, folder=folder)


def test_a_file_that_comes_with_data_adds_masks_and_takes_none_away(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "data"
    home.mkdir()
    folder.mkdir()
    (home / "tandem.toml").write_text('mask = ["people.email"]\n')
    (folder / "tandem.toml").write_text('mask = ["people.phone"]\n')
    assert load({"TANDEM_HOME": str(home)}, folder=folder).mask == ("people.email", "people.phone")
    (folder / "tandem.toml").write_text("mask = []\n")
    assert load({"TANDEM_HOME": str(home)}, folder=folder).mask == ("people.email",)


def test_the_zone_of_days_is_one_that_there_is(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "data"
    folder.mkdir()
    assert load({"TANDEM_HOME": str(home)}).time_zone == "UTC"
    (folder / "tandem.toml").write_text('time_zone = "Europe/Berlin"\n')
    assert load({"TANDEM_HOME": str(home)}, folder=folder).time_zone == "Europe/Berlin"
    for name in ("Europe/Nowhere", "../../etc/passwd"):
        with pytest.raises(ConfigError, match="time_zone"):
            load({"TANDEM_HOME": str(home), "TANDEM_TIME_ZONE": name})


def test_a_dotenv_file_is_not_read_and_a_value_made_in_code_reads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("TANDEM_MODEL=planted\n")
    monkeypatch.chdir(tmp_path)
    assert load({"HOME": str(tmp_path)}).model == ""
    monkeypatch.setenv("TANDEM_MODEL", "from the environment")
    assert Settings(home=tmp_path).model == ""


@pytest.mark.parametrize("kind", [Settings, ModelSettings, Budgets, RoleLimits, BudgetLimits])
def test_every_setting_is_documented(kind: type[BaseModel]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    for name, field in kind.model_fields.items():
        assert f"`{name}`" in page, f"docs/reference/settings.md does not mention {name}"
        assert field.description
        assert field.description.rstrip(".") in page, f"docs/reference/settings.md says something else of {name}"


def test_each_setting_that_a_text_of_the_program_names_exists() -> None:
    """`TANDEM_NAME`, in whatever text, is a setting; so is the word before `in [models.`."""
    root = Path(__file__).parents[3]
    others = {"TANDEM_SHOW_MASKED", "TANDEM_TOKEN"}  # read by exported notebooks, and by the page alone
    for path in [p for part in ("assistant", "ui", "knowledge") for p in (root / part).rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"TANDEM_[A-Z][A-Z_]*[A-Z]", text):
            first = name.removeprefix("TANDEM_").split("__")[0].lower()
            assert first in Settings.model_fields or name in others or name.startswith("TANDEM_DB"), (
                f"{path} names {name}"
            )
        for name in re.findall(r'setting\("(\w+)"\)|(\w+) in \[models\.', text):
            assert "".join(name) in ModelSettings.model_fields, f"{path} names {name}"


def test_what_was_said_of_proposed_columns_is_remembered_in_the_home(tmp_path: Path) -> None:
    decide_mask(tmp_path, "shop.customer.email", mask=True)
    decide_mask(tmp_path, 'shop.kunde."größe" \\', mask=True)
    decide_mask(tmp_path, "shop.store.phone", mask=False)
    env = {"TANDEM_HOME": str(tmp_path), "TANDEM_MASK": "hr.staff.ssn"}
    assert load(env, folder=tmp_path / "none").mask == ("hr.staff.ssn", "shop.customer.email", 'shop.kunde."größe" \\')
    decide_mask(tmp_path, "shop.customer.email", mask=False)
    assert masks_decided(tmp_path).dismissed == ("shop.store.phone", "shop.customer.email")
    assert "shop.customer.email" not in load(env, folder=tmp_path / "none").mask


@pytest.mark.parametrize("text", ["mask = 'a.b'", "mask = [1]", "masks = ['a.b']", "mask = ["])
def test_a_damaged_list_of_masks_is_an_error_and_not_a_silence(tmp_path: Path, text: str) -> None:
    (tmp_path / "masks.toml").write_text(text)
    with pytest.raises(ConfigError, match=r"masks\.toml"):
        load({"TANDEM_HOME": str(tmp_path)}, folder=tmp_path / "none")


@pytest.mark.parametrize(
    ("given", "entries"),
    [
        ("/a/b.csv:c.csv", ["/a/b.csv", "c.csv"]),
        ("postgresql://me:pa%40ss@host:5432/shop", ["postgresql://me:pa%40ss@host:5432/shop"]),
        (
            "crm=mysql://me:x@h:3306/d:/a/b.csv:~/c.csv:shop=./d.db:sqlite:///e.db",
            ["crm=mysql://me:x@h:3306/d", "/a/b.csv", "~/c.csv", "shop=./d.db", "sqlite:///e.db"],
        ),
        ("customer.email:hr.staff.ssn", ["customer.email", "hr.staff.ssn"]),
    ],
)
def test_a_list_in_the_environment_is_not_parted_inside_a_url(given: str, entries: list[str], tmp_path: Path) -> None:
    assert list(load({"TANDEM_HOME": str(tmp_path), "TANDEM_SOURCES": given}, folder=tmp_path).sources) == entries
