"""Rewrites DuckDB's PIVOT and UNPIVOT statements for sqlglot. Text and tokens only.

sqlglot parses neither their longer names (PIVOT_WIDER, PIVOT_LONGER) nor an ORDER BY, LIMIT or OFFSET after a whole
statement. Both have an equivalent form: the guard parses that, the engine gets the original text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot.tokenizer_core import Token

NAMES = {"PIVOT_WIDER": "PIVOT", "PIVOT_LONGER": "UNPIVOT"}
_OPENERS = frozenset({"PIVOT", "UNPIVOT", *NAMES})
_AFTER = ("ORDER", "LIMIT", "OFFSET")


def shorten_pivots(sql: str, tokens: Sequence[Token]) -> str:
    """The same statement with the shorter name, and as a subquery where something stands behind it."""
    first = tokens[0].text.upper()
    if first not in _OPENERS:
        return sql
    body = NAMES.get(first, first)
    start, end, depth = tokens[0].end + 1, len(sql), 0
    for token in tokens:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        # A quoted name or a text begins with its quote in the statement itself, and is no keyword.
        if depth == 0 and token.text.upper().startswith(_AFTER) and sql[token.start].isalpha():
            end = token.start
            break
    if end == len(sql):
        return body + sql[start:]
    return f"SELECT * FROM ({body}{sql[start:end]}\n) {sql[end:]}"
