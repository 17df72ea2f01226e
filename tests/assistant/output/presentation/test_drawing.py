"""Each kind of chart is right on its own: sorted, labelled, from all rows, and it says what it leaves out."""

from __future__ import annotations

import itertools
import json
import math
import random
from dataclasses import replace
from typing import Any, get_args

import pytest
import vl_convert
from given_table import EUR, shaped
from hypothesis import given as all_of
from hypothesis import strategies as st

from assistant.cells.charts import why_unsafe
from assistant.core.events import Appearance, ChartKind
from assistant.output.presentation.drawing import Chart, draw, kinds_for
from assistant.output.presentation.shaping import Shaped

KINDS: tuple[ChartKind, ...] = get_args(ChartKind)
REGIONS = shaped("region revenue", [("North", 300.0), ("South", 100.0), ("East", 600.0)], revenue=EUR)
MONTHS = [f"2025-{n:02d}-01" for n in range(1, 7)]
BY_MONTH = shaped(
    "month region revenue", [(m, r, float(n + 1)) for n, m in enumerate(MONTHS) for r in ("N", "S")], revenue=EUR
)


def numbers(count: int, *extra: float) -> Shaped:
    chance = random.Random(1)
    rows = [(n, chance.gauss(100, 10)) for n in range(count)] + [(count + n, x) for n, x in enumerate(extra)]
    return shaped("order_id amount", rows)


def drawn(table: Shaped, *, code: str = "en", **look: Any) -> Chart:
    made = draw(table, Appearance(**look), code=code)
    assert made is not None
    return made


def values(chart: Chart) -> list[dict[str, Any]]:
    return list(chart.specification["data"]["values"])


def test_the_best_kind_comes_first() -> None:
    assert kinds_for(REGIONS, Appearance()) == ("bar", "pie")
    assert kinds_for(BY_MONTH, Appearance())[0] == "line"
    assert kinds_for(numbers(200), Appearance())[:1] == ("bar",)
    assert {"stacked", "heatmap", "multiples", "area"} <= set(kinds_for(BY_MONTH, Appearance()))


def test_bars_are_sorted_by_size_and_bear_their_figures_with_the_currency() -> None:
    chart = drawn(REGIONS)
    bar, label = chart.specification["layer"]
    assert bar["encoding"]["y"]["sort"] == ["East", "North", "South"]
    assert label["encoding"]["text"]["field"] == "ty"
    assert {row["ty"] for row in values(chart)} == {"€300", "€100", "€600"}
    assert bar["encoding"]["x"]["title"] == "Revenue (EUR)"
    assert chart.specification["padding"]["right"] >= 5 + 7 * len("€600"), "the figure beside the longest bar has room"


def test_bars_keep_an_order_of_their_own_or_the_persons() -> None:
    ages = shaped("age_group customers", [("25-34", 9), ("18-24", 2), ("35-44", 5)])
    assert drawn(ages).specification["layer"][0]["encoding"]["y"]["sort"] == ["18-24", "25-34", "35-44"]
    days = shaped("weekday_name orders", [("Wednesday", 9), ("Monday", 2), ("Friday", 5)])
    assert drawn(days).specification["layer"][0]["encoding"]["y"]["sort"][0] == "Monday"
    for code, names in (("de-DE", ("Mittwoch", "Montag")), ("fr", ("mer.", "lun.")), ("de", ("Wed", "Mon"))):
        told = shaped("weekday orders", [(names[0], 9), (names[1], 2)])
        assert drawn(told, code=code).specification["layer"][0]["encoding"]["y"]["sort"][0] == names[1]
    named = draw(
        shaped("region revenue", REGIONS.rows, Appearance(sort="region"), revenue=EUR), Appearance(sort="region")
    )
    assert named is not None
    assert named.specification["layer"][0]["encoding"]["y"]["sort"] == ["East", "North", "South"]


def test_very_many_bars_are_cut_and_it_says_so() -> None:
    many = shaped("name orders", [(f"n{n:03d}x", n + 1) for n in range(100)])
    chart = drawn(many, chart="bar")
    assert len(values(chart)) == 40
    assert any("40 of 100" in note for note in chart.notes)


