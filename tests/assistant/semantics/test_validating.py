"""`tandem model` and `tandem check` on real files: a draft is sound, and each fault of a model or the data is found."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest
from document_files import write_word
from semantic_shop import MODEL, database

from assistant.delivery.command_line import main
from knowledge.semantic.files import models_of


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as target:
        database().backup(target)
    target.close()
    return path


def model_of(shop: Path, text: str) -> None:
    folder = shop.parent / "knowledge" / "semantic"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "shop.yaml").write_text(text, encoding="utf-8")


def test_a_draft_is_marked_as_inferred_and_holds_against_its_data(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["model", "init", str(shop)]) == 0
    (file,) = (shop.parent / "knowledge" / "semantic").glob("*.yaml")
    (drafted,), problems = models_of(file.read_text(encoding="utf-8"), origin="x")
    assert problems == ()
    assert all(metric.more.inferred for metric in drafted.metrics)
    assert {"balances_balance", "total_orders_amount"} <= {metric.name for metric in drafted.metrics}
    capsys.readouterr()
    assert main(["check", str(shop)]) == 0
    assert "0 failed" in capsys.readouterr().out
    assert main(["model", "init", str(shop)]) == 0
    assert len(list(file.parent.glob("*.yaml"))) == 2, "what is there is never written over"


@pytest.mark.parametrize("command", [["model", "init"], ["check"]], ids=["init", "check"])
def test_nothing_of_the_data_is_left_in_the_temporary_folder(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    for given in (str(shop), str(shop.with_name("nowhere.sqlite"))):
        main([*command, given])
        assert not [path for path in temporary.iterdir() if "engines" not in path.name]  # those go with the program


def test_every_fault_is_found_and_said_in_three_forms(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(shop) as data:
        data.execute("INSERT INTO customers VALUES (1, 'East')")
        data.execute("INSERT INTO returns VALUES (999, 5, '2024-01-01')")
    data.close()
    model_of(
        shop, MODEL.replace("source: balances", "source: balance").replace("expression: region}", "expression: regoin}")
    )
    queries = shop.parent / "knowledge" / "queries"
    queries.mkdir()
    (queries / "q.yaml").write_text(
        "queries:\n- question: Gone?\n  sql: SELECT nothing FROM orders\n  verifier: Ana\n  verified_on: 2026-01-01\n"
    )
    assert main(["check", str(shop), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    wrong = {(one["kind"], one["name"]): one["message"] for one in found["checks"] if one["state"] != "ok"}
    assert "no table 'balance'. Did you mean 'balances'?" in wrong["dataset", "balances"]
    assert "names the column 'regoin'" in wrong["dataset", "clients"]
    assert "1 values stand on several rows" in wrong["key", "clients (id)"]
    assert "counted twice" in wrong["relationship", "r1"]
    assert ("metric", "balance") in wrong
    assert "does not run any more" in wrong["query", "Gone?"]
    assert ("metric", "revenue") not in wrong
    assert main(["check", str(shop), "--format", "junit"]) == 1
    suite = ElementTree.fromstring(capsys.readouterr().out)
    failed = sum(one["state"] == "failed" for one in found["checks"])
    assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure")) == failed


def test_a_model_is_imported_by_what_its_file_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.yaml").write_text("cubes:\n- name: a\n  sql_table: t\n  measures: [{name: n, type: count}]\n")
    assert main(["model", "import", str(tmp_path / "m.yaml"), "--knowledge", str(tmp_path / "k")]) == 0
    assert "1 datasets, 0 relationships, 1 metrics" in capsys.readouterr().out
    (tmp_path / "looker").mkdir()
    (tmp_path / "looker" / "a.view.lkml").write_text("view: a { measure: n { type: count } }")
    for given in ("looker", "looker/a.view.lkml"):
        assert main(["model", "import", str(tmp_path / given), "--knowledge", str(tmp_path / "k")]) == 0
        assert "1 datasets, 0 relationships, 1 metrics" in capsys.readouterr().out
    (tmp_path / "x.yaml").write_text("a: 1\n")
    assert main(["model", "import", str(tmp_path / "x.yaml")]) == 1
    assert "is no model that is known" in capsys.readouterr().err


def test_the_schema_for_editors_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", "schema"]) == 0
    assert "semantic_model" in json.loads(capsys.readouterr().out)["properties"]


def test_a_document_file_that_cannot_be_read_fails_and_the_others_are_read(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shop.parent / "knowledge"
    folder.mkdir()
    (folder / "damaged.pdf").write_bytes(b"%PDF-1.4 and nothing more")
    write_word(folder / "handbook.docx")
    page = folder / "page.html"
    page.write_text("<h1>Open</h1><p>Text.</p><iframe src='file:///etc/passwd'></iframe>")
    assert main(["check", str(shop), "--format", "json"]) == 1
    checks = json.loads(capsys.readouterr().out)["checks"]
    states = {one["name"]: one["state"] for one in checks if one["kind"] == "file"}
    assert states == {"damaged.pdf": "failed", "handbook.docx": "ok", "page.html": "warning"}
    assert "damaged.pdf: is damaged" in str(checks)


QUERIES = """queries:
  - question: Customers by country
    sql: SELECT country, COUNT(*) AS n FROM customers GROUP BY country
    verifier: Ana
    verified_on: 2026-09-01
  - question: Customers so far
    sql: SELECT COUNT(*) AS n FROM customers WHERE '{today}' >= '2026-10-01'
    verifier: Ana
    verified_on: 2026-09-01
