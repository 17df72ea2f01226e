"""List where two tables that should agree do not."""

from collections.abc import Sequence

import pandas as pd
from functions import require_columns


def reconcile_tables(
    first: pd.DataFrame, second: pd.DataFrame, key: Sequence[str], columns: Sequence[str], tolerance: float = 0.0
) -> pd.DataFrame:
    """Compare two tables by a key, cell by cell.

    Two missing cells agree. Numbers agree within the tolerance; texts only where they are the same.

    Args:
        first: a row for each key.
        second: likewise.
        key: the columns that name a row, in both tables.
        columns: the columns that are compared, in both tables.
        tolerance: the largest difference of numbers that agree.

    Returns:
        A row for each difference: the key, `column` (empty where the whole row is missing), `first`, `second`,
        `difference` (second less first, of numbers) and `state`: "only in first", "only in second" or "different".

    Raises:
        ValueError: a column is missing, or a key stands twice in a table.
    """
    key = list(key)
    for name, table in (("first", first), ("second", second)):
        require_columns(table, *key, *columns)
        if table.duplicated(key).any():
            row = tuple(table[table.duplicated(key)].iloc[0][key])
            raise ValueError(f"The key {row} stands twice in the {name} table.")
    merged = first[[*key, *columns]].merge(
        second[[*key, *columns]], on=key, how="outer", suffixes=("_first", "_second"), indicator="_side"
    )
    parts: list[pd.DataFrame] = []
    for side, state in (("left_only", "only in first"), ("right_only", "only in second")):
        parts.append(merged.loc[merged["_side"] == side, key].assign(column="", state=state))
    shared = merged[merged["_side"] == "both"]
    for column in columns:
        left, right = shared[f"{column}_first"], shared[f"{column}_second"]
        if pd.api.types.is_numeric_dtype(left) and pd.api.types.is_numeric_dtype(right):
            difference = right.astype(float) - left.astype(float)
            agrees = difference.abs() <= tolerance + 1e-12 * left.astype(float).abs()
        else:
            difference = pd.Series(float("nan"), shared.index)
            agrees = left == right
        differs = ~(agrees.fillna(False).astype(bool) | (left.isna() & right.isna()))
        cells = {"first": left[differs], "second": right[differs], "difference": difference[differs]}
        parts.append(shared.loc[differs, key].assign(column=column, **cells, state="different"))
    names = [*key, "column", "first", "second", "difference", "state"]
    filled = [part.astype(object) for part in parts if len(part)]
    return (pd.concat(filled) if filled else pd.DataFrame(columns=names)).reindex(columns=names).reset_index(drop=True)
