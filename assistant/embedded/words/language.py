"""Tells a question in another language by its commonest words or its letters. It does not translate."""

from __future__ import annotations

import re
import unicodedata

from assistant.embedded.words.vocabulary import word_set

_COMMON = {
    "German": "der die das und ist wie viele wieviel welche welcher welches hoch war waren pro gibt es im nach zeige"
    " mir den letzten umsatz kunden nicht haben hat für von mit je",
    "French": "le la les des du et est combien quel quelle quels quelles par pour avec chiffre affaires clients dans"
    " montre moi sont il y a au aux",
    "Spanish": "el los las de del y es cuántos cuantos cuántas cuantas cuál cual qué que por para con ventas clientes"
    " muestra son hay en último",
    "Italian": "il lo gli dei delle e è quanti quante qual quale per con vendite clienti mostra sono ci nel",
    "Portuguese": "o os as dos das e é quantos quantas qual quais por para com vendas clientes mostre são há no na",
    "Dutch": "de het een en is hoeveel welke per voor met omzet klanten toon mij zijn er van",
}
_WORDS = {name: frozenset(words.split()) for name, words in _COMMON.items()}
_ENGLISH = word_set(
    "the of is are was were what which how many much show list by per and for in with who that do does did me all"
    " top from to have has last this number total average each or not but without than"
)
_EITHER = frozenset(("a", "as", "no", "is", "in", "per"))
"""Words of English that are common elsewhere as well, and tell nothing: "twice as long as"."""
_SCRIPTS = {
    "CYRILLIC": "a Cyrillic script",
    "CJK": "Chinese or Japanese",
    "HIRAGANA": "Japanese",
    "HANGUL": "Korean",
    "ARABIC": "Arabic",
    "GREEK": "Greek",
    "HEBREW": "Hebrew",
    "DEVANAGARI": "Hindi",
    "THAI": "Thai",
}


def foreign(question: str) -> str | None:
    """The name of the language a question seems to be in, or None for English and for what cannot be told."""
    letters = [c for c in question if c.isalpha()]
    for script, name in _SCRIPTS.items():
        count = sum(1 for c in letters if unicodedata.name(c, "").startswith(script))
        if letters and count > len(letters) / 3:
            return name
    words = re.findall(r"[^\W\d_]+", re.sub(r"[\"“'].*?[\"”']", " ", question.lower()))
    english = sum(1 for word in words if word in _ENGLISH)
    scores = {name: sum(1 for word in words if word in common - _EITHER) for name, common in _WORDS.items()}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] >= 2 and scores[best] > english else None
