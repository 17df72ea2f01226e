"""The statement that a person approves: in a sensible order, with named columns, laid out to be read."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from sqlglot import exp

from assistant.analyst.algebra import Band, Column, Grain, Grouped, Order, Query, Term
from assistant.analyst.meaning import Meaning
from assistant.analyst.presenting.flattening import flattened, under_own_names
from assistant.analyst.schema import Schema
from assistant.analyst.sql.queries import to_sql
from assistant.analyst.wording import outputs_of
from knowledge.parsing import parse_one

_CHARS_MAX = 63
"""What PostgreSQL keeps of a name, the least of the engines: where a name is cut it may say another thing."""


def statement(meaning: Meaning, schema: Schema) -> str:
    """The SQL of a meaning in its source's dialect.

    Raises:
        CompileError: the tables do not hang together as the query needs.
    """
    if meaning.verbatim is not None:
        return meaning.verbatim.sql
    sql = to_sql(in_order(meaning.query, schema), schema)
    return _named(sql, column_names(schema.said(meaning.query)), schema.dialect)


def in_order(query: Query, schema: Schema) -> Query:
    """Groups in the order a person expects: time and bands go on, all else by the first figure, the greatest first."""
    if not isinstance(query, Grouped) or query.order or not query.keys or query.limit:
        return query
    steps = [place for place, key in enumerate(query.keys) if isinstance(key, Band) or is_time(key, schema)]
    if steps:
        return replace(query, order=tuple(Order(place) for place in steps))
    place = len(query.keys) if query.figures else 0
    return replace(query, order=(Order(place, descending=bool(query.figures)),))


def is_time(term: Term, schema: Schema) -> bool:
    """Whether a key is a period or a part of one."""
    match term:
        case Grain():
            return True
        case Column():
            return schema.typed[term].role in ("date", "part")
        case _:
            return False


def column_names(query: Query) -> tuple[str, ...]:
    """The names of the result's columns, each once."""
    names: list[str] = []
    for words in outputs_of(query):
        name = slug(re.sub(r" \([^()]*\)", "", words))  # a formula in brackets is no part of a name
        repeats = sum(1 for earlier in names if earlier == name or re.fullmatch(rf"{re.escape(name)}_\d+", earlier))
        names.append(f"{name}_{repeats + 1}" if repeats else name)
    return tuple(names)


def slug(words: str) -> str:
    """Words as a Python name: lower case, joined by underscores, of a bearable length; `km²` becomes `km2`."""
    plain = unicodedata.normalize("NFKC", words.lower().replace("%", "percent"))
    spaced = "".join(letter if f"_{letter}".isidentifier() else " " for letter in plain)
    text = re.sub(r"\W+", "_", spaced).strip("_") or "value"
    if len(text) > _CHARS_MAX:
        text = text[:_CHARS_MAX].rsplit("_", 1)[0]
    return f"_{text}" if text[0].isdigit() else text


def _named(sql: str, names: tuple[str, ...], dialect: str) -> str:
    """A statement whose columns `c0`, `c1`, ... have names."""
    tree = parse_one(sql, dialect)
    if not isinstance(tree, exp.Select) or not all(
        re.fullmatch(r"c\d+", item.alias_or_name) for item in tree.expressions
    ):
        tree = parse_one(f"SELECT {', '.join(f'c{i}' for i in range(len(names)))} FROM ({sql}) AS r", dialect)
        assert isinstance(tree, exp.Select)
    new: list[exp.Expr] = []
    for item, name in zip(tree.expressions, names, strict=True):
        inner = item.this if isinstance(item, exp.Alias) else item
        new.append(exp.alias_(inner, exp.to_identifier(name, quoted=True)))
    tree.set("expressions", new)
    return under_own_names(flattened(tree)).sql(dialect=dialect, pretty=True)
