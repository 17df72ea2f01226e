"""A session's events in three tiers: the current step in full, recent turns trimmed, older turns as digests.

Pure folding: no model, no wording, no budget. `assistant.record.memory.context` turns tiers into messages within a
budget, `assistant.record.memory.summary` shortens what is old. Beside the tiers stand the pinned facts, which hold for
the whole session however long it gets: definitions the person gave, their corrections, and rejections with their
reasons.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.core.events import (
    Clarification,
    ClarificationAnswered,
    Decision,
    Event,
    Execution,
    HistorySummarised,
    KernelRestarted,
    Plan,
    Proposal,
    Question,
    StepSkipped,
    Variable,
)
from assistant.core.turns import ProposalItem, Turn, fold_events

TURNS_RECENT = 12
"""How many turns before the current one are remembered by themselves, as far as their share of the prompt goes."""

_CHANGED_LINES = 6
"""Lines of a correction of code that are told."""
_CHANGED_CHARS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """A fact that never falls out of memory."""

    kind: Literal["definition", "correction", "rejection"]
    turn: int
    text: str


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
        opening: What was said before any code: question, plans, clarifications and decisions about the plan.
        earlier: The proposals and executions of finished steps: the last of each step, in order.
        step: The events of the step at hand, all of them, in order.
    """

    turn: int
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


def fold(log: Sequence[Event], *, step: int | None = None, turns_recent: int = TURNS_RECENT) -> Tiers:
    """Fold a session's events into tiers.

    Args:
        log: The events, oldest first.
        step: The step at hand; by default the one that code was last put forward for.
        turns_recent: How many turns before the current one stay by themselves.
    """
    turns = fold_events(log).turns
    if not turns:
        return Tiers(variables=live_variables(log))
    *past, last = turns
    digests = tuple(map(_digest, past))
    split = max(len(digests) - turns_recent, 0)
    summarised = next((event for event in reversed(log) if isinstance(event, HistorySummarised)), None)
    upto = summarised.upto if summarised is not None else 0
    return Tiers(
        # What the person asks now is said once, with this turn.
        pins=tuple(pin for pin in pins(log) if pin.turn != last.number or pin.text != last.question.strip()),
        summary=summarised.text if summarised is not None else "",
        older=tuple(digest for digest in digests[:split] if digest.turn > upto),
        recent=digests[split:],
        past=digests,
        variables=live_variables(log),
        current=_current(last.number, [event for event in log if event.turn == last.number], step=step),
    )


def past_turns(log: Sequence[Event]) -> tuple[Digest, ...]:
    """Every turn before the current one, in order."""
    return every_turn(log)[:-1]


def every_turn(log: Sequence[Event]) -> tuple[Digest, ...]:
    """Every turn, the current one included, in order."""
    return tuple(map(_digest, fold_events(log).turns))


def live_variables(log: Sequence[Event]) -> tuple[Variable, ...]:
    """The names that cells have left in the kernel and that it still has, in the order they last changed."""
    live: dict[str, tuple[str, Variable]] = {}
    for event in log:
        match event:
            case Execution():
                for variable in event.variables:
                    live.pop(variable.name, None)
                    live[variable.name] = (event.id, variable)
            case KernelRestarted(rerun=0):
                live.clear()
            case KernelRestarted(lost=lost):
                live = {name: held for name, held in live.items() if held[0] not in lost}
            case _:
                pass
    return tuple(variable for _, variable in live.values())


