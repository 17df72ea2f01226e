"""A map is offered where a result has one figure for each country, holds its shapes, and tells what is not on it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from given_table import EUR, shaped

from assistant.cells.charts import why_unsafe
from assistant.core.events import Appearance
from assistant.output.presentation import maps
from assistant.output.presentation.countries import code_of, countries_of, load_vocabulary
from assistant.output.presentation.drawing import Chart, draw, kinds_for
from assistant.output.presentation.requests import parse_request
from assistant.output.presentation.shaping import Shaped


def by_country(*names: object, column: str = "country", figures: Sequence[object] = ()) -> Shaped:
    given = figures or [float(n + 1) * 100 for n in range(len(names))]
    return shaped(f"{column} revenue", list(zip(names, given, strict=True)), revenue=EUR)


def mapped(table: Shaped, code: str = "en-GB", **look: Any) -> Chart:
    made = draw(table, Appearance(chart="map", **look), code=code)
    assert made is not None
    assert made.kind == "map"
    return made


def shapes(chart: Chart) -> dict[str, dict[str, Any]]:
    """What each shape carries, by the name that is shown."""
    topology = chart.specification["layer"][0]["data"]["values"]
    found = [shape["properties"] for shape in topology["objects"]["countries"]["geometries"]]
    return {one["name"]: one for one in found}


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("Germany", "DE"),
        ("Deutschland", "DE"),
        ("USA", "US"),
        ("United States of America", "US"),
        ("U.K.", "GB"),
        ("Côte d'Ivoire", "CI"),
        ("ivory coast", "CI"),
        ("Korea, Republic of", "KR"),
        ("Congo, Democratic Republic of the", "CD"),
        ("Russian Federation", "RU"),
        ("Turkey", "TR"),
        ("Viet Nam", "VN"),
        ("Bosnia & Herzegovina", "BA"),
        ("European Union", None),
        ("North", None),
        ("", None),
    ],
)
def test_usual_names_of_countries_are_read(value: str, code: str | None) -> None:
    assert code_of(value, coded=False) == code


def test_codes_are_read_where_the_column_is_said_to_hold_countries() -> None:
    assert countries_of(["DE", "fra", "Gb"], "country_code").codes == {"DE": "DE", "fra": "FR", "Gb": "GB"}
    assert countries_of(["CA", "IL", "PA"], "state").unknown == ("CA", "IL", "PA")
    assert "map" not in kinds_for(by_country("CA", "IL", "PA", column="state"), Appearance())


def test_every_name_of_a_shape_is_read_but_of_the_two_without_a_code() -> None:
    unread = {
        shape["properties"]["name"]
        for shape in maps._world()["objects"]["countries"]["geometries"]  # pyright: ignore[reportPrivateUsage]
        if code_of(shape["properties"]["name"], coded=False) is None
    }
    assert unread == {"N. Cyprus", "Somaliland", "Fr. S. Antarctic Lands"}


def test_every_country_of_the_vocabulary_has_a_place_on_the_map() -> None:
    drawn = {shape["properties"]["code"] for shape in maps._world()["objects"]["countries"]["geometries"]}  # pyright: ignore[reportPrivateUsage]
    assert set(load_vocabulary()["variants"]) <= drawn | set(load_vocabulary()["spots"])
    assert not drawn & set(load_vocabulary()["spots"])


def test_a_map_is_offered_last_for_one_figure_of_each_country() -> None:
    assert kinds_for(by_country("Germany", "France", "Italy"), Appearance()) == ("bar", "pie", "map")
    chosen = draw(by_country("DE", "FR"), Appearance())
    assert chosen is not None
    assert chosen.kind == "bar"


@pytest.mark.parametrize(
    "table",
    [
        by_country("North", "South", "East"),
        by_country("Germany", "France", "Italy", "Other", "Unknown"),
        by_country("Germany", "Elsewhere"),
        shaped("country average_price", [("UK", 1.0), ("Great Britain", 2.0), ("Italy", 3.0)]),
        shaped("country region revenue", [("Italy", "N", 1.0), ("Italy", "S", 2.0), ("Spain", "N", 3.0)], revenue=EUR),
    ],
    ids=["regions", "too few are countries", "one country", "averages do not add up", "two groups"],
)
def test_no_map_is_offered_elsewhere_and_it_says_why(table: Shaped) -> None:
    assert "map" not in kinds_for(table, Appearance())
    chart = draw(table, Appearance(chart="map"))
    assert chart is not None
    assert chart.kind != "map"
    assert "one group, of countries" in chart.notes[0]


def test_the_shapes_are_inside_and_nothing_is_fetched() -> None:
    chart = mapped(by_country("Germany", "France", "Kosovo"))
    assert why_unsafe(chart.specification) is None
    assert "http" not in json.dumps(chart.specification)
    topology = chart.specification["layer"][0]["data"]["values"]
    assert topology["type"] == "Topology"
    assert len(topology["arcs"]) > 500
    assert shapes(chart)["Germany"] == {"name": "Germany", "y": 100.0, "ty": "€100", "said": "Germany: €100"}
    assert shapes(chart)["Kosovo"]["ty"] == "€300"
    assert shapes(chart)["Japan"] == {"name": "Japan", "y": None, "ty": "–"}
    assert shapes(mapped(by_country("Germany", "France")))["Kosovo"]["y"] is None, "a map leaves the next as it was"


def test_names_and_figures_are_told_in_the_language_of_the_person() -> None:
    told = shapes(mapped(by_country("DE", "FR", figures=(1234567.0, 2.0)), code="de-DE"))
    assert told["Deutschland"]["ty"].replace("\xa0", " ") == "1.234.567 €"


def test_countries_too_small_for_a_shape_are_spots() -> None:
    chart = mapped(by_country("Malta", "Italy", "Singapore"))
    small = chart.specification["layer"][1]
    assert [row["name"] for row in small["data"]["values"]] == ["Malta", "Singapore"]
    assert len(mapped(by_country("Italy", "France")).specification["layer"]) == 1


def test_values_that_are_no_country_are_told() -> None:
    some = ["Germany", "France", "Italy", "Spain", "Poland", "Austria", "Japan", "Chile", "Peru"]
    assert mapped(by_country(*some)).notes == ()
    assert mapped(by_country(*some, "Atlantis")).notes == ("1 value is not on the map: Atlantis.",)
    assert mapped(by_country(*some, "Atlantis", None)).notes == ("2 values are not on the map: Atlantis, (none).",)


def test_two_names_of_one_country_are_added_up_and_it_says_so() -> None:
    chart = mapped(by_country("UK", "France", "Great Britain"))
    assert shapes(chart)["United Kingdom"]["ty"] == "€400"
    assert chart.notes == ("Values that name the same country are added up: Great Britain.",)


def test_the_map_shows_the_part_of_the_world_that_has_figures() -> None:
    near = mapped(by_country("France", "Germany")).specification["layer"][0]["projection"]
    assert near["type"] == "azimuthalEqualArea"
    west, south = near["fit"]["geometry"]["coordinates"][0]
    assert (-15 < west < 0, 30 < south < 45) == (True, True), "French Guiana does not count"
    assert mapped(by_country("France", "Japan", "Brazil")).specification["layer"][0]["projection"] == {
        "type": "equalEarth"
    }


def test_gains_and_losses_have_colours_around_zero() -> None:
    both = mapped(by_country("France", "Germany", figures=(-5.0, 7.0)))
    assert both.specification["layer"][0]["layer"][1]["encoding"]["color"]["scale"]["domainMid"] == 0
    assert (
        "scale" not in mapped(by_country("France", "Italy")).specification["layer"][0]["layer"][1]["encoding"]["color"]
    )
    wide = mapped(by_country("France", "Germany", figures=(5.0, 7_000_000.0)), log=True)
    assert wide.specification["layer"][0]["layer"][1]["encoding"]["color"]["scale"] == {"type": "log"}
    assert wide.can_be_log


@pytest.mark.parametrize("said", ["show it on a map", "as a world map", "Weltkarte bitte"])
def test_a_map_is_asked_for_in_words(said: str) -> None:
    look = parse_request(said, ("country", "revenue"), Appearance())
    assert look is not None
    assert look.chart == "map"
