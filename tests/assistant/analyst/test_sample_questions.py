"""The embedded analyst answers the sample company's suite through whole sessions: every answer is right, none declined,
and each sentence is borne out by its table."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

from sample_analyst import AS_OF

from assistant.api.report import build_report
from assistant.bootstrap import open_workspace
from assistant.cells.tables import TableView
from assistant.claims.checking import check_claims
from assistant.evaluation.comparison import is_ordered, same
from assistant.sample.company import write_sample
from assistant.settings.settings import Settings


def test_every_question_of_the_sample_suite_is_answered_right(tmp_path: Path) -> None:
    made = write_sample(tmp_path / "company", as_of=AS_OF)
    cases = [json.loads(line) for line in made.suite.read_text(encoding="utf-8").splitlines()]
    connection = sqlite3.connect(f"file:{made.database}?mode=ro", uri=True)
    wrong: list[str] = []
    not_borne_out: list[str] = []

    async def scenario() -> None:
        settings = Settings(home=tmp_path / "home", as_of=AS_OF, sources=(str(made.database),), embeddings="hashing")
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            for case in cases:
                await session.ask(case["question"], approve=("plan", "query", "python"))
                await session.settled()
                said = build_report(session.id, session.events(), table=session.table)
                golds = [[tuple(row) for row in connection.execute(sql).fetchall()] for sql in case["sql"]]
                rows = tuple(tuple(row) for row in said.rows)
                view = TableView(columns=tuple(said.columns), rows=rows, total=len(rows))
                report = check_claims(said.answer or "", tables=(view,), question=case["question"])
                not_borne_out.extend(map(str, report.false_claims))
                ordered = [is_ordered(sql, dialect="sqlite") for sql in case["sql"]]
                found = [tuple(row) for row in said.rows]
                if not any(same(found, gold, ordered=o) for gold, o in zip(golds, ordered, strict=True)):
                    wrong.append(f"{case['question']} -> {said.status}: {said.answer}\n  {said.sql}\n  {found[:3]}")

    asyncio.run(scenario())
    connection.close()
    assert not wrong, "\n".join(wrong)
    assert not not_borne_out, "\n".join(not_borne_out)
