"""The events of a session: the single history that the page draws, memory recalls and the notebook exports.

Every event is a frozen pydantic model with a `kind` literal. Those that the participants say to each other travel
through the AutoGen group chat as `StructuredMessage[...]` (`MESSAGES`); the others only stand in the log. This package
holds values and no behaviour: who speaks next is `assistant.core.flow`, where events are kept is
`assistant.record.store`.

Ids read as places: a turn is 1, 2, 3; a proposal `2.1.3` is turn 2, step 1, third version; its execution has the same
id, because a proposal is executed at most once.

Everybody imports events from here. Its modules are one for each kind of event; `registry` names them all.
"""

from __future__ import annotations

from assistant.core.events.answers import (
    Answer,
    Appearance,
    ChartKind,
    Disputed,
    Presented,
    Revoked,
    Verified,
    Withheld,
)
from assistant.core.events.base import Citation, Event, Language, Role, Trust, Value
from assistant.core.events.calls import Looked, Usage
from assistant.core.events.conversation import (
    Failed,
    HistorySummarised,
    LessonDecided,
    PinChanged,
    PinScope,
    Question,
    Resumed,
    SessionOpened,
    SessionRenamed,
    SourceAdded,
    Stopped,
    TableSummary,
)
from assistant.core.events.decisions import (
    POLICIES,
    POLICY_SENTENCES,
    Approvable,
    Decision,
    DecisionRequested,
    PolicyChanged,
    PolicyLevel,
    Subject,
    UncagedAccepted,
)
from assistant.core.events.executions import (
    Check,
    Diagnosis,
    Execution,
    ExecutionStarted,
    Failure,
    KernelRestarted,
    QueryRun,
    StepSkipped,
    Variable,
)
from assistant.core.events.functions import (
    FaultCategory,
    FunctionRepair,
    FunctionsKept,
    FunctionsProposed,
    FunctionTest,
    FunctionTestDoubt,
    WrittenFunction,
)
from assistant.core.events.packages import PackageAdded, PackageProposed, PackageWheel
from assistant.core.events.planning import Cell, Clarification, ClarificationAnswered, Fact, Judgement, Plan, Step
from assistant.core.events.proposals import Finding, FunctionSource, PlannedCheck, Proposal, Query, Review
from assistant.core.events.registry import MESSAGES, AnyEvent, Entry

__all__ = [
    "MESSAGES",
    "POLICIES",
    "POLICY_SENTENCES",
    "Answer",
    "AnyEvent",
    "Appearance",
    "Approvable",
    "Cell",
    "ChartKind",
    "Check",
    "Citation",
    "Clarification",
    "ClarificationAnswered",
    "Decision",
    "DecisionRequested",
    "Diagnosis",
    "Disputed",
    "Entry",
    "Event",
    "Execution",
    "ExecutionStarted",
    "Fact",
    "Failed",
    "Failure",
    "FaultCategory",
    "Finding",
    "FunctionRepair",
    "FunctionSource",
    "FunctionTest",
    "FunctionTestDoubt",
    "FunctionsKept",
    "FunctionsProposed",
    "HistorySummarised",
    "Judgement",
    "KernelRestarted",
    "Language",
    "LessonDecided",
    "Looked",
    "PackageAdded",
    "PackageProposed",
    "PackageWheel",
    "PinChanged",
    "PinScope",
    "Plan",
    "PlannedCheck",
    "PolicyChanged",
    "PolicyLevel",
    "Presented",
    "Proposal",
    "Query",
    "QueryRun",
    "Question",
    "Resumed",
    "Review",
    "Revoked",
    "Role",
    "SessionOpened",
    "SessionRenamed",
    "SourceAdded",
    "Step",
    "StepSkipped",
    "Stopped",
    "Subject",
    "TableSummary",
    "Trust",
    "UncagedAccepted",
    "Usage",
    "Value",
    "Variable",
    "Verified",
    "Withheld",
    "WrittenFunction",
]
