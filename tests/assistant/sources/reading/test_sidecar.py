"""What a person says about a file wins over what is guessed of it, here and in the exported notebook."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import SourceError
from assistant.output.notebook.opening import build_opening_cell
from assistant.output.notebook.sources import NotebookSource
from assistant.session.answers.export import notebook_table
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.reading.load_results import Loaded
from assistant.sources.reading.loading import load_files
from assistant.sources.reading.sidecar import Sidecar


def loaded(file: Path) -> Loaded:
    return load_files(parse_addresses(str(file), PERSON)[0], file.parent / "loaded")


def read(file: Path) -> list[dict[str, Any]]:
    async def work() -> list[dict[str, Any]]:
        source = await open_source(parse_addresses(str(file), PERSON)[0], folder=file.parent / "loaded")
        try:
            (table,) = (await source.catalog()).tables
            return list((await source.run(f'SELECT * FROM "{table.name}"')).table.to_pylist())
        finally:
            await source.close()

    return asyncio.run(work())


def in_a_notebook(file: Path) -> list[dict[str, Any]]:
    (table,) = loaded(file).tables
    made = notebook_table(table)
    names: dict[str, Any] = {}
    exec(build_opening_cell([NotebookSource(name="f", kind="files", at=str(file), tables=(made,))], []), names)
    return list(names["query"](f'SELECT * FROM "{table.name}"').to_dict("records"))


def plain(rows: list[dict[str, Any]]) -> list[list[str]]:
    return [
        ["" if pd.isna(v) else str(pd.Timestamp(v)) if hasattr(v, "year") else str(v) for v in r.values()] for r in rows
    ]


CASES: dict[str, tuple[bytes, str, list[str], list[str]]] = {
    # the file, what is said of it, its columns then, its first row then
    "types.csv": (
        b"id,day,amount\n1,03/04/2024,1.200\n2,05/06/2024,3.500\n",
        '[types]\nid = "text"\nday = "date %d/%m/%Y"\namount = "number"\n',
        ["id", "day", "amount"],
        ["1", "2024-04-03 00:00:00", "1.2"],
    ),
    "decimal.csv": (
        b"a;b\n1.200;x\n2.500;y\n",
        'decimal = "."\n',
        ["a", "b"],
        ["1.2", "x"],
    ),
    "delimiter.txt": (b"a!b\n1,5!x\n2,5!y\n", 'delimiter = "!"\n', ["a", "b"], ["1.5", "x"]),
    "header.csv": (b"a,b\nx,y\n", "header = false\n", ["column_1", "column_2"], ["a", "b"]),
    "named.csv": (b"2023,2024\n1,2\n", "header = true\n", ["2023", "2024"], ["1", "2"]),
    "skip.csv": (b"name,n\nx,1\ny,2\nz,3\n", "skip = 2\nheader = false\n", ["column_1", "column_2"], ["y", "2"]),
    "encoding.csv": ("ort,n\nŁódź,1\n".encode("cp1250"), 'encoding = "cp1250"\n', ["ort", "n"], ["Łódź", "1"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_what_is_said_wins_and_the_notebook_reads_the_same(name: str, tmp_path: Path) -> None:
    content, said, columns, first = CASES[name]
    file = tmp_path / name
    file.write_bytes(content)
    guessed = plain(read(file))
    Path(f"{file}.tandem.toml").write_text(said)
    rows = read(file)
    assert list(rows[0]) == columns
    assert plain(rows)[0] == first
    assert plain(in_a_notebook(file)) == plain(rows)
    assert any("tandem.toml says" in note for note in loaded(file).notes)
    assert plain(rows) != guessed or list(rows[0]) != list(read(file)[0]) or name in ("named.csv", "encoding.csv")
    Path(f"{file}.tandem.toml").unlink()
    assert plain(read(file)) == guessed


def test_the_sheets_of_a_workbook_take_types_by_column(tmp_path: Path) -> None:
    file = tmp_path / "book.xlsx"
    pd.DataFrame({"code": ["7", "8"], "day": ["03/04/2024", "04/04/2024"]}).to_excel(file, index=False)
    Path(f"{file}.tandem.toml").write_text('[types]\ncode = "text"\nday = "date %d/%m/%Y"\n')
    assert plain(read(file))[0] == ["7", "2024-04-03 00:00:00"]
    assert plain(in_a_notebook(file)) == plain(read(file))


def test_what_does_not_fit_is_said_with_an_example(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("n\n1\nnone\nmany\n")
    Path(f"{file}.tandem.toml").write_text('types = { n = "integer" }\n')
    assert [row["n"] for row in read(file)] == [1, None, None]
    assert any("does not fit is empty, such as 'many'" in note for note in loaded(file).notes)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("delimter = ';'", "delimter"),
        ("delimiter = ';;'", "delimiter"),
        ("encoding = 'latin-99'", "latin-99"),
        ("encoding = 'hex'", "encoding"),
        ("encoding = 'zlib'", "encoding"),
        ("encoding = 'idna'", "encoding"),
        ("encoding = 'undefined'", "encoding"),
        ("skip = -1", "skip"),
        ("#" * 1_000_001, "larger than"),
        ("types = { m = 'text' }", "'m'"),
        ("types = { n = 'money' }", "'money'"),
        ("header = ", "cannot be read"),
    ],
)
def test_a_mistake_is_an_error_and_not_a_silence(said: str, named: str, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("n\n1\n")
    Path(f"{file}.tandem.toml").write_text(said)
    with pytest.raises(SourceError, match=named) as caught:
        loaded(file)
    assert "tandem.toml" in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("n\n1\n")
    os.mkfifo(f"{file}.tandem.toml")
    with pytest.raises(SourceError, match="not a regular file"):
        loaded(file)


def test_a_sidecar_is_no_source_and_every_word_is_documented(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("n\n1\n")
    Path(f"{file}.tandem.toml").write_text("skip = 0\n")
    (address,) = parse_addresses(str(tmp_path), PERSON)
    assert address.files == (file,)
    page = (Path(__file__).parents[4] / "docs" / "reference" / "files.md").read_text(encoding="utf-8")
    for word in Sidecar.model_fields:
        assert f"| `{word}` |" in page


def test_databases_of_what_a_file_was_are_deleted_but_not_while_they_may_be_opened(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    other = tmp_path / "elsewhere" / "a.csv"
    other.parent.mkdir()
    kept: list[Path] = []
    for text in ("n\n1\n", "n\n1\n22\n", "n\n1\n22\n333\n"):
        file.write_text(text)
        kept.append(loaded(file).path)
    other.write_text("n\n9\n")
    kept.append(load_files(parse_addresses(str(other), PERSON)[0], tmp_path / "loaded").path)
    assert all(path.exists() for path in kept), "what was used a moment ago may be about to be opened"
    long_ago = kept[0].stat().st_mtime - 7200
    for path in (kept[0], kept[1], kept[3]):
        os.utime(path.with_suffix(".json"), (long_ago, long_ago))
    assert loaded(file).path == kept[2]
    file.write_text("n\n1\n22\n333\n4444\n")
    newest = loaded(file).path
    assert [path.exists() for path in kept] == [False, False, True, True], "another file of that name is not its past"
    assert newest.exists()
    assert not list((tmp_path / "loaded").glob("*.part"))
    assert {path.suffix for path in (tmp_path / "loaded").iterdir()} == {".duckdb", ".json"}


def test_what_a_person_says_means_no_value_is_none_here_and_in_the_notebook(tmp_path: Path) -> None:
    file = tmp_path / "m.csv"
    file.write_text("city,fee\nKiel,12\nn. b.,-999\nBonn,8\n")
    (tmp_path / "m.csv.tandem.toml").write_text('missing = ["-999", "n. b."]\n')
    rows = read(file)
    assert rows == [{"city": "Kiel", "fee": 12}, {"city": None, "fee": None}, {"city": "Bonn", "fee": 8}]
    again = [[None if pd.isna(value) else value for value in row.values()] for row in in_a_notebook(file)]
    assert again == [list(row.values()) for row in rows]


def test_only_the_sheets_that_a_person_names_are_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for place, title in enumerate(("Sales", "Notes")):
        sheet = book.active if place == 0 else book.create_sheet()
        assert sheet is not None
        sheet.title = title
        for row in (["month", "amount"], ["Jan", -999], ["Feb", 50]):
            sheet.append(row)
    book.save(tmp_path / "w.xlsx")
    assert [table.sheet for table in loaded(tmp_path / "w.xlsx").tables] == ["Sales", "Notes"]
    (tmp_path / "w.xlsx.tandem.toml").write_text('sheets = ["Notes"]\nmissing = ["-999"]\n')
    (table,) = loaded(tmp_path / "w.xlsx").tables
    assert (table.sheet, table.others) == ("Notes", ("Sales",))
    assert [row["amount"] for row in read(tmp_path / "w.xlsx")] == [None, 50]
    assert loaded(tmp_path / "w.xlsx").tables == (table,), "what is kept of it says so as well"
    (tmp_path / "w.xlsx.tandem.toml").write_text('sheets = ["Note"]\n')
    with pytest.raises(SourceError, match="has 'Sales', 'Notes'"):
        loaded(tmp_path / "w.xlsx")
