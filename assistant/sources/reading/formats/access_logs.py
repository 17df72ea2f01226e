"""Logs of web servers in the Common and the Combined Log Format, which Apache and nginx write, as a query over lines.

Source: https://httpd.apache.org/docs/2.4/logs.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import duckdb

from assistant.core.doubts import Doubt
from assistant.plain_english import joined

_SAMPLE_LINES = 50
_SHARE_MIN = 0.8
_LINE = (
    r"^(?:[\w.:-]+ )?(\S+) (\S+) (.+?) \[(\d{2}/[A-Z][a-z]{2}/\d{4}:\d{2}:\d{2}:\d{2}) ([+-]\d{4})\]"
    r' "((?:[^"\\]|\\.)*)" (\d{3}|-) (\d+|-)'
    r'(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?(?: .*)?$'
)
_PATTERN = _LINE.replace("'", "''")
_FIELDS = ("host", "ident", "user", "time", "zone", "request", "status", "bytes", "referrer", "agent")
_PARTS = f"regexp_extract(line, '{_PATTERN}', [{', '.join(map(repr, _FIELDS))}])"
_MATCHES = f"regexp_matches(line, '{_PATTERN}')"


def _filled(field: str) -> str:
    return f"nullif(nullif(part.{field}, '-'), '')"


ACCESS_LOG_SELECT = (
    "SELECT part.host AS host, "
    f'{_filled("user")} AS "user", '
    "strptime(part.time, '%d/%b/%Y:%H:%M:%S') AS \"time\", "
    "nullif(split_part(part.request, ' ', 1), '-') AS \"method\", "
    "nullif(split_part(split_part(part.request, ' ', 2), '?', 1), '') AS \"path\", "
    "nullif(split_part(split_part(part.request, ' ', 2), '?', 2), '') AS \"query\", "
    "nullif(split_part(part.request, ' ', 3), '') AS protocol, "
    "TRY_CAST(part.status AS INTEGER) AS status, "
    "TRY_CAST(part.bytes AS BIGINT) AS bytes, "
    f"{_filled('referrer')} AS referrer, {_filled('agent')} AS agent "
    f"FROM (SELECT {_PARTS} AS part FROM $raw WHERE {_MATCHES})"
)
"""The query over `$raw`, the lines of a log, that gives its columns."""


def is_access_log(path: Path) -> bool:
    """Whether most of the first lines of a file are those of a web server's log."""
    with path.open(encoding="utf-8", errors="replace") as file:
        lines = [line.rstrip("\r\n") for line in islice(file, _SAMPLE_LINES) if line.strip()]
    return bool(lines) and sum(bool(re.match(_LINE, line)) for line in lines) >= _SHARE_MIN * len(lines)


def access_log_doubts(con: duckdb.DuckDBPyConnection, reader: str, table: str) -> Iterator[Doubt]:
    """Lines of a log that are not read, and zones that its times are in."""
    sql = f"SELECT count(*), any_value(line) FROM {reader} WHERE trim(line) <> '' AND NOT {_MATCHES}"
    ((rows, line),) = con.execute(sql).fetchall()
    if rows:
        many = "1 line is" if rows == 1 else f"{rows:,} lines are"
        chosen = f"{many} of another form and left out, such as {str(line)[:60]!r}."
        yield Doubt(kind="rows_left_out", table=table, chosen=chosen, rows=rows)
    zones = [
        str(zone)
        for (zone,) in con.execute(
            f"SELECT DISTINCT {_PARTS}.zone FROM {reader} WHERE {_MATCHES} ORDER BY 1 LIMIT 5"
        ).fetchall()
    ]
    if len(zones) > 1:
        yield Doubt(
            kind="time_zone",
            table=table,
            columns=("time",),
            chosen=f"Times are read as written, in the zones {joined(zones)}.",
            rival="In one zone some would be an hour or more earlier or later.",
        )
