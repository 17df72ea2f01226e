"""Neighbours: columns and values said side by side, and what they have in common.

In "the county of Kent" the column and the value belong together; "kind codes and descriptions" are columns of a table
that has both. A column that stands apart from its neighbours is only less likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.embedded.linking.links import Span
from assistant.embedded.linking.options import Option, ToColumn, ToValue
from assistant.embedded.linking.owners import SURE_TABLE, table_of

SURE_VALUE = 0.9
"""From which strength on a column or a value is surely named."""
_APART = 0.62
"""How sure a column is that stands beside others which another table has all of."""
_BETWEEN = frozenset(("and", "the", "as well as", "also", "corresponding"))
_JOINING = frozenset(("of", "the", "is", "was", "equals", "a", "an"))


def options_beside(spans: Sequence[Span], at: int) -> list[Option]:
    """What the spans before and behind name, over small words: "the county of X", "X county"."""
    found: list[Option] = []
    for step in (-1, 1):
        place = at + step
        while 0 <= place < len(spans) and spans[place].text.lower() in _JOINING:
            place += step
        if 0 <= place < len(spans) and table_of(spans[place]) is None:
            found += spans[place].options
    return found


def agrees(option: Option, beside: Sequence[Option]) -> bool:
    """Whether a value and a column side by side belong together."""
    match option:
        case ToValue():
            return any(isinstance(o, ToColumn) and _same(o, option) and o.strength > SURE_TABLE for o in beside)
        case ToColumn():
            return any(isinstance(o, ToValue) and _same(o, option) and o.strength > SURE_VALUE for o in beside)
        case _:
            return False


def _same(one: ToColumn | ToValue, other: ToColumn | ToValue) -> bool:
    return place_of(one) == place_of(other)


def place_of(option: ToColumn | ToValue) -> tuple[str, str]:
    """The table and the name of the column."""
    return (option.attribute.table, option.attribute.name)


def tables_in_common(spans: Sequence[Span], at: int) -> set[str]:
    """The tables that have all of the columns named side by side: "kind codes and descriptions"; none for one alone."""
    run = [at]
    for step in (-1, 1):
        place = at + step
        while 0 <= place < len(spans):
            if any(isinstance(option, ToColumn) for option in spans[place].options):
                run.append(place)
            elif spans[place].text.lower() not in _BETWEEN:
                break
            place += step
    named = [{o.attribute.table: o.strength for o in spans[n].options if isinstance(o, ToColumn)} for n in run]
    common = {table for table in named[0] if all(found.get(table, 0.0) >= SURE_TABLE for found in named)}
    sure = {table for table in common if any(found[table] >= SURE_VALUE for found in named)}
    return sure if len(run) > 1 else set()


def joined(options: Sequence[Option], tables: set[str]) -> tuple[Option, ...]:
    """The options, with those columns weaker that are not in one of the tables, if there are any tables."""
    weighed = [
        replace(o, strength=o.strength * _APART)
        if tables and isinstance(o, ToColumn) and o.attribute.table not in tables
        else o
        for o in options
    ]
    return tuple(sorted(weighed, key=lambda option: -option.strength))
