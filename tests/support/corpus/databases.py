"""SQLite and DuckDB files: schemas, keys that hold and that do not, views, names, and types that files do not have."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import duckdb

from corpus.fields import GOODS, PEOPLE, Fields, without
from corpus.values import Case, Expected, Field, Key, Value, expect_table, kinds_of


def cases() -> Iterator[Case]:
    """All cases of the family."""
    yield from _sqlite_keys()
    yield from _sqlite_types()
    yield from _duckdb_names()
    yield from _duckdb_types()


def _quoted(name: str) -> str:
    return ".".join('"' + part.replace('"', '""') + '"' for part in name.split("."))


def _inserts(table: str, fields: Sequence[Field]) -> list[tuple[str, list[tuple[Value, ...]]]]:
    marks = ", ".join("?" * len(fields))
    rows = [tuple(_stored(value) for value in row) for row in zip(*(field.values for field in fields), strict=True)]
    return [(f"INSERT INTO {_quoted(table)} VALUES ({marks})", rows)]


def _stored(value: Value) -> Value:
    return str(value) if isinstance(value, date | datetime) else value


def _case(
    engine: str,
    shape: str,
    variant: str,
    statements: Sequence[str | tuple[str, list[tuple[Value, ...]]]],
    expected: Expected,
) -> Case:
    def write(path: Path) -> None:
        con = sqlite3.connect(path) if engine == "sqlite" else duckdb.connect(str(path))
        with closing(con):
            for statement in statements:
                if isinstance(statement, str):
                    con.execute(statement)
                else:
                    con.executemany(statement[0], statement[1])
            con.commit()

    return Case(
        family="databases",
        shape=f"{engine} {shape}",
        variant=variant,
        suffix=".sqlite" if engine == "sqlite" else ".duckdb",
        write=write,
        expected=expected,
    )


def _shop(seed: str) -> tuple[list[Field], list[Field], list[Field]]:
    """Categories, products and sales: each product has a category, each sale a product."""
    make = Fields(seed, 4)
    categories = [make.serial("CategoryID"), make.word("CategoryName", ("Tools", "Lights", "Seats", "Clocks"))]
    make = Fields(seed, 9)
    of = Field(name="CategoryID", kinds=("integer",), values=tuple(number % 4 + 1 for number in range(9)))
    products = [make.serial("ProductID", 101), make.word("ProductName", GOODS), of, make.number("UnitPrice", 3, 40)]
    make = Fields(seed, 60)
    of = Field(name="ProductID", kinds=("integer",), values=tuple(101 + number * 7 % 9 for number in range(60)))
    sales = [make.serial("SaleID", 5001), of, make.days("SoldOn", step=2), make.integer("Quantity", 1, 9)]
    return categories, products, sales


_KEYS = (
    Key(table="Products", column="CategoryID", target="Categories", target_column="CategoryID"),
    Key(table="Sales", column="ProductID", target="Products", target_column="ProductID"),
)
_TABLES = ("Categories", "Products", "Sales")


def _shop_tables(parts: Sequence[Sequence[Field]]) -> tuple[Expected, list[tuple[str, list[tuple[Value, ...]]]]]:
    tables = tuple(expect_table(fields, table=name) for name, fields in zip(_TABLES, parts, strict=True))
    inserts = [insert for name, fields in zip(_TABLES, parts, strict=True) for insert in _inserts(name, fields)]
    return Expected(tables=tables, keys=_KEYS), inserts


def _shop_statements(products: str = "", sales: str = "", primary: bool = True) -> list[str]:
    key = " PRIMARY KEY" if primary else ""
    return [
        f"CREATE TABLE Categories (CategoryID INTEGER{key}, CategoryName TEXT)",
        f"CREATE TABLE Products (ProductID INTEGER{key}, ProductName TEXT, CategoryID INTEGER, UnitPrice DOUBLE{products})",
        f"CREATE TABLE Sales (SaleID INTEGER{key}, ProductID INTEGER, SoldOn DATE, Quantity INTEGER{sales})",
    ]


def _sqlite_keys() -> Iterator[Case]:
    to_category = ", FOREIGN KEY (CategoryID) REFERENCES Categories (CategoryID)"
    to_product = ", FOREIGN KEY (ProductID) REFERENCES Products (ProductID)"
    for engine in ("sqlite", "duckdb"):
        expected, inserts = _shop_tables(_shop(engine))
        yield _case(engine, "keys", "declared", [*_shop_statements(to_category, to_product), *inserts], expected)
        yield _case(engine, "keys", "not declared", [*_shop_statements(), *inserts], expected)
        yield _case(engine, "keys", "no key at all", [*_shop_statements(primary=False), *inserts], expected)
    expected, inserts = _shop_tables(_shop("wrong"))
    wrong = ", FOREIGN KEY (ProductID) REFERENCES Categories (CategoryID)"
    absent = Key(table="Products", column="ProductID", target="Categories", target_column="CategoryID")
    expected = replace(expected, absent_keys=(absent,), doubts=kinds_of(("declared_key",)))
    yield _case(
        "sqlite", "keys", "declared by the wrong column", [*_shop_statements(wrong, to_product), *inserts], expected
    )
    parts = _shop("orphans")
    orphans = replace(parts[2][1], values=tuple(999 if n < 6 else v for n, v in enumerate(parts[2][1].values)))
    expected, inserts = _shop_tables((parts[0], parts[1], [parts[2][0], orphans, *parts[2][2:]]))
    expected = replace(expected, doubts=kinds_of((("declared_key", "inferred_key"),)))
    yield _case(
        "sqlite", "keys", "a tenth has no target", [*_shop_statements(to_category, to_product), *inserts], expected
    )
    make = Fields("staff", 12)
    boss = Field(name="boss_id", kinds=("integer",), values=(None, *(number // 3 + 1 for number in range(11))))
    staff = [make.serial("id"), make.word("name", PEOPLE), boss]
    statements = [
        "CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT, boss_id INTEGER REFERENCES staff (id))",
        *_inserts("staff", staff),
    ]
    key = Key(table="staff", column="boss_id", target="staff", target_column="id")
    yield _case(
        "sqlite",
        "keys",
        "to the same table",
        statements,
        Expected(tables=(expect_table(staff, table="staff"),), keys=(key,)),
    )
    make = Fields("many", 20)
    people = [make.serial("person_id"), make.word("name", PEOPLE)]
    clubs = [Fields("many", 5).serial("club_id", 1), Fields("many", 5).word("title", GOODS)]
    members = [
        Field(name="person_id", kinds=("integer",), values=tuple(number % 20 + 1 for number in range(40))),
        Field(
            name="club_id", kinds=("integer",), values=tuple((number + number // 20) % 5 + 1 for number in range(40))
        ),
    ]
    tables = {"people": people, "clubs": clubs, "members": members}
    statements = [
        "CREATE TABLE people (person_id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE clubs (club_id INTEGER PRIMARY KEY, title TEXT)",
        "CREATE TABLE members (person_id INTEGER, club_id INTEGER, PRIMARY KEY (person_id, club_id)) WITHOUT ROWID",
        *(insert for name, fields in tables.items() for insert in _inserts(name, fields)),
    ]
    keys = tuple(
        Key(table="members", column=column, target=target, target_column=column)
        for column, target in (("person_id", "people"), ("club_id", "clubs"))
    )
    expected = Expected(tables=tuple(expect_table(fields, table=name) for name, fields in tables.items()), keys=keys)
    yield _case("sqlite", "keys", "many to many", statements, expected)


def _sqlite_types() -> Iterator[Case]:
    make = Fields("affinity", 20)
    fields = [make.serial("id"), make.days("day"), make.moments("seen"), make.number("amount"), make.word("town")]
    expected = Expected(tables=(expect_table(fields, table="visits"),))
    for name, types in (
        ("declared", "id INTEGER, day DATE, seen DATETIME, amount NUMERIC(10,2), town VARCHAR(40)"),
        ("text", "id INTEGER, day TEXT, seen TEXT, amount REAL, town TEXT"),
    ):
        yield _case("sqlite", "dates", name, [f"CREATE TABLE visits ({types})", *_inserts("visits", fields)], expected)
    yield _case(
        "sqlite",
        "dates",
        "no types",
        ["CREATE TABLE visits (id, day, seen, amount, town)", *_inserts("visits", fields)],
        expected,
    )
    # Text in the database, so text is right, and a number where a system sees that it is one.
    number = replace(without(make.number("amount"), 2, 5), kinds=("text", "number"))
    words: list[tuple[Value, ...]] = [
        (n, None if v is None else f"{v:.2f}") for n, v in enumerate(number.values, start=1)
    ]
    fields = [make.serial("id"), number]
    statements = ["CREATE TABLE bills (id INTEGER, amount TEXT)", ("INSERT INTO bills VALUES (?, ?)", words)]
    yield _case(
        "sqlite", "numbers as text", "amounts", statements, Expected(tables=(expect_table(fields, table="bills"),))
    )
    fields = [make.serial("id"), make.flag("paid")]
    statements = ["CREATE TABLE bills (id INTEGER, paid BOOLEAN)", *_inserts("bills", fields)]
    yield _case("sqlite", "booleans", "declared", statements, Expected(tables=(expect_table(fields, table="bills"),)))
    fields = [make.serial("id"), make.word("order"), make.number("größe"), make.integer("net sales")]
    name = "select"
    statements = [
        'CREATE TABLE "select" (id INTEGER, "order" TEXT, "größe" REAL, "net sales" INTEGER)',
        *_inserts(name, fields),
    ]
    yield _case(
        "sqlite", "names", "reserved and not ascii", statements, Expected(tables=(expect_table(fields, table=name),))
    )
    fields = [make.serial("id"), make.word("town")]
    broken = [
        "CREATE TABLE visits (id INTEGER, town TEXT)",
        *_inserts("visits", fields),
        "CREATE VIEW towns AS SELECT town FROM visits",
        "CREATE VIEW broken AS SELECT town FROM gone",
    ]
    towns = expect_table([fields[1]], table="towns")
    expected = Expected(tables=(expect_table(fields, table="visits"), towns), doubts=kinds_of(("not_read",)))
    yield _case("sqlite", "views", "one that is broken", broken, expected)
    yield _case(
        "sqlite",
        "views",
        "and an empty table",
        [*broken[:3], "CREATE TABLE later (id INTEGER, town TEXT)"],
        replace(expected, doubts=()),
    )
    double = Field(
        name="twice", kinds=("integer",), values=tuple(2 * v for v in fields[0].values if isinstance(v, int))
    )
    statements = ["CREATE TABLE t1 (id INTEGER, town TEXT, twice INTEGER GENERATED ALWAYS AS (id * 2) STORED)"]
    statements_with_rows = [
        *statements,
        ("INSERT INTO t1 (id, town) VALUES (?, ?)", list(zip(fields[0].values, fields[1].values, strict=True))),
    ]
    yield _case(
        "sqlite",
        "generated columns",
        "stored",
        statements_with_rows,
        Expected(tables=(expect_table([*fields, double], table="t1"),)),
    )


def _duckdb_names() -> Iterator[Case]:
    make = Fields("schemas", 16)
    fields = [make.serial("id"), make.word("city"), make.integer("visits")]
    body = "(id INTEGER, city VARCHAR, visits INTEGER)"
    statements = ["CREATE SCHEMA sales", f"CREATE TABLE sales.visits {body}", *_inserts("sales.visits", fields)]
    expected = Expected(tables=(expect_table(fields, table="sales.visits"),))
    yield _case("duckdb", "schemas", "not the default", statements, expected)
    other = [make.serial("id", 900), make.word("city", GOODS), make.integer("visits", 1000, 9000)]
    statements += ["CREATE SCHEMA archive", f"CREATE TABLE archive.visits {body}", *_inserts("archive.visits", other)]
    both = Expected(tables=(*expected.tables, expect_table(other, table="archive.visits")))
    yield _case("duckdb", "schemas", "one name in two", statements, both)
    third = [make.serial("id", 300), make.word("city", PEOPLE), make.integer("visits", 100, 200)]
    statements = [*statements, f"CREATE TABLE visits {body}", *_inserts("main.visits", third)]
    whole = Expected(tables=(*both.tables, expect_table(third, table="visits")))
    yield _case("duckdb", "schemas", "one name in three", statements, whole)
    categories, products, sales = _shop("schemas")
    del sales
    statements = [
        "CREATE SCHEMA shop",
        "CREATE TABLE shop.Categories (CategoryID INTEGER PRIMARY KEY, CategoryName VARCHAR)",
        "CREATE TABLE shop.Products (ProductID INTEGER, ProductName VARCHAR, CategoryID INTEGER REFERENCES shop.Categories (CategoryID), UnitPrice DOUBLE)",
        *_inserts("shop.Categories", categories),
        *_inserts("shop.Products", products),
    ]
    tables = (expect_table(categories, table="shop.Categories"), expect_table(products, table="shop.Products"))
    yield _case("duckdb", "schemas", "with keys", statements, Expected(tables=tables, keys=_KEYS[:1]))
    name = "net sales (€)"
    statements = [f'CREATE TABLE {_quoted(name)} (id INTEGER, "group" VARCHAR, "a ""b""" INTEGER)']
    fields = [make.serial("id"), make.word("group"), make.integer('a "b"')]
    marks = [
        ("INSERT INTO " + _quoted(name) + " VALUES (?, ?, ?)", list(zip(*(f.values for f in fields), strict=True)))
    ]
    yield _case(
        "duckdb", "names", "with marks", [*statements, *marks], Expected(tables=(expect_table(fields, table=name),))
    )


