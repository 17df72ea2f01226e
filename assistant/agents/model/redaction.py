"""Replaces personal values in every message to a model.

It compares values, not columns, so it covers every way into a prompt: rows, column names of a pivot, an index, the
text of an exception, the domain of a chart, a renamed column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from autogen_core.models import (
    AssistantMessage,
    FunctionExecutionResultMessage,
    LLMMessage,
    SystemMessage,
    UserMessage,
)

from assistant.core.events import Event
from assistant.core.turns import fold_events

REPLACEMENT = "•••"
_CHARS_MIN = 3
_GAP_MAX = 4
_WORD = re.compile(r"[^\W_]+")
Words = tuple[str, ...]


class Redaction:
    """Replaces personal values in texts.

    Args:
        values: The values.
        typed: What the person has said; a value that stands in it is not replaced.
    """

    def __init__(self, values: Iterable[str], *, typed: Iterable[str] = ()) -> None:
        typed_words = [_split_words(text) for text in typed]
        self._known: dict[str, list[Words]] = {}
        for value in values:
            words = _split_words(value)
            if sum(map(len, words)) < _CHARS_MIN or any(_has_words(text, words) for text in typed_words):
                continue
            first = words[0].casefold()
            self._known.setdefault(first, []).append(words)
        for word_lists in self._known.values():
            word_lists.sort(key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """The text, with `•••` for each value."""
        if not self._known:
            return text
        matches = list(_WORD.finditer(text))
        parts: list[str] = []
        end, place = 0, 0
        while place < len(matches):
            length = self._match_length(matches, place)
            if length:
                parts += [text[end : matches[place].start()], REPLACEMENT]
                end = matches[place + length - 1].end()
            place += max(length, 1)
        return "".join([*parts, text[end:]])

    def _match_length(self, matches: Sequence[re.Match[str]], place: int) -> int:
        for words in self._known.get(matches[place][0].casefold(), ()):
            span = matches[place : place + len(words)]
            if len(span) < len(words):
                continue
            if any(b.start() - a.end() > _GAP_MAX for a, b in pairwise(span)):
                continue
            span_words = tuple(match[0] for match in span)
            if len(words) == 1:
                # One word alone may be an everyday word: only as it is spelt in the data, or in capitals.
                if span_words[0] in (words[0], words[0].upper()):
                    return 1
            elif [word.casefold() for word in span_words] == [word.casefold() for word in words]:
                return len(words)
        return 0


def redact_messages(messages: Iterable[LLMMessage], redaction: Redaction) -> list[LLMMessage]:
    """The messages as they may go out; what the program itself instructs with stays as it is."""
    return [_redact_message(message, redaction) for message in messages]


def _redact_message(message: LLMMessage, redaction: Redaction) -> LLMMessage:
    match message:
        case SystemMessage():
            return message
        case UserMessage(content=str() as text):
            return message.model_copy(update={"content": redaction(text)})
        case UserMessage(content=parts):
            return message.model_copy(update={"content": [redaction(p) if isinstance(p, str) else p for p in parts]})
        case FunctionExecutionResultMessage(content=results):
            redacted_results = [result.model_copy(update={"content": redaction(result.content)}) for result in results]
            return message.model_copy(update={"content": redacted_results})
        case AssistantMessage():
            return message  # the model's own words


def list_typed_texts(log: Iterable[Event]) -> Iterator[str]:
    """What the person has said in a session, in words of their own."""
    for turn in fold_events(log).turns:
        yield from (turn.question, *turn.replies)
        yield from (decision.reason for decision in turn.decisions if decision.by == "person")


def _split_words(text: str) -> Words:
    return tuple(_WORD.findall(text))


def _has_words(text: Words, words: Words) -> bool:
    folded = [word.casefold() for word in text]
    folded_words = [word.casefold() for word in words]
    return any(folded[n : n + len(folded_words)] == folded_words for n in range(len(folded) - len(folded_words) + 1))
