"""SQL steps as cells: renders a query as a cell, and extracts the literal queries of a cell.

An approval binds the extracted queries; the broker runs no others. Both are pure.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

_UNREADABLE = (ValueError, RecursionError, MemoryError)
"""Half a surrogate pair, or code that is nested too deeply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteralQuery:
    """A literal query in a cell. `source` None means the session's first source."""

    sql: str
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryProblem:
    """Why the queries of a cell cannot be told before it runs. `line` is a line of the cell, from 1."""

    message: str
    line: int | None = None


def render_cell(name: str, sql: str, source: str | None = None) -> str:
    r"""The cell of a SQL step: `name = query(\"\"\"...\"\"\")`, and the name alone, so that the table is shown.

    Raises:
        ValueError: `name` is no Python name.
    """
    if not name.isidentifier():
        raise ValueError(f"A table's name must be a Python name, not {name!r}.")
    call = _make_literal(_with_plain_line_ends(sql))
    if source is not None:
        call += f', source="{source}"' if source.isidentifier() else f", source={source!r}"
    return f"{name} = query({call})\n{name}"


def _with_plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _make_literal(sql: str) -> str:
    """The text as a Python literal: triple quotes where they mean exactly this text, else `repr`."""
    body = "\n" + sql.strip("\n") + "\n"
    text = f'{"r" if chr(92) in body else ""}"""{body}"""'
    try:
        if ast.literal_eval(text) == body:
            return text
    except (SyntaxError, ValueError, UnicodeEncodeError):
        pass  # quotes at its end, a NUL, half a surrogate pair
    return repr(sql)


def literal_queries(code: str) -> tuple[LiteralQuery, ...] | QueryProblem:
    """The queries a cell makes with constant arguments, each once, in order.

    Calls are found by the name `query`. Whatever reaches the broker otherwise (an alias, `map(query, ...)`, a text
    made at run time) is not found here, and is refused there.
    """
    try:
        tree = ast.parse(code)
    except SyntaxError as problem:
        return QueryProblem(message=f"The code is not valid Python: {problem.msg}.", line=problem.lineno)
    except _UNREADABLE:
        return QueryProblem(message="The code cannot be read as Python.")
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "query"
    ]
    queries: dict[LiteralQuery, None] = {}
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        query = _read_query(call)
        if isinstance(query, QueryProblem):
            return query
        queries[query] = None
    return tuple(queries)


def _read_query(call: ast.Call) -> LiteralQuery | QueryProblem:
    line = call.lineno
    if any(isinstance(argument, ast.Starred) for argument in call.args) or any(
        keyword.arg is None for keyword in call.keywords
    ):
        return QueryProblem(message="query() is called with * or **. Write its arguments out.", line=line)
    arguments: dict[str, ast.expr] = dict(zip(("sql", "source", "params"), call.args, strict=False))
    arguments.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None})
    sql = arguments.get("sql")
    if not (isinstance(sql, ast.Constant) and isinstance(sql.value, str)):
        return QueryProblem(
            message="The SQL of query() is made at run time. Write it as one literal text, and give values "
            'that are known only then as parameters: query("... WHERE region = :region", params={"region": region}).',
            line=line,
        )
    source = arguments.get("source")
    if source is None or (isinstance(source, ast.Constant) and source.value is None):
        return LiteralQuery(sql=sql.value)
    if isinstance(source, ast.Constant) and isinstance(source.value, str):
        return LiteralQuery(sql=sql.value, source=source.value)
    return QueryProblem(
        message="The source of query() is made at run time. Write its name as a literal text.", line=line
    )


def is_query_cell(code: str) -> bool:
    """Whether a cell is only `name = query(...)` and, perhaps, `name`."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, *_UNREADABLE):
        return False
    match body:
        case [ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="query")))]:
            return True
        case [
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="query"))),
            ast.Expr(value=ast.Name(id=displayed)),
        ]:
            return name == displayed
        case _:
            return False
