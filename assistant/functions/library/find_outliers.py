"""Find values far from the middle of their group."""

import pandas as pd
from functions import require_columns


def find_outliers(
    table: pd.DataFrame, value: str, group: str | None = None, distance_max: float = 3.5, rows_min: int = 5
) -> pd.DataFrame:
    """Mark values by their modified z-score: the distance from the median in units of the median distance.

    Source: Iglewicz and Hoaglin (1993), where 3.5 is the limit. Where over half of a group is one value, the mean
    distance takes the place of the median distance.

    Args:
        table: a row for each value.
        value: the column with it; missing values are left out.
        group: values are compared within its groups; with all where it is not given.
        distance_max: larger distances are outliers.
        rows_min: groups with fewer values are left out: they show no middle.

    Returns:
        The rows that are outliers, farthest first, with `median` and `distance` (signed) added.

    Raises:
        ValueError: a column is missing, or holds no numbers.
    """
    require_columns(table, value, *([group] if group else []))
    if not pd.api.types.is_numeric_dtype(table[value]) or pd.api.types.is_bool_dtype(table[value]):
        raise ValueError(f"The column {value!r} holds no numbers.")
    complete = table.dropna(subset=[value, *([group] if group else [])])
    by = complete[group] if group else pd.Series(0, complete.index)
    groups = complete.groupby(by, group_keys=False)[value]
    numbers = complete[value].astype(float)
    median = groups.transform("median").astype(float)
    deviation = (numbers - median).abs()
    spread = deviation.groupby(by).transform("median") * 1.4826
    mean = deviation.groupby(by).transform("mean") * 1.2533
    distance = (numbers - median) / spread.where(spread > 0, mean).replace(0, float("nan"))
    result = complete.assign(median=median, distance=distance)
    result = result[(distance.abs() > distance_max) & (groups.transform("size") >= rows_min)]
    return result.sort_values("distance", key=lambda column: column.abs(), ascending=False)