def pins(log: Sequence[Event]) -> tuple[Pin, ...]:
    """The facts that never fall out, each once, in the order they were first stated."""
    found: dict[tuple[str, str], Pin] = {}
    asked: dict[str, str] = {}
    titles: dict[str, str] = {}
    codes: dict[str, str] = {}
    for event in log:
        pin: Pin | None = None
        match event:
            case Question(turn=turn, text=text):
                pin = _stated(turn, text)
            case Clarification(id=ref, text=text):
                asked[ref] = text
            case ClarificationAnswered(turn=turn, clarification=ref, text=text):
                pin = Pin(kind="definition", turn=turn, text=f"Asked {asked.get(ref, ref)!r}, they said {text!r}")
            case Proposal(id=ref, title=title, code=code):
                titles[ref], codes[ref] = title, code
            case Plan(id=ref):
                titles[ref] = "the plan"
            case Decision(turn=turn, action="reject", ref=ref, reason=reason) if reason.strip():
                pin = Pin(kind="rejection", turn=turn, text=f"Rejected {titles.get(ref, ref)!r}: {reason.strip()}")
            case Decision(turn=turn, action="edit", by="person", ref=ref, reason=reason):
                why = f": {reason.strip()}" if reason.strip() else ""
                changed = _changed(codes.get(ref, ""), event.code or "")
                told = f"Corrected {titles.get(ref, ref)!r} by hand{why}{changed}"
                pin = Pin(kind="correction", turn=turn, text=told)
            case _:
                pass
        if pin is not None:
            found.setdefault((pin.kind, pin.text), pin)
    return tuple(found.values())


def _changed(before: str, after: str) -> str:
    """What an edit took out of code and put in, a few lines of it, as ` - "..." + "..."`."""
    if not before or not after:
        return ""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---") and line[1:].strip()]
    told = [f"{line[0]} {line[1:].strip()[:_CHANGED_CHARS]}" for line in changed[:_CHANGED_LINES]]
    return f": {'; '.join(told)}" + ("; …" if len(changed) > len(told) else "") if told else ""


# --- within a turn --------------------------------------------------------------------------------------------

_DEFINES = re.compile(
    r"\bby\s+.{1,60}?\b(?:i|we)\s+mean\b|\b(?:means|is defined as|are defined as|stands for|counts? as)\b"
    r"|\b(?:define|treat|count|call)\s+.{1,80}?\bas\b|\bfrom now on\b|\b(?:always|never)\s+\w+|\bassume\b",
    re.IGNORECASE | re.DOTALL,
)
_CORRECTS = re.compile(
    r"^\s*(?:no\b|not\s|wrong\b|actually\b)"
    r"|\b(?:i meant|that(?:'|’)?s (?:wrong|not)|that is (?:wrong|not)|instead of)\b"
    r"|\bshould (?:be|have been|not|exclude|include)\b",
    re.IGNORECASE,
)


def _stated(turn: int, question: str) -> Pin | None:
    if _DEFINES.search(question):
        return Pin(kind="definition", turn=turn, text=question.strip())
    if _CORRECTS.search(question):
        return Pin(kind="correction", turn=turn, text=question.strip())
    return None


def _digest(turn: Turn) -> Digest:
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


def _current(turn: int, events: Sequence[Event], *, step: int | None) -> CurrentTurn:
    if step is None:
        step = next((event.step for event in reversed(events) if isinstance(event, Proposal)), 1)
    opening: list[Event] = []
    here: list[Event] = []
    done: dict[int, tuple[Event, ...]] = {}
    place: int | None = None
    for event in events:
        if isinstance(event, Plan):
            place = None  # a new plan begins its steps anew
        if isinstance(event, Proposal):
            place = event.step
        if place is None:
            opening.append(event)
        elif place == step:
            here.append(event)
        else:
            match event:
                case Proposal():
                    done[event.step] = (event,)
                case Execution() | StepSkipped() | Decision(action="edit"):
                    done[place] = (*done.get(place, ()), event)
                case _:
                    pass
        if isinstance(event, StepSkipped) or (isinstance(event, Execution) and event.status == "ok"):
            place = event.step + 1  # what is said from now on is about the next step
    return CurrentTurn(
        turn=turn,
        opening=tuple(opening),
        earlier=tuple(event for number in sorted(done) for event in done[number]),
        step=tuple(here),
    )
