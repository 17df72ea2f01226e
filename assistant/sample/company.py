"""Generates the sample company's tables for a date, and writes them with their knowledge and questions.

The same date gives the same rows on any machine: one seeded generator, no clock. `write_sample` writes everything; the
other modules of the package only make values.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import repeat
from pathlib import Path
from secrets import token_hex

import numpy as np

from assistant.sample import after_sales, assortment, people, story, trade
from assistant.sample import names as words

SEED = 1881
DATABASE = "company.sqlite"
KNOWLEDGE = "knowledge"
SUITE = "suite.jsonl"
TODAY = "{today}"
"""What knowledge and questions write for the day of the clock; readers put its ISO text in place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTable:
    """A table's columns, all of one length, as SQLite takes them."""

    name: str
    columns: tuple[Sequence[object], ...]

    def __len__(self) -> int:
        return len(self.columns[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleReport:
    """What was written.

    Attributes:
        database: The SQLite file.
        knowledge: The knowledge folder.
        suite: The evaluation suite over the database, its dates put in.
        tables: Rows by table, in the order the tables build on each other.
    """

    database: Path
    knowledge: Path
    suite: Path
    tables: tuple[tuple[str, int], ...]


def write_sample(folder: Path, *, as_of: date) -> SampleReport:
    """Write the sample company as of a day; its data ends the day before.

    An older database and suite in the folder are replaced, each at once, never seen half written, also by programs
    that write the same folder at the same time; the database comes last. Files of the knowledge folder that exist are
    kept: a person may have changed them, and verified queries gather there.

    Args:
        folder: Where to write; made if it is not there.
        as_of: The day that is "today" for the company, from 1910 on.

    Raises:
        ValueError: `as_of` is too early.
        OSError: The folder cannot be written.
    """
    tables = make_tables(as_of)
    folder.mkdir(parents=True, exist_ok=True)
    shipped = resources.files("assistant.sample")
    _copy_missing(shipped / KNOWLEDGE, folder / KNOWLEDGE)
    suite, database = folder / SUITE, folder / DATABASE
    questions = (shipped / SUITE).read_text(encoding="utf-8").replace(TODAY, as_of.isoformat())
    with _beside(suite) as part:
        part.write_text(questions, encoding="utf-8")
    with _beside(database) as part:
        _write_database(part, tables)
    return SampleReport(
        database=database,
        knowledge=folder / KNOWLEDGE,
        suite=suite,
        tables=tuple((table.name, len(table)) for table in tables),
    )


def make_tables(as_of: date) -> tuple[SampleTable, ...]:
    """Make all rows of all tables for a day, in an order in which each refers only to earlier ones.

    Raises:
        ValueError: `as_of` is too early.
    """
    history = story.make_story(as_of)
    rng = np.random.default_rng(SEED)
    stores = people.make_stores(history, rng)
    customers = people.make_customers(history, rng)
    products = assortment.make_products(history, rng)
    orders, lines = trade.make_trade(history, customers, stores, products, rng)
    returns = after_sales.make_returns(history, orders, lines, products, rng)
    tickets = after_sales.make_tickets(history, orders, customers, rng)
    spending = after_sales.make_spending(history, rng)

    def day(offsets: story.Ints) -> list[str]:
        return story.iso(history, offsets)

    def day_or_none(offsets: story.Ints, *, present: Sequence[bool]) -> list[str | None]:
        return [
            text if is_known else None
            for text, is_known in zip(day(np.clip(offsets, -(10**5), 10**5)), present, strict=True)
        ]

    def label(names: Sequence[str], codes: story.Ints) -> list[str | None]:
        return [names[int(code)] if code >= 0 else None for code in codes]

    counted = orders.status != trade.CANCELLED
    first = np.full(len(customers.name), history.days)
    last = np.full(len(customers.name), -1)
    np.minimum.at(first, orders.customer[counted], orders.day[counted])
    np.maximum.at(last, orders.customer[counted], orders.day[counted])
    bought = (last >= 0).tolist()
    returned = np.zeros(len(lines), dtype=np.int64)
    refunded = np.zeros(len(lines))
    returned[returns.line], refunded[returns.line] = returns.quantity, returns.amount
    return (
        _table("regions", [name for name, _, _ in words.REGIONS], [manager for _, manager, _ in words.REGIONS]),
        _table(
            "stores",
            stores.name,
            stores.city,
            (stores.region + 1).tolist(),
            stores.area_m2.tolist(),
            day(stores.opened),
            day_or_none(stores.closed, present=(stores.closed < history.days).tolist()),
        ),
        _table(
            "customers",
            customers.name,
            customers.email,
            label(words.SEGMENTS, customers.segment),
            customers.city,
            (customers.region + 1).tolist(),
            day(customers.signup),
            day_or_none(first, present=bought),
            day_or_none(last, present=bought),
        ),
        _table("categories", [entry[0] for entry in words.CATEGORIES], [entry[1] for entry in words.CATEGORIES]),
        _table(
            "products",
            products.name,
            (products.category + 1).tolist(),
            products.list_price.tolist(),
            products.unit_cost.tolist(),
            day(products.launched),
            day_or_none(products.discontinued, present=(products.discontinued < history.days).tolist()),
        ),
        _table(
            "orders",
            (orders.customer + 1).tolist(),
            (customers.region[orders.customer] + 1).tolist(),
            [store + 1 if store >= 0 else None for store in orders.store.tolist()],
            label(words.ORDER_CHANNELS, orders.channel),
            day(orders.day),
            label(trade.STATUSES, orders.status),
        ),
        _table(
            "order_lines",
            (lines.order + 1).tolist(),
            (lines.product + 1).tolist(),
            lines.quantity.tolist(),
            lines.unit_price.tolist(),
            lines.discount.tolist(),
            returned.tolist(),
            refunded.tolist(),
        ),
        _table(
            "returns",
            (returns.line + 1).tolist(),
            day(returns.day),
            returns.quantity.tolist(),
            label(words.RETURN_REASONS, returns.reason),
            returns.amount.tolist(),
        ),
        _table(
            "marketing_spend",
            [month.isoformat() for month in spending.month],
            (spending.region + 1).tolist(),
            label(words.MARKETING_CHANNELS, spending.channel),
            spending.amount.tolist(),
        ),
        _table(
            "support_tickets",
            (tickets.customer + 1).tolist(),
            day(tickets.opened),
            day_or_none(tickets.closed, present=(tickets.closed >= 0).tolist()),
            label(after_sales.PRIORITIES, tickets.priority),
            label(after_sales.TICKET_STATUSES, tickets.status),
            label(words.TICKET_TOPICS, tickets.topic),
            [stars or None for stars in tickets.satisfaction.tolist()],
        ),
    )


def _table(name: str, *columns: Sequence[object]) -> SampleTable:
    """A table whose first column counts its rows from 1."""
    return SampleTable(name=name, columns=(range(1, len(columns[0]) + 1), *columns))


@contextmanager
def _beside(place: Path) -> Generator[Path]:
    """A new file's path, which is in `place` once it is written whole."""
    part = place.with_name(f".{place.name}.{token_hex(4)}.part")
    try:
        yield part
        os.replace(part, place)
    finally:
        part.unlink(missing_ok=True)


def _write_database(place: Path, tables: Sequence[SampleTable]) -> None:
    shipped = resources.files("assistant.sample")
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")  # a part file: thrown away unless it is written to the end
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript((shipped / "schema.sql").read_text(encoding="utf-8"))
        connection.execute("BEGIN")
        for table in tables:
            marks = ", ".join(repeat("?", len(table.columns)))
            connection.executemany(f"INSERT INTO {table.name} VALUES ({marks})", zip(*table.columns, strict=True))
        connection.execute("COMMIT")
        connection.executescript((shipped / "indexes.sql").read_text(encoding="utf-8"))
        connection.commit()


def _copy_missing(source: Traversable, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for entry in source.iterdir():
        place = target / entry.name
        if entry.is_dir():
            _copy_missing(entry, place)
        elif not place.exists():
            with _beside(place) as part:
                part.write_bytes(entry.read_bytes())
