"""A table that is written out in any dialect is read back equal, or what may be wrong with it is said."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from rights_of_person import PERSON

from assistant.core.doubts import Doubt
from assistant.sources.addresses import parse_addresses
from assistant.sources.reading.conversion import Conversion
from assistant.sources.reading.metering import Meter

DELIMITERS = (",", ";", "\t", "|")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252")
DAYS = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y%m%d", "%d %b %Y", "%d/%m/%y")
TOWNS = (
    "Zürich",
    "Genève",
    "São Paulo",
    "Kraków, PL",
    'The "Hill"',
    "Lund\nNord",
    "Bern",
    "Oslo; N",
    "Málaga",
    "Brno|2",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a table is written."""

    delimiter: str
    encoding: str
    line_end: str
    quoting: int
    decimal: str
    thousands: str
    day: str
    missing: str
    title: bool


def any_style(chance: random.Random) -> Style:
    """A style; figures with decimal commas are in files that semicolons, tabs or bars part."""
    delimiter = chance.choice(DELIMITERS)
    decimal = chance.choice(".,") if delimiter != "," else "."
    return Style(
        delimiter=delimiter,
        encoding=chance.choice(ENCODINGS),
        line_end=chance.choice(("\n", "\r\n")),
        quoting=chance.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
        decimal=decimal,
        thousands=chance.choice(("", {".": ",", ",": "."}[decimal], "'", "\u00a0")),
        day=chance.choice(DAYS),
        missing=chance.choice(("", "", "n/a", "-", "NULL")),
        title=chance.random() < 0.2,
    )


def any_rows(chance: random.Random) -> list[dict[str, Any]]:
    """Rows of a text, a whole number, an amount, a day and a flag; every fifth amount is missing in some tables."""
    first, has_gaps = date(chance.randrange(1990, 2024), 1, 1), chance.random() < 0.5
    return [
        {
            "town": chance.choice(TOWNS),
            "pieces": chance.randrange(1, 5_000),
            "amount": None if has_gaps and n % 5 == 3 else round(chance.uniform(-9_000, 90_000), 2),
            "day": first + timedelta(days=chance.randrange(0, 900)),
            "code": f"{chance.randrange(0, 9_999):05}",
        }
        for n in range(chance.randrange(8, 60))
    ]


def write(rows: Sequence[dict[str, Any]], style: Style) -> bytes:
    """The table as a file in a style."""

    def number(value: float | None) -> str:
        if value is None:
            return style.missing
        text = f"{value:,.2f}".replace(",", "T").replace(".", style.decimal)
        return text.replace("T", style.thousands)

    text = io.StringIO()
    writer = csv.writer(text, delimiter=style.delimiter, quoting=style.quoting, lineterminator=style.line_end)
    if style.title:
        text.write(f"Amounts of all towns{style.line_end}{style.line_end}")
    writer.writerow(rows[0])
    for row in rows:
        day = row["day"].strftime(style.day)
        writer.writerow([row["town"], row["pieces"], number(row["amount"]), day, row["code"]])
    return text.getvalue().encode(style.encoding)


def read(file: Path) -> tuple[list[dict[str, Any]], list[Doubt]]:
    """The only table of a file, and its doubts."""
    (address,) = parse_addresses(str(file), PERSON)
    with closing(duckdb.connect()) as con, Meter(con.query_progress, lambda _: None) as meter:
        conversion = Conversion(con, file.parent, meter)
        conversion.load(address)
        (table,) = conversion.tables
        return con.sql(f'SELECT * FROM "{table.name}"').to_arrow_table().to_pylist(), conversion.doubts


def is_doubted(doubts: Sequence[Doubt], column: str) -> bool:
    """Whether a doubt concerns a column, or all of them."""
    return any(not doubt.columns or column in doubt.columns for doubt in doubts)


def differences(rows: Sequence[dict[str, Any]], style: Style, folder: Path) -> list[str]:
    """The columns that are read otherwise without a doubt."""
    file = folder / "t.csv"
    file.write_bytes(write(rows, style))
    table, doubts = read(file)
    if len(table) != len(rows) and not is_doubted(doubts, ""):
        return [f"{len(table)} rows of {len(rows)}"]
    return [
        name
        for name in rows[0]
        if [row.get(name) for row in table] != [row[name] for row in rows] and not is_doubted(doubts, name)
    ]


@pytest.mark.parametrize("seed", range(24))
def test_a_table_is_read_back_equal_or_doubted(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    style = any_style(chance)
    assert differences(any_rows(chance), style, tmp_path) == [], style


def test_the_order_of_columns_and_a_preamble_change_nothing(tmp_path: Path) -> None:
    chance = random.Random(99)
    rows = any_rows(chance)
    names = list(rows[0])
    for number in range(4):
        chance.shuffle(names)
        file = tmp_path / f"t{number}.csv"
        content = "".join(
            ";".join('"' + str(row[name]).replace('"', '""') + '"' if row[name] is not None else "" for name in names)
            + "\n"
            for row in rows
        )
        file.write_text("Export of the day\n\n" * (number % 2) + ";".join(names) + "\n" + content, encoding="utf-8")
        table, _ = read(file)
        assert [{name: row[name] for name in rows[0]} for row in table] == rows
