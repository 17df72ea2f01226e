"""The settings: defaults that work, three places to set them, errors that name the setting, and documentation of each."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from assistant.config import Settings, decide_mask, load, masks_decided
from assistant.errors import ConfigError


def test_nothing_set_works(tmp_path: Path) -> None:
    settings = load({"HOME": str(tmp_path)}, folder=tmp_path)
    assert settings.home == tmp_path / ".local" / "share" / "tandem"
    assert settings.model_of("planner") == ""
    assert settings.today == date.today()


def test_the_environment_wins_over_the_file_and_the_command_over_both(tmp_path: Path) -> None:
    (tmp_path / "tandem.toml").write_text('model = "file"\nas_of = 2026-01-02\ncoder_model = "coder"\n')
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


def test_every_setting_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    for name, field in Settings.model_fields.items():
        assert f"`{name}`" in page, f"docs/reference/settings.md does not mention {name}"
        assert field.description
        assert field.description.rstrip(".") in page, f"docs/reference/settings.md says something else of {name}"


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
