"""The embedded analyst answers the sample company's suite through whole sessions: every answer is right, none declined."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest
from sample_analyst import AS_OF

from assistant.api.report import build_report
from assistant.bootstrap import open_workspace
from assistant.cells.tables import TableView
from assistant.claims.checking import check_claims
from assistant.claims.facts import read_facts
from assistant.evaluation.comparison import are_equal, is_ordered
from assistant.sample.company import write_sample
from assistant.settings.settings import Settings


@pytest.mark.slow  # a whole session of twenty questions
@pytest.mark.timeout(600)
def test_every_question_of_the_sample_suite_is_answered_right(tmp_path: Path) -> None:
    made = write_sample(tmp_path / "company", as_of=AS_OF)
    cases = [json.loads(line) for line in made.suite.read_text(encoding="utf-8").splitlines()]
    assert len(cases) == 20
    connection = sqlite3.connect(f"file:{made.database}?mode=ro", uri=True)
    wrong: list[str] = []
    not_borne_out: list[str] = []

    async def scenario() -> None:
        settings = Settings(home=tmp_path / "home", as_of=AS_OF, sources=(str(made.database),))
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            for case in cases:
                await session.ask(case["question"], approve=("plan", "query", "python"))
                await session.settled()
                said = build_report(session.id, session.events(), table=session.table)
                golds = [[tuple(row) for row in connection.execute(sql).fetchall()] for sql in case["sql"]]
                ordered = [is_ordered(sql, dialect="sqlite") for sql in case["sql"]]
                found = [tuple(row) for row in said.rows]
                view = TableView(columns=tuple(said.columns), rows=tuple(found), total=len(found))
                report = check_claims(said.answer or "", facts=read_facts((view,)), question=case["question"])
                not_borne_out.extend(map(str, report.false_claims))
                if not any(are_equal(found, gold, ordered=o) for gold, o in zip(golds, ordered, strict=True)):
                    wrong.append(f"{case['question']} -> {said.status}: {said.answer}\n  {said.sql}\n  {found[:3]}")

    asyncio.run(scenario())
    connection.close()
    assert not wrong, "\n".join(wrong)
    assert not not_borne_out, "\n".join(not_borne_out)
