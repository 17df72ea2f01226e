"""Things that are named by what was done to others: "returned orders" are orders, of which some were returned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.analyst.lexicon.files import listed
from assistant.analyst.linking.tokens import Word
from assistant.analyst.parts import Part, Thing


def told_by_deeds(found: Sequence[Part], words: Sequence[Word], whole: Sequence[Part]) -> list[Part]:
    """The parts, where a participle right before another thing says what was done to that, and names nothing itself.

    Args:
        found: All parts.
        words: What they are of.
        whole: Those of them that are the whole name of a column: "returned orders" may be one.
    """
    heads = {(part.start, table) for part in found if (table := _table(part))}
    past = {id(part) for part in found if _tells(part, words, heads)}
    places = {part.start for part in found if id(part) in past}
    kept = (p for p in found if p.category != "column" or p in whole or places.isdisjoint(range(p.start, p.end)))
    return [replace(part, category="past") if id(part) in past else part for part in kept]


def _tells(part: Part, words: Sequence[Word], heads: set[tuple[int, str]]) -> bool:
    if not _table(part) or part.end - part.start > 1:
        return False
    word = words[part.start]
    is_participle = word.lemma != word.lower and word.lower.endswith(tuple(listed("operators", "participles")))
    return is_participle and any(start == part.end and table != _table(part) for start, table in heads)


def _table(part: Part) -> str:
    """The table whose rows a part names; empty for all others."""
    thing = part.meaning if part.category == "thing" else None
    return thing.table if isinstance(thing, Thing) and thing.key is None else ""
