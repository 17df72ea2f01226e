"""The types of every engine, on real servers: what the catalog says, what pandas gets, what the analyst answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import clickhouse_server
import mariadb_server
import postgres
import pytest
from engines_with import clickhouse_with, duckdb_with, mariadb_with, postgres_with, sqlite_with
from rights_of_person import PERSON
from typings_of_engines import CLICKHOUSE, DUCKDB, MARIADB, POSTGRES, SQLITE, Typing

from assistant.agents.model.source_descriptions import describe_overview
from assistant.analyst.analyst import Analyst
from assistant.analyst.outcomes import Understood
from assistant.analyst.presenting.answers import AnswerRows, notes
from assistant.analyst.roles import typed
from assistant.core.catalog import Catalog
from assistant.query.guard import check
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.sources import Source

pytestmark = pytest.mark.server

_ROWS = range(1, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """How the table of types is made; `answers` are questions about it with the first row of the right answer."""

    served: Callable[[Path, Sequence[str]], AbstractContextManager[str]]
    columns: tuple[Typing, ...]
    answers: tuple[tuple[str, tuple[object, ...]], ...]
    before: tuple[str, ...] = ()
    quote: str = '"'
    tail: str = ""
    json: str = ""

    def statements(self) -> list[str]:
        """All columns in one table of five rows."""
        name = f"{self.quote}{{}}{self.quote}"
        columns = ", ".join(f"{name.format(column.name)} {column.type}" for column in self.columns)
        rows = ", ".join(
            "(" + ", ".join([str(n), *(column.value.format(n=n, m=n % 2) for column in self.columns)]) + ")"
            for n in _ROWS
        )
        id_type = "Int64" if self.tail else "integer"
        return [
            *self.before,
            f"CREATE TABLE visits (id {id_type}{'' if self.tail else ' PRIMARY KEY'}, {columns}){self.tail}",
            f"INSERT INTO visits VALUES {rows}",
        ]


_COMMON = (
    ("How many visits are there?", (5,)),
    ("average price", (3.5,)),
    ("total Größe", (17.5,)),
    ("number of visits by feeling", ("mood 1", 3)),
    ("How many visits have feeling mood 0?", (2,)),
    ("number of visits by day", ("2024-03-01", 1)),
)
_ENUM = "CREATE TYPE mood AS ENUM ('mood 0', 'mood 1')"
_ENGINES = {
    "postgres": Engine(
        served=postgres_with,
        columns=POSTGRES,
        before=(
            "CREATE DOMAIN price_type AS numeric(10, 2) CHECK (VALUE > 0)",
            "CREATE DOMAIN email_name AS integer",
            _ENUM,
        ),
        answers=(
            *_COMMON,
            ("total fee", (5002.65,)),
            ("average effort", (3.0,)),
            ("total effort by feeling", ("mood 1", 9.0)),
        ),
        json="doc ->> 'colour'",
    ),
    "mysql": Engine(
        served=mariadb_with,
        columns=MARIADB,
        quote="`",
        answers=(*_COMMON, ("number of visits by born", (2020, 2))),
    ),
    "duckdb": Engine(
        served=duckdb_with,
        columns=DUCKDB,
        before=(_ENUM,),
        answers=(*_COMMON, ("average effort", (3.0,)), ("total effort by feeling", ("mood 1", 9.0))),
        json="doc ->> 'colour'",
    ),
    "sqlite": Engine(served=sqlite_with, columns=SQLITE, answers=_COMMON, json="doc ->> 'colour'"),
    "clickhouse": Engine(
        served=clickhouse_with, columns=CLICKHOUSE, answers=_COMMON, tail=" ENGINE = MergeTree ORDER BY tuple()"
    ),
}
_MISSING = (postgres.NoPostgres, mariadb_server.NoMariaDB, clickhouse_server.NoClickHouse)


@dataclass(frozen=True, slots=True)
class Visits:
    """The table on an engine, read once."""

    engine: Engine
    address: str
    folder: Path
    catalog: Catalog

    def frame(self, sql: str) -> Any:
        """What the kernel gets."""

        async def run(source: Source) -> Any:
            return (await source.run(sql)).table.to_pandas()

        return _asked(self.address, self.folder, run)

    def answer(self, question: str, *, time_zone: str = "UTC") -> list[tuple[object, ...]]:
        """The rows that the embedded analyst gives."""
        analyst = Analyst([replace(self.catalog, time_zone=time_zone)], (), date(2024, 6, 1))
        outcome = analyst.read(question)
        assert isinstance(outcome, Understood), f"{question}: {outcome}"
        frame = self.frame(analyst.sql(outcome.meaning))
        return [
            tuple(float(value) if isinstance(value, Decimal) else value for value in row)
            for row in frame.itertuples(index=False)
        ]


def _asked(address: str, folder: Path, work: Callable[[Source], Any]) -> Any:
    async def opened() -> Any:
        source = await open_source(parse_addresses(address, PERSON)[0], folder=folder / "loaded")
        try:
            return await work(source)
        finally:
            await source.close()

    return asyncio.run(opened())


@pytest.fixture(scope="module", params=_ENGINES)
def visits(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visits]:
    engine, folder = _ENGINES[request.param], tmp_path_factory.mktemp(request.param)
    try:
        with engine.served(folder, engine.statements()) as address:
            yield Visits(engine, address, folder, _asked(address, folder, lambda source: source.catalog()))
    except _MISSING as missing:
        pytest.skip(str(missing))


def test_the_catalog_says_what_each_column_is(visits: Visits) -> None:
    table = visits.catalog.table("visits")
    assert table is not None
    columns = {column.name: column for column in table.columns}
    roles = {name: typed(column, rows=5, is_key=False).role for name, column in columns.items()}
    said = [(one.name, columns[one.name].kind, roles[one.name]) for one in visits.engine.columns]
    assert said == [(one.name, one.kind, one.role) for one in visits.engine.columns]
    measured = ("integer", "number", "text", "datetime", "duration")
    assert [c.name for c in table.columns if c.kind in measured and c.profile is None] == []


def test_pandas_gets_values_as_the_engine_has_them(visits: Visits) -> None:
    quote = visits.engine.quote
    for column in visits.engine.columns:
        frame = visits.frame(f"SELECT {quote}{column.name}{quote} FROM visits ORDER BY id")
        said = (column.name, str(frame.dtypes.iloc[0])[: len(column.dtype)], str(frame.iloc[0, 0])[: len(column.first)])
        assert said == (column.name, column.dtype, column.first)


def test_the_analyst_answers_by_each_kind(visits: Visits) -> None:
    answers = {question: visits.answer(question)[0] for question, _ in visits.engine.answers}
    assert answers == {question: pytest.approx(row) for question, row in visits.engine.answers}


def test_days_of_instants_are_those_of_a_zone(visits: Visits) -> None:
    column = visits.catalog.tables[0].column("seen")
    assert column is not None
    first = "2024-03-02" if column.conversion == "zoned" else "2024-03-01"
    assert visits.answer("number of visits by day", time_zone="Europe/Berlin")[0] == (first, 1)
    first_day = "How many visits were there on 2024-03-01?"
    assert visits.answer(first_day, time_zone="UTC") == [(1,)]
    assert visits.answer(first_day, time_zone="Europe/Berlin") == [(int(column.conversion != "zoned"),)]


def test_a_day_of_an_instant_is_said_to_be_that_of_a_zone(visits: Visits) -> None:
    column = visits.catalog.tables[0].column("seen")
    assert column is not None
    catalog = replace(visits.catalog, time_zone="Europe/Berlin")
    analyst = Analyst([catalog], (), date(2024, 6, 1))
    remarks: list[tuple[str, ...]] = []
    for question in ("number of visits by day", "How many visits are there?"):
        outcome = analyst.read(question)
        assert isinstance(outcome, Understood)
        frame = visits.frame(analyst.sql(outcome.meaning))
        rows = [tuple(row) for row in frame.itertuples(index=False)]
        result = AnswerRows(columns=tuple(frame.columns), rows=rows, total=len(rows))
        remarks.append(notes(outcome.meaning, result, analyst.sources[catalog.source].schema))
    zoned = column.conversion == "zoned"
    assert remarks == [("Days are those of Europe/Berlin.",) * zoned, ()]
    assert ("days are those of Europe/Berlin" in describe_overview([catalog], tokens_max=2_000)) == zoned


def test_a_key_of_a_json_column_is_known_and_can_be_asked_for(visits: Visits) -> None:
    if not visits.engine.json:
        return
    sql = f"SELECT {visits.engine.json} AS colour, count(*) AS n FROM visits GROUP BY 1 ORDER BY 2 DESC"
    assert check(sql, dialect=visits.catalog.dialect) is None
    assert visits.frame(sql).to_dict("list") == {"colour": ["c1", "c0"], "n": [3, 2]}
    profile = visits.catalog.tables[0].column("doc").profile  # type: ignore[union-attr]
    assert profile is not None
    if visits.catalog.dialect != "sqlite":
        assert set(profile.json_keys) == {"colour", "n"}
