"""The event log: durable before visible, one writer, nothing lost."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from assistant.core.events import Answer, Decision, Execution, Failure, QueryRun, Question, SessionRenamed, Step
from assistant.errors import SessionError, StoreError
from assistant.record.store.database import Database
from assistant.record.store.lock import SessionLock, hold_lock
from assistant.record.store.log import EventLog
from assistant.record.store.schema import MIGRATIONS

EVENTS = (
    Question(turn=1, text="Umsatz für “Köln”? 'x' \\ \n"),
    Decision(
        turn=1,
        request="r",
        subject="plan",
        ref="p",
        action="edit",
        by="person",
        steps=(Step(title="a", language="sql"),),
    ),
    Execution(
        turn=1,
        id="1.1.1",
        step=1,
        language="sql",
        code='x = query("""SELECT \'\\d\'""")',
        status="failed",
        outputs=({"output_type": "stream", "name": "stdout", "text": "é\x00"},),
        failure=Failure(kind="raised", name="ValueError", message="no"),
        queries=(QueryRun(sql="SELECT 1", source="s", rows=1, seconds=0.1),),
    ),
    Answer(turn=1, status="answered", text="**42**"),
)


def opened(path: Path, *, session: str = "s1") -> Database:
    database = Database.open_file(path / "tandem.sqlite")
    if not database.exists(session):
        database.create(session)
    return database


def test_events_come_back_as_they_were(tmp_path: Path) -> None:
    database = opened(tmp_path)
    for seq, event in enumerate(EVENTS, start=1):
        database.append("s1", seq, event)
    assert tuple(entry.event for entry in database.read("s1").entries) == EVENTS
    assert [entry.seq for entry in database.read("s1", after=2).entries] == [3, 4]
    database.close()


def test_two_writers_cannot_take_the_same_place(tmp_path: Path) -> None:
    database = opened(tmp_path)
    database.append("s1", 1, EVENTS[0])
    with pytest.raises(StoreError, match="session store"):
        database.append("s1", 1, EVENTS[3])
    assert len(database.read("s1").entries) == 1
    database.close()


def test_a_newer_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    import sqlite3

    database = opened(tmp_path)
    database.close()
    connection = sqlite3.connect(tmp_path / "tandem.sqlite")
    connection.execute("INSERT INTO migrations VALUES (?)", (len(MIGRATIONS) + 1,))
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="newer Tandem"):
        Database.open_file(tmp_path / "tandem.sqlite")


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "tandem.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreError, match="TANDEM_HOME"):
        Database.open_file(tmp_path / "tandem.sqlite")


async def test_log_tells_subscribers_after_the_event_is_durable(tmp_path: Path) -> None:
    database = opened(tmp_path)
    log = EventLog(database, "s1")
    seen: list[int] = []
    unsubscribe = log.subscribe(lambda: seen.append(len(database.read("s1").entries)))
    await log.append(EVENTS[0])
    await log.append(EVENTS[3])
    unsubscribe()
    log.say("planner", "thinking")
    assert seen == [1, 2]
    assert log.partial == {"planner": "thinking"}
    log.clear_partial()
    assert not log.partial
    database.close()


async def test_an_append_that_is_cancelled_is_still_seen(tmp_path: Path) -> None:
    database = opened(tmp_path)
    log = EventLog(database, "s1")
    appending = asyncio.create_task(log.append(EVENTS[0]))
    await asyncio.sleep(0)
    appending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await appending
    assert len(log.entries) == len(database.read("s1").entries)
    await log.append(EVENTS[3])
    assert [entry.seq for entry in database.read("s1").entries] == list(range(1, len(log.entries) + 1))
    database.close()


