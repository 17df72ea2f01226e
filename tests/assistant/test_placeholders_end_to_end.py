"""A model that may see no names answers with them: it writes placeholders, and the person reads the names.

Every byte that is sent over several turns is searched for the names, and for the parts of them that the person typed.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import unicodedata
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from openai_server import Asked, Served, serving, typed

from assistant.api.report import Report, build_report
from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, Event, Proposal, Question, Usage
from assistant.record.store.sent_calls import SentCall
from assistant.settings.config import Settings

PLAYERS = {"Wilhelmina Quux": 31, "Ottokar Zsolnay": 24, "Perpetua O'Xanthou": 9, "Ignatius Vreeland": 2}
STEP = {"title": "Goals by player", "language": "sql", "instruction": "Goals by player", "hard": False}
PLAN = {"kind": "plan", "text": "Goals by player", "steps": [STEP], "tables": ["players"], "result": "goals"}
TOP = "SELECT name AS who, goals FROM players ORDER BY goals DESC"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "sk-planted-secret")


def league(folder: Path) -> Path:
    path = folder / "league.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE players (name TEXT, goals INTEGER)")
        connection.executemany("INSERT INTO players VALUES (?, ?)", PLAYERS.items())
    connection.close()
    return path


def find_placeholder(text: str, pattern: str) -> str:
    """The last placeholder of a prompt that a pattern fits, as a model would copy it."""
    return re.findall(pattern, text)[-1]


def reply_to(asked: Asked) -> Served:
    """A model that copies the placeholders that it sees."""
    body = asked.text
    schema = body.replace('\\"', '"')
    is_second, is_third = "What about " in body, "her league" in body
    if '"answered"' in schema:
        rows = re.findall(r"(‹who \d+›) \| (\d+)", body)
        words = ", ".join(f"{name} with {goals} goals" for name, goals in dict(rows).items())
        return typed(
            asked, {"answered": True, "text": f"That is {words}.", "notes": [], "follow_ups": ["And ‹who 2›?"]}
        )
    if '"assumptions"' in schema:
        code = TOP
        if is_third:
            code = f"SELECT name AS who, goals FROM players WHERE name = '{find_placeholder(body, '‹who 3›')}'"
        elif is_second:
            word = find_placeholder(body, r"What about (‹who \d+: word \d+›)")
            code = f"SELECT name AS who, goals FROM players WHERE name LIKE '%{word}%'"
        return typed(asked, {**PLAN, "code": code})
    return typed(asked, {"verdict": "ok", "findings": []})


def test_names_reach_the_person_in_every_form_and_no_model_over_several_turns(tmp_path: Path) -> None:
    questions = ("Who are the best players?", "What about Zsolnay?", "Compare perpetua o'xanthou with her league")
    reports: list[Report] = []
    texts: list[str] = []

    async def scenario(url: str) -> tuple[list[Event], list[SentCall]]:
        settings = Settings(
            home=tmp_path / "home",
            sources=(f"league={league(tmp_path)}",),
            base_url=url,
            api_key_env="TEST_KEY",
            embeddings="hashing",
            model="some-model",
        )
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            for question in questions:
                await session.ask(question, approve=("plan", "query", "python"))
                await session.settled()
                reports.append(build_report(session.id, session.events(), table=session.table))
            events = [entry.event for entry in session.events()]
            calls = [
                call
                for event in events
                if isinstance(event, Usage) and (call := session.models.sent(event.sent)) is not None
            ]
            texts.append((await session.export()).decode())
            return list(events), calls

    with serving(reply_to) as server:
        events, calls = asyncio.run(scenario(server.url))
        sent = "\n".join(asked.text for asked in server.asked)
    answers = [event for event in events if isinstance(event, Answer)]
    assert [answer.status for answer in answers] == ["answered"] * 3, answers
    assert answers[0].text.startswith("That is Wilhelmina Quux with 31 goals, Ottokar Zsolnay with 24 goals")
    assert answers[0].follow_ups == ("And Ottokar Zsolnay?",)
    assert answers[1].text == "That is Ottokar Zsolnay with 24 goals."
    assert answers[2].text == "That is Perpetua O'Xanthou with 9 goals."
    codes = [event.code for event in events if isinstance(event, Proposal)]
    assert "LIKE '%Zsolnay%'" in codes[1]
    assert "= 'Perpetua O''Xanthou'" in codes[2]
    assert [dict(report.rows) for report in reports] == [PLAYERS, {"Ottokar Zsolnay": 24}, {"Perpetua O'Xanthou": 9}]
    assert "Wilhelmina Quux with 31 goals" in reports[0].answer
    notebook = nbformat.reads(texts[0], as_version=4)
    assert "Wilhelmina Quux" in "\n".join(str(cell.source) for cell in notebook.cells)

    words = {word for player in PLAYERS for word in re.findall(r"[^\W_]{3,}", player)}
    logged = "\n".join(f"{call.text}\n{call.reply}" for call in calls)
    assert calls
    for text in (sent, logged):
        assert [word for word in words if re.search(rf"\b{word}\b", text, re.IGNORECASE)] == []
    assert "‹" not in "".join(f"{answer.text}{answer.follow_ups}" for answer in answers)


# Values that no query brought up: in the very first question, and in free text beside the column.

CALLS = (
    ("Called Zsolnay, Ottokar about the ball", 3),
    ("perpetua o'xanthou wants a new shirt", 2),
    ("No answer from WILHELMINA QUUX", 1),
)
"""Notes that name players, in other cases and orders than the table of players."""
SPELLINGS = ("ottokar zsolnay", "ZSOLNAY, OTTOKAR", "Zsolnay, Ottokar", "zsolnay ottokar", "Ottokar Zsolnay", "zsolnay")


def club(folder: Path) -> Path:
    path = league(folder)
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE calls (note TEXT, minutes INTEGER)")
        connection.executemany("INSERT INTO calls VALUES (?, ?)", CALLS)
    connection.close()
    return path


def find_names(text: str) -> list[str]:
    """The words of the players' names that stand in a text, in any case."""
    words = {word for player in PLAYERS for word in re.findall(r"[^\W_]{3,}", player)}
    return sorted(word for word in words if re.search(rf"(?<![^\W_]){word}(?![^\W_])", text, re.IGNORECASE))


