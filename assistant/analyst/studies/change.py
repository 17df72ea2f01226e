"""What is behind a change between two periods, or a difference between one group and the others.

Only what adds up can be taken apart: the figure is split by every small dimension there is, each for itself.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from assistant.analyst import algebra as al
from assistant.analyst.checking import adds_up
from assistant.analyst.dialogue.cues import without
from assistant.analyst.grammar.building import Builder
from assistant.analyst.linking.tokens import Word, operators
from assistant.analyst.meaning import Meaning, Study, columns_of
from assistant.analyst.outcomes import Declined, declined
from assistant.analyst.parts import MeasuredFigure, Period
from assistant.analyst.schema import Schema
from assistant.analyst.studies.study_request import StudyRequest
from assistant.analyst.wording import period

_PARTS_MAX = 20
_SIDES = ("before", "now")
_DIMENSIONS_MAX = 4


def drivers(request: StudyRequest) -> Meaning | Declined | None:
    """ "Why did net revenue fall last quarter?", "why is North highest?" """
    figures = request.figures()
    if not figures or not isinstance(figures[0].figure, al.Leaf):
        return declined("no changed figure")
    figure = figures[0]
    figure_text = request.said(figure)
    if not adds_up(figure.figure):
        return declined("no sum of parts", figure_text.capitalize())
    return _of_group(request, figure) or _of_periods(request, figure)


def _of_group(request: StudyRequest, figure: MeasuredFigure) -> Meaning | Declined | None:
    """One group against the mean of the others: of the answer before, by that very column, or as it is named."""
    query = request.previous.query if request.previous else None
    before = query if isinstance(query, al.Grouped) and isinstance(query.of, al.Rows) else None
    for condition in request.frame.conditions:
        if not isinstance(condition, al.Compare) or not isinstance(condition.right, al.Constant):
            continue
        rows = _rows_beside(request, figure, condition) if before is None else before.of
        is_said = before is None or condition.left in before.keys
        if is_said and isinstance(condition.left, al.Column) and isinstance(rows, al.Rows):
            profile = request.schema.profiled[condition.left].profile
            group_count = max(1, (profile.distinct if profile else 2) - 1)
            name = str(condition.right.value)
            subject = f"What makes {request.said(figure)} of {name} differ from the others"
            names = (f"mean of the other {group_count}", name)
            rows = al.Rows(figure.table, rows.where)
            return _split(request, figure, rows, (al.Not(condition), condition), names=names, subject=subject)
    return None


def _rows_beside(request: StudyRequest, figure: MeasuredFigure, group: al.Compare) -> al.Rows | None:
    """The rows of a group and the others, as the question limits both; None where it speaks of no standing."""
    is_reachable = all(request.schema.reaches_one(figure.table, table) for table in al.tables_here(group))
    if not is_reachable or not _stands(request):
        return None
    other_conditions = (p for p in request.frame.conditions if p != group)
    return Builder(schema=request.schema, home=figure.table, date=request.date(figure)).rows(other_conditions)


def _stands(request: StudyRequest) -> bool:
    """Whether the question says how a figure stands, "highest", and not that it changed."""
    changes = without(request.words, "moving", "moving") is not None
    return not changes and without(request.words, "moving", "standing") is not None


def _of_periods(request: StudyRequest, figure: MeasuredFigure) -> Meaning | Declined | None:
    """A period against the one before it, or two that are named."""
    day = request.date(figure)
    if day is None:
        return declined("no date of change", request.said(figure))
    rows = request.rows(figure.table, day)
    if rows is None:
        return None
    spans = [c for c in al.here(rows.where) if isinstance(c, al.Within)]
    conditions = [c for c in al.conditions_of(rows.where) if not any(isinstance(p, al.Within) for p in al.here(c))]
    periods = [part.meaning for part in request.dates]
    windows = [al.Within(day, p.start, p.end) for p in periods if isinstance(p, Period)] or spans
    is_of_any_year = any(not isinstance(p, Period) for p in periods) or not all(c.start and c.end for c in spans)
    is_of_any_year = is_of_any_year or (len(periods) == 1 and _is_open(request.words, request.dates[0].start))
    if is_of_any_year or len(windows) > len(_SIDES) or (_stands(request) and not windows):
        return declined("no periods of change", request.said(figure))
    sides = _sides(windows, day, request.source.today)
    names = (period(sides[0].start, sides[0].end), period(sides[1].start, sides[1].end))
    subject = f"What changed in {request.said(figure)} {names[1]} against {names[0].removeprefix('in ')}"
    return _split(request, figure, al.Rows(figure.table, al.both(*conditions)), sides, names=names, subject=subject)


def _is_open(words: tuple[Word, ...], at: int) -> bool:
    """Whether a word before a date says that a time only begins or ends there: "since 2025"."""
    readings = operators().get(words[at - 1].lower, ()) if at else ()
    return any(category == "moment" and meaning != "=" for category, meaning in readings)


def _sides(windows: list[al.Within], day: al.Column, today: date) -> tuple[al.Within, al.Within]:
    """The two periods: both named, or the one named and the one as long before it; else the last two months."""
    if len(windows) == len(_SIDES):
        before, now = sorted(windows, key=lambda c: c.start)
        return before, now
    if windows:
        return _before(windows[0]), windows[0]
    end = today.replace(day=1)
    start = (end - timedelta(days=1)).replace(day=1)
    now = al.Within(day, start.isoformat(), end.isoformat())
    return _before(now), now


def _before(now: al.Within) -> al.Within:
    """The period as long before; in whole months where it is of whole months."""
    start, end = date.fromisoformat(now.start[:10]), date.fromisoformat(now.end[:10])
    if start.day == end.day == 1:
        months = (end.year - start.year) * 12 + end.month - start.month
        first = start.year * 12 + start.month - 1 - months
        return al.Within(now.term, date(first // 12, first % 12 + 1, 1).isoformat(), now.start)
    return al.Within(now.term, (start - (end - start)).isoformat(), now.start)


def _split(
    request: StudyRequest,
    figure: MeasuredFigure,
    rows: al.Rows,
    sides: tuple[al.Condition, al.Condition],
    *,
    names: tuple[str, str],
    subject: str,
) -> Meaning | Declined:
    assert isinstance(figure.figure, al.Leaf), "only what adds up is split"
    ruled = tuple(column for rule in request.source.known.rules for column in rule.condition.columns)
    by = _dimensions(request.schema, figure, frozenset((*columns_of(sides), *ruled)))
    if not by:
        return declined("no parts of change", request.said(figure))
    before, now = (replace(figure.figure, where=al.both(figure.figure.where, side)) for side in sides)
    study = Study(kind="drivers", subject=subject, figure=figure.figure, side_names=names)
    return Meaning(source=request.source.name, query=al.Grouped(rows, by, (before, now)), study=study)


def _dimensions(schema: Schema, figure: MeasuredFigure, apart: frozenset[al.Column]) -> tuple[al.Column, ...]:
    """What the figure can be split by: what small tables beside it are called, and its own categories."""
    builder = Builder(schema=schema, home=figure.table, date=None)
    candidates: list[al.Column] = []
    for name, table in schema.tables.items():
        path = schema.path(builder.home, name)
        if path is None or not all(link.cardinality == "one" and link.total for link in path):
            continue  # a table that few rows have a row of explains little
        candidates += [c for c in table.label if schema.typed[c].role in ("name", "category")]
        candidates += [c for c in table.columns if schema.typed[c].role in ("category", "flag")]
    few = [c for c in dict.fromkeys(candidates) if c not in apart and _is_small(schema, c)]
    defined = figure.figure.columns if isinstance(figure.figure, al.Metric) else ()
    near = sorted(few, key=lambda c: (len(schema.path(builder.home, c.table) or ()), c in defined))
    return tuple(near[:_DIMENSIONS_MAX])


def _is_small(schema: Schema, column: al.Column) -> bool:
    profile = schema.profiled[column].profile
    return profile is not None and 2 <= profile.distinct <= _PARTS_MAX
