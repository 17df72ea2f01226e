"""A password in an argument is not in the list of processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.delivery.command_line import find_secret_spans

SECRETS = {
    "postgresql://owner:pl%40nted@host:5432/db": "postgresql://owner:*********@host:5432/db",
    "shop=mysql+pymysql://o:a/b@c:d@host/db": "shop=mysql+pymysql://o:*******@host/db",
    "postgresql://host/db?user=o&password=planted&sslmode=on": "postgresql://host/db?user=o&password=*******&sslmode=on",
    "trino://host/db?access_token=planted": "trino://host/db?access_token=*******",
    "postgresql://:planted@host/db": "postgresql://:*******@host/db",
}
HARMLESS = ("What is 5:3@home?", "sales.csv", "sqlite:////home/a:b/c.db", "postgresql://owner@host:5432/db", "--yes")


@pytest.mark.parametrize("given", SECRETS)
def test_the_password_of_a_url_is_found(given: str) -> None:
    shown = bytearray(b"tandem\0ask\0" + given.encode() + b"\0--yes\0")
    for begin, end in find_secret_spans(bytes(shown)):
        shown[begin:end] = b"*" * (end - begin)
    assert shown.split(b"\0")[2].decode() == SECRETS[given]
    assert shown.startswith(b"tandem\0ask\0")
    assert shown.endswith(b"\0--yes\0")


@pytest.mark.parametrize("given", HARMLESS)
def test_nothing_else_is_struck_out(given: str) -> None:
    assert find_secret_spans(f"tandem\0ask\0{given}\0".encode()) == ()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep no such list")
def test_it_is_struck_out_of_the_running_process_and_the_program_still_has_it() -> None:
    script = (
        "import os, sys; from assistant.delivery.command_line import erase_secrets; erase_secrets();"
        "os.write(1, open('/proc/self/cmdline', 'rb').read() + sys.argv[2].encode()); sys.stdin.read()"
    )
    url = next(iter(SECRETS))
    with subprocess.Popen(
        [sys.executable, "-c", script, "--source", url, "end"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        said = os.read(process.stdout.fileno(), 10_000).decode()
        shown = Path(f"/proc/{process.pid}/cmdline").read_text()
        process.communicate()
    assert f"--source\0{SECRETS[url]}\0end\0" in shown
    assert said == f"{shown}{url}"
