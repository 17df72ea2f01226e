"""SQL dumps: tables as they are declared, and nothing of a dump is run."""

from __future__ import annotations

import datetime
import gzip
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest
from loaded_file import LoadedFile, refusal

MYSQL = r"""-- MySQL dump 10.13
/*!40101 SET NAMES utf8 */;
DROP TABLE IF EXISTS `orders`;
CREATE TABLE `orders` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  `zip` varchar(10) DEFAULT NULL COMMENT 'postal code',
  `note` text,
  `day` date DEFAULT NULL,
  `amount` decimal(10,2) DEFAULT NULL,
  `kind` enum('a','b') DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='All orders';
LOCK TABLES `orders` WRITE;
INSERT INTO `orders` VALUES (1,'01234','it\'s; a (test), \\n','2026-01-02',1.50,'a'),(2,'8000',NULL,'0000-00-00',-2.25,'b');
INSERT INTO `orders` (`id`,`zip`) VALUES (3,'x'), (4,upper('y'));
UNLOCK TABLES;
CREATE VIEW v AS SELECT 1;
UPDATE orders SET amount = 0;
"""
POSTGRES = r"""-- PostgreSQL database dump
\restrict abc
SET statement_timeout = 0;
CREATE TABLE public.towns (
    id integer NOT NULL,
    name character varying(40),
    founded date,
    ok boolean,
    doc jsonb,
    area numeric(8,2) DEFAULT 0.0
);
COMMENT ON TABLE public.towns IS 'Towns; of ''CH''';
COMMENT ON COLUMN public.towns.area IS 'in km2';
CREATE FUNCTION f() RETURNS int AS $$ select 1; INSERT INTO public.towns VALUES (9); $$ LANGUAGE sql;
COPY public.towns (id, name, founded, ok, doc, area) FROM stdin;
1	Bern	1191-01-01	t	{"a": 1}	51.60
2	Ba\tsel	\N	f	\N	\N
\.
ALTER TABLE ONLY public.towns
    ADD CONSTRAINT towns_pkey PRIMARY KEY (id);
INSERT INTO public.towns VALUES (3, 'O''Hara \n', DATE '2020-01-01', true, E'{"b":\'1\'}', 3e2);
"""
SERVER = """USE [shop]
GO
CREATE TABLE [dbo].[Orders](
 [Id] [int] IDENTITY(1,1) NOT NULL,
 [Name] [nvarchar](50) NULL,
 [At] [datetime] NULL
) ON [PRIMARY]
GO
SET IDENTITY_INSERT [dbo].[Orders] ON
INSERT [dbo].[Orders] ([Id], [Name], [At]) VALUES (1, N'Zoë', CAST(N'2026-01-02T00:00:00.000' AS DateTime))
GO
INSERT [dbo].[Orders] ([Id], [Name], [At]) VALUES (2, NULL, NULL)
GO
"""


