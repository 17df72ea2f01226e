"""Values for the page of questions. The page imports this module and no other of this package."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Place = Literal["question", "answer", "code", "table"]


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
