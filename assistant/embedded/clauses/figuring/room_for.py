"""How many something has room for: "how many guests can our rooms hold?" adds up their room, and counts no guests."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.measuring import CAPACITY_VERBS, measured_by
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import Option, ToColumn, ToTable
from assistant.embedded.words.cues import Cue

_ABLE = frozenset(("can", "could"))
_SUBJECT_MAX = 8
"""Within how many words behind "can" the verb stands."""


def room_for(draft: Draft) -> None:
    """Take whoever may be held for a word that says no more, and want the number that says how many have room."""
    for i, _ in draft.cues("count"):
        able = next((n for n in range(i + 1, min(i + 4, len(draft.pieces))) if draft.word(n) in _ABLE), None)
        if able is None or able == i + 1:
            continue
        places = range(able + 1, min(able + 1 + _SUBJECT_MAX, len(draft.pieces)))
        verb = next((n for n in places if draft.word(n).split()[-1] in CAPACITY_VERBS), None)
        rows = next((p.option for p in draft.pieces[able:verb] if isinstance(p.option, ToTable)), None)
        if verb is None or rows is None:
            continue
        held = draft.pieces[i + 1 : able]
        options = [piece.option for piece in held]
        for piece in held:
            piece.option = None  # whoever they are, none of them is there yet
        room = measured_by(draft, verb)
        if room is None or room.table != rows.entity.name:
            for piece, option in zip(held, options, strict=True):
                piece.option = option
            continue
        draft.use(*range(i, able + 1), verb)
        draft.mentioned = [name for name in draft.mentioned if name not in _only(options, rows.entity.name)]
        draft.wanted.append(Wanted(aggregate="sum", attribute=room))
        for n in range(able + 1, len(draft.pieces)):
            piece = draft.pieces[n]
            each = isinstance(draft.pieces[n - 1].option, Cue) and draft.word(n - 1) in ("each", "every")
            if isinstance(piece.option, ToTable) and piece.option.entity == rows.entity and not each:
                draft.use(n)
            elif n > verb and isinstance(piece.option, Cue) and piece.option.kind == "sum":
                draft.use(n)  # "in total"
        return


def _only(options: Sequence[Option | None], rows: str) -> set[str]:
    """The tables of those who may be held."""
    tables = {o.entity.name for o in options if isinstance(o, ToTable)}
    tables |= {o.attribute.table for o in options if isinstance(o, ToColumn)}
    return tables - {rows}
