"""Files of any condition load as tables, what was guessed is said, and the files themselves cannot be touched."""

from __future__ import annotations

import asyncio
import gzip
import json
import resource
from collections.abc import Coroutine, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeVar

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import QueryFailed, SourceError
from assistant.progress import Watcher
from assistant.sources.addresses import SourceAddress, parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.reading import loading
from assistant.sources.sources import Source
from assistant.sources.workers.converting import Stop
from assistant.sources.workers.messages import Converted

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


async def opened(path: Path) -> Source:
    return await open_source(parse_addresses(str(path), PERSON)[0], folder=path.parent / "own")


def loaded(path: Path, sql: str) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """The rows of a query over a loaded file, and the notes."""

    async def work() -> tuple[list[dict[str, Any]], tuple[str, ...]]:
        source = await opened(path)
        try:
            return (await source.run(sql)).table.to_pylist(), source.notes
        finally:
            await source.close()

    return run(work())


def test_a_dirty_csv_becomes_typed_columns(tmp_path: Path) -> None:
    path = tmp_path / "Sales 2024.csv"
    path.write_text(
        "\ufeffid,amount,rate,when,zip,mixed,,id\n"
        '1,"1,234.50",12.5%,2024-01-05,01234,5,x,a\n'
        "2,$3.00,7%,05.02.2024,11111,abc,,b\n"
        '3,(200),n/a,"Mar 3, 2024",00001,7,z,c\n',
        encoding="utf-8",
    )
    rows, notes = loaded(path, "SELECT * FROM sales_2024 ORDER BY id")
    assert list(rows[0]) == ["id", "amount", "rate", "when", "zip", "mixed", "column_7", "id_2"]
    assert [row["amount"] for row in rows] == [1234.5, 3.0, -200.0]
    assert [row["rate"] for row in rows] == [0.125, 0.07, None]
    assert [row["when"] for row in rows] == [date(2024, 1, 5), date(2024, 2, 5), date(2024, 3, 3)]
    assert [row["zip"] for row in rows] == ["01234", "11111", "00001"]
    assert [row["mixed"] for row in rows] == ["5", "abc", "7"]
    assert [row["column_7"] for row in rows] == ["x", None, "z"]
    told = "\n".join(notes)
    for word in ("thousands", "percentages", "3 formats", "leading zeros", "mostly a number, but also 'abc'"):
        assert word in told


def test_white_space_around_values_is_no_part_of_them(tmp_path: Path) -> None:
    path = tmp_path / "cars.csv"
    path.write_text("name,origin,note\n Ada ,1\t,a b\n\u00a0Bob,2\t,\t\nCid,3\t,c\n")
    rows, notes = loaded(path, "SELECT name, origin, note FROM cars ORDER BY origin")
    assert [tuple(row.values()) for row in rows] == [("Ada", 1, "a b"), ("Bob", 2, None), ("Cid", 3, "c")]
    assert any("'name'" in note and "'origin'" in note and "white space" in note for note in notes)


