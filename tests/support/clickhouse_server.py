"""ClickHouse for tests: its embedded engine behind its own HTTP interface (clickhouse_front.py), on a free port.

The engine is large and needed by these tests alone, so it is no dependency of the project: `.ci/run` installs it beside
the environment, and so can anybody: `script/clickhouse`.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import clickhouse_connect
from clickhouse_connect.driver.exceptions import ClickHouseError

_ENGINE = Path(__file__).parents[2] / ".venv" / "clickhouse"
_FRONT = Path(__file__).with_name("clickhouse_front.py")


class NoClickHouse(Exception):
    """The engine is not installed."""


@contextmanager
def served(statements: Sequence[str]) -> Iterator[str]:
    """`host:port` of a server on which `statements` have run.

    Raises:
        NoClickHouse: The engine is not installed.
    """
    if not (_ENGINE / "chdb").is_dir():
        raise NoClickHouse("ClickHouse's engine is not here; script/clickhouse installs it")
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with ExitStack() as stack:
        # The engine leaves its folder behind in the temporary one.
        temporary = stack.enter_context(TemporaryDirectory(prefix="clickhouse-", ignore_cleanup_errors=True))
        environment = {**os.environ, "PYTHONPATH": str(_ENGINE), "TMPDIR": temporary}
        process = stack.enter_context(subprocess.Popen([sys.executable, str(_FRONT), str(port)], env=environment))
        try:
            client = _connected(port, process)
            for statement in statements:
                client.command(statement)
            yield f"127.0.0.1:{port}"
        finally:
            process.kill()


def _connected(port: int, process: subprocess.Popen[bytes]) -> clickhouse_connect.driver.client.Client:
    deadline = time.monotonic() + 120
    while True:
        try:
            return clickhouse_connect.get_client(host="127.0.0.1", port=port, autogenerate_session_id=False)
        except ClickHouseError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.2)
