"""A statement of another engine in the dialect of a source, as sqlglot translates it. Pure.

What sqlglot does not know, or says it cannot translate, is an error that names the line: nothing is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import Dialect, exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError, UnsupportedError

from assistant.errors import AssistantError
from knowledge.parsing import TooComplex, parse

_NAMES = {"t-sql": "tsql", "mssql": "tsql", "sqlserver": "tsql", "sql server": "tsql", "postgresql": "postgres"}


class MigrationError(AssistantError):
    """Something cannot be taken over. The message names the cell or the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatedStatement:
    """A statement in another dialect.

    Attributes:
        sql: the statement.
        is_ordered: its rows have an order.
        tables: what it reads.
        unnamed: the places of columns that the statement does not name; behind a `*` below 0, from the end.
    """

    sql: str
    is_ordered: bool
    tables: tuple[str, ...]
    unnamed: tuple[int, ...] = ()


def translate_statement(text: str, *, dialect: str, target: str) -> TranslatedStatement:
    """Translate one statement that reads.

    Args:
        text: the statement.
        dialect: sqlglot's name of its dialect, or "T-SQL".
        target: sqlglot's name of the source's dialect.

    Raises:
        MigrationError: it is not one statement that reads, or something in it has no counterpart.
    """
    name = _NAMES.get(dialect.casefold(), dialect.casefold())
    try:
        reader = Dialect.get_or_raise(name)
    except ValueError:
        dialects = "tsql, oracle, snowflake, mysql, postgres, bigquery, duckdb, sqlite"
        raise MigrationError(f"There is no dialect {dialect!r}. There are {dialects} and more.") from None
    try:
        trees = parse(text, reader)
    except ParseError as error:
        raise MigrationError(_describe(error, dialect)) from error
    except TokenError as error:
        raise MigrationError(f"The statement is not {dialect}: {error}") from error
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        raise MigrationError(f"The file holds {len(trees)} statements. Give one SELECT; others change data or state.")
    tree = trees[0]
    _refuse_unknown(tree, text)
    try:
        sql = tree.sql(dialect=target, pretty=True, unsupported_level=ErrorLevel.RAISE)
    except UnsupportedError as error:
        raise MigrationError(f"{target} has no counterpart for a part of the statement: {error}") from error
    names = {table.name for table in tree.find_all(exp.Table)} - {cte.alias for cte in tree.find_all(exp.CTE)}
    return TranslatedStatement(
        sql=sql, is_ordered=_is_ordered(tree), tables=tuple(sorted(names)), unnamed=_find_unnamed(tree)
    )


def _is_ordered(tree: exp.Query) -> bool:
    """Whether a query has an order, also inside its brackets."""
    while tree.args.get("order") is None and isinstance(tree, exp.Subquery | exp.Paren):
        tree = tree.this
    return tree.args.get("order") is not None


def _find_unnamed(tree: exp.Query) -> tuple[int, ...]:
    columns = tree.selects
    stars = [at for at, column in enumerate(columns) if column.is_star]
    first, last = (stars[0], stars[-1]) if stars else (len(columns), len(columns))
    return tuple(
        at if at < first else at - len(columns)
        for at, column in enumerate(columns)
        if not (first <= at <= last or column.alias or isinstance(column, exp.Column))
    )


def _describe(error: ParseError, dialect: str) -> str:
    if isinstance(error, TooComplex):
        return f"{error}."
    first = error.errors[0] if error.errors else {}
    place = f" Line {first['line']}, column {first['col']}: {first['description']}" if first else ""
    return f"The statement is not {dialect}.{place}"


def _refuse_unknown(tree: exp.Query, text: str) -> None:
    """Functions that sqlglot does not know would be handed on as they are."""
    for node in tree.find_all(exp.Anonymous):
        at = text.casefold().find(node.name.casefold())
        line = text.count("\n", 0, at) + 1 if at >= 0 else 1
        raise MigrationError(f"Line {line}: the function {node.name} is not known, so it cannot be translated.")
