"""A password is planted in a URL, everything is driven that may print or keep something, and nothing holds it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote_plus

import nbformat
import psycopg
import pytest
from postgres import PASSWORD, QUOTED, NoPostgres, served

pytestmark = pytest.mark.server

TANDEM = str(Path(sys.executable).parent / "tandem")
FORMS = (PASSWORD, QUOTED, QUOTED.lower(), quote_plus(PASSWORD), "s3cret")
KEPT = "sources.json"
"""What opens a session's sources again, for the owner alone; the one place where a password is kept."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """host:port/database of a server of our own with a table."""
    try:
        with served() as at:
            with psycopg.connect(f"postgresql://owner:{QUOTED}@{at}", autocommit=True) as con:
                con.execute("CREATE TABLE shop (id int PRIMARY KEY, city text, amount int)")
                con.execute("INSERT INTO shop SELECT i, 'City ' || i % 4, i FROM generate_series(1, 40) i")
            yield at
    except NoPostgres as missing:
        pytest.skip(str(missing))


def tandem(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command with all its logging switched on."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TANDEM_", "OPENAI_"))}
    return subprocess.run(
        [TANDEM, "--debug", *arguments],
        env=kept | {"TANDEM_HOME": str(home), "TANDEM_EMBEDDINGS": "hashing", **environment},
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
        check=False,
        cwd=home,
    )


def assert_unsaid(done: subprocess.CompletedProcess[str]) -> None:
    for form in FORMS:
        assert form not in done.stdout
        assert form not in done.stderr


def test_nothing_that_is_printed_logged_or_kept_holds_the_password(server: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    url = f"postgresql://owner:{QUOTED}@{server}"
    notebook = home / "out.ipynb"

    answered = tandem(
        home, "ask", "How many shops are there?", "--source", url, "--yes", "--json", "--export", str(notebook)
    )
    said = json.loads(answered.stdout)
    assert said["status"] == "answered"
    assert_unsaid(answered)

    wrong = f"shop=postgresql://owner:{QUOTED}x@{server}"
    nowhere = url.replace("127.0.0.1", "nosuch.invalid")
    for given in (
        wrong,
        nowhere,
        url + "_gone",
        url.replace("postgresql", "posgresql"),
    ):
        failed = tandem(home, "ask", "How many shops are there?", "--source", given, "--json")
        assert json.loads(failed.stdout)["status"] == "failed", given
        assert_unsaid(failed)
    open_question = tandem(home, "ask", "How many shops are there?", "--source", url + "?sslpassword=" + QUOTED)
    assert open_question.returncode == 2
    assert_unsaid(open_question)

    with psycopg.connect(f"postgresql://owner:{QUOTED}@{server}", autocommit=True) as con:
        con.execute("DROP TABLE shop")
    again = tandem(home, "ask", "What is the total amount by city?", "--session", said["session"], "--yes", "--json")
    assert_unsaid(again)
    assert json.loads(again.stdout)["status"] != "answered"

    for sources in (url, wrong, f"{url}:{home / 'gone.csv'}"):
        doctor = tandem(home, "doctor", TANDEM_SOURCES=sources)
        assert "owner" in doctor.stdout
        assert_unsaid(doctor)
    assert_unsaid(tandem(home, "sessions"))
    exported = tandem(home, "export", said["session"], str(home / "again.ipynb"))
    assert exported.returncode == 0, exported.stderr
    assert_unsaid(exported)
    nbformat.validate(nbformat.read(home / "again.ipynb", as_version=4))
    assert f"postgresql+psycopg://owner@{server}" in (home / "again.ipynb").read_text()

    written = [path for path in home.rglob("*") if path.is_file()]
    assert notebook in written
    assert any(path.name == "tandem.sqlite" for path in written)
    for path in written:
        if path.name == KEPT:
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            continue
        content = path.read_bytes()
        for form in FORMS:
            assert form.encode() not in content, path
