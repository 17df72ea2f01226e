"""A damaged store is repaired as far as it can be read, from its backups too, and nothing is thrown away."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assistant.bootstrap import open_workspace
from assistant.core.events import Question
from assistant.errors import StoreError
from assistant.record.store.backups import GENERATIONS
from assistant.record.store.database import Database
from assistant.record.store.labels import Labels, LabelStore
from assistant.record.store.opening import locate_store, make_backups, make_store
from assistant.record.store.people import PeopleStore
from assistant.record.store.repair import plan_repair, repair
from assistant.settings.config import Settings

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
SESSIONS = tuple(f"{n:016x}" for n in range(1, 6))
EVENTS = 30
HURT = SESSIONS[2]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of five sessions."""
    path = tmp_path_factory.mktemp("template") / "tandem.sqlite"
    database = Database.open_file(path)
    for session in SESSIONS:
        database.create(session)
        for seq in range(1, EVENTS + 1):
            database.append(session, seq, Question(turn=seq, text=f"{session} asks {seq} {'and ' * 400}"))
    database.close()
    return path


@pytest.fixture
def settings(tmp_path: Path, template: Path) -> Settings:
    """A home with that store."""
    settings = Settings(home=tmp_path / "home", embeddings="hashing")
    settings.home.mkdir()
    shutil.copy(template, locate_store(settings))
    return settings


def ran(settings: Settings) -> tuple[str, ...]:
    """The repair, done; what was told before."""
    backups = make_backups(settings)
    plan = plan_repair(locate_store(settings), backups)
    assert plan.report
    repair(locate_store(settings), plan, backups, now=NOW, make=make_store)
    assert plan_repair(locate_store(settings), backups).report == ()
    return plan.report


def events(settings: Settings) -> dict[str, int]:
    """How many events each session has; none of them is damaged."""
    database = Database.open_file(locate_store(settings))
    found = {row.id: database.read(row.id) for row in database.list_sessions()}
    database.close()
    assert all(read.damage is None for read in found.values())
    return {session: len(read.entries) for session, read in found.items()}


def hurt(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(statement).rowcount > 0


def overwritten(path: Path, part: slice) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    content = bytearray(path.read_bytes())
    content[part] = b"\xa5" * len(content[part])
    path.write_bytes(content)


def test_a_whole_store_needs_no_repair(settings: Settings) -> None:
    assert plan_repair(locate_store(settings), make_backups(settings)).report == ()


def test_a_damaged_session_is_cut_at_the_damage_and_the_rest_is_put_aside(settings: Settings) -> None:
    store = locate_store(settings)
    hurt(store, f"UPDATE events SET payload = replace(payload, 'asks', 'says') WHERE session = '{HURT}' AND seq = 11")
    before = store.read_bytes()
    plan = plan_repair(store, make_backups(settings))
    assert store.read_bytes() == before  # it is told, and nothing is done yet
    assert len(plan.report) == 1
    assert HURT in plan.report[0]
    assert "1 to 10 are kept" in plan.report[0]
    assert "20 events that do not join" in plan.report[0]
    kept = repair(store, plan, make_backups(settings), now=NOW, make=make_store)
    assert events(settings) == dict.fromkeys(SESSIONS, EVENTS) | {HURT: 10}
    aside = [json.loads(line) for line in (kept / f"{HURT}.jsonl").read_text().splitlines()]
    assert [row["seq"] for row in aside] == list(range(11, EVENTS + 1))
    assert "says 11" in aside[0]["payload"]
    with closing(sqlite3.connect(kept / "tandem.sqlite")) as connection:
        assert connection.execute("SELECT COUNT(*) FROM events").fetchone() == (len(SESSIONS) * EVENTS,)
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept.iterdir()} == {0o600}
    assert stat.S_IMODE(store.stat().st_mode) == 0o600

    async def goes_on() -> None:
        async with open_workspace(settings) as workspace:
            session = await workspace.open(HURT)
            await session.rename("It goes on")
            assert (session.damage, len(session.events())) == ("", 12)  # stopped by the damage, and renamed

    asyncio.run(goes_on())


