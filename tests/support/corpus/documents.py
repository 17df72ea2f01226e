"""JSON in the orientations of programs that write it, by lines, nested, and with values in quotes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from corpus.fields import GOODS, PEOPLE, Fields, Style, grid, header, without
from corpus.texts import text_case
from corpus.values import Case, Expected, Field, expect, expect_table


def cases() -> Iterator[Case]:
    """All cases of the family."""
    yield from _orientations()
    yield from _lines()
    yield from _nested()
    yield from _values()


def _case(
    shape: str, variant: str, content: object, expected: Expected, suffix: str = ".json", encoding: str = "utf-8"
) -> Case:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, default=str)
    return text_case("json", shape, variant, text, expected, suffix=suffix, encoding=encoding)


def _records(fields: Sequence[Field]) -> list[dict[str, Any]]:
    names = header(fields)
    return [dict(zip(names, row, strict=True)) for row in zip(*(field.values for field in fields), strict=True)]


def _films(seed: str, rows: int = 20) -> list[Field]:
    make = Fields(seed, rows)
    return [make.word("title", GOODS), make.integer("gross", 100, 900), make.number("rating", 1, 9), make.days("shown")]


def _orientations() -> Iterator[Case]:
    fields = _films("records")
    records = _records(fields)
    names = header(fields)
    rows = [list(record.values()) for record in records]
    yield _case("records", "list", records, expect(*fields))
    yield _case("records", "indented", json.dumps(records, indent=2, default=str), expect(*fields))
    yield _case("records", "utf-16", records, expect(*fields), encoding="utf-16")
    yield _case("records", "byte order mark", records, expect(*fields), encoding="utf-8-sig")
    yield _case(
        "by column",
        "positions",
        {name: {str(n): row[i] for n, row in enumerate(rows)} for i, name in enumerate(names)},
        expect(*fields),
    )
    yield _case("by column", "lists", {name: [row[i] for row in rows] for i, name in enumerate(names)}, expect(*fields))
    long = _films("long", 260)
    body = {
        name: {str(n): value for n, value in enumerate(field.values)}
        for name, field in zip(header(long), long, strict=True)
    }
    yield _case("by column", "260 rows", body, expect(*long))
    yield _case(
        "split",
        "columns, index, data",
        {"columns": names, "index": list(range(len(rows))), "data": rows},
        expect(*fields),
    )
    schema = {"fields": [{"name": name, "type": "string"} for name in names], "primaryKey": ["title"]}
    yield _case("split", "schema and data", {"schema": schema, "data": records}, expect(*fields))
    yield _case("lists", "names first", [names, *rows], expect(*fields))
    yield _case("lists", "no names", rows, expect(*fields, has_header=False))
    keys = [f"F{number:03d}" for number in range(len(rows))]
    key = Field(name="", kinds=("text",), values=tuple(keys))
    # The keys are a column of their own, wherever it stands, or are left out with a doubt.
    yield _case("by key", "codes", dict(zip(keys, records, strict=True)), expect(key, *fields))
    yield _case("wrapped", "data", {"data": records}, expect(*fields))
    yield _case(
        "wrapped", "results and count", {"count": len(records), "next": None, "results": records}, expect(*fields)
    )
    yield _case("wrapped", "two levels", {"response": {"status": "ok", "items": records}}, expect(*fields))
    columns = [{"id": number, "name": name, "dataTypeName": "text"} for number, name in enumerate(names)]
    portal = {
        "meta": {"view": {"id": "ab12-cd34", "name": "Films", "columns": columns}},
        "data": [[*row] for row in rows],
    }
    yield _case("portal", "meta and rows of lists", json.dumps(portal, default=str), expect(*fields))
    yield _case(
        "portal",
        "quoted",
        json.dumps({**portal, "data": [[str(value) for value in row] for row in rows]}),
        expect(*fields),
    )
    pages = [{"page": 1, "pages": 1, "total": len(records)}, records]
    yield _case("portal", "page and rows", pages, expect(*fields))


def _lines() -> Iterator[Case]:
    fields = _films("by line")
    lines = [json.dumps(record, default=str) for record in _records(fields)]
    yield _case("by line", "jsonl", "\n".join(lines) + "\n", expect(*fields), ".jsonl")
    yield _case("by line", "ndjson packed", "\n".join(lines) + "\n", expect(*fields), ".ndjson.gz")
    yield _case("by line", "named json", "\n".join(lines) + "\n", expect(*fields))
    yield _case("by line", "blank lines", "\n\n".join(lines) + "\n\n", expect(*fields), ".jsonl")
    pretty = "\n".join(json.dumps(record, indent=1, default=str) for record in _records(fields))
    yield _case("by line", "indented one after the other", pretty, expect(*fields))
    gaps = [without(fields[0], 0, 1), without(fields[1], 3), *fields[2:]]
    sparse = [{name: value for name, value in record.items() if value is not None} for record in _records(gaps)]
    order = sorted(range(4), key=lambda n: {"title": 9}.get(header(gaps)[n], n))
    yield _case(
        "by line",
        "keys left out",
        "\n".join(json.dumps(r, default=str) for r in sparse),
        expect(*(gaps[n] for n in order)),
        ".jsonl",
    )


def _nested() -> Iterator[Case]:
    make = Fields("nested", 15)
    town, lat, lon, ident = make.word("town"), make.number("lat", 40, 60), make.number("lon", 1, 20), make.serial("id")
    fields = [
        ident,
        replace(town, name=("place town", "town")),
        replace(lat, name=("place lat", "lat")),
        replace(lon, name=("place lon", "lon")),
    ]
    rows = list(zip(ident.values, town.values, lat.values, lon.values, strict=True))
    yield _case(
        "nested",
        "objects",
        [{"id": a, "place": {"town": b, "lat": c, "lon": d}} for a, b, c, d in rows],
        expect(*fields),
    )
    features = [
        {"type": "Feature", "properties": {"id": a, "town": b}, "geometry": {"type": "Point", "coordinates": [d, c]}}
        for a, b, c, d in rows
    ]
    table = expect_table(
        [replace(ident, name=("id", "properties id")), replace(town, name=("town", "properties town"))]
    )
    expected = Expected(tables=(replace(table, columns=None, is_partial=True),))
    yield _case("nested", "features of a map", {"type": "FeatureCollection", "features": features}, expected)
    orders = [
        {"order": a, "customer": b, "items": [{"item": f"I{a}-{n}", "price": n + 0.5} for n in range(2)]}
        for a, b, *_ in rows
    ]
    table = expect_table([replace(ident, name="order"), replace(town, name="customer")])
    items = expect_table(
        [
            Field(
                name=("item", "items item"),
                kinds=("text",),
                values=tuple(f"I{a}-{n}" for a, *_ in rows for n in range(2)),
            ),
            Field(
                name=("price", "items price"), kinds=("number",), values=tuple(n + 0.5 for _ in rows for n in range(2))
            ),
        ]
    )
    expected = Expected(tables=tuple(replace(one, columns=None, is_partial=True) for one in (table, items)))
    yield _case("nested", "lists of objects", orders, expected)
    tagged = [{"id": a, "town": b, "tags": ["x", "y"]} for a, b, *_ in rows]
    table = replace(expect_table([ident, town]), columns=None, is_partial=True)
    yield _case("nested", "lists of words", tagged, Expected(tables=(table,)))


def _values() -> Iterator[Case]:
    make = Fields("quoted", 15)
    fields = [make.word("agency"), make.number("1970", 1000, 90000), make.days("paid"), make.integer("staff")]
    quoted = [dict(zip(header(fields), row, strict=True)) for row in grid(fields, Style(group=","))]
    yield _case("numbers in quotes", "grouped", quoted, expect(*fields))
    yield _case("numbers in quotes", "dollars", [{**r, "1970": f"${r['1970']}"} for r in quoted], expect(*fields))
    day_first = [dict(zip(header(fields), row, strict=True)) for row in grid(fields, Style(day="%d/%m/%Y"))]
    yield _case("numbers in quotes", "days first", day_first, expect(*fields))
    titles = tuple("300" if number == 4 else str(value) for number, value in enumerate(make.word("t", PEOPLE).values))
    mixed = [make.integer("gross", 10, 900), Field(name="title", kinds=("text",), values=titles)]
    records = [{**record, "title": 300 if record["title"] == "300" else record["title"]} for record in _records(mixed)]
    yield _case("mixed scalars", "a number among words", records, expect(*mixed))
    gaps = [make.serial("id"), without(make.integer("stock"), 2, 5), without(make.word("town"), 7)]
    yield _case("missing", "null", _records(gaps), expect(*gaps))
    blank = [{name: "" if value is None else value for name, value in record.items()} for record in _records(gaps)]
    yield _case("missing", "empty text", blank, expect(*gaps))
    words = [
        {name: "N/A" if value is None else value for name, value in record.items()} for record in _records([*gaps[:2]])
    ]
    yield _case("missing", "a word", words, expect(*gaps[:2]))
    codes = [make.serial("id"), make.code("zip"), make.flag("open")]
    yield _case("codes", "with zeros", _records(codes), expect(*codes))
    big = Field(
        name="key", kinds=("integer", "text"), values=tuple(9_007_199_254_740_993 + number for number in range(15))
    )
    yield _case("codes", "large", _records([make.serial("id"), big]), expect(make.serial("id"), big))
    moments = make.moments("seen")
    stamps = [
        {"id": n, "seen": f"{value:%Y-%m-%dT%H:%M:%S}Z"}
        for n, value in enumerate(moments.values, start=1)
        if isinstance(value, datetime)
    ]
    yield _case("moments", "with Z", stamps, expect(make.serial("id"), moments))
    millis = tuple(int(v.replace(tzinfo=UTC).timestamp() * 1000) for v in moments.values if isinstance(v, datetime))
    numbers = Field(name="seen", kinds=("integer", "datetime"), values=millis)
    table = expect_table([make.serial("id"), numbers])
    table = replace(table, checks=tuple(check for check in table.checks if check.column != "seen"))
    yield _case("moments", "milliseconds", _records([make.serial("id"), numbers]), Expected(tables=(table,)))
