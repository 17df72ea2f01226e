"""Lists and numbers as people write them."""

from __future__ import annotations

from collections.abc import Sequence


def joined(parts: Sequence[str]) -> str:
    """Parts joined by commas and a last "and"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def number_words(value: float) -> str:
    """A number with thousands separators and no needless decimals; years and the like stay as they are."""
    if value == int(value):
        return f"{int(value):,}" if abs(value) >= 10_000 else str(int(value))
    return f"{value:,.2f}"
