"""How a text is cut into cells, and where its table is, in the shapes that published files have."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assistant.sources.reading.layouts import Layout, Sample, layout_of
from assistant.sources.reading.text_tables import layout_doubts, select_sql


def read(text: str, *, is_table: bool = True) -> Layout:
    layout = layout_of(Sample(head=text), is_table=is_table)
    assert layout is not None
    return layout


BANK = (
    'Kontonummer:;"DE00 1234";\nZeitraum:;"01.01.2026, 31.01.2026";\nSaldo:;1.234,50;EUR\n\n'
    "Tag;Empfänger;Betrag;Währung\n02.01.2026;Laden 1;-12,50;EUR\n03.01.2026;Laden 2;-8,00;EUR\n"
    "05.01.2026;Lohn;2.000,00;EUR\n07.01.2026;Laden 3;-3,25;EUR\n"
)


@pytest.mark.parametrize(
    ("text", "cut", "names", "first", "footer"),
    [
        ("a,b\nx,1\ny,2\n", "delimiter", ("a", "b"), 1, 0),
        (BANK, "delimiter", ("Tag", "Empfänger", "Betrag", "Währung"), 5, 0),
        ("when~what~cost\n1~tea, black~2\n2~bread, rye~3\n", "delimiter", ("when", "what", "cost"), 1, 0),
        ("No  Day  Level\n1   4    12.5\n2   5    13.25\n3   6    11.0\n", "wide blanks", ("No", "Day", "Level"), 1, 0),
        ("07FIELD   TOM   120\n08GRANT   SUE   240\n09HOLT    AMY   360\n", "fixed", ("column_1",), 0, 0),
        ("Marsh End\nOldbury, Upper\nTarn, Lower, East\nFell\n", "lines", ("column_1",), 0, 0),
        ("0,1,2\n,north,south\nMay,4,5\nJune,6,7\n", "delimiter", ("column_1", "north", "south"), 2, 0),
        ("shop,sold\nA,4\nB,5\nC,6\n\nSource: till rolls\nC from estimates.\n", "delimiter", ("shop", "sold"), 1, 2),
        ("2023,2024\n", "delimiter", ("column_1", "column_2"), 0, 0),
        ("city,2022,2023\nUlm,5,6\nBonn,7,8\n", "delimiter", ("city", "2022", "2023"), 1, 0),
        ("port,1981,1994,2009\nOban,5.5,6.1,7.2\nWick,7.1,8.3,2.2\n", "delimiter", ("port", "1981"), 1, 0),
        ("opened,moved,closed\n1961,1974,1999\n1950,1981,1990\n", "delimiter", ("opened", "moved"), 1, 0),
        ("# depth, in m\nbuoy,depth,salt\nA,5.5,31\nB,7.25,33\n", "delimiter", ("buoy", "depth", "salt"), 2, 0),
        ("As seen, uncorrected\nbuoy,depth,salt\nA,5.5,31\nB,7.25,33\n", "delimiter", ("buoy", "depth"), 2, 0),
        ("% tides\n%\n1  4.5  7\n2  5.5  8\n3  6.5  9\n4  7.5  1\n", "wide blanks", ("column_1", "column_2"), 2, 0),
        ("# buoys\n# mass depth\n1.5 4.5\n2.5 5.5\n3.5 6.5\n", "blanks", ("mass", "depth"), 2, 0),
        ("ship,mass,beam\n[-],[t],[m]\nAva,5,3\nBo,6,4\n", "delimiter", ("ship [-]", "mass [t]", "beam [m]"), 2, 0),
        (",2021,,2022,\nport,in,out,in,out\nA,1,2,3,4\nB,5,6,7,8\n", "delimiter", ("port", "2021 in"), 2, 0),
        (";Q1;Q1;Q2;Q2\nport;in;out;in;out\nA;1;2;3;4\nB;5;6;7;8\n", "delimiter", ("port", "Q1 in", "Q1 out"), 2, 0),
        ("port,calls,tons\nOban,5,3\nWick,6,4\nAyr,7,9\n<end>\n", "delimiter", ("port", "calls", "tons"), 1, 1),
        ("port,calls,tons\nOban,5,3\nWick,6,4\nAyr,7,9\n2) by hand,,\n", "delimiter", ("port", "calls"), 1, 1),
        ("day;who;sum\n2024-01-02;A;5\n2024-01-03;B;6\n;;\nBalance;;11\n", "delimiter", ("day", "who", "sum"), 1, 1),
    ],
)
def test_a_text_is_read_as_its_author_meant(
    text: str, cut: str, names: tuple[str, ...], first: int, footer: int
) -> None:
    layout = read(text, is_table=cut != "lines")
    assert (layout.cut, layout.names[: len(names)], layout.first) == (cut, names, first)
    assert len(layout.footer) == footer


@pytest.mark.parametrize(
    "text",
    [
        " port | calls \n------+-------\n Oban |     5 \n Wick |     6 \n Ayr  |     7 \n(3 rows)\n",
        "| port | calls |\n|:-----|------:|\n| Oban | 5 |\n| Wick | 6 |\n| Ayr | 7 |\n",
        "+------+---+\n| port | calls |\n+------+---+\n| Oban | 5 |\n| Wick | 6 |\n| Ayr | 7 |\n+------+---+\n",
        "port  calls\n====  =====\nOban      5\nWick      6\nAyr       7\n",
    ],
)
def test_lines_that_are_drawn_around_a_table_are_no_rows(text: str) -> None:
    layout = read(text)
    assert layout.names == ("port", "calls")
    with duckdb.connect() as con:
        lines = text.splitlines()[layout.first :]
        cells = [(line, *line.split("|")) for line in lines]
        width = max(map(len, cells))
        names = ", ".join(["line", *(f"c{n}" for n in range(1, width))])
        con.execute(f"CREATE TABLE raw ({', '.join(f'{name} VARCHAR' for name in names.split(', '))})")
        con.executemany(
            f"INSERT INTO raw VALUES ({', '.join('?' * width)})",
            [(*row, *[None] * (width - len(row))) for row in cells],
        )
        rows = con.execute(select_sql(layout).replace("$raw", "raw")).fetchall()
    assert [tuple(map(str.strip, row)) for row in rows] == [("Oban", "5"), ("Wick", "6"), ("Ayr", "7")]


def test_names_that_are_said_again_are_marked_by_their_first_cells() -> None:
    page = "order,item,pieces\n1,lamp,2\n2,desk,1\n3,lamp,4\n"
    layout = read(page * 3)
    assert layout.repeats == 2
    assert layout.marks == ((0, "order"), (1, "item"), (2, "pieces"))


def test_two_names_that_are_equal_are_told_apart_and_said() -> None:
    layout = read("shop,price,Price\nA,1,2\nB,3,4\n")
    assert layout.names == ("shop", "price", "Price_2")
    assert layout.doubled == ("price", "Price")


def test_a_second_table_below_is_not_part_of_the_first() -> None:
    layout = read("town,people\nUlm,12\nBonn,33\nKiel,25\n\nriver,length\nDonau,99\nRhein,88\nElbe,77\n")
    (further,) = layout.further
    assert (layout.names, layout.first, layout.rows) == (("town", "people"), 1, 3)
    assert (further.names, further.first, further.rows) == (("river", "length"), 6, 3)


def test_what_a_person_says_is_not_guessed() -> None:
    text = "a,b\nx,1\ny,2\nz,3\n"
    told = layout_of(Sample(head=text), header=False)
    assert told is not None
    assert (told.names, told.first) == (("column_1", "column_2"), 0)
    told = layout_of(Sample(head=text), skip=2, header=True)
    assert told is not None
    assert (told.names, told.first) == (("y", "2"), 3)
    told = layout_of(Sample(head="a;b,c\n1;2,5\n"), delimiter=",")
    assert told is not None
    assert told.names == ("a;b", "c")


def test_the_tail_of_a_long_text_shows_what_stands_below_its_table() -> None:
    rows = "".join(f"{n},{n * 2}\n" for n in range(200))
    layout = layout_of(Sample(head=f"n,twice\n{rows}", middle=rows, tail=f"{rows}Source: office\n", is_whole=False))
    assert layout is not None
    assert (layout.names, layout.footer) == (("n", "twice"), (("Source: office",),))


_WORDS = st.text(alphabet="abcdefghijklmnop", min_size=3, max_size=8)
_TABLES = st.tuples(
    st.lists(_WORDS, min_size=3, max_size=3, unique=True),
    st.lists(
        st.tuples(_WORDS, st.integers(0, 9_999), st.dates()), min_size=4, max_size=12, unique_by=lambda row: row[0]
    ),
)


def written(names: Sequence[str], rows: Sequence[Sequence[object]], delimiter: str) -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue()


@given(_TABLES, st.sampled_from(",;\t|"), st.permutations([0, 1, 2]), st.booleans())
def test_delimiter_order_of_columns_and_a_preamble_change_nothing(
    table: tuple[list[str], list[tuple[str, int, object]]], delimiter: str, order: list[int], preamble: bool
) -> None:
    names, rows = table
    assume(not {"nil", "none"} & {row[0] for row in rows})
    shuffled = [names[n] for n in order]
    text = written(shuffled, [[row[n] for n in order] for row in rows], delimiter)
    layout = read(("A report on all of it\n\n" if preamble else "") + text)
    assert (layout.cut, layout.delimiter, layout.names) == ("delimiter", delimiter, tuple(shuffled))
    assert layout.first == (3 if preamble else 1)
    assert (layout.footer, layout.repeats, layout.dropped) == ((), 0, 0)


def doubts_of(text: str) -> list[str]:
    return [doubt.kind for doubt in layout_doubts(read(text), "t")]


def test_what_may_be_two_tables_or_belong_to_the_label_above_is_doubted() -> None:
    assert doubts_of("port,calls,,crew,age\nOban,5,,Ann,31\nWick,6,,Bob,44\nAyr,7,,Cyd,29\n") == ["layout"]
    assert doubts_of("port,calls,,tons,age\nOban,5,,3,31\nWick,6,,4,44\nAyr,7,,9,29\n") == []
    assert doubts_of("land,port,calls\nA,Oban,5\n,Wick,6\nB,Ayr,7\n,Lerwick,9\n") == ["missing_values"]
    assert doubts_of("note,port,calls\n,Oban,5\n,Wick,6\nB,Ayr,7\n,Lerwick,9\n") == []
    assert doubts_of("1985,1993,2010\n3.5,6.25,7.5\n4.5,8.25,1.5\n2.5,2.25,9.5\n") == ["header"]
