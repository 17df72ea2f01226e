"""Rank assumptions by what a change of each does to the result."""

from collections.abc import Mapping, Sequence

import pandas as pd
from functions import require_columns


def sensitivity(base: pd.DataFrame, value: str, changes: Mapping[str, Sequence[float]]) -> pd.DataFrame:
    """Change one assumption at a time, with all others as in the base case.

    Args:
        base: rows that are added up.
        value: the column with the value in the base case.
        changes: the lowest and the highest relative change of each assumption: `{"prices": (-0.1, 0.1)}`. Further
            numbers between them are allowed and not used.

    Returns:
        A row for each assumption, the widest first: `assumption`, `base`, `low`, `high` (the result at either end) and
        `width`.

    Raises:
        ValueError: a column is missing, or there is no assumption.
    """
    require_columns(base, value)
    if not changes:
        raise ValueError("Name at least one assumption.")
    total = float(base[value].sum())
    rows = [
        {"assumption": name, "base": total, "low": total * (1 + ends[0]), "high": total * (1 + ends[-1])}
        for name, ends in changes.items()
    ]
    table = pd.DataFrame(rows)
    table["width"] = (table["high"] - table["low"]).abs()
    return table.sort_values("width", ascending=False, kind="stable", ignore_index=True)
