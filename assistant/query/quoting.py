"""Quotes identifiers and string literals for SQL that is built from pieces; the only place that does.

Standard SQL, as DuckDB, SQLite and PostgreSQL read it; sqlglot renders statements for other engines.
"""

from __future__ import annotations


def quoted(name: str, *, mark: str = '"') -> str:
    """A name as SQL, between the marks of standard SQL or of another engine."""
    return mark + name.replace(mark, 2 * mark) + mark


def literal(text: str) -> str:
    """A text as SQL."""
    return "'" + text.replace("'", "''") + "'"
