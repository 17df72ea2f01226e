"""Names in an answer that the data has and its results do not: "Mexican is rated best" of a table without it. Pure.

A result's column whose values all belong to one column of a source is of that column. Its further values are looked for
in the prose: each is a name that is known and yet in no row of the result. Left alone are sentences that say so (`no`,
`without`; `said.yaml`), names that begin a sentence, and what the question, the plan or the code says.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from assistant.agents.model.vocabulary import WORD, sentences, vocabulary

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

_NAME_CHARS = 3


def values_of_no_row(
    text: str, known: str, *, tables: Sequence[TableView], domains: Sequence[Collection[str]]
) -> Iterator[str]:
    """The values of the data that an answer names though its results leave them out.

    Args:
        text: The answer.
        known: What may be said besides: question, plan, code, and what the cells printed.
        tables: The results; one that is not whole leaves nothing to say.
        domains: For each column of the sources that has few texts, all of these.
    """
    held = {cell for table in tables for row in table.rows for cell in row if isinstance(cell, str)}
    absent = {value for values in _domains_of(tables, domains) for value in values if _is_name(value)} - held
    absent = {value for value in absent if not _holds(known, value)}
    if not absent:
        return
    denying = vocabulary().denying
    for sentence in sentences(text):
        if denying.isdisjoint(word.casefold() for word in WORD.findall(sentence)):
            rest = sentence.partition(" ")[2]
            yield from sorted(value for value in absent if _holds(rest, value) and not _within(value, rest, held))


def _domains_of(tables: Sequence[TableView], domains: Sequence[Collection[str]]) -> Iterator[Collection[str]]:
    for table in tables:
        if len(table.rows) < table.total:
            continue
        for place in range(len(table.columns)):
            values = {row[place] for row in table.rows}
            if values and all(isinstance(value, str) for value in values):
                yield from (domain for domain in domains if values <= set(domain))


def _is_name(value: str) -> bool:
    return len(value) >= _NAME_CHARS and value[0].isupper() and not value.isupper()


def _within(value: str, text: str, names: Collection[str]) -> bool:
    """Whether the value is only a part of a longer name that the results hold ("York" of "New York")."""
    return any(value in name and _holds(text, name) for name in names)


def _holds(text: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None
