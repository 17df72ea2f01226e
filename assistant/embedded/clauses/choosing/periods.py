"""Clauses about periods: every time phrase with the date it speaks of, and several of them as one range."""

from __future__ import annotations

from itertools import pairwise

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import FilterWanted, PeriodWanted
from assistant.embedded.dates import Period, describe, period_start
from assistant.embedded.linking.options import ToColumn, ToPeriod, ToTable, ToTerm, ToValue
from assistant.embedded.meaning import Grain
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import is_past


def periods(draft: Draft) -> None:
    """Every time phrase, with the date column or table it stands by."""
    found: list[int] = []
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToPeriod):
            continue
        draft.use(i)
        found.append(i)
        _dated_verb(draft, i)
        period = _opened(draft, i, piece.option.period)
        if period.assumption:
            draft.assumptions.append(period.assumption)
        wanted = PeriodWanted(period, at=i)
        before, after = draft.before(i, plain_max=3), draft.after(i, plain_max=0)
        for place in (before, after):
            beside = draft.open(place)
            if place is not None and isinstance(beside, ToColumn) and beside.attribute.is_time:
                wanted.attribute = beside.attribute
                draft.use(place)
                wanted.period = _outside(draft, place, period)
                break
        behind = draft.open(after)
        if (
            wanted.attribute is None
            and after is not None
            and isinstance(behind, ToColumn)
            and _is_season(draft, i, after)
        ):
            wanted.attribute = behind.attribute
            draft.use(after)
        verb = _past_rows(draft, draft.before(i, plain_max=0))
        said = draft.open(verb)
        if wanted.attribute is None and verb is not None and isinstance(said, ToColumn) and said.attribute.holds_years:
            wanted.attribute = said.attribute  # "left office after 1961", where the column holds the year
            draft.use(verb)
            wanted.period = _outside(draft, verb, period)
        close = draft.before(i, plain_max=0)
        beside = draft.pieces[close].option if close is not None else None
        if isinstance(beside, ToTable) and not _is_group(draft, close):
            wanted.near = beside.entity
        draft.periods.append(wanted)
    if len(found) > 1:
        _merge_periods(draft, found)


def _past_rows(draft: Draft, at: int | None) -> int | None:
    """ "built trains both before 1995 and after 2015": the verb stands before its own rows."""
    if at is None or not draft.cue_at(at, "both"):
        return at
    place = draft.before(at, plain_max=0)
    rows = draft.open(place)
    verb = draft.before(place, plain_max=1) if place is not None and isinstance(rows, ToTable) else None
    said = draft.open(verb)
    own = isinstance(rows, ToTable) and isinstance(said, ToColumn) and said.attribute.table == rows.entity.name
    return verb if own else place


def _is_season(draft: Draft, at: int, column: int) -> bool:
    """ "for the 2024 season", where a column numbers the seasons by their years."""
    option = draft.open(column)
    return isinstance(option, ToColumn) and option.attribute.holds_years and draft.touches(at, column)


def _is_group(draft: Draft, at: int | None) -> bool:
    """ "mails sent to each user in May": the time is that of the figure, not of what it is broken down by."""
    before = draft.pieces[at - 1].option if at else None
    return isinstance(before, Cue) and before.kind == "group" and before.argument == "each"


def _opened(draft: Draft, at: int, period: Period) -> Period:
    """ "in 2010 or later": the period and all that follows it."""
    open_end = draft.cue_at(at + 1, "or_more")
    if open_end is None:
        return period
    draft.use(at + 1)
    start, end = (period.start, None) if open_end.argument == ">=" else (None, period.end)
    return Period(start=start, end=end, label=describe(start, end), assumption=period.assumption)


def _outside(draft: Draft, column: int, period: Period) -> Period:
    """ "after season 2010": the column stands between the word and the period."""
    cue = draft.cue_at(column - 1, "compare")
    if cue is None or cue.argument not in ("later", "earlier"):
        return period
    draft.use(column - 1)
    start, end = (period.end, None) if cue.argument == "later" else (None, period.start)
    return Period(start=start, end=end, label=describe(start, end), assumption=period.assumption)


