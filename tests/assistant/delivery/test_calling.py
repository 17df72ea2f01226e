"""How the command is called: in this process, with what it prints and its exit status."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.delivery.command_line import main
from assistant.delivery.printing import print_list


@pytest.fixture(autouse=True)
def home(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANDEM_HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["foo"], "No such command 'foo'"),
        (["ask", "x", "--as-of", "next week"], "'next week' is no date; write it like 2026-03-31"),
        (["verify", "s", "0"], "greater than or equal to 1"),
        (["eval", "suite.jsonl", "--through", "reader"], "No such option"),
        (["export", "s"], "Missing argument"),
        (["sessions", "--loud"], "No such option"),
    ],
)
def test_a_wrong_call_says_what_is_wrong_with_status_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert (said in printed.err, printed.out) == (True, "")


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    listed = capsys.readouterr().out
    for command in (
        "serve",
        "ask",
        "sessions",
        "export",
        "run",
        "verify",
        "ledger",
        "define",
        "models",
        "doctor",
        "sample",
        "eval",
        "packages",
    ):
        assert f" {command} " in listed
        assert main([command, "--help"]) == 0
        assert "Usage: tandem " in capsys.readouterr().out


def test_a_piped_list_has_no_header_and_keeps_long_lines(capsys: pytest.CaptureFixture[str]) -> None:
    long = "word " * 60
    print_list(("id", "title"), [("a1", "[bold]"), ("b22", long)])
    assert capsys.readouterr().out == f"a1   [bold]\nb22  {long.rstrip()}\n"


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--help"], "autogen_core chromadb duckdb numpy pandas pyarrow sqlalchemy sqlglot streamlit"),
        (["sessions"], "autogen_core chromadb duckdb numpy pandas pyarrow sqlglot streamlit"),
    ],
)
def test_a_command_loads_no_library_that_it_does_not_need(arguments: list[str], heavy: str, tmp_path: Path) -> None:
    program = f"""
import sys
from assistant.delivery.command_line import main
main({arguments!r})
print(*[name for name in {heavy.split()!r} if name in sys.modules], file=sys.stderr)
"""
    env = os.environ | {"TANDEM_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env)
    assert done.stderr.splitlines()[-1] == ""
