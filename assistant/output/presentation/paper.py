"""A result as it stands by itself, away from the page: a table in words, a chart with its colours. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.output.presentation.columns import Column
from assistant.output.presentation.formats import shown

PALETTE = ("#0B7A69", "#D9590A", "#4B2A86", "#8C8CD9", "#6D1212", "#B9784A", "#133239", "#B82BC4")
"""The light theme's colours, so that a picture looks like the page; `tests/ui/views/test_colours.py` says why these."""
_WIDTH_PX = 640


def standing_alone(specification: dict[str, Any]) -> dict[str, Any]:
    """A chart's specification as a file of its own: with a schema, a width, a white ground and the page's colours."""
    wide = {} if "facet" in specification else {"width": _WIDTH_PX}
    schema = {"$schema": "https://vega.github.io/schema/vega-lite/v6.json"}
    config = {**specification.get("config", {}), "range": {"category": list(PALETTE)}, "mark": {"color": PALETTE[0]}}
    return {**schema, "background": "white", **wide, **specification, "config": config}


def in_words(columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> tuple[tuple[str, ...], ...]:
    """The rows as a reader sees them: figures with their units, days as days; empty where there is no value."""
    return tuple(
        tuple("" if value is None else shown(value, column) for value, column in zip(row, columns, strict=True))
        for row in rows
    )


def at_the_right(columns: Sequence[Column]) -> frozenset[int]:
    """The places of the columns that stand at the right, as figures do."""
    return frozenset(n for n, column in enumerate(columns) if column.role == "measure")
