"""An answer that needs no second call: the planner's sentence with the result's values in the place of their names.

The sentence was written before anything ran, so it can hold no figure but those that the program puts in.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from assistant.agents.model.spelling import format_cell

if TYPE_CHECKING:
    from assistant.cells.tables import TableView
    from assistant.core.turns import Turn

_PLACE = re.compile(r"\{([^{}]+)\}")
_FORM = re.compile(r"@\w+\[[^\]]*\]")
_VALUES_MAX = 12
_SEPARATED_FROM = 10_000


def find_sentence(turn: Turn) -> str:
    """The sentence of the plan, where the turn ran exactly as the plan said; else empty."""
    plan, items = turn.plan, turn.proposals
    if plan is None or len(turn.plans) > 1 or len(items) != 1 or turn.edits or turn.exchanges:
        return ""
    checked = all(check.ok for execution in turn.executions for check in execution.checks)
    return plan.sentence if items[0].is_ok and checked else ""


def fill_sentence(sentence: str, table: TableView) -> str:
    """The sentence with a result's values; empty where the result is not what it was written for.

    Args:
        sentence: Text with names of columns in braces.
        table: One row, or one column of few rows.
    """
    names = _PLACE.findall(sentence)
    is_list = table.total > 1 and len(table.columns) == 1 and table.total <= min(_VALUES_MAX, len(table.rows))
    if not names or not (table.total == 1 == len(table.rows) or is_list):
        return ""
    values = dict(zip(table.columns, zip(*table.rows, strict=True), strict=True))
    if any(name not in values or None in values[name] for name in names):
        return ""
    forms = [match.span() for match in _FORM.finditer(sentence)]

    def fill(match: re.Match[str]) -> str:
        # "@mean[...]" is read by a program: its figures have no separators.
        is_form = any(start < match.start() < end for start, end in forms)
        return ", ".join(_format_value(value, separated=not is_form) for value in values[match[1]])

    return _PLACE.sub(fill, sentence)


def _format_value(value: object, *, separated: bool) -> str:
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool) and abs(value) >= _SEPARATED_FROM:
        text = format_cell(value)
        whole, _, fraction = text.partition(".")
        is_plain = separated and whole.lstrip("-").isdigit()
        return f"{int(whole):,}{'.' if fraction else ''}{fraction}" if is_plain else text
    return format_cell(value)