def dump(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def test_a_dump_of_mysql(tmp_path: Path) -> None:
    loaded = LoadedFile(dump(tmp_path / "shop.sql", MYSQL))
    assert loaded.names == ["orders"]
    assert loaded.rows("SELECT * FROM orders ORDER BY id") == [
        (1, "01234", r"it's; a (test), \n", datetime.date(2026, 1, 2), Decimal("1.50"), "a"),
        (2, "8000", None, None, Decimal("-2.25"), "b"),
        (3, "x", None, None, None, None),
        (4, None, None, None, None, None),
    ]
    assert loaded.columns("orders")["zip"] == ("VARCHAR", "postal code")
    assert loaded.rows("SELECT comment FROM duckdb_tables()") == [("All orders",)]
    assert loaded.rows(
        "SELECT constraint_column_names FROM duckdb_constraints() WHERE constraint_type LIKE 'PRIM%'"
    ) == [(["id"],)]
    assert [doubt.chosen for doubt in loaded.loaded.doubts] == [
        "1 value is an expression, which is not computed but left empty.",
        "Statements of the dump that are not run: 1 CREATE VIEW, 1 UPDATE.",
    ]
    loaded.check_notebook()


def test_a_dump_of_postgresql(tmp_path: Path) -> None:
    (tmp_path / "towns.sql.gz").write_bytes(gzip.compress(POSTGRES.encode()))
    loaded = LoadedFile(tmp_path / "towns.sql.gz")
    assert loaded.rows("SELECT * FROM towns ORDER BY id") == [
        (1, "Bern", datetime.date(1191, 1, 1), True, '{"a": 1}', Decimal("51.60")),
        (2, "Ba\tsel", None, False, None, None),
        (3, r"O'Hara \n", datetime.date(2020, 1, 1), True, "{\"b\":'1'}", Decimal("300.00")),
    ]
    assert loaded.columns("towns")["area"] == ("DECIMAL(8,2)", "in km2")
    assert loaded.rows("SELECT comment FROM duckdb_tables()") == [("Towns; of 'CH'",)]
    loaded.check_notebook()


def test_a_dump_of_sqlite(tmp_path: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as con:
        con.execute('CREATE TABLE "my things" (a INTEGER PRIMARY KEY, b TEXT, c REAL)')
        con.executemany('INSERT INTO "my things" VALUES (?, ?, ?)', [(1, "C:\\new\nline", 1.5), (2, "x'y", 2)])
        text = "\n".join(con.iterdump())
    loaded = LoadedFile(dump(tmp_path / "lite.sql", text))
    assert loaded.rows("SELECT * FROM my_things ORDER BY a") == [(1, "C:\\new\nline", 1.5), (2, "x'y", 2.0)]
    loaded.check_notebook()


def test_a_script_of_sql_server(tmp_path: Path) -> None:
    loaded = LoadedFile(dump(tmp_path / "s.sql", SERVER.replace("\n", "\r\n"), "utf-16"))
    assert loaded.rows("SELECT * FROM orders ORDER BY 1") == [
        (1, "Zoë", datetime.datetime(2026, 1, 2)),
        (2, None, None),
    ]


def test_tables_of_one_name_in_two_schemas_are_told_apart(tmp_path: Path) -> None:
    text = "INSERT INTO a.t (n) VALUES (1);\nINSERT INTO b.t (n) VALUES (2);\nCOPY c.u FROM stdin;\n5\n\\.\n"
    loaded = LoadedFile(dump(tmp_path / "d.sql", text))
    assert loaded.names == ["a_t", "b_t", "u"]
    assert loaded.rows("SELECT n FROM b_t") == [(2,)]


def test_values_that_do_not_fit_their_type_keep_the_column_text(tmp_path: Path) -> None:
    text = "CREATE TABLE t (a int, PRIMARY KEY (a)) ENGINE=x; INSERT INTO t VALUES (1),('many'),(1);"
    loaded = LoadedFile(dump(tmp_path / "d.sql", text))
    assert loaded.rows("SELECT a FROM t") == [("1",), ("many",), ("1",)]
    column, key = loaded.loaded.doubts
    assert column.chosen == "'a' is declared as INT, which 1 value, 'many', is not."
    assert (key.kind, key.columns) == ("declared_key", ("a",))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("DROP TABLE t; SELECT 1;", "holds no CREATE TABLE, INSERT or COPY"),
        ("INSERT INTO t VALUES (1, 'a", "ends within a row"),
        ("COPY t (a) FROM stdin;\n1\n", "ends within the rows of a COPY"),
        ("INSERT INTO t (a, b) VALUES (1, 2), (3);", "a row of 't' with other columns"),
        ("PGDMP\x01\x0e\x00", "is a PostgreSQL archive, no SQL"),
        ("INSERT INTO t (" + "a" * 100_000 + "!", "holds no CREATE TABLE, INSERT or COPY"),
    ],
)
def test_what_is_no_whole_dump_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    assert reason in refusal(dump(tmp_path / "d.sql", text))


def test_nothing_of_a_dump_is_run(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("secret\n42\n")
    place = tmp_path / "secret.csv"
    text = (
        f"CREATE TABLE s AS SELECT * FROM read_csv('{place}');\nCOPY s TO '{tmp_path}/out.csv';\n"
        f"COPY s FROM '{place}';\nATTACH '{tmp_path}/x.db' AS x;\nINSTALL httpfs;\n"
        f"INSERT INTO t VALUES ((SELECT count(*) FROM read_csv('{place}')));\nINSERT INTO t SELECT 1;"
    )
    loaded = LoadedFile(dump(tmp_path / "d.sql", text))
    assert loaded.names == ["t"]
    assert loaded.rows("SELECT * FROM t") == [(None,)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.sql", "loaded", "secret.csv"]
