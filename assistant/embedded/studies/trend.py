"""Is there a trend? A straight line through the whole periods, the usual course of the year taken out first.

Least squares with an effect for each month of the year where two years or more are at hand; the slope's t test says
whether it is more than chance. It says nothing of causes, and nothing of what comes next.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from typing import Literal

from assistant.embedded.dates import period_start
from assistant.embedded.meaning import Grain
from assistant.embedded.studies.asking import Asked, Read, titled, where
from assistant.embedded.studies.drawing import axis_title, filled, literal, series_code, tip
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.periods import PERIODS_A_YEAR, grain_in
from assistant.embedded.studies.series import named, series_of
from assistant.embedded.studies.study import Trend
from assistant.embedded.studies.telling import (
    SURE,
    Result,
    Told,
    amount,
    chance,
    difference,
    gaps_note,
    lowered,
    number,
    percent,
    size,
)
from assistant.embedded.wording.answers import period_name
from assistant.embedded.wording.phrases import figure_words

Direction = Literal["fall", "rise", ""]
PERIODS_MIN = 8
_UP = "rising growing increasing improving grow grown rise risen increase increased improve improved up upward positive"
_DOWN = "falling decreasing declining shrinking dropping fall fallen decrease decreased decline declined down downward negative"
DIRECTION = (
    r"(?:rising|falling|growing|increasing|decreasing|declining|shrinking|dropping|improving|worsening|trending"
    r"|going (?:up|down)|getting (?:better|worse|higher|lower|bigger|smaller)|on the (?:rise|decline|up|way (?:up|down)))"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:is|are) there (?:a |any |some )?(?:\w+ )?trends?(?: (?:in|for|of|with|to))?(?: the)? ?(?P<figure>.*)$",
        r"^(?:what(?: is|'s| are)|find|test|check|analy[sz]e) (?:the |a |any |for a |for )?(?:\w+ )?trends?"
        r" (?:in|for|of|with)(?: the)? (?P<figure>.+)$",
        rf"^(?:is|are)(?: the| our| my)? (?P<figure>.+?) {DIRECTION}(?P<rest> .*)?$",
        rf"^(?:has|have)(?: the| our| my)? (?P<figure>.+?) been {DIRECTION}(?P<rest> .*)?$",
        r"^(?:in )?(?:which|what) direction (?:is|are)(?: the| our| my)? (?P<figure>.+?) (?:going|heading|moving|trending)$",
        r"^how (?:is|are)(?: the| our| my)? (?P<figure>.+?) (?:trending|developing|evolving)(?P<rest> .*)?$",
        r"^(?:does|do)(?: the| our| my)? (?P<figure>.+?) (?:show|have|follow) (?:a |any )?(?:\w+ )?trend(?P<rest> .*)?$",
        r"^(?:did|does|do|has|have)(?: the| our| my)? (?P<figure>.+?) (?:grow|grown|rise|risen|fall|fallen|increased?|decreased?"
        r"|declined?|improved?|gone (?:up|down)|go (?:up|down))(?P<rest> over .*)?$",
        r"^(?:trend analysis|test for a trend)(?: (?:of|in|for|on))?(?: the)? ?(?P<figure>.*)$",
    )
)


def recognise(asked: Asked) -> tuple[Recognised, ...] | Refused | None:
    """Read a question for a trend; None where it asks for something else."""
    match = next((m for pattern in _PATTERNS if (m := pattern.match(asked.text))), None)
    if match is None:
        return None
    words = " ".join(part for part in (match["figure"], match.groupdict().get("rest")) if part)
    claimed = claimed_in(asked.text)
    grain, words = grain_in(words)
    words = re.sub(r"\bover (?:the )?(?:time|years|months)\b", " ", words)
    found = asked.figure(words)
    if isinstance(found, Refused):
        return found
    studies = [study_of_trend(asked, read, grain, claimed) for read in found]
    kept = tuple(s for s in studies if isinstance(s, Recognised))
    return kept or next(s for s in studies if isinstance(s, Refused))


def claimed_in(text: str) -> Direction:
    """Which way the question takes the figure to go; empty where it takes neither for granted."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    up, down = bool(words & set(_UP.split())), bool(words & set(_DOWN.split()))
    return "rise" if up and not down else "fall" if down and not up else ""


