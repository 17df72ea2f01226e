"""Prints how files and databases are read: by Tandem, by DuckDB's sniffer and with pandas' defaults, in one run.

    python benchmarks/reading.py [--family FAMILY] [--failures] [--write]
    python benchmarks/reading.py --public EXPECTED.json FOLDER [--failures]
    python benchmarks/reading.py --speed [--rows N]

The corpus is generated (`tests/support/corpus`). Right: header, rows, columns, types, missing values and checked values.
Exact: right, and what has to be told is told. A peer tells nothing, so it is compared by what is right. CPU is that of
the system and its workers, without its start, as a multiple of DuckDB's over the files that both read. `--failures`
prints what is not exact. `--write` stores the figures that the tests hold as a ratchet. `--public` reads published tables
instead: a list of readings, and a folder that holds their files as `owner/repository/path`. `--speed` times first answers
from large files against DuckDB. `benchmarks/loading.py` times planning and loading of single files.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from corpus.collection import all_cases  # noqa: E402
from corpus.published import PublishedFile, published_files  # noqa: E402
from corpus.ratchet import FIGURES, figures_of  # noqa: E402
from corpus.scoring import OUTCOMES, Outcome, Score, score_case, score_file  # noqa: E402
from corpus.systems import SYSTEMS, System, is_applicable  # noqa: E402
from corpus.values import FAMILIES  # noqa: E402


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """How a system read a file."""

    name: str
    family: str
    shape: str
    outcome: Outcome
    reason: str

    @property
    def is_right(self) -> bool:
        """As of a score."""
        return self.outcome in ("exact", "untold")


def line(name: str, family: str, shape: str, score: Score) -> Line:
    """What is printed of a score."""
    return Line(name=name, family=family, shape=shape, outcome=score.outcome, reason=score.reason)


def read_family(system: System, family: str) -> list[Line]:
    """All cases of a family that a system reads at all."""
    scores = ((case, score_case(case, system)) for case in all_cases() if case.family == family)
    return [line(case.name, case.family, case.shape, score) for case, score in scores if score is not None]


def read_published(system: System, files: Iterable[PublishedFile]) -> list[Line]:
    """Published tables, by the ends of their files' names."""
    lines: list[Line] = []
    for file in files:
        if is_applicable(system, file.path):
            score = score_file(file.path, file.expected, system)
            lines.append(line(f"{file.name} {file.sheet}".rstrip(), file.path.suffix, file.path.suffix, score))
    return lines


def run_alone(system: System, arguments: Sequence[str]) -> tuple[list[Line], float]:
    """What a system makes of files, in a process of its own, and the seconds of CPU it and its workers took for it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, __file__, "--system", system, *arguments]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    report: dict[str, Any] = json.loads(output.splitlines()[-1])
    return [Line(**entry) for entry in report["lines"]], spent - report["start"]


def print_table(results: dict[tuple[str, System], tuple[list[Line], float]], groups: Sequence[str]) -> None:
    """By group and system, and what a peer reads right and Tandem does not."""
    print(
        f"{'':14}{'files':>6}  " + "".join(f"{word:>9}" for word in OUTCOMES) + f"{'right':>9}{'CPU s':>9}{'ratio':>8}"
    )
    for group in [*groups, "all"]:
        for system in SYSTEMS:
            parts = [
                result for (name, reader), result in results.items() if reader == system and group in (name, "all")
            ]
            lines = [entry for part, _ in parts for entry in part]
            if not lines:
                continue
            counts = Counter(entry.outcome for entry in lines)
            seconds = sum(spent for _, spent in parts)
            peer = sum(
                s
                for (name, reader), (part, s) in results.items()
                if reader == "duckdb" and part and group in (name, "all")
            )
            own = sum(
                s
                for (name, reader), (part, s) in results.items()
                if reader == system and group in (name, "all") and results.get((name, "duckdb"), ([], 0))[0]
            )
            ratio = f"{own / peer:8.1f}" if peer else f"{'-':>8}"
            cells = "".join(f"{counts[outcome]:9}" for outcome in OUTCOMES)
            label = group if system == "ours" else ""
            print(
                f"{label:14}{len(lines):6}  {cells}{sum(entry.is_right for entry in lines):9}{seconds:9.1f}{ratio} {system}"
            )
    ours = {entry.name: entry for (_, reader), (part, _) in results.items() if reader == "ours" for entry in part}
    print("\nWhat a peer reads right and Tandem does not:")
    for (_, reader), (part, _) in results.items():
        for entry in part:
            if reader != "ours" and entry.is_right and not ours[entry.name].is_right:
                print(f"  {reader:7} {entry.name}: {ours[entry.name].reason[:150]}")
    shapes: dict[tuple[str, str], list[Line]] = defaultdict(list)
    for entry in ours.values():
        shapes[entry.family, entry.shape].append(entry)
    wrong = {shape: sum(e.outcome in ("silent", "untold", "failed") for e in part) for shape, part in shapes.items()}
    print("\nThe worst kinds, silent, untold or failed, of all:")
    for shape, count in sorted(wrong.items(), key=lambda item: -item[1])[:10]:
        print(f"  {count:3} of {len(shapes[shape]):3}  {shape[0]}: {shape[1]}")


def print_failures(results: dict[tuple[str, System], tuple[list[Line], float]]) -> None:
    """What Tandem does not read exactly."""
    for (_, reader), (part, _) in results.items():
        for entry in part:
            if reader == "ours" and entry.outcome != "exact":
                print(f"{entry.outcome:8} {entry.name}: {entry.reason[:300]}")


def write(results: dict[tuple[str, System], tuple[list[Line], float]]) -> None:
    """The figures of the whole corpus."""
    outcomes = {
        entry.name: entry.outcome for (_, reader), (part, _) in results.items() if reader == "ours" for entry in part
    }
    figures = {"whole": figures_of(Counter(outcomes[case.name] for case in all_cases()))}
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(figures)


def take(command: Sequence[str]) -> tuple[float, float, str]:
    """Seconds of CPU and of the clock that a command and its children took, and its output."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.perf_counter() - began, output


