"""Foreign keys that nobody declared: found by names, or by numbers that cannot be a key's by chance.

Either is confirmed by the values where there are any. Only single columns are considered, and only targets that
identify a row. The caller confirms a candidate against the data; this module asks no engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from assistant.data.catalog import Column, ForeignKey, Table

_KEY_ENDINGS = ("id", "key", "code", "no", "number", "num", "nr", "pk", "fk", "uid", "uuid")
_KEY_KINDS = {"integer": "number", "number": "number", "text": "text"}
_ABOVE = (["manager"], ["mgr"], ["supervisor"], ["boss"], ["superior"], ["reports", "to"])
_PEOPLE = ("employee", "staff", "person", "people", "worker", "personnel", "user", "member")
_CHANCE_MAX = 1e-4
_DENSITY_MAX = 0.5
_SPREAD_MIN = 0.25
_DIFFERENT_MIN = 3
_PREFIXES = ("dim", "fact", "tbl", "t", "ref", "stg")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A column that may refer to another table's key."""

    table: Table
    column: Column
    target: Table
    target_column: Column


def candidates(tables: tuple[Table, ...]) -> Iterator[Candidate]:
    """Pairs whose names fit, the best target of each column first; then those whose numbers fit.

    A column with a declared foreign key is left alone, and so is a table's own single key unless it has the very
    name of another table's key that stands in a table named for it. A key declared to refer to its own table is not
    believed where another table's key has the column's name: such declarations are slips.
    """
    keys = _by_name(tables)
    sparse = [(table, key) for table in tables if (key := _key(table)) is not None and _drawn(key, key)]
    named = {(id(table), key.name.casefold()) for found in keys.values() for table, key in found}
    for table in tables:
        if table.is_view:
            continue
        declared = {
            name.casefold()
            for key in table.foreign_keys
            for name in key.columns
            if key.table != table.name or not any(n == name.casefold() and t != id(table) for t, n in named)
        }
        own = _key(table)
        for column in table.columns:
            if column.name.casefold() in declared:
                continue
            ranked = sorted(
                (
                    (fit, target.name, target, key)
                    for target, key in _nearby(keys, column)
                    if (target is not table or column is not key) and (fit := _fit(table, column, own, target, key))
                ),
                key=lambda item: item[:2],
            )
            named_targets = [*((target, key) for _, _, target, key in ranked[:3]), *_above(table, column, tables)]
            by_numbers = () if column is own else ((t, k) for t, k in sparse if k is not column and _drawn(column, k))
            for target, key in (*named_targets, *by_numbers):
                yield Candidate(table=table, column=column, target=target, target_column=key)


def with_inferred_keys(tables: tuple[Table, ...], is_contained: Callable[[Candidate], bool]) -> tuple[Table, ...]:
    """The tables with the foreign keys found for them added.

    Args:
        tables: All tables of a source, profiled.
        is_contained: Asks the engine whether the values of a candidate's column all occur in its target.
    """
    found: dict[tuple[str | None, str], list[ForeignKey]] = {}
    taken: set[tuple[str | None, str, str]] = set()
    for candidate in candidates(tables):
        table, target = candidate.table, candidate.target
        place = (table.schema, table.name, candidate.column.name)
        if place in taken or not is_contained(candidate):
            continue
        taken.add(place)
        key = ForeignKey(
            columns=(candidate.column.name,),
            table=target.name,
            schema=target.schema,
            target_columns=(candidate.target_column.name,),
            inferred=True,
        )
        found.setdefault((table.schema, table.name), []).append(key)
    return tuple(
        replace(table, foreign_keys=(*table.foreign_keys, *found.get((table.schema, table.name), ())))
        for table in tables
    )


_Keys = dict[str, list[tuple[Table, Column]]]


def _by_name(tables: tuple[Table, ...]) -> _Keys:
    """Tables with their keys, under each name by which `_fit` could know them: comparing all pairs takes too long."""
    found: _Keys = {}
    for table in tables:
        if table.is_view or (key := _key(table)) is None:
            continue
        names = {_bare(table.name), _singular(_bare(table.name))}
        joined = "".join(_words(key.name))
        if joined not in _KEY_ENDINGS:
            names.add(joined)
        for name in names:
            found.setdefault(name, []).append((table, key))
    return found


def _nearby(keys: _Keys, column: Column) -> list[tuple[Table, Column]]:
    """The keys that a column's name may mean: by all its words, the last ones, all but the last, the one before it."""
    words = _words(column.name)
    names = {"".join(words[start:]) for start in range(len(words))} | {"".join(words[:-1]), *words[-2:-1]}
    return list({id(table): (table, key) for name in sorted(names) for table, key in keys.get(name, ())}.values())


