"""Nobody else reads the home: after whole turns with an upload, every file and folder in it is the owner's alone.

One thing is looser, where Tandem runs as root: the results of a session (`data`) are read by the session's own user in the
cage, and by no other. That user is the folder's group while the kernel lives.
"""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.bootstrap import open_workspace
from assistant.errors import ConfigError
from assistant.record.store.opening import make_home
from assistant.settings.config import Settings
from sandbox.identity import FIRST, LAST
from ui.access_token import read_token

SCRIPT = """
import asyncio, os, sys
from pathlib import Path
from assistant.bootstrap import open_workspace
from assistant.settings.config import load

async def main():
    async with open_workspace(load()) as workspace:
        session = await workspace.create(bare=True)
        await session.sources.add_files([("shop.csv", b"city,amount\\nKiel,1\\nBonn,2\\n")])
        await session.ask("What is the total amount by city?", files=("shop.csv",), approve=("plan", "query", "python"))
        await session.settled()
        print([event.event.status for event in session.events() if event.event.kind in ("answer", "execution")])
        await workspace.knowledge.read()  # as the Knowledge screen does; it opens the index
        look(Path(sys.argv[1]))  # while kernel, sources and index are open

def look(home):
    for path in sorted([home, *home.rglob("*")]):
        found = path.lstat()
        print("%o" % found.st_mode, found.st_gid, path.relative_to(home))

os.umask(0o077)  # as the command line and the page's server do
asyncio.run(main())
look(Path(sys.argv[1]))
"""


def looser(lines: list[str]) -> list[str]:
    """What somebody else than the owner, and a session's user in its own results, could use."""
    found: list[str] = []
    for line in lines:
        mode, gid, path = line.split(" ", 2)
        rights = int(mode, 8) & 0o077
        in_results = path.split("/")[0] == "sessions" and path.split("/")[2:3] == ["data"]
        if in_results and os.getuid() == 0:
            rights &= ~0o050 if FIRST <= int(gid) <= LAST or int(gid) == os.getgid() else ~0
        if rights and not stat.S_ISLNK(int(mode, 8)):
            found.append(line)
    return found


@pytest.mark.slow
def test_after_a_whole_turn_the_home_is_the_owners_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    home.chmod(0o755)
    (home / "tandem.toml").write_text('embeddings = "hashing"\n')
    (home / "tandem.toml").chmod(0o644)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(home)],
        env=os.environ | {"TANDEM_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
        umask=0o002,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    answered, *lines = done.stdout.splitlines()
    assert answered == "['ok', 'answered']"
    for kind in ("tandem.sqlite-wal", "uploads/shop.csv", ".arrow", ".duckdb", "chroma.sqlite3", "backups", "desk"):
        assert any(kind in line for line in lines), kind
    assert looser(lines) == []


def test_a_home_that_was_open_to_others_is_closed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "sessions").mkdir(parents=True)
    (home / "masks.toml").write_text("")
    (home / "masks.toml").chmod(0o666)
    (home / "sessions").chmod(0o777)
    (home / "notes of mine.txt").write_text("")
    (home / "notes of mine.txt").chmod(0o644)
    home.chmod(0o777)

    async def scenario() -> None:
        async with open_workspace(Settings(home=home, embeddings="hashing")):
            pass

    asyncio.run(scenario())
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "sessions").stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "masks.toml").stat().st_mode) == 0o600
    assert stat.S_IMODE((home / "tandem.sqlite").stat().st_mode) == 0o600
    assert stat.S_IMODE((home / "notes of mine.txt").stat().st_mode) == 0o644, "it is not Tandem's"


@pytest.mark.slow
def test_a_folder_of_others_is_neither_taken_nor_closed(tmp_path: Path) -> None:
    home = tmp_path / "shared"
    home.mkdir()
    (home / "notes.txt").write_text("mine")
    home.chmod(0o1777)
    with pytest.raises(ConfigError, match=r"holds files that are not Tandem's.*chmod 700"):
        make_home(home)
    assert stat.S_IMODE(home.stat().st_mode) == 0o1777


def test_an_empty_folder_serves_as_the_home_of_the_page(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o755)
    read_token(home)
    make_home(home)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    home.chmod(0o755)
    (home / "notes.txt").write_text("mine")
    with pytest.raises(ConfigError, match="holds files that are not Tandem's"):
        make_home(home)


@pytest.mark.slow
def test_what_a_person_exports_has_the_rights_that_they_give(tmp_path: Path) -> None:
    home, notebook = tmp_path / "home", tmp_path / "out.ipynb"
    (tmp_path / "shop.csv").write_text("city,amount\nKiel,1\nBonn,2\n")
    question = "What is the total amount by city?"
    command = [str(Path(sys.executable).parent / "tandem"), "ask", question, "--source", str(tmp_path / "shop.csv")]
    done = subprocess.run(
        [*command, "--yes", "--json", "--export", str(notebook)],
        env=os.environ | {"TANDEM_HOME": str(home), "TANDEM_EMBEDDINGS": "hashing"},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
        umask=0o022,
    )
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE(notebook.stat().st_mode) == 0o644
    found = [f"{path.lstat().st_mode:o} {path.lstat().st_gid} {path.relative_to(home)}" for path in home.rglob("*")]
    assert looser(found) == []
