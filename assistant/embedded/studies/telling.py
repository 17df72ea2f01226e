"""What an answer to a study is told from: the result of its Python step, row by row, and the words for its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.embedded.meaning import Grain
from assistant.embedded.studies.study import Figure
from assistant.embedded.wording.answers import figure as figure_text
from assistant.embedded.wording.answers import period_name

SURE = 0.05
"""Below this probability a pattern is called more than chance. Source: the usual convention, Fisher 1925."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A table that a step gave: perhaps only the first of its `total` rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    total: int

    @property
    def records(self) -> tuple[Mapping[str, object], ...]:
        """The rows, each by the names of its columns."""
        return tuple(dict(zip(self.columns, row, strict=False)) for row in self.rows)

    def measures(self) -> Mapping[str, object]:
        """A table of two columns, names and values, as a mapping."""
        return {str(row[0]): row[1] for row in self.rows if len(row) > 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An answer: Markdown text, what was not asked but matters, and what could be asked next."""

    text: str
    notes: tuple[str, ...] = ()
    follow_ups: tuple[str, ...] = ()


def number(value: object) -> float:
    """A value of a result as a number.

    Raises:
        ValueError: it is none; the result is not that of the study.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"The result holds {value!r} where a number is expected.")
    return float(value)


def amount(value: object, figure: Figure, *, signed: bool = False) -> str:
    """A value of a figure as it is printed, with its unit: whole numbers for counts and where cents say nothing."""
    plain = number(value)
    count = figure.aggregate in ("count", "distinct")
    whole = abs(plain) >= (10 if count else 1000) and figure.unit != "%"
    digits = 4 if not count else 1 if abs(plain) >= 1 else 2
    rounded = round(plain) if whole else round(plain, digits)
    if abs(plain) < 0.01 and plain:
        text = f"{plain:.2g}" + (f" {figure.unit}" if figure.unit else "")
    else:
        text = figure_text(int(rounded) if float(rounded).is_integer() and figure.unit != "%" else rounded, figure.unit)
    return f"+{text}" if signed and plain > 0 else text


def difference(value: object, figure: Figure) -> str:
    """A difference of two values of a figure, with its sign; of percentages, in percentage points."""
    if figure.unit != "%":
        return amount(value, figure, signed=True)
    plain = number(value)
    return f"{plain:+,.{1 if abs(plain) >= 0.1 or not plain else 2}f} percentage points"


def size(value: object, figure: Figure) -> str:
    """How large a difference is, without its sign: "1,200 EUR", "0.3 percentage points"."""
    return difference(abs(number(value)), figure).lstrip("+")


def percent(part: float, *, signed: bool = False) -> str:
    """A share as a percentage with one decimal: 0.034 is "3.4 %"."""
    text = f"{100 * part:,.1f} %"
    return f"+{text}" if signed and part > 0 else text


def in_period(value: object, grain: Grain) -> str:
    """When, at the beginning of a sentence: "In March 2026", "On 3 March 2026"."""
    return f"{'On' if grain == 'day' else 'In the' if grain == 'week' else 'In'} {period_name(value, grain)}"


def gaps_note(empty: object, figure: Figure, grain: str) -> tuple[str, ...]:
    """What is said of periods inside a series that have no rows."""
    count = int(number(empty))
    if not count:
        return ()
    meant = "count as zero" if figure.adds_up else "are left out"
    return (f"{count} of the {grain}s have no rows and {meant}.",)


def chance(p: object) -> str:
    """A p-value as it is printed."""
    value = number(p)
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}" if value < 0.1 else f"p = {value:.2f}"


def lowered(text: str) -> str:
    """A title inside a sentence; abbreviations keep their capitals."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def bold(names: Sequence[str]) -> str:
    """Names in bold, joined by commas and a last "and"."""
    from assistant.embedded.wording.plain import joined

    return joined([f"**{name}**" for name in names])
