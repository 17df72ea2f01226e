"""Likeness of meaning: which table or column an unknown word may stand for ("vocalist": `singer`), by embeddings.

Asked only about words that nothing else claims, so that it never competes with a name. What it finds is a weak link,
weighed with all others and said with the answer. A large source is not embedded whole: beside the tables' names only
the columns of tables that the question names are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING

from assistant.embedded.linking.links import Span
from assistant.embedded.linking.options import Option, ToColumn, ToTable, strongest
from assistant.embedded.linking.persons import is_person
from assistant.embedded.source.schema import Attribute, Schema
from assistant.embedded.words.lexicon import name_words, singular, spelt_out, stem
from assistant.embedded.words.vocabulary import PEOPLE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Embed = Callable[[Sequence[str]], NDArray[np.float32]]

_COSINE_MIN = 0.45
_NEAR = 0.06
_NAMES_MAX = 300
_OPTIONS_MAX = 4
_LETTERS_MIN = 3
_SURE = 0.92
_PHRASE_MAX = 3
_LEAST, _PER_COSINE = 0.25, 0.7
"""How sure a link by likeness is."""


@dataclass
class Likeness:
    """Finds what unknown words may stand for in one source. Vectors are kept; safe to use from several threads."""

    schema: Schema
    embed: Embed
    _vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict, init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def linked(self, spans: Sequence[Span]) -> list[Span]:
        """The same spans, with options for unknown words where something in the source is like them."""
        if not any(span.unknown and _is_word(span) for span in spans):
            return list(spans)
        named = {o.entity.name for s in spans for o in s.options if isinstance(o, ToTable) and o.strength > _COSINE_MIN}
        known = self._names(named, {key for span in spans if (key := _said(span)) is not None})
        linked: list[Span] = []
        at = 0
        while at < len(spans):
            found = self._likened(spans[at : at + _PHRASE_MAX], known)
            linked.append(found or spans[at])
            at += found.end - found.start if found else 1
        return linked

    def _likened(self, spans: Sequence[Span], known: dict[str, list[Option]]) -> Span | None:
        """The first of some spans as what it is like, with those that follow where all of them together tell more."""
        best: Span | None = None
        most = 0.0
        for count, last in enumerate(spans, start=1):
            if not last.unknown or not _is_word(last) or last.end - spans[0].start != count:
                break
            text = " ".join(span.text for span in spans[:count])
            options = self._like(text, known)
            told = options[0].strength * count**0.5 if options else 0.0
            if told > most:
                most = told
                best = replace(spans[0], end=last.end, text=text, options=tuple(options), unknown=False, likened=True)
        return best

    def _names(self, tables: set[str], said: set[tuple[str, str]]) -> dict[str, list[Option]]:
        """What may be meant, under its name in words: not what is `said` by its own name, for it has no second one."""
        entities = [e for e in self.schema.entities.values() if (e.name, "") not in said]
        found: dict[str, list[Option]] = {}
        for entity in entities:
            found.setdefault(entity.one, []).append(ToTable(entity=entity, strength=1.0))
        attributes: Iterable[Attribute] = self.schema.attributes
        if len(self.schema.attributes) + len(found) > _NAMES_MAX:
            attributes = [a for a in self.schema.attributes if a.table in tables]
        for attribute in attributes:
            plain = attribute.role not in ("key", "reference", "other")
            if plain and (attribute.table, attribute.name) not in said:
                words = [spelt_out(word) for word in name_words(attribute.name)]
                own = [word for word in words if stem(word) in attribute.own]
                for name in dict.fromkeys((" ".join(words), " ".join(own or words))):
                    found.setdefault(name, []).append(ToColumn(attribute=attribute, strength=1.0))
        return found

    def _like(self, word: str, known: dict[str, list[Option]]) -> list[Option]:
        import numpy as np

        names = [name for name in known if not _is_another(word.lower(), name)]
        if not names:
            return []
        vectors = self._embedded([word.lower(), *names])
        likeness = np.stack(vectors[1:]) @ vectors[0]
        order = np.argsort(-likeness)
        best = float(likeness[order[0]])
        options: list[Option] = []
        for place in order:
            cosine = float(likeness[place])
            if cosine < max(_COSINE_MIN, best - _NEAR) or len(options) >= _OPTIONS_MAX:
                break
            fitting = (o for o in known[names[place]] if not (singular(word.lower()) in PEOPLE and _is_nobody(o)))
            options += [replace(option, strength=_LEAST + _PER_COSINE * cosine) for option in fitting]
        return strongest(options)[:_OPTIONS_MAX]

    def _embedded(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        with self._lock:
            new = list(dict.fromkeys(text for text in texts if text not in self._vectors))
            if new:
                self._vectors |= dict(zip(new, self.embed(new), strict=True))
            return [self._vectors[text] for text in texts]


def _is_nobody(option: Option) -> bool:
    """Whether no people can be meant: an instructor is no lesson time, and guests are no rooms."""
    if isinstance(option, ToTable):
        return not is_person(option.entity)
    return isinstance(option, ToColumn) and (option.attribute.is_number or option.attribute.is_time)


def _is_another(word: str, name: str) -> bool:
    """Whether the name is known to be of something else, however alike both may be."""
    return _kind_of(word, name) or _on_other_level(word, name) or _on_other_side(word, name)


def _on_other_side(word: str, name: str) -> bool:
    """Whether both are people who face each other: what is asked of suppliers is not told of customers."""
    said, held = stem(word.rsplit(maxsplit=1)[-1]), stem(name.rsplit(maxsplit=1)[-1])
    return any((said in one and held in other) or (said in other and held in one) for one, other in _SIDES)


def _kind_of(word: str, name: str) -> bool:
    """Whether a prefix makes another thing of what goes by the name: "backorders" are no orders like others."""
    return stem(word).removesuffix(stem(name)) in _PREFIXES


def _on_other_level(word: str, name: str) -> bool:
    """Whether both say a place, and a larger one than the other: what is asked by country is not told by city."""
    said, held = stem(word.rsplit(maxsplit=1)[-1]), stem(name.rsplit(maxsplit=1)[-1])
    levels = [level for level in _LEVELS if said in level]
    return bool(levels) and held not in levels[0] and any(held in level for level in _LEVELS)


_SIDES = tuple(
    (frozenset(stem(word) for word in one.split()), frozenset(stem(word) for word in other.split()))
    for one, other in (
        ("supplier vendor provider manufacturer seller", "customer client buyer shopper consumer purchaser"),
        ("employee staff worker salesperson agent representative", "customer client buyer shopper consumer guest"),
        ("teacher instructor professor tutor lecturer", "student pupil learner"),
        ("doctor physician nurse surgeon", "patient"),
        ("landlord lessor owner", "tenant lessee renter"),
        ("sender", "recipient receiver"),
    )
)
"""People who face each other: those who give, and those to whom it is given."""
_LEVELS = tuple(
    frozenset(stem(word) for word in words.split())
    for words in (
        "continent", "country nation land", "region area territory", "state province canton", "county district",
        "city town municipality village", "street address", "zip postcode",
    )
)  # fmt: skip
"""What places are called, from the largest to the smallest."""
_PREFIXES = frozenset(("back", "pre", "non", "un", "sub", "ex", "mis", "anti", "over", "under", "counter"))


def _said(span: Span) -> tuple[str, str] | None:
    """The table, or the table and the column, that a span surely names."""
    best = max(span.options, key=lambda option: option.strength, default=None)
    match best:
        case ToTable() if best.strength > _SURE:
            return best.entity.name, ""
        case ToColumn() if best.strength > _SURE:
            return best.attribute.table, best.attribute.name
        case _:
            return None


def _is_word(span: Span) -> bool:
    text = span.text
    return len(text) >= _LETTERS_MIN and text.isalpha() and (text.islower() or span.start == 0)
