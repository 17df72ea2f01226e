"""Questions in the short style of a business, made up for any schema, with the SQL that answers them.

Suites ask in whole sentences ("What is the name of ..."); people at work write "revenue by region" and "top 3 products
by quantity". Confidence is fitted on both (`benchmarks/fit_confidence.py`), or it would doubt what is asked most.
Where more than one table is a fair answer, such as a sum or an average of a number that nothing speaks of, each counts.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from assistant.embedded.source.dating import likeliest_date
from assistant.evaluation.suite import Case

if TYPE_CHECKING:
    from assistant.embedded.source.schema import Attribute, Edge, Entity, Schema

_GROUPS_MAX = 30
_ROWS_MIN = 4
_KEYS_MAX = 3
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def questions(schema: Schema, source: str, limit: int, seed: int) -> list[Case]:
    """At most `limit` questions on a source, drawn by the seed."""
    found = [made for entity in schema.entities.values() for made in _of(entity, schema)]
    drawn = random.Random(f"{seed} {source}").sample(found, min(limit, len(found)))
    return [Case(id=f"{source} {n}", question=q, source=source, sql=list(sql)) for n, (q, sql) in enumerate(drawn)]


def _of(entity: Entity, schema: Schema) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every question on one table, with the queries whose results are right."""
    if (entity.table.rows or 0) < _ROWS_MIN or entity.nameless or entity.bridge:
        return
    table, many = f'"{entity.name}"', entity.many
    numbers = [a for a in entity.attributes.values() if a.is_number]
    groups = [a for a in entity.attributes.values() if a.role in ("text", "flag") and few_values(a, entity)]
    yield f"how many {many} are there", (f"SELECT COUNT(*) FROM {table}",)
    for number in numbers:
        yield from _of_number(number, entity, groups)
    for named in (entity.attributes[name] for name in entity.label):
        profile = named.column.profile
        if named.role == "text" and profile is not None and profile.top:
            part = str(profile.top[0][0])[:4].strip()
            golds = tuple(
                f"SELECT {', '.join(f'{chr(34)}{n}{chr(34)}' for n in shown)} FROM {table}"
                f" WHERE LOWER(\"{named.name}\") LIKE '%{part.lower()}%'"
                for shown in {entity.label, (named.name,)}
            )
            if len(part) == 4 and part.isalpha():
                yield f'{many} whose {named.words} contains "{part.lower()}"', golds
                yield f'{many} with "{part.lower()}" in their {named.words}', golds
    for group in groups:
        by, words = f'"{group.name}"', group.words
        counted = (f"SELECT {by}, COUNT(*) FROM {table} GROUP BY 1",)
        yield f"number of {many} by {words}", counted
        yield f"{many} per {words}", counted
        yield f"How many {many} are there per {words}?", counted
        yield (
            f"share of {many} by {words}",
            tuple(
                f"SELECT {by}, {count}100.0 * COUNT(*) / (SELECT COUNT(*) FROM {table}) FROM {table} GROUP BY 1"
                for count in ("", "COUNT(*), ")
            ),
        )
        most = f"SELECT COUNT(*) FROM {table} WHERE {by} IS NOT NULL GROUP BY {by} ORDER BY 1 DESC LIMIT 1"
        yield (
            f"which {words} has the most {many}",
            tuple(
                f"SELECT {shown} FROM {table} WHERE {by} IS NOT NULL GROUP BY {by} HAVING COUNT(*) = ({most})"
                for shown in (by, f"{by}, COUNT(*)")
            ),
        )
        for other in groups:
            if other.name != group.name:
                yield (
                    f"{many} by {words} and {other.words}",
                    (f'SELECT {by}, "{other.name}", COUNT(*) FROM {table} GROUP BY 1, 2',),
                )
    days = [a for a in entity.dates if a.role == "date" and _DAY.match(str(_ends(a)[0]))]
    for date in days:
        yield from _of_date(date, entity, numbers, groups, alone=likeliest_date(entity) == date)
    yield from _of_two(numbers, entity, groups)
    for way in upwards(entity, schema):
        if schema.entities[way[-1].right].label:
            yield from _of_parent(way, entity, numbers, schema)


