"""Events in the sample company's history: the period of its data, its seasons, and its unusual days.

All dates are relative to `as_of`. This module states the events; the other modules of the package generate the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

YEARS = 3
EARLIEST = date(1910, 1, 1)

WEEKDAYS: tuple[float, ...] = (0.90, 0.86, 0.90, 1.00, 1.26, 1.48, 0.60)
"""Orders by weekday, Monday first; on Sundays the stores are closed."""

MONTHS: tuple[float, ...] = (0.84, 0.80, 0.92, 0.98, 1.00, 0.96, 0.88, 0.90, 0.98, 1.02, 1.26, 1.72)
"""Orders by month: the peak is December."""

GARDEN_MONTHS: tuple[float, ...] = (0.3, 0.5, 1.2, 1.9, 2.0, 1.7, 1.4, 1.0, 0.7, 0.5, 0.3, 0.3)
"""Garden goods have a season of their own."""

GROWING, SHRINKING = "Smart Home", "Stationery"
CHURNING = "South"


def months_before(day: date, months: int) -> date:
    """The first day of the month that lies `months` months before that of `day`."""
    index = day.year * 12 + day.month - 1 - months
    return date(index // 12, index % 12 + 1, 1)


def years_before(day: date, years: int) -> date:
    """The same day some years earlier; 28 February for a leap day."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def on_weekday(day: date, weekday: int) -> date:
    """The first such weekday (Monday is 0) on or after a day."""
    return day + timedelta(days=(weekday - day.weekday()) % 7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """The window and the unusual days.

    Attributes:
        start: First day of the data.
        end: Last day of the data, the day before `as_of`.
        churn_from: First day of the month from which customers of the `CHURNING` region leave.
        double_day: Every order of this day stands twice in the data, as after an import that ran twice.
        stockout: First and last day of a week in which the best-selling product could not be had.
        corporate_day: The day of one huge corporate order.
    """

    start: date
    end: date
    churn_from: date
    double_day: date
    stockout: tuple[date, date]
    corporate_day: date

    @property
    def days(self) -> int:
        """Length of the window in days."""
        return (self.end - self.start).days + 1

    def offset(self, day: date) -> int:
        """Days from the start of the window."""
        return (day - self.start).days


def make_story(as_of: date) -> Story:
    """Lay the story out for a date.

    Raises:
        ValueError: If `as_of` lies before `EARLIEST`.
    """
    if as_of < EARLIEST:
        raise ValueError(f"the sample company is younger than {as_of.isoformat()!r}: give a date from {EARLIEST} on")
    stockout = on_weekday(months_before(as_of, 7), 0)
    return Story(
        start=years_before(as_of, YEARS),
        end=as_of - timedelta(days=1),
        churn_from=months_before(as_of, 10),
        double_day=on_weekday(months_before(as_of, 14) + timedelta(days=8), 4),
        stockout=(stockout, stockout + timedelta(days=6)),
        corporate_day=on_weekday(months_before(as_of, 5) + timedelta(days=9), 2),
    )


def day_weights(story: Story) -> Floats:
    """How busy each day of the window is, relative to others. Shape: `days`."""
    days = [story.start + timedelta(days=n) for n in range(story.days)]
    weekly = np.array([WEEKDAYS[day.weekday()] for day in days])
    yearly = np.array([MONTHS[day.month - 1] for day in days])
    growth = np.linspace(1.0, 1.12, story.days)
    return weekly * yearly * growth


def iso(story: Story, offsets: Ints) -> list[str]:
    """Days of the window (or before it, when negative) as ISO text."""
    return (np.datetime64(story.start, "D") + offsets.astype("timedelta64[D]")).astype(str).tolist()
