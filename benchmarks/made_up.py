"""Builds the databases that were made up for the embedded analyst, and the suite of questions on them.

    python benchmarks/made_up.py FOLDER [--part measuring|tuning]
    tandem eval FOLDER/suite.jsonl --through reader

For measuring there are thirty small databases, six for each of five ways of asking: short questions, nested ones,
paraphrases that avoid the words of the data, long analytic ones on tables without declared keys, and everyday ones as a
manager types them. No rule of the analyst was made from them; whoever changes it may look at the score, and not at which
questions fail. For tuning there are sixty-four others, on which rules were made.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal, get_args

_HERE = Path(__file__).parent / "made_up"
Part = Literal["measuring", "tuning"]


def main(argv: Sequence[str] | None = None) -> int:
    """Build, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--part", choices=get_args(Part), default="measuring")
    options = parser.parse_args(argv)
    suite = build(options.folder, options.part)
    print(f"{suite}: {len(suite.read_text(encoding='utf-8').splitlines())} questions")
    return 0


def build(folder: Path, part: Part) -> Path:
    """Write the databases of a part and their suite into a folder, anew; gives the suite."""
    folder.mkdir(parents=True, exist_ok=True)
    for script in sorted((_HERE / part / "databases").glob("*.sql")):
        database = folder / f"{script.stem}.sqlite"
        database.unlink(missing_ok=True)
        with closing(sqlite3.connect(database)) as connection:
            connection.executescript(script.read_text(encoding="utf-8"))
    suite = folder / "suite.jsonl"
    suite.write_bytes((_HERE / part / "questions.jsonl").read_bytes())
    return suite


if __name__ == "__main__":
    sys.exit(main())
