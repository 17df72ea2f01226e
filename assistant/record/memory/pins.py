"""What the person said and what it holds for: facts, meanings, corrections and rejections, folded from the log.

A pin never falls out of memory. What a planner's model lists of a question is pinned as its fact or meaning; else the
person's own words are, where they define or correct something (`pins.yaml`). Each holds as narrowly as is honest until
the person says otherwise: an edit and a rejection for their result, a choice of what a word means for the conversation.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

import yaml

from assistant.core.events import Decision, PinScope
from assistant.core.turns import ExchangeItem, Turn

PinKind = Literal["fact", "definition", "correction", "rejection"]
_CHANGED_LINES = 6
"""Lines of a correction of code that are told."""
_CHANGED_CHARS = 120
_QUOTED = re.compile(r"[\"'“‘]([^\"'“”‘’]{2,60})[\"'”’]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """Something the person said that is kept.

    Attributes:
        id: What tells it from others of its session.
        turn: The turn in which it was said; 0 for what was kept in another session.
        text: What was said, with what it was said about.
        words: The person's words alone.
        scope: What it holds for: the result that it was said about and what goes on from that, the conversation, this
            data in every conversation, or everything that this person asks.
        word: The word that it defines; empty where it defines none.
        file: Where it is kept as knowledge; empty where only the log holds it.
    """

    id: str
    kind: PinKind
    turn: int
    text: str
    words: str = ""
    scope: PinScope = "conversation"
    word: str = ""
    file: str = ""


def find_pins(turns: Iterable[Turn]) -> tuple[Pin, ...]:
    """What the person said and did not drop, each once, in the order it was first said, with the scope it has now."""
    pins: dict[tuple[str, str], Pin] = {}
    for turn in turns:
        for pin in _find_pins(turn):
            changed = turn.pin_changes.get(pin.id)
            if changed is None:
                pins.setdefault((pin.kind, pin.text), pin)
            elif changed.scope != "dropped":
                pins.setdefault((pin.kind, pin.text), replace(pin, scope=changed.scope, file=changed.file))
    return tuple(pins.values())


def _find_pins(turn: Turn) -> Iterator[Pin]:
    facts = tuple(dict.fromkeys(fact for plan in turn.plans for fact in plan.facts))
    for number, fact in enumerate(facts, start=1):
        kind: PinKind = "definition" if fact.word else "fact"
        words = f"{fact.word}: {fact.text}" if fact.word else fact.text
        id_ = f"{turn.number}.fact.{number}"
        yield Pin(id=id_, kind=kind, turn=turn.number, text=fact.text, words=words, word=fact.word)
    if not facts and (kind_of_question := _find_kind(turn.question)) is not None:
        id_, text = f"{turn.number}.question", turn.question.strip()
        yield Pin(id=id_, kind=kind_of_question, turn=turn.number, text=text, words=text)
    for exchange in turn.exchanges:
        if exchange.reply is not None:
            yield _make_clarified(turn, exchange, exchange.reply)
    for number, decision in enumerate(turn.decisions, start=1):
        if (pin := _find_decided(turn, decision, id_=f"{turn.number}.decision.{number}")) is not None:
            yield pin


def _find_kind(question: str) -> Literal["definition", "correction"] | None:
    """Whether the words of a question define or correct something."""
    if _has_phrase(question, "defining") or _has_phrase(question, "standing"):
        return "definition"
    corrects = _has_phrase(question, "correcting") or _has_phrase(question, "correcting_at_start")
    return "correction" if corrects else None


def _make_clarified(turn: Turn, exchange: ExchangeItem, reply: str) -> Pin:
    """What the person answered to a question back; where that asks what a word means, for the conversation."""
    word = _find_word(exchange, turn.question)
    return Pin(
        id=exchange.clarification.id,
        kind="definition",
        turn=turn.number,
        text=f"Asked {exchange.clarification.text!r}, they said {reply!r}",
        words=f"{word}: {reply}" if word else reply,
        scope="conversation" if word else _find_scope(reply),
        word=word,
    )


def _find_decided(turn: Turn, decision: Decision, *, id_: str) -> Pin | None:
    """What a rejection or an edit by hand says."""
    item, reason = turn.proposal(decision.ref), decision.reason.strip()
    title = item.proposal.title if item is not None else "the plan" if decision.subject == "plan" else decision.ref
    scope = _find_scope(reason)
    if decision.action == "reject" and reason:
        return Pin(
            id=id_, kind="rejection", turn=turn.number, text=f"Rejected {title!r}: {reason}", words=reason, scope=scope
        )
    if decision.action != "edit" or decision.by != "person":
        return None
    if decision.subject == "plan":
        changed = _describe_plan_change(turn, decision)
        text = f"Corrected the plan by hand: {changed}" if changed else ""
    else:
        changed = _describe_change(item.proposal.code if item is not None else "", decision.code or "")
        text = f"Corrected {title!r} by hand{f': {reason}' if reason else ''}{changed}"
    words = reason or f"{title} corrected by hand"
    return Pin(id=id_, kind="correction", turn=turn.number, text=text, words=words, scope=scope) if text else None


def _find_word(exchange: ExchangeItem, question: str) -> str:
    """The word of the question whose meaning a question back asks for, which stands there in quotes."""
    words = (match.strip() for match in _QUOTED.findall(exchange.clarification.text))
    return next((word for word in words if word.casefold() in question.casefold()), "")


def _find_scope(words: str) -> PinScope:
    """What a person's words about one result hold for: for more than that only where they say so."""
    return "conversation" if _has_phrase(words, "defining") or _has_phrase(words, "standing") else "result"


