"""Clauses inside a clause: "students who live in the hall with the most rooms", "customers using the most common plan".

What comes first is read as a question of its own, and the rows that are asked for must belong to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from assistant.embedded.clauses.draft import Draft, Misfit, Piece
from assistant.embedded.clauses.ordering.commonest import named_after
from assistant.embedded.clauses.wanted import FirstWanted
from assistant.embedded.linking.options import Option, ToColumn, ToTable
from assistant.embedded.words.lexicon import is_past

_HAVING = frozenset(("with", "that", "who", "which", "having"))
_LINKS = frozenset(
    ("with", "using", "under", "in", "have", "has", "had", "having", "use", "uses", "used", "of", "by", "for", "from",
     "at", "on", "to", "chose", "choose", "bought", "ordered", "took")
)  # fmt: skip


def firsts(draft: Draft, rules: Sequence[Callable[[Draft], None]]) -> None:
    """Take what is said of the first among others out of the question, and read it by the same rules."""
    start = _start(draft)
    if start is None:
        return
    inner = Draft(schema=draft.schema, pieces=[replace(piece) for piece in draft.pieces[start:]], choice=draft.choice)
    inner.mention(*draft.mentioned)
    try:
        for rule in rules:
            rule(inner)
    except Misfit:
        return
    if inner.ranked is None or not inner.ties:
        return  # "the county with the most inhabitants", where these are a number of its own: no ranking is needed
    draft.firsts.append(FirstWanted(inner))
    draft.pieces[start:] = [Piece(span=p.span, option=None, used=True) for p in draft.pieces[start:]]
    last = draft.before(start, plain_max=2)
    under = last is not None and draft.pieces[last].span.text.lower() == "under"
    if last is not None and (under or draft.cue_at(last, "group", "with", "which")):
        draft.use(last)  # "used by the customer with the most orders", "under the most popular plan"


def _start(draft: Draft) -> int | None:
    """Where the inner clause begins; none where what comes first is itself what is asked for."""
    cues = draft.cues("most", "common")
    if len(cues) != 1 or draft.cues("sort", "direction", "top", "selling", "asked_grain"):
        return None
    at, cue = cues[0]
    start = _common_start(draft, at) if cue.kind == "common" else _most_start(draft, at)
    if start is None or any(i < start and c.argument == "each" for i, c in draft.cues("group")):
        return None
    return None if any(i > start for i, _ in draft.cues("and")) else start


def _most_start(draft: Draft, at: int) -> int | None:
    """ "the hall with the most rooms", after another table was asked for."""
    named = [i for i, p in enumerate(draft.pieces[:at]) if p.option is not None and _is_thing(p)]
    if len(named) < 2 or draft.pieces[named[-1] - 1].span.text.lower() != "the":
        return None
    place, before = named[-1], draft.pieces[named[-1] - 2]
    entity = draft.pieces[place].option
    has = draft.pieces[place + 1].span.text.lower().split()[0]
    done = is_past(has) and draft.pieces[place + 1].option is None
    if not isinstance(entity, ToTable) or not (has in _HAVING or done) or before.span.text.lower() in ("and", ","):
        return None
    by = draft.cue_at(place - 2, "group") is not None and any(
        isinstance(p.option, ToColumn) and p.option.attribute.table != entity.entity.name for p in draft.pieces[:place]
    )
    return place if by or _asks_for_another(draft, place, entity.entity.name) else None


def _common_start(draft: Draft, at: int) -> int | None:
    """ "customers using the most popular plan"."""
    target = named_after(draft, at)
    option = draft.open(target)
    if at == 0 or target is None or draft.pieces[at - 1].span.text.lower().split()[-1] not in _LINKS:
        return None
    if isinstance(option, ToTable):
        return at if _asks_for_another(draft, at, option.entity.name) else None
    asked = any(isinstance(p.option, ToTable) or _is_other(p, option) for p in draft.pieces[:at])
    return at if asked and isinstance(option, ToColumn) else None


def _is_other(piece: Piece, option: Option | None) -> bool:
    """ "the phone numbers under the most popular plan": another column is asked for."""
    other = piece.option
    return isinstance(other, ToColumn) and isinstance(option, ToColumn) and other.attribute != option.attribute


def _is_thing(piece: Piece) -> bool:
    """A table or a column, but no verb that resembles one."""
    return isinstance(piece.option, ToTable | ToColumn) and not is_past(piece.span.text.lower())


def _asks_for_another(draft: Draft, at: int, table: str) -> bool:
    """Whether rows of another table are asked for before, or where none are named, columns of other tables."""
    things = [p.option for p in draft.pieces[:at] if _is_thing(p)]
    tables = {option.entity.name for option in things if isinstance(option, ToTable)}
    columns = {option.attribute.table for option in things if isinstance(option, ToColumn)}
    return table not in tables if tables else bool(columns - {table})
