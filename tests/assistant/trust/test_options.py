"""Options, drivers and hosts of a database's URL: what is not on a list never reaches a driver."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.sources.addresses import parse_addresses
from assistant.sources.drivers import DEFAULT_DRIVERS
from assistant.trust.options import DRIVERS, OPTIONS, check_options
from assistant.trust.requester import NotAllowed
from assistant.trust.rights import Rights

PERSON = Rights(requester="person", private=())

REFUSED = [
    "mysql://h/d?init_command=SET+GLOBAL+x=1",
    "mysql://h/d?local_infile=1",
    "mysql://h/d?read_default_file=/root/.my.cnf",
    "mysql://h/d?read_default_group=client",
    "mysql://h/d?unix_socket=/run/mysqld/mysqld.sock",
    "mysql://h/d?ssl_key=/root/key.pem",
    "mysql://h/d?sql_mode=ANSI",
    "mysql://h/d?host=other",
    "mysql://h/d?charset=utf8mb4'",
    "mysql://h/d?charset=utf8&charset=latin1",
    "mysql://h/d?collation=x;DROP",
    "mysql://h/d?server_public_key=/x",
    "mysql://h/d?password=x",
    "mysql://h/d?plugin=evil",
    "mysql://h/d?plugins=evil",
    "mysql://h/d?INIT_COMMAND=x",
    "mysql+mysqldb://h/d",
    "mysql+mysqlconnector://h/d?allow_local_infile=1",
    "postgresql://h/d?options=-c+session_preload_libraries=x",
    "postgresql://h/d?service=x",
    "postgresql://h/d?passfile=/root/.pgpass",
    "postgresql://h/d?sslkey=/root/key.pem",
    "postgresql://h/d?sslcert=/root/cert.pem",
    "postgresql://h/d?host=other",
    "postgresql://h/d?host=a:1&host=b:2",
    "postgresql://h/d?hostaddr=10.0.0.1",
    "postgresql://h/d?port=6432",
    "postgresql://h/d?dbname=x",
    "postgresql://h/d?krbsrvname=x",
    "postgresql://h/d?connect_args=x",
    "postgresql://h/d?sslmode=nonsense",
    "postgresql://h/d?connect_timeout=-1",
    "postgresql+psycopg2://h/d",
    "postgresql+asyncpg://h/d",
    "postgresql+pg8000://h/d",
    "postgresql://a,b/d",
    "postgresql://%2Fvar%2Frun%2Fpostgresql/d",
    "mssql+pyodbc://h/d?driver=/tmp/evil.so",
    "mssql+pyodbc://h/d?odbc_connect=x",
    "mssql+pyodbc://h/d?dsn=x",
    "mssql+pymssql://h/d",
    "oracle://h/?config_dir=/root",
    "oracle://h/?wallet_location=/root",
    "oracle://(DESCRIPTION=(ADDRESS=x))/d",
    "snowflake://a/d?private_key_file=/root/key",
    "snowflake://a/d?connection_name=x",
    "snowflake://a/d?authenticator=https://evil.example",
    "snowflake://a/d?host=evil.example",
    "bigquery://p/d?credentials_base64=x",
    "databricks://token:x@h?http_path=https://evil.example",
    "databricks://token:x@h?http_path=sql/1&_tls_no_verify=1",
    "trino://h/c?http_headers=x",
    "trino://h/c?cert=/root/x",
    "clickhouse://h/d?http_proxy=evil.example",
    "clickhouse://h/d?readonly=0",
    "clickhouse://h/d?server_host_name=other",
    "clickhouse+native://h/d",
    "redshift://h/d?credentials_provider=x",
    "redshift+psycopg2://h/d",
    "sqlite:///x.sqlite?vfs=unix-none",
    "sqlite:///x.sqlite?mode=rw",
    "sqlite:///file:x.sqlite?mode=memory&cache=shared&uri=true",
    "sqlite+pysqlcipher:///x.sqlite?cipher=x",
    "duckdb:///x.duckdb?access_mode=read_write",
    "duckdb:///x.duckdb?allow_unsigned_extensions=true",
    "duckdb+evil:///x.duckdb",
]


@pytest.mark.parametrize("url", REFUSED)
def test_what_is_on_no_list_is_refused_before_a_driver_is_imported(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def imported(*_: object) -> None:
        raise AssertionError("a dialect was loaded")

    monkeypatch.setattr("sqlalchemy.URL.get_dialect", imported)
    with pytest.raises(NotAllowed):
        parse_addresses(url, PERSON)


def test_a_scheme_that_names_a_python_package_of_a_third_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def imported(*_: object) -> None:
        raise AssertionError("a dialect was loaded")

    monkeypatch.setattr("sqlalchemy.URL.get_dialect", imported)
    for url in ("evil://h/d", "evil+driver://h/d", "POSTGRESQL://h/d", "postgres+evil://h/d"):
        with pytest.raises(Exception, match=r"scheme|driver"):
            parse_addresses(url, PERSON)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:pw@db.example:5432/shop?sslmode=verify-full&application_name=tandem&connect_timeout=5",
        "postgresql://me@[::1]:5432/shop",
        "postgresql:///shop",
        "mysql://me@db-1.example/shop?charset=utf8mb4&read_timeout=30",
        "mariadb://me@10.0.0.4/shop?ssl_check_hostname=true",
        "clickhouse://me@db.example/shop?secure=true&verify=false",
    ],
)
def test_what_people_need_is_allowed(url: str) -> None:
    (address,) = parse_addresses(url, PERSON)
    assert address.kind == "server"
    assert address.check() == ()


@pytest.mark.parametrize(
    ("driver", "options"),
    [
        ("snowflake", {"warehouse": ("WH",), "role": ("ANALYST",)}),
        ("databricks", {"http_path": ("/sql/1.0/warehouses/ab12",), "catalog": ("main",), "schema": ("sales",)}),
        ("mssql+pyodbc", {"driver": ("ODBC Driver 18 for SQL Server",), "TrustServerCertificate": ("yes",)}),
        ("oracle+oracledb", {"service_name": ("XEPDB1",)}),
        ("bigquery", {"location": ("EU",)}),
    ],
)
def test_the_options_of_the_documentation_are_allowed(driver: str, options: dict[str, tuple[str, ...]]) -> None:
    assert check_options(driver, options) == ()


def test_an_option_that_names_a_file_is_judged_as_a_file(tmp_path: Path) -> None:
    rights = Rights(requester="person", private=(tmp_path / "home",))
    (tmp_path / "ca.pem").write_text("x")
    assert parse_addresses(f"mysql://h/d?ssl_ca={tmp_path}/ca.pem", rights)
    for url in (
        f"mysql://h/d?ssl_ca={tmp_path}/home/credentials.json",
        f"postgresql://h/d?sslrootcert={tmp_path}/x/../home/key",
    ):
        with pytest.raises(NotAllowed, match="belongs to Tandem"):
            parse_addresses(url, rights)
    with pytest.raises(NotAllowed, match="whoever runs it"):
        parse_addresses(f"mysql://h/d?ssl_ca={tmp_path}/ca.pem", Rights(requester="member", private=(), hosts=("h",)))


def test_a_refused_value_is_not_repeated() -> None:
    with pytest.raises(NotAllowed) as refused:
        parse_addresses("mysql://h/d?charset=s3cr3t-word!", PERSON)
    assert "s3cr3t" not in str(refused.value)


def test_every_driver_that_a_url_leads_to_is_on_the_list() -> None:
    assert set(DEFAULT_DRIVERS.values()) <= DRIVERS


def test_a_members_hosts_are_those_on_the_list() -> None:
    rights = Rights(requester="member", private=(), hosts=("db.example", "other.example:5433"))
    for url in (
        "postgresql://me@db.example/d",
        "postgresql://me@DB.example:6000/d",
        "mysql://me@db.example./d",
        "postgresql://me@other.example:5433/d",
    ):
        assert parse_addresses(url, rights)[0].check() == ()
    for url in (
        "postgresql://me@other.example/d",
        "postgresql://me@other.example:5432/d",
        "postgresql://me@localhost/d",
        "postgresql://me@127.0.0.1/d",
        "postgresql://db.example@evil.example/d",
        "postgresql://me:db.example@evil.example/d",
        "postgresql://me@evil.example/db.example",
        "postgresql://me@db.example.evil.example/d",
        "postgresql://me@db.example,evil.example/d",
        "postgresql://me@db.example@evil.example/d",
        "postgresql://evil.example#@db.example/d",
        "postgresql:///d",
        "snowflake://me@account/d",
    ):
        try:
            found = parse_addresses(url, rights)
        except NotAllowed:
            continue
        from sqlalchemy import make_url

        assert make_url(found[0].secret).host == "db.example", url


def test_every_option_is_documented() -> None:
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "warehouses.md").read_text(encoding="utf-8")
    table = page.split("## Options of a URL")[1].split("## Read-only access")[0]
    for driver, options in OPTIONS.items():
        for name in options:
            assert f"`{name}" in table, f"docs/how-to/warehouses.md does not mention {name} of {driver}"
