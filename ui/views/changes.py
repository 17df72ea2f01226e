"""What changed since the last version that was approved or put forward, in words. Pure."""

from __future__ import annotations

import difflib

from assistant.api.turns import PendingRequest, ProposalItem, Transcript, Turn


def before(view: Transcript, waiting: PendingRequest) -> ProposalItem | None:
    """The version to compare with: this step's before, else the last approved code in this language."""
    item, turn = waiting.item, view.current
    if item is None or turn is None:
        return None
    earlier = [one for one in turn.proposals if one is not item and one.proposal.step == item.proposal.step]
    return earlier[-1] if earlier else _last_approved(view, turn, item)


def said(old: str, new: str) -> str:
    """How much changed: `2 lines added, 1 removed`; empty where nothing did."""
    added = removed = 0
    for line in difflib.ndiff(old.splitlines(), new.splitlines()):
        added += line.startswith("+ ")
        removed += line.startswith("- ")
    parts = [
        f"{count} {'line' if count == 1 else 'lines'} {what}"
        for count, what in ((added, "added"), (removed, "removed"))
        if count
    ]
    return ", ".join(parts)


def is_narrower(old: str, new: str) -> bool:
    """Whether the new query is the old one with further conditions and nothing else: it reads no other rows."""
    kept = [line.strip() for line in old.splitlines() if line.strip()]
    made = [line.strip() for line in new.splitlines() if line.strip()]
    extra = [line for line in made if line not in kept]
    lost = [line for line in kept if line not in made]
    return bool(extra) and not lost and all(line.upper().startswith("AND ") for line in extra)


def _last_approved(view: Transcript, turn: Turn, item: ProposalItem) -> ProposalItem | None:
    """The last code that was approved before, if it is much like this: else a comparison tells nothing."""
    older = [one for other in view.turns if other is not turn for one in other.proposals]
    approved = [
        one
        for one in older
        if one.decision is not None
        and one.decision.action != "reject"
        and one.proposal.language == item.proposal.language
    ]
    if not approved:
        return None
    alike = difflib.SequenceMatcher(None, approved[-1].code, item.proposal.code, autojunk=False).ratio()
    return approved[-1] if alike >= ALIKE_MIN else None


ALIKE_MIN = 0.6
