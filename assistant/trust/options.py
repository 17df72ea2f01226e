"""Options of a database URL (`?name=value`): the allowed ones of each driver, with their values. Pure.

SQLAlchemy passes every option to the driver, or acts on it itself: statements that run before our locks, files that are
read or sent, other hosts, plug-ins, settings of the session. So only what is listed here is passed on. An option that
names a file is checked like every other file name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from assistant.trust.requester import NotAllowed

FILE = "a file"
"""In place of a pattern: the value is the path of a file."""

_FLAG = r"(?i:true|false|yes|no|on|off|1|0)"
_NUMBER = r"\d{1,6}"
_WORD = r"\w{1,64}"
_NAME = r"[\w.$ -]{1,128}"
_TOKEN = r"\S+"
_READ_ONLY = r"(?i:true|1|on|ro|read_only)"

_POSTGRES = {
    "application_name": _NAME,
    "channel_binding": r"disable|prefer|require",
    "client_encoding": _NAME,
    "connect_timeout": _NUMBER,
    "keepalives": _FLAG,
    "keepalives_idle": _NUMBER,
    "sslmode": r"disable|allow|prefer|require|verify-ca|verify-full",
    "sslrootcert": FILE,
    "target_session_attrs": r"any|read-write|read-only|primary|standby|prefer-standby",
}
_MYSQL = {
    "charset": _WORD,
    "collation": _WORD,
    "connect_timeout": _NUMBER,
    "read_timeout": _NUMBER,
    "ssl_ca": FILE,
    "ssl_check_hostname": _FLAG,
}
OPTIONS: Mapping[str, Mapping[str, str]] = {
    "sqlite": {"mode": r"ro", "uri": _FLAG},
    "duckdb": {"access_mode": _READ_ONLY, "read_only": _READ_ONLY},
    "file": {},
    "postgresql+psycopg": _POSTGRES,
    "mysql+pymysql": _MYSQL,
    "mariadb+pymysql": _MYSQL,
    "clickhousedb": {
        "ca_cert": FILE,
        "compress": r"(?i:true|false|lz4|zstd|gzip|br)",
        "connect_timeout": _NUMBER,
        "secure": _FLAG,
        "send_receive_timeout": _NUMBER,
        "verify": _FLAG,
    },
    "snowflake": {
        "application": _NAME,
        "authenticator": r"snowflake|externalbrowser|username_password_mfa",
        "login_timeout": _NUMBER,
        "role": _NAME,
        "timezone": r"[\w/+-]{1,64}",
        "warehouse": _NAME,
    },
    "bigquery": {
        "credentials_path": FILE,
        "location": _NAME,
    },
    "redshift+redshift_connector": {
        "application_name": _NAME,
        "sslmode": r"verify-ca|verify-full",
        "timeout": _NUMBER,
    },
    "databricks": {
        "catalog": _NAME,
        "http_path": r"/?sql/[\w./-]{1,200}",
        "schema": _NAME,
    },
    "trino": {
        "access_token": _TOKEN,
        "source": _NAME,
        "timezone": r"[\w/+-]{1,64}",
        "verify": _FLAG,
    },
    "mssql+pyodbc": {
        "ApplicationIntent": r"(?i:readonly)",
        "Encrypt": r"(?i:yes|no|true|false|strict|mandatory|optional)",
        "TrustServerCertificate": _FLAG,
        "driver": r"(?:ODBC Driver \d{1,2} for SQL Server|FreeTDS)",  # a name; a path would be code that is loaded
        "timeout": _NUMBER,
    },
    "oracle+oracledb": {"service_name": r"[\w.$#-]{1,128}"},
    # Dialects that are no extra of ours, by their plain names.
    "awsathena": {"s3_staging_dir": r"s3://[\w./-]{1,500}", "work_group": _NAME},
    "cockroachdb": {"sslmode": _POSTGRES["sslmode"]},
    "db2": {},
    "druid": {},
    "exa": {},
    "firebird": {},
    "hana": {},
    "hive": {},
    "impala": {},
    "presto": {},
    "teradatasql": {},
    "vertica": {},
}
DRIVERS = frozenset(OPTIONS)
"""The drivers that a URL may name: a name is also that of a Python module, which is imported and run."""


def check_driver(driver: str) -> None:
    """Refuse a driver that is not on the list.

    Raises:
        NotAllowed: It is not; the text says which is.
    """
    if driver in DRIVERS:
        return
    scheme = driver.split("+", 1)[0].lower()
    supported = sorted(name for name in DRIVERS if name.split("+", 1)[0] == scheme)
    instead = (
        f"Write {scheme}:// alone" if supported else "A database URL begins with one of " + ", ".join(sorted(DRIVERS))
    )
    raise NotAllowed(f"{driver!r} is not a database driver that Tandem uses. {instead}.")


def check_options(driver: str, options: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Refuse options that are not on the driver's list, and values that are not what they take.

    Args:
        driver: As SQLAlchemy names it.
        options: Each option with all the values that the URL gives it.

    Returns:
        The paths of files that options name; whether those may be named is for the caller to judge.

    Raises:
        NotAllowed: A driver, an option or a value is not on the list; the text names it, and what is. A value is never
            repeated, as it may be a secret.
    """
    check_driver(driver)
    allowed = OPTIONS[driver]
    if strange := sorted(set(options) - set(allowed)):
        instead = f"The options of {driver} are: {', '.join(sorted(allowed))}." if allowed else f"{driver} takes none."
        raise NotAllowed(f"The option {strange[0]!r} of a database's address is not allowed here. {instead}")
    files: list[str] = []
    for name, values in options.items():
        if len(values) != 1:
            raise NotAllowed(f"The option {name!r} is given {len(values)} times. Give it once.")
        if allowed[name] == FILE:
            files.append(values[0])
        elif re.fullmatch(allowed[name], values[0]) is None:
            raise NotAllowed(f"The option {name!r} of {driver} does not take that value. Correct it, or leave it out.")
    return tuple(files)
