"""Rows of a result in words, as far as a model may see them: figures of its columns, then its first and last rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from assistant.agents.model.observations import describe_oddities, describe_types
from assistant.agents.model.spelling import describe_spelling, format_cell, format_exactly, quote_value
from assistant.record.memory.wording import ROWS_SEEN_MAX, Sees

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

_HEAD_ROWS = 12
_TAIL_ROWS = 4
"""Rows that are shown of a result that has more than are shown of any: its figures say the rest."""
_FEW_VALUES = 12
_TOP_VALUES = 5
_KINDS = {"str": "text", "bool": "yes/no", "datetime": "date and time"}


def describe_rows(rows: TableView, *, sees: Sees, is_complete: bool = True, has_join: bool = True) -> str:
    """A result as far as a model may see it: its shape, figures about its columns, its rows or the ends of them.

    Args:
        rows: The result.
        sees: How much of it the model may see.
        is_complete: Whether it is a result, and not the beginning of a table: then what stands out in it is told.
        has_join: Whether a join may have made it.
    """
    shape = format_row_count(rows.total)
    if sees == "names":
        return f"{shape}; columns: {', '.join(format_exactly(c) for c in rows.columns)}"
    partly = "" if len(rows.rows) >= rows.total else f"(types of the first {len(rows.rows)} rows)"
    oddities = describe_oddities(rows, has_join=has_join) if is_complete else ()
    shows_rows = sees in ("results", "rows")
    if shows_rows and (rows.total <= ROWS_SEEN_MAX or not is_complete):
        figures = [*([partly] if partly else []), *oddities]
        return "\n".join([shape, *figures, *_list_lines(rows, describe_types(rows), rows.rows[:ROWS_SEEN_MAX])])
    figures = [*([partly.replace("types", "figures")] if partly else []), describe_profile(rows, sees=sees), *oddities]
    if not shows_rows:
        return "\n".join([shape, *figures])
    names = [format_exactly(name) for name in rows.columns]
    # The end is known only where all rows were read.
    tail = rows.rows[-_TAIL_ROWS:] if len(rows.rows) == rows.total else ()
    return "\n".join([shape, *figures, *_list_lines(rows, names, rows.rows[:_HEAD_ROWS], tail)])


def describe_profile(view: TableView, *, sees: Sees) -> str:
    """Figures about each column: kind, empty and distinct values, quartiles, sum; values where rows may be seen."""
    return "\n".join(
        _describe_column(format_exactly(name), [row[place] for row in view.rows], sees=sees)
        for place, name in enumerate(view.columns)
    )


def format_row_count(count: int) -> str:
    """How many rows."""
    return "1 row" if count == 1 else f"{count:,} rows"


def format_figure(value: float) -> str:
    """A number with all digits that matter and no exponent."""
    if not math.isfinite(value) or 0 < abs(value) < 1e-4:
        return f"{value:g}"
    return f"{value:.6f}".rstrip("0").rstrip(".") if abs(value) < 1e16 else f"{value:.0f}"


def _list_lines(
    view: TableView, names: Sequence[str], head: Sequence[Sequence[object]], tail: Sequence[Sequence[object]] = ()
) -> list[str]:
    """Rows with their columns' names above, and how many are left out between or behind them."""
    first, last = ([" | ".join(map(format_cell, row)) for row in rows] for rows in (head, tail))
    more = view.total - len(first) - len(last)
    return [" | ".join(names), *first, *([f"({more} more rows)"] if more > 0 else []), *last]


def _describe_column(name: str, values: Sequence[object], *, sees: Sees) -> str:
    present = [value for value in values if value is not None and not (isinstance(value, float) and math.isnan(value))]
    distinct = len({str(value) for value in present})
    parts = [f"{len(values) - len(present)} empty", f"{distinct} distinct"]
    numbers = sorted(float(v) for v in present if isinstance(v, int | float | Decimal) and not isinstance(v, bool))
    if numbers and len(numbers) == len(present):
        quartiles = ", ".join(
            f"{label} {format_figure(_compute_quantile(numbers, share))}"
            for label, share in (("min", 0), ("25%", 0.25), ("median", 0.5), ("75%", 0.75), ("max", 1))
        )
        total = sum(numbers)
        mean = format_figure(total / len(numbers))
        parts.append(f"number: {quartiles}, mean {mean}, sum {format_figure(total)}")
    elif present:
        texts = [value for value in present if isinstance(value, str)]
        kinds = sorted({_KINDS.get(type(value).__name__, type(value).__name__) for value in present})
        parts.append("/".join(kinds))
        if form := describe_spelling(tuple(sorted(set(texts)))):
            parts.append(form)
        if sees in ("results", "rows"):
            parts.append(_describe_values(present, distinct=distinct))
    return f"- {name}: " + ", ".join(filter(None, parts))


def _describe_values(present: Sequence[object], *, distinct: int) -> str:
    """All values where they are few, else the most frequent with their counts; empty where none is frequent."""
    if distinct <= _FEW_VALUES:
        return "values " + ", ".join(sorted({quote_value(str(value)) for value in present}))
    top = Counter(map(str, present)).most_common(_TOP_VALUES)
    frequent = ", ".join(f"{quote_value(value)} ({count})" for value, count in top if count > 1)
    return f"most often {frequent}" if frequent else ""


def _compute_quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile by linear interpolation, as pandas does it."""
    place = (len(ordered) - 1) * share
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
