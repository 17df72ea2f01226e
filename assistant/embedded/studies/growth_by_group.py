"""Growth for each group: a table of periods by groups, each value with its change beside it, or the running totals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.embedded.studies.by_group import IN_ALL, NAMED_MAX, each, left_out, listed, own_scales, scope
from assistant.embedded.studies.drawing import axis_title, filled, in_comment, literal, series_by_group_code, tip
from assistant.embedded.studies.periods import PERIODS_A_YEAR
from assistant.embedded.studies.study import Growth
from assistant.embedded.studies.telling import Result, Told, amount, difference, in_period, lowered, number, percent
from assistant.embedded.wording.answers import period_name
from assistant.embedded.words.lexicon import plural

GROUPS_MAX = 8
_CHANGE = " change %"


def cell(study: Growth, frames: tuple[str, ...]) -> str:
    """The Python step."""
    series = study.series
    assert series.groups is not None
    back = _back(study)
    return filled(
        "running_by_group" if study.against == "running" else "growth_by_group",
        series=series_by_group_code(series, series.groups, frames[0], kept=GROUPS_MAX),
        group_label=in_comment(series.groups.label),
        grain=series.grain,
        back=back,
        needed=back + 1,
        before=study.before,
        title=literal(study.title),
        subtitle=literal(own_scales("Change in percent")),
        axis=literal(axis_title(series.figure)),
        tip=literal(tip(series.grain)),
        grain_title=series.grain.capitalize(),
    )


def word(study: Growth, result: Result) -> Told:
    """The answer: the last period of each group, and its change; the strongest growth first."""
    if study.against == "running":
        return _running(study, result)
    series, rows = study.series, result.records
    figure, grain, one = series.figure, series.grain, each(series)
    names = [c.removesuffix(_CHANGE) for c in result.columns if c.endswith(_CHANGE)]
    last, earlier = rows[-1], rows[-1 - _back(study)]
    known = [n for n in names if last[n + _CHANGE] is not None]
    known.sort(key=lambda n: -number(last[n + _CHANGE]))
    than = study.before
    at = period_name(last["period"], grain)
    notes = [*series.cut, *_gaps(rows, names, study), *left_out(last, len(names), series)]
    if missing := [n for n in names if n not in known]:
        notes.append(f"No change can be told for {listed(missing)}: one of the two {grain}s has nothing there.")
    if not known:
        return Told(text=f"{study.title}: no {one} has a figure in {at} and {than}.", notes=tuple(notes))
    ups = sum(1 for n in known if number(last[n + _CHANGE]) > 0)
    parts = [_change(n, last, earlier, study) for n in known]
    text = (
        f"{in_period(last['period'], grain)} {lowered(figure.label)} rose in {_so_many(ups, len(known))} {plural(one)} "
        f"against {than}{scope(study.title, series)}: {listed(parts)}."
    )
    if len(known) > NAMED_MAX:
        text += f" The weakest was {_change(known[-1], last, earlier, study)}."
    if study.against == "previous" and grain in ("month", "quarter") and len(rows) > PERIODS_A_YEAR[grain]:
        notes.append(
            f"A {grain} is compared with the one just before, so the usual course of the year is in it; "
            f"ask for “growth of {figure.label} by {one} year over year” to leave it out."
        )
    return Told(
        text=text,
        notes=tuple(notes),
        follow_ups=(f"is there a trend in {figure.label} by {one}?", f"why did {figure.label} change in {at}?"),
    )


def _so_many(count: int, total: int) -> str:
    """ "2 of 5", "all 5", "none of 5"."""
    return f"all {total}" if count == total > 1 else f"{count or 'none'} of {total}"


def _back(study: Growth) -> int:
    """How many periods before the one stands that each is compared with."""
    return PERIODS_A_YEAR[study.series.grain] if study.against == "year" else 1


def _change(name: str, last: Mapping[str, object], earlier: Mapping[str, object], study: Growth) -> str:
    figure, change = study.series.figure, number(last[name]) - number(earlier[name])
    share = percent(number(last[name + _CHANGE]) / 100, signed=True)
    return f"**{name}** {amount(last[name], figure)} (**{share}**, {difference(change, figure)})"


def _gaps(rows: Sequence[Mapping[str, object]], names: Sequence[str], study: Growth) -> tuple[str, ...]:
    """What is said where a group has no rows in a period, before its first ones or later."""
    one, grain, notes = each(study.series), study.series.grain, list[str]()
    late = [n for n in names if rows[0][n] is None]
    if late:
        notes.append(f"Followed only from the first {grain} with rows: {listed(late)}.")
    adds_up = study.series.figure.adds_up
    empty = [n for n in names if any(_empty(row[n], adds_up) for row in _since_first(rows, n))]
    if empty:
        meant = "counts as zero" if adds_up else "is left out"
        notes.append(f"A {grain} in which a {one} has no rows {meant}; there are such of {listed(empty)}.")
    return tuple(notes)


def _since_first(rows: Sequence[Mapping[str, object]], name: str) -> Sequence[Mapping[str, object]]:
    first = next((n for n, row in enumerate(rows) if row[name] is not None), len(rows))
    return rows[first:]


def _empty(value: object, adds_up: bool) -> bool:
    return value == 0 if adds_up else value is None


def _running(study: Growth, result: Result) -> Told:
    """The answer to running totals: where each group has come to."""
    rows, series = result.records, study.series
    last, first = rows[-1], rows[0]
    names = [c for c in result.columns if c not in ("period", IN_ALL)]
    parts = [f"**{n}** {amount(last[n], series.figure)}" for n in sorted(names, key=lambda n: -number(last[n]))]
    text = (
        f"{study.title}: at the end of {period_name(last['period'], series.grain)}, counted from "
        f"{period_name(first['period'], series.grain)}, it reaches {listed(parts)}."
    )
    return Told(
        text=text,
        notes=(*series.cut, *left_out(last, len(names), series)),
        follow_ups=(f"growth of {series.figure.label} by {series.grain} and {each(series)}",),
    )
