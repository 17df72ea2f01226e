"""What a turn means: a query of the algebra on a source, or a study over it, and how it is to be shown.

A meaning is written into the log as JSON and read back: every value of the algebra as its class name and its fields.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal

from assistant.analyst import algebra as al
from assistant.analyst.algebra import Column, Figure, Query, parts
from assistant.analyst.lexicon.files import section
from assistant.core.events import ChartKind

StudyKind = Literal["trend", "forecast", "correlation", "distribution", "drivers", "difference", "outliers", "function"]
Chart = Literal[""] | ChartKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """A relative change: 0.05 is 5 % more. `low`, `likely` and `high` differ where it is a range.

    `name` is empty where the figure itself changes; `is_monthly`: it is compounded from month to month.
    """

    name: str
    low: float
    likely: float
    high: float
    is_monthly: bool = False

    @property
    def is_range(self) -> bool:
        """Whether it is not certain."""
        return self.low < self.high

    def __str__(self) -> str:
        ends = dict.fromkeys((_percent(self.low), _percent(self.high)))
        text = f"{self.name} {' to '.join(ends)}"
        return str(section("scenarios", "texts")["monthly"]).format(text) if self.is_monthly else text


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionCall:
    """A call of a tested function over the rows of the query.

    Attributes:
        function: Its name.
        purpose: What it does, in a sentence.
        inputs: What the columns of the query are, in their order: a name, and how many columns tell it together.
        columns: The parameters that are given the name of an input, each with that input.
        arguments: Further arguments.
        answer: The answer, as `FunctionStudy` has it.
        values: The inputs that are figures.
        changes: The assumptions that are changed, where it computes a scenario.
        figure: The figure that they change, in words.
        chart: The template of its chart; empty where the page draws one.
    """

    function: str
    purpose: str
    inputs: tuple[tuple[str, int], ...]
    columns: tuple[tuple[str, str], ...]
    arguments: tuple[tuple[str, str | int | float], ...] = ()
    answer: str = ""
    values: tuple[str, ...] = ("value",)
    changes: tuple[Assumption, ...] = ()
    figure: str = ""
    chart: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What is to be found out about some rows, by a computation that follows the query.

    Attributes:
        kind: What is to be found out.
        subject: What it is about, in words.
        figure: The figure whose course, spread or change it is; None where single values are studied.
        side_names: Two periods or groups side by side, in words, where a change or a difference is looked at.
        grain: The period of a course.
        ahead: How many periods are foretold.
        call: The tested function that computes it, where one does.
        assumptions: What was taken for granted of the question, in sentences.
    """

    kind: StudyKind
    subject: str
    figure: Figure | None = None
    side_names: tuple[str, ...] = ()
    grain: str = ""
    ahead: int = 0
    call: FunctionCall | None = None
    assumptions: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What its result is called: its function, or its kind."""
        return self.call.function if self.call is not None else self.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """A query that a person has marked right, used as it stands or with other values in it."""

    question: str
    sql: str
    document: str
    is_adapted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a turn means. `query` is what is read; a study computes from its result; `verbatim` replaces its SQL."""

    source: str
    query: Query
    study: Study | None = None
    verbatim: Verbatim | None = None
    chart: Chart = ""
    assumptions: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that are read, each once."""
        names = [getattr(part, "table", None) for part in parts(self.query)]
        return tuple(dict.fromkeys(name for name in names if isinstance(name, str) and name))


_CLASSES: dict[str, type] = {
    cls.__name__: cls
    for cls in (*vars(al).values(), Assumption, FunctionCall, Study, Verbatim, Meaning)
    if isinstance(cls, type) and is_dataclass(cls)
}


def to_json(meaning: Meaning) -> str:
    """A meaning as JSON."""
    return json.dumps(plain(meaning), ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> Meaning | None:
    """A meaning as it was written; None where another version of Tandem wrote it in a form of its own."""
    try:
        meaning = value_of(json.loads(text))
    except (ValueError, TypeError, KeyError):
        return None
    return meaning if isinstance(meaning, Meaning) else None


def plain(value: object) -> object:
    """A value of the algebra in lists and mappings, as JSON has them."""
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if not is_dataclass(value) or isinstance(value, type):
        return value
    own = {field.name: getattr(value, field.name) for field in fields(value)}
    return {"is": type(value).__name__} | {name: plain(held) for name, held in own.items()}


def value_of(form: Any, *further: type) -> Any:
    """The value of a plain form; `further` are classes besides those of the algebra.

    Raises:
        KeyError: a class is not known.
        TypeError: a class has other fields.
    """
    if isinstance(form, list):
        return tuple(value_of(item, *further) for item in form)
    if not isinstance(form, dict):
        return form
    fields_of = {name: value_of(item, *further) for name, item in form.items() if name != "is"}
    classes = _CLASSES | {cls.__name__: cls for cls in further}
    return classes[form["is"]](**fields_of)


def columns_of(query: object) -> tuple[Column, ...]:
    """Every column that a value speaks of, each once."""
    return tuple(dict.fromkeys(part for part in parts(query) if isinstance(part, Column)))


def _percent(value: float) -> str:
    return f"{100 * value:+.4g} %"
