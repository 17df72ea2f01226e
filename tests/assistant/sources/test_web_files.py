"""Files behind addresses: from listed hosts alone, redirects included, limited, and read like any other file."""

from __future__ import annotations

import asyncio
import json
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote

import pytest

from assistant.core.data_errors import AddressError, SourceError
from assistant.output.notebook.opening import build_opening_cell
from assistant.output.notebook.sources import NotebookSource
from assistant.session.answers.export import notebook_table
from assistant.sources import web_addresses, web_files
from assistant.sources.addresses import SourceAddress, parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.reading.loading import load_files
from assistant.trust.requester import NotAllowed
from assistant.trust.rights import Rights

SALES = b"shop,amount\nA,5\nB,6\n"


class Pages(BaseHTTPRequestHandler):
    """What a server gives: a file with a mark, redirects, a file that ends too early, an error."""

    asked: ClassVar[list[tuple[str, str]]] = []

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.asked.append((self.path, self.headers.get("If-None-Match", "")))
        if path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", unquote(self.path.partition("?")[2], encoding="latin-1") or path)
        elif path == "/sales.csv" and self.headers.get("If-None-Match") == '"1"':
            self.send_response(304)
        elif path in ("/sales.csv", "/short.csv", "/gr%C3%B6%C3%9Fe.csv", "/.download.json"):
            self.send_response(200)
            self.send_header("Content-Length", str(len(SALES) + (path == "/short.csv")))
            self.send_header("ETag", '"1"')
            self.end_headers()
            self.wfile.write(SALES)
            return
        else:
            self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    Pages.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def allowing(folder: Path, *hosts: str) -> Rights:
    return Rights(requester="person", private=(), web_hosts=hosts, downloads=folder / "downloads")


def read(address: SourceAddress, folder: Path) -> list[dict[str, Any]]:
    """The rows of the table of a source."""

    async def query() -> list[dict[str, Any]]:
        source = await open_source(address, folder=folder / "loaded")
        try:
            (table,) = (await source.catalog()).tables
            return (await source.run(f"SELECT * FROM {table.name}")).table.to_pylist()
        finally:
            await source.close()

    return asyncio.run(query())


def test_a_file_of_a_listed_host_is_read_and_asked_for_again_only_if_it_changed(tmp_path: Path, site: str) -> None:
    url = f"http://{site}/sales.csv?key=planted"
    (address,) = parse_addresses(url, allowing(tmp_path, site))
    assert (address.name, address.kind, address.display) == ("sales", "files", f"http://{site}/sales.csv")
    assert "planted" not in repr(address)
    assert not Pages.asked
    for _ in range(2):
        assert read(address, tmp_path) == [{"shop": "A", "amount": 5}, {"shop": "B", "amount": 6}]
    assert Pages.asked == [("/sales.csv?key=planted", ""), ("/sales.csv?key=planted", '"1"')]


def test_the_notebook_names_the_address_and_reads_it(tmp_path: Path, site: str) -> None:
    (address,) = parse_addresses(f"shop=http://{site}/sales.csv", allowing(tmp_path, site))
    read(address, tmp_path)
    tables = tuple(map(notebook_table, load_files(address, tmp_path / "loaded").tables))
    cell = build_opening_cell([NotebookSource(name="shop", kind="files", at=address.secret, tables=tables)], [])
    assert f"'http://{site}/sales.csv'" in cell
    names: dict[str, Any] = {}
    exec(compile(cell, "<opening>", "exec"), names)
    assert names["query"]("SELECT sum(amount) AS total FROM sales").total.tolist() == [11]


@pytest.mark.parametrize("hosts", [(), ("data.example.org",), ("127.0.0.1:1",)])
def test_a_host_that_is_not_listed_is_refused_with_the_way_to_list_it(
    tmp_path: Path, site: str, hosts: tuple[str, ...]
) -> None:
    with pytest.raises(NotAllowed, match=r"'127\.0\.0\.1'.* `web_hosts`"):
        parse_addresses(f"http://{site}/sales.csv", allowing(tmp_path, *hosts))
    assert not Pages.asked


def test_a_host_that_is_taken_off_the_list_is_asked_no_more(tmp_path: Path, site: str) -> None:
    (address,) = parse_addresses(f"http://{site}/sales.csv", allowing(tmp_path, site))
    read(address, tmp_path)
    taken = SourceAddress(
        name=address.name, kind="files", display="", rights=allowing(tmp_path), files=address.files, secret=address.url
    )
    with pytest.raises(SourceError, match="may not be downloaded"):
        read(taken, tmp_path)
    assert len(Pages.asked) == 1


@pytest.mark.parametrize("requester", ["member", "folder"])
def test_who_may_name_no_places_downloads_nothing(tmp_path: Path, site: str, requester: Any) -> None:
    rights = Rights(requester=requester, private=(), web_hosts=(site,), downloads=tmp_path)
    with pytest.raises(NotAllowed):
        parse_addresses(f"http://{site}/sales.csv", rights)


