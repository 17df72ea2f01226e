"""PostgreSQL, a real server: read-only under the guard, time limits that hold there, and no password anywhere."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import psycopg
import pytest
from postgres import QUOTED, NoPostgres, served
from rights_of_person import PERSON, person
from statements import honest, setup

from assistant.agents.checks import check_cell
from assistant.bootstrap import open_workspace
from assistant.core.data_errors import QueryFailed, QueryRefused, SourceError
from assistant.core.events import Answer, Failed
from assistant.core.values import Budget
from assistant.query.cells import render_cell
from assistant.query.cost import Estimate, estimate
from assistant.query.guard import check
from assistant.session.sources.sources import SessionSources
from assistant.settings.credentials import Credentials
from assistant.settings.settings import Settings
from assistant.sources.addresses import parse_addresses
from assistant.sources.catalog.catalogs import Catalogs
from assistant.sources.engines.access import Access
from assistant.sources.opening import open_source
from assistant.sources.sources import Source

pytestmark = pytest.mark.server

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """host:port/database of a server of our own, with a role that owns a table and knows a password."""
    try:
        with served() as at:
            with psycopg.connect(f"postgresql://owner:{QUOTED}@{at}", autocommit=True) as con:
                con.execute("CREATE TABLE region (id serial PRIMARY KEY, name text NOT NULL)")
                con.execute("COMMENT ON TABLE region IS 'where'")
                con.execute(
                    "CREATE TABLE sale (id bigint PRIMARY KEY, region_id int, day date, v numeric(10,2), doc jsonb, at timestamptz)"
                )
                con.execute("INSERT INTO region (name) VALUES ('North'), ('South 100%')")
                con.execute(
                    "INSERT INTO sale SELECT i, i % 2 + 1, '2024-01-01'::date + i, i / 4.0, '{\"a\": 1}', '2024-01-01' FROM generate_series(1, 100) i"
                )
                con.execute("CREATE SCHEMA other")
                con.execute('CREATE TABLE other."Odd ""Name%" (a int REFERENCES region)')
                con.execute("CREATE VIEW big AS SELECT * FROM sale WHERE v > 10")
                con.execute("CREATE SEQUENCE s")
            yield at
    except NoPostgres as missing:
        pytest.skip(str(missing))


async def opened(server: str, password: str = QUOTED) -> Source:
    return await open_source(
        parse_addresses(f"postgresql://owner:{password}@{server}", PERSON)[0], folder=Path("unused")
    )


def another(server: str, name: str) -> str:
    """A database of its own on that server."""
    with psycopg.connect(f"postgresql://owner:{QUOTED}@{server}", autocommit=True) as con:
        con.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres", f"/{name}")


def test_the_catalog_says_what_is_there(server: str) -> None:
    async def work() -> None:
        source = await opened(server)
        catalog = await source.catalog()
        assert (catalog.dialect, catalog.source) == ("postgres", "postgres")
        assert {(table.schema, table.name, table.rows, table.is_view) for table in catalog.tables} == {
            (None, "region", 2, False),
            (None, "sale", 100, False),
            (None, "big", 60, True),
            ("other", 'Odd "Name%', 0, False),
        }
        sale, region, odd = catalog.table("sale"), catalog.table("region"), catalog.table('Odd "Name%')
        assert sale is not None
        assert region is not None
        assert odd is not None
        assert [(c.name, c.kind) for c in sale.columns] == [
            ("id", "integer"),
            ("region_id", "integer"),
            ("day", "date"),
            ("v", "number"),
            ("doc", "other"),
            ("at", "datetime"),
        ]
        assert [(key.columns, key.table, key.inferred) for key in sale.foreign_keys] == [
            (("region_id",), "region", True)
        ]
        assert [(key.table, key.inferred) for key in odd.foreign_keys] == [("region", False)]
        name, day = region.column("name"), sale.column("day")
        assert name is not None
        assert name.profile is not None
        assert name.profile.values == ("North", "South 100%")
        assert day is not None
        assert day.profile is not None
        assert (day.profile.low, day.profile.high) == ("2024-01-02", "2024-04-10")
        assert region.comment == "where"
        await source.close()

    run(work())


def test_casts_plans_settings_and_wrong_names(server: str) -> None:
    async def work() -> None:
        source = await opened(server)
        named = await source.run("SELECT count(*) AS n FROM sale WHERE id < :most AND 'a:b' <> ''::text", {"most": 10})
        assert named.table["n"].to_pylist() == [9]
        assert "Scan" in await source.explain("SELECT * FROM sale")
        assert (await source.run("SHOW server_version")).rows == 1
        with pytest.raises(QueryFailed, match='column "nope" does not exist'):
            await source.run("SELECT nope FROM sale")
        await source.close()

    run(work())


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO region (name) VALUES ('x')",
        "WITH d AS (DELETE FROM sale RETURNING *) SELECT * FROM d",
        "CREATE TABLE x AS SELECT 1",
        "SELECT * INTO x FROM sale",
        "SELECT 1; COMMIT; DROP TABLE sale",
        "COMMIT; DROP TABLE sale",
        "SELECT nextval('s')",
        "SELECT set_config('transaction_read_only', 'off', false)",
        "DO $$ BEGIN DELETE FROM sale; END $$",
        "SELECT * FROM sale FOR UPDATE",
        "COPY sale FROM PROGRAM 'echo 1'",
        "EXPLAIN ANALYZE DELETE FROM sale",
        "VACUUM",
        "TRUNCATE sale",
    ],
)
def test_the_server_itself_refuses_to_write(sql: str, server: str) -> None:
    async def work() -> None:
        source = await opened(server)
        with pytest.raises(QueryFailed):
            await source.run(sql)
        assert (await source.run("SELECT count(*) AS n FROM sale")).table["n"].to_pylist() == [100]
        assert (await source.run("SELECT to_regclass('x') AS x")).table["x"].to_pylist() == [None]
        await source.close()

    run(work())


def test_what_the_server_lets_through_is_rolled_back(server: str) -> None:
    async def work() -> None:
        source = await opened(server)
        with contextlib.suppress(QueryFailed):
            await source.run("SELECT lo_create(1)")  # PostgreSQL allows it in a read-only transaction up to 15
        assert (await source.run("SELECT count(*) AS n FROM pg_largeobject_metadata")).table["n"].to_pylist() == [0]
        await source.close()

    run(work())


def test_a_runaway_query_is_stopped_on_the_server(server: str) -> None:
    async def work() -> None:
        source = await opened(server)
        running = "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE '%generate_series(1, 10000000000%' AND state = 'active' AND pid <> pg_backend_pid()"
        endless = "SELECT count(*) FROM generate_series(1, 100000000000)"
        with pytest.raises(QueryRefused, match="longer than"):
            await source.run(endless, None, Budget(timeout_s=0.5))
        with pytest.raises(QueryRefused, match="longer than"):
            await source.run("SELECT pg_sleep(60)", None, Budget(timeout_s=0.5))
        task = asyncio.create_task(source.run(endless))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await source.run(running)).table["n"].to_pylist() == [0]
        with pytest.raises(QueryRefused, match="rows"):
            await source.run("SELECT generate_series(1, 1000000000)", None, Budget(rows_max=10_000))
        await source.close()

    run(work())


def test_a_table_of_the_server_is_joined_with_a_file_behind_its_mask(server: str, tmp_path: Path) -> None:
    """The other source's filter and the mask hold across both; names that need quotes are found in their schema."""
    (tmp_path / "goal.csv").write_text("region_id,goal\n1,500\n2,700\n")
    url = f"postgresql://owner:{QUOTED}@{server}"

    async def work() -> None:
        (address,) = parse_addresses(f"shop={url} + {tmp_path / 'goal.csv'} on goal.region_id = region.id", PERSON)
        assert "nted" not in f"{address} {address.display}"  # of the password
        source = await open_source(address, folder=tmp_path / "made", mask=("region.name",))
        catalog = await source.catalog()
        assert [key.table for key in catalog.table("goal").foreign_keys] == ["region"]  # pyright: ignore[reportOptionalMemberAccess]
        result = await source.run(
            "SELECT g.goal, sum(s.v) AS sold FROM shop.sale s JOIN region r ON r.id = s.region_id JOIN goal g "
            "ON g.region_id = r.id WHERE s.day < DATE '2024-01-06' AND s.id > 1 GROUP BY r.id, g.goal ORDER BY g.goal"
        )
        assert [(row["goal"], float(row["sold"])) for row in result.table.to_pylist()] == [(500, 1.5), (700, 0.75)]
        odd = await source.run('SELECT count(*) AS n FROM "Odd ""Name%" o JOIN goal g ON g.region_id = o.a')
        assert odd.table.to_pylist() == [{"n": 0}]
        shown = await source.run("SELECT r.name, g.goal FROM region r JOIN goal g ON g.region_id = r.id")
        assert {row["name"] for row in shown.table.to_pylist()} == {"•••"}
        with pytest.raises(QueryRefused, match="masked"):
            await source.run("SELECT g.goal FROM region r JOIN goal g ON g.region_id = r.id WHERE r.name = 'North'")
        with pytest.raises((QueryFailed, QueryRefused)):
            await source.run("SELECT pg_read_file('/etc/passwd') FROM goal")
        await source.close()

    run(work())


