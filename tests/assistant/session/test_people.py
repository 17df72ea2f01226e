"""Two people on one server: neither reaches what is the other's, by any way in; a link shows one session's answers."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from assistant.bootstrap import open_workspace
from assistant.core.events import SessionOpened
from assistant.errors import AssistantError, SessionError
from assistant.record.store.database import Database
from assistant.record.store.people import PeopleStore
from assistant.session.roles.other_sessions import OtherSessions
from assistant.session.session import Session
from assistant.session.workspace import Workspace
from assistant.settings.config import Settings

ANA, BEN = "https://id.example#ana", "https://id.example#ben"
SECRET = "zebra crossing"


@dataclass(frozen=True)
class Two:
    whole: Workspace
    ana: Workspace
    ben: Workspace
    hers: Session


@asynccontextmanager
async def two(tmp_path: Path) -> AsyncGenerator[Two]:
    """Ana has asked something; Ben is there too."""
    with sqlite3.connect(tmp_path / "shop.sqlite") as connection:
        connection.executescript(
            "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, region TEXT, total REAL);"
            f"INSERT INTO orders VALUES (1, '{SECRET}', 700.0), (2, 'South', 20.0);"
        )
    connection.close()
    given = {"home": tmp_path / "home", "sources": (str(tmp_path / "shop.sqlite"),), "embeddings": "hashing"}
    settings = Settings.model_validate({**given, "as_of": date(2026, 9, 1)})
    async with open_workspace(settings) as whole:
        ana, ben = whole.of(ANA), whole.of(BEN)
        hers = await ana.create()
        await hers.ask("sum of total by region", approve=("plan", "query", "python"))
        await hers.settled()
        yield Two(whole, ana, ben, hers)


async def test_each_sees_their_own_sessions_alone(tmp_path: Path) -> None:
    async with two(tmp_path) as here:
        assert [card.id for card in here.ana.sessions()] == [here.hers.id]
        assert here.ben.sessions() == ()
        his = await here.ben.create()
        await his.ask("How many orders?", approve=("plan", "query"))
        await his.settled()
        assert [card.id for card in here.ben.sessions()] == [his.id]
        assert [card.id for card in here.ana.sessions()] == [here.hers.id]
        assert {card.id for card in here.whole.sessions()} == {his.id, here.hers.id}


async def test_a_session_from_before_people_signed_in_is_nobodys_but_the_machines(tmp_path: Path) -> None:
    async with two(tmp_path) as here:
        old = await here.whole.create()
        for person in (here.ana, here.ben):
            with pytest.raises(SessionError, match="no session"):
                await person.open(old.id)
        assert (await here.whole.open(old.id)) is old


async def test_anothers_session_is_reached_by_no_way_in(tmp_path: Path) -> None:
    async with two(tmp_path) as here:
        id_, ben = here.hers.id, here.ben
        attempts = {
            "open": lambda: ben.open(id_),
            "rename": lambda: ben.rename(id_, "mine"),
            "report": lambda: ben.report(id_),
            "script": lambda: ben.script(id_),
            "delete": lambda: ben.delete(id_),
            "share": lambda: ben.sharing.link(id_),
            "unshare": lambda: ben.sharing.revoke(id_),
            "links": lambda: ben.sharing.count(id_),
            "turns": lambda: ben.history.turns(id_),
            "pin": lambda: ben.history.pin(id_, pinned=True),
            "tag": lambda: ben.history.tag(id_, ["mine"]),
            "bin": lambda: ben.history.bin(id_),
            "restore": lambda: ben.history.restore(id_),
            "copy": lambda: ben.history.copy(id_),
            "board": lambda: ben.boards.pin("Ours", id_, 1),
        }
        before = here.hers.version
        for name, attempt in attempts.items():
            with pytest.raises(AssistantError) as refused:
                await attempt()
            assert "no session" in str(refused.value), name
            assert here.hers.title not in str(refused.value), name
        assert here.hers.version == before
        assert [card.title for card in here.ana.sessions()] == [here.hers.title]


async def test_nothing_of_anothers_is_found_listed_or_kept_on_a_board(tmp_path: Path) -> None:
    async with two(tmp_path) as here:
        await here.ana.history.tag(here.hers.id, ["private"])
        await here.ana.boards.pin("Hers", here.hers.id, 1)
        assert here.hers.id in await here.ana.history.find("region")
        assert await here.ben.history.find("region") == {}
        assert here.ben.history.labels() == {}
        assert await here.ben.boards.all() == ()
        for way in (here.ben.boards.open, here.ben.boards.refresh, here.ben.boards.render_html):
            with pytest.raises(AssistantError):
                await way("Hers")
        await here.ana.history.bin(here.hers.id)
        assert await here.ben.history.list_binned() == ()
        assert [one.id for one in await here.ana.history.list_binned()] == [here.hers.id]


async def test_what_a_model_may_recall_of_other_sessions_is_the_same_persons(tmp_path: Path) -> None:
    async with two(tmp_path) as here:
        his, old = await here.ben.create(), await here.whole.create()
        opened = [next(e.event for e in one.events() if isinstance(e.event, SessionOpened)) for one in (his, old)]
        assert opened[0].by == BEN
        assert opened[1].by not in (ANA, BEN)
        store = Database.open_file(tmp_path / "home" / "tandem.sqlite")
        try:
            told = {
                session.id: OtherSessions(
                    store,
                    session=session.id,
                    person=lambda of=session.id: PeopleStore(store).find_owner(of) or "the machine's",
                    hidden=frozenset,
                    masked=frozenset,
                    list_personal=lambda _runs, _catalogs, _folder: (),
                    folder=Path,
                ).turns([entry.event for entry in session.events()], ())
                for session in (his, old, await here.ana.create())
            }
        finally:
            store.close()
        assert told.pop(his.id) == ()
        assert told.pop(old.id) == ()
        (others,) = told.values()
        assert [one.question for one in others] == ["sum of total by region"]


async def test_the_copy_of_a_session_is_the_persons_who_made_it(tmp_path: Path) -> None:
    async with two(tmp_path) as here:
        made = await here.ana.history.copy(here.hers.id)
        assert (await here.ana.open(made)).id == made
        with pytest.raises(SessionError):
            await here.ben.open(made)


async def test_a_mask_reaches_the_boards_of_all_people(tmp_path: Path) -> None:
    async with two(tmp_path) as here:
        await here.ana.boards.pin("Hers", here.hers.id, 1)
        assert SECRET in (await here.ana.boards.render_html("Hers")).decode()
        await here.ben.decide_mask("shop.orders.region", mask=True)
        kept = [file for file in (tmp_path / "home" / "boards").rglob("*.json") if SECRET in file.read_text()]
        assert kept == []


async def test_a_link_shows_one_sessions_answers_until_it_is_taken_back(tmp_path: Path) -> None:
    async with two(tmp_path) as here:
        token = await here.ana.sharing.link(here.hers.id)
        assert len(token) >= 40
        page = (await here.whole.sharing.answers(token)).decode()
        assert SECRET in page
        assert "<form" not in page
        assert await here.ana.sharing.count(here.hers.id) == 1
        for wrong in ("", token[:-1], token + "x", here.hers.id):
            with pytest.raises(SessionError, match="leads nowhere"):
                await here.whole.sharing.answers(wrong)
        store = (tmp_path / "home" / "tandem.sqlite").read_bytes()
        assert token.encode() not in store, "who reads the store cannot open what a link leads to"
        await here.ana.sharing.revoke(here.hers.id)
        with pytest.raises(SessionError, match="leads nowhere"):
            await here.whole.sharing.answers(token)
        again = await here.ana.sharing.link(here.hers.id)
        await here.ana.history.bin(here.hers.id)
        with pytest.raises(SessionError, match="leads nowhere"):
            await here.whole.sharing.answers(again)
