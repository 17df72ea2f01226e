"""Text without delimiters: columns by blanks or by position, lists of lines, tables drawn for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from corpus.fields import GOODS, PEOPLE, TOWNS, Fields, Style, grid, header, rename, without
from corpus.texts import text_case
from corpus.values import Case, Expected, Field, expect


def cases() -> Iterator[Case]:
    """All cases of the family."""
    yield from _blanks()
    yield from _positions()
    yield from _lists()
    yield from _drawn()


def _case(shape: str, variant: str, text: str, expected: Expected, suffix: str = ".txt") -> Case:
    return text_case("plain text", shape, variant, text, expected, suffix=suffix)


def _aligned(rows: Sequence[Sequence[str]], *, right: bool = False, gap: int = 2) -> str:
    """Rows in columns of one width each."""
    widths = [max(len(row[number]) for row in rows) for number in range(len(rows[0]))]
    turn = str.rjust if right else str.ljust
    return "".join(
        (" " * gap).join(turn(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n"
        for row in rows
    )


def _blanks() -> Iterator[Case]:
    for name, suffix, right in (("wind", ".txt", True), ("wind left", ".txt", False), ("wind csv", ".csv", True)):
        make = Fields(name, 18)
        fields = [
            make.serial("Yr", 61),
            make.integer("Mo", 1, 12),
            *(make.number(place, 2, 30) for place in ("RPT", "VAL", "ROS")),
        ]
        yield _case(
            "runs of blanks", name, _aligned([header(fields), *grid(fields)], right=right), expect(*fields), suffix
        )
    make = Fields("one blank", 18)
    fields = [make.word("group", ("control", "low", "high")), make.integer("density", 400, 700)]
    text = "".join(" ".join(row) + "\n" for row in [header(fields), *grid(fields)])
    yield _case("one blank", "two columns", text, expect(*fields))
    fields = [make.integer(name, 10, 90) for name in ("D0", "D15", "D30", "D60")]
    text = "".join(" ".join(row) + "\n" for row in [header(fields), *grid(fields)])
    yield _case("one blank", "numbers", text, expect(*fields))
    fields = [make.serial("mouse"), make.number("weight", 10, 40), make.number("length", 2, 9)]
    text = "".join(" ".join(row) + "\n" for row in grid(fields))
    yield _case("one blank", "no header", text, expect(*fields, has_header=False, doubts=("header",)))
    fields = [
        make.serial("year", 1959),
        make.integer("month", 1, 12),
        make.number("average", 310, 420),
        make.integer("days", 20, 31),
    ]
    above = "# Monthly means, in ppm\n# (expedited files, may change)\n#\n"
    text = above + _aligned([header(fields), *grid(fields)], right=True, gap=3)
    yield _case("runs of blanks", "comments above", text, expect(*fields))
    text = above + _aligned(grid(fields), right=True, gap=3)
    yield _case("runs of blanks", "comments, no header", text, expect(*fields, has_header=False, doubts=("header",)))


def _positions() -> Iterator[Case]:
    make = Fields("people", 12)
    fields = [make.serial("NO", 101), make.word("NAME", PEOPLE), make.word("TOWN", TOWNS), make.integer("AGE", 20, 80)]
    rows = [header(fields), *grid(fields)]
    yield _case("fixed width", "header", _aligned(rows), expect(*fields))
    ruler = ["-" * max(len(row[number]) for row in rows) for number in range(4)]
    yield _case("fixed width", "ruler", _aligned([rows[0], ruler, *rows[1:]], gap=1), expect(*fields))
    gaps = [replace(fields[0]), fields[1], without(fields[2], 2, 5), without(fields[3], 4)]
    yield _case("fixed width", "empty cells", _aligned([header(gaps), *grid(gaps)]), expect(*gaps))
    names = tuple(
        f"{last:<10}{first:<9}"
        for last, first in zip(("ADAMS", "BAKER", "CLARK", "DUNN"), ("ANNA", "BEN", "CHLOE", "DAN"), strict=True)
    )
    text = "".join(
        f"{number:02d}{name}{month:02d}{year}\n"
        for number, (name, month, year) in enumerate(
            zip(names, (3, 11, 7, 9), (1990, 2005, 2011, 1987), strict=True), start=1
        )
    )
    # Where no header and no blank parts all of the columns, the rows are all that can be right, with a doubt.
    table = replace(
        expect(make.serial("")).tables[0],
        has_header=False,
        rows=(4,),
        columns=None,
        names=(),
        types={},
        missing={},
        checks=(),
        is_partial=True,
    )
    yield _case(
        "fixed width",
        "no header, no blanks",
        text,
        replace(expect(make.serial(""), doubts=(("layout", "header"),)), tables=(table,)),
    )


def _lists() -> Iterator[Case]:
    towns = (
        "Northland[edit]",
        "Alton (Alton College)",
        "Bree (Bree State, Bree Tech)",
        "Carn (Carn University)",
        "East (East A, East B, East C)",
        "Fenn",
        "Gale",
        "Ivel (Ivel, Ivel North)",
    )
    field = Field(name="", kinds=("text",), values=towns)
    yield _case("lines", "with commas", "\n".join(towns) + "\n", expect(field, has_header=False, doubts=("header",)))
    words = tuple(f"{good} of {town}" for good, town in zip(GOODS, TOWNS, strict=True))
    field = Field(name="", kinds=("text",), values=words)
    yield _case("lines", "of words", "\n".join(words) + "\n", expect(field, has_header=False, doubts=("header",)))
    prose = tuple(
        f"On day {number} we went to {town}, and it rained; nobody minded." for number, town in enumerate(TOWNS)
    )
    field = Field(name="", kinds=("text",), values=prose)
    yield _case("lines", "of prose", "\n".join(prose) + "\n", expect(field, has_header=False, doubts=("header",)))
    make = Fields("spots", 30)
    number = make.number("spots", 1, 150)
    yield _case(
        "lines",
        "numbers under a name",
        "\n".join(row[0] for row in [header([number]), *grid([number])]) + "\n",
        expect(number),
    )
    yield _case(
        "lines",
        "numbers",
        "\n".join(row[0] for row in grid([number])) + "\n",
        expect(number, has_header=False, doubts=("header",)),
    )


def _drawn() -> Iterator[Case]:
    make = Fields("drawn", 10)
    fields = [make.serial("id"), make.word("town"), make.number("amount")]
    rows = [header(fields), *grid(fields)]
    widths = [max(len(row[number]) for row in rows) for number in range(3)]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    psql = [
        f" {lines[0]}",
        "-" + "-+-".join("-" * width for width in widths) + "-",
        *(f" {line}" for line in lines[1:]),
        "(10 rows)",
    ]
    yield _case("drawn table", "psql", "\n".join(psql) + "\n", expect(*fields))
    rule = "+-" + "-+-".join("-" * width for width in widths) + "-+"
    mysql = [rule, f"| {lines[0]} |", rule, *(f"| {line} |" for line in lines[1:]), rule]
    yield _case("drawn table", "mysql", "\n".join(mysql) + "\n", expect(*fields))
    markdown = [
        f"| {lines[0]} |",
        "|" + "|".join("-" * (width + 2) for width in widths) + "|",
        *(f"| {line} |" for line in lines[1:]),
    ]
    yield _case("drawn table", "markdown", "\n".join(markdown) + "\n", expect(*fields))
    fields = [rename(fields[0], ""), *fields[1:]]
    frame = [["", "town", "amount"], *grid([replace(fields[0], values=tuple(range(10))), *fields[1:]], Style())]
    index = replace(fields[0], values=tuple(range(10)))
    yield _case("drawn table", "printed frame", _aligned(frame, right=True), expect(index, *fields[1:]))
