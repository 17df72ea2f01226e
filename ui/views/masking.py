"""Messages about the effect of masking a column. Pure."""

from __future__ import annotations

from ui.views.text import count


def describe_masking(column: str, withheld: int) -> str:
    """The message after a column is masked; `withheld` is the number of answers that had used it."""
    if not withheld:
        return f"{column} is masked now: its values never leave the source. No conversation had used it."
    return (
        f"{column} is masked now: its values never leave the source. {count(withheld, 'answer')} that used it "
        f"{'is' if withheld == 1 else 'are'} withheld, and the kernels that held its values were ended."
    )
