"""Words that go back to an earlier answer: "back", "undo that", "the one before", "show me the first answer again".

Only which answer is meant; what the answers were is known to whoever keeps them, as they are told in the log.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.embedded.words.lexicon import sentence_of, telling_stems
from assistant.embedded.words.vocabulary import NUMBER_WORDS, number_said

_N = r"(?P<n>\d+|" + "|".join(NUMBER_WORDS) + ")"
_LEAD = re.compile(
    r"^(?:(?:and|but|no|oh|ok|okay|sorry|oops|wait|hmm|well|please|now|then|just|actually|can (?:you|we|i)|could you|i (?:want|would like|need) to|let'?s|let me|see)\b[\s,.!]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?:[\s,]+(?:please|thanks|thank you|again|instead|now|then|once more|a step))+$", re.IGNORECASE)
_ANSWER = r"(?:answers?|results?|questions?|tables?|lists?|charts?|quer(?:y|ies)|figures?|numbers?|views?|versions?|ones?|report)"
_MOVE = r"(?:(?:go|step|take me|bring me|move|jump|get|come|switch|return|show|show me|give me|display|see|list|repeat|back|up|to)\b ?)*"
_BACK = re.compile(
    rf"(?:(?:go |step |take me |bring me |move |jump |get |come )?back(?: (?:one|a)(?: step| answer| question)?| to (?:that|it|before))?"
    rf"|{_MOVE}(?:the )?(?:{_ANSWER} )?(?:from )?before(?: (?:that|this|it|the last(?: one)?))?"
    rf"|{_MOVE}(?:the |my )?(?:previous|prior|preceding|last but one|former)(?: {_ANSWER})?"
    rf"|undo(?: (?:it|that|this|the last (?:one|change|step|edit|filter)|my last (?:change|step|edit)))?|revert(?: (?:it|that|this|back))?"
    rf"|(?:take|roll|turn|put) (?:it|that|this) back|forget (?:that|it|this|the last one)"
    rf"|(?:as|like|how|what|the way) (?:it was |we had |i had |you had )?(?:it )?before|(?:as|how|the way) it was)$",
    re.IGNORECASE,
)
_STEPS = re.compile(
    rf"(?:(?:go |step )?back (?:by )?{_N}(?: (?:steps?|answers?|questions?))?|{_N.replace('?P<n>', '?P<m>')} (?:steps?|answers?|questions?) (?:back|before|ago)|undo (?:the last )?{_N.replace('?P<n>', '?P<u>')}(?: (?:steps?|changes?))?)$",
    re.IGNORECASE,
)
_FIRST = re.compile(
    rf"{_MOVE}(?:the |my |our )?(?:very )?(?:first|original|initial) (?P<what>{_ANSWER})(?: (?:again|i asked|we had|you gave(?: me)?))?"
    r"|(?:go |take me |bring me )?back to (?:the )?(?:start|beginning|top|where (?:we|i) (?:started|began))$",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:(?:go|come|get|take me|bring me|switch|jump) back|back|return) to (?:the |our |my )?(?P<x>.+)$", re.IGNORECASE
)
_RETURNS = re.compile(r"\b(?:again|back|return|repeat)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Back:
    """Which earlier answer is meant: so many before the last one, the very first, or the one that goes by a name."""

    steps: int = 1
    first: bool = False
    named: str = ""

    def among(self, titles: Sequence[str]) -> int | None:
        """Its place among all answers, which are known by their questions and titles; None where it is not there.

        The last of them is the one that is gone back from.
        """
        if self.first:
            return 0 if titles else None
        if not self.named:
            return len(titles) - 1 - self.steps if len(titles) > self.steps else None
        said = telling_stems(self.named)
        named = {n: stems for n, title in enumerate(titles[:-1]) if said and said <= (stems := telling_stems(title))}
        return max(named, key=lambda n: (-len(named[n]), n)) if named else None


def back_of(question: str) -> Back | None:
    """Which earlier answer the words go back to; None where they go to none."""
    text = sentence_of(question)
    bare = _TAIL.sub("", _LEAD.sub("", text))
    if match := _STEPS.match(bare):
        steps = number_said(match["n"] or match["m"] or match["u"])
        return Back(steps=steps) if steps > 0 else None
    if _BACK.match(bare):
        return Back()
    if match := _FIRST.fullmatch(bare):
        row = match["what"] is not None and match["what"].lower() in ("one", "ones")
        return Back(first=True) if not row or _RETURNS.search(text) else None
    if match := _NAMED.match(bare):
        return Back(named=match["x"])
    return None
