"""A meaning as the operations that its query will do, step by step."""

from __future__ import annotations

from assistant.embedded.meaning import Meaning, Measure
from assistant.embedded.wording.periods import SAID_SO, period_words
from assistant.embedded.wording.phrases import condition_words, places_words, portion_words
from assistant.embedded.wording.plain import joined
from assistant.embedded.words.lexicon import spoken
from assistant.embedded.words.vocabulary import ORDINALS


def operations(meaning: Meaning) -> tuple[str, ...]:
    """What the query does, step by step."""
    if meaning.verified_sql is not None:
        return ("Run the verified query",)
    periods = period_words(meaning)
    period = joined(periods) if periods else ""
    since = period.startswith(SAID_SO)
    lines = [f"Read {meaning.base_label}" + (f" {period}" if since else f" of {period}" if period else "")]
    others = [spoken(name.rpartition(".")[2]) for name in meaning.tables()[1:]]
    if others:
        lines.append(f"Look up {joined(others)}")
    conditions = [] if meaning.portion else condition_words(meaning)
    if conditions:
        lines.append(f"Keep those where {joined(conditions)}")
    lines += [_operation(meaning, measure) for measure in meaning.measures]
    for other in meaning.beside:
        lines += [f"Read {other.base_label}", *(_operation(other, measure) for measure in other.measures)]
    if meaning.divided:
        lines.append("Divide the first figure by the second")
    if meaning.dimensions:
        lines.append(f"Group by {joined([d.label for d in meaning.dimensions])}")
    if meaning.columns:
        lines.append(f"Show {joined([c.label for c in meaning.columns])}")
    if meaning.limit:
        one = ORDINALS[meaning.place] if meaning.place > 1 else "first"
        first = f"Keep the {one}" if meaning.limit == 1 else f"Keep the first {meaning.limit}"
        lines.append(f"Keep {places_words(meaning)}" if meaning.offset else first)
    return tuple(lines)


def _operation(meaning: Meaning, measure: Measure) -> str:
    if meaning.portion:
        return f"Compute the {portion_words(meaning)}, in percent"
    if measure.per is not None:
        return f"Divide {measure.label.removeprefix('average ').rpartition(' per ')[0]} by {_divisor(measure.per)}"
    if measure.share:
        return "Compute each one's share of the whole"
    if measure.metric:
        return f"Compute {measure.label}"
    match measure.aggregate:
        case "count" | "distinct":
            return f"Count {measure.label}"
        case "sum":
            return f"Add up the {measure.column.column if measure.column else measure.label}".replace("_", " ")
        case _:
            return f"Compute the {measure.label}"


def _divisor(measure: Measure) -> str:
    counted = measure.aggregate in ("count", "distinct")
    return f"the number of {measure.label}" if counted else measure.label
