"""A person changes an entry of the knowledge folder: it is computed before it is kept, and used from then on."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import date
from pathlib import Path

import pytest

from assistant.bootstrap import open_workspace
from assistant.core.events import Answer
from assistant.errors import SessionError
from assistant.session.session import Session
from assistant.settings.config import Settings

METRICS = """\
metrics:
  - name: takings
    table: orders
    expression: SUM(orders.total)
    unit: currency
    unit_symbol: EUR
"""
RULES = (
    "## Tests do not count\n\nOrders of Cy are tests.\n\nApplies to: orders\n\nCondition: `orders.customer_id <> 3`\n"
)
QUERY = "question: Orders of Ada\nsql: SELECT COUNT(*) AS n FROM orders WHERE customer_id = 1\nverifier: Bo\nverified_on: 2026-01-01\n"


@pytest.fixture
def shop(tmp_path: Path) -> Settings:
    with sqlite3.connect(tmp_path / "shop.sqlite") as connection:
        connection.executescript(
            "CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, email TEXT);"
            "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, total REAL);"
            "INSERT INTO customers VALUES (1, 'Ada', 'ada@a.example'), (2, 'Bo', 'bo@a.example'), (3, 'Cy', 'c@a.example');"
            "INSERT INTO orders VALUES (1, 1, 700.0), (2, 1, 20.0), (3, 3, 900.0);"
        )
    connection.close()
    knowledge = tmp_path / "knowledge"
    (knowledge / "queries").mkdir(parents=True)
    (knowledge / "metrics.yaml").write_text(METRICS)
    (knowledge / "rules.md").write_text(RULES)
    (knowledge / "queries" / "ada.yaml").write_text(QUERY)
    given = {"home": tmp_path / "home", "sources": (str(tmp_path / "shop.sqlite"),), "embeddings": "hashing"}
    return Settings.model_validate(
        {**given, "as_of": date(2026, 9, 1), "verifier": "Ana", "mask": ("shop.customers.email",)}
    )


async def answered(session: Session, question: str) -> str:
    await session.ask(question, approve=("plan", "query", "python"))
    await session.settled()
    return next(e.event.text for e in reversed(session.events()) if isinstance(e.event, Answer))


async def test_a_metric_is_computed_before_it_is_kept_and_used_afterwards(shop: Settings, tmp_path: Path) -> None:
    async with open_workspace(shop) as workspace:
        entry = await workspace.knowledge.entries.entry("metric:takings")
        assert (entry.values["expression"], entry.by, entry.undo) == ("SUM(orders.total)", "", "")
        said = {**entry.values, "expression": "SUM(orders.total) * 2", "definition": "Twice what came in."}
        tried = await workspace.knowledge.entries.try_out(entry.id, said)
        assert not tried.faults
        assert [(one.rows, one.unit) for one in tried.effects] == [(((1440.0,),), "EUR")]
        assert (tmp_path / "knowledge" / "metrics.yaml").read_text() == METRICS, "trying keeps nothing"

        assert (await workspace.knowledge.entries.keep(entry.id, said)).id == "metric:takings"
        session = await workspace.create()
        assert "1,440" in await answered(session, "What are the takings?")
        (using,) = await workspace.history.find_uses("metric:takings")
        assert using.session == session.id
        again = await workspace.knowledge.entries.entry("metric:takings")
        assert (again.by, again.on, again.undo) == ("Ana", date(2026, 9, 1), "Ana on 1 September 2026")
        await workspace.knowledge.entries.take_back("metric:takings")
        assert (tmp_path / "knowledge" / "metrics.yaml").read_text() == METRICS


@pytest.mark.parametrize(
    ("id_", "field", "value", "told"),
    [
        ("metric:takings", "expression", "SUM(orders.totl)", "did you mean 'total'"),
        ("metric:takings", "expression", "SUM(", "no SQL"),
        ("metric:takings", "expression", "orders.total", "aggregate"),
        ("metric:takings", "table", "order", "did you mean 'orders'"),
        ("metric:takings", "filters", ("orders.colour = 1",), "colour"),
        ("metric:takings", "name", "", "must say something"),
        ("rule:tests-do-not-count", "condition", "orders.customr_id <> 3", "did you mean 'customer_id'"),
        ("query:orders-of-ada", "sql", "SELECT nothing FROM orders", "nothing"),
        ("query:orders-of-ada", "sql", "DELETE FROM orders", "is not a query"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_is_kept(
    shop: Settings, tmp_path: Path, id_: str, field: str, value: str | tuple[str, ...], told: str
) -> None:
    async def scenario() -> None:
        async with open_workspace(shop) as workspace:
            entry = await workspace.knowledge.entries.entry(id_)
            outcome = await workspace.knowledge.entries.keep(id_, {**entry.values, field: value})
            assert not outcome.id
            assert list(outcome.faults) == [field]
            assert told.casefold() in outcome.faults[field].casefold()

    asyncio.run(scenario())
    texts = [(tmp_path / "knowledge" / name).read_text() for name in ("metrics.yaml", "rules.md", "queries/ada.yaml")]
    assert texts == [METRICS, RULES, QUERY]


async def test_a_rule_shows_what_it_leaves_out_and_a_query_is_run_again(shop: Settings) -> None:
    async with open_workspace(shop) as workspace:
        entry = await workspace.knowledge.entries.entry("rule:tests-do-not-count")
        (effect,) = (await workspace.knowledge.entries.try_out(entry.id, entry.values)).effects
        assert effect.text == "Of 3 rows of orders it leaves out 1."
        assert effect.rows == ((3, 3, 900.0),)
        query = await workspace.knowledge.entries.entry("query:orders-of-ada")
        assert (query.by, query.on) == ("Bo", date(2026, 1, 1))
        sql = "SELECT name, email FROM customers ORDER BY name"
        (effect,) = (await workspace.knowledge.entries.keep(query.id, {**query.values, "sql": sql})).effects
        assert effect.total == 3
        assert "ada@a.example" not in str(effect.rows), "a masked column stays masked"
        assert (await workspace.knowledge.entries.entry(query.id)).by == "Ana"


async def test_an_entry_is_removed_and_comes_back(shop: Settings) -> None:
    async with open_workspace(shop) as workspace:
        await workspace.knowledge.entries.remove("rule:tests-do-not-count")
        with pytest.raises(SessionError, match="not there any more"):
            await workspace.knowledge.entries.entry("rule:tests-do-not-count")
        await workspace.knowledge.entries.take_back("rule:tests-do-not-count")
        assert (await workspace.knowledge.entries.entry("rule:tests-do-not-count")).kind == "rule"
