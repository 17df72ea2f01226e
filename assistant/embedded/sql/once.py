"""Rows that tell of one thing, taken as one: in place of their table stands a SELECT DISTINCT of what is used of them.

The conditions move into it, so that an order of which two lines fulfil them is still one order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.embedded.sql.tables import identifier

if TYPE_CHECKING:
    from sqlglot import exp


def with_one_row(tree: exp.Select, number: str, alias: str, dialect: str) -> exp.Select:
    """The query over one row for each value of a column of its base, wherever it selects from that.

    Args:
        tree: A query without joins.
        number: The column that numbers the things.
        alias: What the base is called in the query.
        dialect: sqlglot's word for the source's SQL.
    """
    from sqlglot import exp

    for select in list(tree.find_all(exp.Select)):
        origin = select.args.get("from_")
        if origin is not None and isinstance(origin.this, exp.Table) and origin.this.alias_or_name == alias:
            _from_things(select, origin.this, number, alias, dialect)
    return tree


def _from_things(select: exp.Select, table: exp.Table, number: str, alias: str, dialect: str) -> None:
    from sqlglot import exp

    where = select.args.get("where")
    if where is not None:
        where.pop()
    used = [column.name for column in select.find_all(exp.Column) if column.table == alias]
    columns = [
        exp.Column(this=identifier(name, dialect), table=identifier(alias, dialect))
        for name in dict.fromkeys((number, *used))
    ]
    inner = exp.Select().select(*columns).from_(table.copy()).distinct()
    if where is not None:
        inner = inner.where(where.this)
    table.replace(inner.subquery(identifier(alias, dialect)))
