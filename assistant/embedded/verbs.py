"""Clauses about verbs and roles: words that only say how two things belong together, and are no columns to show.

"films rated PG", "orders shipped by Speedy Express", "employees who support customers".
"""

from __future__ import annotations

from assistant.embedded.draft import Draft
from assistant.embedded.linking import ToColumn, ToTable, ToValue
from assistant.embedded.schema import Attribute, Entity

_SURE = 0.9
_ROOT = 4


def roles(draft: Draft) -> None:
    """ "which employees support customers": a key that is called like the verb says by which way they belong."""
    for piece in draft.pieces:
        option = piece.option
        if not isinstance(option, ToColumn) or option.strength >= _SURE or option.attribute.role != "reference":
            continue
        target = draft.schema.referred(option.attribute)
        if target is None or not _names_both(draft, option.attribute, target):
            continue
        draft.via.append(option.attribute)
        piece.used, piece.option = True, None


def _names_both(draft: Draft, attribute: Attribute, target: Entity) -> bool:
    named = {p.option.entity.name for p in draft.pieces if isinstance(p.option, ToTable)}
    return {attribute.table, target.name} <= named


def participles(draft: Draft) -> None:
    """ "rated PG", "shipped by each shipper": the word belongs to the value or the agent that follows."""
    for i, piece in enumerate(draft.pieces):
        option, text = piece.option, piece.span.text.lower()
        if piece.used or not isinstance(option, ToColumn) or option.strength >= _SURE or not text.endswith("ed"):
            continue
        follow = draft.after(i, plain_max=1)
        following = draft.open(follow)
        if isinstance(following, ToValue) and _same_root(text, following.attribute):
            piece.used, piece.option = True, None
        elif follow is not None and draft.cue_at(follow, "group"):
            beyond = draft.after(follow, plain_max=1)
            agent = draft.open(draft.after(beyond) if beyond is not None and draft.cue_at(beyond, "group") else beyond)
            if draft.pieces[follow].span.text.lower().startswith("by") and isinstance(agent, ToTable | ToValue):
                piece.used, piece.option = True, None


def _same_root(word: str, attribute: Attribute) -> bool:
    root = word[:-2][:_ROOT]
    return any(stem.startswith(root) for stem in attribute.own)
