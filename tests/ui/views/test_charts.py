"""How a chart is put on the page: high enough for the names beside its bars."""

from __future__ import annotations

from typing import Any

import pytest

from ui.views.charts import BAR_PX, HEIGHT_PX, style, take_notes


def _bars(count: int, kind: str = "nominal") -> dict[str, Any]:
    rows = [{"category": f"Kind {n}", "days": n} for n in range(count)]
    encoding = {"y": {"field": "category", "type": kind}, "x": {"field": "days", "type": "quantitative"}}
    return {"mark": "bar", "data": {"name": "d"}, "datasets": {"d": rows}, "encoding": encoding}


@pytest.mark.parametrize("count", [13, 16, 25, 40])
def test_every_bar_has_room_for_its_name(count: int) -> None:
    assert style(_bars(count))["height"] >= count * BAR_PX


def test_a_few_bars_and_numbers_take_the_usual_height() -> None:
    assert style(_bars(3))["height"] == HEIGHT_PX
    assert style(_bars(60, "quantitative"))["height"] == HEIGHT_PX


def test_no_chart_grows_without_end() -> None:
    assert style(_bars(400))["height"] == style(_bars(41))["height"] < 1000


def test_a_height_of_its_own_stays() -> None:
    assert style({**_bars(30), "height": 200})["height"] == 200


@pytest.mark.parametrize(
    ("title", "notes"),
    [
        ({"text": "Amounts", "subtitle": "2,000 of 5,000 rows."}, ["2,000 of 5,000 rows."]),
        ({"text": "Amounts", "subtitle": ["One.", "Two."]}, ["One.", "Two."]),
        ({"text": "Amounts", "subtitle": ""}, []),
        ({"text": "Amounts"}, []),
        ("Amounts", []),
    ],
)
def test_a_subtitle_stands_below_the_chart_where_both_themes_can_be_read(title: object, notes: list[str]) -> None:
    spec = style({**_bars(3), "title": title})
    assert take_notes(spec) == notes
    assert spec["title"] in ("Amounts", {"text": "Amounts"})
