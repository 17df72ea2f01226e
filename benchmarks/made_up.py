"""Builds the databases that were made up for measuring alone, and the suite of questions on them.

    python benchmarks/made_up.py FOLDER
    python benchmarks/embedded.py FOLDER/suite.jsonl --reliability

Thirty small databases, six for each of five ways of asking: short questions, nested ones, paraphrases that avoid the
words of the data, long analytic ones on tables without declared keys, and everyday ones as a manager types them. No rule
of the analyst was made from them; whoever changes it may look at the score, and not at which questions fail.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

_HERE = Path(__file__).parent / "made_up"


def main(argv: Sequence[str] | None = None) -> int:
    """Build, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    suite = build(parser.parse_args(argv).folder)
    print(f"{suite}: {len(suite.read_text(encoding='utf-8').splitlines())} questions")
    return 0


def build(folder: Path) -> Path:
    """Write the databases and their suite into a folder, anew; gives the suite."""
    folder.mkdir(parents=True, exist_ok=True)
    for script in sorted((_HERE / "databases").glob("*.sql")):
        database = folder / f"{script.stem}.sqlite"
        database.unlink(missing_ok=True)
        with closing(sqlite3.connect(database)) as connection:
            connection.executescript(script.read_text(encoding="utf-8"))
    suite = folder / "suite.jsonl"
    suite.write_bytes((_HERE / "questions.jsonl").read_bytes())
    return suite


if __name__ == "__main__":
    sys.exit(main())
