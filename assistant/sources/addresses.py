"""What a person gives as a source, understood: `name=`, a URL, a file, or a folder of files.

Parsing looks at files (is it there, can it be read, what is it) but opens no engine and asks no network. An address
keeps its secret apart: neither `display` nor `repr` holds a password or a folder of this machine. It also keeps the
`Rights` by which it was judged, and is judged again by them (`check`) whenever what it names is opened.
"""

from __future__ import annotations

import gzip
import keyword
import os
import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from assistant.core.data_errors import AddressError, SourceError
from assistant.sources.web_addresses import SCHEMES, check_address, name_in, place_of
from assistant.trust.options import DRIVERS, check_options
from assistant.trust.places import real_path
from assistant.trust.requester import NotAllowed

if TYPE_CHECKING:
    from sqlalchemy import URL

    from assistant.trust.rights import Rights

Kind = Literal["sqlite", "duckdb", "files", "server", "combined"]

FILE_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xls": "excel",
    ".xlsb": "excel",
    ".ods": "excel",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".arrows": "arrow",
    ".ipc": "arrow",
    ".feather": "arrow",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".sav": "statistics",
    ".zsav": "statistics",
    ".por": "statistics",
    ".dta": "statistics",
    ".sas7bdat": "statistics",
    ".xpt": "statistics",
    ".avro": "records",
    ".orc": "records",
    ".geojson": "geojson",
    ".geojsonl": "geojson",
    ".xml": "xml",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".log": "log",
    ".sql": "sql",
    ".dump": "sql",
    ".zip": "archive",
    ".tar": "archive",
    ".tgz": "archive",
    ".tbz2": "archive",
    ".txz": "archive",
}
_LONG_SUFFIXES = {".tar.bz2": "archive", ".tar.xz": "archive"}
_ALONE = frozenset({"archive", "html", "log", "sql", "xml"})
"""Formats that are read where the file itself is named: in a folder of data they are more often something else."""
DATABASE_SUFFIXES = {".db", ".sqlite", ".sqlite3", ".db3", ".duckdb", ".ddb"}
ACCEPTED = (
    "CSV, TSV, TXT, Excel, Parquet, Arrow, JSON, SPSS, Stata, SAS, Avro, ORC, XML, HTML, SQL dumps, zip, tar, "
    "SQLite, DuckDB, or a database URL"
)

