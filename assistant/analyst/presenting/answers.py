"""The answer in words, from the rows that came: figures with their units, what stands out, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from assistant.analyst.algebra import Column, Grain, Within, parts
from assistant.analyst.data_coverage import empty_periods
from assistant.analyst.meaning import Meaning
from assistant.analyst.names import plural
from assistant.analyst.presenting.columns import Shown, shown_columns
from assistant.analyst.schema import Schema
from assistant.analyst.wording import part_of_date, sentence
from assistant.plain_english import joined

_EQUAL_MAX, _LISTED_MAX, _FIGURES_MAX = 3, 10, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRows:
    """The rows of a result as far as they are at hand, of `total`."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    total: int

    @classmethod
    def of(cls, columns: Sequence[str], rows: Sequence[Sequence[object]], total: int) -> AnswerRows:
        """A result with its exact decimals as the numbers that they are."""
        return cls(columns=columns, rows=[[_plain(cell) for cell in row] for row in rows], total=total)


def _plain(cell: object) -> object:
    if not isinstance(cell, Decimal):
        return cell
    return int(cell) if cell.is_finite() and cell == cell.to_integral_value() else float(cell)


def word_answer(meaning: Meaning, result: AnswerRows, schema: Schema, *, title: str = "") -> str:
    """The answer, in Markdown, behind a title: without one, what was asked."""
    question = meaning.verbatim.question.rstrip("?. ") if meaning.verbatim else sentence(schema.said(meaning.query))
    title = title or question
    if result.total == 0 or not result.rows:
        return f"{title}: nothing matches."
    columns = shown_columns(meaning, result.columns, result.rows, schema)
    if result.total == 1:
        return _one(title, columns, result.rows[0])
    figures = [i for i, column in enumerate(columns) if column.kind == "figure"]
    if not figures:
        return _listed(title, meaning, columns, result)
    if len(figures) == 1:
        return _groups(title, meaning, columns, result, figures[0])
    titles = {i: columns[i].words[:1].upper() + columns[i].words[1:] for i in figures[:_FIGURES_MAX]}
    texts = (_groups(name, meaning, columns, result, i) for i, name in titles.items())
    return f"{title}. {' '.join(texts)}"


def notes(meaning: Meaning, result: AnswerRows, schema: Schema) -> tuple[str, ...]:
    """What a person should know of the rows: values without a name, a list that was cut, data that ended before."""
    remarks: list[str] = []
    for first, last in empty_periods(meaning.query, schema) if not any(map(any, result.rows)) else ():
        remarks.append(f"The data goes from {first:%Y-%m-%d} to {last:%Y-%m-%d}: ask for a period in that time.")
    if _has_days_of_instants(meaning, schema):
        remarks.append(f"Days are those of {schema.time_zone}.")
    columns = shown_columns(meaning, result.columns, result.rows, schema)
    for place, column in enumerate(columns):
        if column.kind in ("group", "time") and (nameless := sum(row[place] is None for row in result.rows)):
            remarks.append(f"{nameless:,} {'row has' if nameless == 1 else 'rows have'} no {column.words} recorded.")
            break
    return tuple(remarks)


def _has_days_of_instants(meaning: Meaning, schema: Schema) -> bool:
    """Whether a query groups or filters by when instants were, which is another day in another zone."""
    asked = [
        part.of if isinstance(part, Grain) else part.term
        for part in parts(meaning.query)
        if isinstance(part, Grain | Within)
    ]
    return any(isinstance(term, Column) and schema.profiled[term].conversion == "zoned" for term in asked)


def _one(title: str, columns: Sequence[Shown], row: Sequence[object]) -> str:
    """A result of one row."""
    if len(columns) == 1:
        value = said(row[0], columns[0])
        return f"{title}: **{value}**." if row[0] is not None else f"{title}: there is nothing to compute it from."
    cells = [f"{column.words} **{said(value, column)}**" for column, value in zip(columns, row, strict=True)]
    return f"{title}: {', '.join(cells)}."


def _listed(title: str, meaning: Meaning, columns: Sequence[Shown], result: AnswerRows) -> str:
    """A list of rows: all of them where they are few; none where the chart shows how their values are spread."""
    if meaning.chart == "box":
        return f"{title}: **{result.total:,}** rows."
    first = [f"**{_label(columns, row)}**" for row in result.rows[:_LISTED_MAX]]
    more = f", and {result.total - len(first):,} more" if result.total > len(first) else ""
    count = "" if meaning.query.limit else f" ({result.total:,})"
    return f"{title}{count}: {', '.join(first)}{more}."


