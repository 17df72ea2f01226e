"""How the engines differ: names, dates and comparisons. Everything else of a query is the same for all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from assistant.analyst.algebra import GrainName, Scalar
from assistant.analyst.sql.portable import GRAINS, STDDEV, WRITTEN, own_sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The templates of an engine; `{0}` is the operand.

    Attributes:
        quote: The sign around names.
        grains: How a date is cut.
        days: Whole days from `{0}` to `{1}`.
        same: Equality under which missing values are equal.
        like: Text comparison in any case.
        date: A date operand as something comparable with an ISO day.
        real: A number as a floating-point one.
        mean: The mean. MySQL gives that of whole numbers four decimals only, unless they are floating-point.
        stddev: The sample's standard deviation.
        engine: The engine for which `own` writes a finished statement anew; empty where the templates are its own.
    """

    quote: str
    grains: dict[GrainName, str]
    days: str
    same: str
    like: str
    date: str
    real: str
    mean: str = "AVG({0})"
    stddev: str = "STDDEV_SAMP({0})"
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
            return "'" + value.replace("'", "''") + "'"


def _strftime(cut: str) -> str:
    return f"CAST(strftime('{cut}', {{0}}) AS INTEGER)"


_SQLITE = Dialect(
    quote='"',
    grains={
        "decade": f"({_strftime('%Y')} / 10 * 10)",
        "year": _strftime("%Y"),
        "quarter": f"(strftime('%Y', {{0}}) || '-Q' || (({_strftime('%m')} + 2) / 3))",
        "month": "strftime('%Y-%m', {0})",
        "day": "date({0})",
        "quarter of year": f"(({_strftime('%m')} + 2) / 3)",
        "month of year": _strftime("%m"),
        "weekday": _strftime("%w"),
        "hour": _strftime("%H"),
    },
    days="CAST(julianday(date({1})) - julianday(date({0})) AS INTEGER)",
    same="{0} IS {1}",
    like="{0} LIKE {1} ESCAPE '!'",
    date="date({0})",
    real="CAST({0} AS REAL)",
    stddev="SQRT(MAX(0, SUM(1.0 * {0} * {0}) - SUM(1.0 * {0}) * SUM({0}) / COUNT({0})) / NULLIF(COUNT({0}) - 1, 0))",
)


def _standard(**over: str) -> dict[GrainName, str]:
    """The grains by EXTRACT, as the SQL standard has it."""
    year, month = "EXTRACT(YEAR FROM {0})", "EXTRACT(MONTH FROM {0})"
    whole = over.get("whole", "BIGINT")
    return {
        "decade": f"CAST(FLOOR({year} / 10) * 10 AS {whole})",
        "year": f"CAST({year} AS {whole})",
        "quarter": over["quarter"],
        "month": over["month"],
        "day": over["day"],
        "quarter of year": f"CAST(EXTRACT(QUARTER FROM {{0}}) AS {whole})",
        "month of year": f"CAST({month} AS {whole})",
        "weekday": over["weekday"],
        "hour": f"CAST(EXTRACT(HOUR FROM {{0}}) AS {whole})",
    }


_DUCKDB = Dialect(
    quote='"',
    grains=_standard(
        quarter="(strftime({0}, '%Y') || '-Q' || EXTRACT(QUARTER FROM {0}))",
        month="strftime({0}, '%Y-%m')",
        day="strftime({0}, '%Y-%m-%d')",
        weekday="EXTRACT(DOW FROM {0})",
    ),
    days="date_diff('day', CAST({0} AS DATE), CAST({1} AS DATE))",
    same="{0} IS NOT DISTINCT FROM {1}",
    like="{0} ILIKE {1} ESCAPE '!'",
    date="CAST({0} AS DATE)",
    real="CAST({0} AS DOUBLE)",
)
_POSTGRES = Dialect(
    quote='"',
    grains=_standard(
        quarter="to_char({0}, 'YYYY-\"Q\"Q')",
        month="to_char({0}, 'YYYY-MM')",
        day="to_char({0}, 'YYYY-MM-DD')",
        weekday="CAST(EXTRACT(DOW FROM {0}) AS BIGINT)",
    ),
    days="(CAST({1} AS DATE) - CAST({0} AS DATE))",
    same="{0} IS NOT DISTINCT FROM {1}",
    like="{0} ILIKE {1} ESCAPE '!'",
    date="CAST({0} AS DATE)",
    real="CAST({0} AS DOUBLE PRECISION)",
)
_MYSQL = Dialect(
    quote="`",
    grains=_standard(
        quarter="CONCAT(YEAR({0}), '-Q', QUARTER({0}))",
        month="DATE_FORMAT({0}, '%Y-%m')",
        day="DATE_FORMAT({0}, '%Y-%m-%d')",
        weekday="(DAYOFWEEK({0}) - 1)",
        whole="SIGNED",
    ),
    days="DATEDIFF({1}, {0})",
    same="{0} <=> {1}",
    like="LOWER({0}) LIKE LOWER({1}) ESCAPE '!'",
    date="DATE({0})",
    real="CAST({0} AS DOUBLE)",
    mean="AVG(CAST({0} AS DOUBLE))",
)
_DIALECTS = {"sqlite": _SQLITE, "duckdb": _DUCKDB, "postgres": _POSTGRES, "mysql": _MYSQL}


@lru_cache(maxsize=32)
def dialect_of(name: str) -> Dialect:
    """The templates of an engine by sqlglot's word for it. Where it has none of its own, `own` writes the statement."""
    if name in _DIALECTS:
        return _DIALECTS[name]
    return replace(_DUCKDB, grains=GRAINS, mean="AVG(CAST({0} AS DOUBLE))", stddev=STDDEV, engine=name)
