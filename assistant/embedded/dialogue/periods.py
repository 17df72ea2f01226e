"""The periods of a follow-up: another one in the place of that before, a step in time, the same a year earlier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from assistant.embedded.clauses.choosing.periods import one_period
from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import PeriodWanted
from assistant.embedded.dates import Period, describe, month_start
from assistant.embedded.dialogue.signs import Wish
from assistant.embedded.meaning import Grain, Meaning


def periods(change: Draft, draft: Draft, previous: Meaning, wish: Wish) -> None:
    """Put the periods that are named in the place of those before, or beside them where the words say so.

    Raises:
        Misfit: they cannot be shown together.
    """
    if not change.periods:
        return
    dated = [r for r in draft.related if r.period is not None]
    if not draft.periods and len(dated) == 1 and len(change.periods) == 1:
        dated[0].period = change.periods[0].period  # "who ordered in 2025", "and in 2024?"
        return
    for wanted in change.periods:
        moved = _in_year_before(wanted, change, previous)
        if moved != wanted.period:
            taken = f"is taken as {describe(wanted.period.start, wanted.period.end)}"
            change.assumptions = [said for said in change.assumptions if not said.endswith(taken)]
            wanted.period = moved
    if (moved_all := _of_newcomers(draft.periods, change.periods)) is not None:
        draft.periods = moved_all
        return
    named = [p for p in change.periods if p.attribute is not None]
    others = [p for p in draft.periods if named and p.attribute not in [n.attribute for n in named]]
    if others:
        draft.periods = [*others, *change.periods]  # "only products launched in 2025", of the revenue of 2026
        return
    if (within := _joined(draft.periods, change.periods)) is not None:
        draft.periods = [within]
    elif wish.also and draft.periods:
        draft.periods = [*draft.periods, *change.periods]
        if not one_period(draft):
            raise Misfit("I can only show periods together that follow on one another; ask for each of them.", weight=7)
    else:
        draft.periods = change.periods
    before = next(iter(previous.times), None)
    for period in draft.periods:
        if period.attribute is None and before is not None:
            period.attribute = draft.schema.attribute(before.column.table, before.column.column)


def _of_newcomers(before: Sequence[PeriodWanted], said: Sequence[PeriodWanted]) -> list[PeriodWanted] | None:
    """ "and in 2025?" after "revenue from new customers in 2026": of those new in 2025, in 2025."""
    if not any(p.newcomers for p in before) or len({p.period for p in before}) > 1:
        return None
    if len(said) != 1 or said[0].attribute is not None or said[0].near is not None:
        return None
    return [replace(p, period=said[0].period) for p in before]


def _joined(before: Sequence[PeriodWanted], said: Sequence[PeriodWanted]) -> PeriodWanted | None:
    """ "until June" after "since March": both bounds hold."""
    if len(before) != 1 or len(said) != 1:
        return None
    one, other = before[0].period, said[0].period
    if (one.start is None) == (one.end is None) or (other.start is None) == (other.end is None):
        return None
    start, end = one.start or other.start, one.end or other.end
    if start is None or end is None or start >= end:
        return None
    return replace(before[0], period=Period(start=start, end=end, label=describe(start, end)))


def shifted(draft: Draft, wish: Wish) -> None:
    """ "the month before": the same span, a step earlier or later."""
    if wish.shift is None:
        return
    grain, step = wish.shift
    period = draft.periods[0].period if len(draft.periods) == 1 else None
    if period is None or period.start is None or period.end is None:
        raise Misfit(f"The {grain} before what? Name the period, as in “in March 2025”.", weight=8)
    start, end = (_stepped(day, grain, step) for day in (period.start, period.end))
    draft.periods = [replace(draft.periods[0], period=Period(start=start, end=end, label=describe(start, end)))]


def _stepped(day: date, grain: Grain, step: int) -> date:
    if grain in ("day", "week"):
        return day + timedelta(days=step * (7 if grain == "week" else 1))
    months = {"month": 1, "quarter": 3, "year": 12}[grain] * step
    first = month_start(day, months)
    last = (month_start(first, 1) - first).days
    return first.replace(day=min(day.day, last))


def _in_year_before(wanted: PeriodWanted, change: Draft, previous: Meaning) -> Period:
    """ "what about Q2?" after a quarter of 2024 is that of 2024, for nobody named another year."""
    period, time = wanted.period, next(iter(previous.times), None)
    said = [p.span.text.lower() for p in change.pieces]
    if time is None or not (time.start and time.end and period.start and period.end):
        return period
    if any(any(c.isdigit() for c in w[-4:]) and len(w.split()[-1]) >= _YEAR for w in said):
        return period
    if any(set(words.split()) & _RELATIVE for words in said):
        return period
    last = date.fromordinal(time.end.toordinal() - 1)
    shift = time.start.year - period.start.year
    if last.year != time.start.year or not shift:
        return period
    start, end = _moved(period.start, shift), _moved(period.end, shift)
    return Period(start=start, end=end, label=describe(start, end))


_YEAR = 4
_RELATIVE = frozenset(
    ("last", "this", "next", "current", "previous", "past", "ago", "today", "yesterday", "ytd", "now", "since", "until")
)


def _moved(day: date, years: int) -> date:
    return day.replace(year=day.year + years, day=min(day.day, 28) if day.month == 2 else day.day)