def test_kill_9_loses_no_event_that_was_shown(tmp_path: Path) -> None:
    script = f"""
import asyncio, sys
from pathlib import Path
from assistant.core.events import Question
from assistant.record.store.database import Database
from assistant.record.store.log import EventLog
from assistant.record.store.schema import MIGRATIONS

async def main():
    database = Database.open_file(Path({str(tmp_path)!r}) / "tandem.sqlite")
    database.create("s1")
    log = EventLog(database, "s1")
    n = 0
    while True:
        n += 1
        await log.append(Question(turn=n, text=str(n)))
        print(n, flush=True)

asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        shown = 0
        for line in writer.stdout:
            shown = int(line)
            if shown >= 25:
                os.kill(writer.pid, signal.SIGKILL)
                break
        shown = max([shown, *(int(line) for line in writer.stdout if line.strip())])
    database = Database.open_file(tmp_path / "tandem.sqlite")
    kept = [entry.seq for entry in database.read("s1").entries]
    assert kept == list(range(1, len(kept) + 1))
    assert len(kept) >= shown
    database.close()


PROGRAMS, STORES = 8, 4

AT_ONCE = """
import sys
from pathlib import Path
import sqlalchemy.dialects.sqlite
from assistant.record.store.database import Database

for line in sys.stdin:
    database = Database.open_file(Path(line.strip()))
    database.create(sys.argv[1])
    database.close()
    print("made", flush=True)
"""


def test_programs_that_start_at_once_make_one_store(tmp_path: Path) -> None:
    with ExitStack() as stack:
        programs = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", AT_ONCE, f"s{number}"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for number in range(PROGRAMS)
        ]
        for number in range(STORES + 1):  # the first time they import what they need
            path = tmp_path / str(number) / "tandem.sqlite"
            for program in programs:
                assert program.stdin is not None
                program.stdin.write(f"{path}\n")
                program.stdin.flush()
            told = [program.stdout and program.stdout.readline() for program in programs]
            assert told == ["made\n"] * PROGRAMS
            database = Database.open_file(path)
            assert {row.id for row in database.list_sessions()} == {f"s{made}" for made in range(PROGRAMS)}
            database.close()


def test_a_store_that_is_being_written_is_opened_by_others_without_waiting(tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    opened(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "tandem.sqlite")) as writer:
        writer.execute("BEGIN IMMEDIATE")
        other = Database.open_file(tmp_path / "tandem.sqlite")
        assert [row.id for row in other.list_sessions()] == ["s1"]
        other.close()


def test_a_session_has_one_runner(tmp_path: Path) -> None:
    path = tmp_path / "abc" / "lock"
    with SessionLock(path), pytest.raises(SessionError, match="at work in another"), SessionLock(path):
        pass
    with SessionLock(path):
        pass


def test_a_lock_file_is_held_by_one_and_the_others_wait(tmp_path: Path) -> None:
    inside, most = 0, 0

    def work() -> None:
        nonlocal inside, most
        with hold_lock(tmp_path / "new" / "lock"):
            inside += 1
            most = max(most, inside)
            time.sleep(0.01)
            inside -= 1

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(work) for _ in range(8)]:
            done.result()
    assert (inside, most) == (0, 1)


def test_sessions_are_listed_last_changed_first_and_can_go(tmp_path: Path) -> None:
    database = opened(tmp_path, session="a")
    database.create("b", title="B")
    database.append("a", 1, Question(turn=1, text="How many\norders?"))
    database.append("b", 1, Question(turn=1, text="x" * 500))
    assert [(row.id, row.title) for row in database.list_sessions()] == [("b", "B"), ("a", "How many orders?")]
    database.append("a", 2, SessionRenamed(title="Renamed"))
    database.delete("b")
    assert [(row.id, row.title) for row in database.list_sessions()] == [("a", "Renamed")]
    assert not database.exists("b")
    database.close()


def test_a_lock_that_was_let_go_is_free_though_a_forked_process_has_its_file_open(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with SessionLock(path) as lock:
        inherited = os.dup(lock._descriptor or 0)  # pyright: ignore[reportPrivateUsage]
    try:
        with SessionLock(path):
            pass
    finally:
        os.close(inherited)
