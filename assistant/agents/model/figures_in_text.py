"""The numbers in a text, with the precision in which they are written. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NUMBER = re.compile(
    r"(?<![\w.,])[-−+]?(?P<digits>\d{1,3}(?:[,'\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:[eE](?P<power>[-+]?\d+))?"
    r"\s?(?P<unit>%|percent\b|thousand\b|million\b|billion\b|[kKmM](?!\w)|bn\b)?"
)
_BELOW = re.compile(r"(?:[<≤]|\b(?:below|under|less than|smaller than))\s*$", re.IGNORECASE)
_FACTORS = {"%": 0.01, "percent": 0.01, "thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9}
_SMALL = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureInText:
    """A number as it is written: its value, half of its last digit, and whether something is said to be below it."""

    text: str
    value: float
    slack: float
    is_bound: bool

    @property
    def is_small(self) -> bool:
        """Whether it may count what the reader sees: "the two largest", "in three regions"."""
        return self.value <= _SMALL and self.value == int(self.value) and self.slack == 0.5

    @property
    def is_percentage(self) -> bool:
        """Whether it is written as so many of a hundred."""
        return self.text.endswith(("%", "percent"))

    @property
    def ranges(self) -> tuple[tuple[float, float], ...]:
        """From where to where a value is that it may stand for: as it is, and, of a share, as a percentage too."""
        slack = self.slack * 1.0001 + 1e-9 * self.value
        plain = (self.value - slack, self.value + slack)
        is_share = self.value <= 1 or self.is_percentage
        return (plain, (100 * plain[0], 100 * plain[1])) if is_share else (plain,)


def find_figures(text: str) -> Iterator[FigureInText]:
    """The numbers of a text; a percentage as a part of one."""
    for match in _NUMBER.finditer(text):
        digits = re.sub(r"[,'\u00a0\u202f]", "", match["digits"])
        decimals = len(digits.partition(".")[2])
        factor = _FACTORS.get((match["unit"] or "").casefold(), 1.0) * 10.0 ** int(match["power"] or 0)
        yield FigureInText(
            text=match[0].strip(),
            value=float(digits) * factor,
            slack=0.5 * 10.0**-decimals * factor,
            is_bound=_BELOW.search(text[: match.start()]) is not None,
        )
