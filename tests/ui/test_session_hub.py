"""Sessions on the loop thread: what is asked runs there, and what goes wrong is told."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
import recorded

from assistant.api.session import Session
from assistant.errors import ConfigError, SessionError
from ui import actions, session_hub
from ui.activities import Activity
from ui.session_hub import SessionHub


@pytest.fixture
def live() -> Iterator[SessionHub]:
    served = SessionHub(recorded.open_workspace)
    served.start()
    try:
        yield served
    finally:
        served.close()


async def once(go_on: threading.Event, error: Exception | None = None) -> bool:
    """Ends when it may: never before, however fast the machine is."""
    while not go_on.is_set():
        await asyncio.sleep(0.01)
    if error is not None:
        raise error
    return True


async def failing(error: Exception) -> bool:
    raise error


async def refuse() -> bool:
    return False


def test_a_workspace_that_cannot_be_opened_leaves_its_reason() -> None:
    @asynccontextmanager
    async def broken() -> AsyncGenerator[recorded.Workspace]:
        raise ConfigError("the setting 'home' is no folder")
        yield recorded.Workspace()

    served = SessionHub(broken)
    served.start()
    try:
        assert served.fault == "the setting 'home' is no folder"
        with pytest.raises(SessionError, match="no folder"):
            _ = served.workspace
    finally:
        served.close()


def test_a_session_is_opened_once(live: SessionHub) -> None:
    assert live.open("at-5") is live.open("at-5")
    with pytest.raises(SessionError):
        live.open("nothing")


def told(live: SessionHub, session: Session) -> list[str]:
    """What the person is told; it is said on the loop's thread, which may come a moment after the result."""
    deadline = time.monotonic() + 60
    while not (notices := live.of(session).take_notices()):
        assert time.monotonic() < deadline, "nothing was told"
        time.sleep(0.01)
    return notices


def test_a_refusal_is_told_once(live: SessionHub) -> None:
    session = live.open("at-5")
    assert not live.of(session).send(refuse(), refused="Already decided.", wait_s=60)
    assert told(live, session) == ["Already decided."]
    assert live.of(session).take_notices() == []


def test_what_takes_long_is_not_waited_for(live: SessionHub) -> None:
    session = live.open("at-5")
    assert live.of(session).send(asyncio.sleep(600), wait_s=0.01)


def test_a_late_failure_is_told_and_redraws(live: SessionHub) -> None:
    session = live.open("at-5")
    rung, go_on = threading.Event(), threading.Event()
    leave = live.of(session).subscribe(rung.set)
    version = live.of(session).version
    assert live.of(session).send(once(go_on, SessionError("It is at work elsewhere.")), wait_s=0.0)
    go_on.set()
    assert told(live, session) == ["It is at work elsewhere."]
    assert rung.wait(60)
    assert live.of(session).version > version
    leave()


def test_a_fault_of_ours_is_told_without_its_inside(live: SessionHub, caplog: pytest.LogCaptureFixture) -> None:
    session = live.open("at-5")
    with pytest.raises(ZeroDivisionError):
        live.of(session).send(failing(ZeroDivisionError("secret detail")), wait_s=60)
    (notice,) = told(live, session)
    assert "secret" not in notice
    assert "secret detail" in caplog.text


def test_what_is_under_way_is_named_until_it_is_done(live: SessionHub) -> None:
    session = live.open("at-5")
    rung, go_on = threading.Semaphore(0), threading.Event()
    leave = live.of(session).subscribe(rung.release)
    live.of(session).activities.start(doing("Reading visits.csv"), once(go_on))
    assert live.of(session).activities.describe == "Reading visits.csv"
    assert rung.acquire(timeout=60)
    go_on.set()
    assert rung.acquire(timeout=60)
    assert live.of(session).activities.describe == ""
    leave()


def test_what_is_made_beside_is_named_until_it_is_made_and_keeps_nothing_from_going_on(live: SessionHub) -> None:
    session = live.open("at-5")
    seen: list[tuple[str, str]] = []

    async def make() -> bytes:
        seen.append((live.of(session).activities.beside, live.of(session).activities.describe))
        return b"made"

    version = live.of(session).version
    assert live.of(session).activities.run_beside("Making the notebook", make()) == b"made"
    assert seen == [("Making the notebook", "")]
    assert live.of(session).activities.beside == ""
    assert live.of(session).version == version + 2


def test_what_cannot_be_made_beside_is_told(live: SessionHub) -> None:
    session = live.open("at-5")
    with pytest.raises(SessionError):
        live.of(session).activities.run_beside("Making the notebook", failing(SessionError("It is at work elsewhere.")))
    assert told(live, session) == ["It is at work elsewhere."]
    assert live.of(session).activities.beside == ""


def test_the_question_under_which_an_answer_is_kept_is_read_once_and_redraws_when_it_took_long(
    live: SessionHub,
) -> None:
    session = live.open("at-5")
    reads: list[int] = []
    go_on = threading.Event()

    async def slowly(turn: int) -> str:
        reads.append(turn)
        await once(go_on)
        return "Total by region"

    session.suggest_question = slowly  # type: ignore[method-assign]
    rung = threading.Event()
    leave = live.of(session).subscribe(rung.set)
    assert live.of(session).suggest_question(2, wait_s=0.01) is None
    go_on.set()
    assert rung.wait(60)
    assert live.of(session).suggest_question(2, wait_s=60) == "Total by region"
    assert reads == [2]
    leave()


def test_drafts_are_kept_by_request_and_dropped_with_it(live: SessionHub) -> None:
    session = live.open("at-5")
    live.of(session).drafts.update({"1?": "code", "1?#0": "step", "1?2": "another request"})
    live.of(session).drop_drafts("1?")
    assert live.of(session).drafts == {"1?2": "another request"}


def test_a_forgotten_session_is_read_anew(live: SessionHub) -> None:
    session = live.open("at-5")
    live.of(session).drafts["1?"] = "code"
    live.forget("at-5")
    assert live.of(live.open("at-5")).drafts == {}


def test_what_still_runs_ends_with_the_loop() -> None:
    ended: list[str] = []

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("the reading of a file")

    served = SessionHub(recorded.open_workspace)
    served.start()
    served.of(served.open("at-5")).activities.start(doing("Reading"), endless())
    served.close()
    assert ended == ["the reading of a file"]


def test_the_page_without_a_server_says_how_to_start_one() -> None:
    session_hub.install(None)
    with pytest.raises(RuntimeError, match=r"ui\.serve"):
        session_hub.current()


def doing(what: str, question: str = "") -> Activity:
    return Activity(what, question, ("visits.csv",), datetime.now(UTC))


def test_what_is_being_read_can_be_stopped_and_its_question_is_kept(live: session_hub.SessionHub) -> None:
    session = live.open("at-5")
    live.of(session).activities.start(doing("Reading visits.csv", "How many visits?"), asyncio.sleep(600))
    assert live.of(session).activities.describe == "Reading visits.csv"
    actions.break_off(live, session)
    ends = time.monotonic() + 60
    while live.of(session).activities.describe and time.monotonic() < ends:
        time.sleep(0.01)
    assert not live.of(session).activities.describe
    kept = live.of(session).unasked
    assert kept is not None
    assert kept.question == "How many visits?"
    assert "stopped" in kept.why
    actions.break_off(live, session)
    assert live.of(session).unasked is kept
