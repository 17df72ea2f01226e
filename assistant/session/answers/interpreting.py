"""The interpretation of a turn as chips, and chips as a question. Appends nothing; calls block."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.analyst.interpretation.differences import told_apart
from assistant.analyst.interpretation.interpretation import Interpretation, interpret
from assistant.analyst.meaning import from_json, to_json
from assistant.analyst.translation.queries import translate
from assistant.analyst.wording import sentence
from assistant.errors import InterpretationError
from assistant.query.cells import QueryProblem, is_query_cell, literal_queries

if TYPE_CHECKING:
    from assistant.analyst.analyst import Analyst
    from assistant.core.turns import Turn

_SEVERAL_STEPS = "It takes several steps."
_PYTHON = "It is computed in Python."


def question_of(interpretation: Interpretation) -> tuple[str, str]:
    """An interpretation as a question: in words, and what it means, as JSON.

    Raises:
        InterpretationError: it cannot be computed, or nothing is to be computed yet.
    """
    meaning = interpretation.checked().meaning
    if meaning is None:
        raise InterpretationError("Nothing is to be computed yet. Choose a measure or a group first.")
    return interpretation.sentence, to_json(meaning)


def interpretation_of(turn: Turn, analyst: Analyst) -> Interpretation | None:
    """What a turn computes; what was understood of its question where it has no plan. None where there is no data.

    Raises:
        InterpretationError: a model or the person wrote its code, and chips cannot show that; the text says why.
    """
    if not analyst.sources:
        return None
    if turn.plan is None and not turn.proposals:
        return analyst.partial(turn.question)
    meaning = None if turn.proposals and turn.proposals[-1].is_edited else from_json(turn.meaning)
    if meaning is not None:
        return analyst.interpretation(meaning, turn.question) if meaning.source in analyst.sources else None
    return _written(turn, analyst) if turn.proposals else None


def _written(turn: Turn, analyst: Analyst) -> Interpretation | None:
    """The chips of SQL that a model or the person wrote; None where its source is no longer there."""
    last = {item.proposal.step: item.code for item in turn.proposals}
    if len(last) > 1 or len(turn.steps) > 1:
        raise InterpretationError(_SEVERAL_STEPS)
    (code,) = last.values()
    queries = literal_queries(code)
    if not is_query_cell(code) or isinstance(queries, QueryProblem) or len(queries) != 1:
        raise InterpretationError(_PYTHON)
    name = queries[0].source or next(iter(analyst.sources))
    source = analyst.sources.get(name)
    if source is None:
        return None
    try:
        translation = translate(queries[0].sql, source)
    except (ValueError, RecursionError) as error:
        raise InterpretationError("It cannot be taken apart.") from error
    return replace(interpret(translation.query, source), remarks=translation.remarks)


def differences_of(turn: Turn, analyst: Analyst) -> tuple[str, ...]:
    """What tells the options of a question back apart; empty where they are no readings of the question."""
    waiting = turn.waiting
    options = waiting.clarification.options if waiting is not None and waiting.clarification is not None else ()
    if len(options) < 2:
        return ()
    for source in analyst.sources.values():
        queries = {
            sentence(source.schema.said(reading.query)): reading.query
            for reading in source.candidates(turn.question).readings
        }
        if all(option in queries for option in options):
            return told_apart([interpret(queries[option], source) for option in options])
    return ()
