"""The reviewer without a model: the deterministic checks, and plain reasons for failures.

It repairs nothing itself: code of the embedded analyst that fails would fail again. What the person edited can be put
right by the person, so that gets another proposal.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from assistant.core.events import Diagnosis, Event, Execution, Finding, Language, Proposal, Review
from assistant.core.turns import current_turn

Check = Callable[[str, Language, Sequence[Event]], Awaitable[tuple[Finding, ...]]]
"""Looks at a cell: `assistant.agents.checks.check_cell`, with the session's sources."""


class EmbeddedReviewer:
    """Plays the reviewer with facts alone."""

    is_free = True
    """It costs nothing to ask it before it is known whether its work is wanted."""

    def __init__(self, *, check: Check) -> None:
        self._check = check

    async def review(self, log: Sequence[Event], proposal: Proposal, *, code: str, of_edit: bool) -> Review:
        """Judge by the deterministic checks."""
        findings = await self._check(code, proposal.language, log)
        return Review(
            turn=proposal.turn,
            proposal=proposal.id,
            verdict=judge_findings(findings, of_edit=of_edit),
            findings=findings,
            of_edit=of_edit,
        )

    async def diagnose(self, log: Sequence[Event], execution: Execution) -> Diagnosis:
        """Say in plain words why a cell failed."""
        failure = execution.failure
        edited = execution.id in current_turn(log).edits
        again = "Edit the code and run it again." if edited else "Ask differently, or edit the code."
        if failure is None:
            entry, cause = _load_failures()["raised"], "The cell failed without saying why."
        else:
            entry_of_error = _load_failures().get(failure.name) if failure.kind == "raised" else None
            entry = entry_of_error or _load_failures()[failure.kind]
            cause = entry["cause"].format(name=failure.name, message=failure.message)
        fix = entry.get("fix") or (again if edited else entry.get("fix unless edited", again))
        return Diagnosis(
            turn=execution.turn,
            execution=execution.id,
            category=entry["category"],
            cause=cause,
            fix=fix,
            repairable=edited,
        )


@cache
def _load_failures() -> dict[str, dict[str, Any]]:
    return yaml.safe_load((files("assistant.agents.analyst") / "failures.yaml").read_text(encoding="utf-8"))


def judge_findings(findings: Sequence[Finding], *, of_edit: bool) -> Literal["ok", "concerns", "revise"]:
    """What findings amount to. Only an edit is sent back here: to the person, who can mend it."""
    levels = {finding.level for finding in findings}
    if "danger" in levels:
        return "revise" if of_edit else "concerns"
    return "concerns" if "warning" in levels else "ok"
