"""Delimited text: delimiters, locales, dates, missing words, types and names. One table in each file."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, time
from pathlib import Path

from assistant.core.catalog import ColumnKind
from corpus.fields import GOODS, PEOPLE, TOWNS, Fields, Style, grid, header, rename, without
from corpus.values import Case, Expected, Family, Field, Value, expect


def lines(rows: Sequence[Sequence[str]], delimiter: str = ",", newline: str = "\n", quoting: int = 0) -> str:
    """Rows as delimited text; cells are quoted where they must be, or as `quoting` of the module `csv` says."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=newline, quoting=(0, 1, 2, 3)[quoting])
    writer.writerows(rows)
    return text.getvalue()


def text_case(
    family: Family,
    shape: str,
    variant: str,
    text: str,
    expected: Expected,
    *,
    suffix: str = ".csv",
    encoding: str = "utf-8",
) -> Case:
    """A case of one text file; gzip where the suffix says so."""
    content = text.encode(encoding)

    def write(path: Path) -> None:
        path.write_bytes(gzip.compress(content, mtime=0) if suffix.endswith(".gz") else content)

    return Case(family=family, shape=shape, variant=variant, suffix=suffix, write=write, expected=expected)


def table_text(fields: Sequence[Field], style: Style = Style(), delimiter: str = ",", newline: str = "\n") -> str:  # noqa: B008
    """Fields as delimited text under their names."""
    return lines([header(fields), *grid(fields, style)], delimiter, newline)


def cases() -> Iterator[Case]:
    """All cases of the family."""
    yield from _delimiters()
    yield from _locales()
    yield from _days()
    yield from _missing()
    yield from _sentinels()
    yield from _types()
    yield from _names()
    yield from _widths()
    yield from _lines()


def _case(shape: str, variant: str, text: str, expected: Expected, suffix: str = ".csv") -> Case:
    return text_case("delimited", shape, variant, text, expected, suffix=suffix)


def _sales(seed: str, rows: int = 24) -> list[Field]:
    make = Fields(seed, rows)
    return [make.serial("id"), make.days("sold"), make.word("town"), make.integer("units"), make.number("amount")]


def _delimiters() -> Iterator[Case]:
    marks = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "at": "@", "caret": "^", "colon": ":"}
    for name, mark in marks.items():
        fields = _sales(name)
        suffix = ".tsv" if name == "tab" else ".csv"
        yield _case("delimiter", name, table_text(fields, delimiter=mark), expect(*fields), suffix)
    fields = _sales("txt")
    yield _case("delimiter", "tab in txt", table_text(fields, delimiter="\t"), expect(*fields), ".txt")
    fields = _sales("packed")
    yield _case("delimiter", "packed", table_text(fields), expect(*fields), ".csv.gz")
    activity = Fields("commas").word("activity", ("Paint, draw", "Read", "Run, rest", "Sing, hum, hush"))
    fields = [Fields("at").serial("no"), activity, Fields("at").word("goods", GOODS)]
    rows = [header(fields), *grid(fields)]
    for name in ("at", "pipe", "semicolon", "tab"):
        text = "\n".join(marks[name].join(row) for row in rows) + "\n"
        yield _case("commas in cells", name, text, expect(*fields))
    for mark in (";", ",", "|"):
        fields = _sales(f"sep{mark}")
        yield _case("sep line", f"by {ord(mark)}", f"sep={mark}\n{table_text(fields, delimiter=mark)}", expect(*fields))


