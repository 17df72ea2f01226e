"""Replaces personal values in every message to a model by placeholders, and puts them back in what it writes.

It compares values, not columns, so it covers every way into a prompt: rows, column names of a pivot, an index, the
text of an exception, the domain of a chart, a renamed column, free text, and the person's own words, whatever the case
and the order of the words. The log holds the values, so that whoever reads it reads them; a placeholder is the same in
every call of a session, as values are numbered in the order in which the person and the queries brought them up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autogen_core.models import (
    AssistantMessage,
    FunctionExecutionResultMessage,
    LLMMessage,
    SystemMessage,
    UserMessage,
)

from assistant.agents.model.placeholders import HIDDEN, name_placeholder
from assistant.agents.model.value_index import (
    CHARS_MIN,
    ValueIndex,
    ValueMatch,
    choose_matches,
    fold_word,
    list_everyday_words,
    split_words,
)
from assistant.core.turns import Turn
from assistant.query.personal import PersonalValue


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A value to look for, and what stands for it."""

    text: str
    placeholder: str


class Redaction:
    """Replaces personal values in texts by placeholders such as `‹player 1›`.

    Of a name of several words also one word is replaced that the person typed (`‹player 1: word 2›`), as in "what about
    Smith?".

    Args:
        values: The values, in the order in which they came up.
        typed: What the person has said.
        stored: The values that the sources hold; those that did not come up yet are `‹other player 1›`.
        is_anonymous: Whether values that did not come up yet get no placeholder of their own, but all the same sign.

    Attributes:
        values: What each placeholder stands for.
    """

    def __init__(
        self,
        values: Iterable[PersonalValue],
        *,
        typed: Iterable[str] = (),
        stored: ValueIndex[PersonalValue] | None = None,
        is_anonymous: bool = False,
    ) -> None:
        self.values: dict[str, str] = {}
        self._stored = stored
        self._is_anonymous = is_anonymous
        self._others: dict[str, str] = {}
        plain: frozenset[str] = stored.plain if stored is not None else frozenset()
        self._known: ValueIndex[_Entry] = ValueIndex((), plain=plain)
        typed_words = {word for text in typed for word in split_words(text)}
        typed_folded = {fold_word(word) for word in typed_words}
        self._numbers: Counter[str] = Counter()
        parts: set[str] = set()
        for value in values:
            words = split_words(value.text)
            if sum(map(len, words)) < CHARS_MIN:
                continue
            label = value.column.casefold()
            self._numbers[label] += 1
            placeholder = name_placeholder(label, self._numbers[label])
            self.values[placeholder] = value.text
            if not value.is_withheld:
                continue
            if not (len(words) == 1 and words[0] in typed_words and fold_word(words[0]) in list_everyday_words()):
                self._known.add(_Entry(text=value.text, placeholder=placeholder))
            for place, word in enumerate(words if len(words) > 1 else (), start=1):
                folded = fold_word(word)
                if folded not in typed_folded or folded in parts or not _is_telling(word, folded, plain):
                    continue
                parts.add(folded)
                part = name_placeholder(label, self._numbers[label], word=place)
                self.values[part] = word
                self._known.add(_Entry(text=word, placeholder=part))

    def __bool__(self) -> bool:
        """Whether there is anything that may have to be replaced."""
        return bool(self.values or self._stored)

    def __call__(self, text: str) -> str:
        """The text, with a placeholder for each value."""
        matches: list[ValueMatch[_Entry] | ValueMatch[PersonalValue]] = [*self._known.find_matches(text)]
        if self._stored is not None:
            matches += self._stored.find_matches(text)
        parts: list[str] = []
        end = 0
        for match in choose_matches(text, matches):
            parts += [text[end : max(match.start, end)], self._name(match, text)]
            end = match.stop
        return "".join([*parts, text[end:]])

    def _name(self, match: ValueMatch[_Entry] | ValueMatch[PersonalValue], text: str) -> str:
        """The placeholder of a match; a value that did not come up yet gets one."""
        if isinstance(match.value, _Entry):
            return match.value.placeholder
        value = match.value
        if self._is_anonymous:
            return HIDDEN
        if value.text not in self._others:
            label = f"other {value.column.casefold()}"
            self._numbers[label] += 1
            placeholder = self._others[value.text] = name_placeholder(label, self._numbers[label])
            # How a masked value is spelt in the data is told to nobody: it stays as it is written here.
            self.values[placeholder] = text[match.start : match.stop] if value.is_masked else value.text
        return self._others[value.text]


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
    return (text for turn in turns for text in turn.list_inputs() if isinstance(text, str))


def _is_telling(word: str, folded: str, plain: frozenset[str]) -> bool:
    """Whether a word alone may be a name: long enough, and neither an everyday word nor a name of a column."""
    is_name = len(word) >= CHARS_MIN and any(map(str.isalpha, word)) and not word.islower()
    return is_name and folded not in plain and folded not in list_everyday_words()
