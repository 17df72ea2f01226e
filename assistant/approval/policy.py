"""What may run without asking, and why something must be asked about. Pure.

The policy only ever approves what it was allowed to (`PolicyChanged`), what the review found no fault with, and what
a real cage holds. It never rejects: where it may not approve, the person is asked, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.events import Approvable, Event, Plan, PolicyChanged, Proposal, Review

UNCAGED = "process"
"""The cage level that is none: Python never runs there by policy."""


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


def why_ask_about_plan(policy: Policy, plan: Plan) -> str | None:
    """The reason to put a plan before the person; None where it goes ahead.

    A plan of a single step goes ahead: the step's code is put before the person anyway.
    """
    if "plan" in policy.approve or len(plan.steps) <= 1:
        return None
    return "Is this the right plan?"


def why_ask_about_code(
    policy: Policy, proposal: Proposal, review: Review, *, cage: str, uncaged_accepted: bool
) -> str | None:
    """The reason to put code before the person; None where the policy approves it."""
    if cage == UNCAGED and not uncaged_accepted:
        return "Code cannot be caged on this machine. Run it without a cage, in this session?"
    faults = _faults(review)
    if faults:
        return faults[0]
    if proposal.language == "sql":
        return None if "query" in policy.approve else "Run this query?"
    if "python" not in policy.approve:
        return "Run this Python?"
    if cage == UNCAGED:
        return "This Python would run without a cage on this machine, so it is never approved automatically."
    return None


def why_doubt(review: Review) -> str | None:
    """The first fault that a review found; None where it found none."""
    return next(iter(_faults(review)), None)


def _faults(review: Review) -> Sequence[str]:
    serious = [finding.text for finding in review.findings if finding.level in ("warning", "danger")]
    if review.verdict != "ok" and not serious:
        return ("The reviewer has doubts about this code.",)
    return serious
