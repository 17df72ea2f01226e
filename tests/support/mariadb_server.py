"""A MariaDB server of our own, for tests: made in a new folder, on a free port, gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pymysql


class NoMariaDB(Exception):
    """There is no MariaDB on this machine."""


def connected(folder: Path) -> pymysql.Connection[Any]:
    """A connection to the server as it comes up; its socket appears only when it listens."""
    deadline = time.monotonic() + 60
    while not (folder / "sock").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    return pymysql.connect(unix_socket=str(folder / "sock"), user="root", autocommit=True)


@contextmanager
def served(statements: Sequence[str]) -> Iterator[str]:
    """`host:port` of a server on which root has run `statements`.

    Raises:
        NoMariaDB: It is not installed.
    """
    found = shutil.which("mariadbd", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        raise NoMariaDB("no MariaDB on this machine (mariadbd not found)")
    share = Path(found).resolve().parent.parent / "share" / "mysql"
    folder = Path(tempfile.mkdtemp(prefix="maria-"))
    (folder / "data").mkdir()
    account = pwd.getpwuid(os.geteuid()).pw_name
    if account == "root":
        account = "nobody"
        for path in (folder, folder / "data"):
            os.chown(path, pwd.getpwnam(account).pw_uid, pwd.getpwnam(account).pw_gid)
    command = [
        found,
        "--no-defaults",
        f"--user={account}",
        f"--datadir={folder / 'data'}",
        f"--lc-messages-dir={share}",
        f"--character-sets-dir={share / 'charsets'}",
    ]
    scripts = ("mysql_system_tables.sql", "mysql_performance_tables.sql", "mysql_system_tables_data.sql")
    system = "CREATE DATABASE mysql;\nUSE mysql;\n" + "\n".join((share / name).read_text() for name in scripts)
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        subprocess.run([*command, "--bootstrap"], input=system.encode(), check=True, timeout=100, **quiet)
        with subprocess.Popen(
            [*command, f"--socket={folder / 'sock'}", f"--port={port}", "--bind-address=127.0.0.1"], **quiet
        ) as process:
            try:
                with closing(connected(folder)) as con, con.cursor() as cursor:
                    for statement in statements:
                        cursor.execute(statement)
                yield f"127.0.0.1:{port}"
            finally:
                process.terminate()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
