"""A lesson: what was expected, what was true of this source, and how it shows. Read from a repaired failure. Pure."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from assistant.core.catalog import Catalog
from assistant.core.turns import ProposalItem, Turn

ListTables = Callable[[ProposalItem], Sequence[str]]
"""Gives the tables that a cell's queries read."""
_LINES_MAX = 3
_CHARS_MAX = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What a repaired failure showed.

    Attributes:
        id: Its name, made of what it says.
        expectation: What the code expected: its lines that were changed.
        truth: Why that failed, as it was diagnosed.
        works: The lines that worked in their place.
        sign: How it shows: the failure.
        tables: The tables that it is about.
        functions: The tested functions that it is about.
        schema: The hash of these tables' names and types, and of the functions' sources.
        author: Who keeps it; empty while nobody does.
        date: Since which day, as in ISO 8601.
    """

    id: str
    expectation: str
    truth: str
    works: str = ""
    sign: str = ""
    tables: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    schema: str = ""
    author: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptLesson:
    """A lesson that a person kept. A stale one is not used: what it is about has changed."""

    lesson: Lesson
    is_stale: bool = False


def find_lessons(turn: Turn, list_tables: ListTables) -> Iterator[Lesson]:
    """The lessons of a turn: each failure that was diagnosed, whose step then ran well. Their schema is not known here.

    Args:
        turn: The turn.
        list_tables: Gives the tables that a cell's queries read; where there are none, those of the plan count.
    """
    failures: dict[int, ProposalItem] = {}
    for item in turn.proposals:
        step = item.proposal.step
        if item.diagnosis is not None and item.execution is not None and item.execution.failure is not None:
            failures[step] = item
        elif item.is_ok and step in failures:
            tables = tuple(list_tables(item)) or (turn.plan.tables if turn.plan is not None else ())
            lesson = _make_lesson(failures.pop(step), item, tables)
            if lesson.tables or lesson.functions:
                yield lesson


def _make_lesson(failed: ProposalItem, repaired: ProposalItem, tables: Sequence[str]) -> Lesson:
    diagnosis, execution = failed.diagnosis, failed.execution
    assert diagnosis is not None, "a failure was diagnosed"
    assert execution is not None, "a failure ran"
    assert execution.failure is not None, "a failure failed"
    expectation, works = _compare(failed.code, repaired.code)
    functions = tuple(function.name for function in repaired.proposal.functions)
    scope = tuple(dict.fromkeys(tables))
    parts = (expectation, diagnosis.cause, *scope, *functions)
    return Lesson(
        id=f"lesson-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:10]}",
        expectation=expectation,
        truth=" ".join(diagnosis.cause.split())[:_CHARS_MAX],
        works=works,
        sign=f"{execution.failure.name}: {' '.join(execution.failure.message.split())}"[:_CHARS_MAX],
        tables=scope,
        functions=functions,
    )


def _compare(before: str, after: str) -> tuple[str, str]:
    """The lines that were changed, before and after."""
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    removed = [line[2:].strip() for line in lines if line.startswith("- ") and line[2:].strip()]
    added = [line[2:].strip() for line in lines if line.startswith("+ ") and line[2:].strip()]
    return "\n".join(removed[:_LINES_MAX])[:_CHARS_MAX], "\n".join(added[:_LINES_MAX])[:_CHARS_MAX]


def hash_schema(catalogs: Sequence[Catalog], tables: Collection[str], functions: Sequence[tuple[str, str]] = ()) -> str:
    """The hash of what a lesson is about: each table's columns with their types, and each function's own hash.

    Args:
        catalogs: The session's catalogs.
        tables: The tables; one that is in none of the catalogs counts as such.
        functions: The functions, by name and hash.
    """
    lines: list[str] = []
    for name in sorted(tables, key=str.casefold):
        table = next(filter(None, (catalog.table(name) for catalog in catalogs)), None)
        columns = [f"{column.name} {column.type}" for column in table.columns] if table is not None else ["missing"]
        lines.append(f"{name.casefold()}: {', '.join(columns)}")
    lines += [f"{name}: {sha256}" for name, sha256 in sorted(functions)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
