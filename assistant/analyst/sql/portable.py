"""Queries for engines without templates of their own: in DuckDB's SQL first, then in the engine's by sqlglot.

`own_sql` first takes out of the tree what sqlglot leaves as it is although an engine does not have it: groups named by
number, an order by a truth value, equality of missing values, a pattern's escape sign.
"""

from __future__ import annotations

from sqlglot import Dialect, exp

from knowledge.parsing import parse_one

WRITTEN = "duckdb"
_NO_NULL_SAFE = frozenset({"redshift", "oracle", "tsql"})
_BACKSLASH = frozenset({"bigquery", "clickhouse"})
"""Engines whose LIKE has no ESCAPE and takes a backslash."""


def own_sql(sql: str, engine: str) -> str:
    """A statement in DuckDB's SQL, in an engine's own.

    Args:
        sql: One SELECT as the analyst writes it.
        engine: sqlglot's name of the engine's dialect.
    """
    tree = parse_one(sql, WRITTEN)
    for select in tree.find_all(exp.Select):
        _name_groups(select)
    return tree.transform(_adapted, engine=engine).sql(dialect=engine, pretty=True)


def _name_groups(select: exp.Select) -> None:
    """`GROUP BY 1` as the expression that it means."""
    group = select.args.get("group")
    for number in list(group.expressions) if group else ():
        if isinstance(number, exp.Literal) and number.is_int:
            number.replace(select.selects[int(number.this) - 1].unalias().copy())


def _adapted(node: exp.Expr, engine: str) -> exp.Expr:
    match node:
        case exp.Ordered() if isinstance(node.this.unnest(), exp.Is):
            last = exp.Case(ifs=[exp.If(this=node.this.unnest().copy(), true=exp.Literal.number(1))])
            last.set("default", exp.Literal.number(0))
            small = Dialect.get_or_raise(engine).NULL_ORDERING == "nulls_are_small"
            return exp.Ordered(
                this=last, desc=False, nulls_first=small
            )  # as the engine does by itself: it says no more
        case exp.NullSafeEQ() if engine in _NO_NULL_SAFE:
            left, right = node.this, node.expression
            nulls = [side.copy().is_(exp.Null()) for side in (left, right)]
            return exp.paren(exp.or_(exp.EQ(this=left.copy(), expression=right.copy()), exp.and_(*nulls)))
        case exp.Escape():
            return _pattern(node, engine)
        case exp.Lag() if engine == "clickhouse" and not isinstance(node.this, exp.Anonymous):
            # Where there is no row before, it gives 0 for what cannot be missing.
            nullable = exp.Anonymous(this="toNullable", expressions=[node.this.copy()])
            return exp.Lag(this=nullable, offset=node.args.get("offset"))
        case exp.Subquery() if engine == "clickhouse" and _only_counts(node):
            return exp.Coalesce(this=node.copy(), expressions=[exp.Literal.number(0)])
        case _:
            return node


def _only_counts(node: exp.Subquery) -> bool:
    """Whether it is the number of related rows, which ClickHouse leaves out where there is none."""
    selects = node.this.selects if isinstance(node.this, exp.Select) else []
    counts = len(selects) == 1 and isinstance(selects[0], exp.Count)
    return counts and not isinstance(node.parent, exp.Coalesce | exp.From)


def _pattern(escaped: exp.Escape, engine: str) -> exp.Expr:
    """A comparison with a pattern whose signs are escaped by `!`, without regard to case."""
    like = escaped.this
    text, pattern = like.this.copy(), str(like.expression.name)
    if engine == "tsql":
        pattern = pattern.replace("[", "![")
    if engine in _BACKSLASH:
        pattern = pattern.replace("\\", "\\\\").replace("!!", "\0").replace("!", "\\").replace("\0", "!")
    plain = exp.Like(this=exp.Lower(this=text), expression=exp.Literal.string(pattern.lower()))
    if "!" not in pattern or engine in _BACKSLASH:
        return plain
    return exp.Escape(this=plain, expression=escaped.expression.copy())