def converse(
    tmp_path: Path, questions: tuple[str, ...], reply: Callable[[Asked], Served], *, mask: tuple[str, ...] = ()
) -> tuple[list[Event], str]:
    """The events of a session on the club with these questions, and all that its model was sent."""

    async def scenario(url: str) -> list[Event]:
        settings = Settings(
            home=tmp_path / "home",
            sources=(f"club={club(tmp_path)}",),
            base_url=url,
            api_key_env="TEST_KEY",
            embeddings="hashing",
            model="some-model",
            mask=mask,
            sees="rows",
        )
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            for question in questions:
                await session.ask(question, approve=("plan", "query", "python"))
                await session.settled()
            return [entry.event for entry in session.events()]

    with serving(reply) as server:
        events = asyncio.run(scenario(server.url))
        return events, "\n".join(asked.text for asked in server.asked)


def count_goals(asked: Asked) -> Served:
    """A model that asks for the goals of the person whom the first question names."""
    body = asked.text
    if '"answered"' in body.replace('\\"', '"'):
        name = find_placeholder(body, r"(‹[^›]+›) \| 24")
        return typed(asked, {"answered": True, "text": f"{name} has 24 goals.", "notes": [], "follow_ups": []})
    name = find_placeholder(body, r"goals has (‹[^›]+›)")
    condition = f"name = '{name}'" if "word" not in name else f"name LIKE '%{name}%'"
    return typed(asked, {**PLAN, "code": f"SELECT name, goals FROM players WHERE {condition}"})


@pytest.mark.slow
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_name_in_the_first_question_reaches_no_model_in_any_case_or_order(tmp_path: Path, spelling: str) -> None:
    events, sent = converse(tmp_path, (f"How many goals has {spelling}?",), count_goals)
    assert find_names(sent) == []
    answer = next(event for event in events if isinstance(event, Answer))
    assert (answer.status, answer.text) == ("answered", "Ottokar Zsolnay has 24 goals.")
    assert next(event for event in events if isinstance(event, Question)).text == f"How many goals has {spelling}?"


