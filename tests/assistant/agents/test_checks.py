"""A proposal is looked at before it runs: what it costs stands in its findings, and the costly one is a warning."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from rights_of_person import PERSON

from assistant.agents.checks import check_cell
from assistant.core.catalog import Catalog
from assistant.core.events import Finding
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.sources import Source


class OneSource:
    """The sources of a session that has one."""

    def __init__(self, source: Source) -> None:
        self._source = source

    async def sources(self) -> tuple[Source, ...]:
        return (self._source,)

    async def catalogs(self) -> tuple[Catalog, ...]:
        return (await self._source.catalog(),)


@pytest.fixture(params=["sqlite", "duckdb"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Two tables of 40,000 rows."""
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000) SELECT i, i % 7 FROM n"
    path = tmp_path / f"shop.{request.param}"
    if request.param == "sqlite":
        with closing(sqlite3.connect(path)) as con, con:
            for name in ("sale", "visit"):
                con.execute(f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, v INTEGER)")
                con.execute(f"INSERT INTO {name} {numbers}")
    else:
        with duckdb.connect(str(path)) as con:
            for name in ("sale", "visit"):
                con.execute(f"CREATE TABLE {name} AS SELECT i AS id, i % 7 AS v FROM range(40000) AS r(i)")
    return path


def checked(database: Path, sql: str) -> tuple[Finding, ...]:
    async def work() -> tuple[Finding, ...]:
        source = await open_source(parse_addresses(str(database), PERSON)[0], folder=database.parent)
        try:
            return await check_cell(f't = query("""{sql}""")\nt', "sql", OneSource(source))
        finally:
            await source.close()

    return asyncio.run(work())


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM sale, visit",
        "SELECT s.id FROM sale AS s CROSS JOIN visit AS w",
        "WITH w AS (SELECT * FROM visit) SELECT max(s.v + w.v) FROM sale s JOIN w ON s.v <> w.v + 1",
    ],
)
def test_a_cross_join_of_two_big_tables_asks(database: Path, sql: str) -> None:
    found = checked(database, sql)
    warned = [finding.text for finding in found if finding.level == "warning"]
    assert len(warned) == 1, found
    assert "about 2 billion combinations of rows" in warned[0]
    assert "join condition missing" in warned[0]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM sale",
        "SELECT v, count(*) FROM sale GROUP BY v ORDER BY 2 DESC",
        "SELECT count(*) FROM sale JOIN visit ON sale.id = visit.id",
        "SELECT id FROM sale WHERE id IN (SELECT id FROM visit WHERE v = 3)",
        "SELECT id FROM sale s WHERE EXISTS (SELECT 1 FROM visit w WHERE w.id = s.id)",
        "SELECT id FROM sale UNION ALL SELECT id FROM visit",
    ],
)
def test_an_ordinary_query_does_not_ask(database: Path, sql: str) -> None:
    found = checked(database, sql)
    assert {finding.level for finding in found} == {"ok", "note"}, found
    assert any("40,000 rows" in finding.text for finding in found)


def test_a_query_that_would_tell_a_masked_value_is_sent_back_before_it_is_approved(database: Path) -> None:
    async def work() -> tuple[Finding, ...]:
        source = await open_source(parse_addresses(str(database), PERSON)[0], folder=database.parent, mask=("sale.v",))
        try:
            return await check_cell('t = query("""SELECT id FROM sale WHERE v = 3""")\nt', "sql", OneSource(source))
        finally:
            await source.close()

    found = asyncio.run(work())
    assert [finding.level for finding in found] == ["danger"]
    assert "masked" in found[0].text


def test_python_worth_a_look_is_a_warning_and_says_where(database: Path) -> None:
    async def work() -> tuple[Finding, ...]:
        source = await open_source(parse_addresses(str(database), PERSON)[0], folder=database.parent)
        try:
            return await check_cell("import os\nos.system('ls')", "python", OneSource(source))
        finally:
            await source.close()

    found = asyncio.run(work())
    assert any(finding.level == "warning" and finding.text and finding.line == 2 for finding in found), found
    assert all(finding.level != "danger" for finding in found)


def test_a_cell_that_imports_what_the_cage_lacks_says_how_to_add_it(database: Path) -> None:
    async def work(added: tuple[str, ...]) -> list[str]:
        source = await open_source(parse_addresses(str(database), PERSON)[0], folder=database.parent)
        code = "import zebrafinch, pandas\nzebrafinch"
        try:
            found = await check_cell(code, "python", OneSource(source), added=added, session="s7")
            return [finding.text for finding in found if finding.level == "warning"]
        finally:
            await source.close()

    (said,) = asyncio.run(work(()))
    assert "tandem packages add zebrafinch --session s7" in said
    assert asyncio.run(work(("zebrafinch",))) == []


@pytest.mark.parametrize("module", ["statsmodels", "sklearn"])
def test_a_library_of_an_extra_says_how_to_install_it(
    module: str, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.packages.names.is_here", lambda name: name != module)

    async def work() -> list[str]:
        source = await open_source(parse_addresses(str(database), PERSON)[0], folder=database.parent)
        try:
            found = await check_cell(f"import {module}\n{module}", "python", OneSource(source), session="s7")
            return [finding.text for finding in found if finding.level == "warning"]
        finally:
            await source.close()

    (said,) = asyncio.run(work())
    assert f"This needs {module}: pip install 'tandem-analyst[analysis]'. " in said


class TwoSources:
    """The sources of a session that has several."""

    def __init__(self, *sources: Source) -> None:
        self._sources = sources

    async def sources(self) -> tuple[Source, ...]:
        return self._sources

    async def catalogs(self) -> tuple[Catalog, ...]:
        return tuple([await source.catalog() for source in self._sources])


@pytest.mark.parametrize(
    ("sql", "is_elsewhere"),
    [
        ("SELECT COUNT(*) FROM invoices", True),
        ("SELECT COUNT(*) FROM clients", False),
        ("WITH invoices AS (SELECT * FROM clients) SELECT COUNT(*) FROM invoices", False),
    ],
)
def test_a_table_of_another_source_is_named_with_the_source_that_has_it(
    sql: str, is_elsewhere: bool, tmp_path: Path
) -> None:
    for name in ("clients", "invoices"):
        (tmp_path / f"{name}.csv").write_text("client_no,amount\n1,2\n2,3\n", encoding="utf-8")

    async def work() -> tuple[Finding, ...]:
        addresses = [parse_addresses(str(tmp_path / f"{name}.csv"), PERSON)[0] for name in ("clients", "invoices")]
        sources = [await open_source(address, folder=tmp_path) for address in addresses]
        try:
            return await check_cell(f't = query("""{sql}""", source="clients")\nt', "sql", TwoSources(*sources))
        finally:
            for source in sources:
                await source.close()

    findings = asyncio.run(work())
    told = "The source 'clients' has no table 'invoices'; 'invoices' has it."
    assert any(finding.level == "danger" and finding.text.startswith(told) for finding in findings) == is_elsewhere
    assert is_elsewhere or not any(finding.level == "danger" for finding in findings)
