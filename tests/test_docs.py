"""The documentation is true: its transcripts run, its links lead somewhere, and what must be documented is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from documented import ROOT, broken_links, run, transcripts, write_files
from typer.main import get_command

from assistant.delivery.command_line import app

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
RUN = [
    ROOT / "README.md",
    pytest.param(ROOT / "docs" / "tutorial.md", marks=pytest.mark.slow),
    pytest.param(ROOT / "docs" / "how-to" / "knowledge.md", marks=pytest.mark.slow),
    pytest.param(ROOT / "docs" / "how-to" / "functions.md", marks=pytest.mark.slow),
    pytest.param(ROOT / "docs" / "how-to" / "lessons.md", marks=pytest.mark.slow),
    pytest.param(ROOT / "docs" / "how-to" / "what-if.md", marks=pytest.mark.slow),
    pytest.param(ROOT / "docs" / "how-to" / "migration.md", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(
    "page", RUN, ids=["README", "tutorial", "knowledge", "functions", "lessons", "what-if", "migration"]
)
def test_transcripts_are_what_the_commands_print(page: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    write_files(page, tmp_path / "folder")
    found = transcripts(page)
    assert found
    for transcript in found:
        printed = run(transcript, home=tmp_path / "home", folder=tmp_path / "folder")
        assert printed.startswith(transcript.expected), f"{transcript.command} printed:\n{printed}"


def test_the_python_of_the_how_to_runs(tmp_path: Path) -> None:
    code = re.findall(r"```python\n(.*?)```", (ROOT / "docs/how-to/python-and-notebooks.md").read_text(), re.DOTALL)
    assert len(code) == 4
    shown = "print(answer.text, answer.table.to_dict('list'), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", "\n".join([code[0], shown, *code[1:]])],
        cwd=tmp_path,
        env=os.environ | {"TANDEM_HOME": str(tmp_path / "home")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "**Bern** is highest (1,500)" in done.stdout
    assert (tmp_path / "visits.ipynb").exists()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file(page: Path) -> None:
    assert broken_links(page) == []


def test_the_readme_is_short_and_names_its_own_scripts() -> None:
    assert len(README.splitlines()) < 150
    for script in re.findall(r"script/\w+", README):
        assert os.access(ROOT / script, os.X_OK)


def test_the_files_of_the_glossary_are_there() -> None:
    glossary = (ROOT / "docs" / "explanation" / "glossary.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.py)`", glossary)
    assert len(named) >= 20
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_command_and_option_is_documented() -> None:
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    words = list(commands("tandem", get_command(app)))
    assert len(words) > 40
    assert [word for word in words if not re.search(rf"{re.escape(word)}(?![\w-])", page)] == []


def commands(path: str, command: Any) -> Iterator[str]:
    """A command as it is called, its options, and those below it."""
    yield path
    yield from (name for one in command.params for name in one.opts if name.startswith("--"))
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(f"{path} {name}", below)


def test_what_the_architecture_names_is_there() -> None:
    page = (ROOT / "docs/explanation/architecture.md").read_text(encoding="utf-8")
    section = page.partition("## Where to look")[2].partition("\n## ")[0]
    named = re.findall(r"`(assistant\.[\w.]+)`", section)
    assert len(named) > 10
    assert [name for name in named if not _is_defined(name.split("."))] == []


def _is_defined(parts: list[str]) -> bool:
    """Whether a module, or what a module defines at its top, has this dotted name."""
    length = max(n for n in range(1, len(parts) + 1) if (ROOT.joinpath(*parts[:n])).is_dir())
    file = ROOT.joinpath(*parts[:length], f"{parts[length]}.py")
    code = file.read_text(encoding="utf-8") if file.exists() else ""
    return bool(code) and all(
        re.search(rf"^ *(?:async def|def|class) {name}\b", code, re.M) for name in parts[length + 1 :]
    )
