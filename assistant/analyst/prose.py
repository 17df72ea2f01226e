"""Definitions that people give in a sentence, read by the grammar itself.

"A customer with at least three orders" is a condition on customers, "net revenue divided by order count" a figure. What
cannot be read whole stays a text for people; nothing is guessed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from assistant.analyst.algebra import NO_FILTER, Column, Condition, Grouped, Listing, Member, Rows
from assistant.analyst.known.documents import NamedMetric, NamedTerm, name_words
from assistant.analyst.reading import QuestionReading
from assistant.analyst.source import AnalystSource

if TYPE_CHECKING:
    from knowledge.documents import Term

_SURE = 0.5
"""How sure a reading of a definition must be: the person is told at once what it comes to."""
_READINGS = 6
_CHARS_MAX = 200


def learned_from_prose(source: AnalystSource) -> None:
    """Let a source know what its terms in prose mean, one after another, so that one may build on the one before."""
    for term in source.known.prose:
        definition = _read(term, source)
        if isinstance(definition, NamedTerm):
            source.learn(replace(source.known, terms=(*source.known.terms, definition)))
        elif definition is not None:
            source.learn(replace(source.known, metrics=(*source.known.metrics, definition)))


def not_understood(source: AnalystSource) -> tuple[Term, ...]:
    """The terms in prose that a source cannot compute with, once it has learned what it can."""
    return tuple(term for term in source.known.prose if not _is_named(term, source))


def _read(term: Term, source: AnalystSource) -> NamedTerm | NamedMetric | None:
    if _is_named(term, source):
        return None
    text = re.split(r"(?<=[^.\d])[.;](?:\s|$)", term.definition.strip())[0]
    if not text or len(text) > _CHARS_MAX:
        return None
    candidates = source.candidates(text)
    if candidates.confidence < _SURE:
        return None
    for candidate in candidates.readings[:_READINGS]:
        definition = _defined(term, candidate, source)
        if definition is not None and not candidate.unread:
            return definition
    return None


def _is_named(term: Term, source: AnalystSource) -> bool:
    """Whether a word is one of the data's own, or defined already: prose then only comments on it."""
    words = name_words(term.name)
    own = [table.words for table in source.schema.tables.values()]
    own += [typed.words for typed in source.schema.typed.values()]
    defined = [name_words(name) for entry in (*source.known.metrics, *source.known.terms) for name in entry.names]
    return words in own or words in defined


def _defined(term: Term, candidate: QuestionReading, source: AnalystSource) -> NamedTerm | NamedMetric | None:
    build_term = partial(NamedTerm, names=(term.name, *term.synonyms), document=term.id, definition=term.definition)
    match candidate.query:
        case Listing(of=Rows(table=table, where=where)) if where != NO_FILTER and candidate.query.limit is None:
            return build_term(table=table, value=where)
        case Grouped(of=Rows(table=table, where=where), keys=(), figures=(figure,)) if where == NO_FILTER:
            return partial(NamedMetric, **build_term.keywords)(figure=figure, table=table)
        case Grouped() as query if query.having != NO_FILTER and query.limit is None:
            selection = _among(query, source)
            return build_term(table=selection[0], value=selection[1]) if selection is not None else None
        case _:
            return None


def _among(query: Grouped, source: AnalystSource) -> tuple[str, Condition] | None:
    """Things that a query with a condition on groups gives, as a condition on their table's rows."""
    for place, key in enumerate(query.keys):
        if isinstance(key, Column):
            for table in source.schema.tables.values():
                is_named = bool(table.grain) and (table.grain == (key,) or key in table.label)
                if is_named and source.schema.tells_apart(key, key.table):
                    return table.name, Member(key, replace(query, shown=(place,), order=()))
    return None
