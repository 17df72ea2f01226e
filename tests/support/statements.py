"""The golden statements of `tests/assistant/query`: `guard.sql` with its verdicts, `honest.sql` with what it runs on."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parents[1] / "assistant" / "query"


def golden(fixture: str = "guard.sql") -> list[tuple[str, str, str]]:
    """(dialect, verdict, statement) of every case in a fixture."""
    cases = []
    for block in (HERE / fixture).read_text(encoding="utf-8").split("--- ")[1:]:
        head, _, sql = block.partition("\n")
        dialect, _, verdict = head.partition(" ")
        cases.append((dialect, verdict.strip(), sql.rstrip("\n")))
    return cases


def honest() -> list[tuple[str, str]]:
    """(dialect, statement) of every honest statement; they run on what the dialect's setup makes."""
    return [(dialect, sql) for dialect, verdict, sql in golden("honest.sql") if not verdict]


def setup(dialect: str) -> str:
    """The statements that make the tables of the honest ones."""
    return next(sql for one, verdict, sql in golden("honest.sql") if (one, verdict) == (dialect, "setup"))
