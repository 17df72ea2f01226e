"""The turns of a session, folded from its log: the base of every view."""

from assistant.core.turns import (
    ExchangeItem as ExchangeItem,
    FunctionsItem as FunctionsItem,
    Item as Item,
    NoticeItem as NoticeItem,
    PackageItem as PackageItem,
    PendingRequest as PendingRequest,
    Phase as Phase,
    PlanItem as PlanItem,
    ProposalItem as ProposalItem,
    Transcript as Transcript,
    Turn as Turn,
)
