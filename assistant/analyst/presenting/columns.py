"""What each column of a result is to a reader: a time, a group, or a figure with its unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assistant.analyst import algebra as al
from assistant.analyst.conversions import conversion
from assistant.analyst.linking.tokens import unit_words
from assistant.analyst.meaning import Meaning
from assistant.analyst.presenting.headings import column_names, is_time
from assistant.analyst.roles import Typed
from assistant.analyst.schema import Schema
from assistant.analyst.wording import describe_unit, outputs_of

Kind = Literal["time", "group", "figure", "value"]

_QUOTIENT = re.compile(r"(?<![\w/])([^\W\d_]+)/(\d*[^\W\d_][\w²³]*)(?![\w/])")
"""One unit by another, such as `km/h` and `g/100ml`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A column of a result. `grain` is a time's; `adds_up` whether the figures of groups make a total; `names` whether
    its numbers are years or codes, which are written bare."""

    name: str
    words: str
    kind: Kind
    unit: str = ""
    grain: str = ""
    adds_up: bool = False
    is_fraction: bool = False
    names: bool = False


def shown_columns(
    meaning: Meaning, columns: Sequence[str], rows: Sequence[Sequence[object]], schema: Schema
) -> tuple[Shown, ...]:
    """The columns of a result, by the query that gave it; by their values where it is a person's with other names."""
    query = meaning.query
    outputs = outputs_of(schema.said(query))
    if len(outputs) == len(columns) and (not meaning.verbatim or column_names(schema.said(query)) == tuple(columns)):
        described = zip(al.outputs_shown(query), columns, outputs, strict=True)
        keys = query.keys if isinstance(query, al.Grouped) else ()
        result = [_shown(output, name, words, schema, is_key=output in keys) for output, name, words in described]
        if any(column.kind == "time" for column in result):
            pairs = zip(result, al.outputs_shown(query), strict=True)
            result = [replace(c, adds_up=c.adds_up and not _is_level(output, schema)) for c, output in pairs]
    else:
        result = _of_values(columns, rows)
    return tuple(_named(column, [row[place] for row in rows]) for place, column in enumerate(result))


def _is_level(output: object, schema: Schema) -> bool:
    """Whether it is of levels, such as populations, which do not add up over time."""
    return isinstance(output, al.Aggregate) and any(
        schema.typed[part].role == "stock" for part in al.parts(output.term) if isinstance(part, al.Column)
    )


def _named(column: Shown, values: Sequence[object]) -> Shown:
    """A column with whether its numbers are years or codes: the latest year of something is no amount of years."""
    from assistant.output.presentation.columns import FigureProperties, number, what_is_named, words_of

    figures = [figure for value in values if (figure := number(value)) is not None]
    declared = FigureProperties(
        unit="count" if column.unit == "%" else "", additive=column.adds_up or column.is_fraction
    )
    if column.kind not in ("figure", "value") or not figures:
        return column
    role = what_is_named(words_of(column.name), figures, declared)
    # The greatest or the average year is a year still; how many codes there are is no code.
    return replace(column, unit="", names=True) if role == "time" or (role and column.kind == "value") else column


def _shown(output: al.Term | al.Figure, name: str, words: str, schema: Schema, *, is_key: bool) -> Shown:
    match output:
        case al.Count() | al.Aggregate() | al.Metric() | al.Combined() | al.Share() | al.Window():
            return _figure(output, name, words, schema)
        case al.Column():
            typed = schema.typed[output]
            if typed.is_measured and not is_key:  # a number that rows are grouped by is what each group is called
                return Shown(name=name, words=words, kind="value", unit=_unit(output.name, typed))
            kind: Kind = "time" if is_time(output, schema) else "group"
            return Shown(name=name, words=words, kind=kind, grain=typed.part)
        case al.Grain():
            return Shown(name=name, words=words, kind="time", grain=output.grain)
        case _:
            is_group = is_key or isinstance(output, al.Band | al.Output)
            return Shown(name=name, words=words, kind="group" if is_group else "value")


def _figure(figure: al.Figure, name: str, words: str, schema: Schema) -> Shown:
    from assistant.analyst.checking import adds_up

    adds, part = adds_up(figure), _is_part(figure)
    return Shown(name=name, words=words, kind="figure", unit=_unit_of(figure, schema), adds_up=adds, is_fraction=part)


def _is_part(figure: al.Figure) -> bool:
    """Whether it is a part of a whole, or a growth: the quotient of "the percentage of orders that were late" is."""
    if not isinstance(figure, al.Combined) or figure.how != "ratio":
        return isinstance(figure, al.Share) or (isinstance(figure, al.Combined) and figure.how == "growth")
    numerator, denominator = figure.left, figure.right
    return isinstance(numerator, al.Count | al.Metric) and type(numerator) is type(denominator)


def _unit_of(figure: al.Figure, schema: Schema) -> str:
    match figure:
        case al.Metric():
            return figure.unit
        case al.Aggregate(term=al.Column() as column) if figure.function not in ("count", "distinct"):
            return _unit(column.name, schema.typed[column])
        case al.Aggregate(term=al.Arithmetic() as term) if (converted := conversion(term)) is not None:
            return describe_unit(converted[1])
        case al.Combined(how="difference"):
            return _unit_of(figure.left, schema)
        case al.Window():
            return _unit_of(figure.figure, schema)
        case _:
            return ""


def _unit(name: str, typed: Typed) -> str:
    """A column's unit; "miles per gallon" is a rate of two, which its name says, and "km/h" is one as it is written."""
    quotient = _QUOTIENT.search(name) if typed.unit else None
    if quotient is not None and {quotient[1].lower(), quotient[2].lower()} & unit_words().keys():
        return quotient[0]
    return "" if "per" in typed.words else describe_unit(typed.unit)


def _of_values(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[Shown]:
    described: list[Shown] = []
    for place, name in enumerate(columns):
        values = [row[place] for row in rows if row[place] is not None]
        numeric = bool(values) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
        figure = numeric and place > 0
        unit = "%" if figure and ("rate" in name or "percent" in name or "share" in name) else ""
        kind: Kind = "figure" if figure or (numeric and len(columns) == 1) else "group"
        described.append(Shown(name=name, words=name.replace("_", " "), kind=kind, unit=unit))
    return described
