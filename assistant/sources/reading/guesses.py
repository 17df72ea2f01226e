"""What is guessed of a column: its type, the SQL that converts its text, and what may be wrong about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.core.doubts import DoubtKind

TypeName = Literal["BIGINT", "DOUBLE", "BOOLEAN", "DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "VARCHAR"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """A column's type, and the SQL that turns its trimmed text `$v` into it (null where that does not fit).

    Attributes:
        type: The DuckDB type.
        sql: The conversion.
        note: What is said of it, as the predicate of a sentence whose subject is the column.
        unit: What every value had after its number.
        doubt: What kind of decision may be wrong; None where nothing is in doubt.
        rival: What else it might be, as a sentence.
        rival_type: The type that chooses the rival, in the sidecar's words.
        strays: The values that keep the column from another type.
        concerns: The SQL test, over `$v`, that is true of the rows in doubt; empty for all that have a value.
    """

    type: TypeName
    sql: str = "$v"
    note: str = ""
    unit: str = ""
    doubt: DoubtKind | None = None
    rival: str = ""
    rival_type: str = ""
    strays: tuple[str, ...] = ()
    concerns: str = ""


TEXT = Guess(type="VARCHAR")


def convert_matching(pattern: str, conversion: str) -> str:
    """The SQL of a conversion, for values that fit a pattern."""
    return f"CASE WHEN regexp_full_match($v, '{pattern.replace(chr(39), chr(39) * 2)}') THEN {conversion} END"


def is_matching(pattern: str, values: Sequence[str]) -> bool:
    """Whether every value fits a pattern, which is written for the engine."""
    compiled = re.compile(pattern.replace(r"\x{a0}", "\u00a0").replace(r"\x{202f}", "\u202f"))
    return all(compiled.fullmatch(value) for value in values)
