"""Telling: information or details of stores are their column of details, if they have one; else all that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.embedded.linking.links import Span
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import stem

_TELLS = frozenset(("information", "info"))
_DETAILS = frozenset(("detail", "details"))
_WHOLE = frozenset(("all", "everything", "full"))
"""With these words all columns are asked for."""
_DETAIL = stem("details")
_JOINING = frozenset(("and", "with"))
_NEAR = 2
_SURE_TABLE = 0.6
_RATHER = 0.9
"""How sure it is that all columns are meant, where one of them holds the details."""


def telling(spans: Sequence[Span]) -> list[Span]:
    """The same spans; "details" and plain "information" speak of the column of details that the table has.

    What the details are of is said by the column's name: "other details" alone are not what is known of a store, unless
    they stand beside another column.
    """
    return [_told(span, spans, at) for at, span in enumerate(spans)]


def _told(span: Span, spans: Sequence[Span], at: int) -> Span:
    words = set(span.text.lower().split())
    by_name = bool(words & _DETAILS)
    if not (by_name or (words & _TELLS and not words & _WHOLE)) or not any(_asks_all(o) for o in span.options):
        return span
    owner = next((entity for s in (*spans[at + 1 :], *reversed(spans[:at])) if (entity := _table(s))), None)
    column = _details(owner) if owner is not None else None
    if column is None or not (by_name or column.own == (_DETAIL,) or _beside_column(spans, at)):
        return span
    others = (o for o in span.options if not (isinstance(o, ToColumn) and o.attribute == column))
    rest = (replace(o, strength=o.strength * _RATHER) if isinstance(o, Cue) else o for o in others)
    return replace(span, options=(ToColumn(attribute=column, strength=1.0), *rest))


def _asks_all(option: object) -> bool:
    return isinstance(option, Cue) and option.kind == "all_columns"


def _table(span: Span) -> Entity | None:
    best = max(span.options, key=lambda option: option.strength, default=None)
    return best.entity if isinstance(best, ToTable) and best.strength >= _SURE_TABLE else None


def _beside_column(spans: Sequence[Span], at: int) -> bool:
    """ "the names and information": a name beside it cannot be a part of it."""
    near = [s for s in (*spans[max(at - _NEAR, 0) : at], *spans[at + 1 : at + 1 + _NEAR]) if s.options]
    joined = any(s.text.lower() in _JOINING or s.parted for s in spans[max(at - _NEAR, 0) : at + 1 + _NEAR])
    return joined and any(isinstance(max(s.options, key=lambda o: o.strength), ToColumn) for s in near)


def _details(entity: Entity) -> Attribute | None:
    """The one column that holds the details of a table's rows, those of the thing itself before all others."""
    found = [a for a in entity.attributes.values() if a.stems[-1] == _DETAIL]
    own = [a for a in found if a.own == (_DETAIL,)] or found
    return own[0] if len(own) == 1 else None
