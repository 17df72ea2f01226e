"""A figure from period to period: its change against the one before or a year before, or its running total."""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from typing import Literal, cast

from assistant.embedded.meaning import Grain
from assistant.embedded.studies.asking import Asked, Read, titled, where
from assistant.embedded.studies.drawing import axis_title, filled, literal, series_code, tip
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.periods import PERIODS_A_YEAR, grain_in
from assistant.embedded.studies.series import named, series_of
from assistant.embedded.studies.study import Growth
from assistant.embedded.studies.telling import Result, Told, amount, difference, in_period, lowered, number, percent
from assistant.embedded.wording.answers import as_day, period_name
from assistant.embedded.wording.phrases import figure_words

Against = Literal["previous", "year", "running"]
_START = r"^(?:what (?:is|was|were|are) |how (?:large|big|high|strong) (?:is|was) |plot |draw |calculate |compute )?(?:the )?"
_RUNNING = re.compile(
    rf"{_START}(?:running (?:total|sum)|cumulative(?: total| sum)?|cumulated|accumulated)(?: (?:of|for))?(?: the)? ?"
    r"(?P<figure>.+)$",
    re.IGNORECASE,
)
_GROWTH = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_START}(?:growth|change|growth rate|rate of growth|rate of change|percentage change|changes)s?"
        r" (?:of|in|for)(?: the)? (?P<figure>.+)$",
        rf"{_START}(?P<figure>.+?) (?:growth rate|growth|changes?)(?P<rest> .*)?$",
        r"^how (?:did|do|does|has|have)(?: the| our| my)? (?P<figure>.+?)"
        r" (?:change|changed|grow|grown|develop|developed|evolve|evolved|move|moved)(?P<rest> .*)?$",
        r"^how (?:much|fast|quickly|strongly) (?:did|do|does|has|have|is|are)(?: the| our| my)? (?P<figure>.+?)"
        r" (?:grow|grown|growing|change|changed|changing|increase|increased|rise|risen)(?P<rest> .*)?$",
    )
)
_A_YEAR = re.compile(
    r"\b(?:year[ -](?:over|on)[ -]year|yoy|(?:compared (?:with|to)|against|from|over) (?:the )?"
    r"(?:same (?:month|quarter|week|period|time) )?(?:of )?(?:last year|the (?:previous|prior) year|the year before"
    r"|a year (?:ago|earlier|before)))\b",
    re.IGNORECASE,
)

_STEP = re.compile(
    r" (?:(?P<unit>week|month|quarter)[ -](?:over|on)[ -](?P=unit)|(?P<short>wow|mom|qoq)|year[ -](?:over|on)[ -]year|yoy)"
    r"(?= by (?:week|month|quarter|year)$|$)",
    re.IGNORECASE,
)
"""What says by itself that a growth is meant, and by which step: "revenue month over month"."""
_SHORT: dict[str, Grain] = {"wow": "week", "mom": "month", "qoq": "quarter"}
_ANY = re.compile(
    r"^(?:what (?:is|was|were|are) |show (?:me )?|plot |give (?:me )?)?(?:the |our |my )?(?P<figure>\S.*)$",
    re.IGNORECASE,
)


def recognise(asked: Asked) -> tuple[Recognised, ...] | Refused | None:
    """Read a question for growth or a running total; None where it asks for something else."""
    text = asked.text
    step = _STEP.search(text)
    by_year = _A_YEAR.search(text) is not None
    if step is not None and not by_year:
        text = text[: step.start()] + text[step.end() :]
    without = " ".join(_A_YEAR.sub(" ", text).split())
    grain, words = grain_in(without)
    if match := _RUNNING.match(words):
        against: Against = "running"
    else:
        match = next((m for pattern in _GROWTH if (m := pattern.match(words))), None)
        if step is not None:
            match = match or _ANY.match(words)
            grain = grain or _grain_of(step)
        against = "year" if by_year and grain != "year" else "previous"
        grain = "year" if by_year and grain is None and words.split()[-1:] == ["by"] else grain
    if match is None:
        return None
    rest = " ".join(part for part in (match["figure"], match.groupdict().get("rest")) if part)
    rest = re.sub(r"\b(?:over (?:the )?(?:time|years|months|last years)|from \w+ to \w+)\b", " ", rest)
    found = asked.figure(rest)
    if isinstance(found, Refused):
        return found
    studies = [_study(asked, read, grain, against) for read in found]
    kept = tuple(s for s in studies if isinstance(s, Recognised))
    return kept or next(s for s in studies if isinstance(s, Refused))