def _key(table: Table) -> Column | None:
    """The one column that identifies a row: the declared key, or a unique column named like one."""
    if len(table.primary_key) == 1:
        return table.column(table.primary_key[0])
    if table.primary_key:
        return None
    singular = _singular(_bare(table.name))
    for column in table.columns:
        profile = column.profile
        if profile is None or profile.sampled or not table.rows:
            continue
        if profile.nulls == 0 and profile.distinct == table.rows and column.kind in ("integer", "text"):
            words = _words(column.name)
            if words[-1] in _KEY_ENDINGS and (len(words) == 1 or "".join(words[:-1]) in (singular, _bare(table.name))):
                return column
    return None


def _fit(table: Table, column: Column, own: Column | None, target: Table, key: Column) -> int:
    """0 for no fit, else a rank, best first: named for the target and its key, the target alone, the key alone."""
    if not _alike(column, key):
        return 0
    words, key_words = _words(column.name), _words(key.name)
    joined, key_joined = "".join(words), "".join(key_words)
    names = {_bare(target.name), _singular(_bare(target.name))}
    telling = key_joined not in _KEY_ENDINGS  # `customer_id` tells its table, `id` does not
    if column is own and not (telling and joined == key_joined and any(name in key_joined for name in names)):
        return 0
    if column is own and any(name in joined for name in (_bare(table.name), _singular(_bare(table.name)))):
        return 0
    if words[-1] in _KEY_ENDINGS and "".join(words[:-1]) in names:
        return 1
    if (
        telling
        and joined == key_joined
        and (any(name in key_joined for name in names) or key_words[-1] in _KEY_ENDINGS)
    ):
        return 2 if any(name in key_joined for name in names) else 4
    if telling and len(words) > len(key_words) and words[-len(key_words) :] == key_words:
        return 3  # billing_customer_id
    if words[-1] in _KEY_ENDINGS and len(words) > 2 and words[-2] in names:
        return 3  # home_team_id to team.id
    return 5 if joined in names and len(joined) > 2 else 0


def _above(table: Table, column: Column, tables: tuple[Table, ...]) -> list[tuple[Table, Column]]:
    """Whom a manager's column refers to: another row of its own table of people, or of the only one there is.

    A parent is another row of the same table.
    """
    words = [word for word in _words(column.name) if word not in _KEY_ENDINGS]
    if words == ["parent"]:
        found = [table]
    elif words in _ABOVE:
        people = [t for t in tables if not t.is_view and _singular(_bare(t.name)) in _PEOPLE]
        found = [table] if table in people else people
    else:
        return []
    if len(found) != 1:
        return []
    key = _key(found[0])
    return [(found[0], key)] if key is not None and key is not column and _alike(column, key) else []


def _alike(column: Column, key: Column) -> bool:
    """Whether a column holds what a key may be: numbers for numbers, texts for texts."""
    return _KEY_KINDS.get(column.kind, "") == _KEY_KINDS.get(key.kind)


def _drawn(column: Column, key: Column) -> bool:
    """Whether a column's whole numbers, if all are keys, were drawn from the keys: chance would have missed one.

    Keys that fill their range say nothing: any small number is among 1, 2, 3, ... With keys for a fifth of their range,
    six different numbers are all keys once in 15,000 times. Small numbers such as places may still lie where the keys
    are dense; what was drawn from the keys spreads over their range.
    """
    if column.kind != "integer" or key.kind != "integer" or column.profile is None or key.profile is None:
        return False
    low, high, least, most = key.profile.low, key.profile.high, column.profile.low, column.profile.high
    if not (isinstance(low, int) and isinstance(high, int) and isinstance(least, int) and isinstance(most, int)):
        return False
    if not low <= least <= most <= high or key.profile.sampled or column.profile.sampled:
        return False
    density = key.profile.distinct / (high - low + 1)
    spread = (most - least) / max(1, high - low)
    different = column.profile.distinct
    if different < _DIFFERENT_MIN or density > _DENSITY_MAX or spread < _SPREAD_MIN:
        return False
    return density**different <= _CHANCE_MAX


@lru_cache(maxsize=100_000)
def _words(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    words = [word for word in re.split(r"[\W_]+", spaced.lower()) if word] or [name.lower()]
    last = words[-1]
    if len(words) == 1:  # customerid
        for ending in ("id", "key", "code"):
            if last.endswith(ending) and len(last) > len(ending) + 2:
                return [last.removesuffix(ending), ending]
    return words


def _bare(name: str) -> str:
    words = _words(name)
    if len(words) > 1 and words[0] in _PREFIXES:
        words = words[1:]
    return "".join(words)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
