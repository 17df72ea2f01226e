"""Converts recorded outputs for a notebook: valid, and unable to load or run anything where it is opened.

The outputs of a kernel are untrusted: a page that shows a notebook has a network. So only data that are text, raster
images or values pass; HTML, SVG and JavaScript do not. A table is rendered from its values; a chart is kept if its
specification contains its data, with an image of it for viewers that cannot draw it.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TypeAlias

from nbformat import NotebookNode
from nbformat.v4 import new_output
from pydantic import JsonValue

from assistant.cells.charts import why_unsafe

Draw: TypeAlias = Callable[[Mapping[str, JsonValue]], bytes | None]
"""Turns a Vega-Lite specification into a PNG; None where that fails."""

TABLE = "application/vnd.dataresource+json"
_CHART = re.compile(r"(application/vnd\.vegalite\.v\d+)[+.]json")
"""Altair's own name ends in `.json`, under which a notebook may hold no object."""
_TEXTS = ("text/plain", "text/latex")
_PICTURES = ("image/png", "image/jpeg", "image/gif")
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
_ROWS_MAX = 20
_PICTURES_DRAWN_BYTES_MAX = 5_000_000


def no_picture(_specification: Mapping[str, JsonValue]) -> bytes | None:
    """Draw nothing."""
    return None


def clean_outputs(
    outputs: Sequence[Mapping[str, JsonValue]], *, execution_count: int, draw: Draw = no_picture
) -> list[NotebookNode]:
    """The outputs of a cell that can stand in a notebook.

    Args:
        outputs: nbformat v4 outputs, or what claims to be.
        execution_count: The count of the cell.
        draw: Makes pictures of charts.
    """
    cleaned: list[NotebookNode] = []
    for output in outputs:
        match output.get("output_type"):
            case "stream":
                name = "stderr" if output.get("name") == "stderr" else "stdout"
                cleaned.append(new_output("stream", name=name, text=_text(output.get("text"))))
            case "error":
                lines = output.get("traceback")
                cleaned.append(
                    new_output(
                        "error",
                        ename=_text(output.get("ename")),
                        evalue=_text(output.get("evalue")),
                        traceback=[_text(line) for line in lines] if isinstance(lines, list) else [],
                    )
                )
            case "execute_result":
                data = _data(output.get("data"), draw)
                cleaned.append(new_output("execute_result", data=data, execution_count=execution_count))
            case "display_data":
                cleaned.append(new_output("display_data", data=_data(output.get("data"), draw)))
            case _:
                continue
    return cleaned


def _data(bundle: JsonValue | None, draw: Draw) -> dict[str, object]:
    if not isinstance(bundle, dict):
        return {}
    data: dict[str, object] = {}
    for mime, content in bundle.items():
        if mime in _TEXTS or (mime in _PICTURES and _BASE64.fullmatch(_text(content))):
            data[mime] = _text(content)
        elif mime == TABLE and isinstance(content, dict):
            data[mime] = content
            if html := _table(content):
                data["text/html"] = html
        elif (chart := _CHART.fullmatch(mime)) and isinstance(content, dict):
            data |= _chart(f"{chart[1]}+json", content, draw)
    return data


def _chart(mime: str, specification: dict[str, JsonValue], draw: Draw) -> dict[str, object]:
    if reason := why_unsafe(specification):
        return {"text/plain": f"The chart is left out. {reason}"}
    data: dict[str, object] = {mime: specification}
    if len(json.dumps(specification)) <= _PICTURES_DRAWN_BYTES_MAX and (picture := draw(specification)):
        data["image/png"] = b64encode(picture).decode("ascii")
    return data


def _table(resource: dict[str, JsonValue]) -> str | None:
    """An HTML table of the first rows; every character of the data is escaped."""
    schema, rows = resource.get("schema"), resource.get("data")
    fields = schema.get("fields") if isinstance(schema, dict) else None
    if not isinstance(fields, list) or not isinstance(rows, list):
        return None
    names = [_text(field.get("name")) for field in fields if isinstance(field, dict)]
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_cell(row.get(name)))}</td>" for name in names) + "</tr>"
        for row in rows[:_ROWS_MAX]
        if isinstance(row, dict)
    )
    total = resource.get("rows_total")
    count = total if isinstance(total, int) else len(rows)
    more = f"<p>{count:,} rows, the first {_ROWS_MAX} shown.</p>" if count > _ROWS_MAX else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: JsonValue | None) -> str:
    match value:
        case None:
            return ""
        case float():
            return f"{value:.12g}"
        case str():
            return value
        case _:
            return json.dumps(value)


def _text(content: JsonValue | None) -> str:
    """A multi-line string of a notebook, which may be a list of lines."""
    match content:
        case None:
            return ""
        case str():
            return content
        case list():
            return "".join(_text(part) for part in content)
        case _:
            return json.dumps(content)
