"""A PostgreSQL server of our own, for tests and benchmarks: made in a new folder, on a free port, gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

PASSWORD = "pl@nted/s3cret"
QUOTED = "pl%40nted%2Fs3cret"


class NoPostgres(Exception):
    """There is no PostgreSQL on this machine."""


def binaries() -> Path | None:
    """The folder of `initdb` and `pg_ctl`."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    found_on_path = shutil.which("initdb")
    return Path(found_on_path).parent if found_on_path else None


@dataclass(frozen=True)
class PostgresServer:
    """A server that runs."""

    address: str
    restart: Callable[[], object]


@contextmanager
def served() -> Iterator[str]:
    """`host:port/database` of a server whose superuser `owner` has the password `PASSWORD`.

    Raises:
        NoPostgres: It is not installed.
    """
    with running() as server:
        yield server.address


@contextmanager
def running() -> Iterator[PostgresServer]:
    """A server, as `served` has it, that can be restarted.

    Raises:
        NoPostgres: It is not installed.
    """
    tools = binaries()
    if tools is None:
        raise NoPostgres("no PostgreSQL on this machine (initdb not found)")
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    # PostgreSQL refuses to run as root.
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        user = {"user": nobody.pw_uid, "group": nobody.pw_gid}
    secret = folder / "secret"
    secret.write_text(PASSWORD)
    secret.chmod(0o644)
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **user}
    data = str(folder / "data")
    try:
        subprocess.run(
            [tools / "initdb", "-D", data, "-U", "owner", "--auth=scram-sha-256", f"--pwfile={secret}", "-E", "UTF8"],
            check=True,
            **options,
        )
        settings = f"-c port={port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        start = [tools / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", settings]
        subprocess.run([*start, "start"], check=True, **options)
        restart = partial(subprocess.run, [*start, "-m", "fast", "restart"], check=True, **options)
        try:
            yield PostgresServer(f"127.0.0.1:{port}/postgres", restart)
        finally:
            subprocess.run([tools / "pg_ctl", "-D", data, "-m", "immediate", "stop"], check=True, **options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
