"""Two answers in one: "both", "compare both", "compare that with the answer before".

They go together where they differ in one thing alone: in their figures, which then stand side by side, or in the value
of one condition, by which the rows are then told apart. Of two rankings that differ so, it is the first few of each.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import reduce

from assistant.embedded.dates import describe
from assistant.embedded.meaning import Dimension, Filter, Grain, Meaning, TimeRange
from assistant.embedded.wording.periods import period_words
from assistant.embedded.wording.phrases import condition_words
from assistant.embedded.words.lexicon import sentence_of

_LEAD = r"^(?:(?:and|now|then|ok|okay|please|just|can (?:you|i|we)|could you|i (?:want|need|mean|meant|would like)|let me|show|list|give|see|get|display|print|take|compare|contrast|put|plot|draw|me|us)\b[\s,]*)*"
_TWO = r"(?:them both|both(?: of (?:them|these|those))?|(?:the|these|those) two|all (?:three|four)(?: of (?:them|these|those))?|(?:the|these|those) (?:three|four))"
_ASIDE = r"(?:[\s,]+(?:side by side|together|next to (?:each other|one another)|in (?:one|a single|the same) (?:table|chart|answer|list|view)|at once|combined|please|answers?|results?|tables?|figures?|numbers?))*"
_BOTH = re.compile(rf"{_LEAD}{_TWO}{_ASIDE}$", re.IGNORECASE)
_ALL = re.compile(rf"{_LEAD}(?:all(?: of (?:them|these|those))?|everything){_ASIDE}$", re.IGNORECASE)
_ONE_BEFORE = r"(?:the )?(?:(?:answer|result|figures?|numbers?|table|list|one)s? (?:from )?before(?: (?:that|it|this))?|(?:previous|prior|earlier|last) (?:answer|result|figures|numbers|table|list|one))"
_COMPARED = re.compile(
    rf"{_LEAD}(?:(?:how does )?(?:it|that|this|them|these|those)(?: (?:figures?|numbers?|results?|answers?))? (?:compares? )?)?(?:with|to|and|against|next to|beside) {_ONE_BEFORE}{_ASIDE}$",
    re.IGNORECASE,
)
_NUMBERS = {"three": 3, "four": 4}


def so_many(question: str) -> int:
    """How many of the last answers are wanted together; 0 where the words do not say so."""
    text = sentence_of(question)
    if _COMPARED.match(text):
        return 2
    if not _BOTH.match(text):
        return 0
    said = re.search(r"\b(?:three|four)\b", text, re.IGNORECASE)
    return _NUMBERS[said[0].lower()] if said else 2


def says_all(reply: str) -> bool:
    """Whether all that was offered is wanted."""
    text = sentence_of(reply)
    return bool(_BOTH.match(text) or _ALL.match(text))


def together(meanings: Sequence[Meaning]) -> Meaning | None:
    """The meanings as one; None where they differ in more than one thing, or in one that cannot be shown together."""
    return reduce(lambda one, other: one and _joined(one, other), meanings[1:], meanings[0] if meanings else None)


def _joined(one: Meaning, other: Meaning) -> Meaning | None:
    whole = (one, other)
    if one.source != other.source or any(m.verified_sql is not None or m.having or m.divided for m in whole):
        return None
    if any(m.portion or m.either or m.distinct for m in whole):
        return None
    if one.limit or other.limit:
        return _first_of_each(one, other)
    return _figures_side_by_side(one, other) or _values_side_by_side(one, other) or _periods_side_by_side(one, other)


def is_ranking(meaning: Meaning) -> bool:
    """Whether a meaning is the first few groups of one kind by a figure."""
    by_figure = bool(meaning.limit and meaning.order) and meaning.order[0].by == "measure"
    return by_figure and len(meaning.dimensions) == 1 and not (meaning.within or meaning.offset or meaning.beside)


def _first_of_each(one: Meaning, other: Meaning) -> Meaning | None:
    """As many of each value, or of each period, in which two rankings differ; None where they rank differently."""
    if not (is_ranking(one) and is_ranking(other)) or one.order != other.order:
        return None
    joined = _values_side_by_side(one, other) or _periods_side_by_side(one, other)
    apart = joined is not None and len(joined.dimensions) == len(one.dimensions) + 1
    return joined.model_copy(update={"within": 1}) if joined is not None and apart else None


def _figures_side_by_side(one: Meaning, other: Meaning) -> Meaning | None:
    """Other figures of the same groups, under the same conditions."""
    if not (one.measures and other.measures) or any(m.share for m in (*one.measures, *other.measures)):
        return None
    shared = {"title": "", "chart": other.chart or one.chart}
    if _bare(one) == _bare(other):
        more = tuple(m for m in other.measures if m not in one.measures)
        return one.model_copy(update=shared | {"measures": (*one.measures, *more)}) if more else None
    groups = [_group(d) for d in one.dimensions] == [_group(d) for d in other.dimensions]
    said = condition_words(one) == condition_words(other) and period_words(one) == period_words(other)
    if not (groups and said) or one.columns or other.beside or other.base in (one.base, *(b.base for b in one.beside)):
        return None
    return one.model_copy(
        update=shared | {"beside": (*one.beside, other.model_copy(update={"order": (), "chart": None}))}
    )


def _bare(meaning: Meaning) -> Meaning:
    """All that a meaning says but its figures, their order and how they are drawn."""
    return meaning.model_copy(update={"measures": (), "order": (), "chart": None, "title": ""})


def _group(dimension: Dimension) -> tuple[object, ...]:
    """What a group is, whatever the way to it: the same value of the same name, or the same row of one table."""
    told_apart = dimension.column.table if dimension.key or dimension.more else ""
    names = (dimension.column.column, dimension.label)
    return (*names, told_apart, dimension.grain, dimension.part, dimension.edges)


def _values_side_by_side(one: Meaning, other: Meaning) -> Meaning | None:
    """The same for each value of the one condition in which they differ."""
    gone = [f for f in one.filters if f not in other.filters]
    come = [f for f in other.filters if f not in one.filters]
    rest = {"filters": (), "order": (), "chart": None, "title": ""}
    if len(gone) != 1 or len(come) != 1 or one.model_copy(update=rest) != other.model_copy(update=rest):
        return None
    condition = _either(gone[0], come[0])
    if condition is None or (condition.column.multiplies and one.measures):
        return None
    filters = tuple(condition if f == gone[0] else f for f in one.filters)
    made = one.model_copy(update={"filters": filters, "chart": other.chart or one.chart, "title": ""})
    told = Dimension(column=condition.column, label=condition.label)
    shown = {(ref.table, ref.column) for d in (*one.dimensions, *one.columns) for ref in (d.column, *d.more)}
    if (told.column.table, told.column.column) in shown or not condition.label:
        return made
    if one.measures:
        order = tuple(o.model_copy(update={"index": o.index + 1}) if o.by == "dimension" else o for o in one.order)
        return made.model_copy(update={"dimensions": (told, *one.dimensions), "order": order})
    return made.model_copy(update={"columns": (*one.columns, told)})


def _periods_side_by_side(one: Meaning, other: Meaning) -> Meaning | None:
    """The same in each of two periods that follow on one another."""
    if not same_but_period(one, other):
        return None
    first, second = sorted((one.times[0], other.times[0]), key=lambda t: t.start or date.min)
    if first.column != second.column or first.year_number or first.end is None or first.end != second.start:
        return None
    grain = _unit(first)
    time = first.model_copy(update={"end": second.end, "label": describe(first.start, second.end)})
    longer = (one if one.columns == () or len(one.columns) > len(other.columns) else other).model_copy(
        update={"times": (time,), "title": "", "chart": other.chart or one.chart}
    )
    if not one.measures or one.over_time:
        return longer
    if grain is None or grain != _unit(second):
        return None
    period = Dimension(column=time.column, label=grain, grain=grain)
    order = tuple(o.model_copy(update={"index": o.index + 1}) if o.by == "dimension" else o for o in longer.order)
    return longer.model_copy(update={"dimensions": (period, *longer.dimensions), "order": order})


def same_but_period(one: Meaning, other: Meaning) -> bool:
    """Whether two meanings differ in their one period alone."""
    rest = {"times": (), "order": (), "chart": None, "title": "", "columns": ()}
    shown = [[c for c in m.columns if not c.context] for m in (one, other)]
    dated = len(one.times) == len(other.times) == 1 and one.times != other.times
    return dated and shown[0] == shown[1] and one.model_copy(update=rest) == other.model_copy(update=rest)


def _unit(time: TimeRange) -> Grain | None:
    """The year, quarter or month that a period is, if it is one."""
    if time.start is None or time.end is None or time.start.day != 1 or time.end.day != 1:
        return None
    months = (time.end.year - time.start.year) * 12 + time.end.month - time.start.month
    grains: dict[int, Grain] = {1: "month", 3: "quarter", 12: "year"}
    return grains.get(months) if (time.start.month - 1) % months == 0 else None


def _either(one: Filter, other: Filter) -> Filter | None:
    """Both conditions as one with the values of either."""
    plain = {"operator": "in", "values": ()}
    equal = all(
        f.operator in ("=", "in") and not (f.flag or f.part or f.other or f.fold_case or f.side is not None)
        for f in (one, other)
    )
    if not equal or one.model_copy(update=plain) != other.model_copy(update=plain):
        return None
    values = tuple(dict.fromkeys((*one.values, *other.values)))
    return other.model_copy(update={"operator": "in", "values": values})