def test_a_pie_has_wedges_and_names_in_one_order_with_shares() -> None:
    chart = drawn(REGIONS, chart="pie")
    arc, *names = chart.specification["layer"]
    order = ["East", "North", "South"]
    assert arc["encoding"]["color"]["sort"] == order == [row["tx"] for row in values(chart)]
    assert [row["rank"] for row in values(chart)] == [0, 1, 2]
    assert arc["encoding"]["order"]["field"] == "rank"
    assert [row["middle"] for row in values(chart)] == [300.0, 750.0, 950.0], "the middle of each wedge"
    assert all(name["encoding"]["theta"]["field"] == "middle" for name in names)
    assert {row["align"] for row in values(chart)} <= {name["mark"]["align"] for name in names}
    assert [row["name"] for row in values(chart)] == ["East  60.0%", "North  30.0%", "South  10.0%"]


def test_the_names_of_small_wedges_stand_a_line_apart_and_outside() -> None:
    table = shaped("name revenue", [("a", 900.0), ("b", 60.0), ("c", 20.0), ("d", 10.0), ("e", 6.0), ("f", 4.0)])
    rows = values(drawn(table, chart="pie"))
    assert min(row["radius"] for row in rows) > 110
    heights = [row["radius"] * math.cos(2 * math.pi * row["middle"] / 1000) for row in rows[1:]]
    assert all(after - before >= 13 for before, after in itertools.pairwise(heights)), heights


@pytest.mark.parametrize(
    "table",
    [
        shaped("name revenue", [(f"n{n}", 1.0) for n in range(41)], revenue=EUR),
        shaped("name revenue", [("a", 5.0), ("b", -1.0)], revenue=EUR),
        shaped("name average_price", [("a", 5.0), ("b", 1.0)]),
    ],
)
def test_what_is_no_whole_is_no_pie_and_it_says_why(table: Shaped) -> None:
    assert "pie" not in kinds_for(table, Appearance())
    chart = drawn(table, chart="pie")
    assert chart.kind == "bar"
    assert "add up to a whole" in chart.notes[0]


def test_a_pie_of_many_parts_draws_the_largest_and_the_others_together() -> None:
    table = shaped("name revenue", [(f"n{n}", float(n)) for n in range(1, 21)], revenue=EUR)
    chart = drawn(table, chart="pie")
    parts = values(chart)
    assert [row["tx"] for row in parts] == ["n20", "n19", "n18", "n17", "n16", "Other"]
    assert sum(row["y"] for row in parts) == sum(range(1, 21))
    assert "5 largest of 20" in chart.notes[0]


def test_a_histogram_counts_every_row() -> None:
    chart = drawn(numbers(23_601), chart="histogram")
    assert sum(row["count"] for row in values(chart)) == 23_601
    assert chart.notes[0] == "23,601 rows are counted."
    assert 5 <= len(values(chart)) <= 45


def test_bars_of_a_histogram_stand_on_the_axis() -> None:
    chart = drawn(numbers(500), chart="histogram")
    (bars,) = vl_convert.vegalite_to_vega(chart.specification)["marks"]
    assert bars["encode"]["update"]["y2"] == {"scale": "y", "value": 0}


def test_one_outlier_does_not_make_a_histogram_a_single_bar() -> None:
    chart = drawn(numbers(1000, 5_000_000.0), chart="histogram")
    assert len(values(chart)) > 5
    assert max(row["high"] for row in values(chart)) < 1000
    assert "1 row lies far out" in chart.notes[1]
    assert "5,000,000" in chart.notes[1]


def test_boxes_of_years_stand_in_time_and_other_boxes_by_their_medians() -> None:
    rows = [(year, float(figure + n)) for year, figure in ((2017, 90), (2018, 50), (2016, 10)) for n in range(5)]
    chart = drawn(shaped("year amount", rows), chart="box", x="year")
    assert chart.specification["layer"][0]["encoding"]["y"]["sort"] == ["2016", "2017", "2018"]
    named = [(name, figure) for year, figure in rows for name in ({2017: "b", 2018: "c", 2016: "a"}[year],)]
    chart = drawn(shaped("segment amount", named), chart="box", x="segment")
    assert chart.specification["layer"][0]["encoding"]["y"]["sort"] == ["b", "c", "a"]


