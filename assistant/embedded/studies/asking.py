"""Reading the words of a study that are not about the study: figures, filters and periods, by the analyst itself.

"Is there a trend in **revenue in the south**?": the cue is the study's, the rest is an ordinary question. Nothing of
language is read here that the analyst can read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from assistant.embedded.analyst import Analyst
from assistant.embedded.meaning import ColumnRef, Dimension, Grain, Meaning, Measure
from assistant.embedded.outcomes import NotUnderstood, Understood
from assistant.embedded.reading.reader import Candidate, Failure, confident, near_best, plausible, read
from assistant.embedded.source.joins import Joins
from assistant.embedded.source.numbered import settles
from assistant.embedded.source.schema import Attribute, Entity, Schema, column_label
from assistant.embedded.sql.headings import column_names
from assistant.embedded.studies.outcomes import Refused
from assistant.embedded.studies.periods import within
from assistant.embedded.studies.study import Figure, Span
from assistant.embedded.wording.answers import as_day, period_name
from assistant.embedded.wording.periods import period_words
from assistant.embedded.wording.phrases import condition_words, figure_words
from assistant.embedded.wording.plain import joined

_IT = re.compile(r"^(?:(?:it|this|that|they|them|these|those|the (?:figure|number|value)s?)\b\s*)+", re.IGNORECASE)
_TABLE_WORDS = re.compile(
    r"\b(?:the|this|that|my|our|these|those|its|here|table|tables|file|data ?set|data|sheet)\b", re.IGNORECASE
)
_NUMBERED_MIN = 20
_FILLERS = re.compile(
    r"^(?:(?:please|can you|could you|would you|tell me|show me|show|give me|i want to know|i would like to know"
    r"|do you know|do we know|let me know|let us|let's|so|and|but|then|ok|okay|now|hi|hello|hey)\b[\s,]*)+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A meaning read from some words, with what was taken for granted and what it rests on.

    `by` are the groups that the words broke a figure down by, where the meaning is the figure alone.
    """

    meaning: Meaning
    assumptions: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    by: tuple[Dimension, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question that may be a study, with the analyst who reads its words and what was meant before.

    `compared` are the two periods that the answer before set side by side, the later one first. With `instead` a study
    is read again of another figure and its groups, whatever its words name; `heard` are the words that it takes for its
    figure.
    `text` is without politeness and closing marks; its letters keep their case, for values do.
    """

    question: str
    analyst: Analyst
    previous: Meaning | None = None
    previous_words: str = ""
    compared: tuple[Span, Span] | None = None
    instead: Meaning | None = None
    heard: list[str] = field(default_factory=list)
    text: str = field(default="")

    def __post_init__(self) -> None:
        text = re.sub(r"[?!.\s]+$", "", self.question.strip())
        object.__setattr__(self, "text", _FILLERS.sub("", " ".join(text.split())))

    @property
    def today(self) -> date:
        """The day of the clock."""
        return self.analyst.today

    def schema(self, source: str) -> Schema:
        """A source's schema."""
        return self.analyst.sources[source].schema

    def joins(self, source: str) -> Joins:
        """A source's ways."""
        return self.analyst.sources[source].joins

    @property
    def schemas(self) -> Mapping[str, Schema]:
        """Every source's schema."""
        return {name: source.schema for name, source in self.analyst.sources.items()}

    # --- from words to meanings ---

    def read(self, words: str) -> tuple[Read, ...] | Refused:
        """Read words as a question of its own, every one of them; several where readings are as likely."""
        found: list[Candidate] = []
        failures: list[Failure] = []
        for source in self.analyst.sources.values():
            result = read(words, source.linker, source.joins, self.today)
            if isinstance(result, Failure):
                failures.append(result)
            else:
                found += result
        near = near_best(sorted(found, key=lambda c: -c.score)) if found else []
        if near and (confident(near[0]) or (len(found) == 1 and plausible(near[0]))):
            return tuple(Read(meaning=c.meaning, assumptions=c.assumptions, cited=c.cited) for c in near)
        failure = max(failures, key=lambda f: (f.weight, -len(f.words))) if failures else Failure()
        unknown = joined([f"“{w}”" for w in dict.fromkeys(failure.words)]) if failure.words else ""
        if unknown and not (failure.weight >= 3 and failure.reason):
            return Refused(reason=f"I do not know what {unknown} means here.")
        return Refused(reason=failure.reason or f"I could not make sense of “{words}”.")

    def figure(self, words: str) -> tuple[Read, ...] | Refused:
        """The figure that words name, without groups, order and limits; "it" is the figure before."""
        words = words.strip(" ,:")
        self.heard.append(" ".join(words.lower().split()))
        if self.instead is not None:
            alone, cited = stripped(self.instead), self.analyst.cited(self.instead)
            return (Read(meaning=alone, cited=cited, by=groups_of(self.instead)),)
        it = _IT.match(words)
        if it is not None or not words:
            return self._it(words[it.end() :] if it else "")
        found = self.read(words)
        kept = self._figures(words)
        if not kept and not isinstance(found, Refused):
            counted = self._figures(f"number of {words}")
            kept = counted if counted and self._names_rows(words) else self._added_up(words) or counted
        if not kept:
            return found if isinstance(found, Refused) else Refused(reason=f"“{words}” is not a figure I can follow.")
        return tuple(replace(read, meaning=stripped(read.meaning), by=groups_of(read.meaning)) for read in kept)

    def _figures(self, words: str) -> tuple[Read, ...]:
        """The readings of words that are figures."""
        found = self.read(words)
        return () if isinstance(found, Refused) else tuple(r for r in found if r.meaning.measures)

    def _added_up(self, words: str) -> tuple[Read, ...]:
        """A number column as a figure: its total where values add up, else its average; none where it is no number."""
        averages = self._figures(f"average {words}")
        column = averages[0].meaning.measures[0].of_rows if averages else None
        if column is None:
            return ()
        schema = self.schema(averages[0].meaning.source)
        attribute = schema.attribute(column.table, column.column)
        if numbers_rows(attribute, schema.entities[column.table]):
            return ()
        adds = attribute.adds_up
        return (self._figures(f"total {words}") if adds else ()) or averages

    def _names_rows(self, words: str) -> bool:
        """Whether words begin with what a table's rows are called: they are counted then, whatever else is named so."""
        low = re.sub(r"^(?:the|our|my|all) ", "", words.lower())
        entities = [e for s in self.schemas.values() for e in s.entities.values()]
        return any(re.match(rf"{re.escape(e.many.lower())}(?= |$)", low) for e in entities)

    def _it(self, rest: str) -> tuple[Read, ...] | Refused:
        """The figure of the meaning before, with further words as a follow-up to it."""
        if self.previous is None or not self.previous.measures:
            return Refused(reason="I do not know which figure you mean: nothing was asked before that has one.")
        if not rest.strip():
            return (Read(meaning=stripped(self.previous), cited=self.analyst.cited(self.previous)),)
        outcome = self.analyst.read(rest, stripped(self.previous))
        if isinstance(outcome, Understood) and outcome.meaning.measures:
            return (Read(meaning=stripped(outcome.meaning), assumptions=outcome.assumptions, cited=outcome.cited),)
        return Refused(reason=f"I could not read “{rest.strip()}” together with the question before.")

    def by_period(self, read: Read, grain: Grain) -> Read | Refused:
        """A figure's meaning by period."""
        outcome = self.analyst.read(f"by {grain}", read.meaning)
        if isinstance(outcome, Understood) and period_of(outcome.meaning) is not None:
            return Read(
                meaning=outcome.meaning,
                assumptions=tuple(dict.fromkeys((*read.assumptions, *outcome.assumptions))),
                cited=read.cited,
            )
        reason = outcome.reason if isinstance(outcome, NotUnderstood) else ""
        measure = read.meaning.measures[0]
        metrics = self.analyst.sources[read.meaning.source].known.metrics
        if any(m.name == measure.metric and not m.date_column for m in metrics):
            reason = f"“{measure.label}” is defined for today only, so it has no history."
        return Refused(
            reason=reason or f"I found no date by which {measure.label} could be followed over time.", understood=True
        )

    def by_months(self, read: Read, grain: Grain = "month") -> Read | Refused:
        """A figure's meaning by month, or by year where nothing finer is known; the first reason where by neither."""
        by = self.by_period(read, grain)
        if not isinstance(by, Refused):
            return by
        yearly = self.by_period(read, "year")
        return by if isinstance(yearly, Refused) else yearly

    def dates(self, meaning: Meaning) -> tuple[date, date] | None:
        """The first and the last day of a meaning by period: what its date column holds, within its ranges."""
        dimension = period_of(meaning)
        if dimension is None:
            return None
        attribute = self.schema(meaning.source).attribute(dimension.column.table, dimension.column.column)
        profile = attribute.column.profile
        if profile is None:
            return None
        low, high = _day(profile.low), _day(profile.high)
        if low is None or high is None:
            return None
        return within(meaning.times, low, high)

    def different_days(self, meaning: Meaning) -> int | None:
        """How many different days the date of a meaning by period has in all its table, where it is known."""
        dimension = period_of(meaning)
        if dimension is None:
            return None
        profile = self.schema(meaning.source).attribute(dimension.column.table, dimension.column.column).column.profile
        return profile.distinct if profile is not None and not profile.sampled else None

    def says_it(self, words: str) -> bool:
        """Whether words name no figure of their own but that of the answer before."""
        bare = words.strip(" ,:")
        it = _IT.match(bare)
        return not (bare[it.end() :] if it else bare).strip()

    def outside(self, by: Meaning, *spans: Span) -> Refused | None:
        """Why periods cannot be looked at, where the data of a meaning by period does not reach one of them."""
        held = self.dates(by.model_copy(update={"times": ()}))
        if held is None:
            return None
        for span in spans:
            if span.end <= held[0] or span.start > held[1]:
                label = by.measures[0].label
                known = f"{period_name(held[0], 'day')} to {period_name(held[1], 'day')}"
                return Refused(reason=f"{titled(label)} is known from {known}, not for {span.label}.", understood=True)
        return None

    # --- from the schema ---

    def tables(self, words: str) -> tuple[Entity, ...]:
        """The tables that words name; "this table" is the one before or the only one, else each of the largest."""
        low = _TABLE_WORDS.sub(" ", words)
        name = "".join(ch for ch in low.lower() if ch.isalnum())
        entities = [e for s in self.schemas.values() for e in s.entities.values()]
        if name:
            return tuple(e for e in entities if name in _spellings(e))[:1]
        if self.previous is not None and self.previous.source in self.schemas:
            return (self.schemas[self.previous.source].entities[self.previous.base],)
        return tuple(sorted(entities, key=lambda e: -(e.table.rows or 0))[:4])

    def source_of(self, entity: Entity) -> str:
        """The source that a table belongs to."""
        return next(name for name, s in self.schemas.items() if s.entities.get(entity.name) is entity)

    def dimension(self, meaning: Meaning, attribute: Attribute, *, label: str = "") -> Dimension | None:
        """A column as a group of a meaning's rows; None where no way leads there that keeps rows single.

        Nor where the figure is of things that are told on several rows, and each row has another value there.
        """
        joins, schema = self.joins(meaning.source), self.schema(meaning.source)
        own = meaning.once and attribute.table == meaning.base
        if own and not settles(meaning.once, attribute.name, schema.entities[meaning.base]):
            return None
        ways = joins.best(meaning.base, attribute.table, meaning.tables())
        if not ways or ways[0].multiplies:
            return None
        taken = {reference.steps for reference in meaning.references()}
        steps = next((way.steps for way in ways if way.steps in taken), ways[0].steps)
        return Dimension(
            column=ColumnRef(table=attribute.table, column=attribute.name, steps=steps),
            label=label or column_label(schema, attribute),
        )


def stripped(meaning: Meaning) -> Meaning:
    """The first figure that was asked for, with its filters and periods and nothing else."""
    measure = next((m for m in meaning.measures if not m.context), meaning.measures[0])
    return Meaning(
        source=meaning.source,
        base=meaning.base,
        base_label=meaning.base_label,
        measures=(measure.model_copy(update={"share": False, "context": False}),),
        filters=meaning.filters,
        either=meaning.either,
        conditions=meaning.conditions,
        related=meaning.related,
        compared=meaning.compared,
        among=meaning.among,
        times=meaning.times,
        portion=meaning.portion,
        once=meaning.once,
    )


def over_all_time(by: Meaning) -> Meaning:
    """A meaning by period without the range it was asked for: other periods are compared with it."""
    dimension = period_of(by)
    times = tuple(t for t in by.times if dimension is None or t.column != dimension.column)
    return by.model_copy(update={"times": times})


def figure_of(meaning: Meaning) -> Figure:
    """The first figure of a meaning, as its result will show it."""
    measure = meaning.measures[0]
    column = column_names(meaning)[-len(meaning.measures)]
    return Figure(
        column=column,
        label=figure_words(meaning, measure),
        unit=measure.unit,
        adds_up=adds_up(measure) and not meaning.portion,
        aggregate="" if meaning.portion or measure.per is not None else measure.aggregate or "",
    )


def adds_up(measure: Measure) -> bool:
    """Whether the figure of a whole is the sum of its parts': counts and sums, not averages and ratios."""
    if measure.per is not None or measure.until is not None:
        return False
    if measure.expression is None:
        return measure.aggregate in ("count", "sum")
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        return isinstance(sqlglot.parse_one(measure.expression), exp.Sum | exp.Count)
    except SqlglotError:
        return False


def numbers_rows(attribute: Attribute, entity: Entity) -> bool:
    """Whether a column of whole numbers only numbers the rows: none twice, and none missing."""
    profile, rows = attribute.column.profile, entity.table.rows
    if attribute.column.kind != "integer" or profile is None or profile.sampled or rows is None or rows < _NUMBERED_MIN:
        return False
    return profile.distinct == rows


def where(meaning: Meaning) -> str:
    """The conditions and periods of a meaning, as the end of a title."""
    conditions = condition_words(meaning)
    text = f", where {joined(conditions)}" if conditions else ""
    periods = period_words(meaning)
    return text + (f", {joined(periods)}" if periods else "")


def titled(text: str) -> str:
    """A title: its first letter is a capital."""
    return text[:1].upper() + text[1:]


def period_of(meaning: Meaning) -> Dimension | None:
    """The dimension of a meaning that is time: a period, or a column that holds years."""
    return meaning.over_time or next((d for d in meaning.dimensions if d.label == "year"), None)


def groups_of(meaning: Meaning) -> tuple[Dimension, ...]:
    """What a figure is broken down by, beside periods."""
    return tuple(d for d in meaning.dimensions if not d.grain and d.label != "year")


def _day(value: object) -> date | None:
    text = str(value).partition(".")[0] if value is not None else ""
    if text.isdigit() and len(text) == 4:
        return date(int(text), 1, 1)
    return as_day(value)


def _spellings(entity: Entity) -> set[str]:
    bare = entity.name.rpartition(".")[2]
    return {"".join(ch for ch in words.lower() if ch.isalnum()) for words in (bare, entity.one, entity.many)}