def quote_note(asked: Asked) -> Served:
    """A model that reads the notes, and quotes the longest call."""
    body = asked.text
    if '"answered"' in body.replace('\\"', '"'):
        note = find_placeholder(body, r"(Called ‹[^›]+› about the ball) \| 3")
        return typed(asked, {"answered": True, "text": f"The longest: {note}.", "notes": [], "follow_ups": []})
    return typed(asked, {**PLAN, "tables": ["calls"], "code": "SELECT note, minutes FROM calls ORDER BY minutes DESC"})


@pytest.mark.parametrize("mask", [(), ("club.players.name",)], ids=["personal", "masked"])
def test_a_name_in_free_text_beside_a_withheld_column_reaches_no_model(tmp_path: Path, mask: tuple[str, ...]) -> None:
    events, sent = converse(tmp_path, ("Which call was the longest?",), quote_note, mask=mask)
    assert find_names(sent) == []
    answer = next(event for event in events if isinstance(event, Answer))
    name = "Zsolnay, Ottokar" if mask else "Ottokar Zsolnay"
    assert answer.text == f"The longest: Called {name} about the ball."


def test_a_masked_name_that_the_person_types_reaches_no_model_and_is_not_corrected(tmp_path: Path) -> None:
    """Its spelling in the data would tell the person that it is there."""

    def decline(asked: Asked) -> Served:
        name = find_placeholder(asked.text, r"goals has (‹[^›]+›)")
        return typed(asked, {"kind": "decline", "text": f"The goals of {name} cannot be told.", "steps": []})

    events, sent = converse(tmp_path, ("How many goals has zsolnay ottokar?",), decline, mask=("club.players.name",))
    assert find_names(sent) == []
    answer = next(event for event in events if isinstance(event, Answer))
    assert answer.text == "The goals of zsolnay ottokar cannot be told."


# Names with accents: escaped in a column of JSON, and typed with accents as signs of their own.

ACCENTED = "Zoë Müllerová"


@pytest.fixture
def accented(monkeypatch: pytest.MonkeyPatch) -> None:
    """The club has a player with accents, and a call that names her in JSON."""
    monkeypatch.setitem(PLAYERS, ACCENTED, 24)
    monkeypatch.delitem(PLAYERS, "Ottokar Zsolnay")
    note = (json.dumps({"note": f"Called {ACCENTED} about the ball"}), 3)
    monkeypatch.setattr(f"{__name__}.CALLS", (note, *CALLS[1:]))


def find_accented(text: str) -> list[str]:
    """Whatever is left of the name with accents in a text, read without its escapes and accents."""
    plain = re.sub(r"\\+u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), text)
    plain = "".join(sign for sign in unicodedata.normalize("NFD", plain) if not unicodedata.combining(sign))
    return re.findall(r"\bzoe\b|mullerova", plain, re.IGNORECASE)


@pytest.mark.usefixtures("accented")
def test_a_name_that_json_escapes_beside_a_withheld_column_reaches_no_model(tmp_path: Path) -> None:
    def quote_payload(asked: Asked) -> Served:
        if '"answered"' in asked.text.replace('\\"', '"'):
            note = find_placeholder(asked.text, r"Called ‹[^›]+› about the ball")
            return typed(asked, {"answered": True, "text": f"The longest: {note}.", "notes": [], "follow_ups": []})
        code = "SELECT note, minutes FROM calls ORDER BY minutes DESC"
        return typed(asked, {**PLAN, "tables": ["calls"], "code": code})

    events, sent = converse(tmp_path, ("Which call was the longest?",), quote_payload)
    assert find_accented(sent) == []
    answer = next(event for event in events if isinstance(event, Answer))
    assert answer.text == f"The longest: Called {ACCENTED} about the ball."


@pytest.mark.usefixtures("accented")
@pytest.mark.parametrize("name", [ACCENTED, "Müllerová"])
def test_a_name_typed_with_accents_as_signs_of_their_own_reaches_no_model(tmp_path: Path, name: str) -> None:
    question = unicodedata.normalize("NFD", f"How many goals has {name}?")
    events, sent = converse(tmp_path, (question,), count_goals)
    assert find_accented(sent) == []
    answer = next(event for event in events if isinstance(event, Answer))
    assert (answer.status, answer.text) == ("answered", f"{ACCENTED} has 24 goals.")
