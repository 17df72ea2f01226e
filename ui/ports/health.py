"""What works here: the findings of the doctor, and columns that look like personal data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol


class Suggestion(Protocol):
    """A column that looks like personal data, and is shown in clear until the person says otherwise."""

    @property
    def column(self) -> str:
        """The column, as `source.table.column`."""
        ...

    @property
    def what(self) -> str:
        """What it seems to hold."""
        ...

    @property
    def reason(self) -> str:
        """Why; without any value of it."""
        ...


class Masking(Protocol):
    """What masking a column took."""

    @property
    def turns(self) -> int:
        """Answers that are withheld."""
        ...


class Health(Protocol):
    """One thing the doctor looked at."""

    @property
    def name(self) -> str:
        """What was looked at."""
        ...

    @property
    def state(self) -> Literal["ok", "weak", "missing"]:
        """How it is."""
        ...

    @property
    def text(self) -> str:
        """What was found."""
        ...

    @property
    def advice(self) -> str:
        """What to do about it; empty where nothing need be done."""
        ...

    @property
    def suggestions(self) -> Sequence[Suggestion]:
        """Columns that the person may mask."""
        ...
