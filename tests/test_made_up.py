"""The databases and questions that were made up hold together: each gold query runs and gives rows."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from assistant.evaluation.suite import read_suite

_BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.mark.parametrize(("part", "count"), [("measuring", 30), ("tuning", 64)])
def test_every_gold_query_gives_rows(tmp_path: Path, part: str, count: int) -> None:
    subprocess.run([sys.executable, str(_BENCHMARKS / "made_up.py"), str(tmp_path), "--part", part], check=True)
    suite = read_suite(tmp_path / "suite.jsonl")
    sources = sorted({case.source for case in suite.cases})
    assert len(sources) == count
    for source in sources:
        with closing(sqlite3.connect(tmp_path / source)) as connection:
            empty = [
                case.id
                for case in suite.cases
                if case.source == source and not all(connection.execute(sql).fetchall() for sql in case.sql)
            ]
            assert empty == []
