"""Two sources in one question, end to end: the embedded analyst, an edited cell, masks, and the exported notebook."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from rights_of_person import PERSON

from assistant.agents.model.source_descriptions import describe_overview
from assistant.bootstrap import open_workspace
from assistant.core.events import Answer, DecisionRequested, Execution, SourceAdded
from assistant.session.session import Session
from assistant.settings.config import Settings
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source

JOINED = (
    "SELECT s.email AS reach, p.budget FROM shop.stores AS s JOIN plans.plans AS p ON p.store_id = s.store_id "
    "WHERE p.year = 2026 ORDER BY p.budget"
)


@pytest.fixture
def typed(tmp_path: Path) -> str:
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as con, con:
        con.executescript(
            "CREATE TABLE stores (store_id INTEGER PRIMARY KEY, city TEXT, email TEXT);"
            "INSERT INTO stores VALUES (1,'Oslo','a@planted.example'),(2,'Bergen','b@planted.example'),(3,'Molde',NULL);"
        )
    (tmp_path / "plans.csv").write_text("store_id,year,budget\n1,2026,25\n2,2026,10\n3,2026,9\n1,2025,4\n")
    shop, plans = tmp_path / "shop.sqlite", tmp_path / "plans.csv"
    return f"together=({shop} + {plans} on plans.store_id = stores.store_id)"


async def _edited(session: Session, code: str) -> None:
    """Have a cell run, as an edit of what the analyst proposed."""
    await session.ask("How many stores are there?", approve=("plan",))
    await session.settled()
    asked = [entry.event for entry in session.events() if isinstance(entry.event, DecisionRequested)][-1]
    assert await session.decide(asked.id, "edit", code=code)
    await session.settled()


@pytest.mark.slow
def test_a_question_over_both_is_answered_masked_and_exported(tmp_path: Path, typed: str) -> None:
    async def work() -> tuple[list[Any], bytes]:
        settings = Settings(home=tmp_path / "home", sources=(typed,), mask=("stores.email",), embeddings="hashing")
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            await session.ask("total budget by city", approve=("plan", "query"))
            await session.settled()
            await _edited(session, f'rows = query("""{JOINED}""")\nprint(rows.fillna("none").to_dict("list"))')
            return [entry.event for entry in session.events()], await session.export()

    events, content = asyncio.run(work())
    (added,) = [event for event in events if isinstance(event, SourceAdded)]
    assert (added.name, added.dialect, added.display) == ("together", "duckdb", "shop.sqlite + plans.csv")
    answer = next(event for event in events if isinstance(event, Answer))
    assert answer.status == "answered", answer.text
    first, second = [event for event in events if isinstance(event, Execution)]
    assert [(run.source, run.rows) for run in first.queries] == [("together", 3)]
    assert "'reach': ['none', '•••', '•••']" in str(second.outputs)
    written = content.decode()
    assert "planted" not in written

    notebook = nbformat.reads(written, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell('print(query("""SELECT email FROM stores"""))'))
    with pytest.raises(Exception, match="Only the session's own queries run on this source"):
        NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = nbformat.writes(notebook)
    assert "planted" not in shown
    again = str([output for cell in notebook.cells for output in cell.get("outputs", ())]).replace("\\'", "'")
    assert "{'reach': ['none', '•••', '•••'], 'budget': [9, 10, 25]}" in again
    assert "Oslo" in again  # the analyst's table, computed anew


def test_the_models_are_told_of_both_sources_and_the_key_between_them(tmp_path: Path, typed: str) -> None:
    async def work() -> str:
        source = await open_source(parse_addresses(typed, PERSON)[0], folder=tmp_path / "made")
        try:
            return describe_overview([await source.catalog()], tokens_max=4000)
        finally:
            await source.close()

    told = asyncio.run(work())
    assert "stores (" in told
    assert "store_id -> stores" in told
