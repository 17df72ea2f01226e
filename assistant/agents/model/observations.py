"""What is unusual in a result, such as missing values or a single row. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.agents.model.spelling import format_exactly

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

_REPEATED_SHARE = 0.05
_NAMED_MAX = 8


def describe_oddities(rows: TableView, *, has_join: bool = True) -> tuple[str, ...]:
    """What whoever goes on with a result should know: that it is empty, one row, all empty, or repeated.

    Args:
        rows: The result.
        has_join: Whether a join may have made it; without one, rows that repeat are the data's own.
    """
    if not rows.total:
        return ("The result is empty: no row fits. A filter may be wrong, or a value spelt otherwise in the data.",)
    sentences: list[str] = []
    if rows.total == 1:
        sentences.append("The result is one row only.")
    empty = [
        name for place, name in enumerate(rows.columns) if rows.rows and all(row[place] is None for row in rows.rows)
    ]
    if empty:
        more = f" and {len(empty) - _NAMED_MAX} more" if len(empty) > _NAMED_MAX else ""
        sentences.append(f"Without a single value: {', '.join(map(format_exactly, empty[:_NAMED_MAX]))}{more}.")
    repeated = len(rows.rows) - len({tuple(map(str, row)) for row in rows.rows})
    if has_join and len(rows.rows) > 1 and repeated > _REPEATED_SHARE * len(rows.rows):
        sentences.append(f"{repeated} of {len(rows.rows)} rows repeat another: a join may have multiplied them.")
    return tuple(sentences)


def describe_types(rows: TableView) -> tuple[str, ...]:
    """Each column's type and how many of its values are empty, as `revenue (number, 3 empty)`."""
    return tuple(_describe_type(rows, place, name) for place, name in enumerate(rows.columns))


def _describe_type(rows: TableView, place: int, name: str) -> str:
    values = [row[place] for row in rows.rows]
    nulls = sum(value is None for value in values)
    kind = "number" if name in rows.numeric else "date" if name in rows.temporal else _describe_kind(values)
    details = [kind, f"{nulls} empty"] if nulls else [kind]
    return f"{format_exactly(name)} ({', '.join(details)})"


def _describe_kind(values: Sequence[object]) -> str:
    type_names = {type(value).__name__ for value in values if value is not None}
    words = {"str": "text", "bool": "yes/no", "int": "number", "float": "number", "Decimal": "number"}
    return "/".join(sorted({words.get(name, name) for name in type_names})) or "unknown"
