"""Studies asked in real sessions: the sample company in SQLite, and a CSV of sales. Each is asked once for its module."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from assistant.bootstrap import open_workspace
from assistant.cells.charts import chart_of
from assistant.data.addresses import addresses
from assistant.data.catalog import Catalog
from assistant.data.opening import open_source
from assistant.embedded.analyst import Analyst
from assistant.events import Answer, Event, Execution, Plan, Proposal, Review
from assistant.flow import current_turn
from assistant.sample.company import write_sample
from assistant.settings.config import Settings
from knowledge.sources.folder import read_folder

TODAY = date(2026, 11, 21)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came of one question: the last event of its turn, the table of the answer, and whether a chart was drawn."""

    question: str
    turn: tuple[Event, ...]
    rows: tuple[Mapping[str, object], ...]
    chart: bool

    @property
    def answer(self) -> Answer:
        """The turn's answer; fails with what there is where there is none."""
        last = self.turn[-1]
        assert isinstance(last, Answer), f"{self.question!r}: {last}"
        return last

    @property
    def text(self) -> str:
        """The answer's text, where it was answered."""
        assert self.answer.status == "answered", f"{self.question!r}: {self.answer.text}"
        return self.answer.text

    @property
    def measures(self) -> dict[str, float]:
        """A table of names and values as a mapping."""
        return {str(r["measure"]): float(str(r["value"])) for r in self.rows if r["value"] is not None}

    @property
    def plan(self) -> Plan:
        """The turn's plan."""
        return next(e for e in self.turn if isinstance(e, Plan))

    @property
    def code(self) -> str:
        """The Python that ran."""
        return next(e.code for e in reversed(self.turn) if isinstance(e, Proposal) and e.language == "python")


def conversation(source: Path, home: Path, questions: Sequence[str]) -> list[Asked]:
    """Put questions to a source in one session, everything approved by policy; nothing the review warns of is run."""

    async def scenario() -> list[Asked]:
        found: list[Asked] = []
        settings = Settings(home=home, as_of=TODAY, sources=(str(source),), embeddings="hashing")
        async with open_workspace(settings) as workspace:
            session = await workspace.create()
            for question in questions:
                await session.ask(question, approve=("plan", "query", "python"))
                await session.settled()
                turn = current_turn([entry.event for entry in session.events()])
                concerns = [e for e in turn if isinstance(e, Review) and e.verdict != "ok"]
                assert not concerns, f"{question!r}: {concerns}"
                last = turn[-1]
                table = last.table if isinstance(last, Answer) else None
                view = session.table(table, rows_max=5_000) if table is not None else None
                rows = tuple(dict(zip(view.columns, row, strict=True)) for row in view.rows) if view else ()
                drawn = any(isinstance(e, Execution) and chart_of(e) is not None for e in turn)
                found.append(Asked(question=question, turn=turn, rows=rows, chart=drawn))
            await session.close()
        return found

    return asyncio.run(scenario())


Talk = Callable[[str], Asked]


@pytest.fixture(scope="session")
def talk() -> Callable[[Path, Path, Sequence[str]], Talk]:
    """Asks a source some questions, one after the other, and gives what came of each by its words."""

    def asked(source: Path, home: Path, questions: Sequence[str]) -> Talk:
        found = {one.question: one for one in conversation(source, home, questions)}
        return lambda question: found[question]

    return asked


@pytest.fixture(scope="session")
def company(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample company's database, its knowledge beside it."""
    return write_sample(tmp_path_factory.mktemp("company"), as_of=TODAY).database


@pytest.fixture
def company_rows(company: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the company's database, to compute figures from by another way."""
    with closing(sqlite3.connect(f"file:{company}?mode=ro", uri=True)) as connection:
        yield connection


def sales() -> pd.DataFrame:
    """Two years and a half of sales with a trend, a link, a doubled row, two spellings and one wild value."""
    random = np.random.default_rng(7)
    count = 900
    days = pd.Series(np.sort(random.choice(pd.date_range("2023-01-01", "2025-06-30"), count)))
    days.iloc[0], days.iloc[-1] = pd.Timestamp("2023-01-01"), pd.Timestamp("2025-06-30")
    quantity = random.integers(1, 9, count)
    price = random.choice([12.5, 20.0, 35.0, 80.0], count)
    discount = np.round(np.clip(0.02 * quantity + random.normal(0, 0.03, count), 0, 0.4), 3)
    region = random.choice(["North", "South", "East"], count, p=[0.5, 0.3, 0.2])
    month = (days.dt.year - 2023) * 12 + days.dt.month
    amount = np.round(quantity * price * (1 - discount) * (1 + 0.03 * month) * np.where(region == "South", 0.7, 1.0), 2)
    amount.iloc[5] = 25_000.0
    shipped = days + pd.to_timedelta(random.integers(1, 9, count), "D")
    shipped[random.random(count) < 0.08] = pd.NaT
    shipped.iloc[10] = days.iloc[10] - pd.Timedelta(days=20)
    table = pd.DataFrame(
        {
            "sale_id": range(1, count + 1),
            "sale_date": days.dt.date,
            "shipped_date": shipped.dt.date,
            "customer": random.choice([f"Customer {n:02d}" for n in range(40)], count),
            "region": region,
            "channel": random.choice(["web", "Web", "shop"], count, p=[0.45, 0.02, 0.53]),
            "quantity": quantity,
            "unit_price": price,
            "discount": discount,
            "amount": amount,
            "currency": "EUR",
        }
    )
    return pd.concat([table, table.iloc[[20, 21]].assign(sale_id=[901, 902])], ignore_index=True)


@pytest.fixture(scope="session")
def sales_table() -> pd.DataFrame:
    """The sales as a frame."""
    return sales()


@pytest.fixture(scope="session")
def sales_file(tmp_path_factory: pytest.TempPathFactory, sales_table: pd.DataFrame) -> Path:
    """The sales as a CSV file."""
    path = tmp_path_factory.mktemp("sales") / "sales.csv"
    sales_table.to_csv(path, index=False)
    return path


def catalog_of_file(path: Path, folder: Path) -> Catalog:
    """A source's catalog, as the real adapter reads it."""

    async def read() -> Catalog:
        source = await open_source(addresses(str(path))[0], folder=folder)
        try:
            return await source.catalog()
        finally:
            await source.close()

    return asyncio.run(read())


@pytest.fixture(scope="session")
def company_analyst(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Analyst:
    """An analyst of the sample company who knows its words."""
    catalog = catalog_of_file(company, tmp_path_factory.mktemp("files"))
    return Analyst([catalog], read_folder(company.parent / "knowledge").documents, TODAY)


@pytest.fixture(scope="session")
def sales_analyst(sales_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Analyst:
    """An analyst of the sales file, without any knowledge."""
    return Analyst([catalog_of_file(sales_file, tmp_path_factory.mktemp("files"))], (), TODAY)
