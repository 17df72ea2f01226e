"""What a kernel gave is kept as data; nothing of it can load or run where the notebook is opened."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from pydantic import JsonValue

from assistant.output.notebook.drawing import png_of, render_chart
from assistant.output.notebook.outputs import clean_outputs

BARS: dict[str, JsonValue] = {
    "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
    "data": {"values": [{"region": "North", "amount": 3}, {"region": "South", "amount": 5}]},
    "mark": "bar",
    "encoding": {"x": {"field": "region", "type": "nominal"}, "y": {"field": "amount", "type": "quantitative"}},
}
VEGA = "application/vnd.vegalite.v5+json"


def shown(data: dict[str, JsonValue], **options: object) -> dict[str, JsonValue]:
    outputs = clean_outputs(
        [{"output_type": "display_data", "data": data, "metadata": {}}], execution_count=1, **options
    )  # pyright: ignore[reportArgumentType]
    return dict(outputs[0].data)


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """A server on loopback that notes who asks for what."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as served:
        thread = Thread(target=served.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{served.server_port}", asked
        finally:
            served.shutdown()
            thread.join()


def test_html_svg_and_scripts_of_the_kernel_are_left_out():
    data = shown(
        {
            "text/html": "<img src=http://evil.example>",
            "image/svg+xml": "<svg/>",
            "application/javascript": "alert(1)",
            "text/plain": ["a", "b"],
            "image/png": "aGVsbG8=",
        }
    )
    assert data == {"text/plain": "ab", "image/png": "aGVsbG8="}


def test_picture_that_is_no_base64_is_left_out():
    assert shown({"image/png": '"><script>'}) == {}


def test_table_is_drawn_anew_from_its_values_and_escaped():
    rows: list[JsonValue] = [{"<i>": "<script>", "n": 0.1 + 0.2}] * 30
    resource: JsonValue = {
        "schema": {"fields": [{"name": "<i>", "type": "string"}, {"name": "n", "type": "number"}]},
        "data": rows,
        "rows_total": 1234,
    }
    html = str(shown({"application/vnd.dataresource+json": resource})["text/html"])
    assert "<script>" not in html
    assert "&lt;script&gt;</td><td>0.3</td>" in html
    assert "1,234 rows, the first 20 shown" in html
    assert html.count("<tr>") == 21


def test_chart_carries_a_picture_of_itself():
    data = shown({VEGA: BARS}, draw=png_of)
    assert data[VEGA] == BARS
    assert str(data["image/png"]).startswith("iVBORw0KGgo")


def test_picture_is_drawn_once(monkeypatch: pytest.MonkeyPatch):
    specification: JsonValue = {**BARS, "title": "drawn once"}
    picture = png_of(specification)
    monkeypatch.setattr("assistant.output.notebook.drawing.render_chart", lambda _text: None)
    assert picture is not None
    assert png_of(specification) == picture
    assert png_of({**BARS, "title": "another"}) is None


def test_chart_under_altairs_own_name_is_kept_under_one_that_notebooks_may_hold():
    assert shown({"application/vnd.vegalite.v6.json": BARS}) == {"application/vnd.vegalite.v6+json": BARS}


def test_chart_that_cannot_be_drawn_stays_without_a_picture():
    broken: JsonValue = {"mark": "no such mark", "data": {"values": []}}
    assert shown({VEGA: broken}, draw=png_of) == {VEGA: broken}


def hostile(url: str) -> dict[str, dict[str, JsonValue]]:
    return {
        "data": {**BARS, "data": {"url": f"{url}/data.json"}},
        "image mark": {
            "data": {"values": [{"u": f"{url}/image.png"}]},
            "mark": "image",
            "encoding": {"url": {"field": "u"}},
        },
        "image mark in a layer": {
            "data": {"values": [{"u": f"{url}/layer.png"}]},
            "layer": [{"mark": {"type": "image"}, "encoding": {"url": {"field": "u"}}}],
        },
        "lookup": {
            **BARS,
            "transform": [{"lookup": "a", "from": {"data": {"url": f"{url}/lookup.csv"}, "key": "a", "fields": ["b"]}}],
        },
        "link": {**BARS, "encoding": {"href": {"value": f"{url}/link"}}},
        "file": {**BARS, "data": {"url": "file:///etc/passwd"}},
    }


@pytest.mark.parametrize("attack", sorted(hostile("")))
def test_hostile_chart_loads_nothing_and_is_left_out(server: tuple[str, list[str]], attack: str):
    url, asked = server
    specification = hostile(url)[attack]
    data = shown({VEGA: specification}, draw=png_of)
    assert set(data) == {"text/plain"}
    assert "left out" in str(data["text/plain"])
    assert asked == []


@pytest.mark.parametrize("attack", ["data", "image mark"])
def test_even_unchecked_the_drawing_process_reaches_no_server(server: tuple[str, list[str]], attack: str):
    url, asked = server
    render_chart(json.dumps(hostile(url)[attack]))
    assert asked == []


@pytest.mark.slow
def test_chart_that_exhausts_the_converter_takes_down_only_its_own_process():
    endless: JsonValue = {"data": {"sequence": {"start": 0, "stop": 1e9}}, "mark": "point"}
    assert render_chart(json.dumps(endless), timeout_s=10) is None