def _locales() -> Iterator[Case]:
    styles = {
        "german": (Style(decimal=",", group=".", day="%d.%m.%Y"), ";"),
        "german with commas": (Style(decimal=",", group=".", day="%d.%m.%Y"), ","),
        "french": (Style(decimal=",", group="\u00a0", day="%d/%m/%Y"), ";"),
        "french narrow": (Style(decimal=",", group="\u202f", day="%d/%m/%Y"), "\t"),
        "swiss": (Style(group="'", day="%d.%m.%Y"), ";"),
        "dutch": (Style(decimal=",", day="%d-%m-%Y"), ";"),
        "american": (Style(group=",", day="%m/%d/%Y"), ","),
        "british": (Style(group=",", day="%d/%m/%Y"), ","),
        "swedish": (Style(decimal=",", group=" ", day="%Y-%m-%d"), ";"),
        "polish": (Style(decimal=",", day="%d.%m.%Y"), "\t"),
    }
    for name, (style, delimiter) in styles.items():
        make = Fields(name)
        fields = [make.days("day"), make.word("town"), make.number("amount", 900, 99000), make.number("fee", 1, 40)]
        yield _case("locale", name, table_text(fields, style, delimiter), expect(*fields))
    marks = {
        "dollar": "$%s",
        "euro after": "%s €",
        "code": "EUR %s",
        "percent": "%s%%".replace("%%", "%"),
        "kg": "%s kg",
    }
    for name, pattern in marks.items():
        make = Fields(name)
        fields = [make.word("goods", GOODS), make.number("value", 1, 95), make.integer("count")]
        # A unit may be left out or be in the name; the number is the same. Percent may be a share.
        value = fields[1]
        if name == "percent":
            shares = tuple(round(number / 100, 6) for number in value.values if isinstance(number, float))
            value = replace(value, others=(shares,))
        yield _case(
            "currency and units", name, table_text(fields, Style(number=pattern)), expect(fields[0], value, fields[2])
        )
    make = Fields("negatives")
    fields = [make.serial("entry"), make.number("change")]
    negative = replace(
        fields[1], values=tuple(-v if i % 3 == 0 else v for i, v in enumerate(fields[1].values) if isinstance(v, float))
    )
    writers: tuple[tuple[str, Callable[[float], str]], ...] = (
        ("parentheses", lambda v: f"({-v:.2f})" if v < 0 else f"{v:.2f}"),
        ("trailing minus", lambda v: f"{-v:.2f}-" if v < 0 else f"{v:.2f}"),
        ("unicode minus", lambda v: f"{v:.2f}".replace("-", "\u2212")),
        ("plus", lambda v: f"{v:+.2f}"),
        ("exponent", lambda v: f"{v:.6e}"),
    )
    for name, write in writers:
        rows = [
            [str(i), write(v)] for i, v in zip(fields[0].values, negative.values, strict=True) if isinstance(v, float)
        ]
        yield _case("negatives", name, lines([["entry", "change"], *rows]), expect(fields[0], negative))


def _days() -> Iterator[Case]:
    formats = ["%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d.%m.%y", "%m/%d/%y", "%Y/%m/%d", "%Y%m%d", "%d-%b-%y", "%d %B %Y"]
    formats += ["%b %d, %Y", "%a %b %d %Y", "%A, %d %B %Y", "%d-%m-%Y"]
    for number, format_ in enumerate(formats):
        make = Fields(format_)
        fields = [make.serial("no"), make.days("day", step=5), make.number("level")]
        # Eight digits may be a number as well; where they are read as dates, a doubt is right.
        yield _case("day formats", f"{number}", table_text(fields, Style(day=format_)), expect(*fields))
    for name, format_, step in (
        ("slash", "%d/%m/%Y", 1),
        ("dots", "%d.%m.%Y", 1),
        ("dashes", "%d-%m-%Y", 1),
        ("quarters", "%d/%m/%Y", 3),
        ("short years", "%d/%m/%y", 1),
    ):
        make = Fields(name, 30)
        fields = [make.months("DATE", 1998, step), make.number("RATE", 1, 9)]
        yield _case("monthly day first", name, table_text(fields, Style(day=format_)), expect(*fields))
    make = Fields("daily", 12)
    days = make.days("day", date(2024, 3, 1), 1)
    # Steps of a day and steps of a month are both even here.
    monthly = tuple(date(day.year, day.day, day.month) for day in days.values if isinstance(day, date))
    fields = [replace(days, others=(monthly,)), make.number("level")]
    for name, format_ in (("day first", "%d/%m/%Y"), ("month first", "%m/%d/%Y")):
        text = table_text(fields, Style(day=format_))
        yield _case("first days of a month", name, text, expect(*fields, doubts=("day_order",)))
    make = Fields("ambiguous", 6)
    days = (date(2024, 3, 4), date(2024, 7, 2), date(2024, 1, 9), date(2024, 5, 5), date(2024, 8, 11), date(2024, 2, 1))
    swapped = tuple(date(day.year, day.day, day.month) for day in days)
    fields = [Field(name="day", kinds=("date",), values=days, others=(swapped,)), make.number("level")]
    yield _case(
        "ambiguous days", "slash", table_text(fields, Style(day="%d/%m/%Y")), expect(*fields, doubts=("day_order",))
    )
    for number, format_ in enumerate(
        (
            "%Y-%m-%dT%H:%M:%S",
            "%Y-%m-%d %H:%M",
            "%d.%m.%Y %H:%M",
            "%m/%d/%Y %I:%M %p",
            "%d/%m/%Y %H:%M:%S",
            "%Y-%m-%dT%H:%M:%SZ",
        )
    ):
        make = Fields(format_)
        fields = [make.moments("seen"), make.word("place"), make.number("reading")]
        yield _case("moment formats", f"{number}", table_text(fields, Style(moment=format_)), expect(*fields))
    make = Fields("rfc")
    fields = [make.moments("sent"), make.word("sender", PEOPLE)]
    style = Style(moment="%a, %d %b %Y %H:%M:%S +0000")
    yield _case("moment formats", "rfc 2822", table_text(fields, style), expect(*fields))
    make = Fields("clock")
    times = tuple(time(6 + number % 14, number * 7 % 60) for number in range(make.rows))
    fields = [make.days("day"), Field(name="opened", kinds=("time",), values=times), make.integer("guests")]
    yield _case("times", "of day", table_text(fields), expect(*fields))


