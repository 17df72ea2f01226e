"""Texts of a folder that are parts of one table are one table: typed together, said, and each row with its file."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest
from loaded_file import LoadedFile
from rights_of_person import PERSON

from assistant.sources.addresses import parse_addresses
from assistant.sources.reading import text_parts
from assistant.sources.reading.conversion import Conversion
from assistant.sources.reading.metering import Meter


def read(folder: Path) -> tuple[dict[str, list[dict[str, Any]]], list[str]]:
    """The tables of a folder, and what its doubts say."""
    work = folder.parent / "work"
    work.mkdir(exist_ok=True)
    with closing(duckdb.connect()) as con, Meter(con.query_progress, lambda _: None) as meter:
        conversion = Conversion(con, work, meter)
        conversion.load(parse_addresses(str(folder), PERSON)[0])
        tables = {
            table.name: con.sql(f'SELECT * FROM "{table.name}"').to_arrow_table().to_pylist()
            for table in conversion.tables
        }
    assert not list(work.iterdir())
    return tables, [doubt.sentence for doubt in conversion.doubts]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def test_a_file_for_each_month_is_one_table_that_says_the_file_of_each_row(folder: Path) -> None:
    for month in (1, 2, 3):
        rows = [f"{day:02}/{month:02}/2024,{month * day}" for day in range(1, 20 if month == 3 else 5)]
        (folder / f"sales-2024-{month:02}.csv").write_text("\n".join(["day,amount", *rows, ""]))
    (folder / "shops.csv").write_text("shop,town\nA,Ulm\nB,Bonn\n")
    tables, doubts = read(folder)
    assert set(tables) == {"sales", "shops"}
    assert len(tables["sales"]) == 4 + 4 + 19
    first = tables["sales"][4]
    assert (first["day"].isoformat(), first["amount"], first["file"]) == ("2024-02-01", 2, "sales-2024-02.csv")
    assert doubts[0] == (
        "The 3 files sales-2024-01.csv to sales-2024-03.csv are read as one table; the column 'file' names the file. "
        "Each may be a table of its own."
    )
    LoadedFile(folder).check_notebook()


@pytest.mark.parametrize("at_once", [True, False])
def test_the_total_row_of_each_part_is_left_out_and_both_ways_agree(
    folder: Path, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    monkeypatch.setattr(text_parts, "AT_ONCE_BYTES_MIN", 0 if at_once else 1 << 60)
    for part in (1, 2):
        rows = [f"s{n},{n * part + 1000}" for n in range(9)]
        total = sum(n * part + 1000 for n in range(9))
        (folder / f"p{part}.csv").write_text("\n".join(["shop,amount", *rows, f"Total,{total}", ""]))
    tables, doubts = read(folder)
    assert sum(row["amount"] for row in tables["data"]) == 18_000 + 36 + 72
    assert len([doubt for doubt in doubts if "1 total row ('Total')" in doubt]) == 2
    LoadedFile(folder).check_notebook()


def test_one_pass_gives_the_same_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in range(3):
        rows = "".join(f"{n},2024-0{part + 1}-1{n},x{n}\n" for n in range(9))
        (folder / f"log_{part}.csv").write_text(f"n,day,word\n{rows}")
    staged = read(folder)
    monkeypatch.setattr(text_parts, "AT_ONCE_BYTES_MIN", 0)
    assert read(folder) == staged


def test_a_column_that_some_parts_lack_is_empty_there_and_said(folder: Path) -> None:
    (folder / "q1.csv").write_text("id,name,price,tax\n1,a,1.5,2\n2,b,2.5,2\n")
    (folder / "q2.csv").write_text("id,name,rebate,price,tax\n3,c,1,3.5,2\n4,d,1,4.5,2\n")
    tables, doubts = read(folder)
    assert [row["rebate"] for row in tables["data"]] == [None, None, 1, 1]
    assert [row["price"] for row in tables["data"]] == [1.5, 2.5, 3.5, 4.5]
    assert "'rebate' is in 1 of 2 files; rows of the others have no value there." in doubts
    LoadedFile(folder).check_notebook()


def test_a_file_with_other_columns_is_a_table_of_its_own_and_said(folder: Path) -> None:
    for part in (1, 2):
        (folder / f"q{part}.csv").write_text("id,name\n1,a\n2,b\n")
    (folder / "q3.csv").write_text("town,mayor\nUlm,Ann\nBonn,Bo\n")
    tables, doubts = read(folder)
    assert {name: len(rows) for name, rows in tables.items()} == {"data": 4, "q3": 2}
    assert (
        "q3.csv is not read with the 2 files of data: its columns are 'town' and 'mayor'. It may be one of them."
        in doubts
    )


def test_a_value_that_fits_no_number_keeps_the_column_of_all_parts_text(folder: Path) -> None:
    (folder / "q1.csv").write_text("id,price\n1,07\n2,2.5\n")
    (folder / "q2.csv").write_text("id,price\n3,on request\n4,4.5\n")
    tables, doubts = read(folder)
    assert [row["price"] for row in tables["data"]] == ["07", "2.5", "on request", "4.5"]
    assert any("'on request'" in doubt for doubt in doubts)


@pytest.mark.parametrize("names", [("a_2023", "a_2024"), ("a (1)", "a (2)"), ("plan_v1", "plan_v2"), ("a", "b")])
def test_years_copies_and_versions_are_not_added_up(folder: Path, names: tuple[str, str]) -> None:
    for name in names:
        (folder / f"{name}.csv").write_text("id,price\n1,2\n3,4\n")
    tables, _ = read(folder)
    assert len(tables) == 2
