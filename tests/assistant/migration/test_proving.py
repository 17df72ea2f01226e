"""A statement is proved by the recorded output or by the original itself; nothing else is kept."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from rights_of_person import PERSON

from assistant.migration.proving import Migration, make_dbt_model, prove_statement, read_recorded
from assistant.migration.statements import MigrationError
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source

STATEMENT = "SELECT TOP 2 name, ISNULL(SUM(amount), 0) AS total FROM sales AS s GROUP BY name ORDER BY total DESC"


def proved(
    folder: Path, *, text: str = STATEMENT, recorded: str | None = None, has_original: bool = False
) -> Migration:
    database = folder / "shop.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS sales (name TEXT, amount REAL)")
        connection.execute("DELETE FROM sales")
        connection.executemany("INSERT INTO sales VALUES (?, ?)", [("a", 1.5), ("b", 2.0), ("c", None)])
    file = folder / "recorded.csv" if recorded is not None else None
    if file is not None:
        file.write_text(recorded or "")

    async def prove() -> Migration:
        source = await open_source(parse_addresses(str(database), PERSON)[0], folder=folder / "opened")
        try:
            original = source if has_original else None
            dialect = "sqlite" if has_original else "tsql"
            return await prove_statement(text, dialect=dialect, source=source, original=original, recorded=file)
        finally:
            await source.close()

    return asyncio.run(prove())


def test_a_recorded_output_that_agrees_is_a_proof(tmp_path: Path) -> None:
    migration = proved(tmp_path, recorded="name,total\nb,2\na,1.50\n")
    assert migration.is_proved
    assert (migration.rows, migration.tables) == (2, ("sales",))


def test_an_output_that_differs_is_none(tmp_path: Path) -> None:
    migration = proved(tmp_path, recorded="name,total\nb,2\na,1.9\n")
    assert not migration.is_proved
    assert migration.count_causes() == {"rounding": 1}


def test_a_column_with_another_name_proves_nothing(tmp_path: Path) -> None:
    migration = proved(tmp_path, recorded="name,amount\nb,2\na,1.5\n")
    assert not migration.is_proved
    assert migration.count_causes() == {"name": 1}


def test_a_column_without_an_alias_has_the_name_of_the_engine(tmp_path: Path) -> None:
    migration = proved(tmp_path, text="SELECT SUM(amount) FROM sales", recorded="?column?\n3.5\n")
    assert migration.is_proved
    (note,) = migration.notes
    assert "Column 1 has no alias" in note


def test_without_the_original_nothing_is_proved(tmp_path: Path) -> None:
    assert not proved(tmp_path).is_proved
    assert not proved(tmp_path, text="SELECT name FROM sales WHERE 1 = 0", recorded="name\n").is_proved


def test_the_original_is_run_where_it_belongs(tmp_path: Path) -> None:
    assert proved(tmp_path, text="SELECT name FROM sales", has_original=True).is_proved


def test_other_columns_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(MigrationError, match="1 columns"):
        proved(tmp_path, recorded="name\nb\n")


def test_a_dbt_model_reads_sources(tmp_path: Path) -> None:
    model = make_dbt_model(proved(tmp_path))
    assert "{{ source('shop', 'sales') }} AS s" in model
    assert model.startswith("{{ config(materialized='view') }}")


@pytest.mark.parametrize(("text", "message"), [("", "is empty"), ("a,b\n1\n", "line 2: 1 cells")])
def test_a_recorded_output_that_is_none_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(text)
    with pytest.raises(MigrationError, match=message):
        read_recorded(tmp_path / "r.csv")
