"""What the studies of a figure by group share: how many groups are followed, and the words for those that are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.embedded.dates import period_start
from assistant.embedded.studies.study import Series
from assistant.embedded.studies.telling import Result, number
from assistant.embedded.wording.plain import joined
from assistant.embedded.words.lexicon import plural

IN_ALL = "groups in all"
"""The column that says how many groups there are, where not all of them are followed."""
NAMED_MAX = 5
"""So many groups are named in a sentence; the table has them all."""


def each(series: Series) -> str:
    """What one group is called."""
    assert series.groups is not None
    return series.groups.label


def group(row: Mapping[str, object], result: Result) -> str:
    """The name of a row's group: it stands first."""
    return str(row[result.columns[0]])


def listed(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - NAMED_MAX
    return joined([*names[:NAMED_MAX], f"{more} more"]) if more > 0 else joined(list(names))


def own_scales(shown: str) -> str:
    """What stands under the title of a chart with panels: what is shown, and that heights mean nothing between them."""
    return f"{shown}; each panel has a scale of its own"


def scope(title: str, series: Series) -> str:
    """The conditions and periods that a title ends with, as a part of a sentence."""
    _, comma, said = title.partition(f" for each {each(series)}")[2].partition(",")
    return comma + said


def left_out(row: Mapping[str, object], kept: int, series: Series) -> tuple[str, ...]:
    """What is said where there are more groups than are followed."""
    if IN_ALL not in row:
        return ()
    total = int(number(row[IN_ALL]))
    rest = f"{total - kept} are" if total - kept > 1 else "1 is"
    size = "total" if series.figure.adds_up else "average"
    return (f"Only the {kept} {plural(each(series))} with the largest {size} are followed; {rest} left out.",)


def gaps(without: Mapping[str, int], series: Series) -> tuple[str, ...]:
    """What is said of groups that have no rows in some of their periods: their names and how many."""
    found = {name: count for name, count in without.items() if count}
    if not found:
        return ()
    meant = "count as zero" if series.figure.adds_up else "are left out"
    parts = [f"{count} of {name}" for name, count in found.items()]
    return (f"Some {series.grain}s have no rows and {meant}: {listed(parts)}.",)


def begun_late(followed: Mapping[str, int], series: Series) -> tuple[str, ...]:
    """What is said of groups that have their first rows after the others: their names, and how many periods."""
    whole = periods_in(series)
    late = [f"{name} ({count} {series.grain}s)" for name, count in followed.items() if 0 < count < whole]
    if not late:
        return ()
    return (f"Followed only from the first {series.grain} with rows: {listed(late)}.",)


def periods_in(series: Series) -> int:
    """How many whole periods a series has."""
    count, at = 0, series.first
    while at < series.end:
        count, at = count + 1, period_start(at, series.grain, 1)
    return count
