"""The guard: the first of the three locks. Decides whether a statement only reads, before any engine sees it.

`RULES` are tried in order over the whole tree, what is allowed first; the first refusal decides. The guard knows no
catalog, no grants and no rights: a query it lets through may still be refused by the broker or the engine. It parses
with sqlglot, which is not the engine's own parser; where the two are known to read a text differently (comments that
MySQL runs, comments within comments), that text is refused.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Sequence

from sqlglot import Dialect, exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from assistant.query.pivots import shorten_pivots
from assistant.query.rules import MYSQL_FAMILY, OPENERS, RULES, Refusal, Statement, changes, refusal
from knowledge.parsing import TooComplex, parse, tokenize

__all__ = ["LIMIT_CHARS", "Refusal", "check"]

LIMIT_CHARS = 100_000
"""A longer statement is no question. What reading a shorter one may cost is limited in `knowledge.parsing`."""

_ALIASES = {"postgresql": "postgres", "sqlserver": "tsql", "mssql": "tsql", "mariadb": "mysql", "base": ""}


def check(sql: str, *, dialect: str, functions: Collection[str] = ()) -> Refusal | None:
    """None if a statement may be put to the engine, else why not.

    Args:
        sql: One statement as it would run.
        dialect: sqlglot's name of the engine's dialect ("sqlite", "duckdb", "postgres", "mysql", ...).
        functions: Functions beside the engine's own that a person allowed to be called, in lower case; with their
            schema where they are called with it.

    Raises:
        ValueError: The dialect is unknown.
    """
    name = _ALIASES.get(dialect.lower(), dialect.lower())
    reader = Dialect.get_or_raise(name or None)
    logging.getLogger("sqlglot").addFilter(_NOTICE)  # adding it again does nothing
    if not sql.strip():
        return refusal(sql, "empty", "There is no statement. Write a SELECT.", None)
    if len(sql) > LIMIT_CHARS:
        message = f"The statement is longer than {LIMIT_CHARS:,} characters. Shorten it."
        return refusal(sql, "length", message, None)
    # An engine written in C may stop reading at a NUL, and so run another statement than the one examined.
    if "\x00" in sql:
        return refusal(sql, "parse", "The statement holds a NUL character. Take it out.", None)
    try:
        return _examine(sql, 0, name, reader, functions)
    except TooComplex as excess:
        return refusal(sql, "complexity", f"{excess}.", None)


def _examine(sql: str, start: int, name: str, reader: Dialect, functions: Collection[str]) -> Refusal | None:
    """Examine what stands from `start` on; spans count from the beginning of `sql`."""
    text = sql[start:]
    try:
        tokens = tokenize(text, reader)
        # Before parsing: sqlglot drops comments, an engine may not.
        if violation := _comments(text, tokens, name):
            return _move_span(violation, sql, start)
        if not tokens:
            return refusal(sql, "empty", "There is nothing but a comment. Write a SELECT.", None)
        # EXPLAIN ANALYZE runs its statement, so that is examined like any other; EXPLAIN of EXPLAIN is refused below.
        if tokens[0].text.upper() == "EXPLAIN" and start == 0:
            options = _EXPLAIN.match(text, tokens[0].end + 1)
            return _examine(sql, options.end() if options else tokens[0].end + 1, name, reader, functions)
        if tokens[0].text.upper() not in OPENERS:
            return _move_span(changes(text, tokens[0]), sql, start)
        plain = shorten_pivots(text, tokens) if name == "duckdb" else text
        trees = [tree for tree in parse(plain, reader) if not isinstance(tree, exp.Semicolon)]
    except TokenError as problem:
        reason = str(problem).splitlines()[0]
        return refusal(sql, "parse", f"The statement cannot be read: {reason}. Check quotes and comments.", None)
    except TooComplex as excess:
        return _move_span(refusal(text, "complexity", f"{excess}.", excess.span), sql, start)
    except ParseError as problem:
        return _move_span(_explain_unparsed(text, problem), sql, start)
    if len(trees) != 1:
        second = next((token for token in tokens if token.token_type == TokenType.SEMICOLON), tokens[-1])
        message = f"That is {len(trees)} statements. Give each query one statement."
        return _move_span(refusal(text, "one statement", message, (second.start, second.end + 1)), sql, start)
    statement = Statement(
        sql=text,
        dialect=name,
        tokens=tokens,
        tree=trees[0],
        nodes=tuple(trees[0].walk()),
        read_tokens=tokens if plain is text else tokenize(plain, reader),
        functions=functions,
    )
    violation = next((violation for rule in RULES if (violation := rule(statement))), None)
    return _move_span(violation, sql, start) if violation else None


def _move_span(violation: Refusal, sql: str, by: int) -> Refusal:
    span = (violation.span[0] + by, violation.span[1] + by) if violation.span else None
    return refusal(sql, violation.rule, violation.message, span)


_EXPLAIN = re.compile(
    r"""(?ix) \s* (?:
        QUERY \s+ PLAN \b
      | \( [\sa-z0-9_',]* \)                                                     # (ANALYZE, FORMAT json)
      | (?: (?: ANALYZE | ANALYSE | VERBOSE | EXTENDED | FORMATTED | COST | FORMAT \s* =? \s* [a-z]+ ) \s+ )*
    ) \s* """
)
"""The options of EXPLAIN in the dialects we read; what follows is examined as a statement of its own."""

_COMMENT = re.compile(r"--[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)


def _comments(sql: str, tokens: Sequence[Token], dialect: str) -> Refusal | None:
    """Comments that an engine may read otherwise than we do: what stands between tokens is looked at as it is."""
    edges = [(token.start, token.end + 1) for token in tokens]
    gaps = zip([0, *(end for _, end in edges)], [*(start for start, _ in edges), len(sql)], strict=True)
    for start, end in gaps:
        gap = sql[start:end]
        for match in _COMMENT.finditer(gap):
            span = (start + match.start(), start + match.end())
            if dialect in MYSQL_FAMILY and match[0].startswith(("/*!", "/*M!")):
                message = "MySQL runs what stands in /*! ... */. Write it as part of the statement, or leave it out."
                return refusal(sql, "comment", message, span)
            if match[0].startswith("/*") and "/*" in match[0][2:]:
                message = "A comment in a comment is read differently by different engines. Take the inner one out."
                return refusal(sql, "comment", message, span)
    return None


def _explain_unparsed(sql: str, problem: Exception) -> Refusal:
    errors = getattr(problem, "errors", None) or [{}]
    detail = errors[0]
    reason = str(detail.get("description") or problem).splitlines()[0].rstrip(".")
    highlight = str(detail.get("highlight") or "")
    place = -1
    if highlight:
        line, column = int(detail.get("line") or 1), int(detail.get("col") or 1)
        lines = sql.splitlines(keepends=True)
        near = sum(len(text) for text in lines[: line - 1]) + max(0, column - len(highlight) - 1)
        place = sql.find(highlight, max(0, near))
    span = (place, place + len(highlight)) if place >= 0 else None
    return refusal(sql, "parse", f"The statement cannot be read as SQL: {reason}. Correct it there.", span)


class _FallbackNotice(logging.Filter):
    """sqlglot logs a warning whenever it reads a statement as an opaque command; we refuse those."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "unsupported syntax" not in record.getMessage()


_NOTICE = _FallbackNotice()
