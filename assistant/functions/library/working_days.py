"""Count working days between two dates."""

from collections.abc import Iterable

import numpy as np
import pandas as pd


def working_days(start: pd.Series, end: pd.Series, holidays: Iterable[object] = (), week: str = "1111100") -> pd.Series:
    """Count the working days from a start up to an end, without the end itself.

    Monday to Tuesday is 1, Friday to Monday is 1, a day to itself is 0; an end before its start is negative.

    Args:
        start: days, or moments of which the day counts.
        end: likewise, in the same order.
        holidays: days that are off.
        week: seven figures from Monday on; 1 is a working day.

    Returns:
        Whole numbers with the index of `start`; missing where a day is.

    Raises:
        ValueError: the two are not of the same length, or `week` is not seven figures of 0 and 1 with one 1 at least.
    """
    if len(start) != len(end):
        raise ValueError(f"There are {len(start)} starts and {len(end)} ends.")
    if len(week) != 7 or set(week) - {"0", "1"} or "1" not in week:
        raise ValueError(f"The week must be seven figures of 0 and 1, such as 1111100, not {week!r}.")
    first, last = (pd.Series(pd.to_datetime(days)).reset_index(drop=True) for days in (start, end))
    days_off = np.array([pd.Timestamp(day).date() for day in holidays], dtype="datetime64[D]")
    complete = first.notna() & last.notna()
    counts = pd.Series(pd.NA, index=range(len(first)), dtype="Int64")
    counts[complete] = np.busday_count(
        first[complete].to_numpy().astype("datetime64[D]"),
        last[complete].to_numpy().astype("datetime64[D]"),
        weekmask=week,
        holidays=days_off,
    )
    return counts.set_axis(start.index)
