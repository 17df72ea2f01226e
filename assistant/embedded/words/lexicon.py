"""Words: how a question is cut into tokens, how words and names are stemmed, and how names are spoken.

English only; lists of words are in `vocabulary`, the names of a source in `schema`, cue phrases in `patterns`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from assistant.embedded.words.abbreviations import ABBREVIATED, SHORT_TAILS
from assistant.embedded.words.vocabulary import IRREGULAR, NUMBER_WORDS, STOP_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A word, number or quoted text of a question. `stem` is what names are compared by.

    `parted`: a comma or the end of a sentence stands before it.
    """

    kind: Literal["word", "number", "quoted"]
    text: str
    lower: str
    stem: str
    number: float | None = None
    parted: bool = False


_TOKEN = re.compile(
    r"\"(?P<q1>[^\"]+)\"|(?<![\w])'(?P<q2>[^']+)'(?![\w])|(?P<iso>\d{4}-\d\d-\d\d|(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?![\w-]))"
    r"|(?P<site>@?[A-Za-z0-9][\w.+-]*@[\w-]+(?:\.[\w-]+)+|@?[A-Za-z][\w-]*\.(?:com|org|net|edu|gov|io|co\.uk)\b|@[\w.-]+\w)"
    r"|(?P<num>(?:(?<![\w)])-(?=\d))?\d(?:[\d,]*\d)?(?:\.\d+)?)(?P<suffix>[kKmM%])?(?![\w])"
    r"|(?P<sign>[<>!=]=|<>|[<>=≤≥≠])"
    r"|(?P<word>[^\W_][\w]*(?:['’](?!s\b)\w+)?)",
)


_SIGNS = {
    **dict.fromkeys((">=", "≥"), "at least"),
    **dict.fromkeys(("<=", "≤"), "at most"),
    **dict.fromkeys(("!=", "<>", "≠"), "is not"),
    **dict.fromkeys(("=", "=="), "equals"),
    ">": "more than",
    "<": "less than",
}
"""Comparisons as they are written, in words."""


def tokens(question: str) -> tuple[Token, ...]:
    """Cut a question into tokens; punctuation only parts them, and `'s` falls away."""
    text = question.replace("“", '"').replace("”", '"').replace("‘", "'").replace("’", "'").replace("``", '"')
    text = re.sub(r"(?<=\w)'s\b", "", text)
    text = re.sub(r"\b(I|we|you|they|he|she|it|that|there|who)'(?:d|ve|re|ll|m)\b", r"\1", text, flags=re.IGNORECASE)
    text = _MAIL.sub("email", text)
    text = _MONTH_OF_YEAR.sub(r"\g<month> 20\g<year>", text)
    text = re.sub(r"(?<=\d) ?%|(?<=\s)%(?=\s|$)|^\s*%(?=\s)", " percent", text)
    found: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        known, parted, end = len(found), _PARTS & set(text[end : match.start()]), match.end()
        quoted = match["q1"] or match["q2"] or match["site"]
        if quoted:
            found.append(Token(kind="quoted", text=quoted.strip(), lower=fold(quoted), stem=fold(quoted)))
        elif match["sign"]:
            found += [_word(part) for part in _SIGNS[match["sign"]].split()]
        elif match["iso"]:
            found.append(Token(kind="word", text=match["iso"], lower=match["iso"], stem=match["iso"]))
        elif match["num"]:
            number = float(match["num"].replace(",", "")) * _SUFFIX.get((match["suffix"] or "").lower(), 1.0)
            plain = match["num"].replace(",", "")
            found.append(Token(kind="number", text=match["num"], lower=plain, stem=plain, number=number))
        else:
            for part in match["word"].split("_"):
                if fold(part):
                    found.append(_word(part))
        if parted and len(found) > known:
            found[known] = replace(found[known], parted=True)
    return tuple(found)


_MONTH_OF_YEAR = re.compile(
    r"\b(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[-']+(?P<year>[0-4]\d)\b", re.IGNORECASE
)
"""A month as spreadsheets write it: Mar-24."""
_MAIL = re.compile(r"\be-mail", re.IGNORECASE)
_PARTS = frozenset(",;:.?!")


def _word(text: str) -> Token:
    lower = fold(text)
    return Token(kind="word", text=text, lower=lower, stem=stem(lower), number=NUMBER_WORDS.get(lower))


_SUFFIX = {"k": 1e3, "m": 1e6}


def fold(text: str) -> str:
    """Lower case without accents, with single spaces: what texts are compared by."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A light stem: the plural and the commonest verb endings go, abbreviations of column names are spelt out."""
    word = ABBREVIATED.get(word, word)
    if word in IRREGULAR:
        return IRREGULAR[word]
    word = _BRITISH.sub(r"\1z\2", word)
    if len(word) <= 3 or word.isdigit():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif re.search(r"(ss|sh|ch|x|zz)es$", word):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    word = ABBREVIATED.get(word, word)
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    if word.endswith("ied") and len(word) > 4:
        word = word[:-3] + "y"
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


_BRITISH = re.compile(r"(?<=\w\w[^\Wv])([iy])s(e|es|ed|ing|er|ers|ation|ations)$")
"""Words that are written with an s or a z, such as authorised: all are compared by their z."""


@lru_cache(maxsize=20_000)
def root(word: str) -> str:
    """What the stem of a noun has in common with that of its verb: approval and approved, interaction and interact."""
    for ending in ("ation", "ment", "ion", "al", "at"):
        if word.endswith(ending) and len(word) >= len(ending) + _ROOT_MIN:
            return word[: -len(ending)]
    return word


_ROOT_MIN = 5
"""How many letters are left of a word at least: a mental note is of no man."""


