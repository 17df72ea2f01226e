"""What is listed beside the columns of a row: the thing it belongs to, and the rows of kinds that have several.

"the number, customer and total of each order", "for towns with more than 5 shops, list the shops".
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.counting import parent_of
from assistant.embedded.linking.options import ToColumn, ToTable, ToTerm, ToValue
from assistant.embedded.meaning import needs_several
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.vocabulary import ASKING

_OWNED = frozenset(("of", "for", "from"))
_SMALL = frozenset((*_OWNED, "the", "all", "their", "its", "each", "every", "our", "also"))
_WHO = frozenset(("who", "that", "which", "with", "having", "where"))


def is_listed(draft: Draft, at: int) -> bool:
    """Whether a table named among the columns of another says to whom a row of that belongs: its name is shown."""
    option = draft.pieces[at].option
    following = draft.pieces[at + 1] if at + 1 < len(draft.pieces) else None
    if following is not None and isinstance(following.option, ToColumn) and not following.span.parted:
        return False  # "the colour description": one column
    if not isinstance(option, ToTable) or not _in_a_row(draft, at) or _owns(draft, at):
        return False
    owned = False
    for piece in draft.pieces[at + 1 :]:
        text, other = piece.span.text.lower(), piece.option
        if isinstance(other, ToTable) and owned:
            return other.entity != option.entity and parent_of(draft, {other.entity.name}, option.entity)
        owned = owned or bool(_OWNED & set(text.split()))
        joins = isinstance(other, Cue) and other.kind in ("and", "group")
        if not (joins or isinstance(other, ToColumn | ToTable | ToValue | ToTerm) or text in _SMALL):
            return False
    return False


def _owns(draft: Draft, at: int) -> bool:
    """ "the themes of parties and the names of hosts": a column before it is its own."""
    words = [piece.span.text.lower() for piece in draft.pieces[:at]]
    while words and words[-1] in _SMALL - _OWNED:
        words.pop()
    return bool(words) and words[-1] in _OWNED


def _in_a_row(draft: Draft, at: int) -> bool:
    """Whether it stands with columns in an enumeration: a comma or an "and" beside it, and a column beyond that."""
    for step in (-1, 1):
        place, joined = at + step, step == 1 and at + 1 < len(draft.pieces) and draft.pieces[at + 1].span.parted
        joined = joined or (step == -1 and draft.pieces[at].span.parted)
        while 0 <= place < len(draft.pieces) and draft.pieces[place].span.text.lower() in (
            "and",
            "the",
            "their",
            "its",
        ):
            joined = joined or draft.pieces[place].span.text.lower() == "and"
            place += step
        if joined and 0 <= place < len(draft.pieces) and isinstance(draft.pieces[place].option, ToColumn | ToTable):
            return True
    return False


def asked_for_before(draft: Draft, at: int, entity: Entity) -> Entity | None:
    """The table whose columns are asked for before a "which", "that" behind which another table is named."""
    named = [i for i, p in enumerate(draft.pieces[:at]) if isinstance(p.option, ToColumn) and not p.used]
    if not named or any(isinstance(p.option, ToTable) and not p.used for p in draft.pieces[:at]):
        return None
    behind = {p.span.text.lower().split()[0] for p in draft.pieces[named[-1] + 1 : at]}
    owners = [o.attribute.table for i in named if isinstance(o := draft.pieces[i].option, ToColumn)]
    said = draft.pieces[named[0]].span.text.split()
    if not behind & _WHICH or len(set(owners)) != 1 or owners[0] == entity.name or len(said) == 1:
        return None
    return draft.schema.entities[owners[0]]


_WHICH = frozenset(("which", "that", "who", "whose"))


def is_frame(draft: Draft, at: int) -> bool:
    """ "for towns with more than 5 shops, list ...": the column only says of which kinds rows are asked for."""
    if draft.pieces[0].span.text.lower() != "for" or not any(r.at > at for r in draft.related):
        return False
    said = [piece.span.text.lower() for piece in draft.pieces]
    return any(word in ASKING or word == "what" for word in said[at:])


def of_kinds(draft: Draft) -> None:
    """Rows that stand themselves in a kind of which there are several: those that share its value."""
    for related in draft.related:
        if related.shared is not None or related.filters or related.entity != draft.subject:
            continue
        if needs_several(related.operator, related.count):
            kind = _kind_before(draft, related.at)
            own = kind is not None and kind.table == related.entity.name and kind.name not in related.entity.label
            related.shared = kind if own else None


def _kind_before(draft: Draft, at: int) -> Attribute | None:
    """The column that is said to have so many rows: right before "who", "with"."""
    for n in range(at - 1, -1, -1):
        option = draft.pieces[n].option
        if isinstance(option, ToColumn):
            behind = {word for piece in draft.pieces[n + 1 : at] for word in piece.span.text.lower().split()}
            return option.attribute if behind & _WHO and not option.attribute.is_number else None
    return None
