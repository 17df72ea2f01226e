"""Asks each construct of plain English of any databases, and prints which constructs are read.

    python benchmarks/constructs.py SUITE.jsonl... [--each N] [--seed N] [--show]

Suites ask what their authors thought of, and what people say every day may hardly occur in them: "only", "more than
average", "how many more". Here every construct is put to every database, in the words of its own schema, with the SQL
that answers it beside it. Of a suite only the sources are used, the
first hundred by name: the others are for measuring. Prints for each construct how often the likeliest reading is right,
how often it is answered right, and how often wrong; with `--show` the questions that were not read right.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from businesslike import few_values, joined, upwards

from assistant.data.addresses import addresses
from assistant.data.errors import QueryError
from assistant.data.opening import open_source
from assistant.data.sources import Source
from assistant.data.values import Budget
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood
from assistant.embedded.source.understanding import understand
from assistant.evaluation.asking import Rows, rows_of
from assistant.evaluation.judging import Judge
from assistant.evaluation.suite import Case, read_suite
from knowledge.embedding import choose_embedder

if TYPE_CHECKING:
    from assistant.embedded.source.schema import Attribute, Edge, Entity, Schema

_TUNING = 100
_ROWS_MIN = 4
_TODAY = date(2026, 11, 22)
_BUDGET = Budget(rows_max=20_000, limit_bytes=64 * 1024**2, timeout_s=2.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of one construct, with the queries any of whose results is right."""

    construct: str
    question: str
    golds: tuple[str, ...]


@dataclass(slots=True)
class Count:
    """Of so many questions, the likeliest reading is right, and it was answered right or wrong."""

    asked: int = 0
    first: int = 0
    right: int = 0
    wrong: int = 0


