"""The command line as a person and as a program use it: real processes, the sample company, no network."""

from __future__ import annotations

import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import nbformat
import pytest
from open_descriptors import is_readable

from assistant.delivery.command_line import _refused  # pyright: ignore[reportPrivateUsage]

pytestmark = pytest.mark.slow  # each starts a program of its own

TANDEM = str(Path(sys.executable).parent / "tandem")
AS_OF = "2026-11-21"
QUESTION = "What was net revenue by region last quarter?"
COUNTED_2025 = "SELECT COUNT(*) FROM orders WHERE order_date LIKE '2025%' AND status <> 'cancelled'"  # rule 1
INDEPENDENT = """
    SELECT r.name, SUM(l.quantity * l.unit_price * (1 - l.discount) - l.refunded)
    FROM order_lines l JOIN orders o USING (order_id) JOIN customers c USING (customer_id) JOIN regions r ON r.region_id = c.region_id
    WHERE o.status <> 'cancelled' AND o.order_date >= '2026-07-01' AND o.order_date < '2026-10-01'
    GROUP BY r.name
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home for the module: the sample company and the knowledge index are made once."""
    return tmp_path_factory.mktemp("home")


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TANDEM_", "OPENAI_"))}
    return kept | {"TANDEM_HOME": str(home), "TANDEM_AS_OF": AS_OF}


def tandem(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TANDEM, *arguments],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def ask(home: Path, *arguments: str) -> dict[str, object]:
    done = tandem(home, "ask", *arguments, "--json")
    assert done.stdout.count("\n") == 1, done.stdout + done.stderr
    said = json.loads(done.stdout)
    said["exit"] = done.returncode
    return said


