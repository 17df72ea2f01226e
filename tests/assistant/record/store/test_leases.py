"""Leases: one home at a time, fenced appends, a take-over only after expiry and patience."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from assistant.core.events import Question
from assistant.errors import SessionError, StoreError
from assistant.record.store import leases as module
from assistant.record.store.database import Database
from assistant.record.store.leases import Leases, SessionLease, read_holder
from assistant.record.store.log import EventLog


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database.open_file(tmp_path / "tandem.sqlite")
    opened.create("s1")
    yield opened
    opened.close()


def expire(database: Database) -> None:
    with database.begin() as connection:
        connection.execute(text("UPDATE leases SET expires = 1"))


def test_another_home_is_refused_until_the_lease_is_given_back(database: Database) -> None:
    here, there = Leases(database, holder="here"), Leases(database, holder="there")
    epoch = here.take("s1")
    with pytest.raises(SessionError, match="at work in another"):
        there.take("s1")
    here.release("s1", epoch)
    assert there.take("s1") == epoch + 1
    assert not here.renew("s1", epoch)
    here.release("s1", epoch)
    with pytest.raises(SessionError):
        here.take("s1")


def test_the_same_home_takes_over_at_once(database: Database) -> None:
    epoch = Leases(database, holder="here").take("s1")
    assert Leases(database, holder="here").take("s1") == epoch + 1


def test_an_expired_lease_is_watched_before_it_is_taken(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = Leases(database, holder="here"), Leases(database, holder="there")
    now = 100.0
    monkeypatch.setattr(module.time, "monotonic", lambda: now)
    epoch = here.take("s1")
    expire(database)
    with pytest.raises(SessionError):
        there.take("s1")
    assert here.renew("s1", epoch), "a holder that was cut off holds its lease as long as nobody took it"
    now += module.PATIENCE_S
    with pytest.raises(SessionError):
        there.take("s1")
    expire(database)
    with pytest.raises(SessionError):
        there.take("s1")
    now += module.PATIENCE_S - 0.1
    with pytest.raises(SessionError):
        there.take("s1")
    now += 0.1
    assert there.take("s1") == epoch + 1


def test_an_append_under_a_lost_lease_writes_nothing(database: Database) -> None:
    epoch = Leases(database, holder="here").take("s1")
    database.append("s1", 1, Question(turn=1, text="First?"), epoch=epoch)
    Leases(database, holder="here").take("s1")
    with pytest.raises(StoreError, match="taken over by another server"):
        database.append("s1", 2, Question(turn=2, text="Second?"), epoch=epoch)
    assert len(database.read("s1").entries) == 1


def test_a_request_to_stop_ends_with_the_lease(database: Database) -> None:
    leases = Leases(database, holder="here")
    epoch = leases.take("s1")
    assert not leases.is_asked_to_stop("s1", epoch)
    Leases(database, holder="there").request_stop("s1")
    assert leases.is_asked_to_stop("s1", epoch)
    epoch = leases.take("s1")
    assert not leases.is_asked_to_stop("s1", epoch)


def test_a_lease_is_renewed_while_it_is_held(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_S", 0.01)
    monkeypatch.setattr(module, "_RENEW_S", 0.0)
    here, there = Leases(database, holder="here"), Leases(database, holder="there")
    log = EventLog(database, "s1")

    def read_expiry() -> float:
        with database.begin() as connection:
            return float(connection.execute(text("SELECT expires FROM leases")).scalar_one())

    async def scenario() -> None:
        async with SessionLease(here, log, tmp_path / "s1" / "lock"):
            before = read_expiry()
            async with asyncio.timeout(20):
                while read_expiry() == before:
                    await asyncio.sleep(0.01)
            with pytest.raises(SessionError):
                there.take("s1")
            assert log.epoch == 1
        assert log.epoch is None
        assert there.take("s1") == 2

    asyncio.run(scenario())


def test_who_loses_a_lease_is_told(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK_S", 0.01)
    monkeypatch.setattr(module, "_RENEW_S", 0.0)

    async def scenario() -> None:
        ended = asyncio.Event()

        async def end() -> None:
            ended.set()

        async with SessionLease(
            Leases(database, holder="here"), EventLog(database, "s1"), tmp_path / "s1" / "lock", end
        ):
            await asyncio.to_thread(Leases(database, holder="here").take, "s1")
            await asyncio.wait_for(ended.wait(), 20)

    asyncio.run(scenario())


def test_a_home_has_one_name(tmp_path: Path) -> None:
    name = read_holder(tmp_path)
    assert len(name) == 32
    assert read_holder(tmp_path) == name
