"""What a study is: the typed value that recognising makes, and that code and answer are written from.

A study names its kind, the meanings whose rows it needs (one query each), and the columns and options of its Python
step. Values only; serialised as JSON it travels in the event log where a meaning would. One class per kind, told apart
by `kind`; `Study` is any of them.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from assistant.embedded.meaning import Form, Grain, Meaning


class Figure(Form):
    """A figure of a result: its column there, what people call it, and whether its parts add up to a whole."""

    column: str
    label: str
    unit: str = ""
    adds_up: bool = False
    aggregate: str = ""


class Grouping(Form):
    """What a figure is broken down by: the column of its result, and what people call one group."""

    column: str
    label: str


class Series(Form):
    """A figure by period: whole periods from `first` (inclusive) to `end` (exclusive); `cut` says what was left out.

    With `groups` it is one series for each of them.
    """

    figure: Figure
    period: str
    grain: Grain
    first: date
    end: date
    cut: tuple[str, ...] = ()
    groups: Grouping | None = None


class Span(Form):
    """A half-open range of days and how people call it; `partial` says why it is shorter than its name."""

    start: date
    end: date
    label: str
    partial: str = ""


class Field_(Form):
    """A column of a table as a study of the table needs it; `kind` decides what is looked at."""

    column: str
    label: str
    kind: Literal["number", "date", "text", "key", "other"]
    may_be_future: bool = False


class _Base(Form):
    """What all studies share. `asked` is the question as asked, `title` what was understood."""

    asked: str
    title: str
    source: str
    rows: tuple[Meaning, ...]


class Description(_Base):
    """A table as a whole: every column with its values, its missing values, or what is odd in it."""

    kind: Literal["description"] = "description"
    aspect: Literal["columns", "missing", "odd"]
    table: str
    table_label: str
    rows_total: int | None = None
    columns: tuple[Field_, ...]
    today: date


class Distribution(_Base):
    """How one figure is spread over rows or groups; `focus` is what was asked of it."""

    kind: Literal["distribution"] = "distribution"
    focus: Literal["shape", "outliers", "median", "quartiles", "deviation", "percentile"]
    figure: Figure
    names: tuple[str, ...] = ()
    units: str
    percentile: int = 50


class Relation(_Base):
    """Two numbers against each other: row by row, or period by period where they come from two queries (`over`)."""

    kind: Literal["relation"] = "relation"
    x: Figure
    y: Figure
    units: str
    over: str = ""
    grain: Grain | None = None
    first: date | None = None
    end: date | None = None
    cut: tuple[str, ...] = ()


class Trend(_Base):
    """Whether a figure rises or falls over time."""

    kind: Literal["trend"] = "trend"
    series: Series
    claimed: Literal["fall", "rise", ""] = ""


class Growth(_Base):
    """A figure from period to period: its change against the period (or the year) before, or its running total."""

    kind: Literal["growth"] = "growth"
    series: Series
    against: Literal["previous", "year", "running"]

    @property
    def before(self) -> str:
        """What each period is compared with, as people say it."""
        return "the year before" if self.against == "year" else f"the {self.series.grain} before"


class Periods(_Base):
    """One figure in two periods."""

    kind: Literal["periods"] = "periods"
    figure: Figure
    period: str
    now: Span
    before: Span
    single: bool = False


class Causes(_Base):
    """Which members of which dimensions a change between two periods comes from. `parts` are the dimensions' labels.

    `season` are the same two periods a year before, the later one first, where the data has them. With `leading` it is
    asked who moved most that way, rather than why.
    """

    kind: Literal["causes"] = "causes"
    figure: Figure
    period: str
    now: Span
    before: Span
    parts: tuple[str, ...]
    claimed: Literal["fall", "rise", ""] = ""
    season: tuple[Span, Span] | None = None
    leading: Literal["fall", "rise", ""] = ""


class Forecast(_Base):
    """A figure carried forward by some periods."""

    kind: Literal["forecast"] = "forecast"
    series: Series
    horizon: int
    shown: str = ""


class Groups(_Base):
    """A figure in two or more groups: side by side, and whether the difference is more than chance.

    `unit` says what one value of the test is: a row, an order, a month.
    """

    kind: Literal["groups"] = "groups"
    figures: tuple[Figure, ...]
    tested: Figure
    group: str
    group_label: str
    unit: str
    units: str
    members: tuple[str, ...] = ()
    time: str = ""
    first: date | None = None
    end: date | None = None


class Risk(_Base):
    """Who has been silent for longer than is usual for them."""

    kind: Literal["risk"] = "risk"
    one: str
    many: str
    event: str
    events: str
    key: str
    names: tuple[str, ...]
    day: str
    today: date


Study = Annotated[
    Description | Distribution | Relation | Trend | Growth | Periods | Causes | Forecast | Groups | Risk,
    Field(discriminator="kind"),
]

_STUDY: TypeAdapter[Study] = TypeAdapter(Study)


def study_of(text: str) -> Study | None:
    """The study in a plan's or a proposal's meaning; None where it is a meaning, or empty."""
    if '"kind"' not in text:
        return None
    try:
        return _STUDY.validate_json(text)
    except ValidationError:
        return None
