"""What one of somebody's rows is like: "customers who have a policy with no claims", "a song that is in over 5 lists".

The row is read as a question of its own: of a customer who has one policy with claims and one without, the second is
enough, where without claims at all there would be none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from assistant.embedded.clauses.draft import Draft, Misfit, Piece
from assistant.embedded.clauses.wanted import BelongsWanted
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cues import Cue

_ONE = frozenset(("a", "an", "some", "any", "at least one"))
_RELATIVE = frozenset(("that", "which", "who", "with", "without", "having"))
_DEMANDING = ("without", "not", "nothing", "compare")
_JOINING = ("and", "or", "most", "best", "common", "sort", "group", "above_average")


def one_that(draft: Draft, rules: Sequence[Callable[[Draft], None]]) -> None:
    """Take what is said of one such row out of the question, and read it by the same rules."""
    found = _found(draft)
    if found is None:
        return
    start, outer, inner_key = found
    inner = Draft(schema=draft.schema, pieces=[replace(piece) for piece in draft.pieces[start:]], choice=draft.choice)
    inner.mention(*(p.option.entity.name for p in inner.pieces if isinstance(p.option, ToTable)))
    try:
        for rule in rules:
            rule(inner)
    except Misfit:
        return
    asks = inner.wanted or inner.shown or inner.groups or inner.order or inner.limit or inner.grains
    if inner.subject is None or inner.subject.name != inner_key.table or asks or not inner.related:
        return
    inner.shown, inner.bare_keys = [inner_key], [inner_key]
    draft.belongs.append(BelongsWanted(inner, outer))
    inside = {p.option.entity.name for p in draft.pieces[start:] if isinstance(p.option, ToTable)}
    outside = {p.option.entity.name for p in draft.pieces[:start] if isinstance(p.option, ToTable)}
    draft.mentioned = [name for name in draft.mentioned if name in outside or name not in inside]
    draft.pieces[start:] = [Piece(span=p.span, option=None, used=True) for p in draft.pieces[start:]]
    draft.use(
        *(i for i in range(start) if isinstance(draft.open(i), Cue) and draft.cue_at(i, "with") and i > start - 3)
    )


def _found(draft: Draft) -> tuple[int, Attribute, Attribute] | None:
    """Where what is said of one row begins, with the key of whose it is and the key that names it there."""
    for i, piece in enumerate(draft.pieces[:-1]):
        option = piece.option
        before = [n for n in range(i) if isinstance(draft.pieces[n].option, ToTable)]
        if not isinstance(option, ToTable) or not before or not _says_more(draft, i):
            continue
        start = i
        while start and isinstance(draft.pieces[start - 1].option, ToValue):
            start -= 1
        subject = draft.pieces[before[-1]].option
        if draft.word(start - 1) not in _ONE or not isinstance(subject, ToTable) or len(before) != 1:
            return None
        keys = _keys(draft, subject.entity, option.entity)
        return (start, *keys) if keys is not None else None
    return None


def _says_more(draft: Draft, at: int) -> bool:
    """Whether right behind the row stands that it has none, or so many, of rows of another table."""
    behind = draft.pieces[at + 1 :]
    if draft.word(at + 1).split()[0] not in _RELATIVE:
        return False
    kinds = [p.option.kind for p in behind if isinstance(p.option, Cue)]
    tables = [p.option.entity for p in behind if isinstance(p.option, ToTable)]
    columns = [p for p in behind if isinstance(p.option, ToColumn)]
    return len(tables) == 1 and not columns and any(k in _DEMANDING for k in kinds) and not set(kinds) & set(_JOINING)


def _keys(draft: Draft, owner: Entity, rows: Entity) -> tuple[Attribute, Attribute] | None:
    """The column that tells the owner apart and the one of the rows that names it, where there is one way."""
    edges = [e for e in draft.schema.edges.get(owner.name, ()) if e.right == rows.name]
    if len(edges) != 1 or not edges[0].many or len(edges[0].left_columns) != 1:
        return None
    return owner.attributes[edges[0].left_columns[0]], rows.attributes[edges[0].right_columns[0]]
