"""A small shop in SQLite, what the company knows about it, and an analyst over both; answers are real results."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from assistant.data.adapters.sqlite import SqliteSource
from assistant.data.addresses import addresses
from assistant.data.catalog import Catalog
from assistant.embedded.analyst import Analyst
from assistant.embedded.meaning import Meaning
from assistant.embedded.outcomes import Understood
from knowledge.documents import Document, Metric, Rule, Term, VerifiedQuery

TODAY = date(2026, 11, 21)

SCHEMA = """
CREATE TABLE regions (region_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE customers (
    customer_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, email TEXT,
    country TEXT NOT NULL, age INTEGER NOT NULL, signup_date DATE NOT NULL, active BOOLEAN NOT NULL,
    region_id INTEGER NOT NULL REFERENCES regions (region_id));
CREATE TABLE categories (category_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE products (
    product_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, price REAL NOT NULL,
    category_id INTEGER NOT NULL REFERENCES categories (category_id));
CREATE TABLE tags (tag_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE product_tags (
    product_id INTEGER NOT NULL REFERENCES products (product_id), tag_id INTEGER NOT NULL REFERENCES tags (tag_id),
    PRIMARY KEY (product_id, tag_id));
CREATE TABLE stores (store_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT NOT NULL);
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
    store_id INTEGER REFERENCES stores (store_id), order_date DATE NOT NULL, shipped_date DATE,
    status TEXT NOT NULL, freight REAL NOT NULL);
CREATE TABLE order_lines (
    order_line_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (order_id),
    product_id INTEGER NOT NULL REFERENCES products (product_id), quantity INTEGER NOT NULL, unit_price REAL NOT NULL);
CREATE TABLE flights (
    flight_id INTEGER PRIMARY KEY, origin_id INTEGER NOT NULL REFERENCES stores (store_id),
    destination_id INTEGER NOT NULL REFERENCES stores (store_id), seats INTEGER NOT NULL);
"""

_FIRST = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Gina", "Hugo", "Ines", "Jan")
_LAST = ("Adler", "Birk", "Cramer", "Dorn", "Esch", "Falk")
_COUNTRIES = ("Germany", "France", "Spain", "United Kingdom")
_STATUSES = ("completed", "completed", "completed", "shipped", "cancelled")
_PRODUCTS = (
    ("Oak Table", 320.0, 1), ("Pine Chair", 45.5, 1), ("Wool Rug", 120.0, 2), ("Silk Cushion", 35.0, 2),
    ("Desk Lamp", 60.0, 3), ("Floor Lamp", 140.0, 3), ("Garden Bench", 210.0, 4), ("Old Stock", 5.0, 4),
)  # fmt: skip


def _fill(con: sqlite3.Connection) -> None:
    random.seed(11)
    con.executemany("INSERT INTO regions VALUES (?, ?)", [(1, "North"), (2, "South"), (3, "West")])
    con.executemany(
        "INSERT INTO categories VALUES (?, ?)", [(1, "Furniture"), (2, "Textiles"), (3, "Lighting"), (4, "Garden")]
    )
    con.executemany("INSERT INTO tags VALUES (?, ?)", [(1, "new"), (2, "sale"), (3, "eco")])
    con.executemany(
        "INSERT INTO stores VALUES (?, ?, ?)", [(1, "Alpha", "Berlin"), (2, "Beta", "Berlin"), (3, "Gamma", "Bonn")]
    )
    for n, (name, price, category) in enumerate(_PRODUCTS, 1):
        con.execute("INSERT INTO products VALUES (?, ?, ?, ?)", (n, name, price, category))
        for tag in random.sample((1, 2, 3), n % 3):
            con.execute("INSERT INTO product_tags VALUES (?, ?)", (n, tag))
    for n in range(1, 41):
        signup = date(2024, 1, 1) + timedelta(days=random.randrange(900))
        email = None if n % 7 == 0 else f"c{n}@example.org"
        row = (
            n,
            _FIRST[n % 10],
            _LAST[n % 6],
            email,
            _COUNTRIES[n % 4],
            20 + n,
            signup.isoformat(),
            n % 3 > 0,
            n % 3 + 1,
        )
        con.execute("INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    line = 1
    for n in range(1, 301):
        day = date(2024, 3, 1) + timedelta(days=random.randrange(990))
        shipped = None if n % 9 == 0 else (day + timedelta(days=random.randrange(1, 9))).isoformat()
        store = None if n % 4 == 0 else n % 3 + 1
        row = (
            n,
            random.randrange(1, 36),
            store,
            day.isoformat(),
            shipped,
            random.choice(_STATUSES),
            round(random.uniform(3, 40), 2),
        )
        con.execute("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        for product in random.sample(range(1, 8), random.randrange(1, 4)):
            price = _PRODUCTS[product - 1][1]
            con.execute(
                "INSERT INTO order_lines VALUES (?, ?, ?, ?, ?)", (line, n, product, random.randrange(1, 5), price)
            )
            line += 1
    con.executemany("INSERT INTO flights VALUES (?, ?, ?, ?)", [(1, 1, 2, 50), (2, 1, 3, 70), (3, 2, 3, 20)])


DOCUMENTS: tuple[Document, ...] = (
    Metric(
        name="net revenue",
        synonyms=("sales",),
        expression="SUM(order_lines.quantity * order_lines.unit_price)",
        table="order_lines",
        joins=("orders",),
        filters=("orders.status <> 'cancelled'",),
        date_column="orders.order_date",
        unit="currency",
        unit_symbol="EUR",
        dimensions=("regions.name", "categories.name"),
        origin="metrics.yaml",
    ),
    Metric(
        name="average order value",
        synonyms=("AOV",),
        expression="SUM(order_lines.quantity * order_lines.unit_price) / COUNT(DISTINCT orders.order_id)",
        table="order_lines",
        joins=("orders",),
        filters=("orders.status <> 'cancelled'",),
        date_column="orders.order_date",
        unit_symbol="EUR",
        origin="metrics.yaml",
    ),
    Metric(
        name="cancellation rate",
        expression="100.0 * SUM(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*)",
        table="orders",
        date_column="order_date",
        unit="percent",
        origin="metrics.yaml",
    ),
    Term(
        name="young customer",
        definition="A customer of at most 30 years.",
        table="customers",
        sql="customers.age <= 30",
        origin="glossary.yaml",
    ),
    Term(
        name="recent customer",
        definition="Signed up in the last 365 days.",
        table="customers",
        sql="customers.signup_date >= date('{today}', '-365 days')",
        origin="glossary.yaml",
    ),
    Rule(
        name="Cancelled orders never count",
        statement="Leave cancelled orders out.",
        applies_to=("orders", "net revenue"),
        condition="orders.status <> 'cancelled'",
        origin="rules.md",
    ),
    VerifiedQuery(
        question="What are our 3 dearest products?",
        sql="SELECT name AS product, price FROM products ORDER BY price DESC LIMIT 3",
        verifier="Ada",
        verified_on=date(2026, 10, 1),
        tables=("products",),
    ),
    VerifiedQuery(
        question="Number of customers by country",
        sql="SELECT country, COUNT(*) AS customers FROM customers GROUP BY country ORDER BY customers DESC",
        verifier="Ben",
        verified_on=date(2026, 10, 2),
        tables=("customers",),
    ),
)


@pytest.fixture(scope="session")
def shop_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop's database."""
    path = tmp_path_factory.mktemp("shop") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(SCHEMA)
        _fill(con)
    return path


@pytest.fixture(scope="session")
def shop_schema() -> str:
    """The shop's tables in SQLite's SQL."""
    return SCHEMA


def read_catalog(path: Path) -> Catalog:
    """A file's catalog, as the real source reads it."""

    async def read() -> Catalog:
        source = await SqliteSource.open(addresses(str(path))[0])
        try:
            return await source.catalog()
        finally:
            await source.close()

    return asyncio.run(read())


@pytest.fixture(scope="session")
def catalog(shop_file: Path) -> Catalog:
    """The shop's catalog."""
    return read_catalog(shop_file)


@pytest.fixture(scope="session")
def catalog_of() -> Callable[[Path], Catalog]:
    """`read_catalog`, for tests with a database of their own."""
    return read_catalog


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., tuple[Analyst, sqlite3.Connection]]]:
    """Makes a database of a script, and gives an analyst who knows it and nothing else, and a connection to it."""
    with ExitStack() as stack:

        def open_database(name: str, script: str, today: date = TODAY) -> tuple[Analyst, sqlite3.Connection]:
            path = tmp_path_factory.mktemp(name) / f"{name}.sqlite"
            with closing(sqlite3.connect(path)) as con, con:
                con.executescript(script)
            reading = stack.enter_context(closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)))
            return Analyst([read_catalog(path)], (), today), reading

        yield open_database


