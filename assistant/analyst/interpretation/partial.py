"""What was understood of a question that cannot be read: its measure, groups and filters as far as they go together.

Nothing is guessed: every part is a phrase of the grammar or a name of the data. All other words stay unread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from assistant.analyst import algebra as al
from assistant.analyst.grammar.building import bare
from assistant.analyst.grammar.chart import Derivation
from assistant.analyst.interpretation.changing import (
    checked,
    condition_of,
    with_filters,
    with_groups,
    with_limit,
    with_measures,
    with_order,
)
from assistant.analyst.interpretation.interpretation import Interpretation, empty
from assistant.analyst.linking.tokens import Word, costs, light
from assistant.analyst.parts import GroupKey, MeasuredFigure, Pending, Sort, Thing, Top
from assistant.analyst.source import AnalystSource
from assistant.errors import InterpretationError

_DERIVATIONS_MAX = 8
_UNPLACED_COST = 1.0
"""How much a phrase counts, for each of its words, that finds no place beside the others."""


def partial_reading(question: str, data: AnalystSource) -> Interpretation:
    """The likeliest phrases of a question put together, and the words that it leaves unread."""
    words = data.words(question)
    cost = costs(words)
    best = empty(data)
    most, used = float("-inf"), 0
    for derivation in data.frames(words)[:_DERIVATIONS_MAX]:
        result, mask = _put_together(derivation, data)
        score = derivation.score - _UNPLACED_COST * (_lost(mask, cost) - _lost(derivation.mask, cost))
        if score > most:
            best, most, used = result, score, mask
    return replace(best, unread=tuple(unread_words(words, used)))


def _lost(mask: int, cost: Sequence[float]) -> float:
    return sum(weight for at, weight in enumerate(cost) if not mask >> at & 1)


def unread_words(words: Sequence[Word], mask: int) -> Iterator[str]:
    """The words that carry meaning and that a mask leaves out."""
    for at, word in enumerate(words):
        if word.is_word and not mask >> at & 1 and (word.quoted or word.lower not in light()):
            yield word.text


def _put_together(derivation: Derivation, data: AnalystSource) -> tuple[Interpretation, int]:
    """What of the phrases goes together, each that does not left out, with the words that it used."""
    result, mask = empty(data), 0
    parts = sorted(derivation.parts, key=lambda part: _ORDER.index(part.category) if part.category in _ORDER else 99)
    for part in parts:
        if any(not guess.nearness for guess in part.guesses):
            continue  # nothing speaks for it but that it would fit
        with suppress(InterpretationError):
            result = _edited(result, _normal(part.meaning, result))
            mask |= part.mask
    return result, mask


_ORDER = ("figure", "column", "thing", "condition", "key", "having", "sort", "top")
"""In which order phrases find their place: what is measured tells whose rows they are."""


def _normal(meaning: object, of: Interpretation) -> object:
    """What a name stands for: a quantity for its usual figure, rows for their number, other things for a key."""
    schema = of.data.schema
    match meaning:
        case al.Column() if schema.tables[meaning.table].grain == (meaning,):
            return _normal(Thing(meaning.table), of)
        case al.Column() if schema.typed[meaning].is_measured:
            return bare(schema, meaning)
        case al.Column():
            return GroupKey(meaning)
        case Thing(table, None) if of.rows is None:
            return MeasuredFigure(al.Count(), table)
        case Thing(table, None) if of.rows == al.Rows(table):
            return None
        case Thing():
            return GroupKey(None, thing=meaning)
        case _:
            return meaning


def _edited(of: Interpretation, meaning: object) -> Interpretation:
    """With what a phrase means in its place.

    Raises:
        InterpretationError: there is no place for it.
    """
    match meaning:
        case None:
            return of  # they are the rows that there are
        case MeasuredFigure():
            return with_measures(of, [*_measures(of), meaning])
        case GroupKey():
            return with_groups(of, (*of.groups, meaning))
        case Sort():
            return _sorted(of, meaning.by, descending=meaning.descending)
        case Top():
            return with_limit(_sorted(of, meaning.by, descending=meaning.descending), meaning.n)
        case _ if isinstance(meaning, Pending | tuple):
            conditions = meaning if isinstance(meaning, tuple) else (meaning,)
            return _filtered(of if of.rows else _counted(of, conditions), conditions)
        case _:
            raise InterpretationError("It has no place of its own.")


def _measures(of: Interpretation) -> list[MeasuredFigure]:
    home = of.rows.table if isinstance(of.rows, al.Rows) else ""
    return [MeasuredFigure(measure, home) for measure in of.measures if measure != al.Count()]


def _counted(of: Interpretation, conditions: Sequence[object]) -> Interpretation:
    """How many rows there are of the first table that conditions are about."""
    tables = al.tables_here(conditions)
    if not tables:
        raise InterpretationError("The question does not say whose rows are meant.")
    return with_measures(of, [MeasuredFigure(al.Count(), tables[0])])


def _filtered(of: Interpretation, conditions: Sequence[object]) -> Interpretation:
    new = [condition_of(of, condition) for condition in conditions]  # type: ignore[arg-type]
    return with_filters(of, (*of.filters, *new))


def _sorted(of: Interpretation, by: object, *, descending: bool) -> Interpretation:
    """By what is named, where it is computed; else by the first figure."""
    output_wanted = by.figure if isinstance(by, MeasuredFigure) else by
    places = [place for place, output in enumerate(of.outputs) if output == output_wanted]
    figures = [place for place, output in enumerate(of.outputs) if isinstance(output, al.Figure)]
    if output_wanted is None or isinstance(by, Thing):
        places = figures
    if not places or not of.groups:
        raise InterpretationError("There is nothing to put in order.")
    return checked(with_order(of, (al.Order(places[0], descending),)))
