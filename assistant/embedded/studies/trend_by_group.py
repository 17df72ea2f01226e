"""A trend for each group: one straight line each, tested together, for one of many looks like a trend by chance.

"Is there a trend in revenue by region?", and "which regions are growing?", which names no figure. The lines are those of
a single trend.
Source of the correction: Holm, A simple sequentially rejective multiple test procedure, 1979.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from assistant.embedded.dates import period_start
from assistant.embedded.studies.asking import Asked, groups_of, stripped, titled
from assistant.embedded.studies.by_group import (
    IN_ALL,
    NAMED_MAX,
    begun_late,
    each,
    gaps,
    group,
    left_out,
    listed,
    own_scales,
    scope,
)
from assistant.embedded.studies.drawing import axis_title, filled, in_comment, literal, series_by_group_code, tip
from assistant.embedded.studies.movers import split_by
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.periods import grain_in
from assistant.embedded.studies.study import Trend
from assistant.embedded.studies.telling import SURE, Result, Told, chance, number, percent, size
from assistant.embedded.studies.trend import DIRECTION, PERIODS_MIN, claimed_in, straight_line_code, study_of_trend
from assistant.embedded.wording.answers import period_name
from assistant.embedded.words.lexicon import plural

GROUPS_MAX = 40
PANELS_MAX = 8
_FIGURE = r"(?: (?:in|by|for)(?: terms of)?(?: the| our)? (?P<figure>.+))?"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:which|what)(?: of)?(?: the| our| my)? (?P<by>[\w ]+?) (?:is|are|has been|have been|keeps?) {DIRECTION}{_FIGURE}$",
        r"^(?:which|what)(?: of)?(?: the| our| my)? (?P<by>[\w ]+?) (?:has|have|shows?)"
        rf" (?:a |an |any )?(?:(?:clear|steady|strong|upward|downward|positive|negative|rising|falling|growing) )*trends?{_FIGURE}$",
        rf"^(?:in|for) (?:which|what)(?: of)?(?: the| our| my)? (?P<by>[\w ]+?) (?:is|are|has|have)(?: the| our| my)? (?P<figure>.+?) (?:been )?{DIRECTION}$",
    )
)
_ALL = re.compile(r"\b(?:each|every|all)\b", re.IGNORECASE)


def recognise(asked: Asked) -> tuple[Recognised, ...] | Refused | None:
    """Read a question for the groups that rise or fall; None where it asks for something else."""
    grain, text = grain_in(asked.text)
    text = re.sub(r"\bover (?:the )?(?:time|years|months)\b", " ", text).strip()
    match = next((m for pattern in _PATTERNS if (m := pattern.match(text))), None)
    if match is None:
        return None
    read = split_by(asked, match["figure"] or "", match["by"])
    if read is None:
        return None
    whole = asked.instead or read.meaning
    alone = replace(read, meaning=stripped(whole), by=groups_of(whole))
    study = study_of_trend(asked, alone, grain, claimed_in(text))
    if isinstance(study, Refused) or match["figure"]:
        return study if isinstance(study, Refused) else (study,)
    taken = f"no figure was named, so {alone.meaning.measures[0].label} is taken"
    return (replace(study, assumptions=(*study.assumptions, taken)),)


def cell(study: Trend, frames: tuple[str, ...]) -> str:
    """The Python step."""
    series = study.series
    assert series.groups is not None
    return filled(
        "trend_by_group",
        series=series_by_group_code(series, series.groups, frames[0], kept=GROUPS_MAX),
        straight_line=straight_line_code(series.grain),
        group=literal(series.groups.column),
        group_label=in_comment(series.groups.label),
        grain=series.grain,
        minimum=PERIODS_MIN,
        too_few=literal(
            f"No {each(series)} has {PERIODS_MIN} whole {series.grain}s with rows that differ, so there is no trend to look for."
        ),
        sure=SURE,
        panels=PANELS_MAX,
        title=literal(study.title),
        subtitle=literal(own_scales(axis_title(series.figure))),
        axis=literal(axis_title(series.figure)),
        tip=literal(tip(series.grain)),
    )


def word(study: Trend, result: Result) -> Told:
    """The answer: which groups rise, which fall, and of which neither can be said."""
    series, rows = study.series, result.records
    figure, grain, one = series.figure, series.grain, each(series)
    tested = [r for r in rows if r["p-value"] is not None]
    rising, falling = ([r for r in tested if r["trend"] == way] for way in ("rises", "falls"))
    level = [r for r in tested if r["trend"] == "no clear trend"]
    text = _verdict(study, rising, falling, tested)
    if rising or falling:
        moved = [(rising, "rises"), (falling, "falls")][:: -1 if study.claimed == "fall" else 1]
        said = [_moving(study, result, found, way, len(tested)) for found, way in moved if found]
        text += " ".join([said[0] if text.endswith(": ") else titled(said[0]), *map(titled, said[1:])])
        text += f" That is {_span(study)}.{_level(study, [group(r, result) for r in level])}"
    else:
        steepest = tested[0]
        way = "rises" if number(steepest[f"change per {grain}"]) > 0 else "falls"
        text += (
            f"There is no clear trend in {figure.label} in any of {_tested(result, len(tested), one)}, {_span(study)}. "
            f"The steepest line is that of **{group(steepest, result)}**: it {way} by {_line(study, steepest)}, which "
            "chance alone could explain."
        )
    notes = [*series.cut]
    notes += gaps({group(r, result): int(number(r["without rows"])) for r in rows}, series)
    notes += begun_late({group(r, result): _followed(study, r) for r in tested}, series)
    notes += left_out(rows[0], GROUPS_MAX, series)
    notes += _not_tested(result, [r for r in rows if r["p-value"] is None])
    notes += _method(study, tested)
    return Told(
        text=text,
        notes=tuple(notes),
        follow_ups=(
            f"forecast {figure.label} by {one} for the next 3 {grain}s",
            f"which {one} grew the most in {figure.label}?",
        ),
    )


def _span(study: Trend) -> str:
    """Over which periods, and of which rows."""
    series = study.series
    first, last = (period_name(d, series.grain) for d in (series.first, period_start(series.end, series.grain, -1)))
    return f"over whole {series.grain}s, {first} to {last}{scope(study.title, series)}"


def _moving(study: Trend, result: Result, found: Sequence[Mapping[str, object]], way: str, tested: int) -> str:
    """The groups that move one way, the largest change first."""
    label, one = study.series.figure.label, each(study.series)
    parts = [f"**{group(r, result)}** by {_line(study, r)}" for r in found]
    among = f"{len(found)} of {_tested(result, tested, one)}"
    if len(found) == tested:
        among = f"all of {_tested(result, tested, one)}" if tested > 2 else f"both {plural(one)}"
    if tested == 1:
        among = f"the one {one} that has enough rows"
    return f"{label} {way} in {among}: {listed(parts)}."


def _tested(result: Result, tested: int, one: str) -> str:
    """How many groups were tested: "the 5 regions", "the 40 largest products"."""
    kinds = plural(one)
    if tested < len(result.rows):
        return f"the {tested} {kinds} that could be tested"
    return f"the {tested} largest {kinds}" if IN_ALL in result.columns else f"the {tested} {kinds}"


def _level(study: Trend, names: Sequence[str]) -> str:
    """The groups without a trend, by name where they are few."""
    if not names:
        return ""
    if len(names) > NAMED_MAX:
        return f" There is no clear trend in the other {len(names)} {plural(each(study.series))}."
    explained = "the lines" if len(names) > 1 else "the line"
    return f" There is no clear trend in {listed([f'**{n}**' for n in names])}: chance alone could explain {explained} there."


def _line(study: Trend, row: Mapping[str, object]) -> str:
    """One line in words: "1,200 EUR a month (+2.1 % of its average, p < 0.001)"."""
    slope, mean = number(row[f"change per {study.series.grain}"]), number(row["average"])
    relative = f"{percent(slope / mean, signed=True)} of its average, " if mean > 0 else ""
    value = size(slope, study.series.figure)
    return f"**{value} a {study.series.grain}** ({relative}{chance(row['corrected p-value'])})"


def _verdict(study: Trend, rising: Sequence[object], falling: Sequence[object], tested: Sequence[object]) -> str:
    """Yes or no, where the question takes a direction for granted, of every group or of some."""
    if not study.claimed:
        return ""
    found, other = (rising, falling) if study.claimed == "rise" else (falling, rising)
    if not found and other:
        return f"There is no clear {study.claimed} in any {each(study.series)}. "
    if not _ALL.search(study.asked) or not found:
        return ""
    return "Yes, all of them: " if len(found) == len(tested) else "No, not all of them: "


def _followed(study: Trend, row: Mapping[str, object]) -> int:
    """How many periods of a group were looked at, with and without rows."""
    whole = int(number(row[f"whole {study.series.grain}s"]))
    return whole if study.series.figure.adds_up else whole + int(number(row["without rows"]))


def _not_tested(result: Result, rows: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    found = [f"{group(r, result)} ({r['trend']})" for r in rows]
    return (f"Not tested: {listed(found)}.",) if found else ()


def _method(study: Trend, tested: Sequence[Mapping[str, object]]) -> list[str]:
    grain, notes = study.series.grain, list[str]()
    if len(tested) > 1:
        notes.append(
            f"{len(tested)} lines are tested at once, and one of many would look like a trend by chance now and then; "
            "so each p-value told here is raised for their number (Holm's correction)."
        )
    seasonal = sum(1 for r in tested if r["seasonal"])
    if seasonal:
        whom = "" if seasonal == len(tested) else " where two years are known"
        notes.append(f"The usual course of the year is taken out{whom}: each {grain} of the year has its own level.")
    notes.append(
        f"Straight lines are assumed, and that the {grain}s vary independently of each other; a bend or a jump would not "
        "show in them."
    )
    return notes
