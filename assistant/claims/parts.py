"""Sentences cut into parts, each with the names of rows set aside, so that "low priority" is no comparison. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from assistant.claims.claim import Relation
from assistant.claims.facts import TableFacts
from assistant.claims.words import load_words, lower, tokenize

SIGN = "§"
"""Stands for each letter of a name, so that places stay as they are."""
_END = re.compile(r"(?<=[.!?;])[*”\"')\]]*\s+|\n+")
_FRONTED_MAX = 6
RelationMatch = tuple[Relation, re.Match[str]]


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A part of a sentence."""

    text: str
    """The part as it is written."""
    masked: str
    """The part in lower case, its names set aside."""
    subject: str
    """What it speaks of where it names nothing."""
    counterpart: str
    """What it may compare with where it names nothing else."""
    previous: str = ""
    """The parts before, their names set aside."""

    def has(self, name: str) -> bool:
        """Whether a phrase of a list stands in it."""
        return load_words().patterns[name].search(self.masked) is not None

    def find(self, relation: str) -> re.Match[str] | None:
        """The first word of a relation."""
        words = load_words()
        listed = words.lists["before_figures"].split()
        for match in words.patterns[relation].finditer(self.masked):
            if match[0] not in listed or _is_figure_next(self.masked[match.end() :]):
                return match
        return None

    def without(self, start: int, end: int) -> SentencePart:
        """The part with a stretch left out."""
        return replace(self, masked=self.masked[:start] + " " * (end - start) + self.masked[end:])

    def has_name(self, text: slice) -> bool:
        """Whether a stretch names rows."""
        return SIGN in self.masked[text]


def _is_figure_next(masked: str) -> bool:
    """Whether a figure, a name or an average follows."""
    words = re.match(r"\s+(?:the\s+|a\s+|that of\s+|those of\s+)*([^\s,.;]+)", masked)
    if words is None:
        return False
    word = words[1]
    return (
        word[0] == SIGN
        or word[0].isdigit()
        or word in load_words().lists["numbers"]
        or word in ("all", "average", "mean")
    )


def split_sentences(text: str) -> list[str]:
    """The sentences of a text; a line of its own, as in a list, is one."""
    return [part.strip() for part in _END.split(text) if part.strip()]


def split_parts(text: str, facts: Sequence[TableFacts]) -> Iterator[tuple[str, str]]:
    """The parts of a sentence, each with its names set aside."""
    masked = list(lower(text))
    tokens = tokenize(text)
    for table in facts:
        for mention in table.find_mentions(tokens):
            masked[mention.start : mention.end] = SIGN * (mention.end - mention.start)
    hidden = "".join(masked)
    words = load_words().patterns
    cuts = [0]
    cuts += [
        match.start()
        for match in words["splits"].finditer(hidden)
        if not hidden[match.end() :].lstrip().startswith(SIGN)
        or match[0] != "but"
        or "," in hidden[: match.start()][-2:]
    ]
    cuts += [match.end() for match in re.finditer(r"[;:](?=\s)", hidden)]
    if words["concessions"].match(hidden) is not None:
        cuts += [match.end() for match in re.finditer(r",(?=\s)", hidden)][:1]
    cuts += [
        match.end()
        for match in re.finditer(r",\s+(?:and\s+)?|\s+and\s+", hidden)
        if _has_claim(before := hidden[max(c for c in cuts if c <= match.start()) : match.start()])
        and not _is_fronted(before)
        and _begins_anew(hidden[match.end() :])
    ]
    ellipsis = rf"(?<=\S),?\s+(?:and\s+|but\s+)?(?={SIGN}+\s+{words['ellipses'].pattern}\W*$)"
    cuts += [match.end() for match in re.finditer(ellipsis, hidden)]
    cuts = sorted({*cuts, len(text)})
    for start, end in pairwise(cuts):
        if hidden[start:end].strip(" ,.;:"):
            yield text[start:end], hidden[start:end]


def _is_fronted(masked: str) -> bool:
    """Whether it only says of what the rest speaks: "on most lines", "in the second half"."""
    words = masked.split()
    return 0 < len(words) <= _FRONTED_MAX and words[0] in load_words().lists["fronted"].split()


def _has_claim(masked: str) -> bool:
    patterns = load_words().patterns
    names = (
        "most",
        "least",
        "larger",
        "smaller",
        "rise",
        "fall",
        "steady",
        "equal",
        "beyond_chance",
        "within_chance",
        "cause",
    )
    return any(patterns[name].search(masked) for name in names)


def _begins_anew(masked: str) -> bool:
    """Whether what follows is a statement of its own, and does not only go on with a comparison."""
    head = re.split(r"[,;]", masked, maxsplit=1)[0]
    return _has_claim(head) and not re.match(r"\s*(?:ahead|behind|followed|more than|less than|fewer than)\b", masked)


def find_first(part: SentencePart, names: Sequence[Relation]) -> RelationMatch | None:
    """The first word of some relations, the longest where several begin there."""
    matches: list[RelationMatch] = [(name, match) for name in names if (match := part.find(name)) is not None]
    return min(matches, key=lambda pair: (pair[1].start(), -pair[1].end()), default=None)
