"""What a model is sent of a session: its tiers within a token budget, as an AutoGen model context.

The log alone holds history, so this context is built anew for every question to a model and thrown away after. Its
first message is made from the tiers; what is said within the one exchange (lookups, retries) is added behind it. The
budget is never exceeded, by the estimate of `assistant.record.memory.tokens`; a call and its results are kept or
dropped together; a pinned fact may be shortened where there is little room, never dropped while any room is left for
it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, cast

from autogen_core import Component
from autogen_core.model_context import ChatCompletionContext
from autogen_core.models import (
    AssistantMessage,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    LLMMessage,
    UserMessage,
)
from pydantic import BaseModel

from assistant.core.events import AnyEvent, Event, PinScope
from assistant.record.memory.focus import Focus, find_focus
from assistant.record.memory.pins import Pin, exclude_repeated
from assistant.record.memory.recall import Compare, PastTurns, compare_nothing
from assistant.record.memory.summary import SUMMARY_TOKENS, ExtractiveSummariser
from assistant.record.memory.tiers import TURNS_RECENT, Tiers, fold_tiers
from assistant.record.memory.tokens import PER_MESSAGE, cut, estimate
from assistant.record.memory.wording import SEES_RESULTS, Sees, describe_digest, describe_event, describe_variable

_RECENT_TOKENS = 2_500
_RELATED_TURNS = 3
_RELATED_TOKENS = 500
_PINNED_SHARE = 0.35
_PINNED_TOKENS = 1_500
_OPENING_SHARE = 0.35
_EXCHANGE_SHARE = 0.5
_BROUGHT_SHARE = 0.5
_VARIABLES_MAX = 30
_NO_VALUES = ("type", "function", "module", "builtin_function_or_method")
"""Types of what a cell imported or defined: no result to build on."""
_STANDING = "Keep to; what the person asks now counts more where they differ"
_OF_RESULTS = "Said of one result: keep to it where the question goes on from that, and nowhere else"
_PIN_WORDS = {"fact": "Fact", "definition": "Definition", "correction": "Correction", "rejection": "Rejection"}
_SCOPE_WORDS: dict[PinScope, str] = {"data": "this data", "always": "always"}
"""How a scope is marked; one result and the conversation go without saying."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSection:
    """A part of the first message: what a role adds of its own (tables, documents found).

    `is_indivisible` is for text between markers: where there is no room for all of it, it is left out, never cut.
    """

    title: str
    text: str
    is_indivisible: bool = False


class FoldedContextConfig(BaseModel):
    """What a `FoldedContext` is made of; the fields are its arguments. What compares by meaning is not among them."""

    log: tuple[AnyEvent, ...] = ()
    tokens_max: int
    sees: Sees = "rows"
    step: int | None = None
    sections: tuple[PromptSection, ...] = ()
    task: str = ""
    turns_recent: int = TURNS_RECENT
    instructs: bool = False
    tells_variables: bool = True
    stored: tuple[Pin, ...] = ()