def _duckdb_types() -> Iterator[Case]:
    make = Fields("types", 12)
    ident = make.serial("id")
    big = tuple(10**20 + number for number in range(12))
    columns: dict[str, tuple[str, str, Field]] = {
        "enum": ("ENUM ('low', 'mid', 'high')", "?", make.word("v", ("low", "mid", "high"))),
        "decimal of 38": ("DECIMAL(38, 4)", "?", make.number("v", 1000, 9000)),
        "huge integer": ("HUGEINT", "?", Field(name="v", kinds=("integer", "number"), values=big)),
        "zoned": ("TIMESTAMPTZ", "?", replace(make.moments("v"), others=())),
        "nanoseconds": ("TIMESTAMP_NS", "?", make.moments("v")),
        "time": ("TIME", "?", Field(name="v", kinds=("time",), values=tuple(value.time() for value in make.moments("v").values if isinstance(value, datetime)))),
        "uuid": ("UUID", "?", Field(name="v", kinds=("text", "other"), values=tuple(f"00000000-0000-4000-8000-{number:012d}" for number in range(12)))),
        "list": ("INTEGER[]", "[?, 1]", Field(name="v", kinds=("other", "text"), values=tuple(range(12)))),
        "interval": ("INTERVAL", "to_minutes(?)", Field(name="v", kinds=("duration", "other", "text", "number", "time"), values=tuple(range(1, 13)))),
        "bytes": ("BLOB", "?::VARCHAR::BLOB", Field(name="v", kinds=("binary", "other"), values=tuple("abcdefghijkl"))),
        "json": ("JSON", "?", Field(name="v", kinds=("text", "other"), values=tuple(f'{{"a": {number}}}' for number in range(12)))),
    }  # fmt: skip
    for name, (type_, written, field) in columns.items():
        rows = [
            (n, str(v) if isinstance(v, date) or name == "time" else v)
            for n, v in zip(ident.values, field.values, strict=True)
        ]
        statements = [
            f"CREATE TABLE things (id INTEGER, v {type_})",
            (f"INSERT INTO things VALUES (?, {written})", rows),
        ]
        if name == "zoned":
            statements.insert(0, "SET TimeZone = 'UTC'")
        expected = Expected(
            tables=(expect_table([ident, field], table="things"),),
            doubts=kinds_of(("time_zone",)) if name == "zoned" else (),
        )
        yield _case("duckdb", "types", name, statements, expected)
