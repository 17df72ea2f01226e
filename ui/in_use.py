"""A session in use: what the page knows of it beside its log."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from assistant.progress import Progress
from ui.ports.models import Disclosure
from ui.ports.session import Session
from ui.view_model import View


@dataclass(frozen=True, slots=True)
class Unasked:
    """A question that was not asked: why, and whether it was because of a file given with it.

    `disclosure` is what the person is to choose first: how much a model elsewhere may see.
    """

    question: str
    why: str
    because_of_file: bool
    disclosure: Disclosure | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doing:
    """Something that takes a while and is not in the log: what, for which question, with which files, since when."""

    what: str
    question: str
    files: tuple[str, ...]
    since: datetime


@dataclass(slots=True)
class InUse:
    """A session in use, with the view of its latest version and what the person has not sent yet."""

    session: Session
    view: View = field(default_factory=View)
    version: int = -1
    drafts: dict[str, str] = field(default_factory=dict[str, str])
    notices: list[str] = field(default_factory=list[str])
    unasked: Unasked | None = None
    under_way: list[Doing] = field(default_factory=list[Doing])
    work: concurrent.futures.Future[object] | None = None
    progress: Progress | None = None
    beside: list[str] = field(default_factory=list[str])
    changes: int = 0
    listeners: set[Callable[[], None]] = field(default_factory=set[Callable[[], None]])
    cage: concurrent.futures.Future[str] | None = None
    leans: dict[int, concurrent.futures.Future[bool]] = field(
        default_factory=dict[int, concurrent.futures.Future[bool]]
    )
