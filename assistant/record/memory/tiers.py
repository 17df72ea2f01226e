"""A session's events in three tiers: the current step in full, recent turns trimmed, older turns as digests.

Pure folding: no model, no wording, no budget. `assistant.record.memory.context` turns tiers into messages within a
budget, `assistant.record.memory.summary` shortens what is old. Beside the tiers stand the pins, which never fall out
however long the session gets (`assistant.record.memory.pins`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.core.events import (
    Decision,
    Event,
    Variable,
)
from assistant.core.turns import ProposalItem, Turn, fold_events
from assistant.record.memory.pins import Pin, find_pins

TURNS_RECENT = 12
"""How many turns before the current one are remembered by themselves, as far as their share of the prompt goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A past turn without technical chatter.

    Attributes:
        decisions: What the person or the policy decided, in words ("approved 'Revenue by region'").
        status: The answer's status; "stopped" or "open" where the turn has none.
        results: Names of the results that its last successful cells left in the kernel.
    """

    turn: int
    question: str
    asked_back: tuple[tuple[str, str], ...] = ()
    decisions: tuple[str, ...] = ()
    status: Literal["answered", "partial", "declined", "failed", "stopped", "open"] = "open"
    answer: str = ""
    results: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentTurn:
    """The turn in progress.

    Attributes:
        question: What was asked.
        replies: What the person answered to questions back.
        opening: What was said before any code: question, plans, clarifications and decisions about the plan.
        earlier: The proposals and executions of finished steps: the last of each step, in order.
        step: The events of the step at hand, all of them, in order.
    """

    turn: int
    question: str
    replies: tuple[str, ...] = ()
    opening: tuple[Event, ...] = ()
    earlier: tuple[Event, ...] = ()
    step: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """What is remembered, from what always holds to what is at hand. All in the order of the log.

    Attributes:
        summary: What a model wrote of the oldest turns; empty where none did.
        older: The turns between the summary and the recent ones.
        past: Every turn before the current one, those that the summary stands for as well.
    """

    pins: tuple[Pin, ...] = ()
    summary: str = ""
    older: tuple[Digest, ...] = ()
    recent: tuple[Digest, ...] = ()
    past: tuple[Digest, ...] = ()
    variables: tuple[Variable, ...] = ()
    current: CurrentTurn | None = None


def fold_tiers(log: Sequence[Event], *, step: int | None = None, turns_recent: int = TURNS_RECENT) -> Tiers:
    """Fold a session's events into tiers.

    Args:
        log: The events, oldest first.
        step: The step at hand; by default the one that code was last put forward for.
        turns_recent: How many turns before the current one stay by themselves.
    """
    transcript = fold_events(log)
    if not transcript.turns:
        return Tiers(variables=transcript.kernel.variables)
    *past, last = transcript.turns
    digests = digest_turns(past)
    split = max(len(digests) - turns_recent, 0)
    summarised = transcript.summary
    asked_now = (last.number, last.question.strip())  # it is said once, with this turn
    upto = summarised.upto if summarised is not None else 0
    return Tiers(
        # What the person asks now is said once, with this turn.
        pins=tuple(pin for pin in find_pins(transcript.turns) if (pin.turn, pin.text) != asked_now),
        summary=summarised.text if summarised is not None else "",
        older=tuple(digest for digest in digests[:split] if digest.turn > upto),
        recent=digests[split:],
        past=digests,
        variables=transcript.kernel.variables,
        current=_make_current(last, step=step),
    )


def digest_past_turns(log: Sequence[Event]) -> tuple[Digest, ...]:
    """Every turn before the current one, in order."""
    return digest_turns(fold_events(log).turns[:-1])


def digest_turns(turns: Iterable[Turn]) -> tuple[Digest, ...]:
    """Turns without technical chatter."""
    return tuple(map(_make_digest, turns))


# --- within a turn --------------------------------------------------------------------------------------------


def _make_digest(turn: Turn) -> Digest:
    return Digest(
        turn=turn.number,
        question=turn.question,
        asked_back=tuple((item.clarification.text, item.reply) for item in turn.exchanges if item.reply is not None),
        decisions=tuple(_describe_decision(decision, turn.proposal(decision.ref)) for decision in turn.decisions),
        status=turn.end or "open",
        answer=turn.answer.text if turn.answer is not None else "",
        results=tuple(dict.fromkeys(item.proposal.result for item in turn.results if item.proposal.result)),
    )


def _describe_decision(decision: Decision, item: ProposalItem | None) -> str:
    verb = {"approve": "approved", "edit": "edited", "reject": "rejected"}[decision.action]
    subject = decision.ref
    if item is not None:
        subject = repr(item.proposal.title)
    elif decision.subject == "plan":
        subject = "the plan"
    reason = f" ({decision.reason.strip()})" if decision.reason.strip() else ""
    return f"{verb} {subject}{reason}"


def _make_current(turn: Turn, *, step: int | None) -> CurrentTurn:
    if step is None:
        step = turn.proposals[-1].proposal.step if turn.proposals else 1
    done = {item.proposal.step: item for item in turn.proposals if item.proposal.step != step}
    earlier: list[Event] = []
    for number in sorted({*done, *(skip.step for skip in turn.skips if skip.step != step)}):
        if (item := done.get(number)) is not None:
            edit = item.decision if item.is_edited else None
            earlier += [event for event in (item.proposal, edit, item.execution) if event is not None]
        earlier += [skip for skip in turn.skips if skip.step == number]
    return CurrentTurn(
        turn=turn.number,
        question=turn.question,
        replies=tuple(turn.replies),
        opening=tuple(moment.event for moment in turn.story if moment.step is None),
        earlier=tuple(earlier),
        step=tuple(moment.event for moment in turn.story if moment.step == step),
    )