def _words(column: Field, words: dict[int, str], style: Style) -> list[str]:
    """The cells of a column, with words in some rows."""
    return [words.get(number, style.write(value)) for number, value in enumerate(column.values)]


def _missing() -> Iterator[Case]:
    style = Style()
    for word in (
        "NA",
        "n/a",
        "NULL",
        "-",
        "--",
        "..",
        "***",
        ":",
        "(X)",
        "#N/A",
        "nan",
        "\\N",
        "?",
        ".",
        "None",
        "k.A.",
    ):
        make = Fields(word)
        number = without(make.number("measure"), 3, 11)
        fields = [make.serial("site"), number, make.integer("visits")]
        cells = _words(number, {3: word, 11: word}, style)
        rows = [[str(a), b, str(c)] for a, b, c in zip(fields[0].values, cells, fields[2].values, strict=True)]
        yield _case("missing among numbers", word, lines([header(fields), *rows]), expect(*fields))
    values = {
        "None the usual value": ("None", "None", "None", "None", "Minor", "None", "Severe"),
        "NA North America": ("NA", "APAC", "EMEA", "LATAM"),
        "NA among country codes": ("DE", "FR", "NA", "ZA", "BW", "AO", "US"),
        "na among lower codes": ("ad", "be", "ch", "na", "nl", "zw"),
        "nan a bread": ("nan", "roti", "pita", "naan", "bun"),
        "dash a side": ("+", "-", "0"),
        "true the name": ("True", "Smith", "Young", "Null", "Bell"),
    }
    for name, words in values.items():
        make = Fields(name, 40)
        fields = [make.serial("case"), make.word("kind", words), make.integer("cost")]
        yield _case("missing words as values", name, table_text(fields), expect(*fields))
    make = Fields("empty")
    fields = [make.serial("no"), without(make.word("town"), 2, 3), without(make.integer("units"), 5), make.flag("paid")]
    yield _case("empty cells", "plain", table_text(fields), expect(*fields))
    fields = [make.serial("no"), without(make.days("paid on"), 0, 1, 2), without(make.number("due"), 0, 1, 2, 3)]
    yield _case("empty cells", "at the top", table_text(fields), expect(*fields))
    for word, shape in (("NO BAIL", "set"), ("at the", "once"), ("see note", "twice")):
        make = Fields(word)
        number = make.integer("bail", 500, 9000)
        places = {"set": (2, 5, 9), "once": (7,), "twice": (4, 20)}[shape]
        column = replace(without(number, *places), kinds=("integer", "text"))
        fields = [make.serial("case"), column]
        rows = [
            [str(a), b]
            for a, b in zip(fields[0].values, _words(number, dict.fromkeys(places, word), style), strict=True)
        ]
        yield _case(
            "a word among numbers",
            shape,
            lines([header(fields), *rows]),
            replace_missing(expect(*fields, doubts=(("column_type", "missing_values"),)), "bail", (0, len(places))),
        )