class FoldedContext(ChatCompletionContext, Component[FoldedContextConfig]):
    """A session's memory for one exchange with a model.

    Args:
        log: The session's events, oldest first.
        tokens_max: The budget of all messages together; what the system message takes is for the caller to take off.
        sees: How much of the data the model may see.
        step: The step at hand; by default the one that code was last put forward for.
        sections: What the role adds, the most important first; they stand before the current turn.
        task: What the model is to do now; it stands last and is always there.
        turns_recent: How many past turns stay by themselves.
        instructs: Whether the task holds the instruction of the step at hand, so that the plan need not.
        tells_variables: Whether what the kernel holds is told.
        stored: What the person said in other sessions and holds here.
        compare: Compares texts by meaning, to find earlier turns that say the same in other words.
    """

    component_config_schema = FoldedContextConfig
    component_provider_override = "assistant.record.memory.context.FoldedContext"

    def __init__(
        self,
        log: Sequence[Event],
        *,
        tokens_max: int,
        sees: Sees = "rows",
        step: int | None = None,
        sections: Sequence[PromptSection] = (),
        task: str = "",
        turns_recent: int = TURNS_RECENT,
        instructs: bool = False,
        tells_variables: bool = True,
        stored: Sequence[Pin] = (),
        compare: Compare = compare_nothing,
    ) -> None:
        super().__init__()
        self._log = log
        self._step = step
        self._turns_recent = turns_recent
        self._tiers = fold_tiers(log, step=step, turns_recent=turns_recent)
        self._focus = find_focus(log)
        self._tokens_max = tokens_max
        self._sees: Sees = sees
        self._sections = tuple(sections)
        self._task = task
        self._told = step if instructs else None
        self._tells_variables = tells_variables
        self._stored = tuple(stored)
        self._compare = compare
        self._summariser = ExtractiveSummariser(with_answers=sees in SEES_RESULTS)

    async def get_messages(self) -> list[LLMMessage]:
        """Everything within the budget: one message made of the tiers, then what was added, calls with results."""
        exchange = fit_messages(self._messages, int(self._tokens_max * _EXCHANGE_SHARE))
        room = self._tokens_max - sum(estimate_message(message) for message in exchange) - PER_MESSAGE
        # Off the loop: turns are compared by meaning.
        text = await asyncio.to_thread(self._make_first_message, room)
        first: list[LLMMessage] = [UserMessage(content=text, source="memory")] if text else []
        return first + exchange

    def _to_config(self) -> FoldedContextConfig:
        return FoldedContextConfig(
            log=tuple(cast("AnyEvent", event) for event in self._log),
            tokens_max=self._tokens_max,
            sees=self._sees,
            step=self._step,
            sections=self._sections,
            task=self._task,
            turns_recent=self._turns_recent,
            instructs=self._told is not None,
            tells_variables=self._tells_variables,
            stored=self._stored,
        )

    @classmethod
    def _from_config(cls, config: FoldedContextConfig) -> Self:
        arguments = {name: getattr(config, name) for name in FoldedContextConfig.model_fields if name != "log"}
        return cls(config.log, **arguments)

    def _make_first_message(self, room: int) -> str:
        tiers = self._tiers
        budget = _Budget(room)
        task = budget.take("", self._task)
        opening = budget.take("This turn", self._describe_opening(tiers), at_most=int(room * _OPENING_SHARE))
        pins_max = min(int(room * _PINNED_SHARE), _PINNED_TOKENS, budget.left)
        standing = [*exclude_repeated(self._stored, tiers.pins), *(p for p in tiers.pins if p.scope != "result")]
        pinned = budget.take(_STANDING, _describe_pins(_STANDING, standing, pins_max))
        of_results = [pin for pin in tiers.pins if pin.scope == "result"]
        pins_left = min(pins_max - estimate(pinned), budget.left)
        of_results_text = budget.take(_OF_RESULTS, _describe_pins(_OF_RESULTS, of_results, pins_left))
        # What the role brings (results, tables) must not be crowded out by what a step printed.
        brought = sum(estimate(section.title) + estimate(section.text) + _HEADING_TOKENS for section in self._sections)
        section_room = min(brought, int(budget.left * _BROUGHT_SHARE))
        step = budget.take_newest("The step at hand", self._describe_step(tiers), at_most=budget.left - section_room)
        earlier = budget.take_newest("Earlier steps of this turn", self._describe_earlier_steps(tiers))
        before = budget.take("What a follow-up refers to", _describe_focus(self._focus))
        own = [
            budget.take(section.title, section.text, is_indivisible=section.is_indivisible)
            for section in self._sections
        ]
        digests = [describe_digest(d, sees=self._sees) for d in tiers.recent]
        recent = budget.take_newest("Recent turns", digests, at_most=min(budget.left, _RECENT_TOKENS))
        variables_of_results = [v for v in tiers.variables if self._tells_variables and v.type not in _NO_VALUES]
        live = [describe_variable(v) for v in variables_of_results[-_VARIABLES_MAX:]]
        variables = budget.take("Variables in the kernel", "\n".join(live))
        related = budget.take(
            "Earlier turns nearest to the question", self._describe_related(recent), at_most=_RELATED_TOKENS
        )
        older = budget.take(_OLDER, self._describe_history(tiers, budget.left - _HEADING_TOKENS - estimate(_OLDER)))
        parts = (pinned, of_results_text, older, related, recent, before, variables, *own, opening, earlier, step, task)
        return "\n\n".join(part for part in parts if part)

    def _describe_related(self, recent: str) -> str:
        """The past turns nearest to what is asked now, but for those told under recent turns."""
        current = self._tiers.current
        if current is None:
            return ""
        query = " ".join((current.question, *current.replies))
        past = [turn for turn in self._tiers.past if f"Question {turn.turn}: {turn.question}" not in recent]
        matches = PastTurns(past, compare=self._compare).search(query, k=_RELATED_TURNS)
        return "\n\n".join(describe_digest(digest, sees=self._sees) for digest in matches)

    def _describe_history(self, tiers: Tiers, room: int) -> str:
        """The model's summary of the oldest turns, and a line each for the turns since."""
        spare = min(room, SUMMARY_TOKENS)
        if spare <= 0:
            return ""
        summary = cut(tiers.summary, spare)
        left = spare - estimate(summary) - 1
        lines = self._summariser.summarise(tiers.older, tokens_max=left) if tiers.older and left > 0 else ""
        return "\n".join(filter(None, (summary, lines)))

    def _describe_opening(self, tiers: Tiers) -> str:
        if tiers.current is None:
            return ""
        # The question comes first and a cut takes the end, so the question outlives everything else said here.
        texts = (describe_event(event, sees=self._sees, instructed_step=self._told) for event in tiers.current.opening)
        return "\n\n".join(filter(None, texts))

    def _describe_step(self, tiers: Tiers) -> list[str]:
        events = tiers.current.step if tiers.current is not None else ()
        return [text for event in events if (text := describe_event(event, sees=self._sees))]

    def _describe_earlier_steps(self, tiers: Tiers) -> list[str]:
        events = tiers.current.earlier if tiers.current is not None else ()
        return [text for event in events if (text := describe_event(event, sees=self._sees))]


