"""Earlier questions are found, labelled, copied from any turn, and deleted with a way back."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from assistant.core.events import (
    Answer,
    AnyEvent,
    Proposal,
    Question,
    SessionOpened,
    SourceAdded,
    TableSummary,
    Withheld,
)
from assistant.errors import SessionError
from assistant.record.history.history import KEPT_FOR, History
from assistant.record.store.database import Database
from assistant.session.session_cards import StoredStates
from assistant.settings.credentials import Credentials
from assistant.sources.address_file import copy_addresses

FIRST, SECOND = "a" * 16, "b" * 16


def log(question: str, sql: str, answer: str) -> tuple[AnyEvent, ...]:
    proposal = Proposal(turn=1, id="1.1.1", step=1, revision=1, language="sql", title="t", code=sql)
    return (
        SessionOpened(),
        SourceAdded(name="shop", dialect="sqlite", display="shop", tables=(TableSummary(name="parcels"),)),
        Question(turn=1, text=question),
        proposal,
        Answer(turn=1, status="answered", text=answer),
        Question(turn=2, text="and by month?"),
    )


class Now:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 14, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


def history(folder: Path, clock: Now | None = None) -> tuple[Database, History]:
    database = Database.open_file(folder / "tandem.sqlite")
    for session, said in (
        (FIRST, log("Revenue by region?", "SELECT 1 FROM orders", "**North** leads")),
        (SECOND, log("How many Kunden in Köln?", "SELECT count(*)", "There are 12")),
    ):
        if not database.exists(session):
            database.create(session)
            for seq, event in enumerate(said, 1):
                database.append(session, seq, event)
    return database, History(
        database,
        folder=lambda session: folder / session,
        copy_sources=partial(copy_addresses, credentials=Credentials(folder)),
        clock=clock or Now(),
    )


@pytest.mark.parametrize(
    ("wanted", "place", "sessions"),
    [
        ("region revenue", "question", {FIRST}),
        ("north", "answer", {FIRST}),
        ("FROM Orders", "code", {FIRST}),
        ("parcels", "table", {FIRST, SECOND}),
        ("köln", "question", {SECOND}),
        ("KÖLN", "question", {SECOND}),
        ("100%", "", set()),
        ("  ", "", set()),
    ],
)
def test_words_are_found_in_questions_answers_code_and_tables(
    tmp_path: Path, wanted: str, place: str, sessions: set[str]
) -> None:
    database, kept = history(tmp_path)
    found = asyncio.run(kept.find(wanted))
    assert found.keys() == sessions
    assert {one.place for places in found.values() for one in places} == ({place} if place else set())
    database.close()


def test_what_is_withheld_is_not_found(tmp_path: Path) -> None:
    database, kept = history(tmp_path)
    database.append(FIRST, 7, Withheld(turn=1, columns=("shop.orders.region",), question=True))
    assert FIRST not in asyncio.run(kept.find("north"))
    assert FIRST not in asyncio.run(kept.find("revenue"))
    database.close()


def test_pins_and_tags_are_kept_and_change_nothing_else(tmp_path: Path) -> None:
    database, kept = history(tmp_path)
    asyncio.run(kept.pin(FIRST, pinned=True))
    asyncio.run(kept.tag(FIRST, [" board  meeting ", "", "q1", "q1"]))
    assert kept.labels()[FIRST].pinned
    assert kept.labels()[FIRST].tags == ("board meeting", "q1")
    assert database.read(FIRST).damage is None
    with pytest.raises(SessionError):
        asyncio.run(kept.pin("c" * 16, pinned=True))
    database.close()


def test_a_deleted_session_comes_back_for_a_day_and_not_longer(tmp_path: Path) -> None:
    clock = Now()
    database, kept = history(tmp_path, clock)
    asyncio.run(kept.bin(FIRST))
    assert kept.list_binned_ids() == {FIRST}
    assert [one.title for one in asyncio.run(kept.list_binned())] == ["Revenue by region?"]
    asyncio.run(kept.restore(FIRST))
    assert not kept.list_binned_ids()
    asyncio.run(kept.bin(FIRST))
    assert asyncio.run(kept.list_expired()) == ()
    clock.time += KEPT_FOR + timedelta(seconds=1)
    assert asyncio.run(kept.list_expired()) == (FIRST,)
    database.delete(FIRST)
    assert not kept.list_binned_ids()
    database.close()


def test_conversations_that_began_alike_are_told_apart_by_their_latest_question(tmp_path: Path) -> None:
    database, kept = history(tmp_path)
    copied = asyncio.run(kept.copy(FIRST, upto=1))
    states = StoredStates(database)
    latest = {row.id: states.of(row)[1] for row in database.list_sessions()}
    assert latest == {FIRST: "and by month?", SECOND: "and by month?", copied: ""}
    database.append(copied, len(database.read(copied).entries) + 1, Question(turn=2, text="and by year?"))
    latest = {row.id: states.of(row)[1] for row in database.list_sessions()}
    assert latest[copied] == "and by year?", "a log is read again once it has changed"
    database.close()


def test_a_session_whose_list_of_sources_is_damaged_is_not_copied_in_part(tmp_path: Path) -> None:
    database, kept = history(tmp_path)
    (tmp_path / FIRST).mkdir(exist_ok=True)
    (tmp_path / FIRST / "sources.json").write_text("{")
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(SessionError, match="list of sources is damaged"):
        asyncio.run(kept.copy(FIRST))
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    database.close()


def test_a_copy_holds_the_turns_up_to_one_with_its_files_at_their_new_place(tmp_path: Path) -> None:
    database, kept = history(tmp_path)
    folder = tmp_path / FIRST
    (folder / "uploads").mkdir(parents=True)
    (folder / "uploads" / "a.csv").write_text("a\n1\n")
    elsewhere = str(tmp_path / "own.csv")
    files = [str(folder / "uploads" / "a.csv"), elsewhere]
    (folder / "sources.json").write_text(
        json.dumps(
            [{"name": "a", "kind": "files", "display": "a", "files": files, "secret": "", "parts": [], "keys": []}]
        )
    )
    made = asyncio.run(kept.copy(FIRST, upto=1))
    copied = database.read(made)
    assert copied.damage is None
    assert [entry.event.turn for entry in copied.entries if isinstance(entry.event, Question)] == [1]
    assert next(row.title for row in database.list_sessions() if row.id == made) == "Copy of Revenue by region?"
    told = json.loads((tmp_path / made / "sources.json").read_text())
    assert told[0]["files"] == [str(tmp_path / made / "uploads" / "a.csv"), elsewhere]
    assert (tmp_path / made / "uploads" / "a.csv").read_text() == "a\n1\n"
    assert (tmp_path / made / "sources.json").stat().st_mode & 0o077 == 0
    assert [turn.n for turn in asyncio.run(kept.turns(FIRST))] == [1, 2]
    database.close()
