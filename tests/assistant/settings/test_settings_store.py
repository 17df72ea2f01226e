"""Settings that are changed on the page: written into the person's file, checked as ever, and never more than was said."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import ConfigError
from assistant.settings.config import load
from assistant.settings.folder_file import read_folder_file
from assistant.settings.models import ModelSettings
from assistant.settings.own_file import with_value
from assistant.settings.settings import Settings
from assistant.settings.settings_store import CHANGEABLE, CHANGES, SettingsStore
from assistant.trust.consents import ConsentStore

OWN = """\
# mine
rows_max = 5000  # enough for me
model = "house"

[models.house]
base_url = "http://127.0.0.1:9/v1"
model = "qwen"  # the small one

[models.spare]
model = "s"
"""


def store(tmp_path: Path, own: str = OWN, **environment: str) -> SettingsStore:
    home, folder = tmp_path / "home", tmp_path / "folder"
    home.mkdir(parents=True, exist_ok=True)
    folder.mkdir(exist_ok=True)
    if own:
        (home / "tandem.toml").write_text(own)
    env = {"TANDEM_HOME": str(home), **environment}
    return SettingsStore(load(env, folder=folder), environment=env, folder=folder)


def test_a_change_holds_at_once_and_after_a_start_and_keeps_comments(tmp_path: Path) -> None:
    one = store(tmp_path)
    one.change(("rows_max",), 70, was=5000)
    one.change(("models", "house", "model"), "qwen3", was="qwen")
    assert (one.now.rows_max, one.now.models["house"].model) == (70, "qwen3")
    text = one.file.read_text()
    assert text == OWN.replace("5000", "70").replace('"qwen"', '"qwen3"')
    assert store(tmp_path, "").now == one.now


def test_a_file_is_made_for_its_owner_alone_and_a_link_to_it_stays(tmp_path: Path) -> None:
    one = store(tmp_path, "")
    one.change(("query_seconds_max",), 9.5, was=60.0)
    assert one.file.stat().st_mode & 0o777 == 0o600
    kept = tmp_path / "dotfiles.toml"
    one.file.replace(kept)
    kept.chmod(0o640)
    one.file.symlink_to(kept)
    one.change(("rows_max",), 3, was=1_000_000)
    assert one.file.is_symlink()
    assert tomllib.loads(kept.read_text()) == {"query_seconds_max": 9.5, "rows_max": 3}
    assert kept.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in one.file.parent.iterdir() if "part" in path.name] == []


def test_a_budget_beside_the_usual_one_does_not_take_it_away(tmp_path: Path) -> None:
    one = store(tmp_path, "")
    one.change(("budgets", "turn", "tokens"), 9000, was=None)
    assert (one.now.budgets.turn.calls, one.now.budgets.turn.tokens) == (60, 9000)
    one.change(("budgets", "turn", "calls"), None, was=60)
    assert (one.now.budgets.turn.calls, one.now.budgets.turn.tokens) == (None, 9000)
    again = store(tmp_path / "other", "")
    again.change(("budgets", "turn", "calls"), None, was=60)
    assert again.now.budgets.turn.calls is None
    again.change(("budgets", "session", "dollars"), None, was=None)
    assert again.now == store(tmp_path / "other", "").now


@pytest.mark.parametrize(
    ("place", "value", "was", "says"),
    [
        (("rows_max",), 0, 5000, r"'rows_max' \('0'\) is wrong.*greater than 0"),
        (("sees",), "all", "", r"'sees' \('all'\) is wrong"),
        (("models", "house", "timeout"), 9, None, r"'models\.house\.timeout' is unknown.*'timeout_s'"),
        (("cage",), "", "", "not set on the page"),
        (("home",), "/tmp", "", "not set on the page"),
        (("uncaged",), True, False, "not set on the page"),
        (("mask",), (), (), "not set on the page"),
    ],
)
def test_what_does_not_fit_is_told_and_changes_nothing(
    tmp_path: Path, place: tuple[str, ...], value: Any, was: Any, says: str
) -> None:
    one = store(tmp_path)
    before = one.now
    was = getattr(before, place[0]) if len(place) == 1 else was
    with pytest.raises(ConfigError, match=says):
        one.change(place, value, was=was, consents=True)
    assert one.file.read_text() == OWN
    assert one.now is before
    assert one.changes() == ()


def test_what_others_set_is_fixed_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "tandem.toml").write_text("cell_seconds_max = 5\n[models.theirs]\nmodel = 'm'\n")
    digest = read_folder_file(tmp_path / "folder", tmp_path / "home").digest
    ConsentStore(tmp_path / "home").keep(tmp_path / "folder", digest)
    one = store(tmp_path, TANDEM_MODEL="theirs", TANDEM_BUDGETS__TURN__CALLS="7")
    reasons = {
        ("model",): "environment variable TANDEM_MODEL",
        ("budgets", "turn", "calls"): "environment variable TANDEM_BUDGETS__TURN__CALLS",
        ("cell_seconds_max",): f"Set in {tmp_path / 'folder' / 'tandem.toml'}",
        ("models", "theirs"): f"Set in {tmp_path / 'folder' / 'tandem.toml'}",
    }
    for place, reason in reasons.items():
        assert reason in one.fixed(place)
        with pytest.raises(ConfigError, match=reason):
            one.change(place, None, was=None)
    assert one.fixed(("budgets", "turn", "tokens")) == ""
    assert one.fixed(("models", "spare")) == ""
    assert one.file.read_text() == OWN


def test_what_the_program_was_started_with_is_fixed(tmp_path: Path) -> None:
    one = SettingsStore(Settings(home=tmp_path, rows_max=3), environment={}, folder=tmp_path / "none")
    assert one.fixed(("rows_max",)) == "Given when Tandem was started."
    one.change(("megabytes_max",), 4, was=512)
    assert (one.now.rows_max, one.now.megabytes_max) == (3, 4)


def test_two_tabs_do_not_undo_each_other(tmp_path: Path) -> None:
    one, other = store(tmp_path), store(tmp_path, "")
    one.change(("rows_max",), 70, was=5000)
    other.change(("megabytes_max",), 8, was=512)
    with pytest.raises(ConfigError, match=r"changed meanwhile.*is 70 now"):
        other.change(("rows_max",), 90, was=5000)
    assert (other.now.rows_max, other.now.megabytes_max) == (70, 8)
    assert tomllib.loads(one.file.read_text())["rows_max"] == 70
    other.change(("rows_max",), 90, was=70)


def test_a_broken_file_is_told_and_nothing_of_it_is_lost(tmp_path: Path) -> None:
    one = store(tmp_path)
    for broken in ("rows_max = \n[models", "modle = 'x'\n" + OWN):
        one.file.write_text(broken)
        with pytest.raises(ConfigError, match=r"tandem\.toml is not valid TOML.*line 1|'modle' is unknown"):
            one.change(("rows_max",), 70, was=5000)
        assert one.file.read_text() == broken
    one.file.write_text(OWN)
    one.change(("rows_max",), 70, was=5000)


def test_models_see_more_only_where_the_person_says_so_and_it_is_recorded(tmp_path: Path) -> None:
    one = store(tmp_path, "")
    for was, wider in (("", "names"), ("names", "values"), ("values", "")):
        with pytest.raises(ConfigError, match="Confirm that"):
            one.change(("sees",), wider or None, was=was)
        one.change(("sees",), wider or None, was=was, consents=True)
    one.change(("sees",), "rows", was="", consents=True)
    one.change(("sees",), "results", was="rows")
    assert [(c.setting, c.was, c.now) for c in one.changes()][:2] == [("sees", "rows", "results"), ("sees", "", "rows")]
    log = one.now.home / CHANGES
    assert log.stat().st_mode & 0o777 == 0o600
    assert len([json.loads(line) for line in log.read_text().splitlines()]) == 5
    before = one.file.read_text()
    log.unlink()
    log.mkdir()
    with pytest.raises(ConfigError, match="cannot be written"):
        one.change(("sees",), "rows", was="results", consents=True)
    assert one.file.read_text() == before
    assert one.now.sees == "results"


def test_the_record_tells_no_address_of_a_model(tmp_path: Path) -> None:
    one = store(tmp_path, OWN.replace("http://127", "http://me:pa55@127"))
    one.change(("models", "house"), {"model": "new", "base_url": None}, was=one.now.models["house"])
    assert one.now.models["house"] == ModelSettings(model="new")
    assert "# the small one" in one.file.read_text()
    assert "pa55" not in (one.now.home / CHANGES).read_text()


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.sampled_from(
    ['"\nuncaged = true\n', "'''\n[x]\n", '"""\nsees = "rows"', "a\x00b", "\r\n", "]\nmask = []", "\\", "é 😀"]
)


