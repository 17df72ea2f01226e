"""A reply to a question back: which of the options it chooses, or none; and going back to an earlier answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rapidfuzz import fuzz, process

from assistant.analyst.dialogue.cues import is_phrase, spoken
from assistant.analyst.linking.tokens import words

Back = Literal["before", "first", ""]
_PLACES = ("first", "second", "third", "fourth")
_SURE = 80
_CLEAR = 8


def chosen(reply: str, options: Sequence[str]) -> int | None:
    """The place of the option that a reply chooses: by its words, by its number, or by a part of it alone."""
    plain = reply.strip().casefold()
    exact = next((i for i, option in enumerate(options) if option.casefold() == plain), None)
    if exact is not None:
        return exact
    said = spoken(words(reply))
    numbered = next((i for i, place in enumerate(_PLACES[: len(options)]) if is_phrase(said, "replies", place)), None)
    return numbered if numbered is not None else _nearest(plain, options)


def _nearest(reply: str, options: Sequence[str]) -> int | None:
    """The only option that the reply is near to."""
    if len(reply) < 3:
        return None
    found = process.extract(reply, [o.casefold() for o in options], scorer=fuzz.partial_token_ratio, limit=None)
    best = sorted(found, key=lambda item: -item[1])
    scores = [fuzz.ratio(reply, option) for option, _, _ in best]
    clear = len(best) == 1 or best[0][1] - best[1][1] >= _CLEAR or scores[0] - scores[1] >= 2 * _CLEAR
    return best[0][2] if best and best[0][1] >= _SURE and clear else None


def says_none(reply: str) -> bool:
    """Whether none of the options is meant."""
    return is_phrase(spoken(words(reply)), "replies", "none")


def goes_back(question: str) -> Back:
    """Which earlier answer a question asks for: the one before the last, or the first of all; empty for none."""
    said = spoken(words(question))
    return "before" if is_phrase(said, "back", "before") else "first" if is_phrase(said, "back", "first") else ""
