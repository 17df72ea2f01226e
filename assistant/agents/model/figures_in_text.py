"""The numbers in a text, with the precision in which they are written. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

_NUMBER = re.compile(
    r"(?<![\w.,])[-−+]?(?P<digits>\d{1,3}(?:[,'\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:[eE](?P<power>[-+]?\d+))?"
    r"\s?(?P<unit>%|percent\b|thousand\b|million\b|billion\b|[kKmM](?!\w)|bn\b)?"
)
_DECADE = re.compile(r"(?<![\w.,])(\d{3}0)s\b")
_ABOUT = re.compile(r"\b(?:about|around|roughly|approximately|nearly|almost|some|circa)\s*$", re.IGNORECASE)
_RANGE = re.compile(r"\s*(?:to|and|–|-|bis|through)\s*$")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LEVEL = re.compile(r"\s*(?:confidence|credible|prediction|ci\b|interval)", re.IGNORECASE)
_LEVELS = (0.8, 0.9, 0.95, 0.99)
_BELOW = re.compile(r"(?:[<≤]|\b(?:below|under|less than|smaller than))\s*$", re.IGNORECASE)
_FACTORS = {"%": 0.01, "percent": 0.01, "thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9}
_SMALL = 10


@dataclass(frozen=True, kw_only=True)
class FigureInText:
    """A number as it is written.

    Attributes:
        text: How it is written.
        value: What it is; a percentage as a part of one.
        slack: Half of its last digit.
        is_bound: Whether something is said to be below it.
        is_level: Whether it is how sure an interval is: "95 % confidence".
    """

    text: str
    value: float
    slack: float
    is_bound: bool
    is_level: bool = False

    @property
    def is_small(self) -> bool:
        """Whether it may count what the reader sees: "the two largest", "in three regions"."""
        return self.value <= _SMALL and self.value == int(self.value) and self.slack == 0.5

    @property
    def is_percentage(self) -> bool:
        """Whether it is written as so many of a hundred."""
        return self.text.endswith(("%", "percent"))

    @cached_property
    def ranges(self) -> tuple[tuple[float, float], ...]:
        """From where to where a value is that it may stand for.

        That is the figure as it is, and, of a share, as a percentage too. A percentage may also tell a ratio: 31 % for
        1.306, or for 0.69.
        """
        slack = self.slack * 1.0001 + 1e-9 * self.value
        plain = (self.value - slack, self.value + slack)
        ranges = [plain]
        if self.value <= 1 or self.is_percentage:
            ranges.append((100 * plain[0], 100 * plain[1]))
        if self.is_percentage:
            ranges += [(1 + plain[0], 1 + plain[1]), (1 - plain[1], 1 - plain[0])]
        return tuple(ranges)


def find_decades(text: str) -> Iterator[int]:
    """The first years of the decades that a text names: "the 1940s"."""
    yield from (int(match[1]) for match in _DECADE.finditer(text))


def find_figures(text: str) -> Iterator[FigureInText]:
    """The numbers of a text; a percentage as a part of one. Decades are none."""
    matches = [match for match in _NUMBER.finditer(text) if not _DECADE.match(text, match.start())]
    for place, match in enumerate(matches):
        unit = match["unit"] or ""
        following = matches[place + 1] if place + 1 < len(matches) else None
        # "12.3 to 18.2 %": the sign is of both; "fell in 2025 and 8 % of them": it is not.
        is_year = _YEAR.fullmatch(match["digits"]) is not None
        goes_on = (
            not is_year
            and following is not None
            and _RANGE.fullmatch(text[match.end() : following.start()]) is not None
        )
        if not unit and goes_on and following is not None and following["unit"] in ("%", "percent"):
            unit = "%"
        digits = re.sub(r"[,'\u00a0\u202f]", "", match["digits"])
        decimals = len(digits.partition(".")[2])
        if not decimals and _ABOUT.search(text[: match.start()]):  # "about 189,000" is rounded to thousands
            decimals = len(digits.rstrip("0")) - len(digits)
        factor = _FACTORS.get(unit.casefold(), 1.0) * 10.0 ** int(match["power"] or 0)
        value = float(digits) * factor
        yield FigureInText(
            text=match[0].strip() if unit == (match["unit"] or "") else f"{match[0].strip()} {unit}",
            value=value,
            slack=0.5 * 10.0**-decimals * factor,
            is_bound=_BELOW.search(text[: match.start()]) is not None,
            is_level=round(value, 4) in _LEVELS and _LEVEL.match(text, match.end()) is not None,
        )
