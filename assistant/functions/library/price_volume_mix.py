"""Split a change of revenue into prices, volume and mix."""

import pandas as pd
from functions import require_columns


def price_volume_mix(before: pd.DataFrame, after: pd.DataFrame, item: str, quantity: str, amount: str) -> pd.DataFrame:
    """Explain why the amount changed, item by item; the parts add up to the change exactly.

    Price: quantities of the later period times the change of the item's average price. Volume: the change of all
    quantities, at the average price of the earlier period. Mix: what is left of items sold in both, since dearer or
    cheaper ones were sold more. Items of one period only are `new` or `gone`, with their mix.

    Args:
        before: a row for each sale of the earlier period.
        after: likewise, of the later one.
        item: the column that names the item.
        quantity: the column with the units sold.
        amount: the column with their value.

    Returns:
        A row for each item (index `item`) and a last one, `Total`: `before`, `after`, `change`, `price`, `volume`,
        `mix`, `state` ("both", "new", "gone"; empty for the total).

    Raises:
        ValueError: a column is missing, or nothing was sold in the earlier period.
    """
    for table in (before, after):
        require_columns(table, item, quantity, amount)
    sums = [table.groupby(table[item].rename("item"))[[quantity, amount]].sum() for table in (before, after)]
    items = sums[0].index.union(sums[1].index, sort=False)
    first, second = (table.reindex(items, fill_value=0) for table in sums)
    if not first[quantity].sum() > 0:
        raise ValueError("Nothing was sold in the earlier period, so there is no price to compare with.")
    average = first[amount].sum() / first[quantity].sum()
    growth = second[quantity] - first[quantity]
    own = first[amount] / first[quantity].where(first[quantity] != 0)
    later = second[amount] / second[quantity].where(second[quantity] != 0)
    result = pd.DataFrame({"before": first[amount], "after": second[amount], "change": second[amount] - first[amount]})
    result["price"] = ((later - own) * second[quantity]).fillna(0.0)
    result["volume"] = growth * average
    result["mix"] = result["change"] - result["price"] - result["volume"]
    result.loc["Total"] = result.sum()
    result["state"] = ["both"] * len(items) + [""]
    result.loc[items.difference(sums[0].index), "state"] = "new"
    result.loc[items.difference(sums[1].index), "state"] = "gone"
    return result
