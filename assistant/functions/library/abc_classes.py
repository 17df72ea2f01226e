"""Divide items into A, B and C by their share of the total."""

from collections.abc import Sequence

import pandas as pd
from functions import require_columns


def abc_classes(items: pd.DataFrame, name: str, value: str, limits: Sequence[float] = (0.8, 0.95)) -> pd.DataFrame:
    """Classify items by their cumulative share of a value, largest first.

    An item is in class A where the items before it have less than the first limit together, and so on. So the item that
    passes a limit still belongs to the class that it fills, and equal items may fall on both sides of a limit.

    Args:
        items: one or more rows for each item; their values are added up.
        name: the column that names the item. Rows without a name are left out.
        value: the column with what counts, such as revenue.
        limits: two rising shares between 0 and 1.

    Returns:
        A row for each item (index `item`), largest first: `value`, `share`, `cumulative_share`, `abc_class`. Items of
        0 are in class C.

    Raises:
        ValueError: a column is missing, an item's value is negative, nothing is above 0, or the limits do not rise.
    """
    require_columns(items, name, value)
    first, second = limits
    if not 0 < first < second < 1:
        raise ValueError(f"The limits must rise between 0 and 1, not {first} and {second}.")
    totals = items.groupby(items[name].rename("item"))[value].sum().sort_values(ascending=False, kind="stable")
    if (totals < 0).any():
        raise ValueError(f"The value of {totals.idxmin()!r} is negative: {totals.min()}. Shares would have no meaning.")
    total = totals.sum()
    if not total > 0:
        raise ValueError("No item has a value above 0, so there are no shares.")
    table = pd.DataFrame({"value": totals, "share": totals / total, "cumulative_share": totals.cumsum() / total})
    before = table["cumulative_share"] - table["share"]
    table["abc_class"] = "C"
    table.loc[(before < second - 1e-12) & (totals > 0), "abc_class"] = "B"
    table.loc[(before < first - 1e-12) & (totals > 0), "abc_class"] = "A"
    return table
