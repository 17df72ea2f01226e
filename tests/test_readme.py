"""The README is true: its transcript runs, its links lead somewhere, and it is short."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_transcript_is_what_the_command_prints() -> None:
    (block,) = re.findall(r"```console\n\$ (.*?)\n```", README, re.DOTALL)
    command, _, expected = block.partition("\n")
    words = shlex.split(command)
    words[0] = str(Path(sys.executable).parent / "tandem")
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().startswith(expected.strip())


def test_every_link_leads_to_a_file() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), f"README.md links to {target}, which is not there"


def test_it_is_short_and_names_its_own_scripts() -> None:
    assert len(README.splitlines()) < 150
    for script in re.findall(r"script/\w+", README):
        assert os.access(ROOT / script, os.X_OK)
