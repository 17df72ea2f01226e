"""Base forms of English words: simplemma's, found in a file that is searched instead of being read whole.

simplemma decodes its dictionary of 180,000 words when first asked, which takes longer than all else that reading a
question does. Decoded once, it is kept in the user's cache as sorted lines, of which a look-up touches twenty. A word
that is not in it goes through simplemma's rules; they look into the same file.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox import cache as caches

if TYPE_CHECKING:
    from simplemma import Lemmatizer


@lru_cache(maxsize=50_000)
def base_form(word: str) -> str:
    """The base form of a word; the word itself where there is no other."""
    return _found(word) or _lemmatizer().lemmatize(word, lang="en")


def has_known(words: Iterable[str]) -> bool:
    """Whether one of some words is English; of one or two letters it tells nothing."""
    return any(len(word) > 2 and is_known(word) for word in words)


@lru_cache(maxsize=50_000)
def is_known(word: str) -> bool:
    """Whether a word is English."""
    if _is_plain(word):
        return _found(word) is not None
    from simplemma.strategies import DictionaryLookupStrategy

    return DictionaryLookupStrategy(_Factory()).get_lemma(word, "en") is not None


class WordForms(Mapping[str, str]):
    """The dictionary as a file of lines `word<tab>base form`, sorted by their bytes."""

    def __init__(self, lines: mmap.mmap | bytes) -> None:
        self._lines = lines

    def __getitem__(self, word: str) -> str:
        prefix = word.encode() + b"\t"
        low, high = 0, len(self._lines)
        while low < high:
            begin = self._lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = self._lines.find(b"\n", begin)
            line = self._lines[begin:end]
            if line.startswith(prefix):
                return line[len(prefix) :].decode()
            if line < prefix:
                low = end + 1
            else:
                high = begin
        raise KeyError(word)

    def __iter__(self) -> Iterator[str]:
        for line in self._lines[:].splitlines():
            yield line.partition(b"\t")[0].decode()

    def __len__(self) -> int:
        return self._lines[:].count(b"\n")


class _Factory:
    """Gives simplemma's strategies the file instead of a dictionary in memory."""

    def get_dictionary(self, lang: str) -> Mapping[str, str]:
        """The dictionary of English, the only one there is."""
        assert lang == "en"
        return _forms()


def _is_plain(word: str) -> bool:
    """Whether simplemma looks a word up as it stands, or with a capital."""
    return word.isascii() and word.isalpha() and word.islower()


def _found(word: str) -> str | None:
    if not _is_plain(word):
        return None
    return _forms().get(word) or _forms().get(word.capitalize())


@cache
def _lemmatizer() -> Lemmatizer:
    from simplemma import Lemmatizer
    from simplemma.strategies import DefaultStrategy

    return Lemmatizer(lemmatization_strategy=DefaultStrategy(dictionary_factory=_Factory()))


@cache
def _forms() -> WordForms:
    folder = caches.make_cache_folder("words")
    if folder is None:
        return WordForms(_decoded())
    path = folder / f"en-{version('simplemma')}.txt"
    if not path.exists():
        _write(path, _decoded())
    with path.open("rb") as file:
        return WordForms(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _decoded() -> bytes:
    """simplemma's dictionary as sorted lines."""
    from simplemma.strategies.dictionaries import DefaultDictionaryFactory

    words = DefaultDictionaryFactory().get_dictionary("en")
    return b"".join(sorted(f"{word}\t{base}\n".encode() for word, base in words.items()))


def _write(path: Path, lines: bytes) -> None:
    """Write the file in one step: another program may be at it too."""
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_bytes(lines)
    draft.replace(path)