def replace_missing(expected: Expected, column: str, numbers: tuple[int, ...]) -> Expected:
    """The reading with other numbers of empty cells in a column."""
    table = expected.tables[0]
    return replace(expected, tables=(replace(table, missing={**table.missing, column: numbers}),))


def _sentinels() -> Iterator[Case]:
    marks: tuple[tuple[str, float | int], ...] = (
        ("minus 200", -200),
        ("minus 999.99", -999.99),
        ("9999", 9999),
        ("minus 9", -9),
        ("999", 999),
        ("minus 99999", -99999),
    )
    for name, mark in marks:
        make = Fields(name, 40)
        columns: list[Field] = []
        for column, low, high in (("co", 1.0, 4.0), ("temp", 8.0, 19.0), ("wind", 2.0, 11.0)):
            plain = make.number(column, low, high)
            at = {5, 17, 23} if column != "wind" else {8, 17}
            values: tuple[Value, ...] = tuple(mark if i in at else v for i, v in enumerate(plain.values))
            columns.append(replace(plain, values=values, others=(without(plain, *at).values,)))
        fields = [make.days("day", step=1), *columns]
        rows = [
            [str(day), *(f"{v:g}" if v == mark else f"{v:.2f}" for v in values if isinstance(v, int | float))]
            for day, *values in zip(*(field.values for field in fields), strict=True)
        ]
        yield _case(
            "sentinels",
            name,
            lines([header(fields), *rows]),
            expect(*fields, doubts=(("sentinels", "missing_values"),)),
        )
    make = Fields("survey 99", 60)
    plain = make.integer("satisfaction", 1, 5)
    at = {4, 20, 33, 50}
    marked = replace(
        plain,
        values=tuple(99 if i in at else v for i, v in enumerate(plain.values)),
        others=(without(plain, *at).values,),
    )
    fields = [make.serial("respondent"), marked]
    yield _case(
        "sentinels", "survey code 99", table_text(fields), expect(*fields, doubts=(("sentinels", "missing_values"),))
    )


