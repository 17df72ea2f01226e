"""Tables under the name of a key that leads to them: an employee's manager, a flight's origin and destination.

A key to its own table, and each of several keys to one table, makes an alias of the table that it leads to, and of all
tables of which each of its rows has one: a manager's department. An alias has a name, columns and links as every table
has, so that whatever can be said of a table can be said of it. It is not listed among the source's tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assistant.analyst.algebra import Column, mapped
from assistant.analyst.lexicon.files import listed, section
from assistant.analyst.links import Link, LinkedTable
from assistant.analyst.names import words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """The tables that a key leads to, under other names.

    Attributes:
        name: The name of the table that it leads to.
        words: The words of the key: "manager" of `manager_id`.
        key: The link from the table that has the key, without the alias.
        back: The way back.
        names: The name of each table that it renames.
        rivals: How many named keys lead to the table where none is named as the table alone; else 0.
    """

    name: str
    words: tuple[str, ...]
    key: Link
    back: Link
    names: Mapping[str, str]
    rivals: int

    def named(self, value: Any) -> Any:
        """A value of the algebra, or a link, that speaks of the tables under their other names."""

        def change(part: Any) -> Any:
            table = self.names.get(getattr(part, "table", ""))
            return replace(part, table=table) if table and not isinstance(part, Link) else part

        return mapped(value, change)

    def tables(self, tables: Mapping[str, LinkedTable]) -> Iterator[LinkedTable]:
        """The tables under their other names."""
        for of, name in self.names.items():
            table = tables[of]
            label = tuple(c for c in table.label if c.table in self.names) or table.grain
            own = self.words if of == self.key.table else (*self.words, *table.words)
            renamed = replace(table, label=label, words=own, name=name, of=of)
            yield replace(renamed, **{key: self.named(getattr(renamed, key)) for key in ("columns", "grain", "label")})

    def links(self, links: Mapping[str, tuple[Link, ...]]) -> Iterator[Link]:
        """The key and its way back, the links between its tables, and those to many rows of others."""
        yield replace(self.key, end=self.named(self.key.end))
        yield replace(self.back, start=self.named(self.back.start))
        for table in self.names:
            for link in links[table]:
                if link.table not in self.names and link.cardinality == "many" and link.end != self.key.start:
                    yield replace(link, start=self.named(link.start))
                elif link.table in self.names and link.table != self.key.table and link.cardinality == "one":
                    yield replace(link, start=self.named(link.start), end=self.named(link.end))


def aliases(pairs: Iterable[tuple[Link, Link]], tables: Mapping[str, LinkedTable]) -> tuple[Alias, ...]:
    """The aliases of a source, from its keys and the ways back."""
    by: dict[tuple[str, str], dict[tuple[Column, ...], tuple[Link, Link]]] = {}
    near: dict[str, list[str]] = {}
    for key, back in pairs:
        start = key.start[0].table
        if len(key.start) == 1:
            by.setdefault((start, key.table), {}).setdefault(key.start, (key, back))
        near.setdefault(start, []).append(key.table)
    result: list[Alias] = []
    used_names = {name.casefold() for name in tables}
    for (start, end), keys in by.items():
        phrases = {key: phrases for key, _ in keys.values() if (phrases := _said(key, tables)) or len(keys) > 1}
        if start != end and len(keys) == 1:
            continue
        rivals = len(keys) if start != end and all(phrases.values()) else 0
        for key, back in keys.values():
            if phrases.get(key):
                names = _names(phrases[key], (end, *_above(end, start, near)), used_names, start)
                result.append(
                    Alias(name=names[end], words=phrases[key], key=key, back=back, names=names, rivals=rivals)
                )
                used_names |= {name.casefold() for name in names.values()}
    return tuple(result)


def _said(key: Link, tables: Mapping[str, LinkedTable]) -> tuple[str, ...]:
    """The words of a key that say more than what table it leads to."""
    name = words_of(key.start[0].name)
    verb = section("columns", "keys that are verbs").get(" ".join(name))
    silent = {*tables[key.table].words, *words_of(key.end[0].name), *listed("columns", "silent in keys")}
    silent |= listed("columns", "roles", "identifier")
    words = (str(verb),) if verb else tuple(word for word in name if word not in silent)
    return () if any(words == table.words for table in tables.values()) else words  # it is of another table


def _above(end: str, start: str, near: Mapping[str, list[str]]) -> Iterator[str]:
    """The tables of which each row of a table has one, other than a table that leads to it."""
    visited, waiting = {end, start}, [end]
    while waiting:
        for table in near.get(waiting.pop(), ()):
            if table not in visited:
                visited.add(table)
                waiting.append(table)
                yield table


def _names(words: tuple[str, ...], of: Iterable[str], used_names: set[str], start: str) -> dict[str, str]:
    names: dict[str, str] = {}
    for table in of:
        name = " ".join((*words, table) if names or table != start else words)
        while name.casefold() in used_names:
            name = f"{name} of {start}"
        names[table] = name
    return names
