"""A disk that is full, or may not be written, is called that; nothing that was shown is lost, and work goes on after."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.record.store.database import Database

_FILL = """
import asyncio, errno, os, sys
from pathlib import Path

home = Path(sys.argv[1])

def fill():
    with open(home / "ballast", "wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError as error:
                assert error.errno == errno.ENOSPC, error
"""

APPENDING = (
    _FILL
    + """
from assistant.errors import StoreError
from assistant.core.events import Question
from assistant.record.store.database import Database

database = Database.open_file(home / "tandem.sqlite")
database.create("s1")
shown = 0
for seq in range(1, 10_000):
    if seq == 20:
        fill()
    try:
        database.append("s1", seq, Question(turn=seq, text="and " * 500))
    except StoreError as error:
        print(error)
        break
    shown = seq
assert 19 <= shown < 9_999, shown
assert len(database.read("s1").entries) == shown
database.close()
database = Database.open_file(home / "tandem.sqlite")
read = database.read("s1")
assert (len(read.entries), read.damage) == (shown, None)
(home / "ballast").unlink()
database.append("s1", shown + 1, Question(turn=shown + 1, text="It goes on"))
assert database.read("s1").damage is None
database.close()
"""
)

A_TURN = (
    _FILL
    + """
from assistant.bootstrap import open_workspace
from assistant.settings.config import Settings
from assistant.core.events import Answer, Execution, Plan, Question, Stopped

async def main():
    (home.parent / "shop.csv").write_text("city,amount\\nKiel,1\\nBonn,2\\n")
    everything = ("plan", "query", "python")
    async with open_workspace(Settings(home=home, embeddings="hashing", sources=(str(home.parent / "shop.csv"),))) as workspace:
        session = await workspace.create()
        def full_once_planned():
            if any(isinstance(e.event, Plan) for e in session.events()) and not (home / "ballast").exists():
                fill()
        stop = session.subscribe(full_once_planned)
        await session.ask("What is the total amount by city?", approve=everything)
        await session.settled()
        stop()
        assert session.state == "idle", session.state
        print(session.fault)
        shown = session.events()
        assert isinstance(shown[-1].event, Plan), shown[-1]
        try:
            await session.ask("What is the total amount?", approve=everything)
        except Exception as error:
            print(error)
        (home / "ballast").unlink()
        await session.ask("What is the total amount by city?", approve=everything)
        await session.settled()
        assert session.fault == ""
        events = [e.event for e in session.events()]
        assert session.events()[:len(shown)] == shown
        assert isinstance(events[len(shown)], Stopped), events[len(shown)]
        assert isinstance(events[-1], Answer) and events[-1].status == "answered"
        name = session.id
    async with open_workspace(Settings(home=home, embeddings="hashing")) as workspace:
        session = await workspace.open(name)
        assert [e.event for e in session.events()] == events
        assert session.damage == ""

asyncio.run(main())
"""
)

READ_ONLY = """
import subprocess, sys
from pathlib import Path
from assistant.errors import StoreError
from assistant.core.events import Question
from assistant.record.store.database import Database

path = Path(sys.argv[1]) / "tandem.sqlite"
database = Database.open_file(path)
database.create("s1")
database.append("s1", 1, Question(turn=1, text="Kept?"))
database.close()
subprocess.run(["mount", "-o", "remount,ro", sys.argv[1]], check=True)
try:
    Database.open_file(path)
except StoreError as error:
    print(error)
subprocess.run(["mount", "-o", "remount,rw", sys.argv[1]], check=True)
database = Database.open_file(path)
assert len(database.read("s1").entries) == 1
database.close()
"""


def on_a_small_disk(script: str, folder: Path, *, megabytes: int) -> list[str]:
    """Run a script with a folder that is a small disk of its own. Gives the lines that it printed."""
    folder.mkdir()
    mount = f'mount -t tmpfs -o size={megabytes}m,mode=0700 tmpfs "$1" && exec "$2" -c "$3" "$1"'
    for kind in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"]):
        if (
            subprocess.run(
                [*kind, "mount", "-t", "tmpfs", "t", str(folder)], capture_output=True, check=False
            ).returncode
            == 0
        ):
            break
    else:
        pytest.skip("no disk of one's own can be mounted here")
    done = subprocess.run(
        [*kind, "sh", "-c", mount, "sh", str(folder), sys.executable, script],
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
        env={name: value for name, value in os.environ.items() if not name.startswith("TANDEM_")},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_full_disk_is_called_that_and_what_was_shown_is_kept(tmp_path: Path) -> None:
    (said,) = on_a_small_disk(APPENDING, tmp_path / "disk", megabytes=8)
    assert said.startswith("The disk is full: the session store cannot be written.")
    assert "is kept" in said


@pytest.mark.slow
def test_a_disk_that_fills_up_in_the_middle_of_a_turn_is_told_and_the_session_goes_on_after(tmp_path: Path) -> None:
    fault, refused = on_a_small_disk(A_TURN, tmp_path / "disk", megabytes=64)
    assert fault.startswith("The disk is full")
    assert refused.startswith("The disk is full")


def test_a_read_only_store_is_called_that(tmp_path: Path) -> None:
    (said,) = on_a_small_disk(READ_ONLY, tmp_path / "disk", megabytes=8)
    assert "read-only" in said
    assert "TANDEM_HOME" in said
    assert "disk has room" not in said


def test_a_quota_is_no_damage(tmp_path: Path) -> None:
    """Where the system refuses a larger file (a quota, `ulimit -f`), the store says what to do and stays whole."""
    script = """
import resource, sys
from pathlib import Path
from assistant.errors import StoreError
from assistant.core.events import Question
from assistant.record.store.database import Database

database = Database.open_file(Path(sys.argv[1]) / "tandem.sqlite")
database.create("s1")
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
for seq in range(1, 1000):
    try:
        database.append("s1", seq, Question(turn=seq, text="and " * 500))
    except StoreError as error:
        print(error, seq, sep="\\n")
        break
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True)
    said, seq = done.stdout.splitlines()
    assert "full, over its quota, or faulty" in said
    database = Database.open_file(tmp_path / "tandem.sqlite")
    read = database.read("s1")
    assert (len(read.entries), read.damage) == (int(seq) - 1, None)
    database.close()


def test_a_store_that_is_locked_for_ever_is_called_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy import text

    from assistant.errors import StoreError

    database = Database.open_file(tmp_path / "tandem.sqlite")
    with database.begin() as connection:  # the same connection comes back
        connection.execute(text("PRAGMA busy_timeout=50"))
    other = sqlite3.connect(tmp_path / "tandem.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="Another program is writing"):
        database.create("s1")
    other.close()
    database.close()
