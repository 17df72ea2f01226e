"""Files behind addresses: from listed hosts alone, redirects included, limited, and read like any other file."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from assistant.core.data_errors import AddressError, SourceError
from assistant.output.notebook.opening import build_opening_cell
from assistant.output.notebook.sources import NotebookSource
from assistant.session.answers.export import notebook_table
from assistant.sources import web_files
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
            self.send_header("Location", self.path.partition("?")[2] or path)
        elif path == "/sales.csv" and self.headers.get("If-None-Match") == '"1"':
            self.send_response(304)
        elif path in ("/sales.csv", "/short.csv"):
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
