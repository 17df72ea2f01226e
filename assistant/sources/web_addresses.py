"""Addresses of files on the web: judged by scheme and host, and where their files are kept. Asks no network."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from assistant.trust.requester import NotAllowed

if TYPE_CHECKING:
    from urllib.parse import SplitResult

    from assistant.trust.rights import Rights

SCHEMES = ("https", "http")
_PORTS = {"https": 443, "http": 80}


def name_in(url: str) -> str:
    """The name of the file that an address ends in; empty where it ends in none."""
    return Path(unquote(urlsplit(url).path)).name


def place_of(url: str, downloads: Path) -> Path:
    """Where the file of an address is kept below a folder of downloads."""
    return downloads / hashlib.sha256(url.encode()).hexdigest()[:16] / name_in(url)


def check_address(url: str, rights: Rights) -> SplitResult:
    """Judge an address by its scheme and its host, without asking the network.

    Raises:
        NotAllowed: Files may not be downloaded from there.
    """
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.hostname or parts.username or parts.password:
        raise NotAllowed("A file is downloaded from an address such as https://data.example.org/sales.csv.")
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
