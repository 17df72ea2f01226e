"""A figure carried forward: the simplest way that did best on the past, with a range and without promises.

Three ways are tried on the last periods as if they were not known: the last value (or that of a year before), a straight
line with the usual course of the year, and exponential smoothing. The errors made there give the range.
Source: rolling-origin evaluation, Hyndman and Athanasopoulos, Forecasting: Principles and Practice (3rd ed.), 5.10.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from datetime import date, timedelta

from assistant.embedded.dates import period_start
from assistant.embedded.meaning import Grain
from assistant.embedded.studies.asking import Asked, Read, titled, where
from assistant.embedded.studies.drawing import axis_title, filled, frequency, literal, series_code, tip
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.periods import PERIODS_A_YEAR, grain_in
from assistant.embedded.studies.series import named, series_of
from assistant.embedded.studies.study import Forecast, Series
from assistant.embedded.studies.telling import Result, Told, amount, difference, gaps_note, number
from assistant.embedded.wording.answers import as_day, period_name
from assistant.embedded.wording.phrases import figure_words
from assistant.embedded.words.vocabulary import NUMBER_WORDS, number_said

PERIODS_MIN = 8
HORIZON_MAX = 24
_N = r"(?P<n>\d+|" + "|".join(NUMBER_WORDS) + ")"
_CUE = re.compile(
    r"\b(?:forecasts?|forecasting|predict(?:ed|ions?)?|projections? (?:of|for)|extrapolate)\b"
    r"|^project\b.*\b(?:next|coming|ahead|until|rest of)\b"
    r"|^(?:what|how much|how many|how high|how large|how)\b.*\bwill\b|^will\b.*\b(?:next|coming)\b|\bexpect(?:ed)?\b.*\b(?:next|coming)\b",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    rf"\b(?:(?:for|over|in|during|of|by) )?(?:the )?(?:next|coming|following|upcoming) (?:{_N} )?"
    r"(?P<unit>day|week|month|quarter|year)s?\b"
    rf"|\b(?:{_N.replace('<n>', '<m>')}) (?P<unit2>day|week|month|quarter|year)s? (?:ahead|from now|out)\b"
    rf"|\bin (?:{_N.replace('<n>', '<k>')}) (?P<unit3>day|week|month|quarter|year)s?\b"
    rf"|\bfor (?:{_N.replace('<n>', '<j>')}) (?P<unit4>day|week|month|quarter|year)s?\b",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:(?:for|until|till|to|by) )?(?:the )?(?:rest|remainder|end) of (?:the|this) year\b", re.IGNORECASE
)
_NOISE = re.compile(
    r"\b(?:forecasts?|forecasting|predict(?:ed|ions?)?|projections?|project(?:ed)?|extrapolate|what|how much|how many"
    r"|how high|how large|how|will|can|should|do|does|we|i|you|expect(?:ed)?|be|have|get|make|sell|earn|look(?: like)?"
    r"|develop|is|are|a|an|our|my|it be|rise|fall|grow|increase|decrease|drop|go up|go down|continue to|happen(?: to)?)\b",
    re.IGNORECASE,
)
WAYS = {
    "the year before": "each period as it was a year before",
    "the last value": "the last value carried on",
    "a straight line": "a straight line, with the usual course of the year where two years are known",
    "smoothing": "exponential smoothing, with the usual course of the year where two years are known",
}


def recognise(asked: Asked) -> tuple[Recognised, ...] | Refused | None:
    """Read a question for a forecast; None where it asks for something else."""
    if not _CUE.search(asked.text):
        return None
    text = asked.text
    # A follow-up stands behind the question before: the horizon named last is meant.
    ahead, rest_of_year = next(reversed(list(_AHEAD.finditer(text))), None), _REST.search(text)
    unit: Grain | None = None
    count = 3
    if ahead is not None:
        groups = ahead.groupdict()
        unit = next((groups[g].lower() for g in ("unit", "unit2", "unit3", "unit4") if groups[g]), "month")  # type: ignore[assignment]
        said = next((groups[g].lower() for g in ("n", "m", "k", "j") if groups[g]), "1")
        count = number_said(said)
        rest_of_year = None
    text = _REST.sub(" ", _AHEAD.sub(" ", text))
    grain, text = grain_in(text)
    words = " ".join(_NOISE.sub(" ", text).split())
    words = re.sub(r"^(?:(?:the|of|for|in)\s+)+|(?:\s+(?:of|for|in|by|the))+$", "", words).strip()
    found = asked.figure(words)
    if isinstance(found, Refused):
        return found
    studies = [
        _study(asked, r, unit=unit, count=count, grain=grain, rest_of_year=rest_of_year is not None) for r in found
    ]
    kept = tuple(s for s in studies if isinstance(s, Recognised))
    return kept or next(s for s in studies if isinstance(s, Refused))


def _study(
    asked: Asked, read: Read, *, unit: Grain | None, count: int, grain: Grain | None, rest_of_year: bool
) -> Recognised | Refused:
    wanted = grain or ("month" if unit in ("quarter", "year", "month") or rest_of_year else unit)
    made = series_of(asked, read, wanted)
    if isinstance(made, Refused):
        return made
    by, series = made
    horizon, shown, note = _horizon(series, asked.today, unit or series.grain, count, rest_of_year)
    if horizon > HORIZON_MAX and series.grain != "day":
        return Refused(
            reason=f"{horizon} {series.grain}s ahead is further than the past can tell.",
            hint=f"Ask for at most {HORIZON_MAX} {series.grain}s.",
            understood=True,
        )
    points = round(
        (series.end - series.first).days
        / {"day": 1, "week": 7, "month": 30.44, "quarter": 91.3, "year": 365.25}[series.grain]
    )
    label = figure_words(read.meaning, read.meaning.measures[0])
    if points < PERIODS_MIN:
        return Refused(
            reason=f"There are only {points} whole {series.grain}s of {label}, too few to forecast from: "
            f"it takes at least {PERIODS_MIN}.",
            hint=f"Ask for {label} by {series.grain} to see them.",
            understood=True,
        )
    last = period_start(series.end, series.grain, horizon - 1)
    study = Forecast(
        asked=asked.question,
        title=titled(
            f"forecast of {named(label, series)} up to {period_name(last, series.grain)}{where(read.meaning)}"
        ),
        source=read.meaning.source,
        rows=(by.meaning,),
        series=series,
        horizon=horizon,
        shown=shown.isoformat(),
    )
    return Recognised(study=study, assumptions=(*by.assumptions, *note), cited=by.cited)


def _horizon(
    series: Series, today: date, unit: Grain, count: int, rest_of_year: bool
) -> tuple[int, date, tuple[str, ...]]:
    """How many periods to carry forward, from which one on they were asked for, and what was assumed.

    The period that is not over lies between the known ones and those asked for; it is estimated as well. Where the data
    ends long ago, "next" begins where it ends.
    """
    grain = series.grain
    begun = period_start(today, grain)
    stale = series.end < begun
    start = series.end if stale else period_start(today, grain, 1)
    base = series.end if stale else today
    if rest_of_year:
        target = date(base.year + 1, 1, 1)
        start = min(start, period_start(target, grain, -1))
    elif stale:
        months = {"month": 1, "quarter": 3, "year": 12}
        scale = months[unit] // months.get(grain, 12) if unit in months and grain in months else 1
        target = period_start(start, grain, count * max(1, scale))
    else:
        target = period_start(today, unit, 1 + count)
        start = max(start, period_start(today, unit, 1)) if unit in ("quarter", "year") else start
    horizon, day = 0, series.end
    while day < target:
        horizon, day = horizon + 1, period_start(day, grain, 1)
    known = series.end - timedelta(days=1)
    note = (f"the figures end in {period_name(known, grain)}, so the forecast begins after it",) if stale else ()
    return max(1, horizon), start, note


def cell(study: Forecast, frames: tuple[str, ...]) -> str:
    """The Python step."""
    return filled(
        "forecast",
        series=series_code(study.series, frames[0]),
        ways=ways_code(),
        grain_title=study.series.grain.capitalize(),
        **cell_values(study),
    )


def ways_code() -> str:
    """The functions that carry values forward, and choose between them."""
    return filled("ways")


def cell_values(study: Forecast) -> dict[str, str | int]:
    """What the Python step needs to know beside its rows, of a whole as of groups."""
    series = study.series
    season = PERIODS_A_YEAR[series.grain] if series.grain in ("month", "quarter") else 7 if series.grain == "day" else 1
    return {
        "grain": series.grain,
        "minimum": PERIODS_MIN,
        "horizon": study.horizon,
        "season": season,
        "frequency": literal(frequency(series.grain)),
        "end": literal(series.end.isoformat()),
        "title": literal(study.title),
        "axis": literal(axis_title(series.figure)),
        "tip": literal(tip(series.grain)),
    }


def word(study: Forecast, result: Result) -> Told:
    """The answer, from the periods ahead."""
    figure, grain = study.series.figure, study.series.grain
    rows = result.records
    asked = [r for r in rows if (as_day(r["period"]) or date.min) >= date.fromisoformat(study.shown)] or list(rows)
    way, error, typical = str(rows[0]["way"]), number(rows[0]["typical error"]), number(rows[0]["past average"])
    parts = [
        f"{period_name(r['period'], grain)} about **{amount(r['forecast'], figure)}** "
        f"({amount(r['low'], figure)} to {amount(r['high'], figure)})"
        for r in asked[:6]
    ]
    more = f", and {len(asked) - 6} more in the table" if len(asked) > 6 else ""
    text = f"If {figure.label} goes on as before: {'; '.join(parts)}{more}."
    if figure.adds_up and len(asked) > 1:
        text += f" Together about **{amount(sum(number(r['forecast']) for r in asked), figure)}**."
    off = f" ({100 * error / typical:,.0f} % of an average {grain})" if typical > 0 else ""
    tried = int(number(rows[0]["tried on"]))
    text += (
        f" On the last {tried} {grain}s, forecast as if they were not known, this way was off by "
        f"**{difference(error, figure).lstrip('+')}** on average{off}."
    )
    if typical > 0 and error > 0.3 * typical:
        text += " That is a rough guess."
    notes = [
        *study.series.cut,
        *gaps_note(rows[0]["without rows"], figure, grain),
        f"The way that did best on the past was taken: {WAYS.get(way, way)}.",
        "In about four of five cases the figure should lie in the range given, if the future is like the past; "
        "price changes, campaigns and new competitors are not known to it.",
    ]
    if len(asked) < len(rows):
        notes.append(
            f"{period_name(rows[0]['period'], grain)} is not over yet; the table has an estimate for it as well."
        )
    return Told(text=text, notes=tuple(notes), follow_ups=(f"is there a trend in {figure.label}?",))
