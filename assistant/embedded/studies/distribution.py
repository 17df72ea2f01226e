"""How a figure is spread: its five numbers and histogram, its median or quartiles, or the values far outside.

Outliers are told by the quartiles (1.5 times their distance beyond them), which a few wild values cannot move.
Source: Tukey, Exploratory Data Analysis, 1977.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from assistant.embedded.meaning import Dimension, Meaning
from assistant.embedded.source.schema import Attribute
from assistant.embedded.sql.headings import column_names, dimension_names
from assistant.embedded.studies.asking import Asked, Read, figure_of, stripped, titled, where
from assistant.embedded.studies.drawing import axis_title, filled, literal
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.study import Distribution, Figure
from assistant.embedded.studies.telling import Result, Told, amount, lowered, number, percent
from assistant.embedded.words.lexicon import plural, singular

Focus = Literal["shape", "outliers", "median", "quartiles", "deviation", "percentile"]
_WHAT = r"^(?:(?:what|how) (?:is|are|was|were)|plot|draw|find|list|calculate|compute|(?:is|are) there|does|do|which)? ?(?:the |any |some )?"
_TEXTS: tuple[tuple[Focus, str], ...] = (
    (
        "shape",
        rf"{_WHAT}(?:distribution|histogram|spread|five[ -]number summary)s? (?:of|for|in)(?: the)? (?P<figure>.+)$",
    ),
    (
        "shape",
        r"^how (?:is|are|was|were)(?: the| our)? (?P<figure>.+?) (?:distributed|spread(?: out)?)(?P<rest> .*)?$",
    ),
    ("shape", rf"{_WHAT}(?P<figure>.+?) (?:distribution|histogram)$"),
    (
        "outliers",
        rf"{_WHAT}(?:(?:unusual|extreme|suspicious|odd|strange|abnormal|outlying)(?:ly (?:high|low|large|small))?"
        r" (?:values?|ones?)|outliers?|anomal(?:y|ies))(?: (?:are there|exist))?(?: (?:in|of|for|among|by))?"
        r"(?: the)? (?P<figure>.+)$",
    ),
    (
        "outliers",
        r"^(?:does|do|has|have)(?: the| our)? (?P<figure>.+?) (?:have|contain) (?:any )?(?:outliers?|anomalies|extreme values)$",
    ),
    (
        "outliers",
        r"^(?:find |show |list |are there )?(?:any )?(?:unusual|extreme|suspicious|abnormal|outlying)(?:ly (?:high|low|large|small))?"
        r" (?P<figure>.+)$",
    ),
    (
        "outliers",
        r"^(?:which|what) (?P<who>.+?) (?:have|has|show) (?:an |any )?(?:unusual|extreme|suspicious|abnormal|outlying)(?:ly (?:high|low"
        r"|large|small))? (?P<figure>.+)$",
    ),
    ("median", rf"{_WHAT}median(?: value)?(?: of| for)?(?: the)? (?P<figure>.+)$"),
    ("quartiles", rf"{_WHAT}quartiles(?: of| for)?(?: the)? (?P<figure>.+)$"),
    (
        "deviation",
        rf"{_WHAT}(?:standard deviation|std ?dev|variance|variation)(?: of| in| for)?(?: the)? (?P<figure>.+)$",
    ),
    ("percentile", rf"{_WHAT}(?P<n>\d{{1,2}})(?:st|nd|rd|th)? percentile(?: of| for)?(?: the)? (?P<figure>.+)$"),
)  # fmt: skip
_PATTERNS: tuple[tuple[Focus, re.Pattern[str]], ...] = tuple(
    (focus, re.compile(text, re.IGNORECASE)) for focus, text in _TEXTS
)


def recognise(asked: Asked) -> tuple[Recognised, ...] | Refused | None:
    """Read a question for a distribution or outliers; None where it asks for something else."""
    for focus, pattern in _PATTERNS:
        match = pattern.match(asked.text)
        if match is None:
            continue
        parts = match.groupdict()
        words = " ".join(part for part in (match["figure"], parts.get("rest")) if part)
        words = f"{words} of {parts['who']}" if parts.get("who") else words
        percentile = int(match.groupdict().get("n") or 50)
        found = values(asked, words)
        if found is None and _WITHIN.search(words) and values(asked, _WITHIN.split(words)[0]) is not None:
            return Refused(
                reason="I can tell how single rows are spread, or a figure by group, but not the rows within each group.",
                hint=f"Ask for one group at a time, or for “average {words}”.",
                understood=True,
            )
        if found is None:
            return Refused(
                reason=f"“{words}” is not a number column or a figure by group, so it has no distribution to look at.",
                hint="Ask for a number of single rows (“distribution of the list price”) or for a figure by group "
                "(“distribution of revenue by customer”).",
            )
        return tuple(_study(asked, read, figure, focus, percentile) for read, figure in found)
    return None


def values(asked: Asked, words: str) -> tuple[tuple[Read, Figure], ...] | None:
    """The single values that words name: a number column's, row by row, or a figure's by group.

    Returns:
        Meanings that list or group, each with the figure whose values are meant; None where there are none.
    """
    for text in (words, f"total {words}"):
        whole = asked.read(text)
        grouped = () if isinstance(whole, Refused) else tuple(r for r in whole if _is_grouped(r.meaning))
        grouped = tuple(r for r in grouped if _SAID.search(words) or not _is_of_rows(asked, r.meaning))
        if grouped:
            return tuple((_all_groups(read), figure_of(read.meaning)) for read in grouped)
    averaged = asked.read(f"average {words}")
    if isinstance(averaged, Refused):
        return None
    listed = [_listed(asked, read) for read in averaged]
    return tuple(found for found in listed if found is not None) or None


_WITHIN = re.compile(r" (?:by|per|for each|in each) ", re.IGNORECASE)
_SAID = re.compile(r"\b(?:average|mean|avg|total|sum|highest|lowest|max|min|maximum|minimum)\b", re.IGNORECASE)


def _is_of_rows(asked: Asked, meaning: Meaning) -> bool:
    """Whether the figure is made of a number that does not add up: temperatures by room are those of single rows."""
    ref = meaning.measures[0].of_rows
    aggregate = meaning.measures[0].aggregate
    if ref is None or aggregate not in ("average", "sum", "maximum"):
        return False
    return not asked.schema(meaning.source).attribute(ref.table, ref.column).adds_up


def _all_groups(read: Read) -> Read:
    """The same groups, all of them, in no order."""
    return replace(read, meaning=read.meaning.model_copy(update={"order": (), "limit": None, "ties": False}))


def _is_grouped(meaning: Meaning) -> bool:
    return bool(meaning.measures and meaning.dimensions) and meaning.verified_sql is None and not meaning.portion


def _listed(asked: Asked, read: Read) -> tuple[Read, Figure] | None:
    """The rows behind an average of a column, each with what it is called."""
    meaning = stripped(read.meaning)
    measure = meaning.measures[0]
    if read.meaning.dimensions or measure.of_rows is None or measure.aggregate != "average":
        return None
    label = measure.label.removeprefix("average ")
    listed = meaning.model_copy(
        update={
            "measures": (),
            "columns": (*names_of(asked, meaning), Dimension(column=measure.of_rows, label=label)),
        }
    )
    column = column_names(listed)[-1]
    return replace(read, meaning=listed), Figure(column=column, label=label, unit=measure.unit)


def names_of(asked: Asked, meaning: Meaning) -> tuple[Dimension, ...]:
    """What tells the rows of the base apart for people: key and label, as columns to list."""
    schema = asked.schema(meaning.source)
    entity = schema.entities[meaning.base]
    taken = {m.column.column for m in meaning.measures if m.column is not None}
    shown: list[Attribute] = [
        entity.attributes[name] for name in dict.fromkeys((*entity.key, *entity.label)) if name not in taken
    ]
    found = [asked.dimension(meaning, attribute, label=attribute.words) for attribute in shown[:3]]
    return tuple(dimension for dimension in found if dimension is not None)


def _study(asked: Asked, read: Read, figure: Figure, focus: Focus, percentile: int) -> Recognised:
    meaning = read.meaning
    named = [*meaning.dimensions, *meaning.columns]
    names = tuple(n for d in named for n in dimension_names(d) if n != figure.column)
    units = plural(meaning.dimensions[0].label) if meaning.dimensions else meaning.base_label
    over = f"by {meaning.dimensions[0].label}" if meaning.dimensions else f"over {units}"
    what = {
        "shape": "distribution", "outliers": "outliers", "median": "median", "quartiles": "quartiles",
        "deviation": "spread", "percentile": f"{percentile}th percentile",
    }[focus]  # fmt: skip
    study = Distribution(
        asked=asked.question,
        title=titled(f"{what} of {figure.label} {over}{where(meaning)}"),
        source=meaning.source,
        rows=(meaning,),
        focus=focus,
        figure=figure,
        names=names,
        units=units,
        percentile=percentile,
    )
    return Recognised(study=study, assumptions=read.assumptions, cited=read.cited)


def cell(study: Distribution, frames: tuple[str, ...]) -> str:
    """The Python step."""
    return filled(
        "outliers" if study.focus == "outliers" else "distribution",
        frame=frames[0],
        figure=literal(study.figure.column),
        names=literal(list(study.names)),
        percentile=study.percentile,
        units=study.units,
        title=literal(study.title),
        axis=literal(axis_title(study.figure)),
        count=literal(f"Number of {study.units}"),
    )


def word(study: Distribution, result: Result) -> Told:
    """The answer, from the five numbers or from the outliers."""
    return _outliers(study, result) if study.focus == "outliers" else _shape(study, result)


def _shape(study: Distribution, result: Result) -> Told:
    told = {name: value for name, value in result.measures().items() if value is not None}
    figure, label = study.figure, titled(study.figure.label)
    low, q1, median, q3, high = (
        amount(told[k], figure) for k in ("minimum", "lower quartile", "median", "upper quartile", "maximum")
    )
    count, missing = int(number(told["values"])), int(number(told["missing"]))
    leading = {
        "median": f"The median {lowered(figure.label)} is **{median}**",
        "deviation": f"The standard deviation of {lowered(figure.label)} is **{amount(told['standard deviation'], figure)}** "
        f"around an average of {amount(told['average'], figure)}",
        "percentile": f"{study.percentile} % of {study.units} have a {lowered(figure.label)} of at most "
        f"**{amount(told['percentile'], figure)}**",
    }.get(study.focus)
    half = f"half of the {count:,} {study.units} lie between **{q1}** and **{q3}**"
    if leading:
        text = f"{leading}; {half}, all between {low} and {high}."
    else:
        text = f"{label}: {half}, with a median of **{median}**; the range is {low} to {high}."
    average, middle = number(told["average"]), number(told["median"])
    skew = number(told["skewness"])
    if study.focus == "shape":
        if abs(skew) > 1:
            side, than = ("high", "above") if skew > 0 else ("low", "below")
            text += (
                f" A few {side} values pull the average ({amount(average, figure)}) {than} the median, so the median "
                "says better what is usual."
            )
        elif middle:
            text += f" It is fairly even on both sides: the average, {amount(average, figure)}, is near the median."
    outside = int(number(told["outliers"]))
    notes: list[str] = []
    if missing:
        notes.append(
            f"{missing:,} of {count + missing:,} {study.units} have no {lowered(figure.label)}; they are left out."
        )
    if outside:
        notes.append(
            f"{outside:,} values ({percent(outside / count)}) lie far outside; ask for the outliers to see them."
        )
    return Told(text=text, notes=tuple(notes), follow_ups=() if not outside else (f"outliers in {figure.label}",))


def _outliers(study: Distribution, result: Result) -> Told:
    figure = study.figure
    first, *rest = result.records
    low, high, count = (first[k] for k in ("lower fence", "upper fence", "of values"))
    least = first["least"]
    up_to = number(low) < number(least)
    usual = f"up to {amount(high, figure)}" if up_to else f"between {amount(low, figure)} and {amount(high, figure)}"
    if first["value"] is None:
        return Told(
            text=f"No outliers: all {int(number(count)):,} values of {figure.label} lie within the usual range, which goes {usual}."
        )
    rows = [first, *rest]
    total = result.total
    worst = max(rows, key=lambda r: max(number(r["value"]) - number(high), number(low) - number(r["value"])))
    name = _row_name(study, worst)
    above = int(number(first["above"]))
    share = total / max(1.0, number(count))
    text = (
        f"**{total:,}** of {int(number(count)):,} {study.units} ({percent(share)}) have an unusual {figure.label}: "
        f"{above:,} above and {total - above:,} below the usual range, which goes {usual}. The furthest out is "
        f"**{amount(worst['value'], figure)}**" + (f" ({name})." if name else ".")
    )
    notes = ["Usual means within 1.5 times the distance of the quartiles beyond them; an outlier is rare, not wrong."]
    if share > 0.05:
        notes.append("So many at once are part of a long tail rather than errors.")
    return Told(text=text, notes=tuple(notes), follow_ups=(f"distribution of {figure.label}",))


def _row_name(study: Distribution, row: Mapping[str, object]) -> str:
    """What a row is called: its name, or what it is and its number."""
    shown = [row[n] for n in study.names[-2:] if row.get(n) is not None]
    texts = [value for value in shown if isinstance(value, str)]
    if texts:
        return ", ".join(texts)
    if len(shown) == 1 and isinstance(shown[0], int | float):
        return f"{singular(study.units)} {shown[0]}"
    return ", ".join(str(value) for value in shown)
