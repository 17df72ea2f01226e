"""Options: what words of a question may mean, each with how sure the link is, 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.embedded.dates import Period
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cues import Cue

if TYPE_CHECKING:
    from knowledge.documents import Metric, Term

EXACT = 0.93
"""From which strength on words say a name itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToTable:
    """The words name a table."""

    entity: Entity
    strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ToColumn:
    """The words name a column."""

    attribute: Attribute
    strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ToValue:
    """The words are a value of a column. `known` False: the source may not hold it."""

    attribute: Attribute
    value: str
    strength: float
    known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ToMetric:
    """The words name a metric of the knowledge base."""

    metric: Metric
    strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ToTerm:
    """The words are a term of the glossary that has a condition."""

    term: Term
    strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ToPeriod:
    """The words are a period of time."""

    period: Period
    strength: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToNumber:
    """The words are a number."""

    number: float
    strength: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToText:
    """Quoted words that no known column holds."""

    text: str
    strength: float = 0.5


Option = ToTable | ToColumn | ToValue | ToMetric | ToTerm | ToPeriod | ToNumber | ToText | Cue


def strongest(options: list[Option]) -> list[Option]:
    """Each option once, strongest first."""
    ordered = sorted(options, key=lambda option: -option.strength)
    best: list[Option] = []
    seen: set[tuple[str, ...]] = set()
    for option in ordered:
        identity = _identity(option)
        if identity not in seen:
            seen.add(identity)
            best.append(option)
    return best


def _identity(option: Option) -> tuple[str, ...]:
    match option:
        case ToTable():
            return ("table", option.entity.name)
        case ToColumn():
            return ("column", option.attribute.table, option.attribute.name)
        case ToValue():
            return ("value", option.attribute.table, option.attribute.name, option.value)
        case ToMetric():
            return ("metric", option.metric.id, option.metric.name)
        case ToTerm():
            return ("term", option.term.id, option.term.name)
        case _:
            return (repr(option),)


def weaker(option: Option, factor: float) -> Option:
    """The same option, less sure."""
    match option:
        case ToTable():
            return ToTable(entity=option.entity, strength=option.strength * factor)
        case ToColumn():
            return ToColumn(attribute=option.attribute, strength=option.strength * factor)
        case ToMetric():
            return ToMetric(metric=option.metric, strength=option.strength * factor)
        case ToTerm():
            return ToTerm(term=option.term, strength=option.strength * factor)
        case _:
            return option


def is_flag(option: object) -> bool:
    """Whether a column is meant that says yes or no of its rows: "students on a grant"."""
    return isinstance(option, ToColumn) and option.attribute.role == "flag"
