"""User-defined functions, operators and types that a query uses under the engine's own names.

The guard knows names alone. Only the database knows whether somebody gave such a name to a function of their own
(PostgreSQL then calls the one whose parameters fit better): the adapters query it for each statement, and this module
refuses. A function that a person allowed in the setting `functions` passes. Tokens and names only; the adapters run the
queries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from assistant.core.data_errors import QueryRefused
from knowledge.parsing import tokenize


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """What a statement uses by name; each name as it is written, and in lower case.

    Attributes:
        called: Names before a bracket, without `pg_catalog.` before them.
        qualified: Names before a bracket, with it.
        reached: Names behind a dot: in PostgreSQL `row.name` may call a function.
        types: Names that may be a type to which a value is converted.
        signs: What is neither a name nor a value, to look for operators in; with the operators that words stand for.
    """

    called: frozenset[str]
    qualified: frozenset[str]
    reached: frozenset[str]
    types: frozenset[str]
    signs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """Something that people made: a function, an operator, or a type or cast that runs a function of theirs.

    A function that is `unasked` runs without a name or sign of its own: in conversions and comparisons of values.
    """

    kind: Literal["function", "operator", "type", "unasked"]
    schema: str
    name: str


def find_uses(sql: str, dialect: str) -> Uses:
    """The names that a statement uses.

    Raises:
        QueryRefused: It cannot be read.
    """
    try:
        tokens = tokenize(sql, dialect)
    except SqlglotError:
        raise QueryRefused("The query cannot be read, so it is not run. Check its quotes and comments.") from None
    called: set[str] = set()
    qualified: set[str] = set()
    reached: set[str] = set()
    types: set[str] = set()
    for place, token in enumerate(tokens):
        before = tokens[place - 1].text.upper() if place else ""
        follows_name = place > 0 and _is_name(tokens[place - 1])
        after = tokens[place + 1].token_type if place + 1 < len(tokens) else None
        if not _is_name(token):
            continue
        names = {token.text, token.text.lower()}
        if after == TokenType.L_PAREN:
            is_qualified = before == "." and place >= 2 and tokens[place - 2].text.lower() == "pg_catalog"
            (qualified if is_qualified else called).update(names)
        elif before == ".":
            reached |= names
        if before in ("::", ".") or follows_name or after in (TokenType.STRING, TokenType.L_PAREN):
            types |= names  # `x::name`, `CAST(x AS name)`, `AS list (column name)`, `name 'x'`, `name(x)`
    return Uses(
        called=frozenset(called),
        qualified=frozenset(qualified),
        reached=frozenset(reached),
        types=frozenset(types),
        signs=_adjoined(sql, tokens),
    )


def _is_name(token: Token) -> bool:
    """A name or a word of the grammar."""
    if token.token_type in (TokenType.STRING, TokenType.IDENTIFIER):
        return token.token_type == TokenType.IDENTIFIER
    return token.text[:1].isalpha() or token.text[:1] == "_"


_WORD_OPERATORS = {
    "LIKE": "~~ !~~",
    "ILIKE": "~~* !~~*",
    "SIMILAR": "~ !~",
    "IN": "= <>",
    "BETWEEN": "< <= > >=",
    **dict.fromkeys(("DISTINCT", "NULLIF", "CASE", "USING", "NATURAL"), "="),
}
"""The operators that words stand for. PostgreSQL looks for them by name, as for those that are written."""


def _adjoined(sql: str, tokens: Sequence[Token]) -> str:
    """The signs of a statement; those that touch are one, for the parser knows no operator of people's own."""
    characters = list(" " * len(sql))
    for token in tokens:
        text = sql[token.start : token.end + 1]
        if token.token_type not in (TokenType.STRING, TokenType.IDENTIFIER) and not text[:1].isalnum():
            characters[token.start : token.end + 1] = text
    words = {word for token in tokens for word in token.text.upper().split()}
    return " ".join(["".join(characters), *(signs for word, signs in _WORD_OPERATORS.items() if word in words)])


def require_engine_own(uses: Uses, routines: Iterable[Routine], allowed: Collection[str], *, schema: str = "") -> None:
    """Refuse a statement that would run what people made.

    Args:
        uses: What the statement uses.
        routines: What people made, as the database lists it, among the names of `uses`; of operators all.
        allowed: Functions that a person allowed, in lower case.
        schema: With what the engine's own function is called for certain; empty where nothing is certain.

    Raises:
        QueryRefused: It uses one that is not allowed.
    """
    for routine in routines:
        qualified_name = f"{routine.schema}.{routine.name}".strip(".")
        if routine.kind == "operator" and routine.name not in uses.signs:
            continue
        by_name = routine.kind in ("function", "unasked")
        if by_name and {routine.name.lower(), qualified_name.lower()} & set(allowed):
            continue
        raise QueryRefused(
            f"In this database somebody made {_ARTICLES[routine.kind]} of their own that is called "
            f"{qualified_name!r}, and this query may run it. Only the database's own functions are run. "
            + (
                f"Write {schema}.{routine.name} for the database's own. "
                if schema and routine.kind == "function"
                else ""
            )
            + (
                f"A person can allow {qualified_name!r} by name in the setting `functions`."
                if by_name
                else "Leave it out of the query."
            )
        )


_ARTICLES = {
    "function": "a function",
    "operator": "an operator",
    "type": "a type that runs a function",
    "unasked": "a conversion or comparison",
}
