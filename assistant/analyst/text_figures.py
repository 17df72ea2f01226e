"""Figures of text: a column of words has no average and no total, and an average of how many there are is not one.

Asked for all the same, that is said, with what keeps the column from being numbers. Who asks for a number of different
values gets it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from assistant.analyst.algebra import Aggregate, Column, Grouped, Groups, Output, parts
from assistant.analyst.lexicon.files import section
from assistant.analyst.linking.tokens import words
from assistant.analyst.meaning import Meaning
from assistant.analyst.names import words_of
from assistant.analyst.outcomes import Ambiguous, Declined, Outcome, Understood, declined
from assistant.analyst.schema import Schema
from assistant.analyst.source import AnalystSource
from assistant.plain_english import joined

_COMPUTED = ("mean", "median", "sum")
_MOSTLY = 0.5
_NAMED_MAX = 3


def refuse_text_figure(asked: str, sources: Iterable[AnalystSource]) -> Declined | None:
    """The refusal of an average or a total of numbers that are kept as text; None where none is asked for."""
    lower = _lower(asked)
    if _says(lower, "count", "distinct") or not _says(lower, "function", meanings=_COMPUTED):
        return None
    bases = {base for word in words(asked) for base in words_of(word.cased)}
    for source in sources:
        schema = source.schema
        named = {column for column in schema.typed if set(schema.typed[column].words) <= bases}
        if any(schema.typed[column].is_measured for column in named):
            continue
        for column in sorted(named, key=lambda column: (column.table, column.name)):
            if strangers := _strangers(column, schema):
                return _declined(column, strangers)
    return None


def refuse_counted_text(asked: str, outcome: Outcome, sources: Iterable[AnalystSource]) -> Outcome:
    """An outcome without readings that average how many different words there are, unless the question says so."""
    if _says(_lower(asked), "count", "distinct"):
        return outcome
    by_name = {source.name: source.schema for source in sources}
    literal = {word.text.casefold() for word in words(asked)}
    match outcome:
        case Understood(meaning=meaning):
            column = next(_counted_texts(meaning, by_name[meaning.source], literal), None)
            return outcome if column is None else _declined(column, _examples(column, by_name[meaning.source]))
        case Ambiguous(options=options):
            left = tuple(
                (label, meaning)
                for label, meaning in options
                if next(_counted_texts(meaning, by_name[meaning.source], literal), None) is None
            )
            if left:
                return Ambiguous(text=outcome.text, options=left) if len(left) < len(options) else outcome
            meaning = options[0][1]
            column = next(_counted_texts(meaning, by_name[meaning.source], literal))
            return _declined(column, _examples(column, by_name[meaning.source]))
        case _:
            return outcome


def _declined(column: Column, examples: Sequence[str]) -> Declined:
    return declined("text figure", column.name, joined([f"“{text}”" for text in examples]))


def _counted_texts(meaning: Meaning, schema: Schema, literal: Collection[str]) -> Iterator[Column]:
    """The columns of text of which a query averages the numbers of different values.

    A question that names them in the plural means their number: "average players per team".
    """
    for query in parts(meaning.query):
        if (
            not isinstance(query, Grouped)
            or not isinstance(query.of, Groups)
            or not isinstance(query.of.query, Grouped)
        ):
            continue
        inner = (*query.of.query.keys, *query.of.query.figures)
        for figure in query.figures:
            if isinstance(figure, Aggregate) and figure.function in _COMPUTED and isinstance(figure.term, Output):
                match inner[figure.term.place]:
                    case Aggregate(function="distinct", term=Column() as column) if column in schema.profiled:
                        spoken = schema.spoken.get(column, column.name).replace("_", " ").casefold().split()
                        if schema.profiled[column].kind == "text" and set(spoken) <= set(literal):
                            yield column
                    case _:
                        continue


def _strangers(column: Column, schema: Schema) -> tuple[str, ...]:
    """The values of a column of text that keep it from being numbers; none where it is no column of numbers."""
    found = schema.profiled.get(column)
    values = found.profile.values if found is not None and found.profile is not None else None
    if found is None or found.kind != "text" or not values:
        return ()
    strangers = tuple(value for value in values if not _is_number(value))
    return strangers[:_NAMED_MAX] if 0 < len(strangers) <= _MOSTLY * len(values) else ()


def _examples(column: Column, schema: Schema) -> tuple[str, ...]:
    strangers = _strangers(column, schema)
    profile = schema.profiled[column].profile
    return strangers or (profile.values or () if profile is not None else ())[:_NAMED_MAX]


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", ""))
    except ValueError:
        return False
    return True


def _lower(asked: str) -> str:
    return f" {' '.join(word.text.casefold() for word in words(asked))} "


def _says(lower: str, *categories: str, meanings: Sequence[str] = ()) -> bool:
    """Whether a question has a phrase of these categories of the lexicon."""
    return any(
        f" {phrase} " in lower
        for category in categories
        for meaning, phrases in section("operators", category).items()
        if isinstance(phrases, list) and (not meanings or meaning in meanings)
        for phrase in phrases
    )
