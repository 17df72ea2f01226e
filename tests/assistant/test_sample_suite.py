"""The first evaluation suite: twenty questions over the sample company, asked as a person would, against checked answers.

What is answered must be right. What is declined or asked back about is counted, and bounded.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from datetime import date
from pathlib import Path

import pytest

from assistant.api.report import build_report
from assistant.bootstrap import open_workspace
from assistant.evaluation.comparison import is_ordered, same
from assistant.sample.company import write_sample
from assistant.settings.config import Settings

AS_OF = date(2026, 11, 21)
ANSWERED_MIN = 17


@pytest.mark.slow  # the short run asks the same questions in one session: analyst/test_sample_questions.py
def test_the_sample_suite_is_answered_and_nothing_is_answered_wrong(tmp_path: Path) -> None:
    made = write_sample(tmp_path / "company", as_of=AS_OF)
    cases = [json.loads(line) for line in made.suite.read_text(encoding="utf-8").splitlines()]
    assert len(cases) == 20
    connection = sqlite3.connect(f"file:{made.database}?mode=ro", uri=True)
    wrong: list[str] = []
    declined: list[str] = []

    async def scenario() -> None:
        settings = Settings(home=tmp_path / "home", as_of=AS_OF, sources=(str(made.database),))
        async with open_workspace(settings) as workspace:
            for case in cases:
                session = await workspace.create()
                await session.ask(case["question"], approve=("plan", "query", "python"))
                await session.settled()
                said = build_report(session.id, session.events(), table=session.table)
                if said.status != "answered":
                    declined.append(f"{case['question']} -> {said.status}: {said.answer or said.clarification}")
                    continue
                golds = [[tuple(row) for row in connection.execute(sql).fetchall()] for sql in case["sql"]]
                ordered = [is_ordered(sql, dialect="sqlite") for sql in case["sql"]]
                found = [tuple(row) for row in said.rows]
                if not any(same(found, gold, ordered=o) for gold, o in zip(golds, ordered, strict=True)):
                    wrong.append(f"{case['question']}\n  {said.sql}\n  {found[:4]}\n  gold: {golds[0][:4]}")
                await session.close()

    asyncio.run(scenario())
    connection.close()
    assert not wrong, "\n".join(wrong)
    assert len(cases) - len(declined) >= ANSWERED_MIN, "\n".join(declined)
