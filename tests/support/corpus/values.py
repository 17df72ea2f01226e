"""What a case of the corpus is: a file or database that a function writes, and how it is to be read. Values only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Literal

from assistant.core.catalog import ColumnKind
from assistant.core.doubts import DoubtKind

Value = str | int | float | bool | date | datetime | time | None
Family = Literal["delimited", "layouts", "plain text", "encodings", "workbooks", "json", "databases"]
FAMILIES: tuple[Family, ...] = (
    "delimited",
    "layouts",
    "plain text",
    "encodings",
    "workbooks",
    "json",
    "databases",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A column as it is meant.

    Attributes:
        name: Its name; where a reader may choose, all that are right. Empty where the file names it not.
        kinds: The kinds that are right.
        values: Its values.
        others: Values that are right as well, where two readings are, such as with sentinels and without.
    """

    name: str | tuple[str, ...]
    kinds: tuple[ColumnKind, ...]
    values: tuple[Value, ...]
    others: tuple[tuple[Value, ...], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names that are right, the first in checks."""
        return (self.name,) if isinstance(self.name, str) else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A query over the table, called `t`, and the values of which it has to give one."""

    column: str
    sql: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedTable:
    """How a table is to be read.

    Attributes:
        names: For each column the names that are right; an empty name is whatever a reader likes.
        has_header: Whether the file names its columns.
        rows: The numbers of rows that are right.
        columns: How many columns have values; None where that does not matter.
        types: The kinds that are right, by the first name.
        missing: The numbers of empty cells that are right, by the first name.
        checks: What queries give.
        table: In a database, its name, with its schema where that is not the default.
        is_partial: Whether `names` are some of the columns only.
    """

    names: tuple[tuple[str, ...], ...]
    has_header: bool = True
    rows: tuple[int, ...]
    columns: int | None
    types: dict[str, tuple[ColumnKind, ...]]
    missing: dict[str, tuple[int, ...]]
    checks: tuple[Check, ...]
    table: str = ""
    is_partial: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """A name for each column by which checks call it, each once."""
        return keys_of(self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A foreign key that is there, declared or not: `table.column` refers to `target.target_column`."""

    table: str
    column: str
    target: str
    target_column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """How a file or database is to be read.

    Attributes:
        tables: Its tables; further ones do no harm.
        doubts: What has to be told: of each set at least one kind.
        keys: Foreign keys that are to be there.
        absent_keys: Foreign keys that are not to be there undoubted.
    """

    tables: tuple[ExpectedTable, ...]
    doubts: tuple[frozenset[DoubtKind], ...] = ()
    keys: tuple[Key, ...] = ()
    absent_keys: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A file or database of the corpus.

    Attributes:
        family: What its reader has to be good at.
        shape: What is special about it; cases of one shape differ in parameters only.
        variant: The parameters.
        suffix: The end of its file's name.
        write: Writes it to a path.
        expected: How it is to be read.
    """

    family: Family
    shape: str
    variant: str
    suffix: str
    write: Callable[[Path], None]
    expected: Expected

    @property
    def name(self) -> str:
        """Its name, which no other case has."""
        return f"{self.family}/{self.shape}/{self.variant}".replace(" ", "-")

    def put(self, folder: Path) -> Path:
        """Write it into a folder."""
        path = folder / f"{self.shape.replace(' ', '_')}{self.suffix}"
        self.write(path)
        return path


def expect_table(fields: Sequence[Field], *, has_header: bool = True, table: str = "") -> ExpectedTable:
    """The reading that fields have: every value counts in at least one check."""
    full = [field for field in fields if any(value is not None for value in field.values)]
    names = tuple(field.names if has_header else ("",) for field in full)
    keys = keys_of(names)
    return ExpectedTable(
        names=names,
        has_header=has_header,
        rows=(len(full[0].values),),
        columns=len(full),
        types={key: field.kinds for key, field in zip(keys, full, strict=True)},
        missing={
            key: tuple(sum(value is None for value in values) for values in (field.values, *field.others))
            for key, field in zip(keys, full, strict=True)
        },
        checks=tuple(check for key, field in zip(keys, full, strict=True) for check in _checks(key, field)),
        table=table,
    )


def expect(
    *fields: Field,
    has_header: bool = True,
    doubts: Sequence[DoubtKind | tuple[DoubtKind, ...]] = (),
) -> Expected:
    """The reading of a file with one table.

    Args:
        fields: Its columns.
        has_header: Whether it names them.
        doubts: What has to be told; of several together, one.
    """
    return Expected(tables=(expect_table(fields, has_header=has_header),), doubts=kinds_of(doubts))


def kinds_of(doubts: Sequence[DoubtKind | tuple[DoubtKind, ...]]) -> tuple[frozenset[DoubtKind], ...]:
    """Each as the set of kinds of which one is told."""
    return tuple(frozenset((doubt,) if isinstance(doubt, str) else doubt) for doubt in doubts)


def keys_of(names: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The first names, numbered where they are empty or equal."""
    keys: list[str] = []
    for number, rights in enumerate(names, start=1):
        first = rights[0]
        key = first or f"column {number}"
        keys.append(f"{key} {number}" if key.casefold() in {other.casefold() for other in keys} else key)
    return tuple(keys)


def _checks(key: str, field: Field) -> list[Check]:
    """What the values of a column sum up to, or where they begin and end."""
    if len(field.kinds) > 1 and "text" in field.kinds:
        return []
    column = '"' + key.replace('"', '""') + '"'
    columns: list[list[Value]] = [
        [value for value in values if value is not None] for values in (field.values, *field.others)
    ]
    measures: dict[str, Callable[[list[Value]], Value]] = {}
    match field.kinds[0]:
        case "integer" | "number":
            measures = {"sum(%s)": lambda values: sum(value for value in values if isinstance(value, int | float))}
        case "boolean":
            measures = {"count(*) FILTER (WHERE %s)": sum_true}
        case "other" | "binary" | "duration":
            measures = {"count(%s)": len}
        case _:
            measures = {
                "min(%s)": lambda values: min(map(in_words, values)),
                "max(%s)": lambda values: max(map(in_words, values)),
                "count(DISTINCT %s)": lambda values: len(set(values)),
            }
    return [
        Check(
            column=key,
            sql=f"SELECT {measure.replace('%s', column)} FROM t",
            values=tuple(work(values) for values in columns),
        )
        for measure, work in measures.items()
    ]


def sum_true(values: list[Value]) -> int:
    """How many are true."""
    return sum(value is True for value in values)


def in_words(value: Value) -> str:
    """A value as ISO text, so that dates of all systems compare."""
    match value:
        case datetime():
            return value.isoformat(sep=" ")
        case date() | time():
            return value.isoformat()
        case _:
            return str(value)
