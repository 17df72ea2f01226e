"""A damaged session is noticed, named, and read up to the damage; the others are untouched."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, Question
from assistant.errors import StoreError
from assistant.record.store.chain import chain_digest, first_link
from assistant.record.store.database import Database
from assistant.record.store.log import EventLog
from assistant.record.store.schema import MIGRATIONS
from assistant.settings.config import Settings

HURT, WHOLE = "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"
TURNS = 4


def filled(home: Path) -> Path:
    """A store with two sessions of the same events."""
    path = home / "tandem.sqlite"
    database = Database.open_file(path)
    for session in (HURT, WHOLE):
        database.create(session)
        for turn in range(1, TURNS + 1):
            database.append(session, 2 * turn - 1, Question(turn=turn, text=f"Question {turn} of {session}?"))
            database.append(session, 2 * turn, Answer(turn=turn, status="answered", text=f"It is {turn}."))
    database.close()
    return path


def hurt(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            assert connection.execute(statement).rowcount > 0, statement


DAMAGES = {
    "a changed payload": (
        (f"UPDATE events SET payload = replace(payload, 'is 2', 'is 9') WHERE session = '{HURT}' AND seq = 4",),
        4,
        "not as it was written",
    ),
    "a payload that is no JSON": (
        (f"UPDATE events SET payload = '{{' WHERE session = '{HURT}' AND seq = 5",),
        5,
        "not as it was written",
    ),
    "a payload that is no text": (
        (f"UPDATE events SET payload = CAST(x'7bff' AS TEXT) WHERE session = '{HURT}' AND seq = 5",),
        5,
        "not as it was written",
    ),
    "a changed time": (
        (f"UPDATE events SET at = '1999-01-01T00:00:00+00:00' WHERE session = '{HURT}' AND seq = 2",),
        2,
        "not as it was written",
    ),
    "a deleted event": ((f"DELETE FROM events WHERE session = '{HURT}' AND seq = 3",), 3, "missing"),
    "a deleted end": ((f"DELETE FROM events WHERE session = '{HURT}' AND seq > 6",), 7, "missing"),
    "a deleted event, the rest moved up": (
        (
            f"DELETE FROM events WHERE session = '{HURT}' AND seq = 8",
            f"UPDATE events SET seq = 8 WHERE session = '{HURT}' AND seq = 7",
        ),
        7,
        "missing",
    ),
    "two events swapped": (
        (
            f"UPDATE events SET seq = 99 WHERE session = '{HURT}' AND seq = 3",
            f"UPDATE events SET seq = 3 WHERE session = '{HURT}' AND seq = 5",
            f"UPDATE events SET seq = 5 WHERE session = '{HURT}' AND seq = 99",
        ),
        3,
        "not as it was written",
    ),
    "events of another session": (
        (
            f"DELETE FROM events WHERE session = '{HURT}'",
            f"UPDATE events SET session = '{HURT}' WHERE session = '{WHOLE}' AND seq < 3",
        ),
        1,
        "not as it was written",
    ),
    "everything gone": ((f"DELETE FROM events WHERE session = '{HURT}'",), 1, "missing"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_noticed_and_the_log_ends_before_it(tmp_path: Path, damage: str) -> None:
    statements, seq, reason = DAMAGES[damage]
    path = filled(tmp_path)
    hurt(path, *statements)
    database = Database.open_file(path)
    read = database.read(HURT)
    assert read.damage is not None
    assert (read.damage.seq, read.damage.foreign) == (seq, False)
    assert reason in read.damage.reason
    assert [entry.seq for entry in read.entries] == list(range(1, seq))
    database.close()


def test_what_is_whole_is_read_whole_from_any_place(tmp_path: Path) -> None:
    database = Database.open_file(filled(tmp_path))
    for after in range(2 * TURNS + 1):
        read = database.read(WHOLE, after=after)
        assert read.damage is None
        assert [entry.seq for entry in read.entries] == list(range(after + 1, 2 * TURNS + 1))
    database.close()


def test_nothing_is_appended_to_a_damaged_log(tmp_path: Path) -> None:
    path = filled(tmp_path)
    hurt(path, *DAMAGES["a deleted end"][0])

    async def scenario() -> None:
        database = Database.open_file(path)
        log = EventLog(database, HURT)
        await log.refresh()
        with pytest.raises(StoreError, match=r"damaged: event 7 is missing.*tandem doctor --repair"):
            await log.append(Question(turn=9, text="And?"))
        with pytest.raises(StoreError, match="Nothing was written"):
            database.append(HURT, 7, Question(turn=9, text="And?"))
        assert len(database.read(HURT).entries) == 6
        database.close()

    asyncio.run(scenario())


def test_an_event_of_a_newer_tandem_is_no_damage_to_repair(tmp_path: Path) -> None:
    path = filled(tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        (head,) = connection.execute("SELECT head FROM sessions WHERE id = ?", (HURT,)).fetchone()
        row = {"seq": 9, "at": "2026-01-01T00:00:00+00:00", "kind": "future", "turn": 5, "payload": '{"kind":"future"}'}
        digest = chain_digest(head, **row)  # type: ignore[arg-type]
        connection.execute(
            "INSERT INTO events VALUES (:s, :seq, :at, :kind, :turn, :payload, :d)", row | {"s": HURT, "d": digest}
        )
        connection.execute("UPDATE sessions SET head = ? WHERE id = ?", (digest, HURT))
    database = Database.open_file(path)
    read = database.read(HURT)
    assert read.damage is not None
    assert (read.damage.seq, read.damage.foreign) == (9, True)
    assert len(read.entries) == 8
    database.close()


def test_a_store_from_before_the_chain_is_chained_as_it_is(tmp_path: Path) -> None:
    path = filled(tmp_path)
    database = Database.open_file(path)
    entries = database.read(WHOLE).entries
    database.create("cccccccccccccccc")
    database.close()
    hurt(path, "DELETE FROM migrations WHERE version >= 2")
    with closing(sqlite3.connect(path)) as connection:
        for table in ("labels", "owners", "shares", "leases"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("ALTER TABLE events DROP COLUMN digest")
        connection.execute("ALTER TABLE sessions DROP COLUMN head")
    database = Database.open_file(path)
    assert len(MIGRATIONS) >= 2
    assert database.read(WHOLE) == database.read(WHOLE, after=0)
    assert database.read(WHOLE).entries == entries
    assert all(database.read(row.id).damage is None for row in database.list_sessions())
    database.append("cccccccccccccccc", 1, Question(turn=1, text="First?"))
    assert database.read("cccccccccccccccc").damage is None
    database.close()
    hurt(path, f"UPDATE events SET turn = 3 WHERE session = '{WHOLE}' AND seq = 2")
    database = Database.open_file(path)
    damage = database.read(WHOLE).damage
    assert damage is not None
    assert damage.seq == 2
    database.close()


def test_the_chain_of_one_session_is_not_that_of_another() -> None:
    assert first_link(HURT) != first_link(WHOLE)


@pytest.mark.parametrize("damage", ["a payload that is no text", "a payload that is no JSON", "everything gone"])
def test_a_damaged_session_is_listed_opened_exported_and_deleted_beside_the_others(tmp_path: Path, damage: str) -> None:
    statements, seq, _ = DAMAGES[damage]
    path = filled(tmp_path)
    hurt(path, *statements, f"UPDATE sessions SET updated_at = 'long ago' WHERE id = '{HURT}'")

    async def scenario() -> None:
        async with open_workspace(Settings(home=tmp_path, embeddings="hashing")) as workspace:
            states = {card.id: card.state for card in workspace.sessions()}
            assert states == {HURT: "damaged", WHOLE: "idle"}
            session = await workspace.open(HURT)
            assert len(session.events()) == seq - 1
            assert f"event {seq}" in session.damage
            assert session.state == "idle"
            assert b"nbformat" in await session.export()
            with pytest.raises(StoreError, match="damaged"):
                await session.ask("And now?")
            with pytest.raises(StoreError, match="damaged"):
                await session.rename("Mine")
            with pytest.raises(StoreError, match="damaged"):
                await session.sources.add_files([("a.csv", b"x\n1\n")])
            whole = await workspace.open(WHOLE)
            assert (len(whole.events()), whole.damage) == (2 * TURNS, "")
            await whole.rename("Still mine")
            assert {card.id: card.state for card in workspace.sessions()} == {HURT: "damaged", WHOLE: "idle"}
            await workspace.delete(HURT)
            assert [card.id for card in workspace.sessions()] == [WHOLE]

    asyncio.run(scenario())


def test_damaged_pages_are_one_sessions_matter(tmp_path: Path) -> None:
    """Pages of the file that hold one session's events are overwritten with noise."""
    path = tmp_path / "tandem.sqlite"
    database = Database.open_file(path)
    for session, letter in ((HURT, "x"), (WHOLE, "y")):
        database.create(session)
        for seq in range(1, 41):
            database.append(session, seq, Question(turn=seq, text=f"{letter * 3000} {seq}"))
    database.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    content = bytearray(path.read_bytes())
    page = content.index(b"x" * 2000 + b" 21") // 4096 if b"x" * 2000 + b" 21" in content else None
    assert page is not None
    content[page * 4096 : (page + 1) * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    database = Database.open_file(path)
    read = database.read(HURT)
    assert read.damage is not None
    assert 10 < len(read.entries) < 40
    assert [entry.seq for entry in read.entries] == list(range(1, len(read.entries) + 1))
    assert database.read(WHOLE).damage is None
    assert len(database.read(WHOLE).entries) == 40
    database.close()
