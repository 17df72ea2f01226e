"""The types of each engine, and what is right of them; tests hold both the engines and the page of types to it.

Run as `python tests/support/typings_of_engines.py` to write the table of `docs/reference/types.md` anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "types.md"
_START, _END = "<!-- types -->\n", "<!-- /types -->"


@dataclass(frozen=True, slots=True)
class Typing:
    """A column: its type, its value in the row `{n}` (`{m}` is 0 or 1), and what is right of it.

    `dtype` is that in pandas; `first` the value of row 1 there, as text.
    """

    name: str
    type: str
    value: str
    kind: str
    role: str
    dtype: str
    first: str


POSTGRES = (
    Typing("price", "price_type", "{n}.50", "number", "rate", "object", "1.50"),
    Typing("steps", "email_name", "{n}", "integer", "measure", "int64", "1"),
    Typing("feeling", "mood", "'mood {m}'", "text", "category", "str", "mood 1"),
    Typing("fee", "money", "'$1,000.5{n}'", "number", "measure", "str", "$1,000.51"),
    Typing("big", "numeric(38, 10)", "12345678901234567890.123456789{n}", "number", "measure", "object", "1234567"),
    Typing("doc", "jsonb", """'{{"colour": "c{m}", "n": {n}}}'""", "other", "other", "object", "{'n': 1, 'colour': "),
    Typing("plain", "json", """'{{"colour": "c{m}"}}'""", "other", "other", "object", "{'colour': 'c1'}"),
    Typing("tags", "text[]", "'{{x,y}}'", "other", "other", "object", "['x' 'y']"),
    Typing("effort", "interval", "'{n} hours'", "duration", "duration", "timedelta64[us]", "0 days 01:00:00"),
    Typing("seen", "timestamptz", "'2024-03-0{n} 23:30+00'", "datetime", "date", "datetime64[us, ", "2024-03-01 23:30"),
    Typing("code", "uuid", "'00000000-0000-0000-0000-00000000000{n}'", "other", "other", "object", "00000000-0000"),
    Typing("flags", "bit(4)", "B'0101'", "other", "other", "str", "0101"),
    Typing("data", "bytea", "'\\x0{n}'", "binary", "other", "object", "b'\\x01'"),
    Typing("reach", "int4range", "'[1,{n}]'", "other", "other", "str", "[1, 2)"),
    Typing("select", "boolean", "{m} = 1", "boolean", "flag", "bool", "True"),
    Typing("Größe", "real", "{n}.5", "number", "measure", "float64", "1.5"),
)
MARIADB = (
    Typing("price", "decimal(10, 2)", "{n}.50", "number", "rate", "object", "1.50"),
    Typing("feeling", "enum('mood 0', 'mood 1')", "'mood {m}'", "text", "category", "str", "mood 1"),
    Typing("options", "set('a', 'b')", "'a,b'", "text", "category", "str", "a,b"),
    Typing("big", "decimal(38, 10)", "12345678901234567890.123456789{n}", "number", "measure", "object", "1234567"),
    Typing("born", "year", "2020 + {m}", "integer", "part", "int64", "2021"),
    Typing("seen", "datetime", "'2024-03-0{n} 23:30'", "datetime", "date", "datetime64[us]", "2024-03-01 23:30"),
    Typing("code", "uuid", "'00000000-0000-0000-0000-00000000000{n}'", "other", "other", "str", "00000000-0000"),
    Typing("flags", "bit(4)", "b'0101'", "other", "other", "object", "b'\\x05'"),
    Typing("data", "blob", "x'0{n}'", "binary", "other", "object", "b'\\x01'"),
    Typing("select", "tinyint(1)", "{m}", "integer", "flag", "int64", "1"),
    Typing("Größe", "float", "{n}.5", "number", "measure", "float64", "1.5"),
)
DUCKDB = (
    Typing("price", "decimal(10, 2)", "{n}.50", "number", "rate", "object", "1.50"),
    Typing("feeling", "mood", "'mood {m}'", "text", "category", "str", "mood 1"),
    Typing("big", "decimal(38, 10)", "12345678901234567890.123456789{n}", "number", "measure", "object", "1234567"),
    Typing("doc", "json", """'{{"colour": "c{m}", "n": {n}}}'""", "other", "other", "str", '{"colour": "c1"'),
    Typing("tags", "text[]", "['x', 'y']", "other", "other", "object", "['x' 'y']"),
    Typing("effort", "interval", "INTERVAL '{n} hours'", "duration", "duration", "timedelta64[us]", "0 days 01:00:00"),
    Typing("seen", "timestamptz", "'2024-03-0{n} 23:30+00'", "datetime", "date", "datetime64[us, ", "2024-03-0"),
    Typing("code", "uuid", "'00000000-0000-0000-0000-00000000000{n}'", "other", "other", "str", "00000000-0000"),
    Typing("data", "blob", "'\\x0{n}'", "binary", "other", "object", "b'\\x01'"),
    Typing("select", "boolean", "{m} = 1", "boolean", "flag", "bool", "True"),
    Typing("Größe", "real", "{n}.5", "number", "measure", "float64", "1.5"),
)
SQLITE = (
    Typing("price", "NUMERIC", "{n}.50", "number", "rate", "float64", "1.5"),
    Typing("feeling", "VARCHAR(20)", "'mood {m}'", "text", "category", "str", "mood 1"),
    Typing("doc", "JSON", """'{{"colour": "c{m}"}}'""", "text", "category", "str", '{"colour": "c1"}'),
    Typing("seen", "TIMESTAMP", "'2024-03-0{n} 23:30:00'", "datetime", "date", "str", "2024-03-01 23:30"),
    Typing("data", "BLOB", "x'0{n}'", "binary", "other", "object", "b'\\x01'"),
    Typing("select", "BOOLEAN", "{m}", "boolean", "flag", "int64", "1"),
    Typing("Größe", "REAL", "{n}.5", "number", "measure", "float64", "1.5"),
)
CLICKHOUSE = (
    Typing("price", "Nullable(Decimal(10, 2))", "{n}.50", "number", "rate", "object", "1.50"),
    Typing("feeling", "Enum8('mood 0' = 0, 'mood 1' = 1)", "'mood {m}'", "text", "category", "str", "mood 1"),
    Typing("name", "LowCardinality(String)", "'n{m}'", "text", "category", "str", "n1"),
    Typing("tags", "Array(String)", "['x', 'y']", "other", "other", "object", "['x' 'y']"),
    Typing(
        "seen", "DateTime64(3)", "'2024-03-0{n} 23:30:00'", "datetime", "date", "datetime64[us]", "2024-03-01 23:30"
    ),
    Typing("Größe", "Float64", "{n}.5", "number", "measure", "float64", "1.5"),
)
ENGINES = {
    "PostgreSQL": POSTGRES,
    "MariaDB": MARIADB,
    "SQLite": SQLITE,
    "DuckDB, and files": DUCKDB,
    "ClickHouse": CLICKHOUSE,
}


_TITLES = {"price_type": "a domain of `numeric`", "email_name": "a domain of `integer`", "mood": "an enumeration"}


def _complete(dtype: str) -> str:
    """The name of a type of pandas, of which tests compare the beginning."""
    return f"{dtype}zone]" if dtype.endswith(", ") else dtype


def render_table() -> str:
    """The rows of all engines, as the page shows them."""
    lines = ["| engine | type | read as | role | in pandas |", "|---|---|---|---|---|"]
    for engine, columns in ENGINES.items():
        lines += [
            f"| {engine} | {_TITLES.get(column.type, f'`{column.type}`')} | {column.kind} | {column.role} | `{_complete(column.dtype)}` |"
            for column in columns
        ]
    return "\n".join(lines) + "\n"


def replace_table(page: str) -> str:
    """The page with the table as it has to be."""
    start, end = page.index(_START) + len(_START), page.index(_END)
    return page[:start] + render_table() + page[end:]


if __name__ == "__main__":
    PAGE.write_text(replace_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