def _of_number(number: Attribute, entity: Entity, groups: list[Attribute]) -> Iterator[tuple[str, tuple[str, ...]]]:
    table, many, one = f'"{entity.name}"', entity.many, entity.one
    column, words = f'"{number.name}"', number.words
    totals = ("SUM", "AVG") if not number.adds_up else ("SUM",)
    yield f"average {words} of {many}", (f"SELECT AVG({column}) FROM {table}",)
    yield f"total {words} of {many}", (f"SELECT SUM({column}) FROM {table}",)
    yield f"highest {words} of {many}", (f"SELECT MAX({column}) FROM {table}",)
    label = ", ".join(f'"{name}"' for name in entity.label)
    if label:
        for count, order, most in ((3, "DESC", "highest"), (5, "DESC", "largest"), (1, "ASC", "lowest")):
            end = f"{column} {order}, {label} LIMIT {count}"
            rows = f"{column} IS NOT NULL ORDER BY {end}"
            if count > 1:
                golds = tuple(f"SELECT {shown} FROM {table} WHERE {rows}" for shown in (label, f"{label}, {column}"))
                yield f"top {count} {many} by {words}", golds
                yield f"the {count} {many} with the {most} {words}", golds
            else:
                least = f"{column} = (SELECT MIN({column}) FROM {table})"
                yield (
                    f"which {one} has the {most} {words}",
                    tuple(f"SELECT {shown} FROM {table} WHERE {least}" for shown in (label, f"{label}, {column}")),
                )
        low, high = _bounds(number)
        if low is not None and high is not None and low + high > 1:
            middle = round((low + high) / 2)
            for word, sign in (("over", ">"), ("below", "<"), ("of at least", ">=")):
                yield (
                    f"{many} with {words} {word} {middle}",
                    tuple(
                        f"SELECT {shown} FROM {table} WHERE {column} {sign} {middle}"
                        for shown in (label, f"{label}, {column}")
                    ),
                )
                yield (
                    f"how many {many} have a {words} {word} {middle}",
                    (f"SELECT COUNT(*) FROM {table} WHERE {column} {sign} {middle}",),
                )
    for group in groups:
        by = f'"{group.name}"'
        for aggregate, said in (("AVG", "average "), ("SUM", "total "), ("MAX", "highest ")):
            yield (
                f"{said}{words} by {group.words}",
                (f"SELECT {by}, {aggregate}({column}) FROM {table} GROUP BY 1",),
            )
        yield (
            f"{words} by {group.words}",
            tuple(f"SELECT {by}, {total}({column}) FROM {table} GROUP BY 1" for total in totals),
        )
        if label:
            best = f"SELECT MAX(x.{column}) FROM {table} x WHERE x.{by} = t.{by}"
            yield (
                f"which {one} has the highest {words} in each {group.words}",
                tuple(
                    f"SELECT {by}, {shown} FROM {table} t WHERE {column} = ({best})"
                    for shown in (label, f"{label}, {column}")
                ),
            )
    profile = [group for group in groups if group.column.profile and group.column.profile.values]
    for group in profile:
        value = (group.column.profile.values or ("",))[0] if group.column.profile else ""
        if len(value) > 2 and value.replace(" ", "").isalpha():
            held = f"\"{group.name}\" = '{value}'"
            yield (
                f"average {words} of {many} with {group.words} {value}",
                (f"SELECT AVG({column}) FROM {table} WHERE {held}",),
            )
            yield f"how many {many} have {group.words} {value}", (f"SELECT COUNT(*) FROM {table} WHERE {held}",)


