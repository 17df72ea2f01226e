"""Dates that SQLite holds as text in another notation than ISO: a query that computes with them reads them as ISO text.
Durations that are text are read as seconds where they are computed with.

In place of their table stands a SELECT of the columns that the query uses, with days in it; all the rest of the query
is the same as for a table that holds days. What is only shown stays as it is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import BaseModel

from assistant.embedded.meaning import ColumnRef, Meaning
from assistant.embedded.source.clock import Clock
from assistant.embedded.source.notation import CENTURY_FROM, MONTHS_SHORT
from assistant.embedded.sql.tables import identifier

if TYPE_CHECKING:
    from sqlglot import exp

    from assistant.embedded.source.notation import Notation
    from assistant.embedded.source.schema import Entity, Schema

_MONTHS = "".join(MONTHS_SHORT).upper()


def computed_with(meaning: Meaning, schema: Schema) -> dict[tuple[str, str], Notation | Clock]:
    """The notation of every column that holds dates in one of its own and that the meaning does more with than show."""
    found: dict[tuple[str, str], Notation | Clock] = {}
    for ref in _used(meaning):
        notation = schema.attribute(ref.table, ref.column).notation
        if notation is not None:
            found[ref.table, ref.column] = notation
    return found


def _used(part: BaseModel) -> Iterator[ColumnRef]:
    """The columns of a meaning or of a part of it, without those that are only shown."""
    if isinstance(part, ColumnRef):
        yield part
        return
    if isinstance(part, Meaning):
        yield from (part.columns[order.index].column for order in part.order if order.by == "column")
    for name in type(part).model_fields:
        if isinstance(part, Meaning) and name == "columns":
            continue
        held = getattr(part, name)
        for one in held if isinstance(held, tuple) else (held,):
            if isinstance(one, BaseModel):
                yield from _used(one)


def with_days(tree: exp.Select, meaning: Meaning, schema: Schema) -> exp.Select:
    """The query, with the tables that note dates in a way of their own read as days where it computes with them."""
    from sqlglot import exp

    found = computed_with(meaning, schema)
    _in_seconds(tree, {column: how for column, how in found.items() if isinstance(how, Clock)}, schema)
    noted = {column: how for column, how in found.items() if not isinstance(how, Clock)}
    if not noted:
        return tree
    named = {column.name for column in tree.find_all(exp.Column)}
    entities = {entity.table.name: entity for entity in schema.entities.values()}
    for table in list(tree.find_all(exp.Table)):
        entity = entities.get(table.name)
        days = {column: how for (name, column), how in noted.items() if entity is not None and name == entity.name}
        if entity is not None and days:
            table.replace(_as_days(table, entity, days, named).subquery(identifier(table.alias_or_name, "sqlite")))
    return tree


def _in_seconds(tree: exp.Select, clocks: dict[tuple[str, str], Clock], schema: Schema) -> None:
    """Put the seconds in place of each duration, but where it is only shown."""
    from sqlglot import exp

    if not clocks:
        return
    names = {entity.table.name: entity.name for entity in schema.entities.values()}
    tables = {table.alias_or_name: names.get(table.name, "") for table in tree.find_all(exp.Table)}
    for column in list(tree.find_all(exp.Column)):
        held = (how for (table, name), how in clocks.items() if name == column.name and _is_of(column, table, tables))
        clock = next(held, None)
        holder = column.parent if isinstance(column.parent, exp.Alias) else column
        only_shown = holder.parent is tree and holder.arg_key == "expressions"
        if clock is not None and not only_shown:
            column.replace(seconds(column.copy(), clock))


def _is_of(column: exp.Column, table: str, tables: dict[str, str]) -> bool:
    """Whether a column is one of a table; one without a table's name is that of the one table of its query."""
    return tables.get(column.table) == table if column.table else table in tables.values()


def seconds(column: exp.Expr, clock: Clock) -> exp.Expr:
    """The seconds of a duration: each part is what CAST takes of the text behind a mark; nothing where it is empty."""
    from sqlglot import exp, parse_one

    text = column.sql(dialect="sqlite")
    parts: list[str] = []
    for part in clock.parts:
        parts.append(f"CAST({text} AS REAL)" if part == "seconds" else f"{_SECONDS[part]} * CAST({text} AS INTEGER)")
        text = f"SUBSTR({text}, INSTR({text}, ':') + 1)"
    whole = column.sql(dialect="sqlite")
    tree = parse_one(f"CASE WHEN {whole} LIKE '%:%' THEN {' + '.join(parts)} END", read="sqlite")
    assert isinstance(tree, exp.Expr)
    return tree


_SECONDS = {"hours": 3600, "minutes": 60}


def _as_days(table: exp.Table, entity: Entity, days: dict[str, Notation], named: set[str]) -> exp.Select:
    """A SELECT of a table's columns, as far as they are named, with days in it."""
    from sqlglot import exp

    plain = exp.Table(this=table.this.copy(), db=table.args.get("db"))
    shown: list[exp.Expr] = []
    for name in entity.attributes:
        if name in days:
            shown.append(
                exp.alias_(iso_day(exp.Column(this=identifier(name, "sqlite")), days[name]), identifier(name, "sqlite"))
            )
        elif name in named:
            shown.append(exp.Column(this=identifier(name, "sqlite")))
    return exp.Select().select(*shown).from_(plain)


def iso_day(column: exp.Expr, notation: Notation) -> exp.Expr:
    """The day of a column of text as ISO text; nothing where the text is empty.

    A number at the beginning of a text is all that CAST takes of it, so each part ends where the next mark stands.
    """
    from sqlglot import exp, parse_one

    text, mark = column.sql(dialect="sqlite"), notation.mark
    rest = f"SUBSTR({text}, INSTR({text}, '{mark}') + 1)"
    texts = (text, rest, f"SUBSTR({rest}, INSTR({rest}, '{mark}') + 1)")
    said = dict(zip(notation.parts, texts, strict=False))
    parts = {"day": "1"} | {part: f"CAST({where} AS INTEGER)" for part, where in said.items()}
    if notation.named:
        parts["month"] = f"(INSTR('{_MONTHS}', UPPER(SUBSTR({said['month']}, 1, 3))) + 2) / 3"
    if notation.short:
        year = parts["year"]
        parts["year"] = f"{year} + CASE WHEN {year} < {CENTURY_FROM} THEN 2000 ELSE 1900 END"
    made = f"PRINTF('%04d-%02d-%02d', {parts['year']}, {parts['month']}, {parts['day']})"
    tree = parse_one(f"CASE WHEN {text} LIKE '%{mark}%' THEN {made} END", read="sqlite")
    assert isinstance(tree, exp.Expr)
    return tree
