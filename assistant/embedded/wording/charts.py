"""The chart that fits a result's shape, as a cell of Altair code a person can read.

Time makes lines, categories make bars, two dimensions make colours; a single value or a plain list makes none. What
the person asked for ("as a pie chart") wins where it can be drawn.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from assistant.embedded.meaning import Dimension, Meaning, Measure
from assistant.embedded.sql.headings import dimension_names, slug
from assistant.embedded.wording.phrases import restated
from assistant.embedded.words.lexicon import plural

_BARS_MAX = 25
_COLOURS_MAX = 8
"""How many groups can be told apart by their colours."""
_SLICES_MAX = 10
_ROWS_MAX = 4
"""How many figures are drawn one above another."""


def members_of(meaning: Meaning, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> tuple[int, ...]:
    """How many different values each group has, in the order of the groups, as far as `rows` show."""
    places = [[columns.index(n) for n in dimension_names(d) if n in columns] for d in meaning.dimensions]
    return tuple(len({tuple(row[at] for at in held) for row in rows}) for held in places)


def chart_code(
    meaning: Meaning, columns: Sequence[str], rows_total: int, frame_name: str, *, members: Sequence[int] = ()
) -> str | None:
    """The chart's cell, or None where a chart would say nothing.

    Args:
        meaning: What was asked.
        columns: The result's columns as they came.
        rows_total: How many rows the result has.
        frame_name: The variable that holds the result as a pandas DataFrame.
        members: How many different values each group has, if known.
    """
    if meaning.chart == "none" or rows_total < 2:
        return None
    dimensions = list(meaning.dimensions)
    measure = _measure(meaning)
    if measure is None and meaning.columns and meaning.chart:
        return _of_listing(meaning, columns, rows_total, frame_name)
    if measure is None or not dimensions or len(dimensions) > 2:
        return None
    value = slug(measure.label)
    names = [_shown(d) for d in dimensions]
    several = [m for m in meaning.figures if not m.context and not m.share and slug(m.label) in columns]
    if len(dimensions) == 1 and 1 < len(several) <= _ROWS_MAX and not meaning.divided and not meaning.chart:
        return _one_above_another(meaning, names[0], several, rows_total=rows_total, frame=frame_name)
    if value not in columns or any(part not in columns for d in dimensions for part in dimension_names(d)):
        return None
    return _drawn(
        meaning, names, measure, rows_total=rows_total, frame=frame_name, members=members or (1,) * len(names)
    )


def _measure(meaning: Meaning) -> Measure | None:
    if meaning.divided:
        return meaning.figures[-1]
    shares = [m for m in meaning.measures if m.share]
    return next(iter([*shares, *(m for m in meaning.measures if not m.context), *meaning.measures]), None)


def _shown(dimension: Dimension) -> str:
    return slug(dimension.label) if dimension.more else dimension_names(dimension)[0]


def _drawn(
    meaning: Meaning, names: list[str], measure: Measure, *, rows_total: int, frame: str, members: Sequence[int]
) -> str:
    dimensions, value = list(meaning.dimensions), slug(measure.label)
    imports = ["import altair as alt"]
    data = _prepared(dimensions, names, frame)
    if "pd." in data:
        imports.append("import pandas as pd")
    timed = next((i for i, d in enumerate(dimensions) if d.grain or d.label == "year"), None)
    parted = dimensions[0].part is not None or bool(dimensions[0].edges)
    most = 0 if parted else members.index(max(members))  # names stand on the axis rather than as colours
    main = timed if timed is not None else len(dimensions) - 1 if meaning.within else most
    other = None if len(dimensions) == 1 else 1 - main
    title = restated(meaning)
    kind = meaning.chart or ("line" if timed is not None else "bar")
    long = timed is None and other is None and rows_total > _BARS_MAX
    if long:
        data, title = f"{data}.head({_BARS_MAX})", f"{title} (first {_BARS_MAX} of {rows_total:,})"
    if kind == "pie" and (other is not None or rows_total > _SLICES_MAX):
        kind = "bar"
    axis = f"alt.Axis(format={_text(_format(measure))})"
    figure = f"title={_text(_titled(measure))}, axis={axis}"
    label = dimensions[main].label.capitalize()
    if kind == "pie":
        encoding = [
            f"theta=alt.Theta({_text(value + ':Q')}, title={_text(_titled(measure))})",
            f"color=alt.Color({_text(names[main] + ':N')}, title={_text(label)}, sort=None)",
        ]
    elif timed is not None:
        grain = dimensions[main].grain
        continuous = grain is not None and grain != "year"
        scale = f"alt.X({_text(names[main] + (':T' if continuous else ':O'))}, title={_text(label)}{_months(grain)})"
        encoding = [f"x={scale}", f"y=alt.Y({_text(value + ':Q')}, {figure})"]
    elif parted:
        encoding = [
            f"x=alt.X({_text(names[main] + ':O')}, title={_text(label)}, sort=None)",
            f"y=alt.Y({_text(value + ':Q')}, {figure})",
        ]
    else:
        encoding = [
            f"x=alt.X({_text(value + ':Q')}, {figure})",
            f"y=alt.Y({_text(names[main] + ':N')}, title={_text(label)}, sort={_sorted(meaning, other)})",
        ]
    if other is not None:
        encoding.append(
            f"color=alt.Color({_text(names[other] + ':N')}, title={_text(dimensions[other].label.capitalize())})"
        )
    tips = [_tip(d, name) for d, name in zip(dimensions, names, strict=True)]
    tips.append(
        f"alt.Tooltip({_text(value + ':Q')}, title={_text(_titled(measure))}, format={_text(_format(measure))})"
    )
    encoding.append(f"tooltip=[{', '.join(tips)}]")
    mark = {"pie": "mark_arc()", "line": "mark_line(point=True)", "area": "mark_area()", "scatter": "mark_point()"}.get(
        kind, "mark_bar()"
    )
    largest: list[str] = []
    if other is not None and members[other] > _COLOURS_MAX:
        colour, label = _text(names[other]), plural(dimensions[other].label)
        total = f"chart_data.groupby({colour})[{_text(value)}].sum()"
        largest = [
            f"largest = {total}.nlargest({_COLOURS_MAX}).index",
            f"chart_data = chart_data[chart_data[{colour}].isin(largest)]",
        ]
        title = f"{title} (the {_COLOURS_MAX} largest of {members[other]:,} {label})"
    lines = [
        *imports,
        "",
        f"chart_data = {data}",
        *largest,
        f"alt.Chart(chart_data, title={_text(title)}).{mark}.encode(",
    ]
    lines += [f"    {part}," for part in encoding]
    return "\n".join([*lines, ").properties(width=560)"])


def _months(grain: str | None) -> str:
    """An axis of whole months: by itself it would count in weeks."""
    return ', axis=alt.Axis(format="%b %Y", tickCount="month", labelOverlap=True)' if grain == "month" else ""


def _one_above_another(meaning: Meaning, name: str, figures: Sequence[Measure], *, rows_total: int, frame: str) -> str:
    """Several figures by one group: a small chart for each, with a scale of its own."""
    dimension = meaning.dimensions[0]
    values = [slug(m.label) for m in figures]
    title = restated(meaning)
    data = _prepared([dimension], [name], frame)
    if dimension.grain is None and rows_total > _BARS_MAX:
        data, title = f"{data}.head({_BARS_MAX})", f"{title} (first {_BARS_MAX} of {rows_total:,})"
    label = dimension.label.capitalize()
    timed = dimension.grain is not None or dimension.label == "year"
    kind = "T" if dimension.grain and dimension.grain != "year" else "O" if timed or dimension.part else "N"
    mark = "mark_line(point=True)" if timed else "mark_bar()"
    imports = ["import altair as alt", *(["import pandas as pd"] if "pd." in data else [])]
    called = {value: _titled(m) for value, m in zip(values, figures, strict=True)}
    lines = [
        *imports,
        "",
        f"figures = {json.dumps(called, ensure_ascii=False)}",
        f"chart_data = {data}.rename(columns=figures).melt({_text(name)}, list(figures.values()), 'figure', 'value')",
        f"alt.Chart(chart_data).{mark}.encode(",
        f"    x=alt.X({_text(f'{name}:{kind}')}, title={_text(label)}, sort=None{_months(dimension.grain)}),",
        '    y=alt.Y("value:Q", title=None),',
        '    color=alt.Color("figure:N", legend=None),',
        f'    tooltip=[{_tip(dimension, name)}, alt.Tooltip("value:Q", title="Value", format=",.1f")],',
        ").properties(width=560, height=140).facet(",
        '    row=alt.Row("figure:N", title=None, sort=list(figures.values()), header=alt.Header(labelAngle=0,'
        ' labelOrient="top", labelAnchor="start")),',
        f"    title={_text(title)},",
        ').resolve_scale(y="independent")',
    ]
    return "\n".join(lines)


def _prepared(dimensions: list[Dimension], names: list[str], frame: str) -> str:
    """The frame with real dates, and people's names in one column."""
    changes: list[str] = []
    for dimension, name in zip(dimensions, names, strict=True):
        if dimension.grain and dimension.grain != "year":
            changes.append(f"{name}=pd.to_datetime({frame}[{_text(name)}])")
        elif dimension.more:
            parts = dimension_names(dimension)
            whole = f'{frame}[{_text(parts[0])}].fillna("")'
            for part in parts[1:]:
                whole += f' + " " + {frame}[{_text(part)}].fillna("")'
            changes.append(f"{name}={whole}")
    return f"{frame}.assign({', '.join(changes)})" if changes else frame


