"""Events of the conversation: a session, its name and sources, its turns from question to end, their summary."""

from __future__ import annotations

from typing import Literal

from assistant.core.doubts import Doubt
from assistant.core.events.base import Event, Value


class TableSummary(Value):
    """A table of a source, as the person is shown it. `part_of` is the table whose partition it is.

    `at` says where a table of several sources is that are asked together: its source, its schema there or "", its name.
    `file` is the file that it was read from.
    """

    name: str
    rows: int | None = None
    columns: tuple[str, ...] = ()
    part_of: str | None = None
    at: tuple[str, ...] = ()
    file: str = ""


class SessionOpened(Event):
    """A session began. `by` is who began it, as the settings name them; empty where nobody is known."""

    kind: Literal["session_opened"] = "session_opened"
    by: str = ""


class SessionRenamed(Event):
    """The person gave the session a name."""

    kind: Literal["session_renamed"] = "session_renamed"
    title: str


class SourceAdded(Event):
    """A source joined the session, or was read anew because its files changed.

    `display` never holds a password; `notes` say what was guessed while loading, the sentences of `doubts` among them;
    `as_of` is when its files were last changed, empty for a server.
    """

    kind: Literal["source_added"] = "source_added"
    name: str
    dialect: str
    display: str
    tables: tuple[TableSummary, ...] = ()
    notes: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    as_of: str = ""


class Question(Event):
    """What the person asked. `meaning` is what it means, as JSON, where the person put it together from chips."""

    kind: Literal["question"] = "question"
    text: str
    files: tuple[str, ...] = ()
    meaning: str = ""


class Stopped(Event):
    """The turn was stopped before its end: by the person, or because the program itself ended."""

    kind: Literal["stopped"] = "stopped"
    by: Literal["person", "restart"] = "person"


class Resumed(Event):
    """A stopped turn goes on where its log ends."""

    kind: Literal["resumed"] = "resumed"


class Failed(Event):
    """The turn ended by a fault of ours or of a model. `kept` says what is kept, `next_action` what to do."""

    kind: Literal["failed"] = "failed"
    message: str
    kept: str = "Everything up to here is kept."
    next_action: str = "Ask again, or ask differently."


PinScope = Literal["result", "conversation", "data", "always"]
"""What something that the person said holds for: one result, this conversation, this data, or everything they ask."""


class PinChanged(Event):
    """The person changed what something that they said holds for, or dropped it.

    `pin` is its id (`assistant.record.memory.pins`); `file` is where it is kept as knowledge, empty where it is not.
    """

    kind: Literal["pin_changed"] = "pin_changed"
    pin: str
    scope: PinScope | Literal["dropped"]
    file: str = ""


class LessonDecided(Event):
    """The person kept what a repaired failure showed, or dropped it. `lesson` is its id, `file` where it is kept."""

    kind: Literal["lesson_decided"] = "lesson_decided"
    lesson: str
    action: Literal["keep", "drop"]
    file: str = ""


class HistorySummarised(Event):
    """The planner's model summarised the turns up to `upto`; the text stands for them in later prompts."""

    kind: Literal["history_summarised"] = "history_summarised"
    upto: int
    text: str
