"""Governed metrics answer the same whoever asks: the embedded analyst, and the metric step of a model's plan.

A grid of metrics, dimensions and periods on two engines. What the analyst cannot compute as it is defined it declines.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from itertools import product
from pathlib import Path

import duckdb
import pytest
from rights_of_person import PERSON
from semantic_shop import MODEL, catalog, database, model, rows

from assistant.agents.model.metric_steps import MetricQuery, compile_metric_query
from assistant.analyst.analyst import Analyst
from assistant.analyst.outcomes import Ambiguous, Declined, Understood
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.sources import Source
from knowledge.semantic.files import read_semantic

TODAY = date(2024, 12, 30)
METRICS = {
    "revenue": "revenue",
    "turnover": "revenue",
    "order count": "order_count",
    "average order": "average_order",
    "active clients": "active_clients",
    "big orders": "big_orders",
}
BEYOND = ("refund rate", "kept", "balance", "running revenue", "revenue of three", "revenue growth")
DIMENSIONS = {"": (), " by region": ("clients.area",)}
GRAINS = ("", "year", "quarter", "month")
PERIODS = {
    "": ("", ""),
    " in 2024": ("2024-01-01", "2025-01-01"),
    " in March 2024": ("2024-03-01", "2024-04-01"),
    " in Q2 2024": ("2024-04-01", "2024-07-01"),
}
Rows = list[tuple[tuple[str, ...], float | None]]


def written(engine: str, folder: Path) -> Path:
    """The shop as a file of an engine."""
    path = folder / f"shop.{engine}"
    if engine == "sqlite":
        with closing(sqlite3.connect(path)) as target:
            database().backup(target)
        return path
    kinds = {"integer": "BIGINT", "number": "BIGINT", "text": "VARCHAR", "date": "DATE"}
    with duckdb.connect(str(path)) as con:
        for table in catalog().tables:
            columns = ", ".join(f"{column.name} {kinds[column.kind]}" for column in table.columns)
            con.execute(f"CREATE TABLE {table.name} ({columns})")
            marks = ", ".join("?" * len(table.columns))
            con.executemany(f"INSERT INTO {table.name} VALUES ({marks})", rows()[table.name])
    return path


class Asked:
    """One shop with both who can be asked."""

    def __init__(self, path: Path, folder: Path) -> None:
        self._runner = asyncio.Runner()
        self._source: Source = self._runner.run(open_source(parse_addresses(str(path), PERSON)[0], folder=folder))
        self._catalog = self._runner.run(self._source.catalog())
        documents = read_semantic(MODEL, origin="semantic/shop.yaml").documents
        self.analyst = Analyst([self._catalog], documents, TODAY)

    def close(self) -> None:
        self._runner.run(self._source.close())
        self._runner.close()

    def by_analyst(self, question: str) -> Rows:
        outcome = self.analyst.read(question)
        assert isinstance(outcome, Understood), (question, outcome)
        return self._rows(self.analyst.sql(outcome.meaning))

    def by_step(self, metric: str, dimensions: tuple[str, ...], grain: str, start: str, end: str) -> Rows:
        asked = MetricQuery.model_validate(
            {"metrics": (metric,), "dimensions": dimensions, "grain": grain, "start": start, "end": end}
        )
        head, sql = compile_metric_query(asked, [model()], [self._catalog], today=TODAY).split("\n", 1)
        assert head.startswith("Source shop, columns")
        return self._rows(sql)

    def _rows(self, sql: str) -> Rows:
        """Each row as its labels, in whatever order they stand, and its figure."""
        found = [tuple(row.values()) for row in self._runner.run(self._source.run(sql)).table.to_pylist()]
        labelled = [(tuple(sorted(map(str, row[:-1]))), row[-1] and round(float(row[-1]), 9)) for row in found]
        return sorted(labelled, key=lambda row: row[0])


@pytest.fixture(scope="module", params=["sqlite", "duckdb"])
def shop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    folder = tmp_path_factory.mktemp("shop")
    asked = Asked(written(request.param, folder), folder / "made")
    yield asked
    asked.close()


# The grid on the second engine is for the long run; in the short one it is asked of one metric of each kind.
ON_BOTH = ("revenue", "average order", "active clients")
GRID = [
    pytest.param(engine, said, by, marks=[] if engine == "sqlite" or said in ON_BOTH else [pytest.mark.slow])
    for engine in ("sqlite", "duckdb")
    for said, by in product(METRICS, DIMENSIONS)
]


@pytest.mark.slow
@pytest.mark.parametrize(("shop", "said", "by"), GRID, indirect=["shop"])
def test_a_governed_metric_is_the_same_in_every_cut_and_period(shop: Asked, said: str, by: str) -> None:
    filled = 0
    for grain, when in product(GRAINS, PERIODS):
        question = f"{said}{by}{f' by {grain}' if grain else ''}{when}"
        answered = shop.by_analyst(question)
        assert answered == shop.by_step(METRICS[said], DIMENSIONS[by], grain, *PERIODS[when]), question
        filled += any(figure for _, figure in answered)
    assert filled == len(GRAINS) * len(PERIODS)


@pytest.mark.parametrize("name", BEYOND)
def test_a_metric_that_the_analyst_cannot_compute_is_never_another_figure(shop: Asked, name: str) -> None:
    for by, grain, when in product(DIMENSIONS, GRAINS, PERIODS):
        outcome = shop.analyst.read(f"{name}{by}{f' by {grain}' if grain else ''}{when}")
        assert isinstance(outcome, Declined), outcome
        assert f"“{name}” is a metric of your semantic model" in outcome.reason
    assert isinstance(shop.analyst.read("total refund by region"), Understood | Ambiguous)  # the column alone is free
