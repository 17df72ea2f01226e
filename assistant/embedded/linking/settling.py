"""Tables that share a part of their names, told apart by what else the question says."""

from __future__ import annotations

from dataclasses import replace

from assistant.embedded.linking.links import Span
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue

_SURE = 0.9
"""From which strength on something is surely named."""


def with_settled_tables(spans: list[Span]) -> list[Span]:
    """The same spans; of tables that share a part of their names, that one is likelier which holds what else is said.

    "Orders whose status is sent", where old and new orders are called orders and only the new have a status.
    """
    tied = [at for at, span in enumerate(spans) if len(_alike(span)) > 1]
    held = {table for span in spans if len(tables := _holding(span)) == 1 for table in tables} if tied else set()
    for at in tied:
        named = {option.entity.name for option in _alike(spans[at])} & held
        if len(named) == 1:
            settled = max(o.strength for o in spans[at].options) + _SETTLED
            options = (
                replace(o, strength=settled) if isinstance(o, ToTable) and o.entity.name in named else o
                for o in spans[at].options
            )
            spans[at] = replace(spans[at], options=tuple(sorted(options, key=lambda o: -o.strength)))
    return spans


_SETTLED = 0.02
_NEARLY = 0.14


def _alike(span: Span) -> list[ToTable]:
    """The tables that a span names about equally well in part, if nothing else is likelier."""
    best = max((option.strength for option in span.options), default=0.0)
    found = [o for o in span.options if isinstance(o, ToTable) and o.strength >= best - _NEARLY]
    return found if best < _SURE else []


def _holding(span: Span) -> set[str]:
    """The tables of the columns and values that a span names best; a number may be of the rows that belong to them."""
    best = max((option.strength for option in span.options), default=0.0)
    found = [o.attribute for o in span.options if isinstance(o, ToColumn | ToValue) and o.strength == best]
    return set() if any(attribute.is_number for attribute in found) else {attribute.table for attribute in found}