def test_what_is_stacked_of_many_series_is_as_high_as_all_of_them() -> None:
    rows = [(month, f"S{n:02}", float(n)) for month in MONTHS for n in range(1, 13)]
    for kind in ("stacked", "area"):
        chart = drawn(shaped("month series revenue", rows, revenue=EUR), chart=kind, colour="series")
        march = [row for row in values(chart) if row["x"].startswith("2025-03")]
        assert sum(row["y"] for row in march) == sum(range(1, 13))
        assert [row["c"] for row in sorted(march, key=lambda row: row["rank"])][-1] == "Other"
        assert chart.specification["encoding"]["color"]["sort"][-1] == "Other"
        assert "7 largest of 12" in chart.notes[0]
    shares = [(month, f"S{n:02}", float(n)) for month in MONTHS for n in range(1, 13)]
    chart = drawn(shaped("month series average_price", shares), chart="area", colour="series")
    assert "Other" not in {row["c"] for row in values(chart)}, "what does not add up is not added up"


def test_names_below_a_heat_map_stand_upright_where_they_have_room() -> None:
    def angle(names: tuple[str, ...]) -> object:
        rows = [(n, name, float(n)) for n in range(2016, 2030) for name in names]
        chart = drawn(shaped("year plant amount", rows), chart="heatmap")
        across = chart.specification["layer"][0]["encoding"]["x"]
        return across["axis"].get("labelAngle")

    assert angle(("A", "B")) is None, "fourteen years across"
    table = shaped("plant year amount", [(f"P{n}", year, n) for n in range(9) for year in (2016, 2017)])
    across = drawn(table, chart="heatmap").specification["layer"][0]["encoding"]["x"]
    assert across["axis"] == {"labelAngle": 0}


def test_a_box_plot_shows_median_and_quartiles_and_its_outliers() -> None:
    rows = [(f"o{n}", "A" if n % 2 else "B", float(n % 50)) for n in range(400)] + [("x", "A", 120.0)]
    chart = drawn(shaped("order_ref segment amount", rows), chart="box", x="segment")
    boxes = chart.specification["layer"][0]["data"]["values"]
    assert {one["name"] for one in boxes} == {"A", "B"}
    assert all(one["low"] <= one["q1"] <= one["median"] <= one["q3"] <= one["high"] for one in boxes)
    assert chart.kind == "box"
    along = [layer["encoding"]["x"] for layer in chart.specification["layer"] if "x" in layer["encoding"]]
    assert {one["axis"]["tickCount"] for one in along} == {6}, "the figures below stand apart"


def test_a_scatter_survives_texts_among_figures_and_says_what_it_leaves_out() -> None:
    rows: list[tuple[object, ...]] = [(f"n{n}", float(n), n * 2) for n in range(60)]
    rows += [("odd", "n/a", 4), ("none", None, 5)]
    chart = drawn(shaped("name weight height", rows), chart="scatter")
    assert len(values(chart)) == 60
    assert any("2 rows without both figures" in note for note in chart.notes)


def test_a_scatter_of_very_many_draws_a_sample_and_says_so() -> None:
    rows = [(f"n{n}", float(n), float(n % 7)) for n in range(5000)]
    chart = drawn(shaped("name weight height", rows), chart="scatter")
    assert len(values(chart)) == 2000
    assert any("random sample of 2,000 of 5,000" in note for note in chart.notes)


def test_a_heat_map_has_a_field_for_each_pair_and_time_in_its_order() -> None:
    chart = drawn(BY_MONTH, chart="heatmap")
    fields, words = chart.specification["layer"]
    assert len(values(chart)) == 12
    assert fields["encoding"]["x"]["sort"][0].startswith("Jan")
    assert words["encoding"]["text"]["field"] == "ty"


def test_many_series_are_cut_to_the_largest_and_it_says_so() -> None:
    rows = [(m, f"s{n:02d}", float(n)) for m in MONTHS for n in range(12)]
    chart = drawn(shaped("month series revenue", rows, revenue=EUR), chart="line")
    assert {row["c"] for row in values(chart)} == {f"s{n:02d}" for n in range(4, 12)}
    assert any("8 largest of 12" in note for note in chart.notes)


