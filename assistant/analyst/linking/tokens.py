"""A question as words, and the operators of the lexicon that they are."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

from rapidfuzz.distance import OSA

from assistant.analyst.lexicon.files import listed, read, section
from assistant.analyst.names import lemma

_TOKEN = re.compile(
    r"\"[^\"]+\"|(?<!\w)'[^']+'(?!\w)|\d{4}-\d\d-\d\d|(?<!\d)\d(?:st|nd|rd|th)\b|\$?\d+(?:,\d{3})+(?:\.\d+)?|\$?\d+(?:\.\d+)?|n't|[A-Za-z]+(?=n't)"
    r"|[^\W\d_]+|'s|[<>]=?|=|%|[,;:?.&/#-]"
)
_CHUNK = re.compile(r"[^\s\"]+")
_CHUNKS_MAX = 6
_SLIP_LEAST = 4
_LONG = 6
_DENIALS = "not flagged"
CLOSED = frozenset(("function words", "request", "relation"))
"""Classes of words that are no operators."""
"""Words that say that a flag is not set: words of content, not operators."""
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One token. `text` without quotes; `lower` in lower case; `lemma` the base form; `slip`: how it was misspelt.
    `start`: the place of its first character in the question."""

    text: str
    lower: str
    lemma: str
    quoted: bool = False
    slip: str = ""
    start: int = field(default=0, compare=False)

    @property
    def is_word(self) -> bool:
        """Whether it is more than a sign."""
        return (
            self.quoted or self.lower.lstrip("$_#@.")[:1].isalnum() or self.lower in ("%", "<", ">", ">=", "<=", "n't")
        )

    @property
    def cased(self) -> str:
        """It as it is split into the words of a name: camel case is kept, a word all in capitals ("IDs") is not."""
        mixed = not self.text.removesuffix("s").isupper() and any(letter.isupper() for letter in self.text[1:])
        return self.text if mixed else self.lower


def split(text: str) -> list[str]:
    """A text as tokens."""
    return _TOKEN.findall(text)


def words(question: str, whole_names: Container[str] = (), names: Container[str] = ()) -> tuple[Word, ...]:
    """The words and signs of a question, without courtesies: they change nothing.

    Args:
        question: The question.
        whole_names: Names of the data, in lower case, that are one word although they hold signs: "i.a", "P0".
        names: All names of the data: they are no courtesies.
    """
    tokens: list[Word] = []
    for start, text in _tokens(question.translate(_QUOTES), whole_names):
        quoted = len(text) > 2 and text[0] in "'\"" and text[-1] == text[0]
        bare = text[1:-1] if quoted else text
        lower = bare.lower()
        if lower in listed("operators", "courtesies") and not quoted and not (tokens and lower in names):
            continue
        base = lemma(lower) if lower.isalpha() else lower
        tokens.append(Word(text=bare, lower=lower, lemma=base, quoted=quoted, start=start))
    return tuple(tokens)


def _tokens(text: str, whole_names: Container[str]) -> Iterator[tuple[int, str]]:
    """The tokens of a text, each with its place: of the names that begin at one the longest is one token."""
    chunks = {match.start(): match for match in _CHUNK.finditer(text)} if whole_names else {}
    end = 0
    for match in _TOKEN.finditer(text):
        if match.start() < end:
            continue
        beginning = next((at for at in range(match.start(), end - 1, -1) if at in chunks), match.start())
        token, start = match[0], match.start()
        for size in range(_CHUNKS_MAX, 0, -1) if beginning in chunks else ():
            text_ahead = " ".join(text[beginning:].split()[:size]).rstrip(",;:?!")
            ways = (text_ahead, text_ahead.rstrip("."), text_ahead.removesuffix("'s"))
            name = next((variant for variant in ways if variant.casefold() in whole_names), "")
            if name and text.startswith(name, beginning):
                token, start = name, beginning
                break
        end = start + len(token)
        yield start, token


@cache
def operators() -> dict[str, tuple[tuple[str, str], ...]]:
    """Phrase to its categories and meanings."""
    entries_of: dict[str, list[tuple[str, str]]] = {}
    for category, meanings in read("operators").items():
        if not isinstance(meanings, dict) or category == _DENIALS:
            continue
        for meaning, phrases in meanings.items():
            if isinstance(phrases, list):
                for phrase in phrases:
                    entries_of.setdefault(str(phrase), []).append((category, str(meaning)))
    return {phrase: tuple(entries) for phrase, entries in entries_of.items()}


