"""The closed union of all events, with which a log is read, and the entry that wraps one.

An event that is not in `AnyEvent` cannot be stored; one that is not in `MESSAGES` cannot be sent in the group chat.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from assistant.core.events.answers import Answer, Disputed, Presented, Revoked, Verified, Withheld
from assistant.core.events.base import Event, Value
from assistant.core.events.calls import Looked, Usage
from assistant.core.events.conversation import (
    Failed,
    HistorySummarised,
    LessonDecided,
    PinChanged,
    Question,
    Resumed,
    SessionOpened,
    SessionRenamed,
    SourceAdded,
    Stopped,
)
from assistant.core.events.decisions import Decision, DecisionRequested, PolicyChanged, UncagedAccepted
from assistant.core.events.executions import Diagnosis, Execution, ExecutionStarted, KernelRestarted, StepSkipped
from assistant.core.events.functions import FunctionsKept, FunctionsProposed
from assistant.core.events.packages import PackageAdded, PackageProposed
from assistant.core.events.planning import Clarification, ClarificationAnswered, Judgement, Plan
from assistant.core.events.proposals import Proposal, Review

AnyEvent = Annotated[
    SessionOpened
    | SessionRenamed
    | SourceAdded
    | PolicyChanged
    | UncagedAccepted
    | PackageProposed
    | PackageAdded
    | FunctionsProposed
    | FunctionsKept
    | Question
    | Plan
    | Clarification
    | ClarificationAnswered
    | Proposal
    | Review
    | DecisionRequested
    | Decision
    | ExecutionStarted
    | Execution
    | StepSkipped
    | Diagnosis
    | Judgement
    | Answer
    | KernelRestarted
    | Stopped
    | Resumed
    | Failed
    | Withheld
    | Verified
    | Revoked
    | Presented
    | Disputed
    | HistorySummarised
    | PinChanged
    | LessonDecided
    | Looked
    | Usage,
    Field(discriminator="kind"),
]
MESSAGES: tuple[type[Event], ...] = (
    Question,
    ClarificationAnswered,
    Resumed,
    Plan,
    Clarification,
    Proposal,
    Review,
    PackageProposed,
    PackageAdded,
    FunctionsProposed,
    FunctionsKept,
    DecisionRequested,
    Decision,
    Execution,
    StepSkipped,
    Diagnosis,
    Judgement,
    Answer,
    Failed,
)
"""What the participants of the group chat say to each other."""


class Entry(Value):
    """An event in its place: `seq` counts from 1 without gaps, `at` is when it became durable (UTC)."""

    seq: int
    at: datetime
    event: AnyEvent