_OLDER = "Earlier in this session"
_HEADING_TOKENS = 4  # two signs of a heading, two line breaks


class _Budget:
    """Hands out room for sections, first come, first served."""

    def __init__(self, tokens: int) -> None:
        self.left = max(tokens, 0)

    def take(self, title: str, text: str, *, at_most: int | None = None, is_indivisible: bool = False) -> str:
        """The section, cut to what is left; empty where that is nothing, or where it must stay whole and cannot."""
        if not text.strip():
            return ""
        heading = f"## {title}\n" if title else ""
        room = min(self.left, at_most if at_most is not None else self.left) - estimate(heading) - 1
        body = cut(text, room)
        if not body or (is_indivisible and body != text):
            return ""
        # One token for the blank line between sections.
        self.left -= estimate(heading) + estimate(body) + 1
        return heading + body

    def take_newest(self, title: str, parts: Sequence[str], *, at_most: int | None = None) -> str:
        """The section made of the newest parts that fit; the first that does not fit is cut."""
        room = min(self.left, at_most if at_most is not None else self.left) - estimate(f"## {title}\n") - 1
        newest: list[str] = []
        for part in reversed(parts):
            fits = cut(part, room)
            if not fits:
                break
            newest.insert(0, fits)
            room -= estimate(fits) + 1
            if fits != part:
                break
        return self.take(title, "\n\n".join(newest))


