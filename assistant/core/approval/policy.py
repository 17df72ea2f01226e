"""The approval policy: what runs without asking, and why something must be asked about. Pure.

The policy approves only what the person allowed (`PolicyChanged`), what the review found no fault with, and what runs
in a real cage. It never rejects: where it may not approve, the person is asked, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from assistant.core.events import Approvable, Event, Plan, PolicyChanged, Proposal, Review

UNCAGED = "process"
"""The cage level that is none: Python never runs there by policy."""

DecisionKind = Literal[
    "plan of one step",
    "plan of queries",
    "plan with Python",
    "query",
    "Python",
    "Python without a cage",
    "code in doubt",
    "package",
    "functions",
]
NEEDS: Mapping[DecisionKind, tuple[frozenset[Approvable], ...]] = {
    "plan of one step": (frozenset(),),  # nothing runs by it: its code is decided next
    "plan of queries": (frozenset({"plan"}), frozenset({"query"})),
    "plan with Python": (frozenset({"plan"}), frozenset({"query", "python"})),
    "query": (frozenset({"query"}),),
    "Python": (frozenset({"python"}),),
    "Python without a cage": (),
    "code in doubt": (),
    "package": (),
    "functions": (),
}
"""What the policy must have been allowed to approve a kind of decision: any of these sets. None: a person decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the person let the policy approve: plans, read-only queries, caged Python."""

    approve: frozenset[Approvable] = frozenset()

    @classmethod
    def of(cls, events: Iterable[Event], *, turn: int) -> Policy:
        """The policy that holds in a turn: what was last set for the session, and for the turn."""
        session: frozenset[Approvable] = frozenset()
        this_turn: frozenset[Approvable] = frozenset()
        for event in events:
            if isinstance(event, PolicyChanged):
                if event.turn == 0:
                    session = frozenset(event.approve)
                elif event.turn == turn:
                    this_turn = frozenset(event.approve)
        return cls(approve=session | this_turn)

    def approves(self, kind: DecisionKind) -> bool:
        """Whether a decision of this kind is taken without asking."""
        return any(needed <= self.approve for needed in NEEDS[kind])


def classify_plan(plan: Plan) -> DecisionKind:
    """What kind of decision a plan asks for."""
    if len(plan.steps) <= 1:
        return "plan of one step"
    return "plan of queries" if all(step.language == "sql" for step in plan.steps) else "plan with Python"


def why_ask_about_plan(policy: Policy, plan: Plan) -> str | None:
    """The reason to put a plan before the person; None where it goes ahead."""
    return None if policy.approves(classify_plan(plan)) else "Is this the right plan?"


def why_ask_about_code(
    policy: Policy, proposal: Proposal, review: Review, *, cage: str, uncaged_accepted: bool
) -> str | None:
    """The reason to put code before the person; None where the policy approves it."""
    # First, and whatever the policy allows: without a cage nothing runs before the person agreed to that.
    if cage == UNCAGED and not uncaged_accepted:
        return "Code cannot be caged on this machine. Run it without a cage, in this session?"
    doubt = why_doubt(review)
    if doubt is not None and not policy.approves("code in doubt"):
        return doubt
    if proposal.language == "sql":
        return None if policy.approves("query") else "Run this query?"
    if not policy.approves("Python"):
        return "Run this Python?"
    if cage == UNCAGED and not policy.approves("Python without a cage"):
        return "This Python would run without a cage on this machine, so it is never approved automatically."
    return None


def why_doubt(review: Review) -> str | None:
    """The first fault that a review found; None where it found none."""
    serious = next((finding.text for finding in review.findings if finding.level in ("warning", "danger")), None)
    return "The reviewer has doubts about this code." if serious is None and review.verdict != "ok" else serious
