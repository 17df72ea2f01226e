"""Scripts of pandas: what they name is given, and what reaches outside is an error with its line."""

from __future__ import annotations

import asyncio
import contextlib
import io
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from rights_of_person import PERSON

from assistant.migration.proving import Migration
from assistant.migration.scripts import prove_script, read_script
from assistant.migration.statements import MigrationError
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source

TABLES = ("orders", "lines")


class PlainKernel:
    """Runs code in this process; the scripts of these tests are harmless."""

    async def run(self, code: str, *, timeout_s: float) -> tuple[str, str]:
        printed = io.StringIO()
        scope: dict[str, Any] = {}
        with contextlib.redirect_stdout(printed):
            exec(code, scope)
        return printed.getvalue(), ""


@asynccontextmanager
async def kernel() -> AsyncGenerator[PlainKernel]:
    yield PlainKernel()


def proved(folder: Path, text: str, recorded: str) -> Migration:
    with sqlite3.connect(folder / "shop.sqlite") as connection:
        connection.execute("CREATE TABLE many (id INTEGER, amount REAL, day TEXT)")
        rows = [(1, 2.5, "2026-01-05"), (2, 1.0, "2026-01-06"), (3, 4.0, None), (4, None, "2026-01-08")]
        connection.executemany("INSERT INTO many VALUES (?, ?, ?)", rows)
    (folder / "recorded.csv").write_text(recorded)

    async def prove() -> Migration:
        source = await open_source(parse_addresses(str(folder / "shop.sqlite"), PERSON)[0], folder=folder / "opened")
        try:
            return await prove_script(text, source=source, recorded=folder / "recorded.csv", kernel=kernel)
        finally:
            await source.close()

    return asyncio.run(prove())


@pytest.mark.parametrize(
    ("text", "recorded", "causes"),
    [
        ("many[many.id.isin([1, 2, 4])][['id', 'amount']]", "id,amount\n1,2.5\n2,1\n4,\n", {}),
        ("many.groupby('id')['amount'].sum().head(2)", "id,amount\n1,2.5\n2,1.0\n", {}),
        ("(many.head(2).amount / 0).to_frame()", 'amount\n""\n""\n', {"NULL": 2}),
        ("(many.head(2).amount / 0).to_frame()", "amount\ninf\ninf\n", {}),
        ("many.sort_values('id', ascending=False)[['id']]", "id\n1\n2\n3\n4\n", {"order": 1}),
        ("many[['id']][::-1]", "id\n1\n2\n3\n4\n", {}),
        (
            "import pandas as pd\npd.to_datetime(many.day.head(2)).to_frame()",
            "day\n2026-01-05 00:00:00\n2026-01-06 00:00:00\n",
            {},
        ),
        ("(many.id > 2).to_frame()", "id\nFalse\nFalse\nTrue\nTrue\n", {}),
        ("many[['id']].head(1)", "key\n1\n", {"name": 1}),
    ],
)
def test_the_rows_of_a_script_are_compared(text: str, recorded: str, causes: dict[str, int], tmp_path: Path) -> None:
    migration = proved(tmp_path, text, recorded)
    assert migration.count_causes() == causes
    assert migration.is_proved == (not causes)


def test_the_last_line_is_the_result_and_its_tables_are_named() -> None:
    reading = read_script("import pandas as pd\nbig = orders[orders.n > 1]\nbig.merge(lines)", TABLES)
    assert reading.names == ("orders", "lines")
    assert reading.code.endswith("result = big.merge(lines)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import pandas as pd\npd.read_csv('a.csv')", "Line 2: read_csv needs a file"),
        ("import requests", "Line 1: requests needs"),
        ("from os import path", "Line 1: os needs"),
        ("x = 1\nopen('a')", "Line 2: open needs"),
        ("orders.to_excel('a.xlsx')", "Line 1: to_excel needs"),
        ("x = 1\norderz.head()", "Line 2: there is no 'orderz'. The source has lines, orders."),
        ("x = (", "Line 1: the script is not valid"),
        ("x = 1", "has no result"),
    ],
)
def test_what_cannot_run_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(MigrationError, match=message):
        read_script(text, TABLES)