@cache
def _spelt() -> dict[str, frozenset[str]]:
    """A first letter to the words of operators, months and synonyms that begin with it and may be misspelt."""
    vocabulary = {
        word
        for phrase, of in operators().items()
        if not {category for category, _ in of} <= CLOSED
        for word in phrase.split()
    }
    vocabulary |= {*synonyms(), *numbers("months"), *section("operators", "weekdays")}
    long = sorted(word for word in vocabulary if len(word) >= _SLIP_LEAST and word.isalpha())
    return {first: frozenset(words) for first, words in groupby(long, key=lambda word: word[0])}


def without_slip(word: str) -> str:
    """The one word of the lexicon that a word differs from by a slip; itself where there is none or several.

    A slip leaves a letter out or turns two; in longer words it may also add or change one.
    """
    near = [candidate for candidate in _spelt().get(word[0], ()) if OSA.distance(word, candidate, score_cutoff=1) == 1]
    if len(word) < _LONG:
        near = [candidate for candidate in near if len(candidate) > len(word) or sorted(candidate) == sorted(word)]
    return near[0] if len({lemma(candidate) for candidate in near}) == 1 else word


@cache
def telling() -> frozenset[str]:
    """The phrases of operators that change an answer: not of a sum, which measures come to unsaid, nor "every"."""
    categories, plain = listed("operators", "telling"), ("sum", "from", "every")
    entries = operators().items()
    return frozenset(phrase for phrase, of in entries if any(c in categories and m not in plain for c, m in of))


@cache
def light() -> frozenset[str]:
    """Words that bring nothing to a query by themselves."""
    return frozenset(phrase for phrase, entries in operators().items() if any(c in CLOSED for c, _ in entries))


@cache
def of_class(name: str) -> frozenset[str]:
    """The words of a class: `function words`, `request` or `relation`."""
    return frozenset(phrase for phrase, entries in operators().items() if any(c == name for c, _ in entries))


@cache
def numbers(key: str) -> dict[str, float]:
    """A table of number words, months or weekdays."""
    return {str(word): float(str(value)) for word, value in section("operators", key).items()}


def whole_number(word: Word) -> int | None:
    """The number that a word says, in digits or as a word; None for 0 in words and for other words."""
    digits = word.lower if word.lower.isdigit() else numbers("numbers").get(word.lower)
    return int(digits) if digits else None


@cache
def unflagged() -> dict[str, str]:
    """A word that says that a flag is not set to the flag's word: `died` to `survive`."""
    denials = section("operators", _DENIALS)
    return {
        str(word): flag
        for flag, denied_words in denials.items()
        if isinstance(denied_words, list)
        for word in denied_words
    }


@cache
def unit_words() -> dict[str, str]:
    """A word for a unit to the unit that it is: `minutes` to `minute`, `$` to `usd`."""
    return {
        word: unit for unit, spellings in section("operators", "unit words").items() for word in str(spellings).split()
    }


@cache
def synonyms() -> dict[str, frozenset[str]]:
    """Word to the words that mean nearly the same."""
    members_of: dict[str, set[str]] = {}
    groups = read("operators")["synonyms"]
    for group in groups if isinstance(groups, list) else ():
        members = {lemma(word) for word in str(group).split()}
        for word in members:
            members_of.setdefault(word, set()).update(members)
    return {word: frozenset(equivalents) for word, equivalents in members_of.items()}


@cache
def general() -> dict[str, tuple[str, ...]]:
    """Role to the words that may be said beside the name of such a column: the received *date*."""
    return {role: tuple(str(spellings).split()) for role, spellings in section("columns", "general").items()}


@cache
def meant_values() -> dict[str, tuple[tuple[frozenset[str], tuple[str, ...]], ...]]:
    """A word to the values that it may stand for, in columns with one of some words in their names."""
    entries_of: dict[str, list[tuple[frozenset[str], tuple[str, ...]]]] = {}
    for names, meanings in section("columns", "values").items():
        for word, values in meanings.items() if isinstance(meanings, dict) else ():
            value_names = tuple(map(str, values)) if isinstance(values, list) else ()
            entries_of.setdefault(word, []).append((frozenset(names.split()), value_names))
    return {word: tuple(entries) for word, entries in entries_of.items()}


def costs(question: tuple[Word, ...]) -> tuple[float, ...]:
    """What leaving each word unread costs: nothing for signs, little for light words, less for operators."""
    entries_of = operators()

    def cost(word: Word) -> float:
        if not word.is_word:
            return 0.0
        if word.quoted or word.lower not in entries_of:
            return 1.0
        return 0.05 if word.lower in light() else 0.5

    return tuple(map(cost, question))


def is_deed(word: Word) -> bool:
    """Whether a word is another form than that of its entry in a dictionary, and no plural: "left", "rented"."""
    return word.lemma != word.lower and not word.lower.endswith(tuple(listed("operators", "plurals")))