@pytest.fixture(scope="session")
def plain(catalog: Catalog) -> Analyst:
    """An analyst who knows the data and nothing else."""
    return Analyst([catalog], (), TODAY)


@pytest.fixture(scope="session")
def informed(catalog: Catalog) -> Analyst:
    """An analyst who knows the company's words as well."""
    return Analyst([catalog], DOCUMENTS, TODAY)


@pytest.fixture
def shop(shop_file: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the shop."""
    with closing(sqlite3.connect(f"file:{shop_file}?mode=ro", uri=True)) as con:
        yield con


Ask = Callable[..., Understood]


def meaning_of(analyst: Analyst, question: str, previous: Meaning | None = None) -> Understood:
    """The understood question; fails with the outcome if it is anything else."""
    outcome = analyst.read(question, previous)
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    return outcome


@pytest.fixture
def understood() -> Ask:
    """`meaning_of`, for tests."""
    return meaning_of


@pytest.fixture
def meaning_after() -> Callable[[Analyst, Sequence[str]], Meaning]:
    """What the last of several turns of a conversation means; each must be understood."""

    def after(analyst: Analyst, turns: Sequence[str]) -> Meaning:
        meaning = meaning_of(analyst, turns[0]).meaning
        for text in turns[1:]:
            meaning = meaning_of(analyst, text, meaning).meaning
        return meaning

    return after


def canonical(rows: list[tuple[object, ...]]) -> list[tuple[str, ...]]:
    """Rows as a multiset, with numbers to 6 digits."""
    return sorted(tuple(f"{v:.6g}" if isinstance(v, int | float) else str(v) for v in row) for row in rows)


@pytest.fixture
def same_rows() -> Callable[[list[tuple[object, ...]], list[tuple[object, ...]]], bool]:
    """Whether two results hold the same rows, in any order."""
    return lambda ours, theirs: canonical(ours) == canonical(theirs)


@pytest.fixture
def first_rows() -> Callable[[tuple[Analyst, sqlite3.Connection], str], tuple[list[object], sqlite3.Connection, str]]:
    """Runs a question's likeliest reading on an opened database, and gives its rows, the connection and the SQL."""

    def run(opened: tuple[Analyst, sqlite3.Connection], question: str) -> tuple[list[object], sqlite3.Connection, str]:
        analyst, con = opened
        found = analyst.candidates(question)
        assert found, analyst.read(question)
        sql = analyst.sql(found[0].meaning, context=False)
        return con.execute(sql).fetchall(), con, sql

    return run