_SQLITE_MAGIC = b"SQLite format 3\x00"
_DUCKDB_MAGIC = b"DUCK"  # at offset 8, after a checksum, which may be any eight bytes
_DUCKDB_VERSION_MIN = 64
"""The storage version of DuckDB 0.10, the first whose files all later versions read."""
GZIP_MAGIC = b"\x1f\x8b"
_DRIVERS = {
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
_SCHEMES = frozenset({*_EXTRAS, *_PACKAGES, *(driver.split("+", 1)[0] for driver in DRIVERS)})
_REMOTE = frozenset({"ftp", "s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "hdfs"})
_NAMED_ADDRESS = re.compile(r"\s*([^\W\d]\w*)\s*=(.+)", re.DOTALL)
TOGETHER = " + "
_BRACKETED = re.compile(r"(?:([^\W\d]\w*)\s*=\s*)?\((.+)\)", re.DOTALL)
_KEY = r"[\w.]+\s*=\s*[\w.]+"
_KEYS = re.compile(rf"(.+?)\s+on\s+({_KEY}(?:\s*,\s*{_KEY})*)", re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][\w.+-]*://")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceAddress:
    """Where a source is. `files` are the files behind it, `secret` the URL with its password (of servers, and of files
    that are downloaded: `files` says where they are kept).

    Several sources that are asked together have the address of each in `parts`, and in `keys` the keys between them.
    `rights` is what whoever named it may name; None for a file that Tandem made and nobody named.
    """

    name: str
    kind: Kind
    display: str
    rights: Rights | None = field(repr=False, compare=False)
    files: tuple[Path, ...] = field(default=(), repr=False)
    secret: str = field(default="", repr=False)
    parts: tuple[SourceAddress, ...] = ()
    keys: tuple[str, ...] = ()

    @property
    def secrets(self) -> tuple[str, ...]:
        """Texts that must not appear in any message."""
        if not self.secret:
            return tuple(secret for part in self.parts for secret in part.secrets)
        if self.url:
            return tuple(filter(None, [urlsplit(self.url).query]))
        from sqlalchemy import make_url

        url = make_url(self.secret)
        queried = [value for key, values in url.normalized_query.items() if _is_secret(key) for value in values]
        return tuple(filter(None, [url.password or "", *queried]))

    @property
    def url(self) -> str:
        """Where a file is downloaded from; empty where it lies here."""
        return self.secret if self.kind == "files" else ""

    @property
    def all_files(self) -> tuple[Path, ...]:
        """The files behind it and behind its parts."""
        return (*self.files, *(file for part in self.parts for file in part.all_files))

    @property
    def folders(self) -> tuple[str, ...]:
        """Folders of this machine that must not appear in any message."""
        return tuple({str(folder) for file in self.files for folder in (file.parent, file.resolve().parent)})

    def check(self) -> tuple[Path, ...]:
        """Judge again what the address names, now that it is opened. Blocks.

        Returns:
            Its files where their paths lead now: who opens those is not led elsewhere by a link that is turned.

        Raises:
            SourceError: It is not its requester's to name, or not any more.
        """
        for part in self.parts:
            part.check()
        if self.rights is None:
            return self.files
        try:
            if self.url:
                check_address(self.url, self.rights)
                return self.files  # in a folder of Tandem's own
            if self.secret:
                from sqlalchemy import make_url

                _check_server(make_url(self.secret), self.rights)
            for file in self.files:
                self.rights.check_file(file)
        except NotAllowed as refused:
            raise SourceError(str(refused)) from None
        return tuple(map(real_path, self.files))


def parse_addresses(text: str, rights: Rights) -> tuple[SourceAddress, ...]:
    """The sources that one `--source` names: one, or several for a folder that holds databases.

    Args:
        text: `name=ADDRESS` or `ADDRESS`; the address is a URL, a file, or a folder. Or several that are asked
            together: `ADDRESS + ADDRESS`, with keys between them `ADDRESS + ADDRESS on table.column = table.column,
            ...`, with a name for the whole `name=(ADDRESS + ADDRESS)`.
        rights: What whoever gave it may name.

    Raises:
        AddressError: It cannot be understood, or nothing readable is there; the message says what to do next.
        NotAllowed: It names what is not its requester's to name.
    """
    address_text = text.strip()
    if TOGETHER in address_text and not _exists(address_text):
        return (_parse_combined(address_text, rights),)
    name: str | None = None
    if (match := _NAMED_ADDRESS.fullmatch(address_text)) and not _exists(address_text):
        name, address_text = match[1], match[2].strip()
    if not address_text:
        raise AddressError(f"No source was given. Give {ACCEPTED}.")
    if _SCHEME.match(address_text):
        return (_from_url(address_text, name, rights),)
    if "://" in address_text:
        raise AddressError(
            f"That is not a URL: it needs a scheme such as postgresql:// or sqlite:///. Give {ACCEPTED}."
        )
    path = _parse_path(address_text)
    rights.check_file(path)  # before anything is looked at: what is refused tells nothing
    if os.path.isdir(path):  # unlike Path.is_dir, it does not raise where we may not look
        return _from_folder(path, name, rights)
    return (_from_file(path, name, rights),)


def is_key(text: str) -> bool:
    """Whether a text is a key between two sources: `table.column = table.column`."""
    return re.fullmatch(_KEY, text.strip()) is not None


def _parse_path(path_text: str) -> Path:
    try:
        return Path(path_text).expanduser().absolute()
    except RuntimeError:
        raise AddressError(
            f"There is no user {path_text.split('/', maxsplit=1)[0]!r} on this machine. Give the whole path."
        ) from None


def _parse_combined(address_text: str, rights: Rights) -> SourceAddress:
    match = _BRACKETED.fullmatch(address_text)
    name, inner = (match[1], match[2].strip()) if match else (None, address_text)
    keyed = _KEYS.fullmatch(inner)
    inner, keys = (keyed[1], tuple(key.strip() for key in keyed[2].split(","))) if keyed else (inner, ())
    parts = tuple(part for part_text in inner.split(TOGETHER) for part in parse_addresses(part_text, rights))
    names = [part.name for part in parts]
    if twice := next((part_name for part_name in names if names.count(part_name) > 1), None):
        raise AddressError(
            f"Two of the sources are called {twice!r}. Give one of them another name: NAME=ADDRESS + NAME=ADDRESS."
        )
    return SourceAddress(
        name=name or "combined",
        kind="combined",
        display=TOGETHER.join(part.display for part in parts),
        rights=rights,
        files=tuple(file for part in parts for file in part.files),
        parts=parts,
        keys=keys,
    )


def identifier(text: str) -> str:
    """A name fit for `query(..., source=name)` and for a table: `Sales 2024.csv` becomes `sales_2024_csv`."""
    word = re.sub(r"\W+", "_", text.strip().lower()).strip("_") or "source"
    if word[0].isdigit() or keyword.iskeyword(word):
        word = f"t_{word}"
    return word


def stem(path: Path) -> str:
    """A file's name without its kind: `sales.csv.gz` gives `sales`."""
    lower = path.name.lower()
    packed = next((suffix for suffix in (*_LONG_SUFFIXES, ".tar.gz", ".gz") if lower.endswith(suffix)), "")
    plain = path.name[: len(path.name) - len(packed)]
    return plain if packed.startswith(".tar") else Path(plain).stem or plain


def file_format(path: Path) -> str | None:
    """A value of `FILE_SUFFIXES`, or None where the name says nothing."""
    name = path.name.lower()
    long = next((kind for suffix, kind in _LONG_SUFFIXES.items() if name.endswith(suffix)), None)
    return long or FILE_SUFFIXES.get(Path(name.removesuffix(".gz")).suffix)


def is_read_with_folder(path: Path) -> bool:
    """Whether a file is one of the tables of the folder that it lies in."""
    return file_format(path) not in (None, *_ALONE)


def _exists(text: str) -> bool:
    try:
        return Path(text).expanduser().exists()
    except (OSError, RuntimeError, ValueError):
        return False


def _is_secret(key: str) -> bool:
    return bool(re.search(r"(?i)pass|pwd|secret|token|key", key))


def _from_url(text: str, name: str | None, rights: Rights) -> SourceAddress:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise AddressError(
            "That URL cannot be read. It should look like postgresql://user:password@host:5432/database; "
            "characters such as @ or / in the password are written %40 and %2F."
        ) from None
    scheme = url.drivername.split("+", 1)[0]
    if scheme in SCHEMES:
        return _from_web(text, name, rights)
    if scheme == "file":
        return parse_addresses((f"{name}=" if name else "") + text.removeprefix("file://"), rights)[0]
    if scheme in ("sqlite", "duckdb"):
        return _from_file_url(url, name, rights)
    return _from_server_url(url.set(drivername=_DRIVERS.get(url.drivername, url.drivername)), name, rights)


def _from_file_url(url: URL, name: str | None, rights: Rights) -> SourceAddress:
    scheme = url.drivername
    check_options(scheme, url.normalized_query)
    database = url.database or ""
    if database in ("", ":memory:"):
        raise AddressError(f"{scheme}:// names a database in memory, which holds nothing. Give {scheme}:///FILE.")
    path = _parse_path(database.removeprefix("file:"))
    rights.check_file(path)
    address = _from_file(path, name, rights)
    if address.kind != scheme:
        raise AddressError(f"{path.name!r} is not a {scheme} database. Give its path alone, without {scheme}:///.")
    return address


def _from_web(text: str, name: str | None, rights: Rights) -> SourceAddress:
    """A file that is downloaded when it is opened."""
    parts = check_address(text, rights)
    path = Path(name_in(text))
    if file_format(path) is None:
        raise AddressError(
            "An address of a file ends in the name of the file, such as https://data.example.org/sales.csv. "
            f"Give {ACCEPTED}."
        )
    if rights.downloads is None:
        raise AssertionError("no host is listed without a place for what it gives")
    return SourceAddress(
        name=name or identifier(stem(path)),
        kind="files",
        display=f"{parts.scheme}://{parts.netloc}{parts.path}",
        rights=rights,
        files=(place_of(text, rights.downloads),),
        secret=text,
    )


def _check_server(url: URL, rights: Rights) -> None:
    rights.check_server(url.drivername, host=url.host or "", port=url.port, options=url.normalized_query)


def _from_server_url(url: URL, name: str | None, rights: Rights) -> SourceAddress:
    from sqlalchemy.exc import NoSuchModuleError

    scheme = url.drivername.split("+", 1)[0]
    if url.drivername not in DRIVERS and rights.can_name_places and scheme not in _SCHEMES:
        raise AddressError(_unknown_scheme(url.drivername))
    _check_server(url, rights)
    try:
        url.get_dialect().import_dbapi()
    except NoSuchModuleError:
        raise AddressError(_unknown_scheme(url.drivername)) from None
    except ImportError as problem:
        extra, package = _EXTRAS.get(scheme), _PACKAGES.get(scheme)
        packages = f"'tandem-analyst[{extra}]'" if extra else _quoted_packages(package) if package else ""
        installation = f"`pip install {packages}`" if packages else f"the driver that SQLAlchemy names for {scheme!r}"
        raise AddressError(f"The driver for {scheme!r} is not installed ({problem}). Install {installation}.") from None
    public_url = url.set(query={key: "hidden" if _is_secret(key) else value for key, value in url.query.items()})
    return SourceAddress(
        name=name or identifier(url.database or url.host or scheme),
        kind="server",
        display=public_url.render_as_string(hide_password=True),
        rights=rights,
        secret=url.render_as_string(hide_password=False),
    )


def _unknown_scheme(driver: str) -> str:
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


def _from_file(path: Path, name: str | None, rights: Rights) -> SourceAddress:
    head = _head(path)
    own_name = name or identifier(stem(path))
    if head.startswith(_SQLITE_MAGIC):
        return SourceAddress(name=own_name, kind="sqlite", display=path.name, rights=rights, files=(path,))
    if _is_duckdb(head):
        if 0 < int.from_bytes(head[12:20], "little") < _DUCKDB_VERSION_MIN:
            raise AddressError(
                f"{path.name!r} was written by DuckDB 0.9 or older, whose files no newer DuckDB reads. Open it there, "
                "run EXPORT DATABASE 'folder' (FORMAT parquet), and give that folder."
            )
        return SourceAddress(name=own_name, kind="duckdb", display=path.name, rights=rights, files=(path,))
    if file_format(path):
        return SourceAddress(name=own_name, kind="files", display=path.name, rights=rights, files=(path,))
    if path.suffix.lower() in DATABASE_SUFFIXES:
        raise AddressError(
            f"{path.name!r} is neither a SQLite nor a DuckDB database. Check the file, or export it anew."
        )
    raise AddressError(f"{path.name!r} is of no kind that can be read. Give {ACCEPTED}.")


def _head(path: Path) -> bytes:
    """The first bytes of a file that must be there, readable and not empty."""
    try:
        if not path.exists():
            raise AddressError(f"There is no file {path.name!r} in that place. Check the path and its spelling.")
        if not path.is_file():
            raise AddressError(f"{path.name!r} is not a regular file. Give {ACCEPTED}.")
        with path.open("rb") as file:
            head = file.read(32)
        if head[:2] == GZIP_MAGIC and not _is_duckdb(head):
            with gzip.open(path) as packed:
                head = packed.read(32)
    except PermissionError:
        raise AddressError(f"{path.name!r} may not be read by this user. Change its permissions.") from None
    except (OSError, EOFError, ValueError) as problem:
        reason = os.strerror(problem.errno) if isinstance(problem, OSError) and problem.errno else "it is damaged"
        raise AddressError(f"{path.name!r} cannot be read: {reason}. Check the file.") from None
    if not head:
        raise AddressError(f"{path.name!r} is empty: there is nothing to ask about. Give a file with data in it.")
    return head


def _is_duckdb(head: bytes) -> bool:
    return head[8:12] == _DUCKDB_MAGIC


def _from_folder(folder: Path, name: str | None, rights: Rights) -> tuple[SourceAddress, ...]:
    try:
        entries = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith((".", "~$")))
    except OSError:
        raise AddressError(
            f"The folder {folder.name!r} may not be read by this user. Change its permissions."
        ) from None
    for path in entries:  # a link of the folder may lead anywhere
        if file_format(path) or path.suffix.lower() in DATABASE_SUFFIXES:
            rights.check_file(path)
    readable = [path for path in entries if file_format(path) and path.stat().st_size]
    files = tuple(path for path in readable if file_format(path) not in _ALONE) or tuple(readable)
    databases = [path for path in entries if path.suffix.lower() in DATABASE_SUFFIXES and path.stat().st_size]
    sources = [
        _from_file(path, name if name and not files and len(databases) == 1 else None, rights) for path in databases
    ]
    if files:
        for file in files:
            _head(file)
        own_name = name or identifier(folder.name)
        sources.insert(
            0, SourceAddress(name=own_name, kind="files", display=f"{folder.name}/", rights=rights, files=files)
        )
    if not sources:
        raise AddressError(f"The folder {folder.name!r} holds no data file. Put in {ACCEPTED.rsplit(', or', 1)[0]}.")
    return tuple(sources)
