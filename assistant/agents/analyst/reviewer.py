"""The reviewer without a model: the deterministic checks, and plain reasons for failures.

It repairs nothing itself: code of the embedded analyst that fails would fail again. What the person edited can be put
right by the person, so that gets another proposal.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

from assistant.events import Decision, Diagnosis, Event, Execution, Finding, Language, Proposal, Review
from assistant.flow import current_turn

Check = Callable[[str, Language, Sequence[Event]], Awaitable[tuple[Finding, ...]]]
"""Looks at a cell: `assistant.agents.checks.check_cell`, with the session's sources."""


REFUSED_BY_HOST = "RequestRefused"
"""What a cell raises where the host declined its query: a source that went away, a limit, a text nobody approved."""


class EmbeddedReviewer:
    """Plays the reviewer with facts alone."""

    is_free = True
    """It costs nothing to ask it before it is known whether its work is wanted."""

    def __init__(self, *, check: Check) -> None:
        self._check = check

    async def review(self, log: Sequence[Event], proposal: Proposal, *, code: str, of_edit: bool) -> Review:
        """Judge by the deterministic checks."""
        found = await self._check(code, proposal.language, log)
        return Review(
            turn=proposal.turn,
            proposal=proposal.id,
            verdict=verdict(found, of_edit=of_edit),
            findings=found,
            of_edit=of_edit,
        )

    async def diagnose(self, log: Sequence[Event], execution: Execution) -> Diagnosis:
        """Say in plain words why a cell failed."""
        failure = execution.failure
        edited = any(
            isinstance(e, Decision) and e.ref == execution.id and e.action == "edit" for e in current_turn(log)
        )
        category: Literal["environment", "logic", "data"] = "logic"
        fix = "Edit the code and run it again." if edited else "Ask differently, or edit the code."
        if failure is None:
            cause = "The cell failed without saying why."
        else:
            match failure.kind:
                case "timeout" | "cpu":
                    category, cause = "data", f"It took too long and was stopped. {failure.message}"
                    fix = "Ask for fewer rows or a shorter period, or raise the limit in the settings."
                case "memory":
                    category, cause = "data", f"It needed more memory than a session may use. {failure.message}"
                    fix = "Ask for fewer rows or columns."
                case "interrupted":
                    category, cause = "environment", failure.message
                    fix = "Run it again if you still want it."
                case "busy":
                    category, cause = "environment", failure.message
                    fix = "Nothing of it has run. Ask again in a moment."
                case "killed" | "crashed":
                    category, cause = "environment", f"The kernel ended while it ran. {failure.message}"
                    fix = "What ran before is rebuilt when the next cell runs."
                case "raised" if failure.name in ("ModuleNotFoundError", "ImportError"):
                    category, cause = "environment", f"{failure.message}. That package is not in the kernel."
                    fix = (
                        "Use pandas, numpy, scipy, altair or matplotlib, which are. Or look at the package and add it "
                        "to this session: tandem packages add PACKAGE --session SESSION"
                    )
                case "raised" if failure.name == REFUSED_BY_HOST:
                    category, cause = "data", failure.message
                    fix = fix if edited else "The data page shows whether the source can be reached. Then ask again."
                case "raised" | "refused":
                    cause = f"{failure.name}: {failure.message}"
        return Diagnosis(
            turn=execution.turn, execution=execution.id, category=category, cause=cause, fix=fix, repairable=edited
        )


def verdict(findings: Sequence[Finding], *, of_edit: bool) -> Literal["ok", "concerns", "revise"]:
    """What findings amount to. Only an edit is sent back here: to the person, who can mend it."""
    levels = {finding.level for finding in findings}
    if "danger" in levels:
        return "revise" if of_edit else "concerns"
    return "concerns" if "warning" in levels else "ok"
