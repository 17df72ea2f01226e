"""The unit of a metric, as written in a file, parsed into the kind of figure and the symbol that is printed."""

from __future__ import annotations

from typing import get_args

from knowledge.documents import Unit


def unit_of(text: str | None, symbol: str | None = None) -> tuple[Unit | None, str | None]:
    """The kind of a figure, and its mark.

    Args:
        text: `currency`, `percent`, `count`, a currency's code (`EUR`), or the mark of plain numbers (`days`).
        symbol: The mark, where it is said apart from the kind.

    Source:
        The codes of ISO 4217, as the Unicode CLDR lists them.
    """
    kind = next((unit for unit in get_args(Unit) if unit == text), None)
    if kind is not None or not text:
        return kind, symbol
    from babel.numbers import is_currency

    return ("currency" if is_currency(text) else None), symbol or text
