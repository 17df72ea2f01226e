"""Whether a query keeps the days that its step says: a period cut a month short gives figures that look right. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.agents.model.dates_in_text import dates_in
from assistant.core.events import Finding

_RELATIVE = re.compile(
    r"\b(?:interval|date_trunc|datetrunc|date_?add|date_?sub|date_?diff|add_months|quarter|last_day|month|week)\b"
    r"|'[-+]\d+ \w+'|'start of ",
    re.IGNORECASE,
)
"""What works out days from others: such a query is not looked at."""
_YEAR = re.compile(r"\b(\d{4})\b(?!-)")


def days_left_out(instruction: str, queries: Sequence[str]) -> tuple[Finding, ...]:
    """A warning where a query compares with days, and not with one that its step says.

    Looked at are days with their year. One counts as held where its neighbour stands in the query, as bounds exclude
    their end, or its month or year.

    Args:
        instruction: What the step is to do.
        queries: The SQL of its cell.
    """
    sql = "\n".join(queries)
    held = [*dates_in(sql)]
    days = frozenset(day for one in held if not one.is_month for day in one.days)
    if not days or _RELATIVE.search(sql):
        return ()
    months = {day[:2] for one in held if one.is_month for day in one.days}
    years = {int(year) for year in _YEAR.findall(sql)}
    said = (one for one in dates_in(instruction) if not one.is_month and one.days[0][0])
    bounds = [one for one in held if not one.is_month]
    missing = [
        one.text
        for one in said
        if not (
            one.is_among(days)
            or any(other.is_among(frozenset(one.days)) for other in bounds)
            or any(day[:2] in months or day[0] in years for day in one.days)
        )
    ]
    if not missing:
        return ()
    listed = ", ".join(dict.fromkeys(missing))
    return (Finding(level="warning", text=f"The step says {listed}, and the query compares with other days only."),)
