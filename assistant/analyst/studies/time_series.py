"""Studies of a course in time: is there a trend, and how does it go on."""

from __future__ import annotations

from assistant.analyst.algebra import Grain, GrainName, Grouped, Order
from assistant.analyst.linking.tokens import Word, whole_number
from assistant.analyst.meaning import Meaning, Study, StudyKind
from assistant.analyst.outcomes import Declined, declined
from assistant.analyst.parts import Period
from assistant.analyst.studies.study_request import StudyRequest

GRAINS: tuple[GrainName, ...] = ("year", "quarter", "month", "day")
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_AHEAD = 3


def trend(request: StudyRequest) -> Meaning | Declined | None:
    """ "Is there a trend in net revenue?" """
    return _course(request, "trend", grain=grain_of(request), ahead=0)


def forecast(request: StudyRequest) -> Meaning | Declined | None:
    """ "Forecast net revenue for the next 6 months" """
    grain, ahead = horizon(request.words)
    ends = (part.meaning.end for part in request.dates if isinstance(part.meaning, Period))
    if any(end > request.source.today.isoformat() for end in ends):
        return declined("no horizon")
    return _course(request, "forecast", grain=grain or grain_of(request), ahead=ahead)


def _course(request: StudyRequest, kind: StudyKind, *, grain: GrainName, ahead: int) -> Meaning | Declined | None:
    figures = request.figures()
    if not figures:
        return declined("no figure")
    figure = figures[0]
    date = request.date(figure)
    figure_text = request.said(figure)
    if date is None:
        return declined("no date", figure_text)
    rows = request.rows(figure.table, date)
    if rows is None:
        return None
    query = Grouped(rows, (Grain(date, grain),), (figure.figure,), order=(Order(0),))
    study = Study(
        kind=kind,
        subject=f"{kind.capitalize()} of {figure_text} by {grain}",
        figure=figure.figure,
        grain=grain,
        ahead=ahead,
    )
    return Meaning(source=request.source.name, query=query, study=study)


def grain_of(request: StudyRequest) -> GrainName:
    """The period that a question names; a month where it names none."""
    grains = {key.grain for key in request.frame.keys}
    mentioned: list[GrainName] = [grain for grain in GRAINS if grain in grains]
    return mentioned[0] if mentioned else "month"


def horizon(words: tuple[Word, ...]) -> tuple[GrainName | None, int]:
    """How far ahead: "next 6 months" is six months, "next quarter" three months, nothing said three periods."""
    for at, word in enumerate(words[:-1]):
        if word.lower not in ("next", "coming", "following"):
            continue
        n = whole_number(words[at + 1]) or 0
        unit = words[min(at + (2 if n else 1), len(words) - 1)].lemma
        if unit in _MONTHS:
            return _told(unit, n)
        if unit in ("day", "week"):
            return "day", max(n, 1) * (7 if unit == "week" else 1)
    return None, _AHEAD


def _told(unit: str, n: int) -> tuple[GrainName, int]:
    if n <= 1 and unit != "month":
        return "month", _MONTHS[unit]
    grain: GrainName = "year" if unit == "year" else "quarter" if unit == "quarter" else "month"
    return grain, max(n, 1)
