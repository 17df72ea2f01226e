"""Events of approval: requests to the person, decisions, and changes of the policy.

A policy is a set of what needs no approval; its levels are the three that a person can choose.
"""

from __future__ import annotations

from typing import Literal

from assistant.core.events.base import Event
from assistant.core.events.planning import Step

Approvable = Literal["plan", "query", "python"]
Subject = Literal["plan", "code", "package", "functions"]
PolicyLevel = Literal["ask", "queries", "python"]
POLICIES: dict[PolicyLevel, tuple[Approvable, ...]] = {
    "ask": (),
    "queries": ("query",),
    "python": ("python", "query"),
}
"""What each level lets go ahead without asking, the strictest first. What that comes to for each kind of decision is
`assistant.core.approval.policy.NEEDS`: a plan, for instance, starts where each of its steps may run."""

POLICY_SENTENCES: dict[PolicyLevel, str] = {
    "ask": "Ask me before anything runs",
    "queries": "Run read-only queries that pass all checks, and start plans of queries alone",
    "python": "Run queries and caged Python that pass all checks, and start every plan",
}
"""What a person chooses from. `tests/assistant/core/approval/test_policy_words.py` holds words and deeds together."""


class PolicyChanged(Event):
    """What the policy may approve without asking. In turn 0 it holds for the session, else for that turn."""

    kind: Literal["policy_changed"] = "policy_changed"
    approve: tuple[Approvable, ...] = ()


class UncagedAccepted(Event):
    """The person agreed that code of this session may run without a cage on this machine."""

    kind: Literal["uncaged_accepted"] = "uncaged_accepted"


class DecisionRequested(Event):
    """The run ends here until the person decides. `ref` is the id of the plan, the proposal, the proposed package or
    functions; `code` is an edit that waits."""

    kind: Literal["decision_requested"] = "decision_requested"
    id: str
    subject: Subject
    ref: str
    reason: str = ""
    code: str | None = None


class Decision(Event):
    """What was decided, by whom. An edit carries the final code or steps; `sha256` binds the bytes of approved code, or
    an approved package's files or functions, `cells` the code that was approved together with a plan. `typed` is a
    package's name as the person typed it out."""

    kind: Literal["decision"] = "decision"
    request: str
    subject: Subject
    ref: str
    action: Literal["approve", "edit", "reject"]
    by: Literal["person", "policy"]
    code: str | None = None
    steps: tuple[Step, ...] | None = None
    reason: str = ""
    sha256: str = ""
    cells: tuple[str, ...] = ()
    typed: str = ""
