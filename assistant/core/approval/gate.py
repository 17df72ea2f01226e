"""The gate between a proposal and its execution: a decision by the policy, or a request to the person. Pure.

Approval binds bytes: `sha256` is taken over the code that is approved, and the executor refuses anything else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

from assistant.core.approval.policy import UNCAGED, Policy, why_ask_about_code, why_ask_about_plan, why_doubt
from assistant.core.events import (
    Decision,
    DecisionRequested,
    Event,
    FunctionsProposed,
    PackageProposed,
    Plan,
    Proposal,
    Review,
    Step,
)
from assistant.core.turns import current_turn, fold_events, fold_turn
from assistant.errors import SessionError

WITH_PLAN = "Approved together with the plan."
Action = Literal["approve", "edit", "reject"]


def hash_code(code: str) -> str:
    """SHA-256 of the code's UTF-8 bytes, in hexadecimal."""
    return hashlib.sha256(code.encode()).hexdigest()


def digest_cell(proposal: Proposal) -> str:
    """SHA-256 over what an approval of a proposal covers: its code, and the functions that it imports."""
    parts = (proposal.code, *(function.code for function in proposal.functions))
    return hash_code("\0".join(parts))


def package_digest(proposed: PackageProposed) -> str:
    """SHA-256 over what an approval of a package covers: its name and version, its files, and what is in doubt."""
    return hash_code(proposed.model_dump_json(include={"name", "version", "wheels", "doubts"}))


def gate_package(events: Sequence[Event], proposed: PackageProposed) -> DecisionRequested:
    """Ask the person about a package. There is no policy for packages."""
    name_and_version = f"{proposed.name} {proposed.version}".strip()
    reason = (
        f"Let this session import {name_and_version}?"
        if proposed.wheels
        else f"{' '.join(proposed.doubts)} Tell its name to the package index, to look it up?"
    )
    request = make_request_id(events, proposed.id)
    return DecisionRequested(turn=proposed.turn, id=request, subject="package", ref=proposed.id, reason=reason)


def functions_digest(proposed: FunctionsProposed) -> str:
    """SHA-256 over what an approval of functions covers: their code and tests, and a test that is to be changed."""
    return hash_code(proposed.model_dump_json(include={"functions", "doubt"}))


def gate_functions(events: Sequence[Event], proposed: FunctionsProposed) -> DecisionRequested:
    """Ask the person about functions, or about a test that seems wrong. There is no policy for functions."""
    if proposed.doubt is not None:
        reason = f"Change the test {proposed.doubt.test!r} of {proposed.doubt.function!r}?"
    else:
        reason = f"Keep {' and '.join(function.name for function in proposed.functions)} for later cells?"
    request = make_request_id(events, proposed.id)
    return DecisionRequested(turn=proposed.turn, id=request, subject="functions", ref=proposed.id, reason=reason)


def gate_plan(events: Sequence[Event], plan: Plan) -> Decision | DecisionRequested:
    """Let a plan through, or ask the person."""
    request = make_request_id(events, plan.id)
    reason = why_ask_about_plan(Policy.of(events, turn=plan.turn), plan)
    if reason is None:
        return Decision(turn=plan.turn, request=request, subject="plan", ref=plan.id, action="approve", by="policy")
    return DecisionRequested(turn=plan.turn, id=request, subject="plan", ref=plan.id, reason=reason)


def gate_code(
    events: Sequence[Event], proposal: Proposal, review: Review, *, cage: str, edited: str | None = None
) -> Decision | DecisionRequested:
    """Let code through, or ask the person. `edited` is an edit that the review refused: always asked about."""
    request = make_request_id(events, proposal.id)
    if edited is not None:
        refused = next((f.text for f in review.findings if f.level == "danger" or f.missing), "it failed the review.")
        return DecisionRequested(
            turn=proposal.turn,
            id=request,
            subject="code",
            ref=proposal.id,
            reason=f"Your edit was not run: {refused}",
            code=edited,
        )
    accepted = fold_events(events).uncaged
    policy = Policy.of(events, turn=proposal.turn)
    reason = why_ask_about_code(policy, proposal, review, cage=cage, uncaged_accepted=accepted)
    by: Literal["person", "policy"] = "policy"
    if reason is not None:
        uncaged = cage == UNCAGED and not accepted
        if uncaged or not was_approved(events, proposal) or why_doubt(review) is not None:
            return DecisionRequested(turn=proposal.turn, id=request, subject="code", ref=proposal.id, reason=reason)
        by = "person"
    return Decision(
        turn=proposal.turn,
        request=request,
        subject="code",
        ref=proposal.id,
        action="approve",
        by=by,
        reason=WITH_PLAN if by == "person" else "",
        sha256=digest_cell(proposal),
    )