def _sorted(meaning: Meaning, other: int | None) -> str:
    """Bars stand by size, unless another order was asked for."""
    if meaning.within:
        return "None"
    if other is None and any(o.by == "dimension" for o in meaning.order):
        return "None"
    return _text("-x") if not meaning.order or meaning.order[0].descending else _text("x")


def _tip(dimension: Dimension, name: str) -> str:
    title = _text(dimension.label.capitalize())
    if dimension.grain and dimension.grain != "year":
        form = {"day": "%-d %b %Y", "week": "week of %-d %b %Y", "month": "%b %Y", "quarter": "Q%q %Y"}[dimension.grain]
        return f"alt.Tooltip({_text(name + ':T')}, title={title}, format={_text(form)})"
    return f"alt.Tooltip({_text(name + ':N')}, title={title})"


def _titled(measure: Measure) -> str:
    title = measure.label[:1].upper() + measure.label[1:]
    return f"{title} ({measure.unit})" if measure.unit else title


def _format(measure: Measure) -> str:
    if measure.unit == "%" or measure.aggregate == "average":
        return ",.1f"
    if measure.per is not None or measure.until is not None or not (measure.aggregate or measure.metric):
        return ",.2f"
    return ",.0f" if measure.aggregate in ("count", "distinct") else ",~f" if measure.aggregate else ",.0f"


