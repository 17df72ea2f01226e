"""The chart that an execution gave, made safe to draw.

A Vega-Lite specification comes out of the cage and is drawn in the person's browser, which has a network. So only a
specification that carries its own data passes: nothing that names an address, an image, a link or a loader. What does
not pass is not drawn, and is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from assistant.core.events import Execution

_PREFIX = "application/vnd.vegalite."
_REACHING = frozenset({"url", "href", "loader", "usermeta", "baseurl", "$ref", "src"})
"""Keys, in lower case, by which a specification could load or link something, or steer the program that embeds it."""


def has_chart(execution: Execution) -> bool:
    """Whether an execution gave a Vega-Lite chart, safe or not."""
    return execution.status == "ok" and _specification(execution) is not None


def find_chart(execution: Execution) -> dict[str, JsonValue] | None:
    """The chart of an execution; None where there is none, or it is not safe to draw."""
    specification = _specification(execution)
    if specification is None or why_unsafe(specification) is not None:
        return None
    return {key: value for key, value in specification.items() if key != "$schema"}


def why_unsafe(specification: JsonValue) -> str | None:
    """What in a specification could reach outside the page; None where nothing does."""
    for node in _objects(specification):
        for key, value in node.items():
            if key.casefold() in _REACHING:
                return f"It names {key!r}, which could load something from outside."
            if key == "mark" and (value == "image" or (isinstance(value, dict) and value.get("type") == "image")):
                return "It draws images, which could load something from outside."
    return None


def _objects(value: JsonValue) -> Iterator[dict[str, JsonValue]]:
    """Every object of the specification but the rows of its data."""
    stack: list[JsonValue] = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield node
            for key, child in node.items():
                if key == "values" and isinstance(child, list):
                    continue
                if key == "datasets" and isinstance(child, dict):
                    continue
                stack.append(child)
        elif isinstance(node, list):
            stack.extend(node)


def _specification(execution: Execution) -> dict[str, JsonValue] | None:
    for output in reversed(execution.outputs):
        data = output.get("data")
        if not isinstance(data, dict):
            continue
        for mime, content in data.items():
            if mime.startswith(_PREFIX) and isinstance(content, dict):
                return content
    return None