def test_a_log_scale_is_used_where_it_can_be() -> None:
    table = shaped("region revenue", [("N", 10.0), ("S", 1_000_000.0), ("E", 20.0)], revenue=EUR)
    assert drawn(table).can_be_log
    assert any("logarithmic" in note for note in drawn(table).notes)
    assert drawn(table, log=True).specification["encoding"]["x"]["scale"] == {"type": "log"}
    negative = shaped("region revenue", [("N", -10.0), ("S", 1_000_000.0)], revenue=EUR)
    assert "log" not in json.dumps(drawn(negative, log=True).specification)


def test_a_single_row_or_no_figure_is_not_drawn() -> None:
    assert draw(shaped("revenue", [(5.0,)]), Appearance()) is None
    assert draw(shaped("a b", [("x", "y"), ("z", "w")]), Appearance()) is None
    assert draw(REGIONS, Appearance(chart="none")) is None


@pytest.mark.parametrize("figure", [8.98846567431158e307, 1.3407807929942206e154, 10**306])
@pytest.mark.parametrize("log", [True, False])
def test_figures_beyond_arithmetic_are_not_drawn(figure: float, log: bool) -> None:
    rows = [("a", None)] * 11 + [("a", figure)]
    assert draw(shaped("name amount", rows), Appearance(chart="bar", log=log)) is None


@all_of(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "", "2025-01-01", None, "=1+1"]),
            st.one_of(st.none(), st.floats(allow_nan=True, allow_infinity=True), st.text(max_size=4), st.integers()),
            st.one_of(st.none(), st.integers(-5, 5), st.booleans()),
        ),
        max_size=25,
    ),
    st.sampled_from(KINDS),
    st.booleans(),
)
def test_any_rows_give_a_safe_chart_or_none(rows: list[tuple[object, ...]], kind: ChartKind, log: bool) -> None:
    made = draw(shaped("name amount flag", rows), Appearance(chart=kind, log=log))
    if made is not None:
        json.dumps(made.specification, allow_nan=False)
        assert why_unsafe(made.specification) is None


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "none"])
def test_vega_draws_every_kind(kind: ChartKind) -> None:
    vl_convert = pytest.importorskip("vl_convert")
    rows = [(m, r, f"o{n}{r}", float(n + 1), float(n * n)) for n, m in enumerate(MONTHS) for r in ("N", "S")]
    table = {
        "pie": REGIONS,
        "histogram": numbers(50),
        "box": numbers(50),
        "map": shaped("country revenue", [("DE", 1.0), ("Malta", 2.0), ("Japan", 3.0)], revenue=EUR),
    }.get(kind, shaped("month region name revenue orders", rows, revenue=EUR))
    chart = drawn(table, chart=kind)
    assert chart.kind == kind
    assert "<svg" in vl_convert.vegalite_to_svg(chart.specification)


def test_every_bar_has_its_name_and_nought_bears_no_prefix_of_thousands() -> None:
    vl_convert = pytest.importorskip("vl_convert")
    table = shaped("region revenue", [("Consumer", 300_000.0), ("Corporate", 180_000.0), ("Home", 90_000.0)])
    narrow = {**drawn(table, chart="bar").specification, "width": 300, "autosize": {"type": "fit"}}
    picture = vl_convert.vegalite_to_svg({**narrow, "config": {"axis": {"labelOverlap": True}}})
    assert [name for name in ("Consumer", "Corporate", "Home") if f">{name}<" in picture] == [
        "Consumer",
        "Corporate",
        "Home",
    ]
    assert ">0<" in picture
    assert ">0k<" not in picture


TWO_YEARS = shaped(
    "region net_revenue_2024 net_revenue_2025 change",
    [("North", 300.0, 330.0, 0.1), ("South", 100.0, 90.0, -0.1), ("East", 500.0, 600.0, 0.2)],
    net_revenue_2024=EUR,
    net_revenue_2025=EUR,
)


@pytest.mark.parametrize("kind", ["bar", "heatmap", "multiples"])
def test_figures_of_one_kind_are_drawn_side_by_side(kind: ChartKind) -> None:
    chart = drawn(TWO_YEARS, chart=kind)
    assert chart.kind == kind
    assert {(row["tx"], row["c"], row["y"]) for row in values(chart)} == {
        (region, name, figure)
        for region, *figures, _change in TWO_YEARS.rows
        for name, figure in zip(("Net revenue 2024", "Net revenue 2025"), figures, strict=True)
    }
    assert "Net revenue 2024, Net revenue 2025 by Region" in chart.alt


