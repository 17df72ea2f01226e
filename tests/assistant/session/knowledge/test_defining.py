"""A word that a person defined is used from the next question on, and can be changed and taken back."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import date
from pathlib import Path

import pytest

from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, Plan
from assistant.errors import AssistantError, SessionError
from assistant.session.knowledge.defining import build_term, split_definition
from assistant.session.session import Session
from assistant.settings.config import Settings


@pytest.fixture
def shop(tmp_path: Path) -> Settings:
    with sqlite3.connect(tmp_path / "shop.sqlite") as connection:
        connection.executescript(
            "CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT);"
            "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, total REAL);"
            "INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy');"
            "INSERT INTO orders VALUES (1, 1, 700.0), (2, 1, 20.0), (3, 2, 900.0);"
        )
    given = {"home": tmp_path / "home", "sources": (str(tmp_path / "shop.sqlite"),), "embeddings": "hashing"}
    return Settings.model_validate({**given, "as_of": date(2026, 9, 1), "verifier": "Ana"})


async def answered(session: Session, question: str) -> tuple[Plan | None, str]:
    await session.ask(question, approve=("plan", "query", "python"))
    await session.settled()
    events = [entry.event for entry in session.events()]
    turn = events[-1].turn
    answer = next(e for e in reversed(events) if isinstance(e, Answer))
    return next((e for e in reversed(events) if isinstance(e, Plan) and e.turn == turn), None), answer.text


async def test_a_defined_word_is_used_from_the_next_question_on_and_can_be_taken_back(
    shop: Settings, tmp_path: Path
) -> None:
    async with open_workspace(shop) as workspace:
        session = await workspace.create()
        await answered(session, "How many customers?")
        kept = await workspace.knowledge.define("big spender, whale", "a customer with an order with a total over 500")
        assert kept.file == str(tmp_path / "knowledge" / "terms" / "big-spender.yaml")
        assert "total" in kept.sql
        plan, text = await answered(session, "How many big spenders?")
        assert "2" in text
        assert plan is not None
        assert "terms/big-spender.yaml" in {citation.origin for citation in plan.citations}

        (card,) = (await workspace.knowledge.read()).cards
        assert (card.is_stored, card.by, card.on) == (True, "Ana", date(2026, 9, 1))
        assert (card.words, card.meaning) == (
            "big spender, whale",
            "a customer with an order with a total over 500",
        )
        await workspace.knowledge.define(
            card.words, "a customer with an order with a total over 800", instead_of=card.id
        )
        assert "1" in (await answered(session, "How many whales?"))[1]

        await workspace.knowledge.undefine(card.id)
        assert (await workspace.knowledge.read()).cards == ()
        with pytest.raises(SessionError, match="not there any more"):
            await workspace.knowledge.undefine(card.id)


async def test_what_cannot_be_computed_with_is_kept_and_said(shop: Settings) -> None:
    async with open_workspace(shop) as workspace:
        assert (await workspace.knowledge.define("champion", "someone the sales team adores")).sql == ""


def test_a_word_that_is_defined_by_hand_is_neither_defined_again_nor_taken_back(shop: Settings, tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "glossary.yaml").write_text("terms:\n  - {name: whale, definition: Ada}\n")

    async def scenario() -> None:
        async with open_workspace(shop) as workspace:
            with pytest.raises(SessionError, match=r"defined already, in 'glossary\.yaml'"):
                await workspace.knowledge.define("Whale", "a customer with 3 orders")
            with pytest.raises(SessionError, match="by hand"):
                await workspace.knowledge.undefine("term:whale")
        assert (tmp_path / "knowledge" / "glossary.yaml").read_text().startswith("terms:")

    asyncio.run(scenario())


@pytest.mark.parametrize(("word", "meaning"), [("", "x"), (" , ", "x"), ("x", " \n"), ("x", "y" * 3000)])
def test_a_definition_that_says_nothing_or_too_much_is_refused(word: str, meaning: str) -> None:
    with pytest.raises(AssistantError, match=r"Fill in both|Say it shorter"):
        build_term(word, meaning, author="Ana", updated=date(2026, 9, 1))


def test_a_definition_on_one_line_is_parted_at_its_first_equals_sign() -> None:
    assert split_definition("paid = status = 'paid'") == ("paid ", " status = 'paid'")
    with pytest.raises(AssistantError, match="equals sign"):
        split_definition("paid means paid")


def test_an_answer_names_the_definitions_that_could_not_be_read(shop: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    metric = "  - {name: turnover, expression: SUM(total), table: orders"
    (folder / "metrics.yaml").write_text(f"metrics:\n{metric}, unti: EUR}}\n")
    (folder / "scan.pdf").write_bytes(b"no PDF")  # a document file that cannot be read defines nothing

    async def scenario() -> None:
        async with open_workspace(shop) as workspace:
            session = await workspace.create()
            await answered(session, "How many customers?")
            said = [entry.event for entry in session.events()][-1]
            assert isinstance(said, Answer)
            (note,) = said.notes
            assert note.startswith("Not used, because it cannot be read: metrics.yaml, line 2: ")
            assert "'unti'" in note
            assert "did you mean 'unit'?" in note

            (folder / "metrics.yaml").write_text(f"metrics:\n{metric}, unit: EUR}}\n")
            await answered(session, "turnover by customer")
            said = [entry.event for entry in session.events()][-1]
            assert isinstance(said, Answer)
            assert said.status == "answered"
            assert not [note for note in said.notes if "cannot be read" in note]

    asyncio.run(scenario())


def test_a_semantic_model_that_cannot_be_read_is_said_and_every_question_goes_on(
    shop: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "knowledge"
    (folder / "semantic").mkdir(parents=True)
    (folder / "semantic" / "bad.yaml").write_text("semantic_model:\n  - name: !unknown {a: 1}\n")
    (folder / "semantic" / "latin.yaml").write_bytes(b"semantic_model:\n  - name: \xfc\n")
    (folder / "metrics.yaml").write_text("metrics:\n  - {name: turnover, expression: SUM(total), table: orders}\n")

    async def scenario() -> None:
        async with open_workspace(shop) as workspace:
            session = await workspace.create()
            await answered(session, "turnover by customer")
            said = [entry.event for entry in session.events()][-1]
            assert isinstance(said, Answer)
            assert said.status == "answered"
            bad, latin = (note for note in said.notes if "cannot be read" in note)
            assert "semantic/bad.yaml, line 2" in bad
            assert "semantic/latin.yaml, line 2" in latin
            on_page = (await workspace.knowledge.read()).problems
            examined = [one.text for one in await workspace.doctor() if one.name == "knowledge file"]
            for file in ("semantic/bad.yaml, line 2", "semantic/latin.yaml, line 2"):
                assert any(file in one for one in on_page)
                assert any(file in one for one in examined)

    asyncio.run(scenario())
