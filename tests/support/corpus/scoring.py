"""Compares how a system read a file with how it is to be read.

A reading is `exact` where header, rows, columns, types, missing values, checks and keys are right and what has to be
told is told; `untold` where only that is lacking; `doubted` where each fault is covered by a doubt of a fitting kind
that names the column, or none; `silent` where one is not; `refused` with an error that says why; `failed` otherwise.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from datetime import time as time_of_day
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import duckdb

from assistant.core.doubts import Doubt, DoubtKind
from assistant.core.values import ArrowColumn, ArrowTable
from corpus.systems import Reading, ReadTable, System, has_kind, is_applicable, is_empty, read_by
from corpus.values import Case, Expected, ExpectedTable, Key, Value, in_words

Outcome = Literal["exact", "untold", "doubted", "silent", "refused", "failed"]
OUTCOMES: tuple[Outcome, ...] = ("exact", "untold", "doubted", "silent", "refused", "failed")
Aspect = Literal["header", "rows", "columns", "type", "missing", "value", "key"]

_ANYWHERE: frozenset[DoubtKind] = frozenset(("layout", "not_read"))
_FITTING: dict[Aspect, frozenset[DoubtKind]] = {
    "header": frozenset(("header", "encoding", "equal_names")),
    "rows": frozenset(("rows_left_out", "total_rows", "header")),
    "columns": frozenset(("header", "encoding")),
    "type": frozenset(("column_type", "missing_values", "sentinels", "day_order", "number_format", "time_zone")),
    "missing": frozenset(("missing_values", "sentinels", "column_type", "rows_left_out", "total_rows", "header")),
    "value": frozenset(
        (
            "missing_values",
            "sentinels",
            "column_type",
            "day_order",
            "number_format",
            "time_zone",
            "rows_left_out",
            "total_rows",
            "header",
            "encoding",
        )
    ),
    "key": frozenset(("declared_key", "inferred_key")),
}
"""The kinds of doubts that cover a fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something that was read otherwise than it is to be read; `column` is empty where it is of the whole table."""

    aspect: Aspect
    column: str = ""
    seen: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How a system read a case."""

    outcome: Outcome
    faults: tuple[Fault, ...] = ()
    untold: tuple[str, ...] = ()
    problem: str = ""

    @property
    def is_right(self) -> bool:
        """Whether the values are right, whatever was told: what a peer without doubts can reach."""
        return self.outcome in ("exact", "untold")

    @property
    def reason(self) -> str:
        """What is not as it is to be, in one line."""
        faults = [f"{fault.aspect} {fault.column} {fault.seen}".replace("  ", " ") for fault in self.faults]
        return "; ".join([*faults, *(f"untold: {kind}" for kind in self.untold), *filter(None, (self.problem,))])


def score_case(case: Case, system: System) -> Score | None:
    """Read a case with a system; None where it reads no such files."""
    with TemporaryDirectory(prefix="tandem-corpus-") as folder:
        path = case.put(Path(folder))
        return score_file(path, case.expected, system) if is_applicable(system, path) else None


def score_file(path: Path, expected: Expected, system: System) -> Score:
    """Read a file with a system."""
    return judge(read_by(system, path), expected)


def tally(scores: Iterable[Score]) -> Counter[Outcome]:
    """How often each outcome came."""
    return Counter(score.outcome for score in scores)


def judge(reading: Reading, expected: Expected) -> Score:
    """Compare a reading."""
    if reading.refusal:
        return Score(outcome="refused", problem=reading.refusal)
    if reading.failure:
        return Score(outcome="failed", problem=reading.failure)
    faults = _faults(reading, expected)
    told = {doubt.kind for doubt in reading.doubts}
    untold = tuple(" or ".join(sorted(kinds)) for kinds in expected.doubts if not kinds & told)
    if not faults:
        return Score(outcome="untold" if untold else "exact", untold=untold)
    covered = all(any(covers(doubt, fault) for doubt in reading.doubts) for fault in faults)
    return Score(outcome="doubted" if covered else "silent", faults=faults, untold=untold)


def covers(doubt: Doubt, fault: Fault) -> bool:
    """Whether a doubt warns of a fault: its kind fits, and it names the column or is of all."""
    if doubt.kind in _ANYWHERE:
        return True
    columns = {fold(column) for column in doubt.columns}
    return doubt.kind in _FITTING[fault.aspect] and (not columns or not fault.column or fold(fault.column) in columns)


def fold(name: str) -> str:
    """A name without what readers change in names."""
    return re.sub(r"[\W_]+", " ", name).strip().casefold()


