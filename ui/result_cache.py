"""Cache of what is drawn from results: rows, facts, charts and tables, kept for the next run of the page's script.

All sessions share it; each key begins with a session's id. Everything in it can be computed again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from assistant.api.session import Facts, Session, TableView
from ui.open_session import OpenSession
from ui.pending import Begin, result_so_far

T = TypeVar("T")

CHART_ROWS_MAX = 100_000
"""Rows that a chart, an order and a total are made of; beyond them the page says so."""
MADE_MAX = 96
"""Results, charts and facts kept in memory for redrawing."""


class ResultCache:
    """The least used is forgotten first.

    Args:
        begin: Starts a coroutine on the loop.
    """

    def __init__(self, begin: Begin[Any]) -> None:
        self._begin = begin
        self._made: OrderedDict[tuple[object, ...], Any] = OrderedDict()
        self._generation = 0
        self._lock = threading.Lock()

    def rows(self, session: Session, execution: str) -> TableView | None:
        """The rows of an execution's table that an answer is drawn from: many more than are listed."""
        return self.get_or_make(
            (session.id, execution, "rows"), lambda: session.table(execution, rows_max=CHART_ROWS_MAX)
        )

    def facts(self, opened: OpenSession, execution: str, *, wait_s: float = 2.0) -> Facts | None:
        """What is known of a result's figures; None while that is being found out, or where it cannot be."""
        session = opened.session
        future = self.get_or_make((session.id, execution, "facts"), lambda: self._begin(session.facts(execution)))
        facts: Facts | None = result_so_far(
            future, wait_s, pending=None, failed=None, description=f"what is known of {execution}"
        )
        if facts is None and not future.done():
            future.add_done_callback(lambda _done: opened.redraw())
        return facts

    def get_or_make(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What was made for this key, or is made now; what is made while all is forgotten is not kept."""
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
            generation = self._generation
        value = make()
        with self._lock:
            if generation == self._generation:
                self._made[key] = value
            while len(self._made) > MADE_MAX:
                self._made.popitem(last=False)
        return value

    def forget(self, session_id: str) -> None:
        """Forget what was made of one session."""
        with self._lock:
            for key in [key for key in self._made if key[0] == session_id]:
                del self._made[key]

    def clear(self) -> None:
        """Forget all: what may be shown is another."""
        with self._lock:
            self._generation += 1
            self._made.clear()
