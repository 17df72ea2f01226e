"""Simulate a scenario whose assumptions are ranges, and a forecast that has a band."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from functions import require_columns


def simulate(
    base: pd.DataFrame,
    item: str,
    value: str,
    changes: Mapping[str, Sequence[float]],
    *,
    spread: str | None = None,
    level: float = 0.9,
    shared: float = 0.5,
    target: float | None = None,
    runs: int = 10_000,
    seed: int = 1,
) -> pd.DataFrame:
    """Draw each assumption from its range and each value from its band, many times.

    A change is drawn from the triangle of its lowest, likely and highest value, once for each run. A value errs by a
    normal distribution; `shared` is the part of the variance that all values of a run have in common. The same seed
    gives the same figures.

    Args:
        base: a row for each period or item.
        item: the column that names the period or item.
        value: the column with its value in the base case.
        changes: `(low, likely, high)` relative changes for each assumption; three equal ones are certain.
        spread: the column with the standard deviation of each value; without it the base case is certain.
        level: the share of runs within `low` and `high`.
        shared: from 0 (errors are independent) to 1 (all values err alike).
        target: what the total should reach.
        runs: how many are drawn.
        seed: of the random numbers.

    Returns:
        A row for each item, behind a first row `Total`: `item`, `base`, `scenario` (the median), `low`, `high`, and
        `miss_percent`: in how many runs of a hundred the total misses the target; missing without a target.

    Raises:
        ValueError: a column is missing, there is no row, a range does not rise or lies below -1, or an option is out
            of range.
    """
    require_columns(base, item, value, *([spread] if spread else []))
    if not 0 < level < 1 or not 0 <= shared <= 1 or runs < 100:
        raise ValueError(f"level, shared and runs are out of range: {level}, {shared}, {runs}.")
    for name, (low, likely, high) in changes.items():
        if not -1 <= low <= likely <= high:
            raise ValueError(f"The range of {name!r} must rise and lie above -1: {low}, {likely}, {high}.")
    if base.empty:
        raise ValueError("There is no row to change: the base case is empty.")
    columns = [value, *([spread] if spread else [])]
    rows = base.groupby(item, sort=True)[columns].sum().astype(float)
    random = np.random.default_rng(seed)
    factor = np.ones(runs)
    for low, likely, high in changes.values():
        factor *= 1 + (random.triangular(low, likely, high, runs) if low < high else np.full(runs, likely))
    draws = np.tile(rows[value].to_numpy(), (runs, 1))
    if spread:
        common, own = random.standard_normal((runs, 1)), random.standard_normal(draws.shape)
        draws = draws + rows[spread].to_numpy() * (np.sqrt(shared) * common + np.sqrt(1 - shared) * own)
    draws = draws * factor[:, None]
    total = draws.sum(axis=1)
    every = np.column_stack([total, draws])
    tail = (1 - level) / 2
    table = pd.DataFrame(
        {
            "base": [rows[value].sum(), *rows[value]],
            "scenario": np.median(every, axis=0),
            "low": np.quantile(every, tail, axis=0),
            "high": np.quantile(every, 1 - tail, axis=0),
            "miss_percent": np.nan,
        },
        index=pd.Index(["Total", *rows.index.astype(str)], name="item"),
    )
    if target is not None:
        table.loc["Total", "miss_percent"] = 100 * float(np.mean(total < target))
    return table