def main(argv: Sequence[str] | None = None) -> int:
    """Ask, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("suites", type=Path, nargs="+", metavar="SUITE.jsonl")
    parser.add_argument("--each", type=int, default=10, help="how many constructs to ask of each database")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the questions that were not read right")
    options = parser.parse_args(argv)
    counts: dict[str, Count] = defaultdict(Count)
    for path in options.suites:
        suite = read_suite(path)
        for name in sorted({case.source for case in suite.cases})[:_TUNING]:
            asyncio.run(_ask(suite.address(name), options.each, f"{options.seed} {name}", counts, show=options.show))
    for construct, count in sorted(counts.items(), key=lambda item: item[1].first / item[1].asked):
        print(f"{construct:36}{count.asked:6}{count.first:6}{count.right:6}{count.wrong:6}")
    every = [sum(getattr(c, part) for c in counts.values()) for part in ("asked", "first", "right", "wrong")]
    print(f"{'all':36}" + "".join(f"{number:6}" for number in every))
    return 0


async def _ask(address: str, each: int, seed: str, counts: dict[str, Count], *, show: bool) -> None:
    """Put some constructs to one source, and count what becomes of them."""
    with tempfile.TemporaryDirectory() as folder:
        source = await open_source(addresses(address)[0], folder=Path(folder))
        try:
            catalog = await source.catalog()
            analyst = Analyst([catalog], (), _TODAY, choose_embedder().by_meaning)
            judge = Judge(source, budget=_BUDGET)
            for asked in _drawn(understand(catalog), each, seed):
                await _count(asked, analyst, judge, source, counts[asked.construct], show=show)
        finally:
            await source.close()


def _drawn(schema: Schema, each: int, seed: str) -> list[Asked]:
    """One question of each of so many constructs."""
    drawing = random.Random(seed)
    made: dict[str, list[Asked]] = defaultdict(list)
    for entity in schema.entities.values():
        if (entity.table.rows or 0) >= _ROWS_MIN and not (entity.nameless or entity.bridge):
            for asked in (*_of_rows(entity), *_of_parents(entity, schema)):
                made[asked.construct].append(asked)
    chosen = drawing.sample(sorted(made), min(each, len(made)))
    return [drawing.choice(made[construct]) for construct in chosen]


async def _count(asked: Asked, analyst: Analyst, judge: Judge, source: Source, count: Count, *, show: bool) -> None:
    found = analyst.candidates(asked.question)
    sql = analyst.sql(found[0].meaning, context=False) if found else ""
    case = Case(id=asked.construct, question=asked.question, source=asked.construct, sql=list(asked.golds))
    equal = await judge.equals_gold(case, [await _run(source, sql) if sql else None])
    if equal is None:
        return
    right, answered = bool(equal[0]), isinstance(analyst.read(asked.question), Understood)
    count.asked += 1
    count.first += right
    count.right += right and answered
    count.wrong += answered and not right
    if show and not right:
        print(f"{asked.construct}: {asked.question}\n    gold {asked.golds[0]}\n    ours {' '.join(sql.split())}")


async def _run(source: Source, sql: str) -> Rows | None:
    try:
        return rows_of((await source.run(sql, None, _BUDGET)).table)
    except QueryError:
        return None


def _shown(table: str, label: str, where: str, *also: str) -> tuple[str, ...]:
    """The rows that fulfil a condition, by their names, alone or beside what explains the choice."""
    return tuple(f"SELECT {what} FROM {table} WHERE {where}" for what in (label, *(f"{label}, {c}" for c in also)))


def _of_rows(entity: Entity) -> Iterator[Asked]:
    """Constructs on one table."""
    table, many, one = f'"{entity.name}"', entity.many, entity.one
    label = ", ".join(f'"{name}"' for name in entity.label)
    numbers = [a for a in entity.attributes.values() if a.is_number and not a.as_text]
    kinds = [a for a in entity.attributes.values() if a.role == "text" and few_values(a, entity)]
    for number in numbers[:3] if label else ():
        n, words = f'"{number.name}"', number.words
        yield from _of_averages(n, words, many, table, label)
        yield Asked("highest first", f"{many} and their {words}, highest first",
                    (f"SELECT {label}, {n} FROM {table} ORDER BY {n} DESC",))  # fmt: skip
        ends = (f"SELECT {label}, {n} FROM {table} WHERE {n} = (SELECT MAX({n}) FROM {table})",)
        reach = (f"SELECT MAX({n}) - MIN({n}) FROM {table}",)
        yield Asked("the highest, and what it is", f"Which {one} has the highest {words} and what is it?", ends)
        yield Asked("the highest, and who has it", f"What is the highest {words} and which {one} has it?", ends)
        yield Asked(
            "between the ends", f"What is the difference between the highest and the lowest {words} of {many}?", reach
        )
        yield Asked(
            "missing", f"How many {many} have no {words}?", (f"SELECT COUNT(*) FROM {table} WHERE {n} IS NULL",)
        )
        yield Asked(
            "ranked",
            f"Rank the {many} by {words}",
            tuple(f"SELECT {what} FROM {table} ORDER BY {n} DESC" for what in (label, f"{label}, {n}")),
        )
        above = f"{n} > (SELECT AVG({n}) FROM {table})"
        yield Asked("above average", f"Which {many} have a {words} above the average?", _shown(table, label, above, n))
    for a, b in pairwise(numbers) if label else ():
        pair = f'"{a.name}" > "{b.name}"'
        yield Asked("a number above another", f"Which {many} have a higher {a.words} than {b.words}?",
                    _shown(table, label, pair, f'"{a.name}", "{b.name}"'))  # fmt: skip
        order = f'"{a.name}", "{b.name}"'
        yield Asked("one order within another", f"List the {many} by {a.words} and then by {b.words}",
                    (f"SELECT {label} FROM {table} ORDER BY {order}",))  # fmt: skip
    for kind in kinds:
        values = [v for v in kind.column.profile.values or () if _plain(v)] if kind.column.profile else []
        if len(values) > 1 and label:
            yield from _of_kinds(kind, table, label, entity, values[0], values[1])


def _of_averages(n: str, words: str, many: str, table: str, label: str) -> Iterator[Asked]:
    """Constructs on how far a number is from its average."""
    average = f"(SELECT AVG({n}) FROM {table})"
    near = f"{n} BETWEEN 0.9 * {average} AND 1.1 * {average}"
    yield Asked("twice the average", f"{many} with more than twice the average {words}",
                _shown(table, label, f"{n} > 2 * {average}", n))  # fmt: skip
    yield Asked("near the average", f"{many} whose {words} is within 10% of the average", _shown(table, label, near, n))


def _of_kinds(kind: Attribute, table: str, label: str, entity: Entity, v: str, w: str) -> Iterator[Asked]:
    """Constructs on two values of a column."""
    k, many, words = f'"{kind.name}"', entity.many, kind.words
    less = (f"SELECT SUM({k} = '{v}') - SUM({k} = '{w}') FROM {table}",)
    ratio = (f"SELECT 1.0 * SUM({k} = '{v}') / SUM({k} = '{w}') FROM {table}",)
    either, other = f"{k} IN ('{v}', '{w}')", f"{k} <> '{v}'"
    yield Asked("how many more", f"How many more {many} have {words} {v} than {w}?", less)
    yield Asked("ratio of kinds", f"What is the ratio of {many} with {words} {v} to those with {words} {w}?", ratio)
    yield Asked("one or the other", f"Which {many} have {words} {v} or {w}?", _shown(table, label, either, k))
    yield Asked("other than", f"Which {many} have a {words} other than {v}?", _shown(table, label, other, k))
    rows = (f"SELECT {k}, COUNT(*) FROM {table} GROUP BY 1",)
    once = f"SELECT {k} FROM {table} WHERE {k} IS NOT NULL GROUP BY {k} HAVING COUNT(*) = 1"
    apart = f"SELECT {k}, COUNT(*) FROM {table} WHERE {other} GROUP BY 1"
    yield Asked("there once", f"which {words} appears only once among {many}", (once,))
    yield Asked("groups but one", f"how many {many} per {words} except {v}", (apart,))
    yield Asked("for each", f"How many {many} are there for each {words}?", rows)


def _of_parents(entity: Entity, schema: Schema) -> Iterator[Asked]:
    """Constructs on rows and what they belong to."""
    for way in upwards(entity, schema):
        parent = schema.entities[way[-1].right]
        if parent.label and parent.name != entity.name and len(way[-1].right_columns) == 1:
            yield from _of_parent(entity, parent, way)


def _of_parent(entity: Entity, parent: Entity, way: tuple[Edge, ...]) -> Iterator[Asked]:
    rows, key = joined(entity, way, "JOIN"), way[-1].right_columns[0]
    label = ", ".join(f'p."{name}"' for name in parent.label)
    by, names = f'p."{key}", {label}', ", ".join(f'"{name}"' for name in parent.label)
    counts = f"SELECT COUNT(*) AS n FROM {rows} GROUP BY {by}"
    none = f'SELECT {names} FROM "{parent.name}" WHERE "{key}" NOT IN (SELECT p."{key}" FROM {rows})'
    beside = ", ".join(f'c."{name}"' for name in entity.label)
    several = tuple(
        f"SELECT {shown} FROM {rows} GROUP BY {by} HAVING COUNT(*) > (SELECT AVG(n) FROM ({counts}))"
        for shown in (label, f"{label}, COUNT(*)")
    )
    each = f'SELECT COUNT(*) FROM {rows} WHERE p."{key}" = o."{key}"'
    owners = ", ".join(f'o."{name}"' for name in parent.label)
    yield Asked("also those with none", f"number of {entity.many} per {parent.one}, including those with none",
                (f'SELECT {owners}, ({each}) FROM "{parent.name}" AS o',))  # fmt: skip
    named = _sayable_name(parent)
    if named:
        theirs = f"SELECT COUNT(*) FROM {rows} WHERE {label} = '{named}'"
        above = f"FROM {rows} GROUP BY {by} HAVING COUNT(*) > ({theirs})"
        yield Asked("more than one of them", f"which {parent.many} have more {entity.many} than {named}",
                    (f"SELECT {label} {above}", f"SELECT {label}, COUNT(*) {above}"))  # fmt: skip
    yield Asked("more than average", f"Which {parent.many} have more {entity.many} than average?", several)
    yield Asked("without", f"Which {parent.many} have no {entity.many}?", (none,))
    if beside:
        both = (f"SELECT {beside}, {label} FROM {rows}",)
        yield Asked("each with its own", f"List every {entity.one} together with its {parent.one}", both)
        yield Asked("which of which", f"Which {entity.many} belong to which {parent.one}?", both)
    for kind in (a for a in entity.attributes.values() if a.role == "text" and few_values(a, entity)):
        values = [v for v in kind.column.profile.values or () if _plain(v)] if kind.column.profile else []
        for v in values[:1]:
            k = f'c."{kind.name}"'
            alone = f"SELECT {label} FROM {rows} GROUP BY {by} HAVING SUM({k} <> '{v}') = 0"
            some = f"SELECT {label} FROM {rows} WHERE {k} = '{v}' GROUP BY {by}"
            said = f"{entity.many} with {kind.words} {v}"
            yield Asked("only", f"Which {parent.many} only have {said}?", (alone,))
            yield Asked("some of a kind", f"Which {parent.many} have {said}?", (some,))


def _sayable_name(entity: Entity) -> str:
    """What one of the rows is called, where one text tells them."""
    named = entity.attributes[entity.label[0]] if len(entity.label) == 1 else None
    profile = named.column.profile if named is not None and named.role == "text" else None
    known = [*(profile.values or ()), *(value for value, _ in profile.top or ())] if profile is not None else []
    return next((value for value in known if isinstance(value, str) and _plain(value)), "")


def _plain(value: str) -> bool:
    """Whether a value can be said in a sentence, and written in SQL, as it is."""
    return len(value) > 2 and value.replace(" ", "").isalpha()


if __name__ == "__main__":
    sys.exit(main())
