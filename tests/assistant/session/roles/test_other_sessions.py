"""`recall` reaches what the same person asked in other sessions on the same data, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from memory_sessions import answered_turn

from assistant.core.events import Event, Plan, SessionOpened, SourceAdded
from assistant.query.personal import PersonalValue
from assistant.record.store.database import Database
from assistant.record.store.log import EventLog
from assistant.session.roles.other_sessions import OtherSessions

SHOP = SourceAdded(name="shop", dialect="sqlite", display="shop.sqlite")
BOOKS = SourceAdded(name="books", dialect="sqlite", display="books.sqlite")
MINE: tuple[Event, ...] = (SessionOpened(by="Ada"), SHOP)


def turn(question: str, answer: str, *, by_model: bool = True) -> list[Event]:
    events = answered_turn(1, question, text=answer)
    return [event.model_copy(update={"judged": by_model}) if isinstance(event, Plan) else event for event in events]


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database.open_file(tmp_path / "store.sqlite")


def keep(database: Database, session: str, events: Sequence[Event]) -> None:
    async def write() -> None:
        log = EventLog(database, session)
        for event in events:
            await log.append(event)  # type: ignore[arg-type]

    database.create(session)
    asyncio.run(write())


def told(
    database: Database,
    *,
    person: str = "Ada",
    hidden: Sequence[str] = (),
    masked: Sequence[str] = (),
    personal: Sequence[str] = (),
) -> set[str]:
    others = OtherSessions(
        database,
        session="here",
        person=lambda: person,
        hidden=lambda: hidden,
        masked=lambda: masked,
        list_personal=lambda _runs, _catalogs, _folder: [PersonalValue(text=text, column="name") for text in personal],
        folder=Path,
    )
    found = others.turns(MINE, ())
    assert others.turns(MINE, ()) == found  # kept, and the same
    return {f"{one.question} {one.answer}".strip() for one in found}


def test_turns_of_the_same_person_on_the_same_data_are_found(database: Database) -> None:
    keep(database, "here", [*MINE, *turn("Here?", "Here.")])
    keep(database, "other", [*MINE, *turn("Revenue?", "It was 12.")])
    keep(database, "somebody", [SessionOpened(by="Bob"), SHOP, *turn("Costs?", "They were 3.")])
    keep(database, "unnamed", [SessionOpened(), SHOP, *turn("Old?", "Old.")])
    keep(database, "books", [SessionOpened(by="Ada"), BOOKS, *turn("Books?", "Two.")])
    keep(database, "both", [*MINE, BOOKS, *turn("Both?", "Both.")])
    keep(database, "binned", [*MINE, *turn("Gone?", "Gone.")])
    assert told(database, hidden=("binned",)) == {"Revenue? It was 12."}
    assert told(database, person="") == set()


def test_answers_that_may_name_people_stay_in_their_session(database: Database) -> None:
    keep(database, "analyst", [*MINE, *turn("Best customer?", "Wilhelmina Quux.", by_model=False)])
    keep(database, "model", [*MINE, *turn("Revenue?", "It was 12.")])
    assert told(database) == {"Best customer?", "Revenue? It was 12."}
    assert told(database, masked=("shop.customers.name",)) == {"Best customer?", "Revenue?"}


def test_personal_values_of_another_session_do_not_come_along(database: Database) -> None:
    keep(database, "other", [*MINE, *turn("What about Quux?", "Wilhelmina Quux leads with 12.")])
    assert told(database, personal=["Wilhelmina Quux"]) == {"What about •••? ••• leads with 12."}