def _faults(reading: Reading, expected: Expected) -> tuple[Fault, ...]:
    faults: list[Fault] = []
    left = list(reading.tables)
    for table in expected.tables:
        candidates = [t for t in left if not table.table or t.name.casefold() == table.table.casefold()]
        compared = [(compare(candidate, table), candidate) for candidate in candidates]
        if not compared:
            faults.append(Fault(aspect="rows", seen=f"no table {table.table}".rstrip()))
            continue
        best, match = min(compared, key=lambda item: len(item[0]))
        left.remove(match)
        faults += best
    keys = {_folded(key) for key in reading.keys}
    for key in expected.keys:
        if _folded(key) not in keys:
            faults.append(Fault(aspect="key", column=key.column, seen=f"none to {key.target}"))
    for key in expected.absent_keys:
        if _folded(key) in keys:
            faults.append(Fault(aspect="key", column=key.column, seen=f"one to {key.target}"))
    return tuple(faults)


def _folded(key: Key) -> tuple[str, ...]:
    return tuple(name.casefold() for name in (key.table, key.column, key.target, key.target_column))


def compare(table: ReadTable, expected: ExpectedTable) -> list[Fault]:
    """What is not right in a table."""
    places = [number for number in range(table.rows.num_columns) if not is_empty(table.rows.column(number))]
    names = [str(table.rows.column_names[number]) for number in places]
    faults: list[Fault] = []
    if table.rows.num_rows not in expected.rows:
        faults.append(Fault(aspect="rows", seen=str(table.rows.num_rows)))
    if expected.columns is not None and len(places) != expected.columns:
        faults.append(Fault(aspect="columns", seen=str(len(places))))
    found = _places(names, expected)
    if wrong := [key for key, place in found.items() if place is None]:
        faults.append(Fault(aspect="header", seen=f"{wrong[:3]} not in {names[:6]}"))
    columns = {key: places[place] for key, place in found.items() if place is not None}
    if wrong and len(places) == len(expected.names):
        columns = dict(zip(expected.keys, places, strict=True))
    for key, kinds in expected.types.items():
        if key in columns:
            kind = table.kinds[columns[key]]
            if not has_kind(table.rows.column(columns[key]), kind, kinds):
                faults.append(Fault(aspect="type", column=key, seen=kind))
    with duckdb.connect() as con:
        con.execute("SET TimeZone = 'UTC'")
        faults += _check(con, {key: table.rows.column(place) for key, place in columns.items()}, expected)
    return faults


def _places(names: Sequence[str], expected: ExpectedTable) -> dict[str, int | None]:
    """Which column is which: in order, or where only some are expected, by name. None where there is none."""
    if not expected.has_header and not expected.is_partial:
        return {key: place for place, key in enumerate(expected.keys) if place < len(names)}
    folded = [fold(name) for name in names]
    places: dict[str, int | None] = {}
    for number, (key, rights) in enumerate(zip(expected.keys, expected.names, strict=True)):
        wanted = {fold(right) for right in rights}
        if match := re.fullmatch(r"#(\d+)", key):
            places[key] = int(match[1]) if int(match[1]) < len(names) else None
        elif expected.is_partial:
            places[key] = next((place for place, name in enumerate(folded) if name in wanted), None)
        elif number >= len(names):
            places[key] = None
        else:
            # Readers number what comes twice; a nameless column is called as they like.
            plain = re.sub(r" ?\d+$", "", folded[number])
            is_right = "" in rights or folded[number] in wanted or (plain in wanted and plain in folded[:number])
            places[key] = number if is_right else None
    return places


def _check(con: duckdb.DuckDBPyConnection, columns: dict[str, ArrowColumn], expected: ExpectedTable) -> list[Fault]:
    faults: list[Fault] = []
    for key, numbers in expected.missing.items():
        if key in columns and (count := columns[key].null_count) not in numbers:
            faults.append(Fault(aspect="missing", column=key, seen=str(count)))
    if not columns:
        return faults
    import pyarrow as pa

    rows: ArrowTable = pa.Table.from_arrays(list(columns.values()), names=list(columns))
    con.register("t", rows)
    for check in expected.checks:
        if check.column not in columns:
            faults.append(Fault(aspect="value", column=check.column, seen="no such column"))
            continue
        try:
            row = con.execute(check.sql).fetchone()
        except duckdb.Error as problem:
            faults.append(Fault(aspect="value", column=check.column, seen=type(problem).__name__))
            continue
        value = row[0] if row else None
        if not any(is_same(value, right) for right in check.values):
            faults.append(Fault(aspect="value", column=check.column, seen=f"{value!r} for {check.values[0]!r}"[:90]))
    return faults


def is_same(value: object, right: Value) -> bool:
    """Whether a value is the right one; numbers to six digits, dates and times as text."""
    match right, value:
        case (bool(), _) | (None, _):
            return value == right
        case (int() | float(), int() | float() | Decimal()):
            return math.isclose(float(value), float(right), rel_tol=1e-6, abs_tol=1e-6)
        case (_, datetime()):
            moment = value.replace(tzinfo=None)
            return in_words(moment).startswith(str(right))
        case (_, date() | time_of_day()):
            return value.isoformat() == str(right)
        case _:
            return str(value) == str(right)
