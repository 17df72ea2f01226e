"""Name the columns that a function needs and a table lacks."""

import pandas as pd


def require_columns(table: pd.DataFrame, *names: str) -> None:
    """Check that a table has all of these columns.

    Raises:
        ValueError: one is missing; the message lists what the table has.
    """
    absent = [name for name in names if name not in table.columns]
    if absent:
        column_names = ", ".join(repr(str(name)) for name in table.columns) or "no column"
        raise ValueError(f"The table has no column {', '.join(map(repr, absent))}. It has {column_names}.")
