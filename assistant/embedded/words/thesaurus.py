"""Words that mean the same in most businesses. A synonym is a weaker link than the name itself.

A word may stand in several groups: "position" is a job as well as a rank. Only what people and schemas call things is
listed, in rooms by subject (`synonyms`); how single words are compared is in `lexicon`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from assistant.embedded.words.lexicon import stem
from assistant.embedded.words.synonyms.culture import CULTURE
from assistant.embedded.words.synonyms.nature import NATURE
from assistant.embedded.words.synonyms.people import PEOPLE
from assistant.embedded.words.synonyms.places import PLACES
from assistant.embedded.words.synonyms.qualities import QUALITIES
from assistant.embedded.words.synonyms.states import STATES
from assistant.embedded.words.synonyms.trade import TRADE
from assistant.embedded.words.synonyms.work import WORK

SYNONYMS: tuple[tuple[str, ...], ...] = (*PEOPLE, *WORK, *TRADE, *PLACES, *CULTURE, *NATURE, *QUALITIES, *STATES)


def _phrase(words: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in words.split() if word not in ("of", "the"))


def _synonym_table() -> dict[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    table: dict[tuple[str, ...], dict[tuple[str, ...], None]] = {}
    for group in SYNONYMS:
        phrases = [_phrase(words) for words in group]
        for phrase in phrases:
            table.setdefault(phrase, {}).update((other, None) for other in phrases if other != phrase)
    return {phrase: tuple(others) for phrase, others in table.items()}


_SYNONYM_OF = _synonym_table()
_SYNONYM_MAX = max(map(len, _SYNONYM_OF))


def other_words(stems: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Other ways to say a whole phrase, as stems."""
    return _SYNONYM_OF.get(stems, ())


def synonyms(stems: tuple[str, ...], known: Container[str]) -> dict[tuple[str, ...], int]:
    """Other ways to say the same in words that are `known`, as stems, each with how many parts of it are said so.

    Each part of a phrase may stand for another: a "client birthday" is the birth date of a customer.
    """
    ways: dict[tuple[str, ...], int] = {}
    for words, changed in _ways(stems, known):
        if changed and words != stems:
            ways[words] = min(changed, ways.get(words, changed))
    return ways


def _ways(stems: tuple[str, ...], known: Container[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Phrases that say the same, part by part, each with how many of its parts are said in other words."""
    if not stems:
        yield (), 0
        return
    heads: list[tuple[tuple[str, ...], int, int]] = [(stems[:1], 1, 0)] if stems[0] in known else []
    for length in range(1, min(len(stems), _SYNONYM_MAX) + 1):
        others = _SYNONYM_OF.get(stems[:length], ())
        heads += [(other, length, 1) for other in others if all(word in known for word in other)]
    for head, length, replaced in heads:
        for rest, changed in _ways(stems[length:], known):
            yield (*head, *rest), replaced + changed
