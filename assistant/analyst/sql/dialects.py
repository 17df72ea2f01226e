"""How the engines differ: names, dates and comparisons. Everything else of a query is the same for all."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from assistant.analyst.algebra import GrainName, Scalar
from assistant.analyst.lexicon.files import read
from assistant.analyst.sql.portable import WRITTEN, own_sql
from assistant.core.catalog import Conversion
from assistant.query import quoting


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The templates of an engine, from `dialects.yaml`; `{0}` is the operand.

    Attributes:
        quote: The sign around names.
        grains: How a date is cut.
        days: Whole days from `{0}` to `{1}`.
        same: Equality under which missing values are equal.
        like: Text comparison in any case.
        date: A date operand as something comparable with an ISO day.
        text_date: A date that is stored as text, as a date.
        text_month: A month that is stored as text, as the text of its first day.
        real: A number as a floating-point one.
        floor: The greatest whole number up to `{0}`, times `{1}`. SQLite may be built without FLOOR.
        mean: The mean. MySQL gives that of whole numbers four decimals only, unless they are floating-point.
        stddev: The sample's standard deviation.
        conversions: How a value is read that the engine cannot compute with as it is; `{1}` is the zone of days.
        also: How people cut a date otherwise; it is read, never written.
        engine: The engine for which `own` writes a finished statement anew; empty where the templates are its own.
    """

    quote: str
    grains: dict[GrainName, str]
    days: str
    same: str
    like: str
    date: str
    real: str
    floor: str = "CAST(FLOOR({0}) * {1} AS BIGINT)"
    text_date: str = "{0}"
    text_month: str = "CONCAT({0}, '-01')"
    mean: str = "AVG({0})"
    stddev: str = "STDDEV_SAMP({0})"
    conversions: dict[Conversion, str] = field(default_factory=dict["Conversion", str])
    also: dict[GrainName, list[str]] = field(default_factory=dict["GrainName", "list[str]"])
    engine: str = ""

    def name(self, name: str) -> str:
        """A quoted name."""
        return f"{self.quote}{name.replace(self.quote, self.quote * 2)}{self.quote}"

    @property
    def written(self) -> str:
        """sqlglot's name of the dialect in which the templates are, where it is not the engine's; else empty."""
        return WRITTEN if self.engine else ""

    def own(self, sql: str) -> str:
        """A finished statement in the engine's own SQL."""
        return own_sql(sql, self.engine) if self.engine else sql


def literal(value: Scalar) -> str:
    """A constant as SQL."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return repr(value)
        case str():
            return quoting.literal(value)


@lru_cache(maxsize=32)
def dialect_of(name: str) -> Dialect:
    """The templates of an engine by sqlglot's word for it. Where it has none of its own, `own` writes the statement."""
    dialects: dict[str, Any] = read("dialects", "assistant.analyst.sql")
    return Dialect(**dialects[name]) if name in dialects else Dialect(**dialects["other"], engine=name)
