"""How long commands take to start and to answer, beside a bare interpreter and the import of the same libraries.

    python benchmarks/start.py [--runs 3] [--tables 500]

Each command runs as a program of its own, in a home folder made for it. Wall time is what a person waits; CPU time (user and
system, children included) tells what it costs where other work shares the machine. The best of the runs is printed.
"""

from __future__ import annotations

import argparse
import os
import resource
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

TANDEM = str(Path(sys.executable).parent / "tandem")
QUESTION = "What was net revenue by region last quarter?"
LIBRARIES = {
    "--help": "typer",
    "sessions": "typer, pydantic, pydantic_settings, sqlalchemy",
    "ask": "typer, pydantic, pydantic_settings, sqlalchemy, sqlglot, pyarrow",
    "page": "streamlit, pandas, pyarrow",
}
DEADLINE_S = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """Seconds of one run."""

    wall: float
    cpu: float


def run(command: Sequence[str], home: Path) -> Taken:
    """Run a program to its end.

    Raises:
        SystemExit: it failed; what it said is printed.
    """
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, env=_environment(home), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stderr}")
    return Taken(wall=wall, cpu=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TANDEM_", "OPENAI_"))}
    return kept | {"TANDEM_HOME": str(home)}


def best(runs: int, measure: Callable[[], Taken]) -> Taken:
    """The least of several runs, wall and CPU time each by itself."""
    taken = [measure() for _ in range(runs)]
    return Taken(wall=min(one.wall for one in taken), cpu=min(one.cpu for one in taken))


def make_tables(path: Path, tables: int) -> None:
    """A SQLite database of that many small tables, one of which holds orders."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, region TEXT, amount REAL, ordered_on TEXT)"
        )
        connection.executemany(
            "INSERT INTO orders VALUES (?, ?, ?, ?)",
            [(n, ("North", "South", "East")[n % 3], n * 1.5, f"2026-0{1 + n % 9}-1{n % 10}") for n in range(1_000)],
        )
        for number in range(1, tables):
            connection.execute(
                f"CREATE TABLE ledger_{number:03} (entry_id INTEGER PRIMARY KEY, account TEXT, booked REAL, booked_on TEXT)"
            )
            connection.executemany(
                f"INSERT INTO ledger_{number:03} VALUES (?, ?, ?, ?)",
                [(n, f"account {n % 7}", n * 0.25, "2026-03-01") for n in range(20)],
            )


def serve(home: Path) -> Taken:
    """Start the page's server until it gives out the page. What the browser does then is not in it.

    Raises:
        SystemExit: it does not answer.
    """
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    with subprocess.Popen(
        [TANDEM, "serve", "--port", str(port), "--no-token"],
        env=_environment(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as server:
        try:
            while True:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=2):
                        break
                except OSError:
                    if time.perf_counter() - began > DEADLINE_S or server.poll() is not None:
                        raise SystemExit("`tandem serve` did not answer") from None
                    time.sleep(0.02)
            wall = time.perf_counter() - began
        finally:
            server.terminate()
            server.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Taken(wall=wall, cpu=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def line(what: str, taken: Taken, *, beside: Taken | None = None, goal: float | None = None) -> None:
    """Print a row of the table."""
    ratio = f"{taken.cpu / beside.cpu:.1f}" if beside is not None and beside.cpu else ""
    print(f"| {what} | {taken.wall:.2f} | {taken.cpu:.2f} | {ratio} | {goal if goal is not None else ''} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--tables", type=int, default=500)
    chosen = parser.parse_args()
    print(
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; best of {chosen.runs} runs, first times run once\n"
    )
    print("| what | wall, s | CPU, s | CPU beside its libraries | goal, s |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="tandem-start-") as folder:
        place = Path(folder)
        home = place / "home"
        python = sys.executable
        line("bare interpreter", best(chosen.runs, lambda: run([python, "-c", "pass"], home)))
        libraries = {
            name: best(chosen.runs, lambda names=names: run([python, "-c", f"import {names}"], home))
            for name, names in LIBRARIES.items()
        }
        for name, taken in libraries.items():
            line(f"import of the libraries of {name}", taken)
        first = run([TANDEM, "ask", QUESTION, "--yes"], home)
        line("--help", best(chosen.runs, lambda: run([TANDEM, "--help"], home)), beside=libraries["--help"], goal=0.2)
        sessions = best(chosen.runs, lambda: run([TANDEM, "sessions"], home))
        line("sessions", sessions, beside=libraries["sessions"], goal=0.5)
        line("ask, the first time", first, beside=libraries["ask"], goal=3.0)
        warm = best(chosen.runs, lambda: run([TANDEM, "ask", QUESTION, "--yes"], home))
        line("ask, warm", warm, beside=libraries["ask"], goal=1.2)
        line("serve, until the page is given out", serve(home), beside=libraries["page"], goal=2.0)
        database = place / "many.sqlite"
        make_tables(database, chosen.tables)
        many = run([TANDEM, "ask", "total amount by region of orders", "--source", str(database), "--yes"], home)
        line(f"first question to {chosen.tables} tables", many, beside=libraries["ask"], goal=3.0)


if __name__ == "__main__":
    main()