def does(verb: str, noun: str) -> bool:
    """Whether a noun is who does, has done to them, or the deed of what a verb says: directed, director."""
    common = root(verb)
    who = noun[len(common) :] if noun.startswith(common) else ""
    who = who[1:] if who[:1] == common[-1:] and len(common) >= _SHARED_MIN else who  # shipper
    return who in (_DOERS if len(common) >= _SHARED_MIN else _SHORT_DOERS if len(common) == _SHARED_MIN - 1 else ())


_SHARED_MIN = 4
_DOERS = frozenset(("er", "or", "r", "e", "ee"))
_SHORT_DOERS = frozenset(("er", "or"))
"""How the nouns of those who do something end, or of those to whom it is done, as stems."""


def is_past(word: str) -> bool:
    """Whether a word looks like what was done: "placed"; a speed and a breed are things."""
    return word.endswith("ed") and (not word.endswith("eed") or word in _PAST)


_PAST = frozenset(("agreed", "freed"))


def sentence_of(text: str) -> str:
    """A sentence in single spaces, without what ends it."""
    return _ENDED.sub("", " ".join(text.split()))


_ENDED = re.compile(r"[\s?!.,;:]+$")


def telling_stems(text: str) -> frozenset[str]:
    """The words of a text as names are compared, without those that say nothing."""
    return frozenset(stem(word) for word in name_words(text) if word not in STOP_WORDS)


def spelt_out(word: str) -> str:
    """The word that another is short for, or that word itself."""
    return ABBREVIATED.get(word, word)


@lru_cache(maxsize=20_000)
def shortens(short: str, word: str) -> bool:
    """Whether a word in a name may be short for another: its first letters, or its first one and further consonants.

    Two letters are enough where the word has no other consonants: `ln` is a line.
    """
    if not word.startswith(short[:1]) or not short.isalpha():
        return False
    if word.startswith(short):
        return _SHORT_MIN <= len(short) <= _SHORT_MAX and len(word) >= len(short) + 2
    bones = [letter for letter in word[1:] if letter not in _VOWELS]
    if len(short) < _SHORT_MIN or len(word) <= len(short):
        return len(short) == 2 and bones == list(short[1:])
    rest = iter(bones)
    return not _VOWELS & set(short[1:]) and all(letter in rest for letter in short[1:])


_SHORT_MIN, _SHORT_MAX = 3, 5
_VOWELS = frozenset("aeiou")


def is_short(word: str) -> bool:
    """Whether a word in a name is short for another; in a value it stands for itself: a cat is no category."""
    return word in ABBREVIATED


@lru_cache(maxsize=20_000)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a table's or column's name in lower case: `InvoiceLine`, `invoice_line` give invoice, line."""
    if name.lower() in ABBREVIATED:
        return (name.lower(),)
    spaced = re.sub(
        r"(?<=[KMGT])iB(?![a-z])", "ib", _MAIL.sub("email", name).replace("#", " number ").replace("%", " percent ")
    )
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", spaced)
    spaced = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", spaced)
    words = [word for word in re.split(r"[\W_]+", fold(spaced)) if word]
    return tuple(part for word in words for part in _parted(word)) or (fold(name),)


def _parted(word: str) -> tuple[str, ...]:
    """The words that a date's name was put together from: `hiredate`; birthdate is a word, and so are verbs."""
    glued = word.endswith("date") and len(word) >= _GLUED_MIN and word not in _WHOLE
    return (word.removesuffix("date"), "date") if glued else (word,)


_GLUED_MIN = 7
_WHOLE = frozenset(
    ("birthdate", "candidate", "mandate", "validate", "invalidate", "liquidate", "consolidate", "accommodate", "sedate")
)


def name_stems(name: str) -> tuple[str, ...]:
    """The stems of a name's words; the short last word of several, as in `country_cd`, is spelt out."""
    words = name_words(name)
    if len(words) > 1 and words[-1] in SHORT_TAILS:
        words = (*words[:-1], SHORT_TAILS[words[-1]])
    return tuple(stem(word) for word in words)


def spoken(name: str) -> str:
    """A name as people say it: `unit_price` and `UnitPrice` are both "unit price"."""
    return " ".join(name_words(name)) or name


_PLURALS = {"person": "people", "man": "men", "woman": "women", "child": "children"}
"""Plurals that no rule makes."""
_OF_NOUN = re.compile(r"(?!out of )(\w.*?\w)( (?:for|of|in|to|by|with|at|on|from|per) .+)")
"""A noun and what says more of it: the plural of "order to ship" is "orders to ship"."""


def plural(words: str) -> str:
    """The plural of a spoken name, if it is not one yet."""
    if noun := _OF_NOUN.match(words):
        return plural(noun[1]) + noun[2]
    head, _, last = words.rpartition(" ")
    if last in _PLURALS or last in _PLURALS.values():
        return f"{head} {_PLURALS.get(last, last)}".strip()
    if words.endswith("s") and not words.endswith("ss"):
        return words
    if words.endswith("y") and words[-2:-1] not in "aeiou":
        return words[:-1] + "ies"
    if words.endswith(("s", "sh", "ch", "x", "z")):
        return words + "es"
    return words + "s"


def singular(words: str) -> str:
    """The singular of a spoken name: its last word loses a plural ending."""
    if noun := _OF_NOUN.match(words):
        return singular(noun[1]) + noun[2]
    head, _, last = words.rpartition(" ")
    if last in _PLURALS.values():
        last = next(one for one, many in _PLURALS.items() if many == last)
    if last.endswith("ies") and len(last) > 4:
        last = last[:-3] + "y"
    elif re.search(r"(ss|sh|ch|x)es$", last):
        last = last[:-2]
    elif last.endswith("s") and not last.endswith(("ss", "us", "is")):
        last = last[:-1]
    return f"{head} {last}".strip()
