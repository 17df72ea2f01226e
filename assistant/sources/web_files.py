"""Files behind `https://`: downloaded by the host, from hosts that a person listed, and then read like any other file.

What reads files has no network. Each address on the way is judged: the one that a person gave and every one that a
server redirects to, by its name and by the number that the name stands for, which is the one that is then connected. So
no listed name leads to a machine of the own network. Signed addresses serve for stores of objects such as S3.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import os
import shutil
import socket
import ssl
import time
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from uuid import uuid4

from assistant.core.data_errors import SourceError
from assistant.sources.web_addresses import check_address, name_in, port_of
from assistant.trust.requester import NotAllowed

if TYPE_CHECKING:
    from urllib.parse import SplitResult

    from assistant.trust.rights import Rights

DOWNLOAD_BYTES_MAX = 2 << 30
LIMIT_S = 600.0
_WAIT_S = 30.0
_REDIRECTS_MAX = 5
_BLOCK_BYTES = 1 << 20
_FREE_BYTES_MIN = 256 << 20
_REDIRECTS = (301, 302, 303, 307, 308)
_MARKS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}


def download(url: str, target: Path, rights: Rights) -> None:
    """Download a file, unless it is there and its server says that it is still the same. Blocks.

    Args:
        url: The address.
        target: Where the file is kept.
        rights: What whoever named the address may name.

    Raises:
        SourceError: It cannot be downloaded, is too large, or leads where it may not; the message names the host.
    """
    record = target.parent / ".download.json"
    marks: dict[str, str] = {}
    if target.exists() and record.exists():
        marks = json.loads(record.read_text(encoding="utf-8"))
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = target.parent / f".{uuid4().hex}.part"
    host = urlsplit(url).hostname
    try:
        with _response(url, rights, marks) as response:
            if response is None:
                return
            _write(response, draft, target.name)
            new_marks = {header: value for name, header in _MARKS.items() if (value := response.getheader(name))}
        draft.replace(target)
        record.write_text(json.dumps(new_marks), encoding="utf-8")
    except NotAllowed as refused:
        raise SourceError(str(refused)) from None
    except ssl.SSLError as problem:
        raise SourceError(
            f"{target.name!r} cannot be downloaded: the certificate of {host!r} is not accepted ({problem.reason})."
        ) from None
    except (OSError, http.client.HTTPException) as problem:
        reason = (
            os.strerror(problem.errno) if isinstance(problem, OSError) and problem.errno else type(problem).__name__
        )
        raise SourceError(
            f"{target.name!r} cannot be downloaded from {host!r}: {reason}. Check the address, or try again."
        ) from None
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def _response(url: str, rights: Rights, marks: dict[str, str]) -> Generator[http.client.HTTPResponse | None]:
    """The answer of the last server that the address leads to; None where the file is the same as before."""
    for _ in range(_REDIRECTS_MAX + 1):
        parts = check_address(url, rights)
        with ExitStack() as stack:
            connection = stack.enter_context(closing(_connected(parts, rights)))
            path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
            connection.request("GET", path, headers={"User-Agent": "tandem", "Accept-Encoding": "identity", **marks})
            response = stack.enter_context(connection.getresponse())
            if response.status in _REDIRECTS and (place := response.getheader("location")):
                url = urljoin(url, place)
                continue
            if response.status == http.HTTPStatus.NOT_MODIFIED and marks:
                yield None
                return
            if response.status != http.HTTPStatus.OK:
                raise SourceError(
                    f"{name_in(url)!r} cannot be downloaded: {parts.hostname!r} answers {response.status} "
                    f"{response.reason}. Check the address."
                )
            yield response
            return
    raise SourceError(
        f"{name_in(url)!r} cannot be downloaded: its address leads to another more than {_REDIRECTS_MAX} times."
    )


def _connected(parts: SplitResult, rights: Rights) -> http.client.HTTPConnection:
    """A connection to the very number that was judged: a second look at the name might give another."""
    host, port = parts.hostname or "", port_of(parts)
    numbers = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    number = numbers[0]
    is_public = ipaddress.ip_address(number.partition("%")[0]).is_global
    if not is_public:
        rights.check_web_host(number, port)
    elif parts.scheme != "https":
        raise NotAllowed(f"A file is downloaded from {host!r} by https:// alone. Write https:// in the address.")
    connection = http.client.HTTPConnection(host, port, timeout=_WAIT_S)
    plain = socket.create_connection((number, port), timeout=_WAIT_S)
    try:
        is_secure = parts.scheme == "https"
        connection.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host) if is_secure else plain
    except BaseException:
        plain.close()
        raise
    return connection


def _write(response: http.client.HTTPResponse, draft: Path, name: str) -> None:
    """Write what a server sends, up to the most that is allowed."""
    limit = min(DOWNLOAD_BYTES_MAX, max(0, shutil.disk_usage(draft.parent).free - _FREE_BYTES_MIN))
    ends = time.monotonic() + LIMIT_S
    size = 0
    with draft.open("wb") as file:
        while block := response.read(_BLOCK_BYTES):
            size += len(block)
            if size > limit:
                raise SourceError(
                    f"{name!r} is larger than {limit / 2**20:,.0f} MB, the most that is downloaded here. Download it "
                    "yourself and give the file, or load it into a database."
                )
            if time.monotonic() > ends:
                raise SourceError(
                    f"{name!r} was not downloaded within {LIMIT_S:g} s and was given up. Try again later."
                )
            file.write(block)
    expected = response.getheader("content-length")
    if expected is not None and expected.isdecimal() and int(expected) != size:
        raise SourceError(f"{name!r} was not downloaded whole: {size:,} of {int(expected):,} bytes came. Try again.")
