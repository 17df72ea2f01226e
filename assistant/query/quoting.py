"""Names and texts as SQL writes them: the one way for all statements that are made of pieces.

Standard SQL, as DuckDB, SQLite and PostgreSQL read it; statements for other engines are rendered by sqlglot.
"""

from __future__ import annotations


def quoted(name: str, *, mark: str = '"') -> str:
    """A name as SQL, between the marks of standard SQL or of another engine."""
    return mark + name.replace(mark, 2 * mark) + mark


def literal(text: str) -> str:
    """A text as SQL."""
    return "'" + text.replace("'", "''") + "'"
