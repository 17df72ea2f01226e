"""Cost estimates of a query, from the engine's plan before it runs. Pure: plans come in as text.

The measure is the total number of rows that the engine would read. It is an estimate by the engine's statistics, good
enough to tell a forgotten join condition from a question; the query's budget limits what really runs. No engine
estimates the rows that a query generates itself (a recursive WITH): `recursion` reads them off the query and adds them
to the plan.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, cast

from assistant.query.recursion import ENDLESS, FINDING, MARK, UNTOLD, UNTOLD_ROWS

EXPENSIVE_ROWS = 200_000_000
"""Engines join some ten million rows a second, so this is what about fills a query's usual time limit."""

_LONG = "That may take long, and is stopped at its time limit."
_NO_ESTIMATE = "No estimate is possible: the query repeats a step (WITH RECURSIVE)"
_ENDLESS = (
    f"{_NO_ESTIMATE}, and nothing in it says when to stop. It would go on until it is stopped at its time limit. "
    "Give the repeated step a condition that ends it, or a LIMIT."
)

_RANGE_PART = 4
"""The part of an index that SQLite expects a range to give: a quarter, where nothing is known of its values.

Source: https://www.sqlite.org/optoverview.html, "range query optimizations".
"""
_PRODUCTS = ("CROSS_PRODUCT", "NESTED_LOOP_JOIN", "BLOCKWISE_NL_JOIN")
_SCALES = ((10**15, "thousand trillion"), (10**12, "trillion"), (10**9, "billion"), (10**6, "million"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """How many rows a query would look at, and whether a person should decide with that in mind.

    `text` says it in whole sentences, or says that it cannot be told, and why.
    """

    rows: int
    text: str
    expensive: bool


def estimate(plan: str, *, dialect: str, rows: Mapping[str, int | None]) -> Estimate | None:
    """The cost of a query; None where its plan says nothing about it.

    Args:
        plan: What `Source.explain` gave, of the engine and of `recursion`.
        dialect: sqlglot's name of the engine's dialect.
        rows: Row counts by the lower-case names and aliases of the query's tables; used where the plan has none.
    """
    plan, recursive_rows = _split_additions(plan)
    if ENDLESS in recursive_rows.values():
        return Estimate(rows=EXPENSIVE_ROWS, text=_ENDLESS, expensive=True)
    counts = {
        name: UNTOLD_ROWS if count == UNTOLD else int(count)
        for name, count in recursive_rows.items()
        if count != FINDING
    }
    match dialect:
        case "sqlite":
            planned = _estimate_sqlite(plan, {**rows, **counts})
        case "duckdb":
            planned = _estimate_duckdb(plan, {**rows, **counts})
        case "postgres":
            planned = _estimate_postgres(plan)
        case "mysql":
            planned = _estimate_mysql(plan)
        case _:
            planned = None
    if planned is None and not recursive_rows:
        return None
    most = max(counts.values(), default=0)
    total = max(planned or 0, most)
    return Estimate(
        rows=total,
        text=_describe_estimate(planned, total, most, set(recursive_rows.values())),
        expensive=total >= EXPENSIVE_ROWS,
    )


def _describe_estimate(planned: int | None, total: int, most: int, recursions: set[str]) -> str:
    """An estimate in words.

    Args:
        planned: What the plan says, without what the query makes by itself.
        total: What is taken for the whole.
        most: The most rows that a repeated step makes.
        recursions: What is known of the repeated steps.
    """
    if most >= EXPENSIVE_ROWS:
        return f"It repeats a step (WITH RECURSIVE) until it has made about {_format_size(most)} rows. {_LONG}"
    if total >= EXPENSIVE_ROWS:
        return (
            f"By its own plan, the database would go through about {_format_size(total)} combinations of rows. {_LONG} "
            "Is a join condition missing?"
        )
    if FINDING in recursions:
        once = f": one round looks at about {_format_size(planned)} rows" if planned else ""
        return f"{_NO_ESTIMATE} for as long as that finds rows, and the database's plan cannot tell how often{once}."
    if UNTOLD in recursions:
        return f"{_NO_ESTIMATE} until a date or value that shows only while it runs. It is stopped at its time limit."
    return f"Looks at about {_format_size(total)} row{'s' if total != 1 else ''}." if total else ""


def _split_additions(plan: str) -> tuple[str, dict[str, str]]:
    """A plan without what was added to it, and that: rows (or `ENDLESS`) by the name of what makes them."""
    lines = plan.splitlines()
    marked = [line.removeprefix(MARK).rpartition(" ") for line in lines if line.startswith(MARK)]
    return "\n".join(line for line in lines if not line.startswith(MARK)), {name: rows for name, _, rows in marked}


def _format_size(rows: int) -> str:
    for size, word in _SCALES:
        if rows >= size:
            return f"{rows / size:,.0f} {word}"
    return f"{rows:,}"


def _estimate_sqlite(plan: str, rows: Mapping[str, int | None]) -> int:
    """Scans that stand beside each other are loops in each other; each correlated subquery runs for every row."""
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in plan.splitlines() if line.strip()]
    return _multiply_loops(lines, rows)


def _multiply_loops(lines: list[tuple[int, str]], rows: Mapping[str, int | None]) -> int:
    if not lines:
        return 0
    depth = lines[0][0]
    starts = [place for place, (indent, _) in enumerate(lines) if indent == depth]
    looped, once, again = [], 0, 0
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        detail, below = lines[start][1], _multiply_loops(lines[start + 1 : end], rows)
        # A search that uses nothing is a scan, which may end early when it looks for a minimum.
        if scanned := re.match(r"SCAN (?:TABLE )?(.+)|SEARCH (?!.*\bUSING\b)(.+)", detail):
            looped.append(max(1, _find_rows(scanned[1] or scanned[2], rows)))
        elif ranged := re.match(r"SEARCH (.+?) USING .*\w[<>]=?\?", detail):
            looped.append(max(1, _find_rows(ranged[1], rows) // _RANGE_PART))
        if detail.startswith("CORRELATED"):
            again += below
        else:
            once += below
    return prod(looped) * max(1, again) + once if looped or again else once


def _find_rows(label: str, rows: Mapping[str, int | None]) -> int:
    """The rows of the table that a line of a plan begins with; 0 where it is not known. Names may hold spaces."""
    words = label.casefold().split(" ")
    names = (" ".join(words[:end]) for end in range(len(words), 0, -1))
    return next((count for name in names if (count := rows.get(name)) is not None), 0)


def _estimate_duckdb(plan: str, rows: Mapping[str, int | None]) -> int | None:
    """The greatest number of rows that a node of the plan gives, or that a scan goes through to find what it gives."""
    try:
        trees = json.loads(plan)
    except ValueError:
        return None
    counts: list[int] = []
    for tree in cast("list[dict[str, Any]]", trees):
        _collect_cardinalities(tree, counts, rows)
    return max(counts, default=None)


def _collect_cardinalities(node: dict[str, Any], counts: list[int], rows_of: Mapping[str, int | None]) -> int:
    below = [_collect_cardinalities(child, counts, rows_of) for child in node.get("children", ())]
    cardinality = str(node.get("extra_info", {}).get("Estimated Cardinality", ""))
    rows = int(cardinality) if cardinality.isdigit() else max(below, default=0)
    if str(node.get("name", "")).strip() in _PRODUCTS:
        rows = max(rows, prod(below))
    # What a filter of a scan lets through is guessed; it is found by looking at the whole table. That alone is quick.
    table = str(node.get("extra_info", {}).get("Table", "")).split(".", 2)[-1].strip('"').casefold()
    counts.append(max(rows, min(rows_of.get(table) or 0, EXPENSIVE_ROWS - 1)))
    return rows


def _estimate_postgres(plan: str) -> int | None:
    counts = [int(number) for number in re.findall(r"\brows=(\d+)", plan)]
    cost = re.search(r"\bcost=[\d.]+\.\.([\d.]+)", plan)
    if not counts or not cost:
        return None
    # A row costs at least 0.01 of the planner's units; less means that a LIMIT stops it before they are all made.
    return min(max(counts), max(counts[0], int(float(cost[1]) * 100)))


_MYSQL_LINE = re.compile(r"(\d+) .* (\d+)(?: \d+\.\d+)?(?: (?:None|[A-Z]\D*))?")


def _estimate_mysql(plan: str) -> int | None:
    """Lines of one SELECT are loops in each other."""
    selects: dict[str, int] = {}
    for line in plan.splitlines():
        if match := _MYSQL_LINE.fullmatch(line.strip()):
            selects[match[1]] = selects.get(match[1], 1) * max(1, int(match[2]))
    return sum(selects.values()) if selects else None
