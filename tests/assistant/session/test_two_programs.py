"""Two programs on one session: no turn shares a number with another, and an open session follows what others write."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from conversation import CELL, Stage, kinds

from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, Appearance, Question, SessionRenamed, Stopped
from assistant.errors import SessionError, StoreError
from assistant.record.store.database import Database
from assistant.record.store.lock import SessionLock
from assistant.record.store.log import EventLog
from assistant.session.following import Following
from assistant.session.session import Session
from assistant.session.workspace import Workspace
from assistant.settings.settings import Settings

ALL = ("plan", "query", "python")

OTHER = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, {support!r})
from conversation import Stage, Told

async def main():
    async with Stage(Path({home!r}), Told(cells={cells!r})).session() as session:
        {work}
        print("done", flush=True)
        sys.stdin.readline()

asyncio.run(main())
"""


@contextmanager
def other_program(home: Path, work: str, cells: object = (("sql", CELL),)) -> Generator[subprocess.Popen[str]]:
    """Another program on the session, once it has done this; it is killed at the end."""
    support = str(Path(__file__).parents[2] / "support")
    script = OTHER.format(support=support, home=str(home), work=work, cells=cells)
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "done\n"
        try:
            yield program
        finally:
            program.kill()


async def ask(session: Session, text: str) -> None:
    await session.ask(text, approve=ALL)  # pyright: ignore
    await session.settled()


def questions(session: Session) -> list[tuple[int, str]]:
    return [(one.event.turn, one.event.text) for one in session.events() if isinstance(one.event, Question)]


ASK = 'await session.ask("Theirs?", approve=("plan", "query", "python")); await session.settled()'