def test_redirects_are_judged_like_addresses(tmp_path: Path, site: str) -> None:
    port = site.partition(":")[2]
    rights = allowing(tmp_path, site)
    (address,) = parse_addresses(f"http://{site}/to/sales.csv?/sales.csv", rights)
    assert len(read(address, tmp_path)) == 2
    for place in (f"http://localhost:{port}/sales.csv", "http://169.254.169.254/a.csv", "file:///etc/passwd"):
        (address,) = parse_addresses(f"http://{site}/to/sales.csv?{place}", rights)
        with pytest.raises(SourceError, match="downloaded from"):
            read(address, tmp_path)
    (address,) = parse_addresses(f"http://{site}/to/sales.csv", rights)
    with pytest.raises(SourceError, match="leads to another"):
        read(address, tmp_path)


def test_a_listed_name_does_not_lead_into_the_own_network(tmp_path: Path, site: str) -> None:
    port = site.partition(":")[2]
    (address,) = parse_addresses(f"http://localhost:{port}/sales.csv", allowing(tmp_path, "localhost"))
    with pytest.raises(SourceError, match="may not be downloaded from"):
        read(address, tmp_path)
    (address,) = parse_addresses(
        f"http://localhost:{port}/sales.csv", allowing(tmp_path, "localhost", "127.0.0.1", "::1")
    )
    assert len(read(address, tmp_path)) == 2


