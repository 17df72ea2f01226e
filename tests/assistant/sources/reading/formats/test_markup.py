"""XML, HTML and GeoJSON: rows, names and values; nothing that a file refers to is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from loaded_file import LoadedFile, refusal

ORDERS = """<?xml version="1.0"?>
<shop:orders xmlns:shop="urn:shop" made="2026-01-01">
  <order id="7"><customer><name>Zoë</name></customer><total currency="EUR">1.50</total>
    <line><sku>a</sku><pieces>1</pieces></line><line><sku>b</sku><pieces>2</pieces></line></order>
  <order id="8"><customer><name>Bo</name></customer><total currency="EUR">2.25</total>
    <line><sku>a</sku><pieces>5</pieces></line></order>
</shop:orders>"""
PAGE = """<html><body><h2>Towns</h2><table>
<thead><tr><th>Town</th><th>Country</th><th colspan=2>People</th></tr><tr><th></th><th></th><th>2020</th><th>2021</th></tr></thead>
<tr><td>Bern</td><td rowspan=2>Switzerland</td><td>134,000</td><td>135,000</td></tr>
<tr><td>Basel<sup class="reference">[1]</sup></td><td>177,000</td><td>178,500</td></tr></table>
<table><caption>Prices</caption><tr><td>thing</td><td>price</td></tr><tr><td>tea</td><td>1.5</td></tr>
<tr><td>milk<br>fresh</td><td>2.25</td></tr></table>
<table><tr><td>Menu</td></tr></table></body></html>"""


def written(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def test_elements_that_repeat_are_rows(tmp_path: Path) -> None:
    loaded = LoadedFile(written(tmp_path / "orders.xml", ORDERS))
    assert loaded.names == ["order", "line"]
    assert loaded.rows('SELECT * FROM "order" ORDER BY id') == [(7, "Zoë", "EUR", 1.5), (8, "Bo", "EUR", 2.25)]
    assert list(loaded.columns("order")) == ["id", "customer_name", "total_currency", "total"]
    assert loaded.rows("SELECT order_id, sku, pieces FROM line ORDER BY ALL") == [(7, "a", 1), (7, "b", 2), (8, "a", 5)]
    loaded.check_notebook()


def test_rows_without_a_key_are_named_by_their_number(tmp_path: Path) -> None:
    text = "<a><b><x>1</x><c>p</c><c>q</c></b><b><x>1</x><c>r</c></b></a>"
    loaded = LoadedFile(written(tmp_path / "a.xml", text))
    assert loaded.rows("SELECT b_row, value FROM c ORDER BY ALL") == [(1, "p"), (1, "q"), (2, "r")]
    assert loaded.rows("SELECT * FROM b ORDER BY ALL") == [(1, 1), (2, 1)]


def test_a_single_record_is_one_row(tmp_path: Path) -> None:
    loaded = LoadedFile(written(tmp_path / "a.xml", "<a n='1'><b>x</b></a>"))
    assert loaded.rows("SELECT n, b FROM a") == [(1, "x")]


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY x SYSTEM "file:///etc/passwd">',
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY x "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY % p SYSTEM "http://127.0.0.1:9/p.dtd">',
    ],
)
def test_entities_are_refused(tmp_path: Path, declared: str) -> None:
    text = f"<!DOCTYPE a [{declared}]><a><b>&x;</b><b>1</b></a>" if "% p" not in declared else ""
    text = text or f"<!DOCTYPE a [{declared}]><a><b>2</b><b>1</b></a>"
    assert "declares entities, which are not read" in refusal(written(tmp_path / "a.xml", text))


def test_broken_and_bottomless_xml_is_refused(tmp_path: Path) -> None:
    assert "cannot be read as XML" in refusal(written(tmp_path / "cut.xml", ORDERS[:200]))
    deep = "<a>" * 100 + "<b>1</b>" + "</a>" * 100
    assert "more than 30 deep" in refusal(written(tmp_path / "deep.xml", deep))
    assert "cannot be read as XML" in refusal(written(tmp_path / "bottomless.xml", "<a>" * 100_000))


def test_tables_of_a_page(tmp_path: Path) -> None:
    loaded = LoadedFile(written(tmp_path / "page.html", PAGE))
    assert loaded.names == ["towns", "prices"]
    assert list(loaded.columns("towns")) == ["Town", "Country", "People 2020", "People 2021"]
    assert loaded.rows("SELECT * FROM towns ORDER BY 1") == [
        ("Basel", "Switzerland", 177000, 178500),
        ("Bern", "Switzerland", 134000, 135000),
    ]
    assert loaded.rows("SELECT thing, price FROM prices ORDER BY 2") == [("tea", 1.5), ("milk fresh", 2.25)]
    loaded.check_notebook()


def test_a_person_chooses_the_tables_of_a_page(tmp_path: Path) -> None:
    path = written(tmp_path / "page.html", PAGE)
    (tmp_path / "page.html.tandem.toml").write_text('sheets = ["Prices"]\n')
    loaded = LoadedFile(path)
    assert loaded.names == ["prices"]
    assert loaded.loaded.tables[0].others == ("Towns",)
    (tmp_path / "page.html.tandem.toml").write_text('sheets = ["Costs"]\n')
    assert "names the table 'Costs'; 'page.html' has 'Towns' and 'Prices'" in refusal_of(path)


def refusal_of(path: Path) -> str:
    copy = path.parent / "again"
    copy.mkdir()
    for file in (path, path.with_name(f"{path.name}.tandem.toml")):
        (copy / file.name).write_bytes(file.read_bytes())
    return refusal(copy / path.name)


def test_html_that_calls_itself_a_workbook_is_read(tmp_path: Path) -> None:
    loaded = LoadedFile(written(tmp_path / "report.xls", PAGE))
    assert loaded.names == ["towns", "prices"]
    loaded.check_notebook()


def test_a_page_says_its_encoding_or_is_read_as_unicode(tmp_path: Path) -> None:
    table = "<table><tr><th>Ort</th><th>n</th></tr><tr><td>Köln</td><td>1</td></tr></table>"
    for name, text, encoding in (
        ("a.html", table, "utf-8"),
        ("b.html", table, "cp1252"),
        ("c.html", f'<meta charset="iso-8859-2">{table}', "iso-8859-2"),
    ):
        loaded = LoadedFile(written(tmp_path / name, text, encoding))
        assert loaded.rows(f'SELECT "Ort" FROM {name[0]}') == [("Köln",)]


@pytest.mark.slow
def test_a_page_that_spans_without_end_stays_small(tmp_path: Path) -> None:
    bomb = "<table>" + "<tr><td colspan=1000 rowspan=1000>x</td><td>y</td></tr>" * 3_000 + "</table>"
    assert "has a table of more than" in refusal(written(tmp_path / "bomb.html", bomb * 20))


def test_a_page_with_one_long_row_among_many_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    text = f"<table><tr>{'<td colspan=1000>x' * 1_000}</tr>{'<tr><td>a<td>b</tr>' * 1_000}</table>"
    assert "has a table of more than 20,000,000 cells" in refusal(written(tmp_path / "p.html", text))


def test_a_page_without_tables_is_refused(tmp_path: Path) -> None:
    assert "has no table of two columns" in refusal(written(tmp_path / "page.html", "<p>Hello</p>"))


FEATURES = """{"type": "FeatureCollection", "name": "trees", "features": [
{"type": "Feature", "id": 1, "properties": {"kind": "oak", "height": 12.5, "day": "2026-01-02", "tags": ["a"]},
 "geometry": {"type": "Point", "coordinates": [7.4, 46.9]}},
{"type": "Feature", "id": 2, "properties": {"kind": "ash", "height": null, "day": "2026-01-03", "tags": []},
 "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [0, 1], [1, 1], [0, 0]]]}}]}"""


def test_properties_are_columns_and_geometry_is_text(tmp_path: Path) -> None:
    loaded = LoadedFile(written(tmp_path / "trees.geojson", FEATURES))
    assert list(loaded.columns("trees")) == [
        *("id", "kind", "height", "day", "tags", "geometry_type", "longitude", "latitude", "geometry")
    ]
    assert loaded.columns("trees")["day"][0] == "DATE"
    assert loaded.rows("SELECT kind, height, longitude, geometry_type FROM trees ORDER BY id") == [
        ("oak", 12.5, 7.4, "Point"),
        ("ash", None, None, "Polygon"),
    ]
    assert loaded.rows("SELECT geometry FROM trees WHERE id = 1") == [('{"type":"Point","coordinates":[7.4,46.9]}',)]
    loaded.check_notebook()


def test_features_on_lines_are_read(tmp_path: Path) -> None:
    line = '{"type":"Feature","properties":{"n":%d},"geometry":null}\n'
    loaded = LoadedFile(written(tmp_path / "l.geojsonl", line % 1 + line % 2))
    assert loaded.rows("SELECT sum(n) FROM l") == [(3,)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("null.geojson", '{"type": "FeatureCollection", "features": null, "of": "Feature"}'),
        ("list.geojson", '{"features": [{"type": "Feature", "properties": [1, 2]}]}'),
        ("elsewhere.xml", '<!DOCTYPE r SYSTEM "x.dtd"><r><a>&foo;</a><a>2</a></r>'),
        ("twice.sql", "CREATE TABLE t (a int, A int, a text); INSERT INTO t VALUES (1, 2, '3');"),
    ],
)
def test_a_file_that_a_reader_stumbles_over_is_not_said_to_be_too_large(tmp_path: Path, name: str, text: str) -> None:
    assert "is not built as its format says" in refusal(written(tmp_path / name, text))


def test_broken_geojson_is_refused(tmp_path: Path) -> None:
    assert "cannot be read as GeoJSON" in refusal(written(tmp_path / "cut.geojson", FEATURES[:120]))
    assert "cannot be read as GeoJSON" in refusal(written(tmp_path / "none.geojson", '{"type": "Topology"}'))
    assert "cannot be read as GeoJSON" in refusal(written(tmp_path / "deep.geojson", "[" * 200_000))
