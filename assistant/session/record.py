"""Read access to a session: its log, and the tables and charts that the log names. Nothing here changes it.

Safe from any thread. `session` adds what changes a session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from assistant.cells.charts import find_chart
from assistant.cells.tables import TableView, find_execution, read_table
from assistant.core.events import Entry
from assistant.core.turns import Transcript
from assistant.record.store.database import shorten_title

if TYPE_CHECKING:
    from assistant.core.flow import State
    from assistant.record.store.log import EventLog
    from assistant.session.runs.runs import Runs


class Record:
    """The readable half of a session.

    Args:
        session_id: The session.
        log: Its events.
        folder: Where its tables are.
        runs: What runs on it.
    """

    def __init__(
        self,
        session_id: str,
        *,
        log: EventLog,
        folder: Path,
        runs: Runs,
    ) -> None:
        self.id = session_id
        self._log = log
        self._folder = folder
        self._runs = runs

    @property
    def title(self) -> str:
        """What the person named it, or its first question.

        Callers: The owner.
        """
        return self.transcript.name or shorten_title(self.transcript.title)

    @property
    def transcript(self) -> Transcript:
        """The session's turns, folded from its log. To be read, not changed.

        Callers: The owner.
        """
        return self._log.transcript

    @property
    def state(self) -> State:
        """Whether it is idle, at work, or waiting for the person.

        Callers: The owner.
        """
        return self._runs.state

    @property
    def damage(self) -> str:
        """That its log is damaged and where, in words; empty where it is whole. A damaged session is only read.

        Callers: The owner.
        """
        return self._runs.damage

    @property
    def version(self) -> int:
        """A number that grows with every visible change.

        Callers: The owner.
        """
        return self._log.version

    @property
    def partial(self) -> Mapping[str, str]:
        """Text that participants are still writing, by participant.

        Callers: The owner.
        """
        return self._log.partial

    @property
    def fault(self) -> str:
        """Why the end of the last run could not be written (a full disk), in words; empty where it could.

        Callers: The owner.
        """
        return self._runs.fault

    def events(self, after: int = 0) -> tuple[Entry, ...]:
        """The entries of the log with a place above `after`.

        Callers: The owner.
        """
        return self._log.entries[after:]

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each visible change, from any thread; the result unsubscribes.

        Callers: The owner.
        """
        return self._log.subscribe(callback)

    def table(self, execution: str, *, rows_max: int = 1000) -> TableView | None:
        """The table that an execution gave, at most `rows_max` rows of it. Reads a file: call it from a thread.

        Callers: The owner.
        """
        execution_event = find_execution(self._log.events, execution)
        return (
            None
            if execution_event is None
            else read_table(execution_event, folder=self._folder / "data", rows_max=rows_max)
        )

    def chart(self, execution: str) -> dict[str, JsonValue] | None:
        """The Vega-Lite chart that an execution gave, if it gave one that is safe to draw.

        Callers: The owner.
        """
        execution_event = find_execution(self._log.events, execution)
        return None if execution_event is None else find_chart(execution_event)
