"""A session's turns: the one fold of its log, from which everything is shown."""

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
