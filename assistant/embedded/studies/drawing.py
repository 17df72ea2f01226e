"""Filling a study's cell: the templates beside this module, with names, days and numbers put in as Python literals.

A template is the code a person reads, approves and keeps, so it is written as such; only what differs from question to
question is a `$name` in it.
"""

from __future__ import annotations

import json
from importlib import resources
from string import Template

from assistant.embedded.meaning import Grain
from assistant.embedded.studies.study import Figure, Grouping, Series

_FREQUENCIES: dict[Grain, str] = {"day": "D", "week": "W-MON", "month": "MS", "quarter": "QS", "year": "YS"}
_TIPS: dict[Grain, str] = {
    "day": "%-d %b %Y", "week": "week of %-d %b %Y", "month": "%b %Y", "quarter": "Q%q %Y", "year": "%Y",
}  # fmt: skip


def filled(name: str, **values: str | int | float) -> str:
    """A template with its values put in; those of `literal` are Python text already.

    Raises:
        KeyError: the template names a value that is not given.
    """
    text = resources.files("assistant.embedded.studies").joinpath("cells", f"{name}.py.txt").read_text("utf-8")
    return Template(text).substitute({key: str(value) for key, value in values.items()}).strip()


def literal(value: object) -> str:
    """A Python literal with double quotes for text."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | list) else repr(value)


def axis_title(figure: Figure) -> str:
    """What stands beside an axis: "Net revenue (EUR)"."""
    title = figure.label[:1].upper() + figure.label[1:]
    return f"{title} ({figure.unit})" if figure.unit else title


def series_code(series: Series, frame: str) -> str:
    """The lines that make `series`: the figure by whole period, with periods that have no rows as zero or left out."""
    return filled(
        "series",
        frame=frame,
        period=literal(series.period),
        figure=literal(series.figure.column),
        first=literal(series.first.isoformat()),
        end=literal(series.end.isoformat()),
        frequency=literal(_FREQUENCIES[series.grain]),
        grain=series.grain,
        cut="".join(f"\n# {note}" for note in series.cut),
        gaps="series.fillna(0.0)" if series.figure.adds_up else "series.dropna()",
    )


def series_by_group_code(series: Series, groups: Grouping, frame: str, *, kept: int) -> str:
    """The lines that make `table`, the figure by whole period with a column for each group, and name the `largest`."""
    adds_up = series.figure.adds_up
    return filled(
        "series_by_group",
        frame=frame,
        period=literal(series.period),
        group=literal(groups.column),
        group_label=in_comment(groups.label),
        none=literal(f"(no {groups.label})"),
        figure=literal(series.figure.column),
        first=literal(series.first.isoformat()),
        end=literal(series.end.isoformat()),
        frequency=literal(_FREQUENCIES[series.grain]),
        grain=series.grain,
        cut="".join(f"\n# {note}" for note in series.cut),
        gaps="table = table.fillna(0.0).where(begun)\n" if adds_up else "",
        size="total" if adds_up else "average",
        size_of="table.sum()" if adds_up else "table.mean()",
        kept=kept,
    )


def in_comment(text: str) -> str:
    """Text of the data's own as it may stand behind a "#": on one line."""
    return " ".join(text.split())


def tip(grain: Grain) -> str:
    """How a chart writes a period."""
    return _TIPS[grain]


def frequency(grain: Grain) -> str:
    """The grain as pandas calls it."""
    return _FREQUENCIES[grain]