def test_a_server_that_lets_nobody_in_any_more_is_no_fault_of_the_query(server: str) -> None:
    with psycopg.connect(f"postgresql://owner:{QUOTED}@{server}", autocommit=True) as con:
        con.execute("CREATE ROLE leaver LOGIN PASSWORD 'leaves-soon'")

        async def scenario() -> None:
            (address,) = parse_addresses(f"postgresql://leaver:leaves-soon@{server}", PERSON)
            source = await open_source(address, folder=Path("unused"))
            assert (await source.run("SELECT 1 AS one")).table.to_pylist() == [{"one": 1}]
            con.execute("DROP ROLE leaver")
            with pytest.raises(SourceError, match="cannot be reached") as told:
                await source.run("SELECT 1 AS one")
            assert "leaves-soon" not in str(told.value)

        run(scenario())


def test_a_question_says_that_its_server_has_gone_and_is_gone_on_with_when_it_is_back(
    server: str, tmp_path: Path
) -> None:
    at = another(server, "going")
    with psycopg.connect(f"postgresql://owner:{QUOTED}@{at}", autocommit=True) as con:
        con.execute("CREATE TABLE parcel (id serial PRIMARY KEY, carrier text, weight numeric(8,2))")
        con.execute("INSERT INTO parcel (carrier, weight) VALUES ('DHL', 1.5), ('UPS', 2.25), ('DHL', 0.5)")
        con.execute("CREATE ROLE guest LOGIN PASSWORD 'comes-again'; GRANT SELECT ON parcel TO guest")
        url = f"postgresql://guest:comes-again@{at}"
        settings = Settings(home=tmp_path / "home", sources=(url,), embeddings="hashing")

        async def scenario() -> None:
            async with open_workspace(settings) as workspace:
                session = await workspace.create()
                await session.ask("average weight by carrier", approve=("plan", "query"))
                await session.settled()
                answer = session.events()[-1].event
                assert isinstance(answer, Answer)
                assert "highest for **UPS** (2.25), lowest for **DHL** (1)" in answer.text
                con.execute("ALTER ROLE guest NOLOGIN")
                await session.ask("how many parcels are there by carrier?", approve=("plan", "query"))
                await session.settled()
                failed = session.events()[-1].event
                assert isinstance(failed, Failed)
                assert "cannot be reached" in failed.message
                con.execute("ALTER ROLE guest LOGIN")
                await session.resume()
                await session.settled()
                assert isinstance(session.events()[-1].event, Answer)

        run(scenario())


