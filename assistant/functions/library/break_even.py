"""Find the volume at which fixed costs are covered."""

import pandas as pd
from functions import require_columns


def break_even(
    table: pd.DataFrame, quantity: str, margin: str, *, fixed_cost: float, change: float = 0.0
) -> pd.DataFrame:
    """Divide the fixed costs by the margin of one unit.

    Args:
        table: rows that are added up, such as sales.
        quantity: the column with the units sold.
        margin: the column with what they left after their own costs.
        fixed_cost: what must be covered.
        change: a relative change of the margin of one unit.

    Returns:
        One row: `quantity` and `margin` of the table, `margin_per_unit` after the change, `break_even_quantity`, and
        `safety_percent`: by how many percent the quantity may fall until nothing is left.

    Raises:
        ValueError: a column is missing, nothing was sold, or a unit leaves no margin.
    """
    require_columns(table, quantity, margin)
    units, total = float(table[quantity].sum()), float(table[margin].sum())
    if units <= 0:
        raise ValueError("Nothing was sold, so there is no margin of one unit.")
    unit_margin = total / units * (1 + change)
    if unit_margin <= 0:
        raise ValueError(f"A unit leaves {unit_margin:,.2f}: no volume covers fixed costs.")
    needed = fixed_cost / unit_margin
    row = {"quantity": units, "margin": total, "margin_per_unit": unit_margin, "break_even_quantity": needed}
    return pd.DataFrame([{**row, "safety_percent": 100 * (1 - needed / units)}])
