"""How well the words of a question say the name of a table or column: in other forms, misspelt, by a synonym."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from assistant.analyst.algebra import Column
from assistant.analyst.lexicon.files import listed
from assistant.analyst.linking.embedding_links import UNKNOWN, Near
from assistant.analyst.linking.tokens import general, operators, synonyms
from assistant.analyst.names import words_of
from assistant.analyst.parts import Thing
from assistant.analyst.schema import Schema
from assistant.word_forms import is_known

_PART_LEAST = 2
"""Letters of a word that is written together with another one: "close" is no word with "lose"."""
_SHORT_LEAST = 3
_VOWELS = frozenset("aeiou")
WEAK = {"id": 0.6, "name": 0.5, "number": 0.7, "code": 0.7, "title": 0.8}
"""How much a general word of a name has to be said."""


_SIGN = 0.2
"""How much the sign of a unit has to be said: `Body Mass (g)` is the body mass."""


@dataclass(frozen=True, slots=True)
class Name:
    """The words of a name, and further words that may stand beside them: those of the table and of the role."""

    meaning: Column | Thing
    words: tuple[str, ...]
    also: tuple[str, ...]


class NameVocabulary:
    """The names of a schema, found by the words that they are made of: most of many names share none with a span."""

    def __init__(self, names: tuple[Name, ...]) -> None:
        self.names = names
        self._holding: dict[str, list[int]] = {}
        for number, name in enumerate(names):
            for word in {*name.words, *name.also}:
                self._holding.setdefault(word, []).append(number)
        self._near = lru_cache(maxsize=1_000)(self._with)

    @classmethod
    def of(cls, schema: Schema) -> NameVocabulary:
        """The names of all tables and columns, and of what a column of names stands for."""
        return cls(tuple(_names(schema)))

    @property
    def words(self) -> tuple[str, ...]:
        """All words that names are made of."""
        return tuple(self._holding)

    def near(self, tokens: tuple[str, ...], neighbours: Near = UNKNOWN) -> Iterator[Name]:
        """The names that hold a word like each word of a span, in their order. All others have a likeness of 0."""
        candidates = (self._near(word).union(*map(self._named, neighbours.get(word, ()))) for word in tokens)
        return (self.names[number] for number in sorted(frozenset[int].intersection(*candidates)))

    def _named(self, word: str) -> list[int]:
        return self._holding.get(word, [])

    def _with(self, token: str) -> frozenset[int]:
        return frozenset(n for word, numbers in self._holding.items() if word_likeness(token, word) for n in numbers)


@lru_cache(maxsize=200_000)
def word_likeness(token: str, word: str) -> float:
    """How well a word of the question stands for a word of a name."""
    if token == word:
        return 1.0
    if len(token) >= 4 and len(word) >= 4:
        if token[0] == word[0] and fuzz.ratio(token, word) >= 86:
            return 0.85
        stem = max(4, min(len(token), len(word)) - 2)
        if token[:stem] == word[:stem] and abs(len(token) - len(word)) <= 4:
            return 0.7
        is_part = word.startswith(token) or (word.endswith(token) and len(word) >= len(token) + _PART_LEAST)
        if is_part and token not in operators():  # "count" is no part of "discount"
            return 0.75
    if word in synonyms().get(token, ()):
        return 0.65
    return 0.75 if _shortens(word, token) else 0.0


def _shortens(word: str, token: str) -> bool:
    """Whether a word of a name is another one without its vowels: `drv` is a driver, `svc` a service."""
    if (
        len(word) < _SHORT_LEAST
        or len(token) < len(word) + 2
        or word[0] != token[0]
        or not _VOWELS.isdisjoint(word[1:])
    ):
        return False
    letters = iter(token)
    return all(letter in letters for letter in word)


def likeness(tokens: tuple[str, ...], name: Name, neighbours: Near = UNKNOWN) -> float:
    """How well a span says a name: each word must belong to it, and most of the name must be said."""
    matched, total = set[int](), 0.0
    for word in tokens:
        near = neighbours.get(word, {})
        scored = (
            (max(word_likeness(word, name_word), near.get(name_word, 0.0)), i) for i, name_word in enumerate(name.words)
        )
        best, at = max(scored, default=(0.0, 0))
        if best == 0.0:
            beside = max(
                (max(word_likeness(word, name_word), near.get(name_word, 0.0)) for name_word in name.also), default=0.0
            )
            if beside < 0.75:
                return 0.0
            total += 0.8 * beside
            continue
        total += best
        matched.add(at)
    if not matched:
        return 0.0
    need = sum(_need(word) for word in name.words)
    have = sum(_need(name.words[at]) for at in matched)
    return total / len(tokens) * (0.45 + 0.55 * have / need)


def head(name: Sequence[str]) -> str:
    """The word of a name that says what it is: "state" of `born_state_code`."""
    return next((word for word in reversed(name) if word not in WEAK), name[-1])


def said_in_full(names: list[Name], tokens: tuple[str, ...]) -> list[Name]:
    """The names that words may stand for: those that they say in full take the place of others like them."""
    full = [name for name in names if tuple(name.words) == tokens]
    if full:  # "sailed" is that column, and no form of "sailor"
        names = [name for name in names if len(name.words) != len(tokens) or name in full]
    if any(_is_thing(name.meaning) for name in full):  # "orders" are no order lines
        names = [name for name in names if not _is_thing(name.meaning) or name in full]
    # "mpg" is that column, and not the rows of `auto_mpg`; as "hotel" of reviews
    rows = [Thing(name.meaning.table) for name in full if not _is_thing(name.meaning)]
    return [name for name in names if name.meaning not in rows or name in full]


def _is_thing(meaning: object) -> bool:
    return isinstance(meaning, Thing) and meaning.key is None


def _need(word: str) -> float:
    """How much a word of a name has to be said."""
    return _SIGN if word in listed("operators", "unit signs") else WEAK.get(word, 1.0)


def _initials(name: str) -> Iterator[str]:
    """The initials of a name of three words and more, unless they are another word: "mpg" of `Miles_per_Gallon`."""
    initials = "".join(word[0] for word in words_of(name))
    if (
        initials.isalpha()
        and len(initials) >= _SHORT_LEAST
        and (_VOWELS.isdisjoint(initials) or not is_known(initials))
    ):
        yield initials


def _names(schema: Schema) -> Iterator[Name]:
    for alias in schema.aliases:
        yield Name(Thing(alias.name), alias.words, schema.tables[alias.key.table].words)
    for table in schema.tables.values():
        own = dict.fromkeys((table.words, words_of(table.name), *((noun,) for noun in sorted(table.nouns))))
        if table.noun == "row":  # a column that is called like the table then names what it holds
            own = {name: None for name in own if name not in {schema.typed[c].words for c in table.columns}}
        yield from (Name(Thing(table.name), tokens, ()) for tokens in own)
        around = (*table.words, *words_of(table.name)) if table.noun else table.words
        for column in table.columns:
            typed = schema.typed[column]
            yield Name(column, typed.words, (*around, *general().get(typed.role, ())))
            yield from (Name(column, (initials,), around) for initials in _initials(column.name))
            head = tuple(w for w in typed.words if w not in WEAK)
            refers = any(link.start == (column,) and link.cardinality == "one" for link in schema.links[table.name])
            is_named = typed.role in ("identifier", "name", "category") and column not in table.grain
            if head and head != table.words and is_named and not refers:
                yield Name(Thing(table.name, column), head, ())