def _grain_of(step: re.Match[str]) -> Grain | None:
    """The step of a growth that is told by it; a year's may be by any."""
    if step["unit"]:
        return cast(Grain, step["unit"].lower())
    return _SHORT[step["short"].lower()] if step["short"] else None


def _study(asked: Asked, read: Read, grain: Grain | None, against: Against) -> Recognised | Refused:
    if against == "year" and grain is None:
        grain = "month"
    made = series_of(asked, read, grain)
    if isinstance(made, Refused):
        return made
    by, series = made
    measure = read.meaning.measures[0]
    if against == "running" and not series.figure.adds_up:
        return Refused(
            reason=f"A running total needs a figure that adds up; {measure.label} does not.",
            hint=f"Ask for {measure.label} by {series.grain} instead.",
            understood=True,
        )
    figure = figure_words(read.meaning, measure)
    what = {
        "previous": f"growth of {named(figure, series)}",
        "year": f"growth of {named(figure, series)} against the year before",
        "running": f"running total of {named(figure, series)}",
    }
    study = Growth(
        asked=asked.question,
        title=titled(what[against] + where(read.meaning)),
        source=read.meaning.source,
        rows=(by.meaning,),
        series=series,
        against=against,
    )
    return Recognised(study=study, assumptions=by.assumptions, cited=by.cited)


def cell(study: Growth, frames: tuple[str, ...]) -> str:
    """The Python step."""
    series = study.series
    back = PERIODS_A_YEAR[series.grain] if study.against == "year" else 1
    return filled(
        "running" if study.against == "running" else "growth",
        series=series_code(series, frames[0]),
        grain=series.grain,
        back=back,
        needed=back + 1,
        before=literal("a year before" if study.against == "year" else f"{series.grain} before"),
        title=literal(study.title),
        axis=literal(axis_title(series.figure)),
        tip=literal(tip(series.grain)),
        grain_title=series.grain.capitalize(),
    )


def word(study: Growth, result: Result) -> Told:
    """The answer, from the periods and their changes."""
    figure, grain = study.series.figure, study.series.grain
    rows = result.records
    ask = f"why did {figure.label} change in {period_name(rows[-1]['period'], grain)}?"
    if study.against == "running":
        first, last = rows[0], rows[-1]
        text = (
            f"{study.title}: it reaches **{amount(last['running total'], figure)}** at the end of "
            f"{period_name(last['period'], grain)}, counted from {period_name(first['period'], grain)}. "
            f"The last {grain} added {amount(last['value'], figure)}."
        )
        return Told(text=text, notes=study.series.cut, follow_ups=(f"growth of {figure.label} by {grain}",))
    known = [r for r in rows if r["change %"] is not None]
    if not known:
        return Told(text=f"{study.title}: no {grain} can be compared, for the ones before are zero.")
    last = known[-1]
    than = study.before
    best = max(known, key=lambda r: number(r["change %"]))
    worst = min(known, key=lambda r: number(r["change %"]))
    ups = sum(1 for r in known if number(r["change"]) > 0)
    text = (
        f"{in_period(last['period'], grain)} {lowered(figure.label)} was **{amount(last['value'], figure)}**, "
        f"**{percent(number(last['change %']) / 100, signed=True)}** on {than} "
        f"({difference(last['change'], figure)}). It rose in {ups} of {len(known)} {grain}s; "
        f"{period_name(best['period'], grain)} did best "
        f"({percent(number(best['change %']) / 100, signed=True)}), {period_name(worst['period'], grain)} worst "
        f"({percent(number(worst['change %']) / 100, signed=True)})."
    )
    notes = list(study.series.cut)
    if study.against == "previous" and grain in ("month", "quarter") and _spans_years(rows):
        notes.append(
            f"A {grain} is compared with the one just before, so the usual course of the year is in it; "
            f"ask for “growth of {figure.label} year over year” to leave it out."
        )
    return Told(text=text, notes=tuple(notes), follow_ups=(ask, f"is there a trend in {figure.label}?"))


def _spans_years(rows: object) -> bool:
    records = rows if isinstance(rows, tuple) else ()
    days = [as_day(r["period"]) for r in records]
    known = [d for d in days if d is not None]
    return bool(known) and (max(known) - min(known)).days > 300
