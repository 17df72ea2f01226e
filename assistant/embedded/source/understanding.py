"""How a catalog is understood: what is guessed of its tables and columns from names, kinds and profiles.

Three things are guessed: what a column is for (`roles`), which numbers may be added up (`attributes`), and the
columns by which people call a row (`labels`). The values that hold what was guessed are in `schema`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.data.identity import identifiers, like_key, named_in
from assistant.embedded.source.attributes import attribute_of
from assistant.embedded.source.clock import clock_of
from assistant.embedded.source.labels import label_of, noun_of, telling
from assistant.embedded.source.notation import month_notation_of, notation_of
from assistant.embedded.source.schema import Attribute, Edge, Entity, Schema, lines_of, table_id
from assistant.embedded.words.lexicon import name_stems, name_words, singular, spoken, stem

if TYPE_CHECKING:
    from assistant.data.catalog import Catalog, Column, Table


def understand(catalog: Catalog) -> Schema:
    """Understand a catalog. Views are left aside where there are tables: they would make every word ambiguous."""
    tables = [t for t in catalog.tables if not t.is_view] or list(catalog.tables)
    ids = {(t.schema, t.name): table_id(t) for t in tables}
    by_name: dict[str, str] = {}
    for (_, name), identity in ids.items():
        by_name.setdefault(name, identity)
        by_name[identity] = identity
    references = {(ids[t.schema, t.name], column) for t in tables for key in t.foreign_keys for column in key.columns}
    entities: dict[str, Entity] = {}
    nouns = _nouns([table.name for table in tables])
    for table in tables:
        entity = _entity(ids[table.schema, table.name], table, references, nouns[table.name], catalog.dialect)
        if len(tables) == 1:
            plain = spoken(table.name) == singular(spoken(table.name))
            entity = replace(entity, nameless=plain or lines_of(entity))
        entities[entity.name] = entity
    edges: dict[str, list[Edge]] = {name: [] for name in entities}
    for table in tables:
        left = ids[table.schema, table.name]
        for key in table.foreign_keys:
            right = by_name.get(f"{key.schema}.{key.table}" if key.schema else key.table) or by_name.get(key.table)
            if right is None or right == left or len(key.columns) != len(key.target_columns):
                continue
            unique = set(key.columns) >= set(entities[left].key) and bool(entities[left].key)
            nullable = any(_may_be_missing(c) for c in table.columns if c.name in key.columns)
            there = Edge(
                left=left,
                left_columns=key.columns,
                right=right,
                right_columns=key.target_columns,
                many=False,
                inferred=key.inferred,
                optional=nullable,
            )
            back = Edge(
                left=right,
                left_columns=key.target_columns,
                right=left,
                right_columns=key.columns,
                many=not unique,
                inferred=key.inferred,
                optional=True,
            )
            edges[left].append(there)
            edges[right].append(back)
    return Schema(
        source=catalog.source,
        dialect=catalog.dialect,
        entities=entities,
        edges={name: tuple(found) for name, found in edges.items()},
    )


def _may_be_missing(column: Column) -> bool:
    return column.nullable and (column.profile is None or column.profile.sampled or column.profile.nulls > 0)


_LAYERS = frozenset(("ref", "dim", "fact", "fct", "tbl", "stg", "all"))
"""What stands before or behind a table's name and says nothing of its rows."""
_ALIKE_MIN = 3
"""From how many tables on a word that all of their names begin with says nothing of any."""


def _nouns(names: Sequence[str]) -> dict[str, str]:
    """What tables are called by their rows: `dim_customer` and, where all begin so, `mkt_customer` hold customers."""
    cut = {name: name_words(name) for name in names}
    firsts = {words[0] if len(words) > 1 else "" for words in cut.values()}
    shared = len(names) >= _ALIKE_MIN and len(firsts) == 1 and "" not in firsts
    found: dict[str, str] = {}
    for name, words in cut.items():
        if len(words) > 1 and (words[0] in _LAYERS or shared):
            found[name] = "_".join(words[1:])
        elif len(words) > 1 and words[-1] in _LAYERS:
            found[name] = "_".join(words[:-1])
        else:
            found[name] = name
    plain = [singular(spoken(noun)) for noun in found.values()]
    return {name: noun if plain.count(singular(spoken(noun))) == 1 else name for name, noun in found.items()}


def _entity(name: str, table: Table, references: set[tuple[str, str]], called: str, dialect: str) -> Entity:
    stems = name_stems(called)
    attributes: dict[str, Attribute] = {}
    key = tuple(table.primary_key) or _inferred_key(table)
    prefix = _prefix(table)
    dated = any(column.kind in ("date", "datetime") or notation_of(column) for column in table.columns)
    for column in table.columns:
        referring = (name, column.name) in references
        notation = None
        if dialect == "sqlite" and not referring:
            months = None if dated else month_notation_of(column)
            notation = notation_of(column) or months or clock_of(column, called)
        attributes[column.name] = attribute_of(
            name, stems, table, column, reference=referring, prefix=prefix, key=key, notation=notation
        )
    plain = [a for a in attributes.values() if a.role not in ("key", "reference")]
    only_keys = all(attributes[k].role == "reference" for k in key or attributes if k in attributes)
    bridge = len(table.foreign_keys) >= 2 and only_keys and not any(a.role in ("text", "number") for a in plain)
    return Entity(
        name=name,
        called=called,
        stems=stems,
        attributes=attributes,
        key=key,
        label=label_of(
            stems,
            attributes,
            key or telling(attributes, table.rows),
            events=len(table.foreign_keys) > 0 and any(a.is_time for a in plain),
            rows=table.rows or 0,
        ),
        table=table,
        bridge=bridge,
        noun=noun_of(key or telling(attributes, table.rows), attributes),
    )


def _inferred_key(table: Table) -> tuple[str, ...]:
    """What tells the rows of a table without a declared key apart, and is named or placed like its key."""
    found = identifiers(table)[:1]
    own = [c for c in found if like_key(c.name) and (c is table.columns[0] or named_in(c.name, table))]
    return tuple(column.name for column in own)


def _prefix(table: Table) -> str:
    """What most columns of a table begin with, such as `stu` in `stu_gpa`; nothing where they begin differently."""
    firsts = [name_words(column.name)[0] for column in table.columns if len(name_words(column.name)) > 1]
    for word in dict.fromkeys(firsts):
        if firsts.count(word) >= 3 and firsts.count(word) * 2 > len(table.columns):
            return stem(word)
    return ""