def _label(columns: Sequence[Shown], row: Sequence[object]) -> str:
    parts = [said(value, column) for column, value in zip(columns, row, strict=True) if column.kind != "value"]
    values = [said(value, column) for column, value in zip(columns, row, strict=True) if column.kind == "value"]
    name = " ".join(parts[:2]) or values[0]
    return f"{name} ({values[0]})" if parts and values else name


def _groups(title: str, meaning: Meaning, columns: Sequence[Shown], result: AnswerRows, figure: int) -> str:
    """Figures by group: the course of a time, the ends of anything else."""
    column = columns[figure]
    rows_with_figure = [row for row in result.rows if isinstance(row[figure], int | float)]
    if not rows_with_figure:
        return f"{title}: no group has a figure."
    if len(result.rows) < result.total:
        title = f"{title} (the first {len(result.rows):,} of {result.total:,} rows)"
    keys = [i for i, c in enumerate(columns) if c.kind in ("group", "time")]
    if len(keys) == 1 and columns[keys[0]].kind == "time" and not meaning.query.limit:
        text = _course(title, columns, rows_with_figure, keys[0], figure)
    elif meaning.query.limit and result.total <= _LISTED_MAX:
        listed = [f"**{_name(columns, keys, row)}** ({said(row[figure], column)})" for row in rows_with_figure]
        text = f"{title}: {', '.join(listed)}."
    else:
        text = _ends(title, columns, rows_with_figure, keys, figure)
    if not column.adds_up or len(result.rows) < result.total or meaning.query.limit:
        return text
    return f"{text} Total {said(sum(_number(row, figure) for row in rows_with_figure), column)}."


def _number(row: Sequence[object], place: int) -> float:
    return value if isinstance(value := row[place], int | float) else 0.0


def _course(title: str, columns: Sequence[Shown], rows: Sequence[Sequence[object]], time: int, figure: int) -> str:
    when, column = columns[time], columns[figure]

    def at(row: Sequence[object]) -> tuple[str, str]:
        return said(row[figure], column), said(row[time], when)

    (first, began), (last, final) = at(rows[0]), at(rows[-1])
    most, peak = at(max(rows, key=lambda row: _number(row, figure)))
    return f"{title}: from **{first}** ({began}) to **{last}** ({final}), highest in **{peak}** ({most})."


def _ends(
    title: str, columns: Sequence[Shown], rows: Sequence[Sequence[object]], keys: Sequence[int], figure: int
) -> str:
    def at(row: Sequence[object]) -> tuple[str, str]:
        equal = sorted(_name(columns, keys, other) for other in rows if other[figure] == row[figure])
        named = equal if len(equal) <= _EQUAL_MAX else [equal[0], f"{len(equal) - 1:,} others"]
        return joined(named), said(row[figure], columns[figure])

    top, most = at(max(rows, key=lambda row: _number(row, figure)))
    low, least = at(min(rows, key=lambda row: _number(row, figure)))
    if not keys:
        return f"{title}: from **{least}** to **{most}**, in {len(rows):,} rows."
    if most == least:
        return f"{title}: **{most}** for each of {len(rows):,}."
    many = plural(columns[keys[0]].words) if len(keys) == 1 else "groups"
    return f"{title}: **{top}** is highest ({most}), **{low}** lowest ({least}), of {len(rows):,} {many}."


def _name(columns: Sequence[Shown], keys: Sequence[int], row: Sequence[object]) -> str:
    """What a group is called: the values of its keys."""
    return ", ".join(f"no {columns[i].words}" if row[i] in (None, "") else said(row[i], columns[i]) for i in keys)


def said(value: object, column: Shown) -> str:
    """A value as people read it."""
    if value is None:
        return "none"
    if column.kind == "time":
        return _time(value, column.grain)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float) and column.kind in ("figure", "value"):
        return _figure(value, column)
    if isinstance(value, datetime | date):
        return value.isoformat()[:10]
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _figure(value: float, column: Shown) -> str:
    if column.names:
        return f"{value:.12g}"
    if column.is_fraction:
        return f"{100 * value:,.1f} %"
    is_integer = isinstance(value, int) or float(value).is_integer()
    number = f"{value:,.0f}" if is_integer or abs(value) >= 10_000 else f"{value:,.2f}"
    return f"{number} {column.unit}".strip()


def _time(value: object, grain: str) -> str:
    """A period as people say it: "March 2025", "Monday"."""
    text = str(value)
    if grain == "month" and len(text) == 7:
        return f"{date.fromisoformat(f'{text}-01'):%B %Y}"
    return part_of_date(value, grain) or (str(int(value)) if isinstance(value, int | float) else text[:10])
