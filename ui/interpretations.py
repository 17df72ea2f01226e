"""Cache of the interpretation of each turn as chips, and of the changes that the person has not run yet.

Interpretations are computed in the background and cached. A change of a chip is a new value, computed at once. Nothing
is drawn here.
"""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from assistant.api.interpretation import Interpretation, InterpretationError
from assistant.api.session import Session
from assistant.api.turns import Turn
from ui.pending import Begin, result_so_far

T = TypeVar("T")

NEW = 0
"""The number of the query that is built from empty chips, in the place of a turn's."""

Edit = Callable[[Interpretation], Interpretation]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipDraft:
    """Chips that the person changed: what they were, what they are, and why the last change was not possible."""

    base: Interpretation
    current: Interpretation
    problem: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to run that is not computed already."""
        return self.current.query != self.base.query


class Interpretations:
    """Of one session. Safe from any thread.

    Args:
        session: The session.
        begin: Starts a coroutine on the loop.
        changed: Has the page drawn again.
    """

    def __init__(self, session: Session, begin: Begin[Any], changed: Callable[[], None]) -> None:
        self._session = session
        self._begin = begin
        self._changed = changed
        self._made: dict[object, concurrent.futures.Future[Any]] = {}
        self._drafts: dict[tuple[int, ...], ChipDraft] = {}

    def of(self, turn: Turn, *, wait_s: float = 0.2) -> Interpretation | None:
        """What a turn computes; None where that is not known, or not yet."""
        result = self._result(turn, wait_s)
        return None if isinstance(result, str) else result

    def why_none(self, turn: Turn) -> str:
        """Why chips cannot show what a turn computes; empty where they do, or where that is not known yet."""
        result = self._result(turn, wait_s=0)
        return result if isinstance(result, str) else ""

    def _result(self, turn: Turn, wait_s: float) -> Interpretation | str | None:
        codes = tuple(item.code for item in turn.proposals)
        key = (turn.number, turn.meaning, len(turn.plans), codes, *self._data_state())
        return self._so_far(key, lambda: self._interpretation(turn.number), wait_s)

    async def _interpretation(self, number: int) -> Interpretation | str | None:
        try:
            return await self._session.interpretation(number)
        except InterpretationError as error:
            return str(error)

    def is_ready(self, turn: Turn) -> bool:
        """Whether it is known what a turn computes, or that chips cannot show it."""
        return self._result(turn, wait_s=0) is not None

    def empty(self, *, wait_s: float = 0.2) -> tuple[Interpretation, ...]:
        """Empty chips for each source; none where there is no data, or while it is read."""
        key = ("empty", *self._data_state())
        return self._so_far(key, self._session.empty_interpretations, wait_s) or ()

    def differences(self, request: str, *, wait_s: float = 0.2) -> tuple[str, ...]:
        """What tells the options of the question back that waits apart, in chips; none where only sentences do."""
        return self._so_far(("differences", request), self._session.differences, wait_s) or ()

    # --- changes ---

    def draft(self, number: int) -> ChipDraft | None:
        """What the person changed of a turn's chips; None where nothing is changed."""
        return self._drafts.get(self._key(number))

    def edit(self, number: int, base: Interpretation, edit: Edit) -> ChipDraft:
        """Change the chips of a turn; where that is not possible they stay, and the reason is kept."""
        draft = self.draft(number) or ChipDraft(base=base, current=base)
        try:
            draft = ChipDraft(base=draft.base, current=edit(draft.current))
        except InterpretationError as error:
            draft = ChipDraft(base=draft.base, current=draft.current, problem=str(error))
        self._drafts[self._key(number)] = draft
        return draft

    def discard(self, number: int) -> None:
        """Forget what was changed."""
        self._drafts.pop(self._key(number), None)

    def _key(self, number: int) -> tuple[int, ...]:
        """Of a turn's draft: its choices hold values of the data, so it ends with what may be seen of the data."""
        return (number, *self._data_state())

    def _data_state(self) -> tuple[int, int]:
        """Changes when the session's data is read anew, or something of it is withheld."""
        view = self._session.transcript
        return view.source_reads, view.withheld

    def _so_far(self, key: object, make: Callable[[], Any], wait_s: float) -> Any:
        future = self._made.get(key)
        if future is None:
            future = self._made[key] = self._begin(make())
        result = result_so_far(
            future, wait_s, pending=None, failed=None, description=f"the chips of session {self._session.id}"
        )
        if result is None and wait_s and not future.done():
            future.add_done_callback(lambda _done: self._changed())
        return result
