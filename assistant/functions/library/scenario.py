"""Set a scenario of changed assumptions beside the base case."""

from collections.abc import Mapping

import pandas as pd
from functions import require_columns


def scenario(
    base: pd.DataFrame, item: str, value: str, changes: Mapping[str, float], growth: float = 0.0
) -> pd.DataFrame:
    """Multiply every value by one plus each change.

    The changes work independently of each other: a price has no effect on volume unless the volume is changed, too.

    Args:
        base: a row for each period or item.
        item: the column that names the period or item.
        value: the column with its value in the base case.
        changes: the relative change of each assumption: `{"prices": 0.05, "customers": -0.02}`.
        growth: a relative growth from row to row, in the order of the item, compounded from the first row on.

    Returns:
        A row for each item, behind a first row `Total`: `item`, `base`, `scenario`, `difference`, `change_percent`.

    Raises:
        ValueError: a column is missing, there is no row, or a change is below -1.
    """
    require_columns(base, item, value)
    if any(change < -1 for change in (*changes.values(), growth)):
        raise ValueError("A change below -100 % would leave less than nothing.")
    sums = base.groupby(item)[value].sum()
    if sums.empty:
        raise ValueError("There is no row to change: the base case is empty.")
    factor = 1.0
    for change in changes.values():
        factor *= 1 + change
    steps = pd.Series(range(1, len(sums) + 1), sums.index)
    table = pd.DataFrame({"base": sums.astype(float), "scenario": sums.astype(float) * factor * (1 + growth) ** steps})
    table = pd.concat([table.sum().to_frame("Total").T, table]).rename_axis("item")
    table["difference"] = table["scenario"] - table["base"]
    table["change_percent"] = 100 * table["difference"] / table["base"].abs().where(table["base"] != 0)
    return table
