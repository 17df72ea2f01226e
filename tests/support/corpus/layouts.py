"""Delimited text in which the table is not all there is: lines above and below, totals, groups, more than one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from assistant.core.doubts import DoubtKind
from corpus.fields import GOODS, PEOPLE, Fields, Style, grid, header, rename, without
from corpus.texts import lines, table_text, text_case
from corpus.values import Case, Expected, Field, expect, expect_table, kinds_of

GERMAN = Style(decimal=",", group=".", day="%d.%m.%Y")
LEFT_OUT: tuple[DoubtKind, ...] = ("rows_left_out", "layout")
COUNTRIES = ("Avalon", "Brynn", "Cora", "Delm", "Estor", "Fenland")


def cases() -> Iterator[Case]:
    """All cases of the family."""
    yield from _banks()
    yield from _statistics()
    yield from _above()
    yield from _below()
    yield from _totals()
    yield from _between()
    yield from _headers()
    yield from _several()


def _case(
    shape: str, variant: str, text: str, expected: Expected, suffix: str = ".csv", encoding: str = "utf-8"
) -> Case:
    return text_case("layouts", shape, variant, text, expected, suffix=suffix, encoding=encoding)


def _bank(seed: str) -> list[Field]:
    make = Fields(seed, 20)
    amount = make.number("Betrag", 10, 4200)
    signed = tuple(-v if number % 4 else v for number, v in enumerate(amount.values) if isinstance(v, float))
    return [
        make.days("Buchungstag"),
        make.word("Auftraggeber", PEOPLE),
        make.word("Verwendungszweck", ("Miete", "Strom, Gas", "Einkauf", "Lohn/Gehalt")),
        replace(amount, values=signed),
        make.word("Währung", ("EUR",)),
    ]


def _banks() -> Iterator[Case]:
    preambles = {
        "4 lines": ["Kontoauszug", "IBAN;DE00123412341234123412", "Saldo;12.345,60;EUR", ""],
        "9 lines": [
            "Umsatzanzeige;Datei erstellt am: 02.03.2025 10:00",
            "",
            "IBAN;DE00123412341234123412",
            "Kontoname;Girokonto",
            "Bank;Musterbank",
            "Kunde;Erika Beispiel",
            "Zeitraum;01.02.2025 - 02.03.2025",
            "Saldo;12.345,60;EUR",
            "",
        ],
        "prose": [
            "Diese Datei enthält alle gebuchten Umsätze. Vorgemerkte Umsätze fehlen, auch wenn sie, wie üblich, zählen.",
            "",
        ],
        "quoted": ['"Konto";"Tagesgeld 4411"', '"Kontostand vom 03.02.2025:";"1.234,50 EUR"', '""'],
    }
    for name, above in preambles.items():
        for encoding in ("cp1252", "utf-8-sig"):
            fields = _bank(name + encoding)
            text = "\n".join(above) + "\n" + table_text(fields, GERMAN, ";")
            expected = expect(*fields, doubts=("encoding",) if encoding == "cp1252" else ())
            yield _case("bank", f"{name} {encoding}", text, expected, encoding=encoding)
    fields = _bank("below")
    text = "Konto;4411\n\n" + table_text(fields, GERMAN, ";") + ";;;;\nKontostand;;;1.234,50;EUR\n"
    yield _case("bank", "balance below", text, expect(*fields, doubts=(LEFT_OUT,)))
    make = Fields("datev", 22)
    names = [f"Zusatzinformation {number}" for number in range(1, 97)]
    fields = [
        make.number("Umsatz (ohne Soll/Haben-Kz)", 10, 2000),
        make.word("Soll/Haben-Kennzeichen", ("S", "H")),
        make.integer("Konto", 1000, 8999),
        make.word("Buchungstext", GOODS),
        *(make.integer(name) for name in names[:6]),
    ]
    rows = [[*row, *[""] * 90] for row in grid(fields, GERMAN)]
    above = [
        "EXTF",
        "700",
        "21",
        "Buchungsstapel",
        "13",
        "20250203120000",
        "",
        "RE",
        "",
        "",
        "1001",
        "4711",
        "20250101",
    ]
    text = lines([above, [*header(fields), *names[6:]], *rows], ";")
    yield _case("accounting export", "116 columns", text, expect(*fields), encoding="utf-8")


def _statistics() -> Iterator[Case]:
    for name, years in (("few years", range(2015, 2021)), ("many years", range(1960, 2021))):
        make = Fields(name, 6)
        fields = [
            make.word("Country Name", COUNTRIES),
            make.word("Country Code", ("AVA", "BRY", "COR", "DEL", "EST", "FEN")),
            make.word("Indicator Name", ("Forest area (% of land area)",)),
            *(make.number(str(year), 5, 60) for year in years),
        ]
        fields[4] = without(fields[4], 1, 2)
        body = lines([[*row, ""] for row in [header(fields), *grid(fields)]], quoting=1)
        text = f'"Data Source","World Development Figures",\n\n"Last Updated Date","2023-05-10",\n\n{body}'
        yield _case("indicators by year", name, text, expect(*fields), encoding="utf-8-sig")
    make = Fields("wide keys", 6)
    fields = [
        make.word("unit,geo\\TIME_PERIOD", tuple(f"PC,{code}" for code in ("AT", "BE", "CZ", "DK", "EE", "FI"))),
        *(make.number(f"{year} ", 3, 90, 1) for year in range(2016, 2022)),
    ]
    fields[2] = without(fields[2], 0, 4)
    rows = [[row[0], *(f"{cell} " for cell in row[1:])] for row in grid(fields, Style(missing=":", places=1))]
    yield _case("joined keys", "tabs", lines([header(fields), *rows], "\t"), expect(*fields), ".tsv")
    for name, word in (("suppressed", "(D)"), ("not applicable", "X"), ("nothing", "–")):
        make = Fields(name, 18)
        column = without(make.number("employees", 10, 900), 2, 9, 13)
        fields = [make.code("fips", 5), make.word("industry", GOODS), column]
        yield _case("suppressed figures", name, table_text(fields, Style(missing=word)), expect(*fields))
    make = Fields("flags", 14)
    column = make.number("rate", 3, 90, 1)
    fields = [make.serial("year", 2005), replace(column, kinds=("number", "text"))]
    rows = [[y, f"{v} p" if i in (11, 13) else v] for i, (y, v) in enumerate(grid(fields, Style(places=1)))]
    yield _case(
        "figures with flags",
        "provisional",
        lines([header(fields), *rows]),
        expect(*fields, doubts=(("column_type", "number_format", "missing_values"),)),
    )
    make = Fields("temperatures", 30)
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "D-N", "DJF")
    fields = [make.serial("Year", 1880), *(make.number(month, 0.05, 0.9) for month in months)]
    fields[-1] = without(fields[-1], 0)
    rows = [
        [cell.removeprefix("0") if n else cell for n, cell in enumerate(row)]
        for row in grid(fields, Style(missing="***"))
    ]
    text = lines([["Land-Ocean: Global Means"], header(fields), *rows])
    yield _case("title over the table", "anomalies", text, expect(*fields))


def _sensors(seed: str) -> list[Field]:
    make = Fields(seed, 30)
    return [
        make.moments("time", 10),
        make.number("co2 ppm", 380, 460),
        make.number("temp", 3, 22),
        make.integer("status", 0, 3),
    ]


def _above() -> Iterator[Case]:
    for mark in ("#", "%", "//"):
        fields = _sensors(f"comments {mark}")
        notes = ["Station: Corvale 7", "Sensor: K30, S/N 4411, calibrated 2023-11-02", "Units: ppm, C"]
        text = "".join(f"{mark} {note}\n" for note in notes) + table_text(fields)
        yield _case("comments above", {"#": "hash", "%": "percent", "//": "slashes"}[mark], text, expect(*fields))
    fields = _sensors("names in a comment")
    text = "# logger 4\n#" + table_text(fields)
    yield _case("comments above", "names in the last", text, expect(*fields))
    for count in (1, 2, 5):
        fields = _sensors(f"title {count}")
        titles = ["Air quality at Corvale", "Values as measured, not checked", "Station 7", "Printed 3 March 2024", ""]
        text = "\n".join(titles[:count]) + "\n" + table_text(fields)
        yield _case("title over the table", f"{count} lines", text, expect(*fields))
    fields = _sensors("padded title")
    text = lines([["Air quality at Corvale", "", "", ""], ["", "", "", ""], header(fields), *grid(fields)])
    yield _case("title over the table", "padded", text, expect(*fields))
    fields = _sensors("settings")
    settings = [["Device", "L-200"], ["Interval", "10"], ["Started", "2024-02-11"], []]
    yield _case(
        "settings above", "names and values", lines([*settings, header(fields), *grid(fields)]), expect(*fields)
    )
    for count in (1, 3):
        fields = _sensors(f"blank {count}")
        yield _case("blank lines above", f"{count}", "\n" * count + table_text(fields), expect(*fields))
    fields = _sensors("numbers above")
    text = lines([["0", "1", "2", "3"], header(fields), *grid(fields)])
    yield _case("numbers above the header", "from zero", text, expect(*fields))
    fields = _sensors("letters above")
    text = lines([["A", "B", "C", "D"], header(fields), *grid(fields)])
    yield _case("numbers above the header", "letters", text, expect(*fields))
    fields = _sensors("left padding")
    text = lines([["", "", *row] for row in [header(fields), *grid(fields)]])
    yield _case("padding", "two empty columns at the left", text, expect(*fields))


def _grants(seed: str, rows: int = 14) -> list[Field]:
    make = Fields(seed, rows)
    return [
        make.word("State Name", tuple(f"State of {word}" for word in GOODS)),
        make.integer("Students", 10, 900),
        make.number("TOTAL", 100, 9000),
    ]


def _below() -> Iterator[Case]:
    notes = {
        "one note": ["NOTE: One person may receive more than one grant."],
        "two notes": ["Note: figures are rounded.", "The totals should not be added up."],
        "source": ["", "Source: Office of Grants, yearly report 2010"],
        "stars": ["* preliminary", "** estimated by the states themselves"],
        "printed": ["", "", "Printed on 2011-03-04 by E. Falk", "Page 1 of 1"],
        "end mark": ["-- end of file --"],
        "count": ["(14 rows)"],
    }
    for name, below in notes.items():
        fields = _grants(name)
        text = table_text(fields, Style(group=",")) + "".join(f"{note}\n" for note in below)
        yield _case("notes below", name, text, expect(*fields, doubts=(LEFT_OUT,)))
        if name in ("one note", "source"):
            text = table_text(fields, Style(group=",")) + "".join(f'"{note}",,\n' for note in below)
            yield _case("notes below", f"{name} padded", text, expect(*fields, doubts=(LEFT_OUT,)))


def _with_total(fields: Sequence[Field], word: str) -> list[str]:
    return [word, *(Style().write(sum(v for v in f.values if isinstance(v, int | float))) for f in fields[1:])]


def _totals() -> Iterator[Case]:
    for word in ("Total", "TOTAL", "Grand total", "Summe", "Gesamt", "All states", "Sum", "Razem"):
        fields = _grants(word)
        text = lines([header(fields), *grid(fields), _with_total(fields, word)])
        yield _case("total row", word, text, expect(*fields, doubts=(("total_rows", "members"),)))
    fields = _grants("first")
    text = lines([header(fields), _with_total(fields, "All"), *grid(fields)])
    yield _case("total row", "at the top", text, expect(*fields, doubts=(("total_rows", "members"),)))
    fields = _grants("subtotals", 12)
    rows: list[list[str]] = []
    for start in range(0, 12, 4):
        part = [replace(field, values=field.values[start : start + 4]) for field in fields]
        rows += [*grid(part), _with_total(part, "Subtotal")]
    text = lines([header(fields), *rows, _with_total(fields, "Total")])
    yield _case("total row", "with subtotals", text, expect(*fields, doubts=(("total_rows", "members"),)))
    for whole, parts in (
        ("World", COUNTRIES),
        ("EU27", ("AT", "BE", "CZ", "DK", "EE", "FI")),
        ("Both sexes", ("Male", "Female")),
    ):
        make = Fields(whole, len(parts))
        years = range(2018, 2022)
        names: list[str] = []
        figures: list[int] = []
        for year in years:
            members = [v for v in make.integer(str(year), 100, 900).values if isinstance(v, int)]
            names += [*parts, whole]
            figures += [*members, sum(members)]
        fields = [
            Field(name="group", kinds=("text",), values=tuple(names)),
            Field(name="year", kinds=("integer",), values=tuple(y for y in years for _ in range(len(parts) + 1))),
            Field(name="people", kinds=("integer",), values=tuple(figures)),
        ]
        yield _case(
            "wholes beside parts", whole, table_text(fields), expect(*fields, doubts=(("members", "total_rows"),))
        )


def _between() -> Iterator[Case]:
    for every in (5, 8, 13):
        make = Fields(f"repeated {every}", 28)
        fields = [
            make.serial("Order ID", 100),
            make.word("Product", GOODS),
            make.integer("Quantity Ordered", 1, 5),
            make.number("Price Each", 2, 40),
            make.moments("Order Date"),
        ]
        body = grid(fields, Style(moment="%m/%d/%y %H:%M"))
        rows = [header(fields)]
        for number, row in enumerate(body):
            rows += [row] if number == 0 or number % every else [header(fields), row]
        yield _case("repeated header", f"every {every} rows", lines(rows), expect(*fields, doubts=(LEFT_OUT,)))
    for name, blank in (("empty lines", []), ("delimiters alone", ["", "", ""])):
        fields = _grants(name)
        rows = [
            header(fields),
            *(line for n, row in enumerate(grid(fields)) for line in ([row, blank] if n % 4 == 3 else [row])),
        ]
        yield _case("blank rows between", name, lines(rows), expect(*fields))
    make = Fields("groups once", 12)
    groups = tuple(("North", "South", "East")[number // 4] for number in range(12))
    fields = [Field(name="region", kinds=("text",), values=groups), make.word("town"), make.integer("sales", 10, 900)]
    rows = [[row[0] if number % 4 == 0 else "", *row[1:]] for number, row in enumerate(grid(fields))]
    others = (tuple(group if number % 4 == 0 else None for number, group in enumerate(groups)),)
    expected = expect(replace(fields[0], others=others), *fields[1:], doubts=(("layout", "missing_values"),))
    yield _case("group named once", "regions", lines([header(fields), *rows]), expected)


def _headers() -> Iterator[Case]:
    make = Fields("units", 16)
    for name, units in (("plain", ["", "kg", "cm"]), ("brackets", ["[-]", "[kg]", "[cm]"])):
        fields = [
            make.word("animal", GOODS),
            rename(make.number("weight", 3, 60), "weight", f"weight {units[1]}"),
            rename(make.number("height", 20, 90), "height", f"height {units[2]}"),
        ]
        fields[0] = rename(fields[0], "animal", f"animal {units[0]}")
        yield _case("units below the header", name, lines([header(fields), units, *grid(fields)]), expect(*fields))
    make = Fields("groups", 12)
    for name, top in (("spread", ["", "2019", "", "2020", ""]), ("repeated", ["", "2019", "2019", "2020", "2020"])):
        fields = [
            rename(make.word("town"), "town"),
            *(
                rename(make.integer("", 10, 900), f"{year} {word}")
                for year in (2019, 2020)
                for word in ("sold", "left")
            ),
        ]
        text = lines([top, ["town", "sold", "left", "sold", "left"], *grid(fields)])
        yield _case("header of two rows", name, text, expect(*fields))
    question = "Which of these do you own?"
    fields = [
        rename(make.serial(""), "RespondentID", "RespondentID Response"),
        *(rename(make.word("", ("Yes", "No", "Maybe")), f"{question} {thing}") for thing in ("Lamp", "Desk", "Clock")),
    ]
    text = lines([["RespondentID", question, "", ""], ["", "Lamp", "Desk", "Clock"], *grid(fields)])
    yield _case("header of two rows", "survey", text, expect(*fields))
    make = Fields("no header", 20)
    fields = [make.days("1"), make.word("2", PEOPLE), make.number("3")]
    yield _case("no header", "typed", lines(grid(fields)), expect(*fields, has_header=False, doubts=("header",)))
    fields = [make.number("1"), make.number("2"), make.integer("3")]
    yield _case("no header", "numbers", lines(grid(fields)), expect(*fields, has_header=False, doubts=("header",)))
    fields = [make.word("1", PEOPLE), make.integer("2"), make.word("3", GOODS)]
    yield _case(
        "no header", "names and counts", lines(grid(fields), ";"), expect(*fields, has_header=False, doubts=("header",))
    )
    make = Fields("years above", 9)
    fields = [make.word("City", GOODS), *(make.number(str(year), 3, 90) for year in (1985, 1993, 2010))]
    yield _case("numbers as names", "years", table_text(fields), expect(*fields))
    fields = [make.number(str(number), 3, 90) for number in (1985, 1993, 2010)]
    yield _case("numbers as names", "years alone", table_text(fields), expect(*fields, doubts=("header",)))


def _several() -> Iterator[Case]:
    for gap in (1, 2):
        make, other = Fields(f"first {gap}", 8), Fields(f"second {gap}", 6)
        first = [make.word("town"), make.integer("sales", 10, 900)]
        second = [other.word("goods", GOODS), other.number("price", 2, 40), other.integer("stock")]
        text = table_text(first) + "\n" * gap + table_text(second)
        expected = Expected(tables=(expect_table(first), expect_table(second)), doubts=kinds_of(("layout",)))
        yield _case("tables below each other", f"{gap} blank lines", text, expected)
        text = "Sales\n" + table_text(first) + "\n" * gap + "Prices\n" + table_text(second)
        yield _case("tables below each other", f"{gap} blank lines, titles", text, expected)
    make = Fields("beside", 9)
    first = [make.word("Town"), make.integer("Sales", 10, 900)]
    second = [make.word("Goods", GOODS), make.number("Price", 2, 40)]
    rows = [[*a, "", *b] for a, b in zip([header(first), *grid(first)], [header(second), *grid(second)], strict=True)]
    expected = Expected(tables=(expect_table(first), expect_table(second)), doubts=kinds_of(("layout",)))
    yield _case("tables side by side", "other names", lines(rows), expected)
    second = [make.word("Town"), make.integer("Sales", 10, 900)]
    rows = [[*a, "", *b] for a, b in zip([header(first), *grid(first)], [header(second), *grid(second)], strict=True)]
    expected = Expected(tables=(expect_table(first), expect_table(second)), doubts=kinds_of(("layout",)))
    yield _case("tables side by side", "the same names", lines(rows), expected)
    make = Fields("event log", 18)
    fields = [make.days("day", date(2024, 1, 30), 1), make.word("event", ("start", "stop")), make.integer("code")]
    yield _case(
        "padding",
        "an empty column between",
        lines([[a, "", b, c] for a, b, c in [header(fields), *grid(fields)]]),
        expect(*fields),
    )