def _types() -> Iterator[Case]:
    make = Fields("codes")
    for width in (3, 5, 8):
        fields = [make.word("town"), make.code("zip", width), make.integer("people")]
        yield _case("codes with zeros", f"{width} digits", table_text(fields), expect(*fields))
    weights = tuple(f"{number:03d}" for number in (80, 95, 130, 145, 210, 75, 180, 99, 102, 60))
    field = Field(name="weight", kinds=("integer",), values=tuple(int(weight) for weight in weights))
    fields = [Fields("w", 10).serial("id"), field]
    text = lines([["id", "weight"], *([str(number), weight] for number, weight in enumerate(weights, start=1))])
    yield _case("measures with zeros", "weight", text, expect(*fields, doubts=(("number_format", "column_type"),)))
    long = tuple(f"40{number:018d}" for number in range(7_000_000_000, 7_000_000_024))
    fields = [make.serial("no"), Field(name="account", kinds=("text", "integer", "number"), values=long)]
    yield _case("long digits", "twenty", table_text(fields), expect(*fields))
    phones = tuple(f"+49 30 {number}" for number in range(551200, 551224))
    fields = [make.serial("no"), Field(name="phone", kinds=("text",), values=phones)]
    yield _case("long digits", "phone", table_text(fields), expect(*fields))
    for truth in (("true", "false"), ("TRUE", "FALSE"), ("yes", "no"), ("Y", "N"), ("Ja", "Nein"), ("t", "f")):
        make = Fields(truth[0])
        fields = [make.serial("id"), make.flag("member"), make.word("town")]
        kinds: tuple[ColumnKind, ...] = ("boolean",) if truth[0].lower() == "true" else ("boolean", "text")
        fields[1] = replace(fields[1], kinds=kinds)
        yield _case("truth words", truth[0], table_text(fields, Style(truth=truth)), expect(*fields))
    make = Fields("zero one")
    fields = [make.serial("id"), replace(make.integer("converted", 0, 1), kinds=("integer", "boolean"))]
    yield _case("truth words", "0 and 1", table_text(fields), expect(*fields))
    scores = tuple(f"{number % 5}-{number % 3}" for number in range(24))
    fields = [make.days("day"), make.word("home"), Field(name="score", kinds=("text",), values=scores)]
    yield _case("like dates", "scores", table_text(fields), expect(*fields))
    ratios = tuple(f"{number % 11 + 1}/{number % 12 + 1}" for number in range(24))
    fields = [make.serial("no"), Field(name="ratio", kinds=("text",), values=ratios)]
    yield _case("like dates", "ratios", table_text(fields), expect(*fields))
    versions = tuple(f"1.{number % 20}.{number % 7}" for number in range(24))
    fields = [make.serial("no"), Field(name="version", kinds=("text",), values=versions)]
    yield _case("like numbers", "versions", table_text(fields), expect(*fields))
    tickets = tuple(f"{number % 9 + 1}E{number % 4 + 1}" for number in range(24))
    fields = [make.serial("no"), Field(name="room", kinds=("text",), values=tickets)]
    yield _case("like numbers", "rooms with an E", table_text(fields), expect(*fields))
    ranges = tuple(("0-9", "10-19", "20-29", "30-39", "40+")[number % 5] for number in range(24))
    fields = [Field(name="age", kinds=("text",), values=ranges), make.integer("people")]
    yield _case("like numbers", "age groups", table_text(fields), expect(*fields))
    make = Fields("years")
    fields = [make.serial("year", 1990), make.number("emissions"), make.integer("plants")]
    yield _case("years", "whole", table_text(fields), expect(*fields))
    months = tuple(f"{2020 + number // 12}M{number % 12 + 1:02d}" for number in range(24))
    fields = [Field(name="period", kinds=("text", "date"), values=months), make.number("index")]
    yield _case("years", "with months", table_text(fields), expect(*fields))
    make = Fields("quoted")
    fields = _sales("quoted numbers")
    yield _case("quoted", "all", lines([header(fields), *grid(fields)], quoting=1), expect(*fields))
    fields = [make.serial("no"), make.word("said", ('a "quiet" day', "one, two", "line\nbreak", "plain"))]
    yield _case("quoted", "marks and line breaks", table_text(fields), expect(*fields))
    rows = [["no", "who", "n"], *([str(i), f"'O, {p}'", str(i * 3)] for i, p in enumerate(PEOPLE, start=1))]
    make = Fields("single", 8)
    fields = [
        make.serial("no"),
        Field(name="who", kinds=("text",), values=tuple(f"O, {person}" for person in PEOPLE)),
        Field(name="n", kinds=("integer",), values=tuple(range(3, 27, 3))),
    ]
    yield _case("quoted", "by single marks", "\n".join(",".join(row) for row in rows) + "\n", expect(*fields))
    rows = [["no", "said"], *([str(i), f'"{p} said \\"so\\", twice"'] for i, p in enumerate(PEOPLE, start=1))]
    fields = [
        make.serial("no"),
        Field(name="said", kinds=("text",), values=tuple(f'{p} said "so", twice' for p in PEOPLE)),
    ]
    yield _case("quoted", "marks escaped", "\n".join(",".join(row) for row in rows) + "\n", expect(*fields))


