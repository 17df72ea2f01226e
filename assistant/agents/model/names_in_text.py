"""Names in an answer that nothing known holds: set off (bold, or in quotes), or in running prose. Pure.

In prose, a name is a run of words with a capital that does not only begin its sentence. It is looked at where the
results hold names themselves, and passes where one of its words is known in any form. A name that begins a sentence
alone is missed, and so is one in a language that writes every noun with a capital: a wrong alarm costs more than that.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from assistant.agents.model.vocabulary import WORD, load_vocabulary
from assistant.claims.parts import split_sentences

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

_SET_OFF = re.compile(r"\*\*(.+?)\*\*|“(.+?)”|\"(.+?)\"")
_STEM_CHARS = 4
_NAMES_SHARE = 0.5


def find_names_set_off(text: str, known_text: str) -> Iterator[str]:
    """Names in bold or in quotes that the known text does not hold."""
    words = _squeeze(known_text)
    for match in _SET_OFF.finditer(text):
        name = next(group for group in match.groups() if group)
        if not re.search(r"\d", name) and _squeeze(name) not in words:
            yield name


def find_names_in_prose(text: str, known_texts: Iterable[str], *, tables: Sequence[TableView]) -> Iterator[str]:
    """Names in running prose that share no word with what is known; none where the results hold no names.

    Args:
        text: The answer.
        known_texts: All texts whose words may be said: question, plan, code, results, knowledge, schema.
        tables: The results.
    """
    listed = load_vocabulary()
    answer_words = set(WORD.findall(text))
    if not any(_holds_names(table) for table in tables) or answer_words & listed.nouns_capitalised:
        return
    runs = list(_find_runs(_SET_OFF.sub(" , ", text)))
    if not runs:
        return
    stems = sorted(
        {word.casefold() for known_text in known_texts for word in WORD.findall(known_text)} | listed.ordinary
    )
    yield from (" ".join(run) for run in runs if not any(_is_known(word.casefold(), stems) for word in run))


def _holds_names(table: TableView) -> bool:
    """Whether a column holds names, and all of its rows are known."""
    if len(table.rows) < table.total:
        return False
    for place, name in enumerate(table.columns):
        texts = [row[place] for row in table.rows if isinstance(row[place], str)]
        if name not in table.temporal and texts:
            capital = sum(bool(_is_capitalised(text)) for text in map(str, texts))
            if capital >= _NAMES_SHARE * len(table.rows):
                return True
    return False


def _find_runs(text: str) -> Iterator[tuple[str, ...]]:
    """The runs of words with a capital, without the word that begins each sentence."""
    for sentence in split_sentences(text):
        matches = list(WORD.finditer(sentence))
        run: list[str] = []
        for before, word in pairwise(matches):
            between = sentence[before.end() : word.start()]
            if run and not (between == " " and _is_capitalised(word[0])):
                yield tuple(run)
                run = []
            if _is_capitalised(word[0]) and ":" not in between:  # what follows a colon begins anew
                run.append(word[0])
        if run:
            yield tuple(run)


def _is_capitalised(word: str) -> bool:
    """Whether it is written as a name: a capital, then small letters; no abbreviation, no figure."""
    return len(word) > 2 and word[0].isupper() and word[1:2].islower() and not any(sign.isdigit() for sign in word)


def _is_known(word: str, stems: Sequence[str]) -> bool:
    """Whether a known word begins with it, or it begins with a known word, as `Germany's` with `Germany`."""
    stem = re.sub(r"['’]s?$", "", word)
    if any(part in stems for part in stem.split("-")) or _is_beginning(stem, stems):
        return True
    return any(_is_listed(stem[:length], stems) for length in range(_STEM_CHARS, len(stem)))


def _is_listed(word: str, stems: Sequence[str]) -> bool:
    place = bisect_left(stems, word)
    return place < len(stems) and stems[place] == word


def _is_beginning(stem: str, stems: Sequence[str]) -> bool:
    place = bisect_left(stems, stem)
    return place < len(stems) and (stems[place] == stem or (len(stem) >= _STEM_CHARS and stems[place].startswith(stem)))


def _squeeze(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", text.casefold()).split())