def test_no_message_holds_the_password(server: str) -> None:
    async def work() -> None:
        for address in (server, "127.0.0.1:1/postgres", server.replace("/postgres", "/nosuch")):
            password = QUOTED + "x" if address == server else QUOTED
            with pytest.raises(SourceError) as caught:
                await opened(address, password)
            for text in (
                str(caught.value),
                repr(caught.value),
                repr(caught.value.__context__ or ""),
                str(caught.value.__cause__),
            ):
                assert "s3cret" not in text
        source = await opened(server)
        assert "s3cret" not in source.display
        with pytest.raises(QueryFailed) as failed:
            await source.run("SELECT 'pl@nted/s3cret'::int")
        assert "s3cret" not in str(failed.value)
        await source.close()

    run(work())


def test_what_the_login_may_do_is_told_and_a_reader_has_nothing_to_be_told(server: str) -> None:
    with psycopg.connect(f"postgresql://owner:{QUOTED}@{server}", autocommit=True) as con:
        con.execute("CREATE ROLE reader LOGIN PASSWORD 'reader-s3cret'")
        con.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
        con.execute("CREATE ROLE clerk LOGIN CREATEDB PASSWORD 'clerk-s3cret'")
        con.execute("GRANT SELECT, INSERT ON sale, region TO clerk")
        con.execute("GRANT pg_read_server_files TO clerk")

    async def work(login: str) -> Access:
        source = await open_source(parse_addresses(f"postgresql://{login}@{server}", PERSON)[0], folder=Path("unused"))
        try:
            return await source.access()
        finally:
            await source.close()

    owner, clerk, reader = (
        run(work(login)) for login in (f"owner:{QUOTED}", "clerk:clerk-s3cret", "reader:reader-s3cret")
    )
    for found in (owner, clerk, reader):
        assert (found.locked, found.stopped) == (True, True)
        assert "s3cret" not in str(found)
    assert "read-only transaction" in owner.lock
    assert "superuser" in owner.rights[0]
    assert clerk.rights == ("create databases", "write to 2 tables", "act as pg_read_server_files")
    assert "tandem_reader" in clerk.advice
    assert (reader.rights, reader.advice) == ((), "")


