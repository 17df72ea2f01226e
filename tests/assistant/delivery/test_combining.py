"""`tandem combine`: what is side by side, which keys the values speak for, and the source to ask by."""

from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from rights_of_person import PERSON

from assistant.delivery.command_line import main
from assistant.sources.addresses import parse_addresses

ROOT = Path(__file__).parent.parent.parent.parent


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "stores.csv").write_text("store_id,city\n1,Oslo\n2,Bergen\n")
    (tmp_path / "budgets.csv").write_text("store_id,budget\n1,10\n2,20\n2,5\n")
    return [str(tmp_path / "stores.csv"), str(tmp_path / "budgets.csv")]


class Terminal(StringIO):
    """What a person types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("said", "keys"), [("y\n", 1), ("n\n", 0), ("\n", 0)])
def test_a_key_holds_only_once_the_person_says_so(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, said: str, keys: int
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(said))
    assert main(["combine", *files]) == 0
    printed = capsys.readouterr().out
    assert "budgets.budgets (store_id, budget)" in printed
    assert "budgets.store_id = stores.store_id  Is that right?" in printed
    typed = printed.rsplit("--source '", 1)[1].strip().removesuffix("'")
    assert len(parse_addresses(typed, PERSON)[0].keys) == keys


def test_where_nobody_can_be_asked_keys_are_told_and_not_taken(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["combine", *files]) == 0
    printed = capsys.readouterr().out
    assert "The values speak for these keys" in printed
    assert parse_addresses(printed.rsplit("--source '", 1)[1].strip().removesuffix("'"), PERSON)[0].keys == ()


def test_one_source_needs_no_combining(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["combine", files[0]]) == 1
    assert "Give two or more" in capsys.readouterr().err


def test_what_combines_says_nothing_of_its_memory_when_it_ends(files: list[str]) -> None:
    command = "from assistant.delivery.command_line import main; raise SystemExit(main())"
    ended = subprocess.run(
        [sys.executable, "-c", command, "combine", *files], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert "budgets.store_id = stores.store_id" in ended.stdout
    assert ended.stderr == ""
