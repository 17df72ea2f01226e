"""What a person gives as a source, understood: `name=`, a URL, a file, or a folder of files.

Parsing looks at files (is it there, can it be read, what is it) but opens no engine and asks no network. An address
keeps its secret apart: neither `display` nor `repr` holds a password or a folder of this machine. It also keeps the
`Rights` by which it was judged, and is judged again by them (`check`) whenever what it names is opened.
"""

from __future__ import annotations

import gzip
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from assistant.core.data_errors import AddressError, SourceError
from assistant.sources.drivers import (
    DEFAULT_DRIVERS,
    SCHEMES_OF_DATABASES,
    explain_missing_driver,
    explain_unknown_scheme,
)
from assistant.sources.file_names import (
    ACCEPTED,
    DATABASE_SUFFIXES,
    GZIP_MAGIC,
    READ_ALONE,
    file_format,
    identifier,
    stem,
)
from assistant.sources.web_addresses import SCHEMES, check_address, name_in, place_of
from assistant.trust.options import DRIVERS, check_options
from assistant.trust.places import real_path
from assistant.trust.requester import NotAllowed

if TYPE_CHECKING:
    from sqlalchemy import URL

    from assistant.trust.rights import Rights

Kind = Literal["sqlite", "duckdb", "files", "server", "combined"]

_SQLITE_MAGIC = b"SQLite format 3\x00"
_DUCKDB_MAGIC = b"DUCK"  # at offset 8, after a checksum, which may be any eight bytes
_DUCKDB_VERSION_MIN = 64
"""The storage version of DuckDB 0.10, the first whose files all later versions read."""
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
    return _from_server_url(url.set(drivername=DEFAULT_DRIVERS.get(url.drivername, url.drivername)), name, rights)


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
    if url.drivername not in DRIVERS and rights.can_name_places and scheme not in SCHEMES_OF_DATABASES:
        raise AddressError(explain_unknown_scheme(url.drivername))
    _check_server(url, rights)
    try:
        url.get_dialect().import_dbapi()
    except NoSuchModuleError:
        raise AddressError(explain_unknown_scheme(url.drivername)) from None
    except ImportError as problem:
        raise AddressError(explain_missing_driver(scheme, problem)) from None
    public_url = url.set(query={key: "hidden" if _is_secret(key) else value for key, value in url.query.items()})
    return SourceAddress(
        name=name or identifier(url.database or url.host or scheme),
        kind="server",
        display=public_url.render_as_string(hide_password=True),
        rights=rights,
        secret=url.render_as_string(hide_password=False),
    )


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
    files = tuple(path for path in readable if file_format(path) not in READ_ALONE) or tuple(readable)
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
