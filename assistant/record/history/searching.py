"""Full-text search of sessions: questions, answers, proposed code and result tables. Pure.

A turn whose content is withheld is not searched, so its values cannot be found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from assistant.core.events import Entry
from assistant.core.turns import fold_session

Place = Literal["question", "answer", "code", "table"]

KINDS = ("question", "answer", "proposal", "source_added")
"""The kinds of events in which words are looked for."""
_AROUND_CHARS = 60


def search_entries(entries: Sequence[Entry], query: str) -> tuple[SearchMatch, ...]:
    """Where all words of `query` stand together, each place once, in the order of the log.

    Args:
        entries: A session's log.
        query: The words, in any case.
    """
    words = query.casefold().split()
    matches: dict[tuple[int, Place], SearchMatch] = {}
    for turn, place, text in _list_texts(entries) if words else ():
        folded = text.casefold()
        if all(word in folded for word in words):
            matches.setdefault((turn, place), SearchMatch(turn=turn, place=place, excerpt=_excerpt(text, words[0])))
    return tuple(matches.values())


def _list_texts(entries: Sequence[Entry]) -> Iterator[tuple[int, Place, str]]:
    transcript = fold_session(entries)
    for turn in transcript.turns:
        yield turn.number, "question", turn.question
        for item in turn.proposals:
            yield turn.number, "code", item.proposal.code
        if turn.answer is not None:
            yield turn.number, "answer", turn.answer.text
    for source in transcript.sources:
        for table in source.tables:
            yield source.turn, "table", " ".join((table.name, *table.columns))


def _excerpt(text: str, word: str) -> str:
    """The text around a word, on one line."""
    flat = " ".join(text.split())
    at = max(flat.casefold().find(word), 0)
    start, end = max(at - _AROUND_CHARS, 0), at + len(word) + _AROUND_CHARS
    return ("…" if start else "") + flat[start:end].strip() + ("…" if end < len(flat) else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMatch:
    """Where a session holds the words that were looked for: the turn, in what, and the text around them."""

    turn: int
    place: Place
    excerpt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A session's pin and tags, and when it was deleted, while that can be undone."""

    pinned: bool = False
    tags: tuple[str, ...] = ()
    binned: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Binned:
    """A session that was deleted a while ago and can be brought back."""

    id: str
    title: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTitle:
    """A turn of a session: its number and its question."""

    n: int
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedIn:
    """A conversation whose answers rest on a document of the knowledge base."""

    session: str
    title: str
