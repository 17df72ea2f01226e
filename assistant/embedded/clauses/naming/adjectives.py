"""What an adjective speaks of: the column behind "expensive", in the tables that the question names."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.cue_patterns import SINCE
from assistant.embedded.words.lexicon import stem


def hinted(draft: Draft, hints: tuple[str, ...], tables: list[str]) -> Attribute | None:
    """The column of the tables in question that an adjective speaks of ("expensive": price), first hint first.

    What is said of time goes by the one date that a table has, whatever it is called: "latest", of `created_at`.
    """
    for table in tables:
        entity = draft.schema.entities[table]
        attributes = entity.attributes.values()
        day = likeliest_date(entity) if hints[:1] == ("date",) else None
        if day is not None and day.role == "date":
            return day
        for hint in hints:
            words = {stem(word) for word in hint.split()}
            for attribute in attributes:
                if (attribute.is_number or attribute.is_time) and words & set(attribute.stems):
                    return attribute
    return None


_AREA = ("area", "size", "hectares", "acres", "surface", "land", "sqm", "m2", "km2", "population")
_ROOM = ("capacity", "headcount", "employees", "staff", "seats", "beds", "volume")
_WORTH = ("amount", "total", "value", "budget", "revenue")
_HIGH = ("height", "elevation", "altitude", "amount", "total", "value", "price", "score")
_LARGE = (_AREA, _ROOM, _WORTH)
"""What the size and the height of something are called, the likeliest kind first."""
_OF_LEVEL = frozenset(("highest", "higher", "lowest", "lower", "maximum", "minimum"))
_OF_SIZE = frozenset(
    ("largest", "larger", "biggest", "bigger", "greatest", "greater", "smallest", "smaller", "large", "big")
)


def extent(draft: Draft, words: Sequence[str], tables: list[str]) -> Attribute | None:
    """What "the biggest farm", "lower than average" go by: the size or the height of something, where it has one."""
    found = extents(draft, words, tables)
    return found[0] if found else None


def extents(draft: Draft, words: Sequence[str], tables: list[str]) -> list[Attribute]:
    """Every column that it may go by, the likeliest first: a hall is large by its seats as well as by its volume."""
    kinds = (_HIGH,) if _OF_LEVEL.intersection(words) else _LARGE if _OF_SIZE.intersection(words) else ()
    return next((found for hints in kinds if (found := _hinted_all(draft, hints, tables))), [])


def _hinted_all(draft: Draft, hints: tuple[str, ...], tables: list[str]) -> list[Attribute]:
    found: list[Attribute] = []
    for hint in hints:
        attribute = hinted(draft, (hint,), tables)
        if attribute is not None and attribute.is_number and attribute not in found:
            found.append(attribute)
    return found


def hinted_beyond(draft: Draft, hints: tuple[str, ...], tables: list[str]) -> Attribute | None:
    """The same in the tables that those in question belong to: memberships are not old, but their members are."""
    edges = [edge for table in tables for edge in draft.schema.edges.get(table, ())]
    return hinted(draft, hints, tables) or hinted(draft, hints, [edge.right for edge in edges if not edge.many])


def tables_in_question(draft: Draft) -> list[str]:
    """The tables the question names, in order."""
    tables: list[str] = []
    for piece in draft.pieces:
        if isinstance(piece.option, ToTable):
            tables.append(piece.option.entity.name)
    for piece in draft.pieces:
        if isinstance(piece.option, ToColumn):
            tables.append(piece.option.attribute.table)
    if draft.fragment:
        tables += draft.mentioned
    if not tables:  # "the oldest engineer", where that is a kind of employee
        tables += [piece.option.attribute.table for piece in draft.pieces if isinstance(piece.option, ToValue)]
    return list(dict.fromkeys(tables))


def tables_and_values(draft: Draft) -> list[str]:
    """The same, and then the tables whose values the question names: "how much does Ada earn"."""
    valued = [p.option.attribute.table for p in draft.pieces if isinstance(p.option, ToValue)]
    return [*tables_in_question(draft), *valued]


def falls(attribute: Attribute, argument: str) -> bool:
    """Whether an order begins with the highest value: the oldest has the highest age, but the earliest birth."""
    if argument not in ("old", "young"):
        return argument == "desc"
    since = attribute.is_time or bool(_SINCE & set(attribute.stems))
    return (argument == "old") == (not since)


_SINCE = frozenset(stem(word) for word in SINCE)
"""What says since when there has been something, though the column holds plain numbers."""
