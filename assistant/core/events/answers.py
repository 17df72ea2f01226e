"""Events at the end of an answered turn: the answer, its display, and people's verdicts."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from assistant.core.doubts import Doubt
from assistant.core.events.base import Citation, Event, Trust, Value

ChartKind = Literal[
    "none", "bar", "line", "area", "stacked", "scatter", "histogram", "box", "heatmap", "pie", "multiples", "map"
]
"""How a table is drawn; `none` draws nothing."""


class Appearance(Value):
    """How an answer's table and chart are shown. Nothing of it runs code; an empty look shows them as they came.

    `chart` None is the kind that fits best. `x`, `y` and `colour` name columns. `log` draws figures on a logarithmic
    scale. `sort` names the column that orders the rows; `top` keeps the first rows of that order;
    in an order by names, those with the largest figures. `names` are pairs of
    a column and what it is called. `percent` names columns shown as shares of their total.
    `upright`, `figures` and `grid` say whether bars stand, whether figures stand beside the marks and whether there are
    lines behind them; None is as it fits best. `hue` is a colour by name; `highlight` names the group or series that
    stands out; `title` stands above the chart.
    """

    chart: ChartKind | None = None
    x: str | None = None
    y: str | None = None
    colour: str | None = None
    log: bool = False
    sort: str | None = None
    descending: bool = False
    top: int | None = Field(default=None, ge=1)
    names: tuple[tuple[str, str], ...] = ()
    percent: tuple[str, ...] = ()
    scale: Literal["", "thousands", "millions"] = ""
    decimals: int | None = Field(default=None, ge=0, le=6)
    upright: bool | None = None
    figures: bool | None = None
    grid: bool | None = None
    hue: str = Field(default="", max_length=20)
    highlight: str = Field(default="", max_length=80)
    title: str = Field(default="", max_length=120)


class Answer(Event):
    """The end of a turn; `partial` tells what is known though the question is not answered in full.

    `table` and `chart` name the executions that hold them, `more_tables` those of further tables shown below; `how`
    says how it was computed; `doubts` are those about the columns it reads, the heaviest first; `as_of` says how
    old the files are that it was computed from.
    """

    kind: Literal["answer"] = "answer"
    status: Literal["answered", "partial", "declined", "failed"]
    text: str
    hint: str = ""
    table: str | None = None
    more_tables: tuple[str, ...] = ()
    chart: str | None = None
    how: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    citations: tuple[Citation, ...] = ()
    follow_ups: tuple[str, ...] = ()
    appearance: Appearance = Appearance()
    trust: Trust = "new"
    as_of: str = ""


class Presented(Event):
    """A person changed how the turn's answer is shown. `look` is the whole of it; `said` the words, if it was said."""

    kind: Literal["presented"] = "presented"
    look: Appearance
    said: str = ""


class Verified(Event):
    """A person marked the turn's answer right: `sql`, or Python in several steps, is kept as the answer to `question`.

    `question` is empty where the words are those that were typed. `query` is the id of the verified query, `file` where
    it stands, `by` who says so, `on` which day.
    """

    kind: Literal["verified"] = "verified"
    by: str
    on: date
    query: str
    question: str = ""
    sql: str
    source: str
    file: str


class Revoked(Event):
    """A person took back that the turn's answer is right: its query is kept no more."""

    kind: Literal["revoked"] = "revoked"
    by: str
    on: date


class Disputed(Event):
    """A person said that the turn's answer is wrong, and why; with `stands` False they took that back."""

    kind: Literal["disputed"] = "disputed"
    by: str
    on: date
    note: str = ""
    stands: bool = True


class Withheld(Event):
    """What was said and shown in this turn is not shown any more: it used columns that were masked since.

    `columns` are `source.table.column`; `question` says that the question, too, named a value of theirs. Without
    columns it stands in the place of an event that is not shown (`assistant.record.store.withholding`).
    """

    kind: Literal["withheld"] = "withheld"
    columns: tuple[str, ...] = ()
    question: bool = False
