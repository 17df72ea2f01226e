"""Claims that a model writes beside its text, as the type that is evaluated. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from assistant.claims.amounts import find_amounts
from assistant.claims.claim import Claim, ClaimAmount
from assistant.claims.words import load_words, lower

TypedRelation = Literal[
    "larger",
    "smaller",
    "equal",
    "most",
    "least",
    "share",
    "rise",
    "fall",
    "steady",
    "significance",
    "existence",
    "cause",
]


class ClaimReply(BaseModel):
    """What one sentence claims."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    relation: TypedRelation
    subject: str = Field(default="", description="Values of rows, as they stand there; empty for all.")
    counterpart: str = Field(default="", description="Values compared with; empty for all others.")
    measure: str = Field(default="", description="The column.")
    amount: str = Field(default="", description="As worded: twice, a third less, most.")
    negated: bool = False


def to_claim(reply: ClaimReply) -> Claim:
    """The claim as it is evaluated."""
    amounts = find_amounts(lower(f"{reply.amount} of it"))
    amount = amounts[0].amount if amounts else None
    if amount is not None and amount.kind == "share" and reply.relation != "share":
        amount = replace(amount, kind="change")  # "a third less"
    if amount is None and reply.relation == "equal":
        amount = ClaimAmount(kind="change", low=0, high=load_words().lists["equal_within"])
    sentence = " ".join(filter(None, (reply.subject, reply.relation, reply.amount, reply.counterpart, reply.measure)))
    return Claim(
        relation=reply.relation,
        sentence=sentence,
        subject=reply.subject,
        counterpart=reply.counterpart,
        measure=reply.measure,
        amount=amount,
        negated=reply.negated,
    )