def test_what_belongs_together_keeps_the_order_of_its_columns_and_its_unit() -> None:
    encoding = drawn(TWO_YEARS).specification["encoding"]
    assert encoding["color"]["sort"] == ["Net revenue 2024", "Net revenue 2025"]
    assert encoding["x"]["title"] == "Net revenue (EUR)"
    said = replace(
        TWO_YEARS, columns=tuple(replace(c, label=c.label.replace(" 2", " in 2")) for c in TWO_YEARS.columns)
    )
    assert drawn(said).specification["encoding"]["x"]["title"] == "Net revenue (EUR)"


@pytest.mark.parametrize(
    "table",
    [
        shaped("country area population", [("a", 5.0, 7.0), ("b", 6.0, 9.0)]),
        shaped("city revenue_2024 revenue_2025", [("a", 5.0, 7e6), ("b", 6.0, 9e6)]),
        shaped("city revenue change_of_revenue", [("a", 5.0, 7.0), ("b", 6.0, 9.0)]),
    ],
)
def test_figures_of_different_kinds_or_sizes_are_not_drawn_side_by_side(table: Shaped) -> None:
    assert not any("c" in row for row in values(drawn(table)))


def test_one_figure_is_drawn_alone_where_the_person_or_the_kind_says_so() -> None:
    assert {row["y"] for row in values(drawn(TWO_YEARS, y="net_revenue_2025"))} == {330.0, 90.0, 600.0}
    assert "pie" in kinds_for(TWO_YEARS, Appearance())
    assert not any("c" in row for row in values(drawn(TWO_YEARS, chart="pie")))


def test_bars_stand_where_the_person_wants_it_and_bear_their_figures() -> None:
    standing = drawn(REGIONS, upright=True, figures=True).specification
    bar, text = standing["layer"]
    assert (bar["encoding"]["x"]["field"], bar["encoding"]["y"]["field"]) == ("tx", "y")
    assert text["encoding"]["text"]["field"] == "ty"
    lying = drawn(BY_MONTH, chart="bar", upright=False).specification
    assert lying["encoding"]["y"]["sort"][0] == "Jan 2025"
    assert "layer" not in drawn(REGIONS, figures=False).specification


def test_colour_grid_title_and_what_stands_out() -> None:
    chart = drawn(REGIONS, hue="red", grid=False, title="By region", highlight="north")
    bar = chart.specification["layer"][0]
    assert bar["mark"]["color"].startswith("#")
    assert chart.specification["config"]["axis"] == {"grid": False}
    assert chart.specification["title"]["text"] == "By region"
    assert bar["encoding"]["opacity"]["condition"]["test"] == "lower(datum['tx']) === \"north\""
    assert any("West" in note for note in drawn(REGIONS, highlight="West").notes)
    assert any("series" in note for note in drawn(BY_MONTH, hue="red").notes)


def test_a_name_that_stands_out_is_only_ever_a_text(tmp_path_factory: pytest.TempPathFactory) -> None:
    hostile = '"; alert(1) //'
    chart = drawn(shaped("region revenue", [(hostile, 3.0), ("b", 4.0)]), highlight=hostile)
    test = chart.specification["layer"][0]["encoding"]["opacity"]["condition"]["test"]
    assert test == "lower(datum['tx']) === " + json.dumps(hostile)
    vl_convert.vegalite_to_svg(json.dumps(chart.specification), vl_version="6.1")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("table", [REGIONS, BY_MONTH, TWO_YEARS, numbers(40)], ids=["few", "months", "two", "many"])
def test_every_kind_takes_every_wish(kind: ChartKind, table: Shaped) -> None:
    wishes = {"upright": True, "figures": True, "grid": False, "hue": "teal", "highlight": "north", "title": "T"}
    if (chart := draw(table, Appearance(chart=kind, **wishes))) is not None:  # type: ignore[arg-type]
        assert vl_convert.vegalite_to_svg(json.dumps(chart.specification), vl_version="6.1").startswith("<svg")