@pytest.mark.timeout(600)  # whole programs that share the machine's cores
def test_programs_that_ask_at_once_in_a_new_home_all_answer(tmp_path: Path) -> None:
    command = [TANDEM, "ask", QUESTION, "--yes", "--json"]
    programs = [
        subprocess.Popen(
            command,
            env=environment(tmp_path / "new"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    told = [program.communicate(timeout=500) for program in programs]
    assert [program.returncode for program in programs] == [0] * 3, told
    assert len({json.loads(out)["answer"] for out, _ in told}) == 1


def company(home: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{home / 'sample' / AS_OF / 'company.sqlite'}?mode=ro", uri=True)


def test_a_question_is_answered_with_the_figures_an_independent_query_gives(home: Path, tmp_path: Path) -> None:
    notebook = tmp_path / "out.ipynb"
    said = ask(home, QUESTION, "--yes", "--export", str(notebook))
    assert (said["status"], said["exit"]) == ("answered", 0)
    connection = company(home)
    expected = dict(connection.execute(INDEPENDENT).fetchall())
    connection.close()
    assert {row[0]: pytest.approx(row[1]) for row in said["rows"]} == expected  # type: ignore[attr-defined]
    assert [step["decision"] for step in said["steps"]] == ["auto"] * len(said["steps"])  # type: ignore[index, arg-type]
    assert said["steps"][0]["language"] == "sql"  # type: ignore[index]
    assert said["sql"]
    assert said["usage"] == {"calls": 0, "input_tokens": 0, "output_tokens": 0, "cost": 0}
    nbformat.validate(nbformat.read(notebook, as_version=4))


def test_the_plan_cites_the_glossary(home: Path) -> None:
    said = ask(home, "churn by region")
    assert said["status"] == "needs_decision"
    done = tandem(home, "ask", "--session", str(said["session"]))
    assert done.returncode == 2
    assert "glossary.yaml" in done.stdout
    assert "churn" in done.stdout.lower()


def test_a_question_that_was_marked_right_is_verified_when_it_is_asked_again(tmp_path: Path) -> None:
    home, question = tmp_path, "Number of orders by channel in 2025"
    first = ask(home, question, "--yes")
    assert first["trust"] == "new"
    done = tandem(home, "verify", str(first["session"]))
    assert (done.returncode, done.stderr) == (0, "")
    [file] = (home / "sample" / AS_OF / "knowledge" / "queries").glob("*channel*")
    assert str(file) in done.stdout
    assert tandem(home, "verify", str(first["session"]), "1").returncode == 0, "twice is no harm"
    again = ask(home, question, "--yes")
    assert (again["trust"], again["rows"], again["sql"]) == ("verified", first["rows"], first["sql"])
    done = tandem(home, "verify", str(first["session"]), "--revoke")
    assert (done.returncode, done.stderr, file.exists()) == (0, "", False)
    done = tandem(home, "verify", str(first["session"]), "--revoke")
    assert (done.returncode, done.stdout) == (1, "")
    assert "is not marked right" in done.stderr
    assert ask(home, question, "--yes")["trust"] == "new"


def test_an_answer_that_cannot_be_marked_right_says_why(home: Path) -> None:
    said = ask(home, "Sing me a song of the sea", "--yes")
    done = tandem(home, "verify", str(said["session"]), "--as", "Songs of the sea")
    assert (done.returncode, done.stdout) == (1, "")
    assert "The question has no answer" in done.stderr
    done = tandem(home, "verify", str(said["session"]), "7")
    assert "There is no question 7" in done.stderr


def test_follow_ups_change_the_last_answer(home: Path) -> None:
    first = ask(home, "monthly net revenue", "--yes")
    session = str(first["session"])
    only = ask(home, "only 2025", "--session", session, "--yes")
    assert only["status"] == "answered"
    assert len(only["rows"]) == 12  # type: ignore[arg-type]
    by_region = ask(home, "by region instead", "--session", session, "--yes")
    assert by_region["status"] == "answered"
    assert 1 < len(by_region["rows"]) < 12  # type: ignore[arg-type]
    total = sum(row[-1] for row in only["rows"])  # type: ignore[attr-defined]
    assert sum(row[-1] for row in by_region["rows"]) == pytest.approx(total)  # type: ignore[attr-defined]
    chart = ask(home, "as a bar chart", "--session", session, "--yes")
    assert (chart["status"], chart["rows"]) == ("answered", by_region["rows"]), "its looks change, its figures do not"


def test_without_a_terminal_what_waits_is_printed_and_kept(home: Path) -> None:
    done = tandem(home, "ask", "How many orders are there?")
    assert done.returncode == 2
    assert "query(" in done.stdout
    session = done.stdout.split("--session ")[1].split()[0]
    output = in_terminal(home, ["ask", "--session", session], [("eject: ", "a\n")])
    connection = company(home)
    (orders,) = connection.execute("SELECT COUNT(*) FROM orders WHERE status <> 'cancelled'").fetchone()
    connection.close()
    assert f"{orders:,}" in output


def test_a_person_can_edit_and_reject_at_the_terminal(home: Path, tmp_path: Path) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text("#!/bin/sh\nsed -i 's/COUNT(\\*)/COUNT(*) + 1/' \"$1\"\n")
    editor.chmod(0o755)
    steps = [("eject: ", "r\n"), ("different? ", "only 2025\n"), ("eject: ", "e\n")]
    output = in_terminal(home, ["ask", "How many orders are there?"], steps, editor=str(editor))
    connection = company(home)
    (orders,) = connection.execute(COUNTED_2025).fetchone()
    connection.close()
    assert f"{orders + 1:,}" in output


def test_an_interrupt_at_a_question_ends_the_program_and_the_question_still_waits(home: Path) -> None:
    output = in_terminal(home, ["ask", "How many orders are there?"], [("eject: ", "\x03")])
    assert output.rstrip().endswith("stopped. Everything up to here is kept.")
    waiting = tandem(home, "sessions").stdout.splitlines()[0]
    assert "needs you" in waiting
    assert "[a]pprove" in in_terminal(home, ["ask", "--session", waiting.split()[0]], [("eject: ", "a\n")])


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("", "question"),
        ("Wie hoch war der Umsatz je Region im letzten Quartal?", "English"),
        ("DROP TABLE orders", "only read"),
    ],
)
def test_what_is_not_understood_is_declined_with_a_hint(home: Path, question: str, why: str) -> None:
    said = ask(home, question, "--yes")
    assert (said["status"], said["exit"], said["steps"]) == ("declined", 2, [])
    assert why.lower() in str(said["answer"]).lower()


def test_data_of_ones_own(home: Path, tmp_path: Path) -> None:
    table = tmp_path / "visits 2026.csv"
    table.write_text("city;visits;day\nBern;1.200;2026-01-03\nBasel;900;2026-01-04\nBern;300;2026-02-01\n", "utf-8-sig")
    said = ask(home, "total visits by city", "--source", str(table), "--yes")
    assert said["status"] == "answered", said
    assert sorted((row[0], row[-1]) for row in said["rows"]) == [("Basel", 900), ("Bern", 1500)]  # type: ignore[attr-defined]


def test_a_session_goes_on_with_the_source_that_it_has_or_takes_another(home: Path, tmp_path: Path) -> None:
    table, other = tmp_path / "visits.csv", tmp_path / "elsewhere" / "visits.csv"
    table.write_text("city,visits\nBern,1200\nBasel,900\nBern,300\n")
    other.parent.mkdir()
    other.write_text("city,visits\nBern,1\n")
    session = str(ask(home, "total visits by city", "--source", str(table), "--yes")["session"])
    go_on = ("total visits", "--session", session, "--yes")
    for given in (str(table), f"visits={table}", f"{tmp_path}/elsewhere/../visits.csv"):
        said = ask(home, *go_on, "--source", given)
        assert (said["status"], said["rows"]) == ("answered", [[2400]]), said
    done = tandem(home, "ask", *go_on, "--source", str(other))
    assert done.returncode == 1
    assert "This session already has a source named 'visits'. Give the new one another name" in done.stderr


def test_a_question_back_is_answered_by_one_of_its_options(home: Path, tmp_path: Path) -> None:
    database = tmp_path / "clinics.duckdb"
    with duckdb.connect(str(database)) as con:
        for schema, rows in (("north", 4), ("south", 6)):
            con.execute(f"CREATE SCHEMA {schema}")
            con.execute(f"CREATE TABLE {schema}.visits AS SELECT range AS id, 10 * range AS fee FROM range({rows})")
    asked = ask(home, "total fee", "--source", str(database), "--yes")
    assert (asked["status"], asked["exit"]) == ("needs_clarification", 2)
    options = asked["clarification"]["options"]  # type: ignore[index, call-overload]
    option = next(option for option in options if "north.visits" in option)
    said = ask(home, option.upper(), "--session", str(asked["session"]), "--yes")
    assert (said["status"], said["turn"]) == ("answered", asked["turn"])
    assert said["rows"] == [[60]]


def test_a_source_that_cannot_be_opened_is_said_and_leaves_nothing(home: Path) -> None:
    before = tandem(home, "sessions").stdout
    for source, said in (
        ("nowhere.csv", "nowhere.csv"),
        ("postgresql://me:hunter2@127.0.0.1:1/db", "127.0.0.1"),
        ("nonsense://x", "nonsense"),
        ("README.md", "README.md"),
    ):
        done = tandem(home, "ask", "How many?", "--source", source)
        assert done.returncode == 1
        assert said in done.stderr
        assert "hunter2" not in done.stdout + done.stderr
        assert "Traceback" not in done.stderr
    assert tandem(home, "sessions").stdout == before


def test_json_stays_one_object_whatever_goes_wrong(home: Path) -> None:
    for arguments in (["x", "--source", "nowhere.csv"], ["x", "--session", "0" * 16], ["--session", "nonsense"]):
        said = ask(home, *arguments)
        assert (said["status"], said["exit"]) == ("failed", 1)
        assert said["answer"]


def test_an_error_says_nothing_that_a_terminal_obeys(capsys: pytest.CaptureFixture[str]) -> None:
    _refused("from \x1b]0;planted\x07\nhere", as_json=False)
    assert capsys.readouterr().err == "tandem: from \\x1b]0;planted\\x07\nhere\n"


def test_sessions_are_listed_and_exported(home: Path, tmp_path: Path) -> None:
    session = str(ask(home, "How many customers are there?", "--yes")["session"])
    listed = tandem(home, "sessions")
    assert listed.returncode == 0
    assert any(line.startswith(session) and "How many customers" in line for line in listed.stdout.splitlines())
    done = tandem(home, "export", session, str(tmp_path / "new" / "session.ipynb"))
    assert done.returncode == 0, done.stderr
    nbformat.validate(nbformat.read(tmp_path / "new" / "session.ipynb", as_version=4))
    assert tandem(home, "export", "0" * 16, str(tmp_path / "x.ipynb")).returncode == 1


def test_doctor_says_which_cage_holds(home: Path) -> None:
    done = tandem(home, "doctor")
    assert "cage" in done.stdout
    assert "embeddings" in done.stdout
    assert "company" in done.stdout


def test_the_command_starts_without_the_heavy_libraries() -> None:
    loaded = "import sys, assistant.delivery.command_line as c; c.main(['--help']); print(sorted(m for m in sys.modules if '.' not in m))"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    for heavy in ("pandas", "chromadb", "streamlit", "autogen_agentchat", "sqlglot", "duckdb", "sqlalchemy"):
        assert f"'{heavy}'" not in done.stdout


def in_terminal(home: Path, arguments: list[str], script: list[tuple[str, str]], *, editor: str = "") -> str:
    """Run the command on a pseudo-terminal, typing each reply when its prompt appears; gives all it printed."""
    env = environment(home) | ({"EDITOR": editor, "VISUAL": editor} if editor else {})
    child, terminal = pty.fork()
    if child == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell ignores it for what it runs in the background
        os.execve(TANDEM, [TANDEM, *arguments], env)
    printed, waiting = "", list(script)
    seen = 0
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline:
        if is_readable(terminal, within_s=0.5):
            try:
                chunk = os.read(terminal, 65536)
            except OSError:  # the child has closed its end
                break
            if not chunk:
                break
            printed += chunk.decode(errors="replace")
        if waiting and waiting[0][0] in printed[seen:]:
            seen = len(printed)
            os.write(terminal, waiting.pop(0)[1].encode())
    os.close(terminal)
    os.waitpid(child, 0)
    assert not waiting, printed
    return printed


def test_a_date_that_is_none_is_said_in_words(home: Path) -> None:
    done = tandem(home, "ask", QUESTION, "--as-of", "next week")
    assert done.returncode == 2
    assert "'next week' is no date; write it like 2026-03-31" in done.stderr


def test_no_sessions_are_said_and_nothing_is_listed(tmp_path: Path) -> None:
    done = tandem(tmp_path, "sessions")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no sessions yet" in done.stderr


def test_a_sample_that_cannot_be_written_is_said_in_words(home: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = tandem(home, "sample", str(tmp_path / "file" / "sample"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be written (Not a directory). Name another." in done.stderr
    done = tandem(home, "sample", str(tmp_path / "sample"), "--as-of", "1800-01-01")
    assert done.returncode == 1
    assert "give a date from 1910-01-01 on." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_word_is_defined_and_taken_back_in_a_terminal(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (tmp_path / "visits.csv").write_text("person,minutes\nAda,50\nBo,5\n")
    source = ("--source", str(tmp_path / "visits.csv"))
    kept = tandem(home, "define", "long visit = a visit with over 30 minutes", *source)
    assert kept.returncode == 0, kept.stderr
    assert "terms/long-visit.yaml" in kept.stdout
    assert "read as: " in kept.stdout
    assert ask(home, "How many long visits?", "--yes", *source)["rows"] == [[1]]
    gone = tandem(home, "define", "Long visit", "--remove", *source)
    assert gone.returncode == 0, gone.stderr
    again = tandem(home, "define", "long visit", "--remove", *source)
    assert (again.returncode, "no definition" in again.stderr) == (1, True)