PLANTED = "planted-secret"


def test_a_superuser_reads_nothing_of_the_server_past_the_guard(server: str) -> None:
    """Whatever relation and function of the system the guard passes is really read, and shows no planted secret."""
    server = another(server, "telling")
    with psycopg.connect(f"postgresql://owner:{QUOTED}@{server}", autocommit=True) as con:
        con.execute("CREATE FOREIGN DATA WRAPPER w")
        con.execute("CREATE SERVER far FOREIGN DATA WRAPPER w")
        con.execute(f"CREATE USER MAPPING FOR owner SERVER far OPTIONS (password '{PLANTED}')")
        con.execute(f"ALTER SYSTEM SET primary_conninfo = 'password={PLANTED}'")
        con.execute(f"ALTER ROLE owner SET application_name = '{PLANTED}'")
        con.execute(
            f"CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1 password={PLANTED}' PUBLICATION p"
            " WITH (connect = false, slot_name = NONE)"
        )
        con.execute(f"SELECT lo_from_bytea(0, '{PLANTED}')")
        relations = con.execute(
            "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname IN ('pg_catalog', 'information_schema', 'pg_toast') AND c.relkind IN ('r', 'v', 't')"
        ).fetchall()
        functions = con.execute(
            "SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND pronargs = 0"
        ).fetchall()
    with psycopg.connect(f"postgresql://owner:{QUOTED}@{server}", autocommit=True) as con:
        passed = 0
        for schema, name in relations:
            plain, whole = (check(f"SELECT * FROM {one}", dialect="postgres") for one in (name, f"{schema}.{name}"))
            if schema == "pg_catalog":
                assert (plain is None) == (whole is None), f"{name} is refused in its schema only"
            if whole is None:
                passed += 1
                said = str(con.execute(f'SELECT * FROM {schema}."{name}"').fetchall())
                assert PLANTED not in said, name
                assert "SCRAM-SHA-256$" not in said, name
        assert passed > 80
        for (name,) in functions:
            if check(f"SELECT * FROM {name}()", dialect="postgres") is None:
                with contextlib.suppress(psycopg.Error):
                    assert PLANTED not in str(con.execute(f"SELECT * FROM {name}()").fetchall()), name
        con.execute("ALTER SYSTEM RESET primary_conninfo")
        con.execute("ALTER ROLE owner RESET application_name")
        con.execute("DROP SUBSCRIPTION s")


def test_the_honest_statements_run_on_the_server(server: str) -> None:
    server = another(server, "honest")
    with psycopg.connect(f"postgresql://owner:{QUOTED}@{server}", autocommit=True) as con:
        con.execute(setup("postgres").encode())

    async def work() -> None:
        source = await opened(server)
        try:
            for dialect, sql in honest():
                if dialect == "postgres":
                    assert (await source.run(sql)).table.num_columns > 0, sql
        finally:
            await source.close()

    run(work())