def _describe_pins(title: str, pins: Sequence[Pin], room: int) -> str:
    lines = [f"- {_PIN_WORDS[pin.kind]} ({_describe_place(pin)}): {_describe_pin(pin)}" for pin in pins]
    room -= estimate(f"## {title}\n") + 1
    if not lines or estimate("\n".join(lines)) <= room:
        return "\n".join(lines)
    share = max(room // len(lines) - 1, 0)
    return "\n".join(filter(None, (cut(line, share) for line in lines)))


def _describe_place(pin: Pin) -> str:
    """Where a pin was said, and how far it holds."""
    turn = f"turn {pin.turn}" if pin.turn else ""
    return ", ".join(filter(None, (turn, _SCOPE_WORDS.get(pin.scope, ""))))


def _describe_pin(pin: Pin) -> str:
    text = " ".join(pin.text.split())
    return text if not pin.word or pin.word.casefold() in text.casefold() else f"{pin.word!r}: {text}"


def _describe_focus(focus: Focus) -> str:
    if focus.turn is None:
        return ""
    lines = [f"The last answered question: {focus.question}"]
    if focus.variable:
        columns = f" ({', '.join(focus.columns)})" if focus.columns else ""
        lines.append(f"Its result is {focus.variable}{columns}.")
    if focus.sql:
        lines.append(f"Its last query, on {focus.source}:\n```sql\n{focus.sql}\n```")
    return "\n".join(lines)


# --- what is said within the exchange -------------------------------------------------------------------------


def estimate_message(message: LLMMessage) -> int:
    """The estimated tokens of a message."""
    match message:
        case AssistantMessage(content=list() as calls):
            call_tokens = sum(estimate(call.name) + estimate(call.arguments) + PER_MESSAGE for call in calls)
            return PER_MESSAGE + call_tokens + estimate(message.thought or "")
        case FunctionExecutionResultMessage(content=results):
            return sum(PER_MESSAGE + estimate(result.content) for result in results)
        case UserMessage(content=list() as parts):
            return PER_MESSAGE + sum(estimate(part) for part in parts if isinstance(part, str))
        case _:
            return PER_MESSAGE + estimate(str(message.content))


def fit_messages(messages: Sequence[LLMMessage], tokens_max: int) -> list[LLMMessage]:
    """The newest messages that fit, a call always with its results; a call still without results is left out.

    Where the newest call and its results alone are too long, the results are cut.
    """
    newest: list[LLMMessage] = []
    left = tokens_max
    for group in reversed(_group(messages)):
        fits = group if _count_tokens(group) <= left else _shorten(group, left) if not newest else None
        if fits is None:
            break
        newest = fits + newest
        left -= _count_tokens(fits)
    return newest


def _group(messages: Sequence[LLMMessage]) -> list[list[LLMMessage]]:
    groups: list[list[LLMMessage]] = []
    calling: AssistantMessage | None = None
    for message in messages:
        if isinstance(message, FunctionExecutionResultMessage):
            if calling is not None:
                groups.append([calling, message])
            calling = None
            continue
        calling = message if isinstance(message, AssistantMessage) and isinstance(message.content, list) else None
        if calling is None:
            groups.append([message])
    return groups


def _count_tokens(group: Sequence[LLMMessage]) -> int:
    return sum(estimate_message(message) for message in group)


def _shorten(group: list[LLMMessage], tokens_max: int) -> list[LLMMessage] | None:
    match group:
        case [UserMessage(content=str() as text, source=source)]:
            cut_text = cut(text, tokens_max - PER_MESSAGE)
            return [UserMessage(content=cut_text, source=source)] if cut_text else None
        case [AssistantMessage(content=str() as text, source=source)]:
            cut_text = cut(text, tokens_max - PER_MESSAGE)
            return [AssistantMessage(content=cut_text, source=source)] if cut_text else None
        case [AssistantMessage() as call, FunctionExecutionResultMessage() as results]:
            return _cut_results(call, results, tokens_max)
        case _:
            return None


def _cut_results(
    call: AssistantMessage, results: FunctionExecutionResultMessage, tokens_max: int
) -> list[LLMMessage] | None:
    share = (tokens_max - estimate_message(call)) // max(len(results.content), 1) - PER_MESSAGE
    if share <= 0:
        return None
    shortened = [
        FunctionExecutionResult(
            content=cut(result.content, share), name=result.name, call_id=result.call_id, is_error=result.is_error
        )
        for result in results.content
    ]
    return [call, FunctionExecutionResultMessage(content=shortened)]
