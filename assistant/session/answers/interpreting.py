"""What a turn computes, in chips, and chips as a question. Appends nothing; calls block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.analyst.interpretation.differing import told_apart
from assistant.analyst.interpretation.interpretation import Interpretation, interpret
from assistant.analyst.meaning import from_json, to_json
from assistant.analyst.wording import sentence
from assistant.errors import InterpretationError

if TYPE_CHECKING:
    from assistant.analyst.analyst import Analyst
    from assistant.core.turns import Turn


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
    """What a turn computes; what was understood of its question where it has no plan.

    None where a model or the person wrote its code, or there is no data.
    """
    if not analyst.sources:
        return None
    if turn.plan is None and not turn.proposals:
        return analyst.partial(turn.question)
    meaning = from_json(turn.meaning)
    if meaning is None or meaning.source not in analyst.sources:
        return None
    return analyst.interpretation(meaning, turn.question)


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
