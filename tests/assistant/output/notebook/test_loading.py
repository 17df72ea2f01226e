"""Files become the same tables in the notebook as in the session, however they are written."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest
from rights_of_person import PERSON

from assistant.output.notebook.opening import build_opening_cell
from assistant.output.notebook.sources import NotebookSource
from assistant.session.answers.export import notebook_readers, notebook_table
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.reading.loading import load_files

TEXTS: dict[str, bytes] = {
    "de.csv": "Titel\n\nOrt;Tag;Betrag;Anteil;PLZ;Ja\nKöln;31.12.2025;1.234,5;12,5 %;01067;true\n"
    ";01.01.2026;-3,00;0 %;99;false\n".encode("cp1252"),
    "us.csv": b'id,when,price,note\n1,03/25/2026,"$1,200.50","a ""q"" b"\n2,04/02/2026,($3),"two\nlines"\n3,,-,\n',
    "nohead.tsv": b"a\t1\t2026-01-01\nb\t2\t2026-01-02\n",
    "u16.csv": "x|y\nä|1.5\nö|2\n".encode("utf-16"),
    "z.csv.gz": gzip.compress(b"k,at\n1,2026-01-01 10:00\n2,2026-01-02T11:30:15\n"),
    "blank.csv": "a;n\nx;1'234.50\n;\ny;2’000.25\n;\n".encode(),
    "one.csv": b"name\nx\ny\n",
    "dup.csv": b"a,a,\n1,2,3\n4,5,6\n",
    "ragged.csv": b"a,b,c\n1,2\n3,4,5\n6,7,8,9\n",
    "sums.csv": b"region,amount,weight\nN,1,3 kg\nn/a,2,4 kg\nTotal,3,\n",
    "nested.json": b'{"meta": {"page": 1}, "items": [{"id": 1, "of": {"c": "x"}, "l": [{"q": 1}]}, {"id": 2, "of": null, "l": []}]}',
    "names.json": b'{"items": [{"$raw": 1, "a\\"b": "x", "$whole": "y"}, {"$raw": 2, "a\\"b": null, "$whole": "z"}]}',
    "names.html": b"<table><tr><th>$raw<th>a'b\"c<th>\\n{x}</tr><tr><td>1<td>x<td>y</tr><tr><td>2<td>z<td>w</tr></table>",
    "names.sql": b'CREATE TABLE n ("$raw" int, """; DROP" text); INSERT INTO n VALUES (1, \'a\'), (2, \'b\');',
    "j.jsonl": b'{"a":1,"b":"x"}\n{"a":2,"b":null}\n',
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    for name, content in TEXTS.items():
        (folder / name).write_bytes(content)
    days = pd.to_datetime(["2026-01-01", "2026-01-02", None])
    pd.DataFrame({"a": [1, 2, 3], "d": days}).to_parquet(folder / "p.parquet")
    pd.DataFrame({"a": ["x", "y", "x"], "d": days}).astype({"a": "category"}).to_feather(folder / "f.feather")
    first = pd.DataFrame(
        {
            "Region": ["N", "S", None],
            "Day": days,
            "At": pd.to_datetime(["2026-01-01 10:00", "2026-01-02 00:00", None]),
            "N": [1, 2, None],
            "X": [1.5, 2, None],
            "Code": ["007", "8", "9"],
            "Mix": [1, "b", 2.5],
            "Flag": [True, False, None],
        }
    )
    with pd.ExcelWriter(folder / "book.xlsx") as book:
        first.to_excel(book, sheet_name="First Sheet", index=False, startrow=2)
        pd.DataFrame({"a": ["1,5", "2,25"], "b": ["x", "y"]}).to_excel(book, sheet_name="Second", index=False)
    merged = openpyxl.load_workbook(folder / "book.xlsx")
    for name, above in (("Below", [["Region", "Q1", None, "Q2"]]), ("Above", [["Title"], [None, 2023, None, 2024]])):
        sheet = merged.create_sheet(name)
        for row in (*above, ["N" if above[0][0] == "Title" else None, "a", "b", "a"], ["x", 1, 2.5, 3], ["y", 4, 5, 6]):
            sheet.append(row)
        sheet.merge_cells(f"B{len(above)}:C{len(above)}")
    merged.save(folder / "book.xlsx")
    return folder


def values(column: pd.Series) -> list[object]:
    return [None if pd.isna(value) else value for value in column.tolist()]


@pytest.mark.slow
@pytest.mark.parametrize("target", [*TEXTS, "p.parquet", "f.feather", "book.xlsx", "."])
def test_files_become_the_same_tables(files: Path, tmp_path: Path, target: str):
    (address,) = parse_addresses(str(files / target), PERSON)
    tables = tuple(map(notebook_table, load_files(address, tmp_path).tables))
    source = NotebookSource(
        name="f", kind="files", at=str(files / target), tables=tables, readers=notebook_readers(tables)
    )
    names: dict[str, Any] = {}
    exec(build_opening_cell([source], []), names)

    async def ours() -> dict[str, pd.DataFrame]:
        source = await open_source(address, folder=tmp_path)
        try:
            return {
                table.name: (await source.run(f'SELECT * FROM "{table.name}"')).table.to_pandas()
                for table in (await source.catalog()).tables
            }
        finally:
            await source.close()

    found = asyncio.run(ours())
    assert {table.name for table in tables} == set(found)
    for name, frame in found.items():
        again = names["query"](f'SELECT * FROM "{name}"')
        assert list(again.columns) == list(frame.columns)
        for column in frame.columns:
            # Dates become datetime64 in the kernel as well.
            dated = frame[column].dtype == object and again[column].dtype.kind == "M"
            expected = pd.to_datetime(frame[column]) if dated else frame[column]
            assert values(again[column]) == values(expected), (name, column)


def test_cells_that_read_a_file_as_text_find_it_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "sales.csv"
    path.write_text("a,b\n1,2\n")
    names: dict[str, Any] = {}
    source = NotebookSource(name="f", kind="files", at=str(path), tables=())
    exec(build_opening_cell([source], ["pd.read_csv(files['sales.csv'])"]), names)
    assert names["files"] == {"sales.csv": str(path)}
