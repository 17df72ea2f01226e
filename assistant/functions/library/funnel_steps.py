"""Count who passes each step of a funnel, in order."""

from collections.abc import Sequence

import pandas as pd
from functions import require_columns


def funnel_steps(
    events: pd.DataFrame, person: str, step: str, steps: Sequence[str], time: str | None = None
) -> pd.DataFrame:
    """Count persons who reached each step after all steps before it.

    Args:
        events: a row for each event.
        person: the column that names the person.
        step: the column that names the event.
        steps: the steps in their order; other events are left out.
        time: the column with the time of the event. Then a step counts only at or after the step before it. Without
            it, the order of events is not looked at.

    Returns:
        A row for each step (index `step`): `persons`, `share_of_first`, `share_of_previous`; missing where nobody
        reached the step before.

    Raises:
        ValueError: a column is missing, there are no steps or one stands twice, or no event has such a step.
    """
    require_columns(events, person, step, *([time] if time else []))
    if not steps or len(set(steps)) < len(steps):
        raise ValueError("Name each step once, in order.")
    unknown = [name for name in steps if not (events[step] == name).any()]
    if unknown:
        names = ", ".join(repr(str(name)) for name in events[step].dropna().unique()[:10])
        raise ValueError(f"No event is {', '.join(map(repr, unknown))}. There are {names}.")
    complete = events.dropna(subset=[person, *([time] if time else [])])
    moments = pd.to_datetime(complete[time]) if time else pd.Series(pd.Timestamp(0), complete.index)
    reached: pd.Series | None = None
    persons: list[int] = []
    for name in steps:
        rows = pd.DataFrame({"person": complete[person], "time": moments})[complete[step] == name]
        if reached is not None:
            rows = rows[rows["time"] >= rows["person"].map(reached)]
        reached = rows.groupby("person")["time"].min()
        persons.append(len(reached))
    table = pd.DataFrame({"persons": persons}, index=pd.Index(steps, name="step"))
    table["share_of_first"] = table["persons"] / (persons[0] or float("nan"))
    table["share_of_previous"] = table["persons"] / table["persons"].shift().replace(0, float("nan"))
    return table
