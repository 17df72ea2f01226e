"""Tables of one name in several schemas: a question names a schema, means the default one, or is asked which."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from assistant.analyst.algebra import Query, mapped, parts
from assistant.analyst.schema import Schema

UNSAID = "twin unsaid"
"""The feature of readings whose question does not say which of several tables of one name it is about."""


class Twins:
    """The tables of a schema that have one name, each known by its schema."""

    def __init__(self, schema: Schema) -> None:
        by_name: dict[str, list[str]] = defaultdict(list)
        for name, table in schema.tables.items():
            by_name[(table.place or (name,))[-1].casefold()].append(name)
        self._twins = {name: tuple(names) for names in by_name.values() if len(names) > 1 for name in names}
        self._schemas = {name: table.place[0].casefold() for name, table in schema.tables.items() if table.place[1:]}

    def readings(self, query: Query, question: str) -> Iterator[tuple[Query, bool]]:
        """A query over each of the twins that it may be about, and whether the question leaves that open."""
        if not self._twins:
            yield query, False
            return
        names_of_tables = dict.fromkeys(str(getattr(part, "table", "")) for part in parts(query))
        tables = [table for table in names_of_tables if table in self._twins]
        words = set(re.findall(r"\w+", question.casefold()))
        choices = [self._named(table, words) for table in tables]
        for combination in product(*choices):
            names = dict(zip(tables, combination, strict=True))
            yield _over(query, names), any(len(choice) > 1 for choice in choices)

    def _named(self, table: str, words: set[str]) -> tuple[str, ...]:
        """The twins of a table whose schema the words name, else that of the default schema, else all, itself first."""
        twins = sorted(self._twins[table], key=lambda twin: twin != table)
        mentioned = tuple(twin for twin in twins if self._schemas.get(twin) in words)
        return mentioned or tuple(twin for twin in twins if twin not in self._schemas) or tuple(twins)

    def others(self, query: Query) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The tables of the default schema that a query reads, each with those of its name in other schemas."""
        for table in dict.fromkeys(str(getattr(part, "table", "")) for part in parts(query)) if self._twins else ():
            if table in self._twins and table not in self._schemas:
                yield table, tuple(twin for twin in self._twins[table] if twin != table)


def _over(query: Query, names: dict[str, str]) -> Query:
    def change(part: Any) -> Any:
        table = getattr(part, "table", None)
        return replace(part, table=names[table]) if isinstance(table, str) and table in names else part

    return mapped(query, change) if any(old != new for old, new in names.items()) else query
