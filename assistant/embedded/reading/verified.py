"""Verified queries: a question that a person has marked right is answered by its very SQL, or with other literals.

Two questions are the same if their words are, but for case, punctuation and courtesies. They differ only by literals
if numbers or known values stand in the same places; each old literal must then stand in the SQL as it is, or nothing
is adapted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assistant.embedded.meaning import ColumnRef, Dimension, Meaning, Measure
from assistant.embedded.source.schema import Schema
from assistant.embedded.source.values import ValueIndex
from assistant.embedded.words.lexicon import Token, tokens
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from sqlglot import exp

    from knowledge.documents import VerifiedQuery

_COURTESIES = word_set(
    "please show me tell us give can you could what is are was were the a an list find display of i want to see"
    " there do does did have has our"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A verified query that answers the question."""

    query: VerifiedQuery
    sql: str
    trust: Literal["verified", "adapted"]


def match(question: str, queries: Sequence[VerifiedQuery], schema: Schema, index: ValueIndex) -> Match | None:
    """The verified query that is this question, or differs from it only by literals."""
    asked = _words(question)
    for query in queries:
        if asked and _texts(_words(query.question)) == _texts(asked):
            return Match(query=query, sql=query.sql, trust="verified")
    for query in queries:
        changes = _changes(_words(query.question), asked, index)
        if changes and (sql := _replaced(query.sql, changes, schema.dialect)):
            return Match(query=query, sql=sql, trust="adapted")
    return None


def _words(question: str) -> list[Token]:
    return [t for t in tokens(question) if t.lower not in _COURTESIES or t.kind != "word"]


def _texts(words: Sequence[Token]) -> list[str]:
    return [t.stem for t in words]


def _changes(old: Sequence[Token], new: Sequence[Token], index: ValueIndex) -> dict[str, str] | None:
    """Old literals and the new ones in their places; None where more than literals differ."""
    if len(old) != len(new):
        return None
    changes: dict[str, str] = {}
    for before, after in zip(old, new, strict=True):
        if before.stem == after.stem:
            continue
        if before.number is not None and after.number is not None:
            changes[f"{before.number:g}"] = f"{after.number:g}"
        elif before.kind == after.kind == "quoted":
            changes[before.text] = after.text
        elif (values := _same_column(before, after, index)) is not None:
            changes[values[0]] = values[1]
        else:
            return None
    return changes or None


def _same_column(before: Token, after: Token, index: ValueIndex) -> tuple[str, str] | None:
    """The values two words are, if one column holds both."""
    for old in index.find([before.lower]):
        for new in index.find([after.lower]):
            if (old.attribute.table, old.attribute.name) == (new.attribute.table, new.attribute.name):
                return old.value, new.value
    return None


def _replaced(sql: str, changes: dict[str, str], dialect: str) -> str | None:
    import sqlglot
    from sqlglot import exp

    tree = sqlglot.parse_one(sql, read=dialect)
    done: set[str] = set()
    for literal in tree.find_all(exp.Literal):
        if literal.this in changes:
            done.add(literal.this)
            literal.set("this", changes[literal.this])
    return tree.sql(dialect=dialect, pretty=True) if done == set(changes) else None


def meaning_of(found: Match, question: str, schema: Schema) -> Meaning:
    """A meaning that only knows the shape of the query's result: its groups and its figures, by their names."""
    import sqlglot
    from sqlglot import exp

    base = found.query.tables[0] if found.query.tables else next(iter(schema.entities))
    dimensions: list[Dimension] = []
    measures: list[Measure] = []
    tree = sqlglot.parse_one(found.sql, read=schema.dialect)
    if isinstance(tree, exp.Select) and tree.args.get("group"):
        for item in tree.expressions:
            label = str(item.alias_or_name).replace("_", " ")
            if item.find(exp.AggFunc):
                measures.append(Measure(metric=label, label=label, unit="%" if _is_percentage(item) else ""))
            else:
                dimensions.append(Dimension(column=ColumnRef(table=base, column=item.alias_or_name), label=label))
    return Meaning(
        source=schema.source,
        base=base,
        base_label="rows",
        measures=tuple(measures),
        dimensions=tuple(dimensions) if measures else (),
        verified_sql=found.sql,
        verified_by=found.query.id,
        title=question.strip().rstrip("?.! "),
    )


def _is_percentage(item: exp.Expr) -> bool:
    from sqlglot import exp

    return (
        any(literal.this in ("100", "100.0") for literal in item.find_all(exp.Literal))
        and item.find(exp.Div) is not None
    )
