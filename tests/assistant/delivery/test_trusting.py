"""`tandem trust`: it shows what a file asks for, agrees to exactly that file, and never to what is the person's."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.delivery.command_line import main
from assistant.errors import ConfigError
from assistant.settings.config import load

ASKING = 'model = "house"\nas_of = 2026-01-02\n[models.house]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "a\\u001B[2J\\u202Eb"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TANDEM_HOME", str(tmp_path / "home"))
    made = tmp_path / "data"
    made.mkdir()
    (made / "tandem.toml").write_text(ASKING)
    return made


def test_it_shows_each_setting_in_words_and_agrees_on_yes_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trust", str(folder)]) == 2  # nobody is there to agree
    shown = capsys.readouterr().out
    for text in ('model = "house"', "Language model for every role", 'models.house.base_url = "http://127.0.0.1:9/v1"'):
        assert text in shown
    assert "questions and data are sent" in shown
    assert "as_of" not in shown  # any folder may
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    with pytest.raises(ConfigError, match=f"tandem trust {folder}"):
        load(folder=folder)
    assert main(["trust", "--yes", str(folder)]) == 0
    assert load(folder=folder).model == "house"
    capsys.readouterr()
    assert main(["trust", str(folder)]) == 0
    assert "You agreed to" in capsys.readouterr().out


def test_a_consent_is_listed_and_taken_back_and_a_changed_file_is_void(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trust"]) == 0
    assert "No folder is trusted" in capsys.readouterr().out
    main(["trust", "--yes", str(folder)])
    capsys.readouterr()
    assert main(["trust"]) == 0
    assert capsys.readouterr().out == f"{folder}\n"
    (folder / "tandem.toml").write_text("rows_max = 5\n" + ASKING)
    main(["trust"])
    assert capsys.readouterr().out == f"{folder}  (changed: void)\n"
    main(["trust", str(folder)])
    assert "rows_max = 5" in capsys.readouterr().out
    assert main(["trust", "--remove", str(folder)]) == 0
    assert main(["trust", "--remove", str(folder)]) == 0
    with pytest.raises(ConfigError, match="cannot be set"):
        load(folder=folder)


@pytest.mark.parametrize(
    "text",
    [
        'store = "sqlite:///here.sqlite"\n',
        '[models.m]\nprovider = "autogen_core.tools.FunctionTool"\n',
        '[models.m]\napi_key_env = "CORP_DB_PASSWORD"\nbase_url = "http://127.0.0.1:9"\n',
    ],
)
def test_what_is_the_persons_alone_cannot_be_agreed_to(
    folder: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "tandem.toml").write_text(text)
    assert main(["trust", "--yes", str(folder)]) == 1
    assert "Take these lines out" in capsys.readouterr().err
    with pytest.raises(ConfigError, match="cannot be set"):
        load(folder=folder)


def test_a_wrong_value_and_a_folder_that_is_none_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tandem.toml").write_text("rows_max = 0\n")
    assert main(["trust", "--yes", str(folder)]) == 1
    assert "'rows_max'" in capsys.readouterr().err
    assert main(["trust", str(folder / "tandem.toml")]) == 1
    assert "is no folder" in capsys.readouterr().err
    (folder / "tandem.toml").write_text("as_of = 2026-01-02\n")
    assert main(["trust", str(folder)]) == 0
    assert "asks for nothing" in capsys.readouterr().out
