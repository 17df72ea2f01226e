"""Each decision about a file is right or said: types, missing values, days, sheets and JSON."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rights_of_person import PERSON

from assistant.core.doubts import Correction, Doubt
from assistant.sources.addresses import parse_addresses
from assistant.sources.reading.conversion import Conversion
from assistant.sources.reading.metering import Meter
from assistant.sources.reading.missing import missing_in
from assistant.sources.reading.sequences import day_first_by_sequence


def read(file: Path) -> tuple[dict[str, list[dict[str, Any]]], list[Doubt]]:
    """The tables of a file, and its doubts."""
    (address,) = parse_addresses(str(file), PERSON)
    with closing(duckdb.connect()) as con, Meter(con.query_progress, lambda _: None) as meter:
        conversion = Conversion(con, file.parent, meter)
        conversion.load(address)
        tables = {
            table.name: con.sql(f'SELECT * FROM "{table.name}"').to_arrow_table().to_pylist()
            for table in conversion.tables
        }
    return tables, conversion.doubts


def text(folder: Path, content: str, name: str = "t.csv") -> tuple[list[dict[str, Any]], list[Doubt]]:
    (folder / name).write_text(content, encoding="utf-8")
    tables, doubts = read(folder / name)
    return tables["t"], doubts


def workbook(
    folder: Path, rows: list[list[object]], *merged: str
) -> tuple[dict[str, list[dict[str, Any]]], list[Doubt]]:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    for span in merged:
        sheet.merge_cells(span)
    book.save(folder / "t.xlsx")
    return read(folder / "t.xlsx")


def test_the_order_of_rows_settles_which_part_is_the_day(tmp_path: Path) -> None:
    lines = "".join(f"01/{month:02}/2021,{month}\n" for month in range(1, 13))
    rows, doubts = text(tmp_path, f"month,sold\n{lines}")
    assert [row["month"] for row in rows] == [date(2021, month, 1) for month in range(1, 13)]
    (doubt,) = doubts
    assert (doubt.kind, doubt.columns) == ("day_order", ("month",))
    assert doubt.correction == Correction(setting="types", value={"month": "date %m/%d/%Y"})


def test_signs_and_repeated_words_among_numbers_are_missing_and_said(tmp_path: Path) -> None:
    lines = "".join(f"{n},{'***' if n % 5 == 0 else n},{'withheld' if n % 4 == 0 else n * 3}\n" for n in range(1, 21))
    rows, doubts = text(tmp_path, f"id,a,b\n{lines}")
    assert [row["a"] for row in rows if row["id"] % 5 == 0] == [None] * 4
    assert [row["b"] for row in rows if row["id"] % 4 == 0] == [None] * 5
    assert {doubt.columns for doubt in doubts if doubt.kind == "missing_values"} == {("a",), ("b",)}


def test_one_stray_word_keeps_a_column_text_and_offers_to_be_missing(tmp_path: Path) -> None:
    rows, doubts = text(tmp_path, "id,age\n1,31\n2,45\n3,see file\n4,52\n")
    assert rows[2]["age"] == "see file"
    (doubt,) = doubts
    assert (doubt.kind, doubt.correction) == ("column_type", Correction(setting="missing", value=("see file",)))


def test_total_is_a_word_in_a_list_of_words(tmp_path: Path) -> None:
    rows, _ = text(tmp_path, "x,word\n1,sum\n2,total\n5,cat\n7,dog\n8,owl\n9,elk\n")
    assert len(rows) == 6


@pytest.mark.parametrize(
    ("counts", "has_empty", "missing"),
    [
        ({"None": 90, "Minor": 6, "Severe": 4}, False, ()),
        ({"none": 1, "spring": 4, "summer": 5}, False, ("none",)),
        ({"none": 1, "spring": 4, "summer": 5}, True, ()),
        ({"NA": 10, "EMEA": 12, "APAC": 9, "Japan": 9}, False, ()),
        ({"NA": 1, "DE": 4, "FR": 5}, False, ()),
        ({"na": 1, "de": 1, "fr": 1}, False, ()),
        ({"NA": 2, "North Hall": 4, "South Hall": 5}, False, ("NA",)),
        ({"-": 3, "red": 4}, False, ("-",)),
        ({"n/a": 3}, False, ()),
        ({"unknown": 1} | {f"word{n}": 1 for n in range(30)}, False, ()),
    ],
)
def test_words_for_no_value_are_told_by_share_and_siblings(
    counts: dict[str, int], has_empty: bool, missing: tuple[str, ...]
) -> None:
    assert missing_in(counts, has_empty=has_empty) == missing


@given(st.dates(date(1990, 1, 1), date(2030, 1, 1)), st.integers(1, 3), st.booleans())
def test_days_of_a_log_are_read_in_the_order_they_were_written(first: date, step: int, day_first: bool) -> None:
    days = [date.fromordinal(first.toordinal() + step * n) for n in range(60)]
    written = [day.strftime("%d/%m/%Y" if day_first else "%m/%d/%Y") for day in days]
    ambiguous = [text for text, day in zip(written, days, strict=True) if day.day <= 12]
    assert day_first_by_sequence(ambiguous) in (day_first, None)


def test_titles_and_figures_above_a_sheet_are_no_names(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["Account 7, all of May", None, None, None],
        [2026, "ALL", 40, 0.5],
        ["Year", "Region", "Sold", "Share"],
        *([2026, name, n, n / 100] for n, name in enumerate(("North", "South", "East"), 11)),
    ]
    tables, doubts = workbook(tmp_path, rows, "A1:C1")
    assert list(tables["t"][0]) == ["Year", "Region", "Sold", "Share"]
    assert [(doubt.kind, doubt.rows) for doubt in doubts] == [("rows_left_out", 1)]


def test_labels_of_a_cross_table_are_filled_down(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        [None, None, "Morning", None, "Evening", None],
        ["Hall", "Seat", "paid", "free", "paid", "free"],
        ["A", "front", 1, 2, 3, 4],
        [None, "back", 5, 6, 7, 8],
        ["B", "front", 2, 3, 4, 5],
        [None, "back", 6, 7, 8, 9],
    ]
    tables, doubts = workbook(tmp_path, rows, "C1:D1", "E1:F1", "A3:A4", "A5:A6")
    assert [row["Hall"] for row in tables["t"]] == ["A", "A", "B", "B"]
    assert list(tables["t"][0])[2:] == ["Morning paid", "Morning free", "Evening paid", "Evening free"]
    assert any(doubt.kind == "layout" and doubt.rows == 2 for doubt in doubts)


def test_tables_side_by_side_are_tables_of_their_own(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Bed", "Crop", "Kilos", None, "Bed", "Crop", "Kilos"]]
    rows += [[1, "leek", n, None, 2, "kale", n + 5] for n in range(1, 5)]
    tables, doubts = workbook(tmp_path, rows)
    assert [list(table[0]) for table in tables.values()] == [["Bed", "Crop", "Kilos"]] * 2
    assert sum(row["Kilos"] for table in tables.values() for row in table) == 10 + 30
    assert any("2 tables" in doubt.chosen for doubt in doubts)


FILMS = [{"title": "Fog", "cost": "1,200"}, {"title": "Rain", "cost": "900"}, {"title": "Snow", "cost": "2,050"}]


@pytest.mark.parametrize(
    "value",
    [
        FILMS,
        {name: {str(n): row[name] for n, row in enumerate(FILMS)} for name in ("title", "cost")},
        {name: [row[name] for row in FILMS] for name in ("title", "cost")},
        {"columns": ["title", "cost"], "index": [0, 1, 2], "data": [list(row.values()) for row in FILMS]},
        {
            "meta": {"view": {"columns": [{"name": "title"}, {"name": "cost"}]}},
            "data": [list(r.values()) for r in FILMS],
        },
        [["title", "cost"], *(list(row.values()) for row in FILMS)],
    ],
    ids=["records", "by column", "lists", "split", "meta", "values"],
)
def test_json_in_any_orientation_is_the_same_table(value: object, tmp_path: Path) -> None:
    rows, _ = text(tmp_path, json.dumps(value), "t.json")
    assert [(row["title"], row["cost"]) for row in rows] == [("Fog", 1200), ("Rain", 900), ("Snow", 2050)]


def test_values_of_several_types_in_json_are_texts_without_quotes(tmp_path: Path) -> None:
    rows, _ = text(tmp_path, json.dumps([{"code": "x", "n": 1}, {"code": 7, "n": 2}, {"code": True, "n": 3}]), "t.json")
    assert [row["code"] for row in rows] == ["x", "7", "true"]


def test_a_total_without_a_name_and_an_average_are_no_rows(tmp_path: Path) -> None:
    lines = "".join(f"t{n},{n * 100},{n * 7}\n" for n in range(1, 11))
    rows, doubts = text(tmp_path, f"town,people,cars\n{lines},5500,385\n")
    assert (len(rows), [doubt.kind for doubt in doubts]) == (10, ["total_rows"])
    rows, doubts = text(tmp_path, f"town,people,cars\n{lines}Average,550,38.5\n")
    assert (len(rows), [doubt.kind for doubt in doubts]) == (10, ["total_rows"])
    rows, doubts = text(tmp_path, f"town,people,cars\n{lines},5501,386\n")
    assert (len(rows), doubts) == (11, [])


def test_rows_that_name_what_they_sum_up_are_no_rows_where_their_figures_prove_it(tmp_path: Path) -> None:
    north, south = "N,A,1\nN,B,2\n", "S,C,4\nS,D,5\n"
    rows, (doubt,) = text(tmp_path, f"region,town,n\n{north}N total,,3\n{south}Total S,,9\nGrand total,,12\n")
    assert [row["n"] for row in rows] == [1, 2, 4, 5]
    assert (doubt.kind, doubt.rows) == ("total_rows", 3)
    rows, doubts = text(tmp_path, "station,litres\nMain,31\nTotal Energies,44\nTotal Express,58\nHarbour,12\n")
    assert (len(rows), doubts) == (4, [])


def test_formulas_without_results_errors_and_hidden_sheets_are_said(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in [["item", "n", "double"], *([f"i{n}", n, f"=B{n + 1}*2"] for n in range(1, 5)), ["i5", "#DIV/0!", None]]:
        sheet.append(row)
    sheet["B6"].data_type = "e"
    hidden = book.create_sheet("Notes")
    for row in (["k", "v"], ["a", 1], ["b", 2]):
        hidden.append(row)
    hidden.sheet_state = "hidden"
    book.save(tmp_path / "t.xlsx")
    tables, doubts = read(tmp_path / "t.xlsx")
    assert set(tables) == {"sheet", "notes"}
    by_kind = {doubt.kind: doubt for doubt in doubts}
    assert by_kind["not_read"].chosen.startswith("4 formulas without a stored result have no value.")
    assert by_kind["missing_values"].chosen.startswith("1 cell holds an error")
    assert (by_kind["layout"].table, by_kind["layout"].correction) == (
        "notes",
        Correction(setting="sheets", value=("Sheet",)),
    )


def test_further_tables_of_a_text_are_tables_of_their_own(tmp_path: Path) -> None:
    first = "town,people\nBern,10\nChur,20\nGenf,30\nBiel,5\n"
    second = "Rivers\nriver,length,mouths\nAare,288,1\nBern,10,2\nReuss,164,1\nRhone,812,3\n"
    (tmp_path / "t.csv").write_text(f"{first}\n\n{second}\n\nday,litres\n2024-01-01,3\n2024-01-02,4\n2024-01-03,5\n")
    tables, doubts = read(tmp_path / "t.csv")
    assert [row["town"] for row in tables["t"]] == ["Bern", "Chur", "Genf", "Biel"]
    assert [row["length"] for row in tables["t_2"]] == [288, 10, 164, 812]
    assert [row["litres"] for row in tables["t_3"]] == [3, 4, 5]
    assert any("3 tables" in doubt.chosen and doubt.kind == "layout" for doubt in doubts)
    (tmp_path / "t.csv").write_text(f"a,b\nx,1\n\n{first}\n{second}")
    tables, doubts = read(tmp_path / "t.csv")
    assert sorted(map(len, tables.values())) == [4, 4]
    assert [doubt.rows for doubt in doubts if doubt.kind == "rows_left_out"] == [2], "lines of no table are said"
