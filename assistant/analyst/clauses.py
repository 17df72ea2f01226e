"""What a relative clause says: it tells which rows are meant, so that a column of it alone is not to be shown."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.analyst.algebra import Listing, Query
from assistant.analyst.grammar.chart import Derivation
from assistant.analyst.lexicon.files import listed
from assistant.analyst.linking.tokens import Word, operators
from assistant.analyst.parts import Part, Thing


def shows_clause(derivation: Derivation, words: Sequence[Word], query: Query) -> bool:
    """Whether a query shows a column that only a clause names: "cities of heads who were born in the state ..."."""
    if not isinstance(query, Listing) or not (inside := _inside(derivation, words)):
        return False
    noun_parts = [part for part in derivation.parts if part.category == "column" or isinstance(part.meaning, Thing)]
    requested = {_named(part) for part in noun_parts if part.start not in inside}
    described = {_named(part) for part in noun_parts if part.start in inside}
    return bool(requested) and not described.difference(requested).isdisjoint(query.outputs[: query.shown])


def _named(part: Part) -> object:
    return part.meaning.key or part.meaning if isinstance(part.meaning, Thing) else part.meaning


def _inside(derivation: Derivation, words: Sequence[Word]) -> set[int]:
    """The places of the words of clauses: from "that" behind a name up to a sign, or what is to be shown beside."""
    ends = {part.end for part in derivation.parts if part.category != "flag"}
    places = set[int]()
    is_open = False
    for at, word in enumerate(words):
        begins = word.lower in listed("operators", "relative") and at in ends
        is_open = (is_open or begins) and word.is_word and not _beside(words, at)
        if is_open:
            places.add(at)
    return places


def _beside(words: Sequence[Word], at: int) -> bool:
    phrase = " ".join(word.lower for word in words[at : at + 2])
    return any(category == "their" for category, _ in operators().get(phrase, ()))
