"""What the values of tables give reason to doubt: marks for "no value", sums beside their parts, equal names, repeats."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event

import duckdb
import pytest

from assistant.core.catalog import Catalog
from assistant.core.doubts import Doubt
from assistant.query.masks import exclude_masked_values
from assistant.sources.catalog.corrections import corrected
from assistant.sources.catalog.doubts import list_doubts, list_notes
from assistant.sources.catalog.members import members_among
from assistant.sources.catalog.sentinels import sentinels_among
from assistant.sources.engines.duckdb_catalog import read_catalog
from assistant.sources.engines.sqlite_catalog import read_catalog as read_sqlite_catalog

STATION = "CREATE TABLE station (day integer, co double precision, gas double precision)"
PARTS = {"Chad": 1000.0, "Peru": 2500.0, "Laos": 500.0, "Mali": 4700.0}


class Unread:
    """A source in whose loading nothing was chosen."""

    doubts: tuple[Doubt, ...] = ()
    notes: tuple[str, ...] = ()


def listed(catalog: Catalog) -> tuple[Doubt, ...]:
    return list_doubts(Unread(), catalog)  # type: ignore[arg-type]  # of a source only these two are read


def station_rows() -> list[tuple[int, float, float]]:
    """Forty days: one sensor fails on four of them and writes -200, the other has one outlier."""
    return [(day, -200 if day % 10 == 0 else 1 + day / 10, 900.0 if day == 7 else 20 + day) for day in range(40)]


@pytest.fixture
def catalog() -> Catalog:
    with duckdb.connect() as con:
        con.execute(STATION)
        con.executemany("INSERT INTO station VALUES (?, ?, ?)", station_rows())
        return read_catalog(con, source="s")


def test_a_number_that_repeats_far_from_all_others_is_doubted_and_an_outlier_is_not(catalog: Catalog) -> None:
    (doubt,) = listed(catalog)
    assert (doubt.kind, doubt.table, doubt.columns, doubt.rows, doubt.share) == (
        "sentinels",
        "station",
        ("co",),
        4,
        0.1,
    )
    assert doubt.correction is not None
    assert doubt.correction.value == ("-200",)
    assert doubt.chosen == "-200 in 4 rows of station.co is counted as a value."


def test_sqlite_finds_the_same(tmp_path: Path, catalog: Catalog) -> None:
    with closing(sqlite3.connect(tmp_path / "s.sqlite")) as con:
        con.execute(STATION)
        con.executemany("INSERT INTO station VALUES (?, ?, ?)", station_rows())
        assert listed(read_sqlite_catalog(con, source="s", stop=Event())) == listed(catalog)


def test_a_mark_in_one_column_is_one_at_the_ends_of_its_siblings() -> None:
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE s AS SELECT range AS day, if(range IN (3, 9), -999, range * 0.5) AS a,"
            " if(range = 5, -999, range * 90) AS b, range * -3 AS c FROM range(30)"
        )
        doubts = listed(read_catalog(con, source="s"))
    assert {(doubt.columns, doubt.rows) for doubt in doubts if doubt.kind == "sentinels"} == {(("a",), 2), (("b",), 1)}


def test_a_doubt_about_a_masked_column_is_not_told(catalog: Catalog) -> None:
    assert listed(exclude_masked_values(catalog, {"station": frozenset(("co",))})) == ()


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        ([(-200, 9), (0.1, 2), (0.2, 1)], [(11.9, 1), (11.5, 2)], [-200]),
        ([(-999.99, 5), (-200, 9), (0.1, 2)], [(11.9, 1), (11.5, 2)], [-999.99, -200]),
        ([(1, 1), (2, 3)], [(9999, 4), (120, 1), (110, 1)], [9999]),
        ([(-1, 8), (3, 1)], [(999, 4), (100, 1), (98, 1)], [999]),
        ([(1, 1), (2, 3)], [(99, 4), (98, 4)], []),
        ([(1, 1), (2, 3)], [(9999, 1), (120, 1)], []),
        ([(0, 30), (1500, 1)], [(9000, 1), (8000, 1)], []),
        ([(-200, 2), (0.1, 1)], [(2.4, 1), (2.3, 1)], [-200]),
        ([(0, 1), (5, 1)], [(999, 2), (850, 1)], [999]),
        ([(0, 1), (5, 1)], [(998, 2), (850, 1)], []),
    ],
)
def test_marks_are_far_repeated_and_look_so(
    low: list[tuple[float, int]], high: list[tuple[float, int]], marks: list[float]
) -> None:
    assert [value for value, _ in sentinels_among(low, high)] == marks


def test_a_member_is_found_by_its_figures_whatever_it_is_called() -> None:
    assert members_among({**PARTS, "Planet": 8700.0}) == ("Planet",)
    assert members_among({**PARTS, "World": 8701.0}) == ("World",), (
        "published wholes are revised apart from their parts"
    )
    assert members_among({**PARTS, "Planet": 8701.0}) == members_among({**PARTS, "World": 8750.0}) == ()
    assert members_among(PARTS) == ()
    assert members_among({"a": 10, "b": 25, "c": 5, "d": 40}) == (), "small numbers add up by chance"
    assert members_among({"women": 700, "men": 800, "both": 1500}) == ("both",)
    assert members_among({"women": 7, "men": 8, "both": 15}) == members_among({"x": 700, "y": 800, "z": 1500}) == ()


def test_groups_between_the_whole_and_its_parts_are_found_where_the_parts_add_up() -> None:
    groups = {"Low income": 1500.0, "High income": 7200.0}
    assert members_among({**PARTS, **groups, "World": 8700.0}) == ("World", "High income", "Low income")
    assert members_among({**PARTS, **groups, "World": 9900.0}) == ()


def test_members_columns_of_equal_names_and_repeated_values_are_doubts_of_their_tables() -> None:
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE pop AS SELECT * FROM (VALUES ('Chad', 10), ('Peru', 25), ('Laos', 5), ('Sum', 40)) t(c, n)"
        )
        con.execute("CREATE TABLE bills (item text, amount integer, amount_2 integer)")
        con.execute("INSERT INTO bills VALUES ('a', 1, 2), ('b', 3, 4)")
        con.execute(
            "CREATE TABLE lines AS SELECT range // 3 AS order_id, range AS n, 5 + range // 3 AS fee FROM range(90)"
        )
        doubts = {doubt.table: doubt for doubt in listed(read_catalog(con, source="s"))}
    assert (doubts["pop"].kind, doubts["pop"].columns, doubts["pop"].rows) == ("members", ("c",), 1)
    assert (doubts["bills"].kind, doubts["bills"].columns) == ("equal_names", ("amount", "amount_2"))
    assert (doubts["lines"].kind, doubts["lines"].columns, doubts["lines"].rows) == ("repeated_values", ("fee",), 60)


def test_what_a_reader_and_the_tables_doubt_alike_is_said_once(catalog: Catalog) -> None:
    class Loaded:
        doubts = (
            Doubt(kind="sentinels", table="station", columns=("co",), chosen="-200 counts as a number."),
            Doubt(kind="encoding", chosen="Read as Windows-1252."),
        )
        notes = ("s.csv: -200 counts as a number.", "s.csv: Read as Windows-1252.")

    found = list_doubts(Loaded(), catalog)  # type: ignore[arg-type]  # of a source only these two are read
    assert [doubt.kind for doubt in found] == ["sentinels", "encoding"]
    assert list_notes(Loaded(), catalog) == ("s.csv: Read as Windows-1252.", found[0].sentence)  # type: ignore[arg-type]


def test_days_that_stand_for_none_and_tables_with_the_same_columns_are_doubted() -> None:
    with duckdb.connect() as con:
        days = "if(range IN (3, 9), DATE '9999-12-31', DATE '2024-01-01' + range::INTEGER) AS ended"
        con.execute(f"CREATE TABLE y2023 AS SELECT range AS n, {days} FROM range(30)")
        con.execute(
            "CREATE TABLE y2024 AS SELECT range AS n, DATE '2025-01-01' + range::INTEGER AS ended FROM range(9)"
        )
        doubts = listed(read_catalog(con, source="s"))
    assert [(d.table, d.columns, d.rows) for d in doubts if d.kind == "sentinels"] == [("y2023", ("ended",), 2)]
    assert {(d.table, d.rows) for d in doubts if d.kind == "layout"} == {("y2023", 9), ("y2024", 30)}


def shops_and_visits(con: duckdb.DuckDBPyConnection, *, orphans: int) -> Catalog:
    con.execute("CREATE TABLE shops AS SELECT range + 1 AS shop_id, 'T' || range AS town FROM range(40)")
    lost = f"if(range < {orphans}, 900 + range % 9, range % 40 + 1)"
    con.execute(f"CREATE TABLE visits AS SELECT range AS visit, {lost} AS shop_id, range AS people FROM range(400)")
    return read_catalog(con, source="s")


def test_a_key_with_a_few_orphans_is_used_and_the_rows_without_a_partner_are_said() -> None:
    with duckdb.connect() as con:
        catalog = shops_and_visits(con, orphans=3)
    (key,) = [key for table in catalog.tables for key in table.usable_keys]
    assert (key.columns, key.table, key.inferred, key.strays) == (("shop_id",), "shops", True, 3)
    (doubt,) = [doubt for doubt in listed(catalog) if doubt.kind == "inferred_key"]
    assert (doubt.table, doubt.rows) == ("visits", 3)
    assert "99.2% of 400 rows match, 3 refer to no row of shops." in doubt.chosen
    refused = corrected(catalog, {"s.visits.shop_id": "identifier"})
    assert not [key for table in refused.tables for key in table.usable_keys]
    with duckdb.connect() as con:
        assert not [key for table in shops_and_visits(con, orphans=60).tables for key in table.usable_keys]
    with duckdb.connect() as con:
        assert not [d for d in listed(shops_and_visits(con, orphans=0)) if d.kind == "inferred_key"]


def test_tables_of_the_same_columns_are_doubted_also_where_a_stray_value_makes_one_of_them_text() -> None:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE left_plot AS SELECT 1 AS plot, '43 (scale off)' AS weight")
        con.execute("CREATE TABLE right_plot AS SELECT 2 AS plot, 44 AS weight")
        con.execute("CREATE TABLE other AS SELECT 2 AS plot, 44 AS height")
        doubts = [doubt for doubt in listed(read_catalog(con, source="s")) if doubt.kind == "layout"]
    assert [doubt.chosen for doubt in doubts] == [
        "left_plot has the same columns as right_plot, with other types in weight; each is a table of its own.",
        "right_plot has the same columns as left_plot, with other types in weight; each is a table of its own.",
    ]