def _grain_of(periods: list[Period]) -> Grain:
    """The grain that shows each of the periods by itself."""
    grains: tuple[Grain, ...] = ("year", "quarter", "month", "week", "day")
    for grain in grains:
        if all(
            p.start == period_start(p.start, grain) and p.end == period_start(p.start, grain, 1)
            for p in periods
            if p.start
        ):
            return grain
    raise Misfit("I cannot show these periods side by side; ask for each of them.", weight=4)


def _dated_verb(draft: Draft, at: int) -> None:
    """ "shipped in March" speaks of the day of shipping where there is one, not of a status of that name."""
    before = draft.before(at, plain_max=0)
    if before is None or not isinstance(draft.pieces[before].option, ToValue):
        return
    dates = [o for o in draft.pieces[before].span.options if isinstance(o, ToColumn) and o.attribute.is_time]
    if dates:
        raise Misfit("The words name a date.")


def _both_years(draft: Draft) -> bool:
    """ "houses built after 1990 and houses built before 1960": of several rows, for no row is both."""
    columns = {(w.attribute.table, w.attribute.name): w.attribute for w in draft.periods if w.attribute}
    if len(columns) != 1:
        return False
    column = next(iter(columns.values()))
    found: list[FilterWanted] = []
    for wanted in draft.periods:
        start, end = wanted.period.start, wanted.period.end
        if not column.holds_years or column.column.kind == "text" or (start and end):
            return False
        if start is not None:
            found.append(FilterWanted(column, ">=", (start.year,), piece=wanted.at))
        elif end is not None:
            found.append(FilterWanted(column, "<", (end.year,), piece=wanted.at))
    draft.filters += found
    draft.periods.clear()
    return True


def _merge_periods(draft: Draft, found: list[int]) -> None:
    """ "2024 and 2025", "2024 vs 2025": neighbours in time become one range, shown by its parts."""
    links = [i for i in range(found[0], found[-1]) if draft.cue_at(i, "and", "or", "versus")]
    spans = [w.period for w in draft.periods]
    spans.sort(key=lambda p: (p.start is None, p.start))
    joined = all(a.end is not None and a.end == b.start for a, b in pairwise(spans))
    if links and all(draft.cue_at(i, "or") for i in links):
        named = {(w.attribute.table, w.attribute.name): w.attribute for w in draft.periods if w.attribute}
        for wanted in draft.periods if len(named) == 1 else ():
            wanted.attribute = next(iter(named.values()))
        return  # "after 1990 or before 1960": alternatives, which `connecting` reads
    if any(_of_a_state(draft, i) for i in found):
        raise Misfit("Two things happened, each at a time of its own.", weight=3)
    if len(draft.periods) == len(found) == len({w.attribute.name for w in draft.periods if w.attribute}):
        draft.use(*links)
        return  # "created in 2025 and closed in 2026": each by a date of its own
    if links and not joined and _both_years(draft):
        draft.use(*links)
        return
    if not links or not joined or len(draft.periods) != len(found):
        raise Misfit("Two separate periods in one question are more than I can read; ask for each of them.", weight=4)
    draft.use(*links)
    one_period(draft)
    if not draft.grains:
        draft.grains.append(_grain_of(spans))


def _of_a_state(draft: Draft, at: int) -> bool:
    """ "created in 2025 and closed in 2026", where "closed" is read as a state: it says what happened then."""
    return isinstance(draft.pieces[at - 1].option, ToTerm) and is_past(draft.word(at - 1))


def one_period(draft: Draft) -> bool:
    """Make one range of periods that follow on one another, if they do."""
    spans = sorted((w.period for w in draft.periods), key=lambda p: (p.start is None, p.start))
    if len(spans) <= 1 or not all(a.end is not None and a.end == b.start for a, b in pairwise(spans)):
        return False
    first, last = spans[0], spans[-1]
    whole = draft.periods[0]
    whole.period = Period(start=first.start, end=last.end, label=describe(first.start, last.end))
    draft.periods = [whole]
    return True