def test_semicolons_decimal_commas_and_an_old_encoding(tmp_path: Path) -> None:
    path = tmp_path / "b.csv"
    path.write_bytes("Größe;Preis;Datum\nä €;1.234,50;31.12.2024\nö;2,5;01.01.2024\n".encode("cp1252"))
    rows, notes = loaded(path, "SELECT * FROM b")
    assert rows == [
        {"Größe": "ä €", "Preis": 1234.5, "Datum": date(2024, 12, 31)},
        {"Größe": "ö", "Preis": 2.5, "Datum": date(2024, 1, 1)},
    ]
    assert any("Windows-1252" in note for note in notes)
    assert any("semicolon" in note for note in notes)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_encodings_with_a_mark(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "u.tsv"
    path.write_text("näme\twert\nä\t1\n", encoding=encoding)
    assert loaded(path, "SELECT * FROM u")[0] == [{"näme": "ä", "wert": 1}]


def test_an_empty_table_is_fine_and_said(tmp_path: Path) -> None:
    path = tmp_path / "e.csv"
    path.write_text("a,b\n")
    rows, notes = loaded(path, "SELECT * FROM e")
    assert rows == []
    assert any("not a single row" in note for note in notes)


@pytest.mark.parametrize("content", [b"PK\x03\x04\x14\x00\x00\x00", b"a,b\n1,\x00\n", bytes(range(256)) * 20])
def test_a_file_that_is_no_text_is_refused_whatever_its_name_says(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "report.csv"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"'report\.csv' is no text.* save it as CSV") as caught:
        run(opened(path))
    assert str(tmp_path) not in str(caught.value)


def test_a_file_of_blanks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "e.csv"
    path.write_text(" \n\n")
    with pytest.raises(SourceError, match="nothing but blanks"):
        run(opened(path))


def test_no_header_a_title_ragged_rows_and_quoted_line_ends(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("1,2.5\n3,4\n")
    (tmp_path / "t.csv").write_text("Report of 2024\n\nname,value\nx,1\ny,2\n")
    (tmp_path / "r.csv").write_text('a,b\n1,"x\ny"\n2\n3,4,5\n4,z\n')
    rows, notes = loaded(tmp_path / "n.csv", "SELECT * FROM n")
    assert rows == [{"column_1": 1, "column_2": 2.5}, {"column_1": 3, "column_2": 4.0}]
    assert any("no header" in note for note in notes)
    rows, notes = loaded(tmp_path / "t.csv", "SELECT * FROM t")
    assert rows == [{"name": "x", "value": 1}, {"name": "y", "value": 2}]
    assert any("2 lines above" in note for note in notes)
    rows, notes = loaded(tmp_path / "r.csv", "SELECT * FROM r ORDER BY a")
    assert [tuple(row.values()) for row in rows] == [(1, "x\ny", None), (2, None, None), (3, "4", 5), (4, "z", None)]
    assert any("more cells than the header has names; these are called column_3" in note for note in notes)


def test_titles_that_a_spreadsheet_filled_up_with_delimiters_are_no_header(tmp_path: Path) -> None:
    table = "no;course;booked;fee\nB1;Yoga;04.03.2026;12,50\nB2;;;9,90\n"
    (tmp_path / "g.csv").write_text("Bookings export;;;\nmade on 20 November;;;\n;;;\n" + table)
    rows, notes = loaded(tmp_path / "g.csv", "SELECT * FROM g")
    assert [row["fee"] for row in rows] == [12.5, 9.9]
    assert list(rows[0]) == ["no", "course", "booked", "fee"]
    assert any("3 lines above" in note for note in notes)
    (tmp_path / "s.csv").write_text("1,,\n2,3,4\n5,6,7\n")
    assert len(loaded(tmp_path / "s.csv", "SELECT * FROM s")[0]) == 3, "a sparse first row of figures is a row"
    (tmp_path / "u.csv").write_text("name,,\nx,1,2\ny,3,4\n")
    assert len(loaded(tmp_path / "u.csv", "SELECT * FROM u")[0]) == 2, "a header may leave columns without a name"


@pytest.mark.parametrize(
    ("last", "dropped"),
    [
        (";Total;22,40", True),
        ("Summe:;;22,40", True),
        ("-;Total;22,40", True),
        ("Total;n/a;22,40", True),
        ("B3;Total Body;9,90", False),
        ("B3;Total;", False),
        ("-;Total;-", False),
    ],
)
def test_a_total_row_is_left_out_and_that_is_said(tmp_path: Path, last: str, dropped: bool) -> None:
    (tmp_path / "g.csv").write_text(f"no;course;fee\nB1;Yoga;12,50\nB2;Spin;9,90\n{last}\n")
    rows, notes = loaded(tmp_path / "g.csv", "SELECT * FROM g")
    assert len(rows) == (2 if dropped else 3)
    assert any("1 total row" in note and "left out" in note for note in notes) is dropped


@pytest.mark.parametrize(
    ("rows", "dropped"),
    [
        (["Alle Kurse;60;97,40", "Yoga;12;31,50", "Spin;40;9,90", "Judo;8;56,00"], "Alle Kurse"),
        (["Yoga;12;31,50", "Spin;40;9,90", "Judo;8;56,00", "Zusammen;60;97,40"], "Zusammen"),
        (["Yoga;1200;", "Spin;4000;", "Judo;800;", "Zusammen;6000;"], "Zusammen"),
        (["Yoga;12;", "Spin;40;", "Judo;8;", "Pilates;60;"], ""),
        (["Yoga;12;31,50", "Spin;40;9,90", "Judo;8;56,00", "Pilates;60;98,40"], ""),
        (["Yoga;12;31,50", "Spin;40;9,90", "Zusammen;60;97,40", "Judo;8;56,00"], ""),
    ],
)
def test_a_row_at_an_end_whose_figures_are_the_sums_of_all_others_is_a_total_whatever_it_says(
    tmp_path: Path, rows: list[str], dropped: str
) -> None:
    (tmp_path / "g.csv").write_text("\n".join(["course;people;fee", *rows]) + "\n")
    read, notes = loaded(tmp_path / "g.csv", "SELECT * FROM g")
    assert len(read) == (3 if dropped else 4)
    assert any(f"1 total row ({dropped!r}), whose figures are the sums" in note for note in notes) is bool(dropped)


@pytest.mark.parametrize("word", ["Razem", "итого:", "合計", "Grand Total", "Toplam", "Sous-total"])
def test_total_rows_say_so_in_many_languages(tmp_path: Path, word: str) -> None:
    (tmp_path / "g.csv").write_text(f"course,fee\nYoga,12.5\nSpin,9.9\n{word},22.4\n", encoding="utf-8")
    assert len(loaded(tmp_path / "g.csv", "SELECT * FROM g")[0]) == 2


def test_totals_inside_a_table_and_at_its_end_do_not_double_a_sum(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        "region,city,amount\nNorth,Kiel,10\nNorth,Bremen,20\nSubtotal,,30\nSouth,Ulm,5\nSubtotal,,5\nGrand total,,35\n"
    )
    rows, notes = loaded(tmp_path / "t.csv", "SELECT sum(amount) AS s, count(*) AS n FROM t")
    assert rows == [{"s": 35, "n": 3}]
    assert any("3 total rows ('Subtotal', 'Grand total'), whose figures are the sums" in note for note in notes)


def test_a_total_row_of_a_sheet_is_left_out_unless_a_person_keeps_it(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["month", "amount"], ["Jan", 100], ["Feb", 50], ["Total", 150]):
        sheet.append(row)
    book.save(tmp_path / "w.xlsx")
    rows, _ = loaded(tmp_path / "w.xlsx", "SELECT sum(amount) AS s FROM w")
    assert rows == [{"s": 150}]
    (tmp_path / "w.xlsx.tandem.toml").write_text('totals = "keep"\n')
    rows, notes = loaded(tmp_path / "w.xlsx", "SELECT sum(amount) AS s FROM w")
    assert rows == [{"s": 300}]
    assert any("counts like any other" in note for note in notes)


def test_words_for_no_value_are_decided_for_each_column_and_said(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text(
        "id,country,segment,phone,discount\n1,DE,retail,n/a,none\n2,NA,unknown,-,spring\n3,FR,corporate,0301,\n"
    )
    rows, notes = loaded(tmp_path / "n.csv", "SELECT * FROM n ORDER BY id")
    assert [row["country"] for row in rows] == ["DE", "NA", "FR"], "Namibia among country codes is a value"
    assert [row["segment"] for row in rows] == ["retail", None, "corporate"]
    assert [row["phone"] for row in rows] == [None, None, "0301"]
    assert [row["discount"] for row in rows] == ["none", "spring", None], "the column says otherwise what is empty"
    told = "\n".join(notes)
    assert "'segment' has 'unknown', read as no value" in told
    assert "'country'" not in told


def test_numbers_with_one_unit_are_numbers_and_with_two_are_text(tmp_path: Path) -> None:
    (tmp_path / "u.csv").write_text("id,weight,length\n1,12.5 kg,3 m\n2,3kg,20 cm\n3,n/a,1 m\n")
    rows, notes = loaded(tmp_path / "u.csv", "SELECT * FROM u ORDER BY id")
    assert [row["weight"] for row in rows] == [12.5, 3.0, None]
    assert [row["length"] for row in rows] == ["3 m", "20 cm", "1 m"]
    assert any("'weight' read as numbers in 'kg'" in note for note in notes)


def test_a_unit_that_only_a_late_row_has_keeps_the_column_text(tmp_path: Path) -> None:
    lines = "".join(f"{n} kg\n" for n in range(6_000))
    (tmp_path / "late.csv").write_text(f"w\n{lines}7 g\n")
    rows, _ = loaded(tmp_path / "late.csv", "SELECT count(*) AS n FROM late WHERE w = '7 g'")
    assert rows == [{"n": 1}]


def test_a_list_of_records_inside_json_unfolds_into_tables(tmp_path: Path) -> None:
    (tmp_path / "shop.json").write_text(
        json.dumps(
            {
                "meta": {"page": 1, "total": 2},
                "items": [
                    {"id": 1, "customer": {"name": "A", "city": "Ulm"}, "lines": [{"sku": "x", "qty": 2}]},
                    {
                        "id": 2,
                        "customer": {"name": "B", "city": "Kiel"},
                        "lines": [{"sku": "y", "qty": 1}, {"sku": "x", "qty": 5}],
                    },
                ],
            }
        )
    )
    rows, notes = loaded(tmp_path / "shop.json", "SELECT id, customer_city FROM items ORDER BY id")
    assert rows == [{"id": 1, "customer_city": "Ulm"}, {"id": 2, "customer_city": "Kiel"}]
    rows, _ = loaded(tmp_path / "shop.json", "SELECT items_id, sum(qty) AS q FROM items_lines GROUP BY 1 ORDER BY 1")
    assert rows == [{"items_id": 1, "q": 2}, {"items_id": 2, "q": 6}]
    rows, _ = loaded(tmp_path / "shop.json", "SELECT meta_total FROM shop")
    assert rows == [{"meta_total": 2}]
    assert any("nested values unfolded" in note for note in notes)


def test_a_late_value_of_another_type_is_found(tmp_path: Path) -> None:
    path = tmp_path / "late.csv"
    path.write_text("a,b\n" + "".join(f"{n},{n}\n" for n in range(20_000)) + "1.5,oops\n")
    rows, notes = loaded(path, "SELECT max(a) AS a, max(b) AS b, count(*) AS n FROM late")
    assert rows == [{"a": 19999.0, "b": "oops", "n": 20_001}]
    assert any("'oops'" in note for note in notes)


def test_every_sheet_of_a_workbook_is_a_table(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    book = openpyxl.Workbook()
    first = book.active
    assert first is not None
    first.title = "Sales 2024"
    for row in (
        ["Report"],
        [None],
        ["id", "when", "amount", "id", "mixed", "text number"],
        [1, datetime(2024, 1, 5), 1.5, "a", 1, "1,200"],
        [2, datetime(2024, 2, 5), 2, "b", "x", "300"],
    ):
        first.append(row)
    second = book.create_sheet("Regions")
    for row in (["name"], ["North"]):
        second.append(row)
    book.create_sheet("Blank")
    book.save(path)
    book.close()

    async def work() -> None:
        source = await opened(path)
        catalog = await source.catalog()
        assert sorted(table.name for table in catalog.tables) == ["regions", "sales_2024"]
        rows = (await source.run("SELECT * FROM sales_2024 ORDER BY id")).table.to_pylist()
        assert [row["id"] for row in rows] == [1, 2]
        assert [row["id_2"] for row in rows] == ["a", "b"]
        assert [row["amount"] for row in rows] == [1.5, 2.0]
        assert [row["mixed"] for row in rows] == ["1", "x"]
        assert [row["text number"] for row in rows] == [1200.0, 300.0]
        assert str(rows[0]["when"]).startswith("2024-01-05")
        assert any("above the header" in note for note in source.notes)
        await source.close()

    run(work())


@pytest.mark.parametrize(
    ("rows", "merged", "names", "noted"),
    [
        (
            (["Sales"], ["Region", "Q1", None, "Q2"], [None, "units", "revenue", "units"], ["N", 1, 2.5, 3]),
            ("A1:D1", "B2:C2"),
            ("Region", "Q1 units", "Q1 revenue", "Q2 units"),
            True,
        ),
        (
            ([None, 2023, None, None, 2024, None, None], ["R", *["a", "b", "c"] * 2], ["N", 1, 2, 3, 4, 5, 6]),
            ("B1:D1", "E1:G1"),
            ("R", "2023 a", "2023 b", "2023 c", "2024 a", "2024 b", "2024 c"),
            True,
        ),
        ((["Report of all", None], ["name", "n"], ["x", 1]), ("A1:B1",), ("name", "n"), False),
        ((["name", "city"], ["Ann", "Rome"], ["Bob", "Oslo"]), (), ("name", "city"), False),
    ],
)
def test_headings_that_stand_over_several_columns_join_their_names(
    rows: tuple[list[object], ...], merged: tuple[str, ...], names: tuple[str, ...], noted: bool, tmp_path: Path
) -> None:
    path = tmp_path / "book.xlsx"
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    for span in merged:
        sheet.merge_cells(span)
    book.save(path)
    book.close()

    async def work() -> None:
        source = await opened(path)
        (table,) = (await source.catalog()).tables
        assert tuple(column.name for column in table.columns) == names
        assert any("made of two lines" in note for note in source.notes) == noted
        await source.close()

    run(work())


def test_blank_rows_are_none_and_words_for_nothing_are_said(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("day;amount\n2024-01-01;1\n;\nn/a;-\n;\n2024-01-03;3\n")
    rows, notes = loaded(path, "SELECT * FROM t")
    assert [row["amount"] for row in rows] == [1, None, 3]
    assert any("2 blank rows" in note for note in notes)
    assert any("'day' has 'n/a', read as no value" in note for note in notes)


def test_what_is_said_of_several_columns_is_said_once(tmp_path: Path) -> None:
    names = [f"figure_{n}" for n in range(6)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(",".join(row) for row in (names, ["1"] * 6, ["n/a"] * 6, ["2"] * 6)) + "\n")
    _, notes = loaded(path, "SELECT * FROM t")
    assert [note for note in notes if "no value" in note] == [
        "t.csv: each of 'figure_0', 'figure_1', 'figure_2', 'figure_3' and 2 more has 'n/a', read as no value."
    ]


def test_a_workbook_that_is_none_says_so(tmp_path: Path) -> None:
    path = tmp_path / "bad.xlsx"
    path.write_bytes(b"PK\x03\x04 this is no workbook")
    with pytest.raises(SourceError, match="cannot be read as a workbook") as caught:
        run(opened(path))
    assert str(tmp_path) not in str(caught.value)


def test_parquet_json_and_packed_files_in_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    pq.write_table(pa.table({"id": [1, 2], "d": pa.array([date(2024, 1, 1), None])}), folder / "p.parquet")
    (folder / "j.json").write_text(json.dumps([{"a": 1, "deep": {"x": [1, 2]}}, {"a": 2, "deep": None}]))
    with gzip.open(folder / "l.jsonl.gz", "wt") as file:
        file.write('{"a": 1}\n{"a": 2}\n')
    with gzip.open(folder / "c.csv.gz", "wt") as file:
        file.write("p_id,n\n1,5\n2,6\n2,7\n")

    async def work() -> None:
        source = await opened(folder)
        catalog = await source.catalog()
        assert sorted(table.name for table in catalog.tables) == ["c", "j", "l", "p"]
        child = catalog.table("c")
        assert child is not None
        assert [(key.columns, key.table, key.inferred) for key in child.foreign_keys] == [(("p_id",), "p", True)]
        result = await source.run("SELECT p.d, sum(n) AS n FROM c JOIN p ON p.id = c.p_id GROUP BY ALL ORDER BY n")
        assert result.table.to_pylist() == [{"d": date(2024, 1, 1), "n": 5}, {"d": None, "n": 13}]
        await source.close()

    run(work())


def test_an_arrow_file_and_an_arrow_stream_are_read_batch_by_batch(tmp_path: Path) -> None:
    table = pa.table({"id": list(range(1_000)), "d": pa.array([date(2024, 1, 1), None] * 500)})
    with pa.ipc.new_file(tmp_path / "whole.arrow", table.schema) as writer:
        writer.write_table(table, max_chunksize=64)
    with pa.ipc.new_stream(tmp_path / "stream.arrows", table.schema) as writer:
        writer.write_table(table, max_chunksize=64)

    async def work() -> None:
        source = await opened(tmp_path)
        for name in ("whole", "stream"):
            result = await source.run(f"SELECT count(*) AS n, sum(id) AS s, count(d) AS d FROM {name}")
            assert result.table.to_pylist() == [{"n": 1_000, "s": 499_500, "d": 500}]
        await source.close()

    run(work())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.feather", b"ARROW1 not really"),
        ("x.arrows", b"neither"),
        ("x.parquet", b"PAR1 not really"),
        ("x.json", b'{"a": '),
        ("x.csv.gz", gzip.compress(b"a,b\n1,2\n" * 9999)[:-30]),
    ],
)
def test_a_damaged_file_says_which_and_not_where(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError, match="x\\.") as caught:
        run(opened(path))
    assert str(tmp_path) not in str(caught.value)
    assert "Invalid Input" not in str(caught.value), "the engine's own word for it says nothing to people"
    assert [one.name for one in (tmp_path / "own").iterdir() if one.suffix != ".spill"] == []


def test_two_that_load_a_file_at_once_open_one_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, folder = tmp_path / "sales.csv", tmp_path / "loaded"
    path.write_text("a,b\n1,2\n")
    (address,) = parse_addresses(str(path), PERSON)
    real = loading.convert
    first: list[tuple[Path, int]] = []

    def overtaken(given: SourceAddress, draft: Path, *, tell: Watcher, stop: Stop) -> Converted:
        made = real(given, draft, tell=tell, stop=stop)
        monkeypatch.setattr(loading, "convert", real)
        other = loading.load_files(given, folder).path
        first.append((other, other.stat().st_ino))
        return made

    monkeypatch.setattr(loading, "convert", overtaken)
    later = loading.load_files(address, folder).path
    assert first == [(later, later.stat().st_ino)]
    assert sorted(entry.suffix for entry in folder.iterdir()) == [".duckdb", ".json"]


def test_an_unchanged_file_is_loaded_once_and_a_changed_one_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n")
    assert loaded(path, "SELECT * FROM a")[0] == [{"a": 1}]
    made = {one.name: one.stat().st_mtime_ns for one in (tmp_path / "own").glob("*.duckdb")}
    assert loaded(path, "SELECT * FROM a")[0] == [{"a": 1}]
    assert {one.name: one.stat().st_mtime_ns for one in (tmp_path / "own").glob("*.duckdb")} == made
    path.write_text("a\n1\n22\n")
    assert len(loaded(path, "SELECT * FROM a")[0]) == 2


ESCAPES = [
    "COPY a TO '{file}' (FORMAT csv, USE_TMP_FILE false)",
    "COPY (SELECT 1) TO '{folder}/made.csv'",
    "EXPORT DATABASE '{folder}/made'",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_csv('{file}')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM '{file}'",
    "FROM '/etc/passwd'",
    "ATTACH '{folder}/made.duckdb' AS m",
    "ATTACH ':memory:' AS m",
    "INSTALL httpfs",
    "LOAD httpfs",
    "INSERT INTO a VALUES (1)",
    "UPDATE a SET a = 2",
    "DELETE FROM a",
    "DROP TABLE a",
    "CREATE TABLE b AS SELECT 1",
    "CREATE TEMP TABLE b AS SELECT 1",
    "CREATE MACRO f(x) AS x",
    "CREATE SECRET s (TYPE s3)",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "SET memory_limit = '100GB'",
    "SET VARIABLE x = 1",
    "PRAGMA enable_logging",
    "CALL enable_logging()",
    "CHECKPOINT",
    "VACUUM",
    "USE system",
    "SELECT 1; SELECT 2",
    "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM planted",
]


@pytest.fixture(scope="module")
def walled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, Source, Path]]:
    """A file that is opened once, for all who try to get out of its engine."""
    path = tmp_path_factory.mktemp("walled") / "a.csv"
    path.write_text("a\n1\n")
    with asyncio.Runner() as runner:
        source = runner.run(opened(path))
        yield runner, source, path
        runner.run(source.close())


@pytest.mark.parametrize("sql", ESCAPES)
def test_the_engine_itself_reaches_nothing_outside(sql: str, walled: tuple[asyncio.Runner, Source, Path]) -> None:
    runner, source, path = walled
    planted = pa.table({"secret": ["in the host's memory"]})
    names = sorted(one.name for one in path.parent.iterdir())
    with pytest.raises(QueryFailed) as caught:
        runner.run(source.run(sql.replace("{file}", str(path)).replace("{folder}", str(path.parent))))
    assert str(path.parent) not in str(caught.value)
    assert path.read_text() == "a\n1\n"
    assert sorted(one.name for one in path.parent.iterdir()) == names
    assert runner.run(source.run("SELECT * FROM a")).table.to_pylist() == [{"a": 1}]
    assert planted.num_rows == 1


@pytest.mark.slow
def test_a_csv_of_200_mb_loads_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    with path.open("w") as file:
        file.write("order_id,ordered,customer,region,amount,rate,note\n")
        for block in range(400):
            file.writelines(
                f'{n},{n % 12 + 1}/{n % 28 + 1}/2024,Customer {n % 20000},Region {n % 7},"{n % 9 + 1},{n % 900 + 100}.{n % 90 + 10}",'
                f"{n % 30}%,note {n % 999}\n"
                for n in range(block * 8000, block * 8000 + 8000)
            )
    assert path.stat().st_size > 200 * 10**6
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rows, _ = loaded(path, "SELECT count(*) AS n, min(ordered) AS first, sum(amount) > 0 AS plus FROM big")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert rows == [{"n": 3_200_000, "first": date(2024, 1, 1), "plus": True}]
    assert grown < 1024 * 1024  # kilobytes


@pytest.mark.slow
def test_a_table_of_hundreds_of_columns_loads_in_the_memory_of_a_narrow_one(tmp_path: Path) -> None:
    names = [f"figure_{n}" for n in range(300)]
    lines = [f"row {row}," + ",".join(str((n * row) % 97) for n in range(300)) for row in range(1, 40)]
    (tmp_path / "w.csv").write_text("\n".join([",".join(["name", *names]), *lines]))
    rows, notes = loaded(tmp_path / "w.csv", "SELECT sum(figure_299) AS s, typeof(any_value(figure_7)) AS t FROM w")
    assert rows == [{"s": sum((299 * row) % 97 for row in range(1, 40)), "t": "BIGINT"}]
    assert not any("total row" in note for note in notes)


@pytest.mark.parametrize(
    "content",
    [
        '{"answer": {"state": "ok", "films": [{"name": "Rye", "n": 3}, {"name": "Oat", "n": 4}]}}',
        '[{"page": 1, "pages": 1}, [{"name": "Rye", "n": "3"}, {"name": "Oat", "n": "4"}]]',
        '\ufeff[{"name": "Rye", "n": 3}, {"name": "Oat", "n": 4}]',
    ],
)
def test_records_are_found_deep_in_json_beside_a_page_and_in_utf_16(tmp_path: Path, content: str) -> None:
    is_wide = content.startswith("\ufeff")
    (tmp_path / "films.json").write_text(content.lstrip("\ufeff"), encoding="utf-16" if is_wide else "utf-8")
    rows, _ = loaded(tmp_path / "films.json", "SELECT * FROM films")
    assert rows == [{"name": "Rye", "n": 3}, {"name": "Oat", "n": 4}]


def test_records_beside_a_page_keep_what_is_nested_in_them(tmp_path: Path) -> None:
    page = [
        {"page": 1},
        [{"land": {"id": "AB", "name": "Abo"}, "n": 5}, {"land": {"id": "CD", "name": "Cud"}, "n": None}],
    ]
    (tmp_path / "p.json").write_text(json.dumps(page))
    rows, notes = loaded(tmp_path / "p.json", "SELECT * FROM p")
    assert rows == [{"land_id": "AB", "land_name": "Abo", "n": 5}, {"land_id": "CD", "land_name": "Cud", "n": None}]
    assert any("from the list of records within it" in note for note in notes)


def test_a_file_with_line_ends_of_two_kinds_is_read(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\r\nx,1\r\ny,2\nz,3\n")
    assert loaded(tmp_path / "t.csv", "SELECT sum(b) AS n FROM t")[0] == [{"n": 6}]


def test_a_word_in_brackets_that_repeats_among_numbers_is_no_value(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\nx,1.5\ny,(X)\nz,3\nv,(X)\nw,(X)\n")
    rows, notes = loaded(tmp_path / "t.csv", "SELECT sum(b) AS n FROM t")
    assert rows == [{"n": 4.5}]
    assert any("'(X)', read as no value" in note for note in notes)