def _has_phrase(text: str, group: str) -> bool:
    return _load_patterns()[group].search(text) is not None


@cache
def _load_patterns() -> dict[str, re.Pattern[str]]:
    """The phrases of `pins.yaml`, each group as one pattern."""
    groups = yaml.safe_load((files("assistant.record.memory") / "pins.yaml").read_text(encoding="utf-8"))
    return {
        name: re.compile(
            (r"^\s*" if name.endswith("_at_start") else "")
            + rf"\b(?:{'|'.join(re.escape(phrase).replace('…', '.{1,80}?') for phrase in phrases)})\b",
            re.IGNORECASE | re.DOTALL,
        )
        for name, phrases in groups.items()
    }


def _describe_plan_change(turn: Turn, decision: Decision) -> str:
    """What an edit took out of the steps of a plan and put in."""
    plan = next((plan for plan in turn.plans if plan.id == decision.ref), None)
    before, after = (
        [f"({step.language}) {step.title}. {step.instruction}".rstrip(". ") for step in steps]
        for steps in ((plan.steps if plan is not None else ()), decision.steps or ())
    )
    if changed := _describe_change("\n".join(before), "\n".join(after)).removeprefix(": "):
        return changed
    return "another order of its steps" if before != after else ""


def _describe_change(before: str, after: str) -> str:
    """What an edit took out of code and put in, a few lines of it, as ` - "..." + "..."`."""
    if not before or not after:
        return ""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---") and line[1:].strip()]
    excerpts = [f"{line[0]} {line[1:].strip()[:_CHANGED_CHARS]}" for line in changed[:_CHANGED_LINES]]
    return f": {'; '.join(excerpts)}" + ("; …" if len(changed) > len(excerpts) else "") if excerpts else ""


def exclude_repeated(pins: Sequence[Pin], known_pins: Sequence[Pin]) -> tuple[Pin, ...]:
    """The pins that neither say the same as known ones nor are kept in the same file."""
    texts = {_squeeze(pin.text) for pin in known_pins} | {pin.file for pin in known_pins if pin.file}
    return tuple(pin for pin in pins if _squeeze(pin.text) not in texts and pin.file not in texts)


def _squeeze(text: str) -> str:
    return " ".join(text.casefold().split())
