"""Files behind `https://`: downloaded by the host, from hosts that a person listed, and then read like any other file.

What reads files has no network. Each address on the way is judged: the one that a person gave and every one that a
server redirects to, by its name and by the number that the name stands for, which is the one that is then connected. So
no listed name leads to a machine of the own network. Signed addresses serve for stores of objects such as S3. What a
server says of itself is never repeated.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import json
import os
import re
import shutil
import socket
import ssl
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import uuid4

from assistant.core.data_errors import SourceError
from assistant.sources.web_addresses import check_address, join_address, name_in, port_of, request_path
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
_MARK = re.compile(r"[\x20-\x7e]{1,200}")
_HOLD_IPV4 = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("::/96"))


class _Deadline:
    """The time that one download has, redirects included. At its end the connection is shut, whatever it waits for."""

    def __init__(self) -> None:
        self._ends = time.monotonic() + LIMIT_S
        self._is_shut = False

    @property
    def is_over(self) -> bool:
        return self._is_shut or not self.left_s

    @property
    def left_s(self) -> float:
        return max(0.0, self._ends - time.monotonic())

    @contextmanager
    def over(self, connection: socket.socket) -> Generator[None]:
        timer = threading.Timer(self.left_s, self._shut, [connection])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def _shut(self, connection: socket.socket) -> None:
        self._is_shut = True
        with suppress(OSError):  # by the plain method: that of TLS would go on without it
            socket.socket.shutdown(connection, socket.SHUT_RDWR)


class _WholeLines(io.BufferedReader):
    """What a server sends, whose lines do not end with the connection."""

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        if not line.endswith(b"\n") and len(line) != size:
            raise http.client.RemoteDisconnected("a line is cut short")
        return line


class _WholeResponse(http.client.HTTPResponse):
    """An answer that is none unless all of its headers came."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp.close()
        self.fp = _WholeLines(sock.makefile("rb", buffering=0))


def download(url: str, target: Path, rights: Rights) -> None:
    """Download a file, unless it is there and its server says that it is still the same. Blocks.

    Args:
        url: The address.
        target: Where the file is kept.
        rights: What whoever named the address may name.

    Raises:
        SourceError: It cannot be downloaded, is too large, or leads where it may not; the message names the host.
    """
    record = target.parent.with_suffix(".json")  # beside the folder, in which every name is the file's
    draft = target.parent / f".{uuid4().hex}.part"
    host = urlsplit(url).hostname
    deadline = _Deadline()
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        marks = _read_marks(record) if target.exists() else {}
        with _response(url, rights, marks, deadline) as response:
            if response is None:
                return
            _write(response, draft, target.name, deadline)
            new_marks = {header: response.getheader(name) for name, header in _MARKS.items()}
        draft.replace(target)
        record.write_text(json.dumps(new_marks), encoding="utf-8")
    except NotAllowed as refused:
        raise SourceError(str(refused)) from None
    except (OSError, http.client.HTTPException) as problem:
        if deadline.is_over:
            raise _too_late(target.name) from None
        raise SourceError(
            f"{target.name!r} cannot be downloaded from {host!r}: {_reason(problem)}. Check the address, or try again."
        ) from None
    finally:
        draft.unlink(missing_ok=True)


def _reason(problem: OSError | http.client.HTTPException) -> str:
    match problem:
        case socket.gaierror():
            return "there is no host of that name, or no network"
        case ssl.SSLCertVerificationError():
            return f"its certificate is not accepted ({problem.reason})"
        case ssl.SSLError():
            return f"it does not speak TLS as it should ({problem.reason})"
        case TimeoutError():
            return f"it did not answer within {_WAIT_S:g} s"
        case OSError(errno=int(number)):
            return os.strerror(number)
        case _:
            return f"its answer is not whole, or no answer of a web server ({type(problem).__name__})"


def _too_late(name: str) -> SourceError:
    return SourceError(f"{name!r} was not downloaded within {LIMIT_S:g} s and was given up. Try again later.")


def _read_marks(record: Path) -> dict[str, str]:
    """By which headers a server tells whether the file is still the same; none where the record is no such record."""
    try:
        values: object = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    kept = {header: values.get(header) for header in _MARKS.values()} if isinstance(values, dict) else {}
    return {header: value for header, value in kept.items() if isinstance(value, str) and _MARK.fullmatch(value)}


