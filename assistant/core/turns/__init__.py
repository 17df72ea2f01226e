"""A session's turns, folded from its events: the one reading of the log that everything else reads.

A turn holds its question, its plan as decided, its proposals with what became of each, what is due or waits for the
person, and how it ended. Pure and total: any sequence of events gives a `Transcript`, and one that is read after a
restart equals one that saw it all happen. The order of speakers is `assistant.core.flow`; nothing is drawn or decided
here.

Everybody imports the fold from here. `items` are the parts of a turn, `turn` and `transcript` hold them and what the
cells left in the kernel, `fold` reads the events, and `telling` puts single events in words.
"""

from __future__ import annotations

from assistant.core.turns.event_descriptions import EventTeller
from assistant.core.turns.fold import current_turn, fold_events, fold_session, fold_turn, turn_before_clarification
from assistant.core.turns.items import (
    End,
    ExchangeItem,
    FunctionsItem,
    Item,
    Moment,
    NoticeItem,
    Outcome,
    PackageItem,
    Pending,
    PendingRequest,
    Phase,
    PlanItem,
    ProposalItem,
    Stage,
)
from assistant.core.turns.transcript import KernelContents, Transcript
from assistant.core.turns.turn import Turn

__all__ = [
    "End",
    "EventTeller",
    "ExchangeItem",
    "FunctionsItem",
    "Item",
    "KernelContents",
    "Moment",
    "NoticeItem",
    "Outcome",
    "PackageItem",
    "Pending",
    "PendingRequest",
    "Phase",
    "PlanItem",
    "ProposalItem",
    "Stage",
    "Transcript",
    "Turn",
    "current_turn",
    "fold_events",
    "fold_session",
    "fold_turn",
    "turn_before_clarification",
]