def print_speed(rows: int) -> None:
    """First answers from large files, against DuckDB, and 200 columns against 20."""
    with tempfile.TemporaryDirectory(prefix="tandem-speed-") as name:
        folder = Path(name)
        wide = {count: folder / f"wide_{count}.csv" for count in (20, 200)}
        with duckdb.connect() as con:
            con.execute(
                "CREATE TABLE sales AS SELECT i AS sale, DATE '2015-01-01' + CAST(i % 3000 AS INTEGER) AS day, "
                "'Town ' || i % 40 AS town, 'P' || i % 900 AS product, i % 9 + 1 AS units, "
                "round((i * 7919 % 100000) / 100, 2) AS amount FROM range(?) r(i)",
                [rows],
            )
            con.execute(f"COPY sales TO '{folder}/sales.csv'")
            con.execute(f"COPY sales TO '{folder}/sales.parquet'")
            con.execute(f"COPY (SELECT * FROM sales LIMIT 10) TO '{folder}/little.csv'")
            con.execute(f"ATTACH '{folder}/sales.duckdb' AS kept; CREATE TABLE kept.sales AS FROM sales; DETACH kept")
            for count, path in wide.items():
                columns = ", ".join(f"i * {number + 3} % 1000 AS c{number}" for number in range(count))
                con.execute(f"COPY (SELECT {columns} FROM range(20000) r(i)) TO '{path}'")

        def ask(file: str, column: str = "amount") -> tuple[float, float, str]:
            home = tempfile.mkdtemp(dir=folder)
            program = "import sys; from assistant.delivery.command_line import main; sys.exit(main())"
            command = ["env", f"TANDEM_HOME={home}", sys.executable, "-c", program, "ask", f"total {column}"]
            result = take([*command, "--source", str(folder / file), "--yes", "--json"])
            status = json.loads(result[2])["status"]
            if status != "answered":
                raise SystemExit(f"{file}: {status}")
            return result

        start, clock, _ = ask("little.csv")
        base, _, _ = take([sys.executable, "-c", "import duckdb"])
        print(f"the program's start, with an answer from 10 rows: {start:.1f} s of CPU, {clock:.1f} s")
        for file in ("sales.csv", "sales.parquet"):
            own, clock, _ = ask(file)
            program = f"import duckdb; duckdb.execute('SELECT sum(amount) FROM \"{folder / file}\"').fetchone()"
            peer, _, _ = take([sys.executable, "-c", program])
            print(
                f"{file:15} {rows:,} rows: {own:6.1f} s of CPU ({clock:.1f} s); without the start {own - start:6.1f} s; "
                f"DuckDB {peer - base:5.2f} s; ratio {(own - start) / max(peer - base, 0.01):6.1f}"
            )
        own, clock, _ = ask("sales.duckdb")
        print(
            f"sales.duckdb    {rows:,} rows: {own:6.1f} s of CPU ({clock:.1f} s); without the start {own - start:6.1f} s"
        )
        each = {count: (ask(path.name, "c1")[0] - start) / count for count, path in wide.items()}
        print(
            f"20,000 rows, a column: of 20 {1000 * each[20]:.0f} ms, of 200 {1000 * each[200]:.0f} ms; ratio {each[200] / max(each[20], 1e-4):.1f}"
        )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", choices=FAMILIES)
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--public", nargs=2, metavar=("EXPECTED", "FOLDER"))
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--system", choices=SYSTEMS, help="one system alone, as JSON: what the others call")
    options = parser.parse_args()
    if options.write and (options.family or options.public):
        parser.error("--write needs the whole corpus")
    if options.speed:
        print_speed(options.rows)
        return
    files = published_files(Path(options.public[0]), Path(options.public[1])) if options.public else ()
    if options.system:
        start = time.process_time()
        lines = read_published(options.system, files) if options.public else read_family(options.system, options.family)
        print(
            json.dumps(
                {"start": start, "lines": [{name: getattr(entry, name) for name in Line.__slots__} for entry in lines]}
            )
        )
        return
    results: dict[tuple[str, System], tuple[list[Line], float]] = {}
    groups = ["published"] if options.public else [options.family] if options.family else list(FAMILIES)
    for group in groups:
        arguments = ["--public", *options.public] if options.public else ["--family", group]
        for system in SYSTEMS:
            results[group, system] = run_alone(system, arguments)
    print_table(results, groups)
    if options.failures:
        print_failures(results)
    if options.write:
        write(results)


if __name__ == "__main__":
    main()
