"""Workbooks: tables with titles, prose, merged cells, totals and notes around them; crosstabs; several on a sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import openpyxl
from openpyxl.worksheet.worksheet import Worksheet

from assistant.core.doubts import DoubtKind
from corpus.fields import GOODS, PEOPLE, TOWNS, Fields, header, rename, without
from corpus.values import Case, Expected, Field, Value, expect, expect_table, kinds_of

Cells = Sequence[Sequence[Value]]
LEFT_OUT: tuple[DoubtKind, ...] = ("rows_left_out", "layout")


def cases() -> Iterator[Case]:
    """All cases of the family."""
    yield from _above()
    yield from _merged()
    yield from _below()
    yield from _several()
    yield from _cells()


def _rows(fields: Sequence[Field]) -> list[list[Value]]:
    return [list(row) for row in zip(*(field.values for field in fields), strict=True)]


def _table(fields: Sequence[Field]) -> list[list[Value]]:
    return [list(header(fields)), *_rows(fields)]


def _case(
    shape: str,
    variant: str,
    cells: Cells | dict[str, Cells],
    expected: Expected,
    *,
    merges: Sequence[str] = (),
    start: tuple[int, int] = (1, 1),
    change: Callable[[Worksheet], None] = lambda sheet: None,
) -> Case:
    """A case of one workbook: cells of one sheet, or of several."""
    sheets = cells if isinstance(cells, dict) else {"Data": cells}

    def write(path: Path) -> None:
        book = openpyxl.Workbook()
        book.remove(book.worksheets[0])
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for number, row in enumerate(rows, start=start[0]):
                for place, value in enumerate(row, start=start[1]):
                    if value is not None:
                        sheet.cell(number, place, value)
            change(sheet)
        for merge in merges:
            book.worksheets[0].merge_cells(merge)
        book.save(path)

    return Case(family="workbooks", shape=shape, variant=variant, suffix=".xlsx", write=write, expected=expected)


def _people(seed: str, rows: int = 12) -> list[Field]:
    make = Fields(seed, rows)
    return [
        make.word("Name", PEOPLE),
        make.word("Job", GOODS),
        make.integer("Age", 20, 80),
        make.flag("Kids"),
        make.days("Born", date(1960, 2, 20), 700),
        make.number("Paid", 100, 2000),
    ]


def _above() -> Iterator[Case]:
    fields = _people("plain")
    yield _case("plain", "one sheet", _table(fields), expect(*fields))
    for count in (1, 2, 3):
        fields = _people(f"title {count}")
        titles = [["List of people"], ["Office of Records, 2024"], []][:count]
        yield _case("title", f"{count} rows", [*titles, *_table(fields)], expect(*fields))
    fields = _people("prose")
    prose: list[list[Value]] = [
        ["Lots of people", None, None, None, "who", None],
        ["like to", "write notes", None, "at", "the", "top"],
        [None, None, "of", "their", "sheets", None],
        [],
    ]
    yield _case("prose above", "scattered", [*prose, *_table(fields)], expect(*fields))
    fields = _people("settings")
    settings: list[list[Value]] = [
        ["Seller account", "A-4411"],
        ["Currency", "EUR"],
        ["Printed", datetime(2024, 3, 4, 10)],
        [],
    ]
    yield _case("settings above", "names and values", [*settings, *_table(fields)], expect(*fields))
    yield _case("settings above", "no gap", [*settings[:3], *_table(fields)], expect(*fields))
    fields = _people("offset")
    yield _case("offset", "from C5", _table(fields), expect(*fields), start=(5, 3))
    fields = _people("figures above")
    figures: list[list[Value]] = [[2016, "NATIONAL", 567, None, None, 20.5]]
    yield _case(
        "figures above the header", "national total", [*figures, *_table(fields)], expect(*fields, doubts=(LEFT_OUT,))
    )
    fields = _people("numbers above")
    yield _case("figures above the header", "column numbers", [[1, 2, 3, 4, 5, 6], *_table(fields)], expect(*fields))


def _merged() -> Iterator[Case]:
    for name, merge in (("whole width", "A1:F1"), ("nearly", "B1:F1"), ("two rows", "A1:F2")):
        fields = _people(name)
        top: list[list[Value]] = [
            [None, "Account 1 until 10.12.2025"] if merge.startswith("B") else ["Account 1 until 10.12.2025"]
        ]
        top += [[]] if merge.endswith("2") else []
        yield _case("merged title", name, [*top, *_table(fields)], expect(*fields), merges=[merge])
    make = Fields("groups", 10)
    for name, tall in (("groups", False), ("groups and tall names", True)):
        fields = [
            make.word("Town", TOWNS),
            *(
                rename(make.integer("", 10, 900), f"{year} {word}")
                for year in ("2019", "2020")
                for word in ("sold", "left")
            ),
        ]
        top = [
            ["Town" if tall else None, "2019", None, "2020", None],
            [None if tall else "Town", "sold", "left", "sold", "left"],
        ]
        merges = ["B1:C1", "D1:E1", *(["A1:A2"] if tall else [])]
        yield _case("header of two rows", name, [*top, *_rows(fields)], expect(*fields), merges=merges)
    fields = [
        make.word("Town", TOWNS),
        *(
            rename(make.integer("", 10, 900), f"{a} {b} {c}")
            for a in ("Home",)
            for b in ("2019", "2020")
            for c in ("in", "out")
        ),
    ]
    top = [[None, "Home", None, None, None], [None, "2019", None, "2020", None], ["Town", "in", "out", "in", "out"]]
    yield _case(
        "header of three rows", "groups", [*top, *_rows(fields)], expect(*fields), merges=["B1:E1", "B2:C2", "D2:E2"]
    )
    classes = ("1st", "2nd", "3rd", "Crew")
    figures = Fields("crosstab", 8)
    fields = [
        Field(name="Class", kinds=("text",), values=tuple(name for name in classes for _ in range(2))),
        Field(name="Sex", kinds=("text",), values=("Female", "Male") * 4),
        *(rename(figures.integer("", 1, 300), f"{age} {word}") for age in ("Child", "Adult") for word in ("No", "Yes")),
    ]
    body = [[row[0] if number % 2 == 0 else None, *row[1:]] for number, row in enumerate(_rows(fields))]
    cells = [[None, None, "Child", None, "Adult", None], ["Class", "Sex", "No", "Yes", "No", "Yes"], *body]
    merges = ["C1:D1", "E1:F1", *(f"A{row}:A{row + 1}" for row in (3, 5, 7, 9))]
    yield _case("crosstab", "merged labels", cells, expect(*fields), merges=merges)
    yield _case("crosstab", "labels once", cells, expect(*fields, doubts=(("layout", "missing_values"),)))
    named = [[None, None, "Age", None, None, None], *cells]
    named[1] = [None, None, "Child", None, "Adult", None]
    fields = [*fields[:2], *(rename(field, field.names[0], f"Age {field.names[0]}") for field in fields[2:])]
    merges = ["C1:F1", "C2:D2", "E2:F2", *(f"A{row}:A{row + 1}" for row in (4, 6, 8, 10))]
    yield _case("crosstab", "named axis", named, expect(*fields), merges=merges)


def _below() -> Iterator[Case]:
    notes: dict[str, list[list[Value]]] = {
        "note": [["Note: paid in the year before."]],
        "note after a gap": [[], ["Source: Office of Records"]],
        "two notes": [["1) estimated"], ["2) without bonus"]],
    }
    for name, below in notes.items():
        fields = _people(name)
        yield _case("notes below", name, [*_table(fields), *below], expect(*fields, doubts=(LEFT_OUT,)))
    for word in ("Total", "Summe"):
        make = Fields(word, 10)
        fields = [make.word("Region", TOWNS), make.integer("Units"), make.number("Value")]
        total: list[Value] = [word, *(sum(v for v in f.values if isinstance(v, int | float)) for f in fields[1:])]
        yield _case("total row", word, [*_table(fields), total], expect(*fields, doubts=(("total_rows", "members"),)))
        yield _case(
            "total row",
            f"{word} after a gap",
            [*_table(fields), [], total],
            expect(*fields, doubts=(("total_rows", "members", "rows_left_out"),)),
        )


def _several() -> Iterator[Case]:
    first, second = _people("one"), _people("two", 7)
    both = Expected(tables=(expect_table(first), expect_table(second)))
    yield _case("several sheets", "two tables", {"2023": _table(first), "2024": _table(second)}, both)
    about: Cells = [["About this file"], [], ["Collected by the office. Do not change."], ["Questions: room 12"]]
    yield _case("several sheets", "with a sheet of notes", {"Read me": about, "Data": _table(first)}, expect(*first))
    yield _case("several sheets", "with an empty one", {"Data": _table(first), "Sheet2": []}, expect(*first))
    for name, names in (("same names", ("Plot", "Sex", "Weight")), ("other names", ("Place", "Kind", "Length"))):
        make = Fields(name, 9)
        first = [make.serial("Plot"), make.word("Sex", ("F", "M")), make.number("Weight", 9, 40)]
        second = [
            rename(make.serial(""), names[0]),
            rename(make.word("", ("F", "M")), names[1]),
            rename(make.number("", 9, 40), names[2]),
        ]
        expected = Expected(tables=(expect_table(first), expect_table(second)), doubts=kinds_of(("layout",)))
        cells = [[*a, None, *b] for a, b in zip(_table(first), _table(second), strict=True)]
        yield _case("side by side", name, cells, expected)
        yield _case("below each other", name, [*_table(first), [], [], *_table(second)], expected)
        yield _case(
            "below each other", f"{name}, titles", [["2013"], *_table(first), [], ["2014"], *_table(second)], expected
        )


def _cells() -> Iterator[Case]:
    make = Fields("cells", 14)
    codes = make.code("Zip", 5)
    fields = [make.serial("No"), codes, make.number("Share", 1, 9)]
    yield _case("text cells", "codes", _table(fields), expect(*fields))
    number = make.number("Amount", 1000, 9000)
    written: list[list[Value]] = [
        [a, f"{b:,.2f}"] for a, b in zip(fields[0].values, number.values, strict=True) if isinstance(b, float)
    ]
    yield _case("text cells", "numbers", [["No", "Amount"], *written], expect(fields[0], number))
    days = make.days("Day")
    written = [
        [a, b.strftime("%d.%m.%Y")] for a, b in zip(fields[0].values, days.values, strict=True) if isinstance(b, date)
    ]
    yield _case("text cells", "days", [["No", "Day"], *written], expect(fields[0], days))
    mixed: list[list[Value]] = [
        [a, b if n % 3 else b.strftime("%d.%m.%Y")]
        for n, (a, b) in enumerate(zip(fields[0].values, days.values, strict=True))
        if isinstance(b, date)
    ]
    yield _case("text cells", "days in part", [["No", "Day"], *mixed], expect(fields[0], days))
    for word in ("-", "n/a", "..", "#N/A"):
        column = without(make.number("Rate", 1, 9), 3, 8)
        written = [[a, word if b is None else b] for a, b in zip(fields[0].values, column.values, strict=True)]
        yield _case("missing words", word, [["No", "Rate"], *written], expect(fields[0], column))
    column = replace(make.integer("Age", 20, 80), kinds=("integer", "text"))
    written = [
        [a, "at the" if n == 9 else b] for n, (a, b) in enumerate(zip(fields[0].values, column.values, strict=True))
    ]
    expected = expect(fields[0], column, doubts=(("column_type", "missing_values"),))
    table = expected.tables[0]
    expected = replace(expected, tables=(replace(table, missing={**table.missing, "Age": (0, 1)}),))
    yield _case("a word among numbers", "once", [["No", "Age"], *written], expected)
    moments = make.moments("Seen")
    fields = [make.serial("No"), moments]
    yield _case("moments", "with times", _table(fields), expect(*fields))
    fields = _people("blank row")
    rows = _table(fields)
    yield _case("blank rows", "one between", [*rows[:6], [], *rows[6:]], expect(*fields))
    repeated = [*rows[:5], rows[0], *rows[5:9], rows[0], *rows[9:]]
    yield _case("repeated header", "twice", repeated, expect(*fields, doubts=(LEFT_OUT,)))
    make = Fields("equal", 8)
    fields = [make.serial("No"), make.integer("Amount", 10, 90), make.integer("Amount", 100, 900)]
    yield _case("equal names", "amounts", _table(fields), expect(*fields, doubts=("equal_names",)))

    def hide(sheet: Worksheet) -> None:
        sheet.row_dimensions[4].hidden = True
        sheet.column_dimensions["B"].hidden = True

    fields = _people("hidden")
    yield _case("hidden", "a row and a column", _table(fields), expect(*fields), change=hide)

    def as_percent(sheet: Worksheet) -> None:
        for row in sheet.iter_rows(min_row=2, min_col=2, max_col=2):
            row[0].number_format = "0.0%"

    make = Fields("percent", 10)
    fields = [make.word("Town"), make.number("Share", 0.1, 0.9, 3)]
    yield _case("number formats", "percent", _table(fields), expect(*fields), change=as_percent)
    make = Fields("no header", 12)
    fields = [make.serial("1"), make.days("2"), make.number("3")]
    yield _case("no header", "typed", _rows(fields), expect(*fields, has_header=False, doubts=("header",)))
    fields = [make.word("Town"), *(make.number(str(year), 3, 90) for year in (2019, 2020, 2021))]
    cells = [["Town", 2019, 2020, 2021], *_rows(fields)]
    yield _case("numbers as names", "years", cells, expect(*fields))