def test_the_advised_role_can_be_made_as_it_stands_and_may_only_read(server: str) -> None:
    server = another(server, "advised")
    with psycopg.connect(f"postgresql://owner:{QUOTED}@{server}", autocommit=True) as con:
        con.execute('CREATE SCHEMA "Odd ""one"')
        con.execute('CREATE TABLE "Odd ""one".a (b int)')
        con.execute("CREATE TABLE c (d int)")
        con.execute("INSERT INTO c VALUES (7)")

    async def access(login: str) -> tuple[Access, list[dict[str, object]]]:
        source = await open_source(parse_addresses(f"postgresql://{login}@{server}", PERSON)[0], folder=Path("unused"))
        try:
            rows = (await source.run('SELECT d FROM c LEFT JOIN "Odd ""one".a ON b = d')).table.to_pylist()
            return await source.access(), rows
        finally:
            await source.close()

    advice = run(access(f"owner:{QUOTED}"))[0].advice
    made = advice[advice.index("CREATE ROLE") :].replace("'...'", "'reader-s3cret'")
    assert 'GRANT CONNECT ON DATABASE "advised"' in made
    with psycopg.connect(f"postgresql://owner:{QUOTED}@{server}", autocommit=True) as con:
        con.execute(made.encode())
    found, rows = run(access("tandem_reader:reader-s3cret"))
    assert rows == [{"d": 7}]
    assert (found.rights, found.advice) == ((), "")


MASKED = ("region.name", "big.doc")
TELLING = (
    "SELECT upper(name) AS n FROM region",
    "SELECT id FROM region WHERE name = 'North'",
    "SELECT id FROM region WHERE name ~ '^N'",
    "SELECT name FROM region ORDER BY 1",
    "SELECT DISTINCT ON (name) id FROM region",
    "SELECT row_to_json(r) AS r FROM region r",
    "SELECT (r).name FROM region r",
    "SELECT r FROM region r",
    "SELECT r.id FROM region AS r(name, id)",
    "SELECT array_agg(name) AS n FROM region",
    "SELECT most_common_vals FROM pg_stats",
    "SELECT * FROM query_to_xml('select name from region', true, true, '')",
    "SELECT v FROM big WHERE doc->>'a' = '1'",
    "SELECT id FROM region WHERE ctid = (SELECT ctid FROM region ORDER BY name LIMIT 1)",
    "EXPLAIN SELECT id FROM region WHERE name = 'North'",
)


def test_a_masked_column_stays_behind_on_the_server(server: str) -> None:
    async def work() -> None:
        url = f"postgresql://owner:{QUOTED}@{server}"
        source = await open_source(parse_addresses(url, PERSON)[0], folder=Path("unused"), mask=MASKED)
        try:
            for sql in (
                "SELECT * FROM region",
                'SELECT r."name" AS harmless FROM public.region AS r',
                "WITH x AS (SELECT name AS n FROM region) SELECT n FROM x",
                "SELECT s.id, r.name FROM sale s JOIN region r ON r.id = s.region_id",
                "SELECT name FROM region UNION ALL SELECT name FROM region",
            ):
                found = str((await source.run(sql)).table.to_pylist())
                assert "•••" in found, sql
                assert "North" not in found
                assert "South" not in found
            for sql in TELLING:
                with pytest.raises(QueryRefused, match="mask"):
                    await source.run(sql)
                with pytest.raises(QueryRefused, match="mask"):
                    await source.explain(sql)
            counted = await source.run("SELECT count(name) AS n FROM region WHERE name IS NOT NULL")
            assert counted.table.to_pylist() == [{"n": 2}]
            by_region = "SELECT r.id, count(*) AS n FROM sale s JOIN region r ON r.id = s.region_id GROUP BY r.id"
            assert (await source.run(by_region)).rows == 2
            told = str(await source.catalog())
            assert "North" not in told
            assert "South" not in told
        finally:
            await source.close()

    run(work())