@contextmanager
def _response(
    url: str, rights: Rights, marks: dict[str, str], deadline: _Deadline
) -> Generator[http.client.HTTPResponse | None]:
    """The answer of the last server that the address leads to; None where the file is the same as before."""
    for _ in range(_REDIRECTS_MAX + 1):
        parts = check_address(url, rights)
        with ExitStack() as stack:
            connection = stack.enter_context(_connected(parts, rights, deadline))
            headers = {"User-Agent": "tandem", "Accept-Encoding": "identity", **marks}
            connection.request("GET", request_path(parts), headers=headers)
            response = stack.enter_context(connection.getresponse())
            if response.status in _REDIRECTS and (place := response.getheader("location")):
                url = join_address(url, place)
                continue
            if response.status == http.HTTPStatus.NOT_MODIFIED and marks:
                yield None
                return
            if response.status != http.HTTPStatus.OK:
                raise SourceError(
                    f"{name_in(url)!r} cannot be downloaded: {parts.hostname!r} answers {response.status}"
                    f"{_phrase(response.status)}. Check the address."
                )
            yield response
            return
    raise SourceError(
        f"{name_in(url)!r} cannot be downloaded: its address leads to another more than {_REDIRECTS_MAX} times."
    )


def _phrase(status: int) -> str:
    """What a status means, in the standard's words and not the server's."""
    try:
        return f" {http.HTTPStatus(status).phrase}"
    except ValueError:
        return ""


def _is_public(number: str) -> bool:
    """Whether an IP address is one of the internet. One that holds an IPv4 address is as public as that."""
    address = ipaddress.ip_address(number.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if any(address in network for network in _HOLD_IPV4):
            address = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        else:
            address = address.ipv4_mapped or address.sixtofour or address
    is_site_local = isinstance(address, ipaddress.IPv6Address) and address.is_site_local
    is_special = address.is_multicast or address.is_reserved or address.is_unspecified or is_site_local
    return address.is_global and not is_special


@contextmanager
def _connected(parts: SplitResult, rights: Rights, deadline: _Deadline) -> Generator[http.client.HTTPConnection]:
    """A connection to the very number that was judged: a second look at the name might give another."""
    host, port = parts.hostname or "", port_of(parts)
    try:
        number = str(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][4][0])
    except ValueError:
        raise NotAllowed(f"{host!r} is not the name of a host. Check the address.") from None
    if not _is_public(number):
        rights.check_web_host(number, port)
    elif parts.scheme != "https":
        raise NotAllowed(f"A file is downloaded from {host!r} by https:// alone. Write https:// in the address.")
    wait_s = min(_WAIT_S, deadline.left_s)
    if not wait_s:
        raise TimeoutError
    connection = http.client.HTTPConnection(host, port)
    connection.response_class = _WholeResponse
    with ExitStack() as stack:
        stack.enter_context(closing(connection))
        connection.sock = stack.enter_context(socket.create_connection((number, port), timeout=wait_s))
        connection.sock.settimeout(_WAIT_S)
        if parts.scheme == "https":
            secure = ssl.create_default_context().wrap_socket(
                connection.sock, server_hostname=host, do_handshake_on_connect=False
            )
            connection.sock = stack.enter_context(secure)
        stack.enter_context(deadline.over(connection.sock))
        if isinstance(connection.sock, ssl.SSLSocket):
            connection.sock.do_handshake()
        yield connection


def _write(response: http.client.HTTPResponse, draft: Path, name: str, deadline: _Deadline) -> None:
    """Write what a server sends, up to the most that is allowed."""
    limit = min(DOWNLOAD_BYTES_MAX, max(0, shutil.disk_usage(draft.parent).free - _FREE_BYTES_MIN))
    expected = response.length
    size = 0
    with draft.open("wb") as file:
        while block := response.read1(_BLOCK_BYTES):
            size += len(block)
            if max(size, expected or 0) > limit:
                raise SourceError(
                    f"{name!r} is larger than {limit / 2**20:,.0f} MB, the most that is downloaded here. Download it "
                    "yourself and give the file, or load it into a database."
                )
            file.write(block)
    if deadline.is_over:
        raise _too_late(name)
    if expected is not None and expected != size:
        raise SourceError(f"{name!r} was not downloaded whole: {size:,} of {expected:,} bytes came. Try again.")