def test_what_is_damaged_comes_back_from_a_backup(settings: Settings) -> None:
    assert make_backups(settings).make_if_due(NOW)
    store = locate_store(settings)
    database = Database.open_file(store)
    database.append(HURT, EVENTS + 1, Question(turn=EVENTS + 1, text="After the backup"))
    database.delete(SESSIONS[4])
    database.close()
    hurt(store, f"DELETE FROM events WHERE session = '{HURT}' AND seq BETWEEN 5 AND 7")
    hurt(store, f"UPDATE events SET turn = 77 WHERE session = '{SESSIONS[0]}' AND seq = 1")
    assert any("3 of them from a backup" in line for line in ran(settings))
    assert events(settings) == dict.fromkeys(SESSIONS[:4], EVENTS) | {HURT: EVENTS + 1}  # the deleted one stays deleted


@pytest.mark.parametrize("backed_up", [False, True])
def test_a_store_that_was_cut_off_is_unreadable_and_says_so_and_is_repaired(
    settings: Settings, backed_up: bool
) -> None:
    if backed_up:
        assert make_backups(settings).make_if_due(NOW)
    store = locate_store(settings)
    overwritten(store, slice(0, 0))
    content = store.read_bytes()
    store.write_bytes(content[: len(content) * 2 // 3])
    with pytest.raises(StoreError, match="tandem doctor --repair"):
        Database.open_file(store)
    told = ran(settings)
    assert "its pages are damaged" in told[0]
    found = events(settings)
    if backed_up:
        assert found == dict.fromkeys(SESSIONS, EVENTS)
    else:
        assert found[SESSIONS[0]] == EVENTS
        assert len(SESSIONS) * EVENTS // 2 < sum(found.values()) < len(SESSIONS) * EVENTS


def test_pages_in_the_middle_that_are_noise_take_no_more_than_their_own(settings: Settings) -> None:
    store = locate_store(settings)
    middle = store.stat().st_size // 8192 * 4096
    overwritten(store, slice(middle, middle + 3 * 4096))
    ran(settings)
    found = events(settings)
    assert sum(count == EVENTS for count in found.values()) >= len(SESSIONS) - 2
    assert sum(found.values()) > EVENTS * (len(SESSIONS) - 2)


@pytest.mark.parametrize("content", [b"", b"no database" * 1000, None])
def test_a_store_that_is_gone_or_no_database_comes_back_from_the_backup(
    settings: Settings, content: bytes | None
) -> None:
    assert make_backups(settings).make_if_due(NOW)
    store = locate_store(settings)
    for path in store.parent.glob("tandem.sqlite*"):
        path.unlink()
    if content is not None:
        store.write_bytes(content)
    ran(settings)
    assert events(settings) == dict.fromkeys(SESSIONS, EVENTS)


def test_whose_a_session_is_its_tags_and_its_links_stay(settings: Settings) -> None:
    store = locate_store(settings)
    with closing(Database.open_file(store)) as database:
        PeopleStore(database).set_owner(HURT, "ada")
        PeopleStore(database).set_owner(SESSIONS[0], "bob")
        token = PeopleStore(database).add_link(SESSIONS[0])
        LabelStore(database).put(HURT, Labels(pinned=True, tags=("stock",), binned=NOW))
    hurt(store, f"DELETE FROM events WHERE session = '{HURT}' AND seq = 5")
    ran(settings)
    with closing(Database.open_file(store)) as database:
        people = PeopleStore(database)
        assert [people.find_owner(session) for session in (HURT, SESSIONS[0], SESSIONS[1])] == ["ada", "bob", ""]
        assert people.find_shared(token) == SESSIONS[0]
        assert LabelStore(database).all() == {HURT: Labels(pinned=True, tags=("stock",), binned=NOW)}


def test_owners_and_tags_come_back_from_a_backup_but_no_link_and_no_deletion(settings: Settings) -> None:
    store = locate_store(settings)
    with closing(Database.open_file(store)) as database:
        PeopleStore(database).set_owner(HURT, "ada")
        token = PeopleStore(database).add_link(HURT)
        LabelStore(database).put(HURT, Labels(tags=("stock",), binned=NOW))
    assert make_backups(settings).make_if_due(NOW)
    for path in store.parent.glob("tandem.sqlite*"):
        path.unlink()
    ran(settings)
    with closing(Database.open_file(store)) as database:
        assert PeopleStore(database).find_owner(HURT) == "ada"
        assert PeopleStore(database).find_shared(token) is None, "it may have been taken back since"
        assert LabelStore(database).all() == {HURT: Labels(tags=("stock",))}, "it may have been brought back since"


def test_a_store_in_use_is_not_repaired(settings: Settings) -> None:
    store = locate_store(settings)
    hurt(store, f"DELETE FROM events WHERE session = '{HURT}' AND seq = 5")
    backups = make_backups(settings)
    plan = plan_repair(store, backups)
    database = Database.open_file(store)
    with pytest.raises(StoreError, match="in use"):
        repair(store, plan, backups, now=NOW, make=make_store)
    database.close()
    repair(store, plan, backups, now=NOW, make=make_store)


def test_three_generations_a_day_apart(settings: Settings) -> None:
    backups = make_backups(settings)
    store = locate_store(settings)
    now = datetime.now(UTC)
    for day in range(GENERATIONS + 2):
        assert backups.make_if_due(now + timedelta(days=2 * day))
        hurt(store, f"UPDATE sessions SET title = 'Day {day}' WHERE id = '{HURT}'")
    assert not backups.make_if_due(datetime.now(UTC))
    titles: list[str] = []
    for path in backups.generations:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with closing(sqlite3.connect(path)) as connection:
            titles += connection.execute("SELECT title FROM sessions WHERE id = ?", (HURT,)).fetchone()
    assert titles == ["Day 3", "Day 2", "Day 1"]
    assert {path.name for path in backups.folder.iterdir()} == {
        "store-1.sqlite",
        "store-2.sqlite",
        "store-3.sqlite",
        "lock",
    }


def test_a_damaged_store_takes_no_backups_place(settings: Settings) -> None:
    backups = make_backups(settings)
    assert backups.make_if_due(datetime.now(UTC))
    good = backups.generations[0].read_bytes()
    hurt(locate_store(settings), f"DELETE FROM events WHERE session = '{HURT}' AND seq = {EVENTS}")
    assert not backups.make_if_due(datetime.now(UTC) + timedelta(days=5))
    assert [path.read_bytes() for path in backups.generations] == [good]


def test_a_backup_that_cannot_be_made_keeps_nobody_from_working(settings: Settings) -> None:
    (settings.home / "backups").write_text("in the way")

    async def scenario() -> None:
        async with open_workspace(settings) as workspace:
            await workspace.rename(HURT, "Mine")

    asyncio.run(scenario())


async def test_opening_backs_up_and_a_deleted_session_goes_from_the_backups_too(settings: Settings) -> None:
    async with open_workspace(settings) as workspace:
        async with asyncio.timeout(120):
            while not (made := make_backups(settings).generations):
                await asyncio.sleep(0.02)
        assert f"{HURT} asks".encode() in made[0].read_bytes()
        await workspace.delete(HURT)
    assert f"{HURT} asks".encode() not in made[0].read_bytes()


@pytest.mark.slow
def test_the_command_tells_first_and_repairs_when_told_to(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANDEM_HOME", str(settings.home))
    hurt(locate_store(settings), f"DELETE FROM events WHERE session = '{HURT}' AND seq = 5")

    def tandem(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(Path(sys.executable).parent / "tandem"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)

    listed = tandem("sessions")
    assert (listed.returncode, listed.stdout.count("damaged"), len(listed.stdout.splitlines())) == (0, 1, 5)
    before = locate_store(settings).read_bytes()
    told = tandem("doctor", "--repair")
    assert told.returncode == 2
    assert "Its events 1 to 4 are kept; 25 events" in told.stdout
    assert locate_store(settings).read_bytes() == before
    done = tandem("doctor", "--repair", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert events(settings) == dict.fromkeys(SESSIONS, EVENTS) | {HURT: 4}
    assert tandem("doctor", "--repair").stdout.startswith("The session store is whole")
