"""What a session masked stays masked in its notebook, in what it shows and when it is run again without Tandem."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from assistant.bootstrap import open_workspace
from assistant.core.events import DecisionRequested, Execution
from assistant.output.notebook.opening import build_opening_cell
from assistant.output.notebook.sources import NotebookCover, NotebookSource
from assistant.session.session import Session
from assistant.settings.config import Settings

ALL = "SELECT * FROM customer ORDER BY id"
JOINED = "SELECT s.amount, c.email AS reach FROM sale s JOIN customer c ON c.id = s.customer_id ORDER BY s.amount"
COUNTED = "SELECT city, count(email) AS n FROM customer GROUP BY city ORDER BY city"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.execute("CREATE TABLE customer (id INTEGER, email TEXT, city TEXT)")
        con.execute(
            "INSERT INTO customer VALUES (1, 'ann@planted.example', 'Rome'), (2, 'bob@planted.example', 'Oslo'), (3, NULL, 'Oslo')"
        )
        con.execute("CREATE TABLE sale (customer_id INTEGER, amount INTEGER)")
        con.execute("INSERT INTO sale VALUES (1, 10), (2, 20)")
    return path


async def _ran(session: Session, code: str) -> None:
    """Have a cell run, as an edit of what the analyst proposed."""
    await session.ask("How many customers are there?", approve=("plan",))
    await session.settled()
    asked = [entry.event for entry in session.events() if isinstance(entry.event, DecisionRequested)][-1]
    assert await session.decide(asked.id, "edit", code=code)
    await session.settled()


def exported(home: Path, shop: Path, codes: list[str]) -> tuple[NotebookNode, list[Execution]]:
    async def work() -> tuple[bytes, list[Execution]]:
        settings = Settings(home=home, sources=(str(shop),), mask=("customer.email",), embeddings="hashing")
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            for code in codes:
                await _ran(session, code)
            ran = [entry.event for entry in session.events() if isinstance(entry.event, Execution)]
            return await session.export(), ran

    content, ran = asyncio.run(work())
    return nbformat.reads(content.decode(), as_version=4), ran


@pytest.mark.slow
def test_a_notebook_of_a_masked_session_never_shows_a_value(tmp_path: Path, shop: Path) -> None:
    codes = [f'{name} = query("""{sql}""")\n{name}' for name, sql in (("a", ALL), ("b", JOINED), ("c", COUNTED))]
    notebook, ran = exported(tmp_path / "home", shop, codes)
    assert [(execution.status, execution.code) for execution in ran] == [("ok", code) for code in codes]
    assert "planted" not in nbformat.writes(notebook)
    assert "**Masked.** No value of `shop.customer.email`" in notebook.cells[0].source
    notebook.cells.append(nbformat.v4.new_code_cell("print(a.to_dict('list'), b.to_dict('list'), c.to_dict('list'))"))
    notebook.cells.append(
        nbformat.v4.new_code_cell(
            "for sql in ('SELECT email FROM customer', 'SELECT max(email) AS e FROM customer', 'SELECT 1 AS one'):\n"
            "    try:\n        print(query(sql).to_dict('list'))\n"
            "    except PermissionError as error:\n        print('refused', str(error)[:40])"
        )
    )
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    assert "planted" not in nbformat.writes(notebook)
    printed = "".join(cell.outputs[0].text for cell in notebook.cells[-2:])
    assert "{'id': [1, 2, 3], 'email': ['•••', '•••', None], 'city': ['Rome', 'Oslo', 'Oslo']}" in printed
    assert "{'amount': [10, 20], 'reach': ['•••', '•••']} {'city': ['Oslo', 'Rome'], 'n': [1, 1]}" in printed
    assert printed.count("refused Only the session's own queries") == 3


def opened(shop: Path, *covers: NotebookCover) -> Any:
    source = NotebookSource(name="shop", kind="sqlite", at=str(shop), masked=("customer.email",), covers=covers)
    names: dict[str, Any] = {}
    exec(compile(build_opening_cell([source], []), "<opening>", "exec"), names)
    return names["query"]


def test_a_table_that_has_changed_since_shows_nothing(shop: Path) -> None:
    query = opened(shop, NotebookCover(sql=ALL, columns=("id", "email", "city"), masked=(1,)))
    assert query(ALL)["email"].tolist() == ["•••", "•••", None]
    with closing(sqlite3.connect(shop)) as con, con:
        con.execute("ALTER TABLE customer DROP COLUMN id")
    changed = ALL.replace("ORDER BY id", "")
    query = opened(shop, NotebookCover(sql=changed, columns=("id", "email", "city"), masked=(1,)))
    with pytest.raises(PermissionError, match="others than in the session"):
        query(changed)


def test_whoever_has_rights_on_the_source_may_say_so(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    query = opened(shop, NotebookCover(sql=ALL, columns=("id", "email", "city"), masked=(1,)))
    with pytest.raises(PermissionError, match="TANDEM_SHOW_MASKED"):
        query("SELECT email FROM customer")
    monkeypatch.setitem(os.environ, "TANDEM_SHOW_MASKED", "yes")
    found = query("SELECT email FROM customer WHERE id = 1")
    assert isinstance(found, pd.DataFrame)
    assert found["email"].tolist() == ["ann@planted.example"]
