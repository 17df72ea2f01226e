"""A password is planted in a URL, everything is driven that may print or keep something, and nothing holds it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import psycopg
import pytest
from planted import FORMS, FULLY, Watched, kept_nowhere
from postgres import PASSWORD, QUOTED, NoPostgres, served

from assistant.bootstrap import open_workspace
from assistant.core.data_errors import clean_message
from assistant.settings.settings import Settings

pytestmark = pytest.mark.server

TANDEM = str(Path(sys.executable).parent / "tandem")


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


async def reported(home: Path, session: str) -> bytes:
    async with open_workspace(Settings(home=home)) as workspace:
        return await workspace.report(session)


def assert_unsaid(done: subprocess.CompletedProcess[str]) -> None:
    for form in FORMS:
        assert form not in done.stdout
        assert form not in done.stderr


@pytest.mark.parametrize("spelling", [QUOTED, FULLY])
def test_the_list_of_processes_does_not_hold_the_password(server: str, tmp_path: Path, spelling: str) -> None:
    url = f"postgresql://owner:{spelling}@{server}"
    with Watched() as watched:
        done = tandem(tmp_path, "ask", "How many things are there?", "--source", url, "--json")
    assert_unsaid(done)
    ours = {pid: said for pid, said in watched.seen.items() if said and server in said[-1]}
    assert ours, "the command itself was seen"
    for said in ours.values():
        assert f"owner:{'*' * len(spelling)}@" in said[-1]  # it is struck out as the program starts
    for pid, said in watched.seen.items():
        shown = said[-1:] if pid in ours else said  # a child, such as a zygote or a kernel, never had it
        assert not any(form in one for one in shown for form in FORMS)


def test_a_message_of_a_driver_holds_no_spelling_of_the_password() -> None:
    mixed = "pl%40nted/s%33cret"
    for form in (*FORMS, mixed, repr(PASSWORD)):
        text = clean_message(f'could not connect to "{form}" (twice: {form})', secrets=(PASSWORD,))
        assert text.count("***") == (0 if form == "s3cret" else 2), text
        assert form == "s3cret" or form not in text


@pytest.mark.timeout(900)  # the command is started twenty times
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
        nowhere.replace(QUOTED, FULLY),
        wrong.replace(QUOTED, FULLY),
        url + "_gone",
        url.replace("postgresql", "posgresql"),
    ):
        failed = tandem(home, "ask", "How many shops are there?", "--source", given, "--json")
        assert json.loads(failed.stdout)["status"] == "failed", given
        assert_unsaid(failed)
    refused = tandem(home, "ask", "How many shops are there?", "--source", url + "?sslpassword=" + QUOTED)
    assert refused.returncode == 1
    assert "'sslpassword'" in refused.stderr
    assert_unsaid(refused)
    open_question = tandem(home, "ask", "How many shops are there?", "--source", url)
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

    (home / "report.html").write_bytes(asyncio.run(reported(home, said["session"])))

    written = kept_nowhere(home)
    assert {notebook, home / "report.html"} <= set(written)
    assert any(path.name == "tandem.sqlite" for path in written)
