"""Addresses of files on the web: judged by scheme and host, and where their files are kept. Asks no network."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin, urlsplit

from assistant.trust.requester import NotAllowed

if TYPE_CHECKING:
    from urllib.parse import SplitResult

    from assistant.trust.rights import Rights

SCHEMES = ("https", "http")
_PORTS = {"https": 443, "http": 80}
_NAME_BYTES_MAX = 200
_KEPT_SIGNS = "/%:@!$&'()*+,;=?#[]"
_EXAMPLE = "A file is downloaded from an address such as https://data.example.org/sales.csv."


def name_in(url: str) -> str:
    """The name of the file that an address ends in; empty where it ends in none."""
    return Path(unquote(urlsplit(url).path)).name


def place_of(url: str, downloads: Path) -> Path:
    """Where the file of an address is kept below a folder of downloads.

    Raises:
        NotAllowed: Its name is none of a file.
    """
    name = name_in(url)
    if not name.isprintable() or len(name.encode()) > _NAME_BYTES_MAX:
        raise NotAllowed(
            f"The name of the file in that address is longer than {_NAME_BYTES_MAX} bytes, or has signs that cannot be "
            "seen. Download it yourself under another name, and give the file."
        )
    return downloads / hashlib.sha256(url.encode()).hexdigest()[:16] / name


def request_path(parts: SplitResult) -> str:
    """The path and the query of an address as a server is asked for them, what is not ASCII written with `%`."""
    return quote(f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}", safe=_KEPT_SIGNS)


def join_address(url: str, place: str) -> str:
    """Where a server redirects to.

    Args:
        url: The address that was asked.
        place: The place that the server gave, its bytes read as Latin-1.

    Raises:
        NotAllowed: It is no address.
    """
    try:
        return urljoin(url, quote(place, safe=_KEPT_SIGNS, encoding="latin-1"))
    except ValueError:
        raise NotAllowed(_EXAMPLE) from None


def check_address(url: str, rights: Rights) -> SplitResult:
    """Judge an address by its scheme and its host, without asking the network.

    Raises:
        NotAllowed: Files may not be downloaded from there.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise NotAllowed(_EXAMPLE) from None
    is_plain = url.isprintable() and not parts.username and not parts.password
    if parts.scheme not in SCHEMES or not parts.hostname or not is_plain:
        raise NotAllowed(_EXAMPLE)
    rights.check_web_host(parts.hostname, port_of(parts))
    return parts


def port_of(parts: SplitResult) -> int:
    """The port that an address names, or that its scheme has.

    Raises:
        NotAllowed: It is no port.
    """
    try:
        return parts.port or _PORTS[parts.scheme]
    except ValueError:
        raise NotAllowed("The port of that address is no number from 1 to 65535. Correct it.") from None
