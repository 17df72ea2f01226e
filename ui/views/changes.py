"""What changed since the last version that was approved or put forward, in words. Pure."""

from __future__ import annotations

import difflib

from assistant.api.turns import PendingRequest, ProposalItem, Transcript, Turn


def find_previous(view: Transcript, waiting: PendingRequest) -> ProposalItem | None:
    """The version to compare with: this step's before, else the last approved code in this language."""
    item, turn = waiting.item, view.current
    if item is None or turn is None:
        return None
    earlier = [
        candidate
        for candidate in turn.proposals
        if candidate is not item and candidate.proposal.step == item.proposal.step
    ]
    return earlier[-1] if earlier else _find_last_approved(view, turn, item)


def describe(old: str, new: str) -> str:
    """How much changed: `2 lines added, 1 removed`; empty where nothing did."""
    added = removed = 0
    for line in difflib.ndiff(old.splitlines(), new.splitlines()):
        added += line.startswith("+ ")
        removed += line.startswith("- ")
    parts = [
        f"{count} {'line' if count == 1 else 'lines'} {verb}"
        for count, verb in ((added, "added"), (removed, "removed"))
        if count
    ]
    return ", ".join(parts)


def is_narrower(old: str, new: str) -> bool:
    """Whether the new query is the old one with further conditions and nothing else: it reads no other rows."""
    old_lines = [line.strip() for line in old.splitlines() if line.strip()]
    new_lines = [line.strip() for line in new.splitlines() if line.strip()]
    extra = [line for line in new_lines if line not in old_lines]
    removed = [line for line in old_lines if line not in new_lines]
    return bool(extra) and not removed and all(line.upper().startswith("AND ") for line in extra)


def _find_last_approved(view: Transcript, turn: Turn, item: ProposalItem) -> ProposalItem | None:
    """The last code that was approved before, if it is much like this: else a comparison tells nothing."""
    older = [candidate for earlier in view.turns if earlier is not turn for candidate in earlier.proposals]
    approved = [
        candidate
        for candidate in older
        if candidate.decision is not None
        and candidate.decision.action != "reject"
        and candidate.proposal.language == item.proposal.language
    ]
    if not approved:
        return None
    alike = difflib.SequenceMatcher(None, approved[-1].code, item.proposal.code, autojunk=False).ratio()
    return approved[-1] if alike >= ALIKE_MIN else None


ALIKE_MIN = 0.6
