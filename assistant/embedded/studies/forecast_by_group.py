"""A forecast for each group, the largest first: each carried forward by the way that did best on its own past."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from assistant.embedded.studies.by_group import each, gaps, group, left_out, listed, own_scales, scope
from assistant.embedded.studies.drawing import axis_title, filled, in_comment, literal, series_by_group_code
from assistant.embedded.studies.forecast import PERIODS_MIN, WAYS, cell_values, ways_code
from assistant.embedded.studies.study import Forecast
from assistant.embedded.studies.telling import Result, Told, amount, number, percent
from assistant.embedded.wording.answers import as_day, period_name
from assistant.embedded.wording.plain import joined
from assistant.embedded.words.lexicon import plural

GROUPS_MAX = 6
ROUGH = 0.3
"""Where the typical error is a larger part of the average, a forecast is called a rough guess."""


def cell(study: Forecast, frames: tuple[str, ...]) -> str:
    """The Python step."""
    series = study.series
    assert series.groups is not None
    return filled(
        "forecast_by_group",
        series=series_by_group_code(series, series.groups, frames[0], kept=GROUPS_MAX),
        ways=ways_code(),
        subtitle=literal(own_scales(axis_title(series.figure))),
        group=literal(series.groups.column),
        group_label=in_comment(series.groups.label),
        too_few=literal(
            f"No {each(series)} has {PERIODS_MIN} whole {series.grain}s with rows up to now, "
            "so there is nothing to carry forward."
        ),
        **cell_values(study),
    )


def word(study: Forecast, result: Result) -> Told:
    """The answer: what each group comes to in the periods that were asked for."""
    series = study.series
    figure, grain, one = series.figure, series.grain, each(series)
    ahead = [r for r in result.records if r["period"] is not None]
    asked = [r for r in ahead if (as_day(r["period"]) or date.min) >= date.fromisoformat(study.shown)] or ahead
    found = {group(r, result): [a for a in asked if group(a, result) == group(r, result)] for r in asked}
    first, last = (period_name(asked[at]["period"], grain) for at in (0, -1))
    together = figure.adds_up and first != last
    when = f"{first} to {last} together" if together else f"in {last}"
    if not together and first != last:
        when += f" (the {grain}s before are in the table)"
    parts = [_ahead(name, rows, study, together=together) for name, rows in found.items()]
    text = f"If {figure.label} goes on as before{scope(study.title, series)}, {when}: {'; '.join(parts)}."
    rough = [name for name, rows in found.items() if _off(rows[0]) > ROUGH]
    if rough:
        text += f" For {joined(rough)} that is a rough guess."
    none = [
        f"{group(r, result)} ({str(r['way']).removeprefix('none: ')})" for r in result.records if r["period"] is None
    ]
    notes = [*series.cut, *left_out(result.records[0], GROUPS_MAX, series)]
    notes += [f"Not carried forward: {listed(none)}."] if none else []
    notes += gaps({name: int(number(rows[0]["without rows"])) for name, rows in found.items()}, series)
    notes.append(f"Each {one} is carried forward by the way that did best on its own past: {_ways(found)}.")
    notes.append(
        f"The {plural(one)} are carried forward one by one, so together they need not give the forecast of the whole. "
        "In about four of five cases a figure should lie in its range, if the future is like the past; price changes, "
        "campaigns and new competitors are not known to it."
    )
    if len(asked) < len(ahead):
        notes.append(
            f"{period_name(ahead[0]['period'], grain)} is not over yet; the table has an estimate for it as well."
        )
    return Told(text=text, notes=tuple(notes), follow_ups=(f"is there a trend in {figure.label} by {one}?",))


def _ahead(name: str, rows: Sequence[Mapping[str, object]], study: Forecast, *, together: bool) -> str:
    """One group's figure ahead, and how far its way was off on the past."""
    figure, grain = study.series.figure, study.series.grain
    value = sum(number(r["forecast"]) for r in rows) if together else number(rows[-1]["forecast"])
    reach = "" if together else f"{amount(rows[-1]['low'], figure)} to {amount(rows[-1]['high'], figure)}; "
    off = (
        f"off by {percent(_off(rows[0]))} of an average {grain} on its past"
        if _off(rows[0])
        else "never off on its past"
    )
    return f"**{name}** about **{amount(value, figure)}** ({reach}{off})"


def _off(row: Mapping[str, object]) -> float:
    """The typical error as a part of the average."""
    typical = number(row["past average"])
    return number(row["typical error"]) / typical if typical > 0 else 0.0


def _ways(found: Mapping[str, Sequence[Mapping[str, object]]]) -> str:
    """Which way was taken for whom."""
    ways: dict[str, list[str]] = {}
    for name, rows in found.items():
        ways.setdefault(str(rows[0]["way"]), []).append(name)
    return "; ".join(f"{WAYS.get(way, way)} for {joined(names)}" for way, names in ways.items())
