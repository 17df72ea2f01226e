"""What identifies a row: a declared key, or a unique column that is named or placed like a key.

Columns whose value another column determines, such as an order's freight on its lines, belong to that column's row:
summed over the lines they would be counted several times. Only files and tables without a declared key are examined.

Files, views and many databases declare no keys. Names are compared by their words ("CustomerID", "customer_id" and
"customerid" are equal), tables by their singular, their last word and their abbreviations.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from assistant.core.catalog import COMPARABLE, Column, Table

THINGS_MIN = 20
"""A determinant must have so many distinct values; with fewer, a dependency may be chance."""
_ROWS_PER_KEY_MIN = 1.1
_NUMBERS_MAX = 4

KEY_ENDINGS = ("id", "key", "code", "no", "number", "num", "nr", "pk", "fk", "uid", "uuid")
_KEY_KINDS = {"integer": "number", "number": "number", "text": "text"}
_RUN_TOGETHER = ("id", "key", "code")
_SHORT_ENDINGS = ("id", "no")
_PREFIXES = ("dim", "fact", "tbl", "t", "ref", "stg")
_SHORT = 4
_IDENTIFIERS_MAX = 3
_ABBREVIATION_MIN = 2


def identifiers(table: Table) -> tuple[Column, ...]:
    """The single columns by which other tables may refer to a row, likeliest first; none where several make the key.

    After the declared key, or without any, they are columns that tell all rows apart: those named like keys, the
    table's own before others, and, where no key is declared, the first column whatever its name.
    """
    if len(table.primary_key) > 1 or (table.is_view and not table.primary_key):
        return ()
    key = table.column(table.primary_key[0]) if table.primary_key else None
    if table.primary_key and key is None:
        return ()
    referring = {name for foreign in table.usable_keys for name in foreign.columns}
    unique_columns = [column for column in table.columns if column is not key and _tells_apart(column, table)]
    key_columns = sorted(
        (column for column in unique_columns if is_like_key(column.name)), key=lambda c: -named_in(c.name, table)
    )
    if key is not None:
        further_keys = (column for column in key_columns if is_telling(column.name) and column.name not in referring)
        return (key, *further_keys)[:_IDENTIFIERS_MAX]
    first = [column for column in unique_columns if column is table.columns[0] and column not in key_columns]
    return (*key_columns, *first)[:_IDENTIFIERS_MAX]


def _tells_apart(column: Column, table: Table) -> bool:
    profile = column.profile
    may_be = column.kind in ("integer", "text") or (column.kind == "number" and is_like_key(column.name))
    if profile is None or profile.sampled or not table.rows or not may_be:
        return False
    return profile.nulls == 0 and profile.distinct == table.rows


def is_like_key(name: str) -> bool:
    """Whether a name ends as keys do: `order_no`, `id`, `stuid`, `aid`."""
    parts = split_words(name)
    return parts[-1] in KEY_ENDINGS or (len(parts[-1]) <= _SHORT and parts[-1].endswith(_SHORT_ENDINGS))


@lru_cache(maxsize=100_000)
def is_telling(name: str) -> bool:
    """Whether a key's name tells its table: `customer_id` does, `id` and `name` do not."""
    return "".join(split_words(name)) not in (*KEY_ENDINGS, "name", "title", "date", "year")


def tells(key: Column, table: Table) -> bool:
    """Whether a key's name tells its table; `uid` does where it is the id of users."""
    return is_telling(key.name) or (key.name.lower() == "uid" and named_in(key.name, table) > 0)


def named_in(name: str, table: Table) -> int:
    """How clearly a key's name tells that it is a table's: 3 by its name, 2 by an abbreviation, 1 by its initial."""
    return _named_in(name, table.name)