def _of_listing(meaning: Meaning, columns: Sequence[str], rows_total: int, frame: str) -> str | None:
    """A list is drawn only on request, and only where it has a name and a number."""
    listed = [c for c in meaning.columns if dimension_names(c)[0] in columns]
    ordered = next((o.index for o in meaning.order if o.by == "column"), None)
    if len(listed) < 2 or ordered is None or ordered >= len(listed) or ordered == 0:
        return None
    label, number = dimension_names(listed[0])[0], dimension_names(listed[ordered])[0]
    title = restated(meaning)
    return "\n".join(
        [
            "import altair as alt",
            "",
            f"chart_data = {frame}.head({_BARS_MAX})" if rows_total > _BARS_MAX else f"chart_data = {frame}",
            f"alt.Chart(chart_data, title={_text(title)}).mark_bar().encode(",
            f"    x=alt.X({_text(number + ':Q')}, title={_text(listed[ordered].label.capitalize())}),",
            f'    y=alt.Y({_text(label + ":N")}, title={_text(listed[0].label.capitalize())}, sort="-x"),',
            f"    tooltip=[{_text(label)}, {_text(number)}],",
            ").properties(width=560)",
        ]
    )


def _text(value: str) -> str:
    """A Python string literal with double quotes."""
    return json.dumps(value, ensure_ascii=False)