@given(name=TEXTS, value=TEXTS)
def test_no_text_changes_anything_but_its_own_place(name: str, value: str) -> None:
    for place, wanted in (((name, "model"), value), (("models", name, "base_url"), value), (("fallbacks",), (value,))):
        try:
            made = with_value(OWN, place, wanted)
        except ConfigError:
            continue  # it cannot be written so: then nothing is
        found = tomllib.loads(made)
        expected = tomllib.loads(OWN)
        held = expected
        for table in place[:-1]:
            held = held.setdefault(table, {}) if isinstance(held.get(table, {}), dict) else {}
        held[place[-1]] = list(wanted) if isinstance(wanted, tuple) else wanted
        assert found == expected


def test_an_ordinary_name_and_value_can_be_written() -> None:
    for text in ("qwen3:8b", 'a "quoted" one', "größe", "C:\\models", "line\nbreak", "] # no comment"):
        assert tomllib.loads(with_value(OWN, ("models", text, "model"), text))["models"][text] == {"model": text}


@pytest.mark.parametrize("own", ["", OWN, "models.house.model = 'x'\n", "models = {house = {model = 'x'}}\n"])
def test_a_model_is_added_changed_and_removed(tmp_path: Path, own: str) -> None:
    one = store(tmp_path, own)
    before = one.now.models.get("new")
    one.change(("models", "new"), {"model": "n", "base_url": "http://h/v1"}, was=before)
    assert one.now.models["new"].base_url == "http://h/v1"
    one.change(("models", "new"), None, was=one.now.models["new"])
    assert "new" not in one.now.models
    assert one.now == store(tmp_path, "").now


def test_what_takes_a_wall_down_or_moves_the_data_is_not_set_on_the_page() -> None:
    assert not {"uncaged", "cage", "home", "store", "mask", "sources", "knowledge"} & set(CHANGEABLE)
