"""Whether a query keeps the days that its step says: a period cut a month short gives figures that look right. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.agents.model.dates_in_text import find_dates
from assistant.core.events import Finding

_RELATIVE = re.compile(
    r"\b(?:interval|date_trunc|datetrunc|date_?add|date_?sub|date_?diff|add_months|quarter|last_day|month|week)\b"
    r"|'[-+]\d+ \w+'|'start of ",
    re.IGNORECASE,
)
"""What works out days from others: such a query is not looked at."""
_YEAR = re.compile(r"\b(\d{4})\b(?!-)")


def find_missing_days(instruction: str, queries: Sequence[str]) -> tuple[Finding, ...]:
    """A warning where a query compares with days, and not with one that its step says.

    Looked at are days with their year. One counts as held where its neighbour stands in the query, as bounds exclude
    their end, or its month or year.

    Args:
        instruction: What the step is to do.
        queries: The SQL of its cell.
    """
    sql = "\n".join(queries)
    query_dates = [*find_dates(sql)]
    days = frozenset(day for date_in_text in query_dates if not date_in_text.is_month for day in date_in_text.days)
    if not days or _RELATIVE.search(sql):
        return ()
    months = {day[:2] for date_in_text in query_dates if date_in_text.is_month for day in date_in_text.days}
    years = {int(year) for year in _YEAR.findall(sql)}
    step_dates = (
        date_in_text
        for date_in_text in find_dates(instruction)
        if not date_in_text.is_month and date_in_text.days[0][0]
    )
    bounds = [date_in_text for date_in_text in query_dates if not date_in_text.is_month]
    absent_dates = [
        date_in_text.text
        for date_in_text in step_dates
        if not (
            date_in_text.is_among(days)
            or any(bound.is_among(frozenset(date_in_text.days)) for bound in bounds)
            or any(day[:2] in months or day[0] in years for day in date_in_text.days)
        )
    ]
    if not absent_dates:
        return ()
    listed = ", ".join(dict.fromkeys(absent_dates))
    return (Finding(level="warning", text=f"The step says {listed}, and the query compares with other days only."),)
