"""The drivers of databases: which one a scheme takes, and what to install where it is missing."""

from __future__ import annotations

from difflib import get_close_matches

from assistant.sources.file_names import ACCEPTED
from assistant.trust.options import DRIVERS

DEFAULT_DRIVERS = {
    # What we declare as an extra, wherever SQLAlchemy's own default is another driver.
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "mysql": "mysql+pymysql",
    "mariadb": "mariadb+pymysql",
    "clickhouse": "clickhousedb",
    "redshift": "redshift+redshift_connector",
    "oracle": "oracle+oracledb",
    "mssql": "mssql+pyodbc",
}
_EXTRAS = {
    "postgresql": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
    "clickhousedb": "clickhouse",
    "snowflake": "snowflake",
    "bigquery": "bigquery",
    "redshift": "redshift",
    "databricks": "databricks",
    "trino": "trino",
    "mssql": "sqlserver",
    "oracle": "oracle",
}
_PACKAGES = {
    # SQLAlchemy dialects that are no extra of ours: what brings the scheme, the driver included.
    "presto": "pyhive[presto]",
    "hive": "pyhive[hive]",
    "clickhouse": "clickhouse-sqlalchemy",
    "db2": "ibm_db_sa",
    "athena": "PyAthena[SQLAlchemy]",
    "awsathena": "PyAthena[SQLAlchemy]",
    "teradatasql": "teradatasqlalchemy",
    "vertica": "vertica-python sqlalchemy-vertica-python",
    "exa": "sqlalchemy-exasol",
    "cockroachdb": "sqlalchemy-cockroachdb",
    "druid": "pydruid[sqlalchemy]",
    "firebird": "sqlalchemy-firebird",
    "hana": "sqlalchemy-hana",
    "impala": "impyla",
}
SCHEMES_OF_DATABASES = frozenset({*_EXTRAS, *_PACKAGES, *(driver.split("+", 1)[0] for driver in DRIVERS)})
_REMOTE = frozenset({"ftp", "s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "hdfs"})


def explain_missing_driver(scheme: str, problem: ImportError) -> str:
    """What to install where the driver of a scheme is not there."""
    extra, package = _EXTRAS.get(scheme), _PACKAGES.get(scheme)
    packages = f"'tandem-analyst[{extra}]'" if extra else _quoted_packages(package) if package else ""
    installation = f"`pip install {packages}`" if packages else f"the driver that SQLAlchemy names for {scheme!r}"
    return f"The driver for {scheme!r} is not installed ({problem}). Install {installation}."


def explain_unknown_scheme(driver: str) -> str:
    """What is said of a scheme that SQLAlchemy does not know here: what to install, or what was perhaps meant."""
    scheme = driver.split("+", 1)[0].lower()
    if scheme in _REMOTE:
        return (
            f"Files behind {scheme}:// are not read. Make a signed https:// address of the file (`aws s3 presign`, a "
            "signed URL, a SAS) and list its host in `web_hosts` of your settings, or download the file and give that."
        )
    extra = _EXTRAS.get(scheme)
    if package := f"tandem-analyst[{extra}]" if extra else _PACKAGES.get(scheme):
        return (
            f"The scheme {driver!r} is not known here. Install its package with `pip install "
            f"{_quoted_packages(package)}`, and try again."
        )
    schemes = [*_PACKAGES, *_EXTRAS, "postgres", "sqlite", "duckdb"]
    near = get_close_matches(scheme, schemes, n=1)
    hint = f" Did you mean {near[0]}://?" if near else ""
    return f"No database is known by the scheme {driver!r}.{hint} Give {ACCEPTED}."


def _quoted_packages(packages: str) -> str:
    return " ".join(f"'{package}'" if "[" in package else package for package in packages.split())
