"""Inputs of the person as events: a question, the answer to a clarification, resuming, allowing.

Pure: computes the event to append from the log and the input; None if the log no longer waits for it. Decisions are
made by `assistant.core.approval.gate`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from assistant.core.approval.policy import Policy
from assistant.core.events import (
    AnyEvent,
    Approvable,
    ClarificationAnswered,
    Event,
    PolicyChanged,
    Question,
    Resumed,
)
from assistant.core.flow import find_last_turn
from assistant.core.turns import fold_turn


def allow_in_turn(turn: int, approve: Collection[Approvable]) -> list[AnyEvent]:
    """What the policy may approve by itself in a turn; no event where that is nothing."""
    return [PolicyChanged(turn=turn, approve=tuple(sorted(set(approve))))] if approve else []


def allow_in_session(log: Sequence[Event], approve: Collection[Approvable]) -> list[AnyEvent]:
    """What the policy may approve by itself from now on; no event where it does so already."""
    if frozenset(approve) == Policy.of(log, turn=0).approve:
        return []
    return [PolicyChanged(approve=tuple(sorted(set(approve))))]


def make_question(
    log: Sequence[Event], text: str, *, files: Sequence[str], approve: Collection[Approvable], meaning: str = ""
) -> list[AnyEvent]:
    """A question, which begins a turn of the next number; with what it means, where the person said so in chips."""
    turn = find_last_turn(log) + 1
    return [*allow_in_turn(turn, approve), Question(turn=turn, text=text, files=tuple(files), meaning=meaning)]


def answer_back(log: Sequence[Event], clarification: str, text: str) -> list[AnyEvent] | None:
    """The answer to a question back; None where it does not wait (any more)."""
    turn = fold_turn(log)
    waiting = turn.waiting.clarification if turn is not None and turn.waiting is not None else None
    if turn is None or waiting is None or waiting.id != clarification:
        return None
    return [ClarificationAnswered(turn=turn.number, clarification=clarification, text=text)]


def make_resumption(log: Sequence[Event], approve: Collection[Approvable]) -> list[AnyEvent] | None:
    """Going on with a turn that was stopped or failed; None where there is none."""
    turn = fold_turn(log)
    if turn is None or (turn.stopped is None and turn.failed is None):
        return None
    return [*allow_in_turn(turn.number, approve), Resumed(turn=turn.number)]
