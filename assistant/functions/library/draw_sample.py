"""Draw rows by chance, the same ones each time."""

import pandas as pd
from functions import require_columns


def draw_sample(table: pd.DataFrame, rows: int, by: str | None = None, seed: int = 0) -> pd.DataFrame:
    """Draw rows without replacement; with `by`, each group in proportion to its size.

    Every group has at least one row in the sample; rows where `by` is missing are a group of their own. Shares are
    rounded by the largest remainder, so that exactly `rows` rows are drawn.

    Args:
        table: the rows to draw from.
        rows: how many to draw.
        by: the column whose groups are kept in proportion.
        seed: the same seed draws the same rows from the same table.

    Returns:
        The rows in the table's order, with a column `weight`: how many rows of the table each stands for.

    Raises:
        ValueError: the column is missing, `rows` is below 1 or above the table's rows, or there are more groups than
            rows to draw.
    """
    if not 1 <= rows <= len(table):
        raise ValueError(f"The sample must have between 1 and {len(table)} rows, not {rows}.")
    if by is None:
        return table.sample(n=rows, random_state=seed).sort_index(kind="stable").assign(weight=len(table) / rows)
    require_columns(table, by)
    label = table[by].astype(object).where(table[by].notna(), "(missing)").rename("_group")
    sizes = label.value_counts().sort_index(key=lambda names: names.astype(str))
    if len(sizes) > rows:
        raise ValueError(f"{by!r} has {len(sizes)} groups; draw at least as many rows, not {rows}.")
    shares = _divide(rows, sizes)
    positions = pd.Series(range(len(table)))
    samples = [positions[(label == name).to_numpy()].sample(n=int(n), random_state=seed) for name, n in shares.items()]
    positions_drawn = sorted(pd.concat(samples))
    return table.iloc[positions_drawn].assign(weight=label.map(sizes / shares).to_numpy(dtype=float)[positions_drawn])


def _divide(rows: int, sizes: pd.Series) -> pd.Series:
    """Rows for each group by the largest remainder; groups that would have less than one row have one."""
    shares = pd.Series(1, sizes.index)
    larger = sizes.index
    while True:
        remaining = rows - (len(sizes) - len(larger))
        ideal = remaining * sizes[larger] / sizes[larger].sum()
        if (ideal >= 1).all():
            break
        larger = larger[ideal >= 1]
    shares[larger] = ideal.astype(int)
    remainder = (ideal - ideal.astype(int)).sort_values(ascending=False, kind="stable")
    shares[remainder.index[: rows - int(shares.sum())]] += 1
    return shares