def study_of_trend(asked: Asked, read: Read, grain: Grain | None, claimed: Direction) -> Recognised | Refused:
    """The trend of a figure, or of each of its groups."""
    made = series_of(asked, read, grain)
    if isinstance(made, Refused):
        return made
    by, series = made
    figure = figure_words(read.meaning, read.meaning.measures[0])
    study = Trend(
        asked=asked.question,
        title=titled(f"trend of {named(figure, series)}{where(read.meaning)}"),
        source=read.meaning.source,
        rows=(by.meaning,),
        series=series,
        claimed=claimed,
    )
    return Recognised(study=study, assumptions=by.assumptions, cited=by.cited)


def cell(study: Trend, frames: tuple[str, ...]) -> str:
    """The Python step."""
    series = study.series
    season = PERIODS_A_YEAR[series.grain] if series.grain in ("month", "quarter") else 1
    return filled(
        "trend",
        series=series_code(series, frames[0]),
        grain=series.grain,
        minimum=PERIODS_MIN,
        season=season,
        straight_line=straight_line_code(series.grain),
        title=literal(study.title),
        axis=literal(axis_title(series.figure)),
        tip=literal(tip(series.grain)),
        grain_title=series.grain.capitalize(),
        total="pd.Series.sum" if series.figure.adds_up else "pd.Series.mean",
    )


def straight_line_code(grain: Grain) -> str:
    """The function that fits a line, with the usual course of the year taken out where two years are at hand."""
    season = PERIODS_A_YEAR[grain] if grain in ("month", "quarter") else 1
    return filled(
        "straight_line",
        seasonal=f"len(series) >= {2 * season}" if season > 1 else "False",
        season_of={"month": "month", "quarter": "quarter"}.get(grain, "year"),
    )


def word(study: Trend, result: Result) -> Told:
    """The answer, from the statistics of the Python step."""
    told = result.measures()
    figure, grain = study.series.figure, study.series.grain
    slope, mean, p = (number(told[k]) for k in ("change per period", "average", "p-value"))
    count = int(number(told["whole periods"]))
    first, last = period_name(study.series.first, grain), period_name(period_start(study.series.end, grain, -1), grain)
    relative = f" ({percent(slope / mean, signed=True)} of its average)" if mean > 0 else ""
    span = f"over {count} whole {grain}s, {first} to {last}"
    name = lowered(study.title.removeprefix("Trend of ").replace(f" by {grain}", "", 1))
    name += "," if "," in name else ""
    if p < SURE:
        way = "rise" if slope > 0 else "fall"
        agreed = "Yes" if study.claimed in ("", way) else "No, on the contrary"
        text = (
            f"{agreed}: {name} {way}s by about **{size(slope, figure)} a {grain}**{relative} {span}; "
            f"that is more than chance would explain ({chance(p)})."
        )
    else:
        text = (
            f"There is no clear trend in {name} {span}: the line through it changes by "
            f"{difference(slope, figure)} a {grain}{relative}, which chance alone could explain ({chance(p)})."
        )
    early, late = told["first year"], told["last year"]
    if early is not None and late is not None and number(early):
        year = PERIODS_A_YEAR[grain]
        word_ = "sum" if figure.adds_up else "average"
        change = number(late) / number(early) - 1
        text += (
            f" The {word_} of the first {year} {grain}s was **{amount(early, figure)}**, of the last {year} "
            f"**{amount(late, figure)}** ({percent(change, signed=True)})."
        )
    notes = [*study.series.cut, *gaps_note(told["without rows"], figure, grain)]
    if number(told["seasonal"]):
        notes.append(f"The usual course of the year is taken out: each {grain} of the year has its own level.")
    notes.append(
        f"A straight line is assumed, and that the {grain}s vary independently of each other; "
        "a bend or a jump would not show in it."
    )
    return Told(text=text, notes=tuple(notes), follow_ups=(f"forecast {figure.label} for the next 3 {grain}s",))