@pytest.mark.slow
def test_a_question_after_one_of_another_program_has_the_next_number(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            await ask(session, "Ours?")
            with other_program(tmp_path, ASK):
                pass
            assert questions(session) == [(1, "Ours?")]  # nobody has told it yet
            await ask(session, "Ours again?")
            assert questions(session) == [(1, "Ours?"), (2, "Theirs?"), (3, "Ours again?")]
            assert [e.event.turn for e in session.events() if isinstance(e.event, Answer)] == [1, 2, 3]

    asyncio.run(scenario())


INPUTS: dict[str, Callable[[Session], object]] = {
    "allow": lambda session: session.allow(["query"]),
    "set_policy": lambda session: session.set_policy("queries"),
    "rename": lambda session: session.rename("Sales"),
    "present": lambda session: session.answers.present(1, Appearance()),
    "dispute": lambda session: session.answers.dispute(1, "wrong"),
    "rows under a figure": lambda session: session.answers.ask_for_rows_under("1.1.1", {"region": "North"}),
    "verify": lambda session: session.answers.verify(1),
    "add_files": lambda session: session.sources.add_files([("more.csv", b"name,n\na,1\nb,2\n")]),
    "stop_turn": lambda session: session.stop_turn(),
}
"""What a person does beside asking: it all writes to the log."""


def test_what_a_person_does_is_written_after_what_another_program_wrote(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            await ask(session, "Ours?")
            database = Database.open_file(tmp_path / "tandem.sqlite")
            for name, act in INPUTS.items():
                other = EventLog(database, "s1")
                await other.refresh()
                await other.append(SessionRenamed(title=f"before {name}"))
                await act(session)  # pyright: ignore
                await session.settled()
                assert session.title in (f"before {name}", "Sales"), name
                numbers = [number for number, _ in questions(session)]
                assert numbers == sorted(set(numbers))
                assert not session.damage
            database.close()

    asyncio.run(scenario())


def test_nothing_is_written_between_the_events_of_another_programs_run(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Stage(tmp_path).session() as session:
            await ask(session, "Ours?")
            before = kinds(session)
            with SessionLock(tmp_path / "sessions" / "s1" / "lock"):
                for name in INPUTS.keys() - {"stop_turn"}:
                    with pytest.raises(SessionError, match="at work in another window"):
                        await INPUTS[name](session)  # pyright: ignore
            assert kinds(session) == before

    asyncio.run(scenario())


def test_threads_that_ask_at_once_share_no_number(tmp_path: Path) -> None:
    async def begin() -> None:
        async with Stage(tmp_path).session():
            pass

    asyncio.run(begin())
    refused: list[str] = []
    together = threading.Barrier(4)

    def program(name: str) -> None:
        async def scenario() -> None:
            async with Stage(tmp_path).session() as session:
                await asyncio.to_thread(together.wait)
                for number in range(3):
                    try:
                        await ask(session, f"{name}{number}?")
                    except SessionError as error:
                        refused.append(str(error))

        asyncio.run(scenario())

    programs = [threading.Thread(target=program, args=(name,)) for name in "abcd"]
    for thread in programs:
        thread.start()
    for thread in programs:
        thread.join()

    async def read() -> None:
        async with Stage(tmp_path).session() as session:
            asked = questions(session)
            assert [number for number, _ in asked] == list(range(1, len(asked) + 1))
            assert len(asked) + len(refused) == 12
            assert all("at work" in one for one in refused)
            assert not session.damage

    asyncio.run(read())


def test_the_store_refuses_a_second_question_of_a_number(tmp_path: Path) -> None:
    database = Database.open_file(tmp_path / "tandem.sqlite")
    database.create("s1")
    database.append("s1", 1, Question(turn=1, text="first"))
    database.append("s1", 2, Question(turn=2, text="second"))
    for taken in (1, 2):
        with pytest.raises(StoreError, match=f"has a question {taken} already"):
            database.append("s1", 3, Question(turn=taken, text="another"))
    database.append("s1", 3, Question(turn=3, text="third"))
    database.create("s2")
    database.append("s2", 1, Question(turn=1, text="in another session"))
    assert len(database.read("s1").entries) == 3
    database.close()


@asynccontextmanager
async def opened(home: Path) -> AsyncGenerator[tuple[Workspace, Session]]:
    """A workspace with a session open, as the page has it."""
    table = home.parent / "sales.csv"
    table.write_text("region,amount\nNorth,10\nSouth,7\n")
    settings = Settings(home=home, sources=(str(table),), embeddings="hashing")
    async with open_workspace(settings) as workspace:
        yield workspace, await workspace.create()


async def until(reached: Callable[[], bool]) -> None:
    """Wait for this; nothing but time passes meanwhile."""
    async with asyncio.timeout(20):
        while not reached():
            await asyncio.sleep(0.02)


@pytest.mark.slow
def test_an_open_session_follows_what_another_program_appends(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "home") as (_, session):
            await ask(session, "total amount by region")
            drawn: list[int] = []
            session.subscribe(lambda: drawn.append(len(session.events())))
            env = {**os.environ, "TANDEM_HOME": str(tmp_path / "home"), "TANDEM_EMBEDDINGS": "hashing"}
            command = [str(Path(sys.executable).with_name("tandem")), "ask", "--yes", "--json"]
            theirs = await asyncio.create_subprocess_exec(
                *command,
                "--session",
                session.id,
                "number of rows",
                env=env,
                cwd=tmp_path,
                stdout=subprocess.DEVNULL,
            )
            await until(lambda: len(questions(session)) == 2)
            await theirs.wait()
            await until(
                lambda: (
                    session.state == "idle"
                    and any(isinstance(one.event, Answer) and one.event.turn == 2 for one in session.events())
                )
            )
            assert drawn, "whoever draws the session is told"
            await ask(session, "average amount by region")
            assert [number for number, _ in questions(session)] == [1, 2, 3]

    asyncio.run(scenario())


def test_the_run_of_a_program_that_was_killed_is_closed_where_the_session_is_open(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path)
        async with stage.session() as session:
            cells = (("python", "import time\ntime.sleep(600)"),)
            begun = ASK.replace("session.settled()", "asyncio.sleep(0.5)")
            with other_program(tmp_path, begun, cells):
                for _ in range(2):
                    await session.follow()
                    assert session.state == "working", "a run that goes on is not closed"
            await session.follow()
            assert session.state == "idle"
            assert isinstance(session.events()[-1].event, Stopped)

    asyncio.run(scenario())


def test_a_look_reads_only_the_logs_that_changed(tmp_path: Path) -> None:
    async def scenario() -> None:
        database = Database.open_file(tmp_path / "tandem.sqlite")
        logs = {name: EventLog(database, name) for name in ("a", "b", "c")}
        for name in logs:
            database.create(name)
        looks: list[str] = []

        class Followed:
            state = "idle"

            def __init__(self, name: str) -> None:
                self._name = name

            async def follow(self) -> None:
                looks.append(self._name)

        asked: list[int] = []

        def heads(names: object) -> dict[str, str]:
            asked.append(1)
            return dict(database.read_heads(list(names)))  # type: ignore[call-overload]

        followed = {name: Followed(name) for name in logs}
        following = Following(lambda: followed, heads=heads)  # type: ignore[arg-type,return-value]
        await following.look()
        assert sorted(looks) == ["a", "b", "c"]
        looks.clear()
        for _ in range(10):
            await following.look()
        assert looks == []
        assert len(asked) == 11, "one statement a look, whatever the number of sessions"
        database.append("b", 1, Question(turn=1, text="Revenue?"))
        await following.look()
        assert looks == ["b"]
        database.close()

    asyncio.run(scenario())


def test_nothing_is_read_while_no_session_is_open(tmp_path: Path) -> None:
    def heads(_: object) -> dict[str, str]:
        raise AssertionError("nobody has anything open")

    asyncio.run(Following(dict, heads=heads).look())
