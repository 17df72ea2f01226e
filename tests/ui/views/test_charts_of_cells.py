"""Charts that code drew: only safe shapes are styled, and they fill the column."""

from __future__ import annotations

import recorded

from ui.views.charts import COLOURS, style


def test_a_chart_fills_the_column_and_keeps_what_it_says() -> None:
    spec = style({**recorded.CHART, "$schema": "x", "height": 200})
    assert (spec["width"], spec["height"]) == ("container", 200)
    assert "$schema" not in spec
    assert spec["encoding"] == recorded.CHART["encoding"]


def test_names_stand_beside_their_bars_in_panels_too() -> None:
    bars = {"mark": "bar", "encoding": {"y": {"field": "name", "type": "nominal"}}}
    for spec in (bars, {"facet": {"row": {"field": "kind"}}, "spec": bars}):
        config = style(spec)["config"]
        assert config["axisBand"]["labelFlush"] is False
        assert style({**spec, "config": {"axisBand": {"grid": True}}})["config"]["axisBand"] == {"grid": True}


def test_a_legend_has_room_for_names_that_differ_at_their_end() -> None:
    line = {"mark": "line", "encoding": {"color": {"field": "period", "type": "nominal"}}}
    assert style(line)["config"]["legend"]["labelLimit"] >= 8 * len("1 January to 21 November 2026")


def test_names_are_written_level_where_they_fit() -> None:
    def bars(names: list[str]) -> dict[str, object]:
        values = [{"name": name, "total": 1} for name in names]
        return style(
            {"mark": "bar", "data": {"values": values}, "encoding": {"x": {"field": "name", "type": "nominal"}}}
        )

    assert "axisX" in bars(["North", "South"])["config"]
    assert "axisX" not in bars([f"a rather long name {n}" for n in range(30)])["config"]


def test_months_are_ticked_as_months() -> None:
    def line(days: list[str]) -> dict[str, object]:
        values = [{"day": day, "total": 1} for day in days]
        return style(
            {"mark": "line", "data": {"values": values}, "encoding": {"x": {"field": "day", "type": "temporal"}}}
        )["config"]

    months = line([f"2026-{month:02d}-01T00:00:00" for month in range(1, 7)])["axisTemporal"]
    assert months["tickCount"] == {"interval": "month", "step": 1}
    years = [f"{year}-{month:02d}-01" for year in range(2015, 2025) for month in range(1, 13)]
    assert line(years)["axisTemporal"]["tickCount"]["step"] == 12
    assert "axisTemporal" not in line(["2026-01-01", "2026-01-02"])
    assert "axisTemporal" not in line([])


def test_colours_by_name_can_be_told_from_both_backgrounds() -> None:
    spec = {"layer": [{"mark": {"type": "line", "color": "firebrick"}}], "data": {"values": [{"color": "firebrick"}]}}
    drawn = style(spec)
    assert drawn["layer"][0]["mark"]["color"] in COLOURS.values()
    assert drawn["data"] == spec["data"]
    for colour in COLOURS.values():
        assert min(contrast(colour, "#FFFFFF"), contrast(colour, "#121615")) >= 3, colour


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 has it."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


def test_an_axis_has_no_decimals_that_say_nothing_and_a_tooltip_keeps_them() -> None:
    y = {"field": "n", "type": "quantitative", "axis": {"format": ",.1f"}}
    drawn = style({"mark": "bar", "encoding": {"y": y, "tooltip": [{"field": "n", "format": ",.1f"}]}})
    assert drawn["encoding"]["y"]["axis"]["format"] == ",.1~f"
    assert drawn["encoding"]["tooltip"][0]["format"] == ",.1f"


def test_a_bar_without_a_name_is_labelled_in_words() -> None:
    spec = style({"mark": "bar", "encoding": {"y": {"field": "course", "type": "nominal"}}})
    assert "(none)" in spec["config"]["axisBand"]["labelExpr"]