def _of_date(
    date: Attribute, entity: Entity, numbers: list[Attribute], groups: list[Attribute], *, alone: bool
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Questions by month and year, and on one year; `alone` where it is the date that is meant without a word."""
    table, many, column, year = f'"{entity.name}"', entity.many, f'"{date.name}"', str(_ends(date)[1])[:4]
    by = "" if alone else f" of {date.words}"
    months = (f"strftime('%Y-%m-01', {column})", f"strftime('%Y-%m', {column})")
    years = (f"CAST(strftime('%Y', {column}) AS INTEGER)", f"strftime('%Y-01-01', {column})")
    within = f"strftime('%Y', {column}) = '{year}'"
    figures = [(f"number of {many}", "COUNT(*)"), (f"{many}", "COUNT(*)")]
    figures += [(f"average {n.words}", f'AVG("{n.name}")') for n in numbers[:2]]
    figures += [(f"total {n.words}", f'SUM("{n.name}")') for n in numbers[:2] if n.adds_up]
    for said, figure in figures:
        for grain, keys in (("month", months), ("year", years)):
            yield (
                f"{said} by {grain}{by}",
                tuple(f"SELECT {key}, {figure} FROM {table} GROUP BY 1" for key in keys),
            )
        if alone:
            yield (
                f"{said} per month in {year}",
                tuple(f"SELECT {key}, {figure} FROM {table} WHERE {within} GROUP BY 1" for key in months),
            )
            if not said.startswith(many):
                yield f"{said} in {year}", (f"SELECT {figure} FROM {table} WHERE {within}",)
        for group in groups[:2]:
            own = f'"{group.name}"'
            yield (
                f"{said} by {group.words} and month{by}",
                tuple(f"SELECT {own}, {key}, {figure} FROM {table} GROUP BY 1, 2" for key in months),
            )
            if alone:
                yield (
                    f"{said} by {group.words} in {year}",
                    (f"SELECT {own}, {figure} FROM {table} WHERE {within} GROUP BY 1",),
                )


def _of_two(numbers: list[Attribute], entity: Entity, groups: list[Attribute]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Questions for two figures side by side."""
    table, many = f'"{entity.name}"', entity.many
    for group in groups:
        by, words = f'"{group.name}"', group.words
        for number in numbers[:3]:
            column = f'"{number.name}"'
            yield (
                f"number of {many} and average {number.words} by {words}",
                (f"SELECT {by}, COUNT(*), AVG({column}) FROM {table} GROUP BY 1",),
            )
            yield (
                f"What are the lowest and highest {number.words} for each {words}?",
                (f"SELECT {by}, MIN({column}), MAX({column}) FROM {table} GROUP BY 1",),
            )
        for one, other in pairwise(numbers):
            yield (
                f"average {one.words} and {other.words} by {words}",
                (f'SELECT {by}, AVG("{one.name}"), AVG("{other.name}") FROM {table} GROUP BY 1',),
            )


def upwards(entity: Entity, schema: Schema) -> list[tuple[Edge, ...]]:
    """The ways of at most three keys to the tables above, of whose rows this table's rows have one each.

    Where two ways of the same length lead to a table, a question would have to say which: neither is taken.
    """
    ways: list[tuple[Edge, ...]] = [()]
    for way in ways:
        end = way[-1].right if way else entity.name
        seen = {entity.name, *(edge.right for edge in way)}
        if len(way) < _KEYS_MAX:
            ways += [(*way, e) for e in schema.edges.get(end, ()) if not e.many and e.right not in seen]
    shortest = {way[-1].right: len(way) for way in reversed(ways[1:])}
    ends = Counter((way[-1].right, len(way)) for way in ways[1:])
    return [w for w in ways[1:] if len(w) == shortest[w[-1].right] and ends[w[-1].right, len(w)] == 1]


def _of_parent(
    way: tuple[Edge, ...], entity: Entity, numbers: list[Attribute], schema: Schema
) -> Iterator[tuple[str, tuple[str, ...]]]:
    parent = schema.entities[way[-1].right]
    label = ", ".join(f'p."{name}"' for name in parent.label)
    keys = ", ".join(f'p."{name}"' for name in (*way[-1].right_columns, *parent.label))
    inner, outer = joined(entity, way, "JOIN"), joined(entity, way, "LEFT JOIN")

    def golds(figure: str) -> tuple[str, ...]:
        return tuple(
            f"SELECT {label}, {figure} FROM {rows} GROUP BY {by}" for rows in (inner, outer) for by in (label, keys)
        )

    yield f"number of {entity.many} by {parent.one}", golds("COUNT(*)")
    yield f"How many {entity.many} does each {parent.one} have?", golds("COUNT(*)")
    yield from _of_children(entity, parent, label, keys, inner)
    if len(way) == 1 and entity.label and parent.name != entity.name:
        own = ", ".join(f'c."{name}"' for name in entity.label)
        yield (
            f"{entity.many} with their {parent.one}",
            tuple(f"SELECT {own}, {label} FROM {rows}" for rows in (inner, outer)),
        )
        for number in numbers[:2]:
            column = f'c."{number.name}"'
            end = f"WHERE {column} IS NOT NULL ORDER BY {column} DESC, {own} LIMIT 3"
            yield (
                f"List the 3 {entity.many} with the highest {number.words} with their {parent.one}",
                tuple(f"SELECT {own}, {label} FROM {rows} {end}" for rows in (inner, outer)),
            )
    for number in numbers:
        total = f'SUM(c."{number.name}")'
        yield f"average {number.words} per {parent.one}", golds(f'AVG(c."{number.name}")')
        if not number.adds_up:
            continue
        yield f"{number.words} by {parent.one}", golds(total)
        yield f"total {number.words} per {parent.one}", golds(total)
        end = f"FROM {inner} GROUP BY {keys} ORDER BY {total} DESC, {label} LIMIT"
        for count, said in (
            (3, f"top 3 {parent.many} by {number.words}"),
            (5, f"What are the top 5 {parent.many} by total {number.words}?"),
        ):
            yield said, tuple(f"SELECT {shown} {end} {count}" for shown in (label, f"{label}, {total}"))


def _of_children(
    entity: Entity, parent: Entity, label: str, keys: str, rows: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Questions on the rows above by how many rows they have, and when."""
    counted = f"SELECT COUNT(*) AS n FROM {rows} GROUP BY {keys}"
    first = f"FROM {rows} GROUP BY {keys} HAVING COUNT(*) = (SELECT MAX(n) FROM ({counted}))"
    shown = (label, f"{label}, COUNT(*)")
    yield f"Which {parent.one} has the most {entity.many}?", tuple(f"SELECT {what} {first}" for what in shown)
    yield f"which {parent.many} have the most {entity.many}", tuple(f"SELECT {what} {first}" for what in shown)
    names = " and ".join(parent.attributes[name].words for name in parent.label)
    yield (
        f"Show the {names} of {parent.many} and the number of {entity.many}",
        (f"SELECT {label}, COUNT(*) FROM {rows} GROUP BY {keys}",),
    )
    several = f"FROM {rows} GROUP BY {keys} HAVING COUNT(*) > 2"
    yield f"{parent.many} with more than 2 {entity.many}", tuple(f"SELECT {what} {several}" for what in shown)
    dates = [a for a in entity.dates if a.role == "date"]
    if len(dates) == 1:
        last = f'SELECT {label}, MAX(c."{dates[0].name}") FROM {rows} GROUP BY {keys}'
        yield f"When was the last {entity.one} of each {parent.one}?", (last,)
        yield f"last {dates[0].words} of each {parent.one}", (last,)
        yield f"When did each {parent.one} last {entity.one}?", (last,)


def joined(entity: Entity, way: tuple[Edge, ...], join: str) -> str:
    """The table, called `c`, joined along a way to its end, called `p`."""
    names = ["c", *(f"m{n}" for n in range(1, len(way))), "p"]
    rows = f'"{entity.name}" c'
    for edge, left, right in zip(way, names, names[1:], strict=False):
        pairs = zip(edge.left_columns, edge.right_columns, strict=True)
        on = " AND ".join(f'{left}."{a}" = {right}."{b}"' for a, b in pairs)
        rows += f' {join} "{edge.right}" {right} ON {on}'
    return rows


def few_values(attribute: Attribute, entity: Entity) -> bool:
    """Whether the column tells groups: few values, and not what names a row."""
    profile = attribute.column.profile
    return (
        profile is not None
        and 1 < profile.distinct <= _GROUPS_MAX
        and profile.nulls == 0
        and attribute.name not in entity.label
    )


def _bounds(number: Attribute) -> tuple[float | None, float | None]:
    low, high = (float(end) if isinstance(end, int | float) else None for end in _ends(number))
    return low, high


def _ends(attribute: Attribute) -> tuple[object, object]:
    """The lowest and the highest value, as far as they are known."""
    profile = attribute.column.profile
    return (profile.low, profile.high) if profile else (None, None)
