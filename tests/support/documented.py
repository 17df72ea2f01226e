"""Documentation as data: its console transcripts, and its links."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"```console\n(.*?)\n```", re.DOTALL)
_FILE = re.compile(r"```yaml\n# (\S+)\n(.*?)```", re.DOTALL)
_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@dataclass(frozen=True, slots=True)
class Transcript:
    """A command and what a page says that it prints; `…` stands for further lines."""

    command: str
    expected: str


def transcripts(page: Path) -> list[Transcript]:
    """The commands of a page's console blocks, in order."""
    found: list[Transcript] = []
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        for part in block.split("$ ")[1:]:
            command, _, expected = part.partition("\n")
            found.append(Transcript(command, expected.strip()))
    return found


def write_files(page: Path, folder: Path) -> None:
    """Write the files that a page shows: the YAML blocks whose first line is a comment with a path."""
    for path, text in _FILE.findall(page.read_text(encoding="utf-8")):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def run(transcript: Transcript, *, home: Path, folder: Path) -> str:
    """Run a command as a reader of the page would, in a folder of its own; its output."""
    command = transcript.command.replace(".venv/bin/tandem", str(Path(sys.executable).parent / "tandem"))
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=os.environ | {"TANDEM_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def broken_links(page: Path) -> list[str]:
    """The relative links of a page that lead nowhere."""
    targets = _LINK.findall(page.read_text(encoding="utf-8"))
    return [one for one in targets if "://" not in one and not (page.parent / one).exists()]
