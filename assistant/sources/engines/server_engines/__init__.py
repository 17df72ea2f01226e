"""How each kind of database server is kept to reading: its lock, its time limit, its plan, its schemas."""

from __future__ import annotations

from assistant.sources.engines.server_engines.base import ServerEngine
from assistant.sources.engines.server_engines.clickhouse import ClickHouse
from assistant.sources.engines.server_engines.mysql import MySQL
from assistant.sources.engines.server_engines.postgres import Postgres, Redshift
from assistant.sources.engines.server_engines.warehouses import (
    BigQuery,
    Databricks,
    Oracle,
    Snowflake,
    SQLServer,
    Trino,
)

__all__ = ["ENGINES", "ServerEngine", "engine_for"]

ENGINES: dict[str, ServerEngine] = {
    "postgres": Postgres(),
    "redshift": Redshift(),
    "mysql": MySQL(),
    "clickhouse": ClickHouse(),
    "snowflake": Snowflake(),
    "bigquery": BigQuery(),
    "databricks": Databricks(),
    "trino": Trino(),
    "tsql": SQLServer(),
    "oracle": Oracle(),
}
"""By sqlglot's name of the dialect."""
_UNKNOWN = ServerEngine()


def engine_for(dialect: str) -> ServerEngine:
    """What is known of an engine; of one that is not listed, nothing but SQLAlchemy's own."""
    return ENGINES.get(dialect, _UNKNOWN)
