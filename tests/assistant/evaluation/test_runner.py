"""A small suite on a real database, through real sessions; resumed, shared and refused."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from assistant.delivery.command_line import main
from assistant.evaluation.runner import evaluate
from assistant.evaluation.score import CaseRecord, EvaluationReport, score
from assistant.evaluation.suite import SuiteError
from assistant.settings.config import Settings

COUNT = "SELECT COUNT(*) FROM customers"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Two questions that can be answered, one with a wrong gold, one with a broken one, and one nobody understands."""
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as connection:
        connection.executescript(
            """
            CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
            INSERT INTO customers VALUES (1, 'Ada', 'Bonn'), (2, 'Ben', 'Bonn'), (3, 'Cleo', 'Jena');
            """
        )
        connection.commit()
    cases = [
        ("count", "How many customers are there?", ["SELECT broken", COUNT]),
        ("by-city", "How many customers are there by city?", ["SELECT COUNT(*), city FROM customers GROUP BY city"]),
        ("wrong", "How many customers are there?", ["SELECT 4"]),
        ("unjudged", "How many customers are there?", ["SELECT nothing FROM nowhere"]),
        ("declined", "Grmbl the flurb of quux?", [COUNT]),
    ]
    path = tmp_path / "suite.jsonl"
    lines = [json.dumps({"id": i, "question": q, "source": "shop.sqlite", "sql": sql}) for i, q, sql in cases]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def run(suite: Path, **options: object) -> EvaluationReport:
    settings = Settings(home=suite.parent / "untouched", as_of=date(2026, 11, 21), embeddings="hashing")
    return asyncio.run(evaluate(suite, settings=settings, folder=suite.parent / "scratch", **options))  # type: ignore[arg-type]


def outcomes(report: EvaluationReport) -> dict[str, tuple[str, bool | None]]:
    return {record.id: (record.status, record.right) for record in report.records}


EXPECTED = {
    "count": ("answered", True),
    "by-city": ("answered", True),
    "wrong": ("answered", False),
    "unjudged": ("answered", None),
    "declined": ("declined", False),
}


def test_a_suite_is_answered_and_judged(suite: Path) -> None:
    report = run(suite)
    assert outcomes(report) == EXPECTED
    counts = report.score
    assert (counts.right, counts.wrong, counts.unjudged, counts.declined) == (2, 1, 1, 1)
    assert "COUNT" in report.records[0].sql
    assert not (suite.parent / "untouched").exists(), "the person's own home is never touched"


@pytest.mark.slow
def test_processes_share_the_questions_and_lose_none(suite: Path) -> None:
    assert outcomes(run(suite, jobs=2)) == EXPECTED


def test_what_a_report_holds_is_not_asked_again(suite: Path) -> None:
    out = suite.parent / "report.json"
    first = run(suite, limit=2, out=out)
    assert [record.id for record in first.records] == ["count", "by-city"]
    kept = json.loads(out.read_text(encoding="utf-8"))
    kept["records"][0]["text"] = "from the earlier run"
    out.write_text(json.dumps(kept), encoding="utf-8")
    again = run(suite, out=out)
    assert outcomes(again) == EXPECTED
    assert again.records[0].text == "from the earlier run"
    assert len(EvaluationReport.model_validate_json(out.read_bytes()).records) == len(EXPECTED)


def test_a_report_of_another_run_is_not_mixed_in(suite: Path) -> None:
    out = suite.parent / "report.json"
    run(suite, limit=1, out=out)
    suite.write_text(suite.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    with pytest.raises(SuiteError, match="another run"):
        run(suite, out=out)
    out.write_text("{}", encoding="utf-8")
    with pytest.raises(SuiteError, match="no report"):
        run(suite, out=out)


def test_a_source_that_is_no_data_fails_its_questions_alone(suite: Path) -> None:
    (suite.parent / "shop2.sqlite").write_bytes(b"no database")
    broken = {"id": "broken", "question": "How many?", "source": "shop2.sqlite", "sql": [COUNT]}
    suite.write_text(f"{json.dumps(broken)}\n{suite.read_text(encoding='utf-8')}", encoding="utf-8")
    assert outcomes(run(suite)) == {"broken": ("failed", False)} | EXPECTED


def test_the_command_prints_a_table_and_ends_with_zero(
    suite: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TANDEM_HOME", str(suite.parent / "untouched"))
    out = suite.parent / "report.json"
    assert main(["eval", str(suite), "--model", "embedded", "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert "right" in printed.out
    assert "40.0%" in printed.out
    assert "5/5" in printed.err
    record = json.loads(out.read_text(encoding="utf-8"))["records"][0]
    assert {"id", "status", "sql", "right"} <= record.keys()


def test_a_right_reading_among_the_offered_ones_is_found(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "costs.sqlite")) as connection:
        connection.execute(
            "CREATE TABLE expenses (expense_id INTEGER, employee TEXT, payment_method TEXT, amount INTEGER)"
        )
        rows = [(n, ("Ada", "Ben", "Cleo")[n % 3], ("cash", "card")[n // 3 % 2], n * 37 % 91) for n in range(60)]
        connection.executemany("INSERT INTO expenses VALUES (?, ?, ?, ?)", rows)
        connection.commit()
    gold = "SELECT SUM(amount) FROM expenses WHERE employee = 'Ben' AND payment_method = 'cash'"
    case = {"id": "rows-or-figure", "question": "did Ben pay in cash", "source": "costs.sqlite", "sql": [gold]}
    path = tmp_path / "suite.jsonl"
    path.write_text(json.dumps(case), encoding="utf-8")
    (record,) = run(path).records
    assert (record.status, record.right, record.offered) == ("asked", False, True), record.text


def test_questions_back_count_as_asked_whatever_they_offer() -> None:
    def record(number: int, *, offered: bool) -> CaseRecord:
        return CaseRecord(
            id=str(number),
            source="s",
            question="?",
            status="asked",
            sql="",
            right=False,
            offered=offered,
            seconds=0.1,
            text="",
        )

    counts = score([record(1, offered=True), record(2, offered=False)])
    assert (counts.questions, counts.asked, counts.offered, counts.wrong) == (2, 2, 1, 0)
