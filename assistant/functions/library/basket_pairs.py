"""Find items that are bought together more often than by chance."""

from itertools import combinations

import pandas as pd
from functions import require_columns


def basket_pairs(lines: pd.DataFrame, basket: str, item: str, baskets_min: int = 2) -> pd.DataFrame:
    """Count pairs of items in the same basket.

    An item counts once in a basket. Lines without a basket or an item are left out.

    Args:
        lines: a row for each line of an order.
        basket: the column that names the order.
        item: the column that names the item.
        baskets_min: pairs in fewer baskets are left out.

    Returns:
        A row for each pair, highest `lift` first: `first`, `second`, `baskets` (with both), `support` (share of all
        baskets), `confidence` (of `second` where `first` is; `first` is the rarer one) and `lift` (1: by chance).

    Raises:
        ValueError: a column is missing, or `baskets_min` is below 1.
    """
    require_columns(lines, basket, item)
    if baskets_min < 1:
        raise ValueError(f"baskets_min must be at least 1, not {baskets_min}.")
    distinct = lines[[basket, item]].dropna().drop_duplicates()
    baskets = distinct[basket].nunique()
    counts = distinct[item].value_counts()
    frequent = distinct[distinct[item].map(counts) >= baskets_min]
    pairs: dict[tuple[object, object], int] = {}
    for items in frequent.groupby(basket)[item]:
        for pair in combinations(sorted(items[1], key=lambda name: (counts[name], str(name))), 2):
            pairs[pair] = pairs.get(pair, 0) + 1
    rows = [
        (first, second, n, n / baskets, n / counts[first], n * baskets / (counts[first] * counts[second]))
        for (first, second), n in pairs.items()
        if n >= baskets_min
    ]
    table = pd.DataFrame(rows, columns=["first", "second", "baskets", "support", "confidence", "lift"])
    return table.sort_values(
        ["lift", "baskets", "first", "second"], ascending=[False, False, True, True], ignore_index=True
    )