@lru_cache(maxsize=100_000)
def _named_in(name: str, table: str) -> int:
    parts = split_words(name)
    compact = "".join(parts)
    if any(table_name in compact for table_name in _names(table)):
        return 3
    part = "".join(parts[:-1]) if parts[-1] in KEY_ENDINGS else compact
    if len(parts) == 1 and len(compact) <= _SHORT and compact.endswith(_SHORT_ENDINGS):
        part = compact[:-2]
    table_words = [singular(word) for word in split_words(table)]
    if part == table_words[-1]:
        return 3
    if len(part) >= _ABBREVIATION_MIN and any(
        part == word or abbreviates(part, word) for word in (*table_words, singular(strip_prefix(table)))
    ):
        return 2
    return int(bool(part) and part[0] == split_words(table)[0][0] and len(part) == 1)


def names_of(table: Table) -> frozenset[str]:
    """What a table is called: its name without what only says that it is a table, in the plural and the singular."""
    return _names(table.name)


@lru_cache(maxsize=100_000)
def _names(table: str) -> frozenset[str]:
    name = strip_prefix(table)
    shorn = {name.removesuffix("es")} if name.endswith("uses") else set[str]()
    return frozenset({name, singular(name)} | shorn)


def abbreviates(short: str, word: str) -> bool:
    """Whether letters of a word in their order make a shorter one: `cust`, `dept`, `apt`, `qty`."""
    if not short or len(short) >= len(word) or short[0] != word[0]:
        return False
    letters = iter(word)
    return word.startswith(short) or (len(short) > _ABBREVIATION_MIN and all(letter in letters for letter in short))


@lru_cache(maxsize=100_000)
def split_words(name: str) -> list[str]:
    """The words of a name, in lower case; a key's ending is a word of its own (`customerid`)."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name.replace("#", " no "))
    parts = [word for word in re.split(r"[\W_]+", spaced.lower()) if word] or [name.lower()]
    last = parts[-1]
    if len(parts) == 1:
        for ending in _RUN_TOGETHER:
            if last.endswith(ending) and len(last) > len(ending) + 2:
                return [last.removesuffix(ending), ending]
    return parts


def strip_prefix(name: str) -> str:
    """A table's name in one word, without what only says that it is a table."""
    parts = split_words(name)
    if len(parts) > 1 and parts[0] in _PREFIXES:
        parts = parts[1:]
    return "".join(parts)


def singular(word: str) -> str:
    """The singular of a plural by its ending."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def alike(column: Column, key: Column) -> bool:
    """Whether a column holds what a key may be: numbers for numbers, texts for texts."""
    return _KEY_KINDS.get(column.kind, "") == _KEY_KINDS.get(key.kind)


def determinants(table: Table) -> tuple[Column, ...]:
    """Columns that identify what several rows belong to, most distinct first: `Order No`, then `Customer ID`."""
    if table.primary_key or table.is_view or not table.rows:
        return ()
    numbers = [column for column in table.columns if is_like_key(column.name) and _numbers(column, table.rows)]
    numbers.sort(key=lambda column: -(column.profile.distinct if column.profile else 0))
    return tuple(numbers[:_NUMBERS_MAX])


def _numbers(column: Column, rows: int) -> bool:
    profile = column.profile
    if profile is None or profile.sampled or column.kind not in ("integer", "text"):
        return False
    return profile.distinct >= THINGS_MIN and profile.distinct * _ROWS_PER_KEY_MIN <= rows and profile.nulls == 0


def may_depend(table: Table, number: Column) -> tuple[Column, ...]:
    """Columns whose dependency on a determinant is worth checking."""
    return tuple(
        column
        for column in table.columns
        if column is not number
        and column.kind in COMPARABLE
        and column.profile is not None
        and 1 < column.profile.distinct <= (number.profile.distinct if number.profile else 0)
    )


def with_dependencies(columns: Sequence[Column], dependents: Mapping[str, Collection[str]]) -> tuple[Column, ...]:
    """The columns, each with its determinant. `dependents`: by the name of a determinant, the names that depend on it.

    Where several columns determine one, the last is taken: the customer's number rather than the order's.
    """
    by = {name: number for number, names in dependents.items() for name in names}
    return tuple(
        replace(column, profile=replace(column.profile, determined_by=by[column.name]))
        if column.name in by and column.profile is not None
        else column
        for column in columns
    )