def _names() -> Iterator[Case]:
    make = Fields("names")
    fields = [
        make.serial("Order"),
        make.word("Address"),
        make.word("Address", PEOPLE),
        make.number("Amount"),
        make.number("Amount", 1, 40),
    ]
    yield _case("equal names", "twice", table_text(fields), expect(*fields, doubts=("equal_names",)))
    fields = [
        make.serial("no"),
        make.integer("total", 1, 9),
        make.integer("total", 10, 90),
        make.integer("total", 100, 900),
    ]
    yield _case("equal names", "three times", table_text(fields), expect(*fields, doubts=("equal_names",)))
    fields = [
        make.serial("no"),
        make.integer("Net Sales", 100, 900),
        make.integer("net_sales", 1, 9),
        make.integer("NET-SALES", 10, 90),
    ]
    yield _case("equal names", "by their letters", table_text(fields), expect(*fields))
    for name, words in (
        ("dotted", ("i.a", "i.b", "x.y.z")),
        ("reserved", ("select", "order", "group")),
        ("not ascii", ("Größe", "prix été", "город")),
        ("digits", ("1970", "1980", "1990")),
        (
            "questions",
            ("How old are you?", "How many cups of tea, if any, do you drink on a day?", "And of coffee (in cups)?"),
        ),
        ("with quotes", ('the "big" one', "it's", "a, b")),
        ("blank around", (" first ", "second  ", " third")),
        ("with units", ("length (m)", "Wind Spd (km/h)", "cost [EUR]")),
    ):
        make = Fields(name)
        fields = [rename(make.serial(""), words[0]), rename(make.number(""), words[1]), rename(make.word(""), words[2])]
        yield _case("column names", name, table_text(fields), expect(*fields))
    make = Fields("index")
    fields = [make.serial("", 0), make.word("town"), make.number("rate")]
    yield _case("column names", "index without a name", table_text(fields), expect(*fields))
    make = Fields("text only")
    fields = [make.word("name", PEOPLE), make.word("town"), make.word("goods", GOODS)]
    yield _case("all text", "header in lower case", table_text(fields), expect(*fields))
    fields = [rename(make.word("", PEOPLE), "Contact person"), rename(make.word("", TOWNS), "Place of birth")]
    yield _case("all text", "header of several words", table_text(fields), expect(*fields))


def _widths() -> Iterator[Case]:
    for columns in (100, 200, 400):
        make = Fields(f"wide {columns}", 22)
        kinds = (make.integer, make.number, make.word)
        fields = [kinds[number % 3](f"Feld {number}") for number in range(columns)]
        yield _case("wide", f"{columns} columns", table_text(fields, delimiter=";"), expect(*fields))
    make = Fields("one row", 1)
    fields = [make.serial("id"), make.word("town"), make.number("amount")]
    yield _case("short", "one row", table_text(fields), expect(*fields))
    make = Fields("two rows", 2)
    fields = [make.serial("id"), make.word("town"), make.number("amount")]
    yield _case("short", "two rows", table_text(fields), expect(*fields))


def _lines() -> Iterator[Case]:
    for name, newline in (("windows", "\r\n"), ("old mac", "\r"), ("two kinds", "\n")):
        fields = _sales(name)
        text = table_text(fields, newline=newline)
        if name == "two kinds":
            parts = text.split("\n")
            text = "\r\n".join(parts[:9]) + "\r\n" + "\n".join(parts[9:])
        yield _case("line ends", name, text, expect(*fields))
    fields = _sales("no end")
    yield _case("line ends", "none at the end", table_text(fields).rstrip("\n"), expect(*fields))
    for start in (20, 150, 20_600):
        rows = max(300, start + 100)
        make = Fields(f"ragged {start}", rows)
        fields = [make.days("day", date(1960, 1, 30), 1), make.integer("visitors", 10, 14)]
        cells = [[*row, *(["late"] if number >= start else [])] for number, row in enumerate(grid(fields))]
        expected = expect(*fields, doubts=(("rows_left_out", "layout", "header", "not_read"),))
        table = replace(expected.tables[0], columns=None, is_partial=True)
        yield _case(
            "ragged", f"longer from row {start}", lines([header(fields), *cells]), replace(expected, tables=(table,))
        )
    make = Fields("shorter")
    fields = [make.serial("id"), make.word("town"), without(make.number("amount"), 4, 9)]
    cells = [row[: 2 if row[2] == "" else 3] for row in grid(fields)]
    yield _case("ragged", "shorter rows", lines([header(fields), *cells]), expect(*fields))
    fields = _sales("comma at the end")
    yield _case(
        "ragged",
        "a comma at the end of each",
        lines([[*row, ""] for row in [header(fields), *grid(fields)]]),
        expect(*fields),
    )
    cells = [header(fields), *([*row, ""] for row in grid(fields))]
    yield _case("ragged", "a comma at the end of rows", lines(cells), expect(*fields))
