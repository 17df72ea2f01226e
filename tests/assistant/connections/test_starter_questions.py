"""Six questions of six kinds are made from a source's own columns, and each can really be answered."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from assistant.bootstrap import open_workspace
from assistant.connections.starter_questions import KINDS
from assistant.settings.settings import Settings

SALES = "order_id,day,region,product,amount,note\n" + "".join(
    f"{n},202{5 + n % 2}-0{n % 9 + 1}-1{n % 9},{('North', 'South', 'East')[n % 3]},P{n % 7},{n}.5,{'x' if n % 4 else ''}\n"
    for n in range(1, 200)
)
STAFF = "name,team,city\n" + "".join(f"Person {n},Team {n % 4},City {n % 6}\n" for n in range(60))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [(SALES, KINDS), (STAFF, ("total", "ranking", "share", "comparison"))],
    ids=["sales", "staff"],
)
def test_each_kind_is_asked_once_and_can_be_read(tmp_path: Path, text: str, kinds: tuple[str, ...]) -> None:
    file = tmp_path / "sales.csv"
    file.write_text(text)

    async def scenario() -> None:
        settings = Settings.model_validate(
            {"home": tmp_path / "home", "sources": (str(file),), "embeddings": "hashing", "as_of": "2026-06-01"}
        )
        async with open_workspace(settings) as workspace:
            tried = await workspace.knowledge.starters()
            quick = await workspace.knowledge.starters(quick=True)
        assert tuple(one.kind for one in tried) == kinds
        assert len({one.text for one in tried}) == len(tried)
        assert tuple(one.kind for one in quick) == kinds

    asyncio.run(scenario())


def test_a_defined_metric_is_asked_for_before_a_column_also_at_once(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text(SALES)
    knowledge = tmp_path / "knowledge"
    knowledge.mkdir()
    (knowledge / "metrics.yaml").write_text(
        "metrics:\n  - name: turnover\n    definition: All that was sold.\n    expression: SUM(sales.amount)\n"
        "    table: sales\n    date_column: sales.day\n"
    )

    async def scenario() -> None:
        settings = Settings.model_validate(
            {
                "home": tmp_path / "home",
                "sources": (str(tmp_path / "sales.csv"),),
                "embeddings": "hashing",
                "as_of": "2026-06-01",
            }
        )
        async with open_workspace(settings) as workspace:
            quick = await workspace.knowledge.starters(quick=True)
            tried = await workspace.knowledge.starters()
        assert {one.kind: one.text for one in quick}["total"] == "Turnover last year"
        assert {one.kind: one.text for one in tried}["total"] == "Turnover last year"

    asyncio.run(scenario())


def test_years_are_compared_that_the_data_has_and_the_question_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text(SALES)

    async def scenario() -> None:
        settings = Settings.model_validate(
            {
                "home": tmp_path / "home",
                "sources": (str(tmp_path / "sales.csv"),),
                "embeddings": "hashing",
                "as_of": "2031-06-01",
            }
        )
        async with open_workspace(settings) as workspace:
            quick = await workspace.knowledge.starters(quick=True)
            tried = await workspace.knowledge.starters()
        wanted = "Change in amount by product from 2025 to 2026"
        assert [{one.kind: one.text for one in offered}["comparison"] for offered in (quick, tried)] == [wanted, wanted]

    asyncio.run(scenario())
