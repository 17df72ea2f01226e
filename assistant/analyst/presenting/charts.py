"""The chart that fits a result, as a cell of Altair code that a person can read.

Time makes a line, groups make bars, a second key makes colours; a single value or a plain list makes none. What the
person asked for wins where it can be drawn.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from assistant.analyst.meaning import Meaning
from assistant.analyst.presenting.answers import Result
from assistant.analyst.presenting.columns import Shown, shown_columns
from assistant.analyst.schema import Schema
from assistant.analyst.wording import sentence

_BARS_MAX = 25
_COLOURS_MAX = 8
_SLICES_MAX = 10
_PARSED = frozenset(("month", "day"))
"""Periods whose values are dates on the axis; others are drawn in the order in which they come."""


def chart_code(meaning: Meaning, result: Result, schema: Schema, *, frame: str) -> str | None:
    """The chart's cell over the DataFrame `frame`; None where a chart would say nothing."""
    columns = shown_columns(meaning, result.columns, result.rows, schema)
    keys = [column for column in columns if column.kind in ("time", "group")]
    figures = [column for column in columns if column.kind == "figure"]
    if result.total < 2 or not figures or not 1 <= len(keys) <= 2:
        return None
    title = meaning.verbatim.question.rstrip("?. ") if meaning.verbatim else sentence(meaning.query)
    main, other = _axes(keys, columns, result.rows)
    kind = _kind(meaning, main, other, result.total)
    data, lines = frame, list[str]()
    if main.kind == "group" and other is None and result.total > _BARS_MAX:
        data, title = f"{frame}.head({_BARS_MAX})", f"{title} (first {_BARS_MAX} of {result.total:,})"
    if other is not None and _members(other, columns, result.rows) > _COLOURS_MAX:
        lines = _largest(other, figures[0])
        title = f"{title} (the {_COLOURS_MAX} largest)"
    encoding = _encoding(kind, main, other, figures[0])
    return "\n".join(
        [
            "import altair as alt",
            "",
            f"chart_data = {data}",
            *lines,
            f"alt.Chart(chart_data, title={_text(title)}).{_mark(kind)}.encode(",
            *(f"    {part}," for part in encoding),
            ").properties(width=560)",
        ]
    )


def _axes(
    keys: Sequence[Shown], columns: Sequence[Shown], rows: Sequence[Sequence[object]]
) -> tuple[Shown, Shown | None]:
    """The key on the axis and the one in colours: time, else the one with more values, stands on the axis."""
    if len(keys) == 1:
        return keys[0], None
    first, second = keys
    if first.kind == "time" or second.kind == "time":
        return (first, second) if first.kind == "time" else (second, first)
    larger = _members(first, columns, rows) >= _members(second, columns, rows)
    return (first, second) if larger else (second, first)


def _members(column: Shown, columns: Sequence[Shown], rows: Sequence[Sequence[object]]) -> int:
    place = columns.index(column)
    return len({row[place] for row in rows})


def _kind(meaning: Meaning, main: Shown, other: Shown | None, total: int) -> str:
    kind = meaning.chart or ("line" if main.kind == "time" else "bar")
    return "bar" if kind == "pie" and (other is not None or total > _SLICES_MAX) else kind


def _mark(kind: str) -> str:
    marks = {"pie": "mark_arc()", "line": "mark_line(point=True)", "area": "mark_area()", "scatter": "mark_point()"}
    return marks.get(kind, "mark_bar()")


def _largest(other: Shown, figure: Shown) -> list[str]:
    colour = _text(other.name)
    return [
        f"largest = chart_data.groupby({colour})[{_text(figure.name)}].sum().nlargest({_COLOURS_MAX}).index",
        f"chart_data = chart_data[chart_data[{colour}].isin(largest)]",
    ]


def _encoding(kind: str, main: Shown, other: Shown | None, figure: Shown) -> list[str]:
    form = ".1%" if figure.is_fraction else ",.1f" if figure.unit == "%" else ",.0f" if figure.adds_up else ",.2f"
    axis = f"title={_text(_titled(figure))}, axis=alt.Axis(format={_text(form)})"
    value = _text(f"{figure.name}:Q")
    if kind == "pie":
        found = [
            f"theta=alt.Theta({value}, title={_text(_titled(figure))})",
            f"color=alt.Color({_text(main.name + ':N')}, title={_text(_titled(main))}, sort=None)",
        ]
    elif main.kind == "time":
        scale = "T" if main.grain in _PARSED else "O"
        found = [
            f"x=alt.X({_text(f'{main.name}:{scale}')}, title={_text(_titled(main))})",
            f"y=alt.Y({value}, {axis})",
        ]
    else:
        found = [
            f"x=alt.X({value}, {axis})",
            f"y=alt.Y({_text(main.name + ':N')}, title={_text(_titled(main))}, sort=None)",
        ]
    if other is not None:
        found.append(f"color=alt.Color({_text(other.name + ':N')}, title={_text(_titled(other))})")
    names = [main.name, *([other.name] if other else []), figure.name]
    return [*found, f"tooltip=[{', '.join(_text(name) for name in names)}]"]


def _titled(column: Shown) -> str:
    title = column.words[:1].upper() + column.words[1:]
    return f"{title} ({column.unit})" if column.unit else title


def _text(value: str) -> str:
    """A Python string literal."""
    return json.dumps(value, ensure_ascii=False)
