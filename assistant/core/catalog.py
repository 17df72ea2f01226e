"""The catalog of a source: tables, columns, keys and a profile of each column. Values only; adapters fill them in."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from datetime import time as time_of_day
from decimal import Decimal
from typing import Literal, cast

from assistant.core.doubts import Doubt
from assistant.core.values import Scalar

ColumnKind = Literal["integer", "number", "text", "date", "datetime", "time", "duration", "boolean", "binary", "other"]

Conversion = Literal["", "money", "duration", "zoned"]
"""An amount that the engine writes with its currency; a length of time; an instant, whose day depends on the zone."""

COMPARABLE: tuple[ColumnKind, ...] = ("integer", "number", "text", "date", "datetime", "time", "duration", "boolean")
"""The kinds whose values an engine can tell apart and put in order."""
VALUES_MAX = 5_000
"""A text column with at most so many distinct values has all of them in its profile."""
VALUES_LIMIT_CHARS = 1_000_000
"""Unless they are longer than this together: then they are prose, not labels."""
UNREAD = "?"
"""Stands for the expression of a computed column that could not be read."""
TOP_MAX = 10
"""How many most frequent values a profile keeps."""
JSON_ROWS_MAX = 200
"""In so many rows the keys of a JSON column are looked for."""
JSON_KEYS_MAX = 50
"""How many of these a profile keeps: where there are more, the keys are data themselves."""
LABEL_WORDS_MAX = 6
"""A comment of so many words is the name of its column in words; a longer one explains it."""
PROFILED_ROWS_MAX = 500_000
"""Tables longer than this are profiled on their first rows; `Profile.sampled` says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What a column's values look like.

    Attributes:
        distinct: Number of distinct values, nulls not counted.
        nulls: Number of rows without a value.
        low: Least value; dates and times as ISO text. None if there is none.
        high: Greatest value, likewise.
        top: The most frequent values with their counts, most frequent first.
        values: All distinct values of a text column in order, if they are few (`VALUES_MAX`); else None.
        sampled: True if only the first rows of the table were looked at.
        determined_by: The column that numbers what several rows belong to, where all of these have the same value here,
            as the lines of an order have its freight; else empty.
        running: Whether it is a running total: along the table's dates it never falls.
        json_keys: The keys of the JSON objects that it holds, those of the first rows in the order they occur.
    """

    distinct: int
    nulls: int
    low: Scalar = None
    high: Scalar = None
    top: tuple[tuple[Scalar, int], ...] = ()
    values: tuple[str, ...] | None = None
    sampled: bool = False
    determined_by: str = ""
    running: bool = False
    json_keys: tuple[str, ...] = ()

    @property
    def days(self) -> tuple[date, date] | None:
        """The first and the last day; None where they are not known, or the values are no days."""
        if self.low is None or self.high is None or self.sampled:
            return None
        with suppress(ValueError):  # a year, or no date
            return date.fromisoformat(str(self.low)[:10]), date.fromisoformat(str(self.high)[:10])
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column. `type` is the engine's word for it, `kind` what its values are.

    `stored_as_text` marks dates that the engine holds as ISO text: compare them as text, or convert. `role` is what a
    person said it is (`assistant.sources.catalog.corrections`); empty where nobody said anything. `computed` is the
    expression by which the engine computes it from other columns, `UNREAD` where that could not be read; empty for any
    other column. `conversion` says what a query does with its values before it computes with them.
    """

    name: str
    type: str
    kind: ColumnKind
    nullable: bool = True
    comment: str = ""
    stored_as_text: bool = False
    profile: Profile | None = None
    role: str = ""
    computed: str = ""
    conversion: Conversion = ""

    @property
    def label(self) -> str:
        """Its comment, where this is a name in words, as of a survey's question `v12`; else empty."""
        label = self.comment.partition(";")[0]  # labels of values follow
        return label if 0 < len(label.split()) <= LABEL_WORDS_MAX and not label.startswith("in ") else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignKey:
    """`columns` refer to `target_columns` of `table`. `inferred` means: from names and values, not declared.

    `doubt` says why the rows do not keep it, where it is declared and they do not (`declared`); then it joins nothing.
    `strays` is how many rows refer to nothing then, or of an inferred key that is used nevertheless; None where rows
    are not the reason.
    """

    columns: tuple[str, ...]
    table: str
    target_columns: tuple[str, ...]
    inferred: bool = False
    schema: str | None = None
    doubt: str = ""
    strays: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table or view. `rows` is None where counting took too long; `part_of` is the table whose partition it is.

    `definition` is the SQL of a view, empty where the catalog does not give it; `is_foreign` says that its rows are
    those of something else: another server's table, an index over texts.

    `at` says where a table of several sources is that are asked together: its source, its schema there or "", its name.
    `stored` is the name in the database where `name` tells the table from one of another schema (`make_names_unique`).
    """

    name: str
    columns: tuple[Column, ...]
    schema: str | None = None
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    rows: int | None = None
    comment: str = ""
    is_view: bool = False
    part_of: str | None = None
    at: tuple[str, ...] = ()
    stored: str = ""
    definition: str = ""
    is_foreign: bool = False

    @property
    def place(self) -> tuple[str, ...]:
        """The parts of its name in SQL: with the schema, unless that is the default one."""
        name = self.stored or self.name
        return (self.schema, name) if self.schema and not self.at else (name,)

    @property
    def usable_keys(self) -> tuple[ForeignKey, ...]:
        """The foreign keys that tables are joined by: all that are not doubted."""
        return tuple(key for key in self.foreign_keys if not key.doubt)

    @property
    def key_names(self) -> frozenset[str]:
        """The columns of its primary key and of its foreign keys, the doubted ones included."""
        return frozenset((*self.primary_key, *(name for key in self.foreign_keys for name in key.columns)))

    def column(self, name: str) -> Column | None:
        """The column of that name, in any case; None if there is none."""
        return next((column for column in self.columns if column.name.casefold() == name.casefold()), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """All tables of a source. `source` is its name, `dialect` sqlglot's word for its SQL.

    `doubts` are what its reader alone can tell: what could not be read, what values look like something else. What
    follows from its tables is added by `assistant.sources.catalog.doubts`.
    `routines` are the functions and macros that people made there, in lower case.
    `time_zone` is the IANA name of the zone whose days those of its instants are.
    `choices` names the doubts whose other reading a person chose for good.
    """

    source: str
    dialect: str
    tables: tuple[Table, ...]
    doubts: tuple[Doubt, ...] = ()
    routines: tuple[str, ...] = ()
    time_zone: str = "UTC"
    choices: tuple[str, ...] = ()

    def table(self, name: str) -> Table | None:
        """The table of that name, in any case, with or without its schema; None if there is none."""
        folded_name = name.casefold()
        by_name = (table for table in self.tables if table.name.casefold() == folded_name)
        by_place = (
            table for table in self.tables if f"{table.schema}.{table.stored or table.name}".casefold() == folded_name
        )
        return next(by_name, None) or next(by_place, None)

    def table_at(self, place: Sequence[str]) -> Table | None:
        """The table at a place, whose schema need not be known here, as the default one is not; else None."""
        return (len(place) > 1 and self.table(".".join(place[-2:]))) or self.table(place[-1])


def make_names_unique(catalog: Catalog) -> Catalog:
    """The catalog with a name of its own for each table: of several of one name, those in a schema are called by both.

    `orders` of the default schema keeps its name, and that of the schema `archive` becomes `archive.orders`.
    """
    names = Counter(table.name.casefold() for table in catalog.tables)
    if max(names.values(), default=0) <= 1:
        return catalog

    def called(schema: str | None, name: str) -> str:
        return f"{schema}.{name}" if schema and names[name.casefold()] > 1 else name

    return replace(
        catalog,
        tables=tuple(
            replace(
                table,
                name=called(table.schema, table.name),
                stored=table.name if table.schema and names[table.name.casefold()] > 1 else "",
                foreign_keys=tuple(replace(key, table=called(key.schema, key.table)) for key in table.foreign_keys),
                part_of=table.part_of and called(table.schema, table.part_of),
            )
            for table in catalog.tables
        ),
    )


_KINDS: dict[ColumnKind, str] = {
    "boolean": "BOOL BOOLEAN",
    "datetime": "DATETIME DATETIMEOFFSET SMALLDATETIME TIMESTAMP TIMESTAMPTZ TIMESTAMPNTZ TIMESTAMPLTZ",
    "date": "DATE",
    "time": "TIME TIMETZ",
    "text": (
        "CHAR BPCHAR NCHAR CHARACTER VARCHAR NVARCHAR VARCHAR2 NVARCHAR2 TEXT NTEXT TINYTEXT MEDIUMTEXT LONGTEXT CITEXT"
        " STRING FIXEDSTRING CLOB NCLOB ENUM SET NAME SYSNAME"
    ),
    "binary": "BLOB TINYBLOB MEDIUMBLOB LONGBLOB BINARY VARBINARY BYTEA BYTES IMAGE RAW",
    "integer": (
        "INT INTEGER TINYINT SMALLINT MEDIUMINT BIGINT HUGEINT UHUGEINT UINT UTINYINT USMALLINT UINTEGER UBIGINT"
        " BYTEINT SERIAL SMALLSERIAL BIGSERIAL YEAR OID LONG"
    ),
    "number": (
        "NUMERIC DECIMAL DEC NUMBER FIXED BIGNUMERIC BIGDECIMAL REAL FLOAT BFLOAT DOUBLE BIGNUM MONEY SMALLMONEY"
    ),
    "duration": "INTERVAL",
}
_SECONDS_PER_HOUR = 3600
_KIND_OF_WORD: dict[str, ColumnKind] = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_WRAPPER = re.compile(r"(?:NULLABLE|LOWCARDINALITY)\((.*)\)")
_INTEGER_TYPE = re.compile(r"(?:NUMERIC|DECIMAL|DEC|NUMBER)\s*\(\s*\d+\s*(?:,\s*0\s*)?\)")


def kind_of_type(type_name: str) -> ColumnKind:
    """What the values of an engine's own type are: by the words before its arguments, each as a whole.

    The names of a person's own types say nothing; an adapter asks for the type beneath them.
    """
    upper = type_name.upper().strip()
    while wrapped := _WRAPPER.fullmatch(upper):
        upper = wrapped[1].strip()
    if upper.endswith("]"):
        return "other"
    if upper.endswith("SUB_TYPE TEXT"):  # Firebird's long text
        return "text"
    if _INTEGER_TYPE.fullmatch(upper):
        return "integer"
    words = re.split(r"[\s_]+", upper.partition("(")[0])
    for word in words:
        if kind := _KIND_OF_WORD.get(word) or _KIND_OF_WORD.get(word.rstrip("0123456789")):
            return kind
    return "other"


def conversion_of_type(type_name: str) -> Conversion:
    """What a query does first with the values of an engine's own type."""
    upper = type_name.upper()
    if kind_of_type(type_name) == "duration":
        return "duration"
    if upper in ("MONEY", "SMALLMONEY"):
        return "money"
    return "zoned" if upper.startswith("TIMESTAMPTZ") or re.match(r"TIMESTAMP.* WITH TIME ZONE$", upper) else ""


def profile_value(value: object, kind: ColumnKind) -> Scalar:
    """A value of an engine as a profile holds it: a duration as its hours."""
    if kind == "duration" and isinstance(value, timedelta):
        return value.total_seconds() / _SECONDS_PER_HOUR
    return to_plain(value)


def keys_of_json(values: Iterable[object]) -> tuple[str, ...]:
    """The keys of JSON objects, given as text or as the driver's own values, in the order they occur."""
    keys: dict[str, None] = {}
    for value in values:
        with suppress(ValueError):
            item: object = json.loads(value) if isinstance(value, str) else value
            if isinstance(item, dict):
                keys.update(dict.fromkeys(str(key) for key in cast("dict[object, object]", item)))
    return tuple(keys)[:JSON_KEYS_MAX]


def to_plain(value: object) -> Scalar:
    """A Python value of an engine as a plain one: dates as ISO text, decimals as numbers."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date | time_of_day):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return None if isinstance(value, bytes) else str(value)
