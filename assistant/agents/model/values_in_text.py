"""Names in an answer that the data has and its results do not: "Mexican is rated best" of a table without it. Pure.

A result's column whose values all belong to one column of a source is of that column. Its further values are looked for
in the prose: each is a name that is known and yet in no row of the result. Left alone are sentences that say so (`no`,
`without`; `prose_words.yaml`), names that begin a sentence, and what the question, the plan or the code says.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from assistant.agents.model.vocabulary import WORD, load_vocabulary
from assistant.claims.parts import split_sentences

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

_NAME_CHARS = 3


def find_values_of_no_row(
    text: str, known_text: str, *, tables: Sequence[TableView], domains: Sequence[Collection[str]]
) -> Iterator[str]:
    """The values of the data that an answer names though its results leave them out.

    Args:
        text: The answer.
        known_text: What may be said besides: question, plan, code, and what the cells printed.
        tables: The results; one that is not whole leaves nothing to say.
        domains: For each column of the sources that has few texts, all of these.
    """
    result_values = {cell for table in tables for row in table.rows for cell in row if isinstance(cell, str)}
    absent = {value for values in _find_domains(tables, domains) for value in values if _is_name(value)} - result_values
    absent = {value for value in absent if not _has_value(known_text, value)}
    if not absent:
        return
    denying = load_vocabulary().denying
    for sentence in split_sentences(text):
        if denying.isdisjoint(word.casefold() for word in WORD.findall(sentence)):
            remainder = sentence.partition(" ")[2]
            yield from sorted(
                value
                for value in absent
                if _has_value(remainder, value) and not _is_within(value, remainder, result_values)
            )


def _find_domains(tables: Sequence[TableView], domains: Sequence[Collection[str]]) -> Iterator[Collection[str]]:
    for table in tables:
        if len(table.rows) < table.total:
            continue
        for place in range(len(table.columns)):
            values = {row[place] for row in table.rows}
            if values and all(isinstance(value, str) for value in values):
                yield from (domain for domain in domains if values <= set(domain))


def _is_name(value: str) -> bool:
    return len(value) >= _NAME_CHARS and value[0].isupper() and not value.isupper()


def _is_within(value: str, text: str, names: Collection[str]) -> bool:
    """Whether the value is only a part of a longer name that the results hold ("York" of "New York")."""
    return any(value in name and _has_value(text, name) for name in names)


def _has_value(text: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None
