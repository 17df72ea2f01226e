"""SQL that a model wrote has chips; a changed chip runs as its own query, and the model is not asked for it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from openai_server import Asked, Served, serving, typed

from assistant.api.report import build_report
from assistant.bootstrap import open_workspace
from assistant.errors import InterpretationError
from assistant.session.session import Session
from assistant.settings.config import Settings

EVERYTHING = ("plan", "query", "python")
ROUND = (
    "SELECT region, ROUND(SUM(amount), 2) AS revenue FROM sales WHERE channel = 'shop' GROUP BY region ORDER BY 2 DESC"
)
STACKED = "SELECT region, amount FROM sales UNION ALL SELECT channel, amount FROM sales"


def replies(sql: str, *, steps: int = 1) -> Any:
    """A model that plans so many steps, and writes this SQL."""
    step = {"title": "Revenue", "language": "sql", "instruction": "Sum amount", "hard": False}
    plan = {"kind": "plan", "text": "Revenue", "steps": [step] * steps, "options": [], "tables": ["sales"]}
    plan |= {"assumptions": [], "citations": [], "hint": ""}
    code = {"kind": "code", "title": "Revenue", "why": "", "operations": [], "code": sql, "result": "revenue"}
    code |= {"source": "", "text": "", "options": []}
    answer = {"answered": True, "text": "North leads.", "notes": [], "follow_ups": []}

    def reply(asked: Asked) -> Served:
        body = asked.text.replace('\\"', '"')
        kinds = (('"verdict"', {"verdict": "ok", "findings": []}), ('"answered"', answer), ('"assumptions"', plan))
        return typed(asked, next((value for field, value in kinds if field in body), code))

    return reply


def in_session(folder: Path, sql: str, scenario: Any, *, steps: int = 1) -> None:
    connection = sqlite3.connect(folder / "shop.sqlite")
    connection.executescript(
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, region TEXT, channel TEXT, amount INTEGER);"
        "INSERT INTO sales (region, channel, amount) VALUES"
        " ('North', 'shop', 10), ('North', 'post', 5), ('South', 'shop', 7);"
    )
    connection.commit()
    connection.close()

    async def run(url: str, asked: list[Asked]) -> None:
        settings = Settings(
            home=folder / "home",
            sources=(f"shop={folder / 'shop.sqlite'}",),
            base_url=url,
            model="some-model",
            api_key_env="TEST_KEY",
            embeddings="hashing",
        )
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            await session.ask("Which region leads?", approve=EVERYTHING)
            await session.settled()
            await scenario(session, asked)

    with serving(replies(sql, steps=steps), forms=("schema", "functions")) as server:
        asyncio.run(run(server.url, server.asked))


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "sk-planted")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def test_a_changed_chip_of_a_models_query_runs_without_the_model(tmp_path: Path) -> None:
    async def scenario(session: Session, asked: list[Asked]) -> None:
        chips = await session.interpretation()
        assert chips is not None
        assert [str(chip) for chip in chips.chips] == [
            "Measure: total amount",
            "Group by: region",
            "Filter: channel is “shop”",
            "Sort: total amount, highest first",
        ]
        assert chips.remarks == ("Figures are not rounded.",)
        calls = len(asked)
        await session.ask_interpretation(chips.replace(group_by="channel", filters=()))
        await session.settled()
        turn = session.transcript.current
        assert turn is not None
        assert (turn.outcome, turn.executions) == ("needs_decision", [])  # under the same approval as any query
        await session.ask_interpretation(chips.replace(group_by="channel", filters=()), approve=EVERYTHING)
        await session.settled()
        report = build_report(session.id, session.events(), table=session.table)
        assert json.loads(json.dumps(report.rows)) == [["shop", 17], ["post", 5]]
        assert len(asked) == calls

    in_session(tmp_path, ROUND, scenario)


@pytest.mark.parametrize(("sql", "steps", "reason"), [(STACKED, 1, "one below the other"), (ROUND, 2, "several steps")])
def test_what_chips_cannot_show_says_why(tmp_path: Path, sql: str, steps: int, reason: str) -> None:
    async def scenario(session: Session, asked: list[Asked]) -> None:
        assert asked
        with pytest.raises(InterpretationError, match=reason):
            await session.interpretation()

    in_session(tmp_path, sql, scenario, steps=steps)
