"""A compiled statement as a person would write it: one SELECT less around it, tables under their own names.

The compiler wraps a grouping to order and cut it, because that is right for every query. Where the wrapped query can
take the order itself, the result is the same and is shorter to read.
"""

from __future__ import annotations

from collections import Counter

from sqlglot import exp


def flattened(tree: exp.Select) -> exp.Select:
    """A statement without an outer SELECT that only orders, cuts and picks columns; else the statement itself."""
    inner = _only_source(tree)
    if inner is None or not _gives_way(tree, inner):
        return tree
    expressions = {item.alias_or_name: item.unalias() for item in inner.expressions}
    names = [item.this.name if isinstance(item, exp.Alias) else item.name for item in tree.expressions]
    if inner.args.get("distinct") and set(names) != set(expressions):
        return tree
    _group_by_terms(inner, list(expressions.values()))
    aliases = {name: item.alias_or_name for name, item in zip(names, tree.expressions, strict=True)}
    order = tree.args.get("order")
    inner.set("expressions", [exp.alias_(expressions[name].copy(), aliases[name], quoted=True) for name in aliases])
    if order is not None:
        inner.set("order", exp.Order(expressions=_ordered(order.expressions, expressions, aliases)))
    for cut in ("limit", "offset"):
        inner.set(cut, tree.args.get(cut))
    return inner


def under_own_names(tree: exp.Select) -> exp.Select:
    """A statement whose tables have no alias where they are read once."""
    tables = list(tree.find_all(exp.Table))
    reads = Counter(table.name.casefold() for table in tables)
    own = {table.alias: table.this for table in tables if table.alias and reads[table.name.casefold()] == 1}
    for table in tables:
        if table.alias in own:
            table.set("alias", None)
    for column in tree.find_all(exp.Column):
        if column.table in own:
            column.set("table", own[column.table].copy())
    return tree


def _only_source(tree: exp.Select) -> exp.Select | None:
    source = tree.args.get("from_")
    inner_source = source.this if source is not None else None
    inner = inner_source.this if isinstance(inner_source, exp.Subquery) else None
    return inner if isinstance(inner, exp.Select) else None


def _gives_way(tree: exp.Select, inner: exp.Select) -> bool:
    """Whether the outer query only names, orders and cuts what the inner one gives, and the inner one does neither."""
    more = ("joins", "where", "group", "having", "distinct", "qualify", "windows", "laterals")
    if any(tree.args.get(part) for part in more) or any(inner.args.get(p) for p in ("order", "limit", "offset")):
        return False
    if any(isinstance(item, exp.Star) for item in inner.expressions):
        return False
    outputs = [item.this if isinstance(item, exp.Alias) else item for item in tree.expressions]
    names = [item.name for item in outputs]
    return all(isinstance(item, exp.Column) for item in outputs) and len(set(names)) == len(names)


def _group_by_terms(inner: exp.Select, terms: list[exp.Expr]) -> None:
    """GROUP BY by terms rather than by places, which change."""
    group = inner.args.get("group")
    if group is not None:
        places = [int(item.this) for item in group.expressions if isinstance(item, exp.Literal)]
        if len(places) == len(group.expressions):
            group.set("expressions", [terms[place - 1].copy() for place in places])


def _ordered(items: list[exp.Expr], expressions: dict[str, exp.Expr], aliases: dict[str, str]) -> list[exp.Expr]:
    """The order in the outputs' new names; `x IS NULL, x` becomes `x NULLS LAST`."""
    ordered: list[exp.Expr] = []
    for item in items:
        assert isinstance(item, exp.Ordered)
        bare = item.this.unnest()
        if isinstance(bare, exp.Is) or (isinstance(bare, exp.Case) and bare.args["ifs"][0].this.find(exp.Is)):
            continue  # the second where an engine cannot order by a truth value
        name = bare.name
        by = exp.column(exp.to_identifier(aliases[name], quoted=True)) if name in aliases else expressions[name].copy()
        ordered.append(exp.Ordered(this=by, desc=bool(item.args.get("desc")), nulls_first=False))
    return ordered
