"""What was marked right answers the next time, in any session, without a restart; what was taken back does not."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import date
from pathlib import Path

import pytest

from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, Execution
from assistant.errors import SessionError
from assistant.session.knowledge.knowledge_cards import KnowledgeCard
from assistant.session.session import Session
from assistant.session.workspace import Workspace
from assistant.settings.config import Settings


def settings(folder: Path, **more: object) -> Settings:
    database = folder / "shop.sqlite"
    if not database.exists():
        connection = sqlite3.connect(database)
        connection.executescript(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT, amount INTEGER);"
            "INSERT INTO orders (city, amount) VALUES ('Kiel', 10), ('Kiel', 25), ('Ulm', 30), ('Ulm', 40);"
        )
        connection.commit()
        connection.close()
    given = {"home": folder / "home", "sources": (f"shop={database}",), "as_of": date(2026, 9, 1), "verifier": "Ana"}
    return Settings.model_validate(given | {"embeddings": "hashing"} | more)


async def asked(session: Session, text: str) -> Answer:
    await session.ask(text, approve=("plan", "query", "python"))
    await session.settled()
    return [e.event for e in session.events() if isinstance(e.event, Answer)][-1]


def rows(session: Session) -> object:
    ran = [e.event for e in session.events() if isinstance(e.event, Execution) and e.event.queries][-1]
    table = session.table(ran.id)
    return None if table is None else sorted(table.rows)


async def queries(workspace: Workspace) -> list[KnowledgeCard]:
    return [card for card in (await workspace.knowledge.read()).cards if card.kind == "query"]


def test_a_question_asked_again_is_verified_in_every_session_and_new_after_it_was_taken_back(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_workspace(settings(tmp_path)) as workspace:
            first, other = await workspace.create(), await workspace.create()
            assert (await asked(other, "How many orders?")).trust == "new"
            assert (await asked(first, "How many orders by city with amount over 15?")).trust == "new"
            assert (await first.answers.verify(1)).by == "Ana"
            for session in (first, other, await workspace.create()):
                again = await asked(session, "how many orders by city with amount over 15")
                assert again.trust == "verified"
                assert rows(session) == [("Kiel", 1), ("Ulm", 2)]
            changed = await asked(other, "How many orders by city with amount over 35?")
            assert (changed.trust, rows(other)) == ("adapted", [("Ulm", 1)])

        async with open_workspace(settings(tmp_path)) as workspace:
            [card] = await queries(workspace)
            assert (card.by, card.on, card.is_stored) == ("Ana", date(2026, 9, 1), True)
            session = await workspace.open(first.id)
            assert (await asked(session, "How many orders by city with amount over 15?")).trust == "verified"
            await workspace.revoke(card.id)
            assert await queries(workspace) == []
            assert [e.event.turn for e in session.events() if e.event.kind == "revoked"] == [1]
            assert (await asked(session, "How many orders by city with amount over 15?")).trust == "new"
            with pytest.raises(SessionError, match="not there any more"):
                await workspace.revoke(card.id)

    asyncio.run(scenario())


def test_a_follow_up_is_learned_as_the_whole_question_that_it_meant(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_workspace(settings(tmp_path)) as workspace:
            session = await workspace.create()
            await asked(session, "How many orders?")
            assert (await asked(session, "by city")).status == "answered"
            whole = (await session.answers.verify(2)).question
            await asked(session, "total amount by city")
            await session.answers.verify(3)
            assert {card.title for card in await queries(workspace)} == {whole, "total amount by city"}
            again = await workspace.create()
            assert (await asked(again, whole)).trust == "verified"
            assert rows(again) == [("Kiel", 2), ("Ulm", 2)]

    asyncio.run(scenario())


def test_what_a_person_wrote_by_hand_holds_at_once_and_is_not_deleted(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_workspace(settings(tmp_path)) as workspace:
            session = await workspace.create()
            await asked(session, "How many orders?")
            file = tmp_path / "knowledge" / "queries" / "ours.yaml"
            file.parent.mkdir(parents=True)
            sql = "SELECT COUNT(*) AS large FROM orders WHERE amount > 20"
            file.write_text(f"question: How many large ones?\nsql: {sql}\nverifier: Ben\nverified_on: 2026-08-01\n")
            assert (await asked(session, "How many large ones?")).trust == "verified"
            [card] = await queries(workspace)
            assert not card.is_stored
            with pytest.raises(SessionError, match="delete it there"):
                await workspace.revoke(card.id)
            assert file.exists()

    asyncio.run(scenario())
