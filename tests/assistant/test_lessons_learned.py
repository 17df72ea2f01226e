"""A repaired failure leaves a lesson; a person keeps it; the next question is told of it. Over bytes on the loopback."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest
from openai_server import Asked, Served, serving, typed

from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, Entry, Execution, Looked
from assistant.lessons.folder import read_lessons
from assistant.lessons.lesson import KeptLesson, Lesson
from assistant.session.session import Session
from assistant.settings.config import Settings
from tests.assistant.functions.test_folder import BOMB
from tests.assistant.test_models_end_to_end import ANSWER, PLAN, REVIEW, SQL, shop

RIGHT = {
    **SQL,
    "code": "sales = query('SELECT region, amount FROM sales')\nrevenue = sales.groupby('region').sum()\nrevenue",
}
FAILING = {**RIGHT, "code": RIGHT["code"].replace("groupby('region')", "groupby('area')")}
ONE_STEP = {**PLAN, "steps": [{**PLAN["steps"][0], "language": "python"}]}
DIAGNOSIS = {
    "cause": "The table calls it region, not area.",
    "category": "logic",
    "fix": "",
}
TITLE = "Lessons from failures that a person kept"


class Script:
    """Plays the model: the first cell fails, unless a lesson is told."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, asked: Asked) -> Served:
        body = asked.text.replace('\\"', '"')
        self.asked.append(body)
        if '"repairable"' in body:
            return typed(asked, DIAGNOSIS)
        if '"verdict"' in body:
            return typed(asked, REVIEW)
        if '"answered"' in body:
            return typed(asked, ANSWER)
        if '"assumptions"' in body:
            return typed(asked, ONE_STEP)
        return typed(asked, RIGHT if "Diagnosis of" in body or TITLE in body else FAILING)


class Room:
    """One person's data, sessions and knowledge."""

    def __init__(self, tmp_path: Path) -> None:
        self.knowledge = tmp_path / "knowledge"
        self.knowledge.mkdir()
        self.data = shop(tmp_path)
        self.script = Script()
        self._home = tmp_path / "home"

    def ask(
        self, decide: Literal["keep", "drop"] | None = None
    ) -> tuple[tuple[Entry, ...], Sequence[Lesson], Sequence[KeptLesson]]:
        """Ask in a new session, and decide about what it offers; its log, its offers before, and what is kept after."""

        async def scenario(url: str) -> tuple[tuple[Entry, ...], Sequence[Lesson], Sequence[KeptLesson]]:
            settings = Settings(
                home=self._home,
                sources=(f"shop={self.data}",),
                knowledge=self.knowledge,
                base_url=url,
                api_key_env="TEST_KEY",
                embeddings="hashing",
                model="some-model",
                coder_model="some-model",
            )
            async with open_workspace(settings) as workspace:
                session = await workspace.create()
                await session.ask("What is the revenue by region?", approve=("plan", "query", "python"))
                await session.settled()
                offers = await session.lessons.list_offers()
                if decide is not None:
                    await decide_first(session, decide)
                return session.events(), offers, await workspace.knowledge.lessons.read()

        with serving(self.script, forms=("schema", "functions")) as server:
            return asyncio.run(scenario(server.url))


async def decide_first(session: Session, action: Literal["keep", "drop"]) -> None:
    (lesson,) = await session.lessons.list_offers()
    await session.lessons.decide(lesson.id, action)
    assert await session.lessons.list_offers() == ()


def failures(entries: Sequence[Entry]) -> int:
    return sum(isinstance(e.event, Execution) and e.event.status == "failed" for e in entries)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.setenv("TEST_KEY", "sk-planted-secret")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return Room(tmp_path)


def test_a_kept_lesson_is_told_cited_and_stale_once_its_table_changes(room: Room) -> None:
    entries, (lesson,), (kept,) = room.ask("keep")
    assert failures(entries) == 1
    assert any(isinstance(entry.event, Answer) for entry in entries)
    assert lesson.tables == ("sales",)
    assert lesson.truth == DIAGNOSIS["cause"]
    assert lesson.expectation == "revenue = sales.groupby('area').sum()"
    assert lesson.works == "revenue = sales.groupby('region').sum()"
    assert lesson.sign == "KeyError: 'area'"
    assert not kept.is_stale
    assert [file.name for file in (room.knowledge / "lessons").iterdir()] == [f"{lesson.id}.yaml"]

    room.script.asked.clear()
    entries, offers, _ = room.ask()
    assert failures(entries) == 0
    assert offers == ()
    told = [body for body in room.script.asked if TITLE in body]
    assert told
    assert lesson.id in told[0]
    assert DIAGNOSIS["cause"] in told[0]
    looked = [e.event for e in entries if isinstance(e.event, Looked) and e.event.look == "lessons"]
    assert looked
    assert {(event.asked, event.found) for event in looked} == {("sales", lesson.id)}

    with closing(sqlite3.connect(room.data)) as connection:
        connection.execute("ALTER TABLE sales ADD COLUMN currency TEXT")
    room.script.asked.clear()
    entries, _, (stale,) = room.ask()
    assert stale.is_stale
    assert failures(entries) == 1
    assert not any(TITLE in body for body in room.script.asked)


def test_nothing_is_learned_that_nobody_kept(room: Room) -> None:
    for decide in (None, "drop"):
        entries, offers, kept = room.ask(decide)
        assert failures(entries) == 1
        assert len(offers) == 1
        assert kept == ()
        assert not (room.knowledge / "lessons").exists()
    assert not any(TITLE in body for body in room.script.asked)


def test_a_file_that_is_no_lesson_is_a_problem_and_the_others_are_read(room: Room) -> None:
    room.ask("keep")
    folder = room.knowledge / "lessons"
    (folder / "broken.yaml").write_text("expectation: [", encoding="utf-8")
    (folder / "bomb.yaml").write_bytes(BOMB + b"expectation: *a9\ntruth: x\n")
    (folder / "list.yaml").write_text("expectation: [x]\ntruth: x\n", encoding="utf-8")
    (folder / "empty.yaml").write_text("truth: x\n", encoding="utf-8")
    (folder / "elsewhere.yaml").symlink_to("/etc/hostname")
    lessons, problems = read_lessons([room.knowledge])
    assert len(lessons) == 1
    assert [problem.origin for problem in problems] == [
        "lessons/bomb.yaml",
        "lessons/broken.yaml",
        "lessons/elsewhere.yaml",
        "lessons/empty.yaml",
        "lessons/list.yaml",
    ]
