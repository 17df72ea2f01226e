"""Replaces personal values in every message to a model by placeholders, and puts them back in what it writes.

It compares values, not columns, so it covers every way into a prompt: rows, column names of a pivot, an index, the
text of an exception, the domain of a chart, a renamed column, and the person's own words. The log holds the values, so
that whoever reads it reads them; a placeholder is the same in every call of a session, as values are numbered in the
order in which its queries brought them up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from autogen_core.models import (
    AssistantMessage,
    FunctionExecutionResultMessage,
    LLMMessage,
    SystemMessage,
    UserMessage,
)

from assistant.agents.model.placeholders import name_placeholder
from assistant.agents.model.vocabulary import load_vocabulary
from assistant.core.turns import Turn
from assistant.query.personal import PersonalValue

_CHARS_MIN = 3
_GAP_MAX = 4
_WORD = re.compile(r"[^\W_]+")
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A value to look for, and what stands for it."""

    text: str
    words: Words
    placeholder: str


class Redaction:
    """Replaces personal values in texts by placeholders such as `‹player 1›`.

    A name that the person typed is replaced like any other, once a query has brought it up; of a name of several words
    also one word (`‹player 1: word 2›`), as in "what about Smith?".

    Args:
        values: The values, in the order in which they came up.
        typed: What the person has said.

    Attributes:
        values: What each placeholder stands for.
    """

    def __init__(self, values: Iterable[PersonalValue], *, typed: Iterable[str] = ()) -> None:
        self.values: dict[str, str] = {}
        self._known: dict[str, list[_Entry]] = {}
        typed_words = {word for text in typed for word in _split_words(text)}
        ordinary = load_vocabulary().ordinary
        numbers: Counter[str] = Counter()
        parts: set[str] = set()
        for value in values:
            words = _split_words(value.text)
            if sum(map(len, words)) < _CHARS_MIN:
                continue
            label = value.column.casefold()
            numbers[label] += 1
            placeholder = name_placeholder(label, numbers[label])
            self.values[placeholder] = value.text
            if not value.is_withheld:
                continue
            if not (len(words) == 1 and words[0] in typed_words and words[0].casefold() in ordinary):
                self._add(_Entry(text=value.text, words=words, placeholder=placeholder))
            for place, word in enumerate(words if len(words) > 1 else (), start=1):
                is_typed = word in typed_words or word.upper() in typed_words
                if not is_typed or word in parts or not _is_telling(word) or word.casefold() in ordinary:
                    continue
                parts.add(word)
                part = name_placeholder(label, numbers[label], word=place)
                self.values[part] = word
                self._add(_Entry(text=word, words=(word,), placeholder=part))
        for entries in self._known.values():
            entries.sort(key=lambda entry: len(entry.words), reverse=True)

    def _add(self, entry: _Entry) -> None:
        self._known.setdefault(entry.words[0].casefold(), []).append(entry)

    def __call__(self, text: str) -> str:
        """The text, with a placeholder for each value."""
        if not self._known:
            return text
        matches = list(_WORD.finditer(text))
        parts: list[str] = []
        end, place = 0, 0
        while place < len(matches):
            entry = self._find_entry(text, matches, place) if matches[place].start() >= end else None
            if entry is None:
                place += 1
                continue
            span = matches[place : place + len(entry.words)]
            start, stop = _find_exact_span(text, span, entry) or (span[0].start(), span[-1].end())
            parts += [text[end : max(start, end)], entry.placeholder]
            end = stop
            place += len(span)
        return "".join([*parts, text[end:]])

    def _find_entry(self, text: str, matches: Sequence[re.Match[str]], place: int) -> _Entry | None:
        """The value that begins with a word of a text: of several that are alike the longest, then as it is spelt."""
        entries = [
            entry
            for entry in self._known.get(matches[place][0].casefold(), ())
            if _has_entry(matches[place : place + len(entry.words)], entry)
        ]
        longest = [entry for entry in entries if len(entry.words) == len(entries[0].words)]
        exact = (e for e in longest if _find_exact_span(text, matches[place : place + len(e.words)], e))
        return next(exact, longest[0] if longest else None)


def _has_entry(span: Sequence[re.Match[str]], entry: _Entry) -> bool:
    if len(span) < len(entry.words) or any(b.start() - a.end() > _GAP_MAX for a, b in pairwise(span)):
        return False
    if len(span) == 1:
        # One word alone may be an everyday word: only as it is spelt in the data, or in capitals.
        return span[0][0] in (entry.words[0], entry.words[0].upper())
    return [match[0].casefold() for match in span] == [word.casefold() for word in entry.words]


def _find_exact_span(text: str, span: Sequence[re.Match[str]], entry: _Entry) -> tuple[int, int] | None:
    """Where a value stands in a text sign for sign, with the signs around its words; None where it does not."""
    lead = _WORD.search(entry.text)
    start = span[0].start() - (lead.start() if lead is not None else 0)
    end = start + len(entry.text)
    return (start, end) if start >= 0 and text[start:end] == entry.text else None


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


def list_typed_texts(turns: Iterable[Turn]) -> Iterator[str]:
    """What the person has said in turns, in words of their own."""
    for turn in turns:
        yield from (turn.question, *turn.replies)
        yield from (decision.reason for decision in turn.decisions if decision.by == "person")


def _split_words(text: str) -> Words:
    return tuple(_WORD.findall(text))


def _is_telling(word: str) -> bool:
    """Whether a word alone may be a name: long enough, and not in small letters."""
    return len(word) >= _CHARS_MIN and any(map(str.isalpha, word)) and not word.islower()