def test_what_is_too_large_or_not_whole_or_missing_leaves_nothing(
    tmp_path: Path, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rights = allowing(tmp_path, site)
    for name, why in (("short.csv", "not downloaded whole"), ("none.csv", "answers 404")):
        (address,) = parse_addresses(f"http://{site}/{name}", rights)
        with pytest.raises(SourceError, match=why):
            read(address, tmp_path)
    monkeypatch.setattr(web_files, "DOWNLOAD_BYTES_MAX", 10)
    (address,) = parse_addresses(f"http://{site}/sales.csv", rights)
    with pytest.raises(SourceError, match="is larger than"):
        read(address, tmp_path)
    assert not [path for path in (tmp_path / "downloads").rglob("*") if path.is_file()]


@pytest.mark.parametrize("url", ["https://h/", "https://h/export?format=csv", "https://h/a.exe"])
def test_an_address_ends_in_the_name_of_a_file(tmp_path: Path, url: str) -> None:
    with pytest.raises(AddressError, match="ends in the name"):
        parse_addresses(url, allowing(tmp_path, "h"))


@pytest.mark.parametrize("url", ["https://user:pw@h/a.csv", "https://h:99999/a.csv", "https:///a.csv"])
def test_odd_addresses_are_refused_without_their_password(tmp_path: Path, url: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        parse_addresses(url, allowing(tmp_path, "h"))
    assert "pw" not in str(refused.value)


@pytest.mark.parametrize("url", ["s3://bucket/a.csv", "gs://bucket/a.parquet"])
def test_a_store_of_objects_needs_a_signed_address(tmp_path: Path, url: str) -> None:
    with pytest.raises(AddressError, match=r"signed https:// address.*`web_hosts`"):
        parse_addresses(url, allowing(tmp_path, "bucket"))


@contextmanager
def saying(say: Callable[[socket.socket], object]) -> Generator[str]:
    """A server that answers whatever it is asked as a test wants it."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65536)
            try:
                say(self.request)
            except OSError:
                return  # the other side has gone

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def fetch(tmp_path: Path, url: str, host: str) -> Path:
    """Download a file without opening it; where it lies."""
    (address,) = parse_addresses(url, allowing(tmp_path, host))
    assert address.rights is not None
    web_files.download(address.url, address.files[0], address.rights)
    return address.files[0]


def slowly(*parts: bytes) -> Callable[[socket.socket], object]:
    """Say the first part, then the second again and again for longer than a test waits."""

    def say(connection: socket.socket) -> None:
        connection.sendall(parts[0])
        for _ in range(100):
            time.sleep(0.1)
            connection.sendall(parts[1])

    return say


SLOW = {
    "body": slowly(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", b"a"),
    "endless": slowly(b"HTTP/1.1 200 OK\r\n\r\n", b"a"),
    "chunks": slowly(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    "header": slowly(b"HTTP/1.1 200 OK\r\nX-Long: ", b"a"),
    "headers": slowly(b"HTTP/1.1 200 OK\r\n", b"X-One: a\r\n"),
    "continue": slowly(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "silent": slowly(b"", b""),
}


@pytest.mark.parametrize(("name", "scheme"), [*((name, "http") for name in SLOW), ("silent", "https")])
def test_a_slow_server_is_given_up_at_the_limit(
    tmp_path: Path, name: str, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_files, "LIMIT_S", 0.4)
    with saying(SLOW[name]) as host:
        begun = time.monotonic()
        with pytest.raises(SourceError, match=r"not downloaded within 0\.4 s"):
            fetch(tmp_path, f"{scheme}://{host}/a.csv", host)
        assert time.monotonic() - begun < 2
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\nX-One: a",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab",
        b"no web server\r\n\r\n",
    ],
)
def test_an_answer_that_is_cut_short_is_no_file(tmp_path: Path, answer: bytes) -> None:
    with (
        saying(lambda connection: connection.sendall(answer)) as host,
        pytest.raises(SourceError, match=r"not whole|not downloaded whole"),
    ):
        fetch(tmp_path, f"http://{host}/a.csv", host)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize("status", [b"404", b"799"])
def test_what_a_server_says_of_itself_is_not_repeated(tmp_path: Path, status: bytes) -> None:
    answer = b"HTTP/1.1 " + status + b" \x1b]0;planted\x07\r\nContent-Length: 0\r\n\r\n"
    with (
        saying(lambda connection: connection.sendall(answer)) as host,
        pytest.raises(SourceError, match=r"answers (404 Not Found|799)\. ") as raised,
    ):
        fetch(tmp_path, f"http://{host}/a.csv", host)
    assert str(raised.value).isprintable()


@pytest.mark.parametrize(
    ("number", "is_public"),
    [
        ("93.184.215.14", True),
        ("2606:4700:4700::1111", True),
        ("64:ff9b::5db8:d70e", True),
        ("2002:5db8:d70e::1", True),
        *(
            (number, False)
            for number in (
                *("10.0.0.1", "127.0.0.1", "169.254.169.254", "224.0.0.1", "240.0.0.1", "0.0.0.0", "100.64.0.1"),
                *("::1", "::", "fe80::1%eth0", "fc00::1", "fec0::1", "ff0e::1", "64:ff9b:1::a00:1", "4000::1"),
                *("64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a00:1::1", "::10.0.0.1", "::ffff:127.0.0.1"),
            )
        ),
    ],
)
def test_a_number_that_holds_another_is_as_public_as_that(number: str, is_public: bool) -> None:
    assert web_files._is_public(number) == is_public  # pyright: ignore[reportPrivateUsage]


def test_signs_that_are_not_ascii_are_asked_for_as_browsers_do(tmp_path: Path, site: str) -> None:
    assert fetch(tmp_path, f"http://{site}/größe.csv", site).read_bytes() == SALES
    assert fetch(tmp_path, f"http://{site}/to/a.csv?/gr%C3%B6%C3%9Fe.csv", site).read_bytes() == SALES
    assert [path for path, _ in Pages.asked if "to" not in path] == ["/gr%C3%B6%C3%9Fe.csv"] * 2


@pytest.mark.parametrize(
    "url", ["http://[bad/a.csv", "http://{site}/a%00.csv", "http://{site}/{long}.csv", "http://{site}/\udcff/a.csv"]
)
def test_what_is_no_address_is_refused(tmp_path: Path, site: str, url: str) -> None:
    with pytest.raises((NotAllowed, AddressError)):
        parse_addresses(url.format(site=site, long="a" * 300), allowing(tmp_path, site))


@pytest.mark.parametrize("place", ["http://[bad/a.csv", "http://{site}/%2500.csv", "//[::1", "/%00.csv", "http://:x/"])
def test_a_redirect_to_what_is_no_address_is_an_error(tmp_path: Path, site: str, place: str) -> None:
    with pytest.raises(SourceError):
        fetch(tmp_path, f"http://{site}/to/a.csv?{place.format(site=site)}", site)


@pytest.mark.parametrize(
    ("host", "why"), [("a" * 64 + ".example", "not the name of a host"), ("none.invalid", "no host of that name")]
)
def test_a_host_that_is_none_is_said_to_be_none(tmp_path: Path, host: str, why: str) -> None:
    with pytest.raises(SourceError, match=why):
        fetch(tmp_path, f"https://{host}/a.csv", host)


def test_the_record_of_a_download_is_no_file_of_its_folder(tmp_path: Path, site: str) -> None:
    file = tmp_path / "downloads" / "0" / ".download.json"
    for _ in range(2):
        web_files.download(f"http://{site}/.download.json", file, allowing(tmp_path, site))
        assert file.read_bytes() == SALES


@pytest.mark.parametrize(
    "text",
    [
        "[",
        "[1]",
        json.dumps({"If-None-Match": '"1"\r\nX-Planted: 1'}),
        json.dumps({"If-None-Match": "a" * 10_000}),
        json.dumps({"If-None-Match": 1, "Cookie": "planted"}),
    ],
)
def test_a_record_that_is_none_is_not_sent(tmp_path: Path, site: str, text: str) -> None:
    url = f"http://{site}/sales.csv"
    file = fetch(tmp_path, url, site)
    file.parent.with_suffix(".json").write_text(text, encoding="utf-8")
    assert fetch(tmp_path, url, site) == file == web_addresses.place_of(url, tmp_path / "downloads")
    assert Pages.asked == [("/sales.csv", ""), ("/sales.csv", "")]
