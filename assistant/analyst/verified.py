"""Verified queries: a question that a person has marked right is answered by its very SQL, or with other values in it.

Two questions are the same if their words are, but for courtesies, signs and case. They differ by values alone where
numbers, or values of one column, stand in the same places; each old one must then stand in the SQL as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from assistant.analyst.algebra import Listing, Query, Rows
from assistant.analyst.linking.tokens import Word, light, words
from assistant.analyst.meaning import Meaning, Verbatim
from assistant.analyst.source import AnalystSource
from assistant.output.presentation.requests import remove_kind
from knowledge.parsing import parse_one
from knowledge.relative_days import fill_days

if TYPE_CHECKING:
    from knowledge.documents import VerifiedQuery

_QUESTIONING = ("how", "many", "who", "when", "where", "which", "each", "and", "or", "one", "all", "only", "than")
_SIGNIFICANT = {*_QUESTIONING, "this", "these", "those", "from", "to", "up", "buy", "bought", "sell", "sold"}


def recalled(question: str, source: AnalystSource) -> Meaning | None:
    """The verified query that a question is, or differs from by values alone."""
    tokens = list_significant_words(question)
    for query in source.known.queries:
        if tokens and [w.lemma for w in tokens] == [w.lemma for w in list_significant_words(query.question)]:
            return _meaning(question, query, fill_days(query.sql, source.today), source)
    for query in source.known.queries:
        changes = find_changes(list_significant_words(query.question), tokens, source)
        filled = fill_days(query.sql, source.today)
        sql = replace_literals(filled, changes, source.schema.dialect) if changes else None
        if sql is not None:
            return _meaning(question, query, sql, source, is_adapted=True)
    return None


def list_significant_words(question: str) -> tuple[Word, ...]:
    """The words that matter for whether two questions are the same."""
    return tuple(
        w for w in words(remove_kind(question)[0]) if w.is_word and (w.lower in _SIGNIFICANT or w.lower not in light())
    )


def _meaning(
    question: str, query: VerifiedQuery, sql: str, source: AnalystSource, *, is_adapted: bool = False
) -> Meaning:
    reason = "a verified query with other values" if is_adapted else "this very question was verified"
    return Meaning(
        source=source.name,
        query=_own_reading(query, source),
        verbatim=Verbatim(question=question, sql=sql, document=query.id, is_adapted=is_adapted),
        assumptions=(f"{reason.capitalize()} by {query.verifier} on {query.verified_on.isoformat()}.",),
        cited=(query.id,),
    )


def _own_reading(query: VerifiedQuery, source: AnalystSource) -> Query:
    """What the analyst would make of the question itself, so that a follow-up has something to change."""
    readings = source.candidates(query.question).readings
    if readings:
        return readings[0].query
    table = source.schema.tables[query.tables[0]] if query.tables else next(iter(source.schema.tables.values()))
    return Listing(Rows(table.name), table.label)


def find_changes(old: Sequence[Word], new: Sequence[Word], source: AnalystSource) -> dict[str, str]:
    """Old values and the new ones in their places; empty where more than values differ."""
    if len(old) != len(new):
        return {}
    changes: dict[str, str] = {}
    for before, after in zip(old, new, strict=True):
        if before.lemma == after.lemma:
            continue
        if before.lower.isdigit() and after.lower.isdigit():
            changes[before.lower] = after.lower
        elif (pair := _values_of_one_column(before, after, source)) is not None:
            changes[pair[0]] = pair[1]
        else:
            return {}
    return changes


def _values_of_one_column(before: Word, after: Word, source: AnalystSource) -> tuple[str, str] | None:
    firsts, seconds = (source.reader.values(word) for word in (before, after))
    pairs = ((str(a.value), str(b.value)) for a in firsts for b in seconds if a.column == b.column)
    return next(pairs, None)


def replace_literals(sql: str, changes: dict[str, str], dialect: str) -> str | None:
    """SQL with other literals; None where one of the old ones is not in it."""
    tree = parse_one(sql, dialect)
    done: set[str] = set()
    for literal in tree.find_all(exp.Literal):
        if literal.this in changes:
            done.add(literal.this)
            literal.set("this", changes[literal.this])
    return tree.sql(dialect=dialect, pretty=True) if done == set(changes) else None
