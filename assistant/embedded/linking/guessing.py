"""Guessing: what a word that nothing goes by may have been: mistyped, or a name or code that was cut off.

"Custmers" are customers; "institution" may be a table `inst`, and "rejected" a status REJ.
"""

from __future__ import annotations

from difflib import get_close_matches

from assistant.embedded.linking.linker import Linker
from assistant.embedded.linking.options import Option, ToTable, ToValue, weaker
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.lexicon import Token

_TYPO_CUTOFF = 0.86
_CUT_MIN, _CUT_MAX = 4, 6
"""How many letters of a word its abbreviation keeps at least, and leaves out, and at most: a mountain is a word."""
_CODE_MIN, _CODE_MAX = 3, 5
"""How many first letters of a word make a code."""
_ORDINAL = "first"
"""Where nothing goes by it, it is no first name: "the first complaint"."""
_CODED = 0.8
"""How sure it is that a code stands for a word that begins alike."""


def guess(token: Token, linker: Linker) -> list[Option]:
    """What a misspelt word may have been, by the nearest name; weaker than any true link."""
    if token.kind != "word" or len(token.stem) < 5 or token.lower == _ORDINAL:
        return []
    close = get_close_matches(token.stem, linker.vocabulary, n=1, cutoff=_TYPO_CUTOFF)
    if not close:
        return _shortened(token.stem, linker) or _coded(token.lower, linker)
    return [weaker(option, 0.8) for option in linker.names((close[0],))]


def _coded(word: str, linker: Linker) -> list[Option]:
    """ "rejected" where a code is REJ: the first letters of the word, in a column of such codes."""
    for length in range(min(len(word) - 1, _CODE_MAX), _CODE_MIN - 1, -1):
        found = [f for f in linker.index.find([word[:length]]) if f.value.lower() == word[:length]]
        found = [f for f in found if not _numbers_named(f.attribute, linker)]
        codes = [f for f in found if all(v.isupper() and len(v) <= _CODE_MAX for v in f.attribute.known_values)]
        if codes:
            return [ToValue(attribute=f.attribute, value=f.value, strength=_CODED) for f in codes]
    return []


def _numbers_named(attribute: Attribute, linker: Linker) -> bool:
    """Whether a column holds keys of rows that have names: what employs somebody is no firm with the key EMP."""
    entity = linker.schema.entities[attribute.table]
    refers = attribute.role in ("key", "reference") or entity.key == (attribute.name,)
    return refers and attribute.name not in entity.label


def _shortened(word: str, linker: Linker) -> list[Option]:
    """ "institution" where a table is called inst: the name is cut off before a vowel, and no word by itself."""
    cut = [word[:length] for length in range(_CUT_MIN, min(len(word) - _CUT_MIN, _CUT_MAX) + 1)]
    known = [c for c in cut if c[-1] not in "aeiou" and word[len(c)] in "aeiou" and (c,) in linker.tables]
    return [weaker(o, 0.8) for o in linker.names((known[-1],)) if isinstance(o, ToTable)] if known else []
