"""ClickHouse's HTTP interface before its embedded engine (chdb): a program that the tests start.

    python clickhouse_front.py PORT

Every request has a session of its own with the settings of its address, as on a server: a read-only request is refused
by the engine itself. What a server has besides (logins, killing queries) it does not have.
"""

from __future__ import annotations

import sys
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import chdb

_OF_THE_PROTOCOL = frozenset(
    [
        "query",
        "database",
        "session_id",
        "session_check",
        "session_timeout",
        "query_id",
        "default_format",
        "client_protocol_version",
        "compress",
        "decompress",
        "enable_http_compression",
        "wait_end_of_query",
        "send_progress_in_http_headers",
        "role",
        "http_headers_progress_interval_ms",
        "date_time_input_format",
        "date_time_output_format",
        "cancel_http_readonly_queries_on_client_close",
    ]
)


class Front(BaseHTTPRequestHandler):
    """Answers a query in the request's address, its body, or both."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are written apart: the body would wait for a delayed ACK

    def do_GET(self) -> None:
        """Also the ping."""
        if urlsplit(self.path).path == "/ping":
            self._answer(200, b"Ok.\n")
        else:
            self.do_POST()

    def do_POST(self) -> None:
        """Run the query."""
        asked = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            body = zlib.decompress(body, 31)
        query = "\n".join(filter(None, [asked.get("query", ""), body.decode()]))
        connection = chdb.connect(":memory:")
        try:
            if asked.get("database"):
                connection.query(f"USE `{asked['database']}`")
            settings = {name: value for name, value in asked.items() if name not in _OF_THE_PROTOCOL}
            for name in sorted(settings, key=lambda name: name == "readonly"):  # then no other may be set
                connection.query(f"SET {name} = '{settings[name]}'")
            found = connection.query(
                query, self.headers.get("X-ClickHouse-Format") or asked.get("default_format", "TabSeparated")
            )
            self._answer(200, found.bytes() or b"")
        except RuntimeError as problem:
            self._answer(500, str(problem).encode())
        finally:
            connection.close()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-ClickHouse-Summary", "{}")
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    keep = chdb.connect(":memory:")  # the tables live as long as one connection does
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Front).serve_forever()