"""


def changed(shop: Path, sql: str) -> None:
    with closing(sqlite3.connect(shop)) as con, con:
        con.execute(sql)


@pytest.fixture
def queried(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shop with two verified queries whose results were kept in October."""
    monkeypatch.setenv("TANDEM_HOME", str(shop.parent / "home"))
    changed(shop, "DROP TABLE IF EXISTS customers")
    changed(shop, "CREATE TABLE customers (id INTEGER, country TEXT)")
    changed(shop, "INSERT INTO customers VALUES (1, 'planted'), (2, 'Norway'), (3, 'Norway')")
    folder = shop.parent / "knowledge" / "queries"
    folder.mkdir(parents=True)
    (folder / "all.yaml").write_text(QUERIES)
    assert main(["check", str(shop), "--keep-results", "--as-of", "2026-10-02"]) == 0
    return shop


def query_checks(shop: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, tuple[str, str]]:
    capsys.readouterr()
    main(["check", str(shop), "--format", "json", "--as-of", "2026-09-15", *more])
    checks = json.loads(capsys.readouterr().out)["checks"]
    return {one["name"]: (one["state"], one["message"]) for one in checks if one["kind"] == "query"}


def test_results_that_are_as_they_were_kept_are_right(queried: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = query_checks(queried, capsys)  # on another day; the second query is asked as of the day it was kept
    assert told == {"Customers by country": ("ok", ""), "Customers so far": ("ok", "")}
    changed(queried, "CREATE TABLE other AS SELECT * FROM customers ORDER BY id DESC")
    changed(queried, "DELETE FROM customers")
    changed(queried, "INSERT INTO customers SELECT * FROM other")  # the same rows in another order
    assert {state for state, _ in query_checks(queried, capsys).values()} == {"ok"}


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE customers SET country = 'Sweden' WHERE id = 1", "it gives other values"),
        (
            "UPDATE customers SET country = 'Sweden' WHERE id = 2",
            "it gave 2 rows when its result was kept on 2026-10-02, and gives 3 now",
        ),
        ("DELETE FROM customers", "it gave 2 rows when its result was kept on 2026-10-02, and gives 0 now"),
    ],
)
def test_a_result_that_differs_from_the_kept_one_is_told(
    queried: Path, capsys: pytest.CaptureFixture[str], sql: str, said: str
) -> None:
    changed(queried, sql)
    state, message = query_checks(queried, capsys)["Customers by country"]
    assert state == "warning"
    assert message.startswith(said)
    assert message.endswith("tandem check SOURCE --keep-results")
    assert main(["check", str(queried)]) == 0
    assert f"! query Customers by country: {said}" in capsys.readouterr().out
    assert main(["check", str(queried), "--strict", "--format", "junit"]) == 1
    suite = ElementTree.fromstring(capsys.readouterr().out)
    failures = {case.get("name"): case.find("failure") for case in suite.iter("testcase")}
    assert failures["Customers by country"] is not None
    assert main(["check", str(queried), "--keep-results"]) == 0
    assert query_checks(queried, capsys)["Customers by country"] == ("ok", "")


def test_a_result_of_other_sql_or_of_a_damaged_file_is_not_compared(
    queried: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = queried.parent / "knowledge" / "queries"
    (folder / "all.yaml").write_text(
        QUERIES.replace("COUNT(*) AS n FROM customers GROUP", "1 AS n FROM customers GROUP")
    )
    assert query_checks(queried, capsys)["Customers by country"] == ("ok", "")
    (folder / "results.json").write_text("{damaged")
    assert query_checks(queried, capsys)["Customers by country"] == ("ok", "")


def test_no_value_of_a_result_is_kept(queried: Path) -> None:
    text = (queried.parent / "knowledge" / "queries" / "results.json").read_text()
    assert "Customers" not in text
    assert "planted" not in text


def test_a_masked_column_is_compared_as_it_is_shown(
    queried: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TANDEM_MASK", "customers.country")
    state, message = query_checks(queried, capsys)["Customers by country"]
    assert (state, "masked" in message) == ("failed", True)


@pytest.mark.slow
def test_functions_of_the_folder_are_tested_in_the_cage(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shop.parent / "knowledge" / "functions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "double.py").write_text("from functions import require_columns\n\n\ndef double(x):\n    return 2 * x\n")
    (folder / "test_double.py").write_text(
        "from functions import double\n\n\ndef test_it():\n    assert double(2) == 4\n"
    )
    assert main(["check", str(shop)]) == 0
    (folder / "test_double.py").write_text(
        "from functions import double\n\n\ndef test_it():\n    assert double(2) == 5\n"
    )
    (folder / "circle.py").write_text("from functions import circle\n\n\ndef circle(): ...\n")
    (folder / "test_circle.py").write_text("def test_it(): ...\n")
    capsys.readouterr()
    assert main(["check", str(shop), "--format", "json"]) == 1
    checks = {check["name"]: check["message"] for check in json.loads(capsys.readouterr().out)["checks"]}
    assert "double(2) == 5" in checks["double"]
    assert "circle → circle" in checks["circle"]