def was_approved(events: Sequence[Event], proposal: Proposal) -> bool:
    """Whether a person approved these very bytes together with the plan that they belong to."""
    turn = fold_turn(events, proposal.turn)
    decision = turn.plan_decision if turn is not None else None
    return (
        decision is not None
        and decision.by == "person"
        and decision.action == "approve"
        and digest_cell(proposal) in decision.cells
    )


def make_decision(
    events: Sequence[Event],
    waiting: DecisionRequested,
    action: Action,
    *,
    code: str | None = None,
    steps: Sequence[Step] | None = None,
    reason: str = "",
    cells: bool = False,
    typed: str = "",
) -> Decision:
    """The person's decision on what waits.

    With `cells` the code that stands with a plan is approved together with it. `typed` is the name of a package, which
    must be typed out where it is in doubt.
    An edit that changes nothing is an approval; approving a refused edit puts that edit forward once more.

    Raises:
        SessionError: an edit without anything edited, or a name in doubt that was not typed out.
    """
    decided = Decision(
        turn=waiting.turn,
        request=waiting.id,
        subject=waiting.subject,
        ref=waiting.ref,
        action=action,
        by="person",
        reason=reason.strip(),
    )
    if action == "reject":
        return decided
    turn = current_turn(events)
    if waiting.subject == "package":
        package = turn.package(waiting.ref)
        assert package is not None, "a request names what it is about"
        return _decide_package(decided, package.proposal, typed=typed)
    if waiting.subject == "functions":
        proposed = next(item.proposal for item in reversed(turn.functions) if item.proposal.id == waiting.ref)
        return _decide_functions(decided, proposed)
    if waiting.subject == "plan":
        plan = next(plan for plan in turn.plans if plan.id == waiting.ref)
        if action == "approve":
            digests = tuple(hash_code(cell.code) for cell in plan.cells) if cells else ()
            return decided.model_copy(update={"cells": digests})
        titled_steps = tuple(step for step in steps or () if step.title.strip())
        if not titled_steps:
            raise SessionError("The edited plan has no steps. Keep at least one, or reject the plan with a reason.")
        done = plan.steps[: plan.begins - 1]
        if titled_steps[: len(done)] != done:
            raise SessionError("Steps that have run cannot be changed. Change those that follow, or ask anew.")
        return decided.model_copy(update={"steps": titled_steps})
    item = turn.proposal(waiting.ref)
    assert item is not None, "a request names what it is about"
    proposal = item.proposal
    final = code if action == "edit" else waiting.code
    if final is None and action == "edit":
        raise SessionError("The edit holds no code. Give the edited code, or approve it as it is.")
    final = proposal.code if final is None else final.replace("\r\n", "\n").replace("\r", "\n")
    if final == proposal.code:
        return decided.model_copy(update={"action": "approve", "sha256": digest_cell(proposal)})
    return decided.model_copy(update={"action": "edit", "code": final, "sha256": hash_code(final)})


def is_named(proposed: PackageProposed, typed: str) -> bool:
    """Whether the name of a package in doubt was typed out, where it must be: before its files are added."""
    return not (proposed.wheels and proposed.doubts) or typed.strip().casefold() == proposed.name.casefold()


def _decide_package(decided: Decision, proposed: PackageProposed, *, typed: str) -> Decision:
    if decided.action != "approve":
        raise SessionError("A package cannot be edited. Add it as it is, or do without it.")
    if not is_named(proposed, typed):
        doubts = " ".join(proposed.doubts)
        raise SessionError(f"{doubts} To add it all the same, type its name out: {proposed.name}")
    return decided.model_copy(update={"sha256": package_digest(proposed), "typed": typed.strip()})


def _decide_functions(decided: Decision, proposed: FunctionsProposed) -> Decision:
    if decided.action != "approve":
        raise SessionError("Functions cannot be edited here. Keep them, or reject them and say what to change.")
    return decided.model_copy(update={"sha256": functions_digest(proposed)})


def make_request_id(events: Sequence[Event], ref: str) -> str:
    """A request's id: what it is about, and a number where it is asked about again."""
    turn = fold_turn(events)
    before = sum(1 for request in turn.requests if request.ref == ref) if turn is not None else 0
    return f"{ref}?" if before == 0 else f"{ref}?{before + 1}"


def find_pending_request(events: Sequence[Event]) -> DecisionRequested | None:
    """The request that waits for the person at the end of the log, if any."""
    turn = fold_turn(events)
    return turn.waiting.decision if turn is not None and turn.waiting is not None else None