def test_what_a_query_costs_is_read_off_the_servers_own_plan(server: str) -> None:
    server = another(server, "visits")
    with psycopg.connect(f"postgresql://owner:{QUOTED}@{server}", autocommit=True) as con:
        con.execute("CREATE TABLE visit AS SELECT i AS id, i % 1000 AS place FROM generate_series(1, 50000) i")
        con.execute("ANALYZE visit")

    async def work() -> None:
        source = await opened(server)

        async def cost(sql: str) -> Estimate:
            found = estimate(await source.explain(sql), dialect=source.dialect, rows={})
            assert found is not None
            return found

        try:
            honest = await cost("SELECT place, count(*) FROM visit GROUP BY place")
            assert not honest.expensive
            assert 40_000 <= honest.rows <= 60_000
            keyed = await cost("SELECT count(*) FROM visit a JOIN visit b ON a.id = b.id")
            assert not keyed.expensive
            crossed = await cost("SELECT count(*) FROM visit a, visit b")
            assert crossed.expensive
            assert crossed.rows >= 2_000_000_000
            assert not (await cost("SELECT * FROM visit a, visit b LIMIT 10")).expensive
            assert (await cost(ENDLESS)).expensive
            assert (await cost(ENDLESS.replace("FROM n)", "FROM n WHERE i < 900000000)"))).expensive
            assert not (await cost(ENDLESS.replace("FROM n)", "FROM n WHERE i < 1000)"))).expensive
        finally:
            await source.close()

    run(work())


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def test_an_expensive_query_is_a_warning_before_it_runs_and_an_honest_one_is_not(server: str, tmp_path: Path) -> None:
    async def work() -> None:
        sources = SessionSources(
            tmp_path / "session",
            catalogs=Catalogs(),
            loaded=tmp_path / "loaded",
            mask=("region.name",),
            credentials=Credentials(tmp_path),
            rights=person,
        )
        try:
            await sources.add(f"postgresql://owner:{QUOTED}@{server}", PERSON)
            for sql, levels in (
                ("SELECT region_id, sum(v) AS v FROM sale GROUP BY region_id", {"ok", "note"}),
                ("SELECT count(*) FROM sale a, sale b, sale c, sale d, sale e", {"ok", "note", "warning"}),
                ("SELECT id FROM region WHERE name = 'North'", {"danger"}),
                ("DELETE FROM sale", {"danger"}),
            ):
                found = await check_cell(render_cell("x", sql), "sql", sources)
                assert {finding.level for finding in found} - {"ok"} == levels - {"ok"}, (sql, found)
        finally:
            await sources.close()

    run(work())


def test_a_mask_holds_in_partitions_and_in_materialized_views(server: str) -> None:
    server = another(server, "members")
    with psycopg.connect(f"postgresql://owner:{QUOTED}@{server}", autocommit=True) as con:
        con.execute("CREATE TABLE member (id int, email text) PARTITION BY RANGE (id)")
        con.execute("CREATE TABLE member_1 PARTITION OF member FOR VALUES FROM (0) TO (10) PARTITION BY RANGE (id)")
        con.execute("CREATE TABLE member_1a PARTITION OF member_1 FOR VALUES FROM (0) TO (5)")
        con.execute("INSERT INTO member VALUES (1, 'ann@planted.example')")
        con.execute("CREATE MATERIALIZED VIEW reach AS SELECT id, email AS at FROM member")

    async def work() -> None:
        url = f"postgresql://owner:{QUOTED}@{server}"
        source = await open_source(parse_addresses(url, PERSON)[0], folder=Path("unused"), mask=("member.email",))
        try:
            for table in ("member", "member_1", "member_1a"):
                assert (await source.run(f"SELECT email FROM {table}")).table["email"].to_pylist() == ["•••"]
                with pytest.raises(QueryRefused, match="mask"):
                    await source.run(f"SELECT upper(email) AS e FROM {table}")
            assert (await source.run("SELECT at FROM reach")).table["at"].to_pylist() == ["•••"]
            with pytest.raises(QueryRefused, match="mask"):
                await source.run("SELECT lower(at) AS e FROM reach")
            assert "planted" not in str(await source.catalog())
        finally:
            await source.close()

    run(work())


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT i, md5(i::text) AS m FROM generate_series(1, 2000000000) AS s(i)",  # rows without end
        "SELECT i, pg_sleep(0.01) FROM generate_series(1, 100000) AS s(i)",  # each piece within the server's limit
        "SELECT count(*) FROM generate_series(1, 2000000000) AS s(i)",  # one long step
    ],
)
def test_a_budget_of_time_holds_over_all_pieces_of_the_rows(server: str, sql: str) -> None:
    async def scenario() -> None:
        (address,) = parse_addresses(f"shop=postgresql+psycopg://owner:{QUOTED}@{server}", PERSON)
        source = await open_source(address, folder=Path())
        budget = Budget(timeout_s=2, rows_max=2_000_000_000, limit_bytes=1 << 40)
        began = time.monotonic()
        with pytest.raises(QueryRefused, match="longer than 2 s"):
            await source.run(sql, None, budget)
        assert time.monotonic() - began < 2 + 1 + 2 + 2  # budget, grace, the time to heed a cancel; and a busy machine
        with psycopg.connect(f"postgresql://owner:{QUOTED}@{server}") as con:
            for _ in range(100):
                running = con.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() "
                    "AND query LIKE '%generate_series%'"
                ).fetchone()
                if running == (0,):
                    break
                con.rollback()
                await asyncio.sleep(0.1)
            assert running == (0,)
        await source.close()

    run(scenario())
