"""Suites are read whole or refused with the line and the field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.evaluation.suite import SuiteError, definitions_folder, read_suite
from knowledge.sources.folder import read_folder

GOOD = {"id": "1", "question": "How many orders?", "source": "shop.sqlite", "sql": ["SELECT 1"]}


def written(folder: Path, *lines: object) -> Path:
    (folder / "shop.sqlite").touch()
    path = folder / "suite.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_a_suite_is_read_in_order_with_its_definitions_pooled(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        GOOD | {"instructions": "A sale is a paid order.\nThe year starts in April."},
        "",
        GOOD | {"id": "2", "instructions": "A sale is a paid order.", "category": "ignored"},
    )
    suite = read_suite(path)
    assert [case.id for case in suite.cases] == ["1", "2"]
    assert suite.definitions("shop.sqlite") == ("A sale is a paid order.", "The year starts in April.")
    assert suite.address("shop.sqlite") == str(tmp_path / "shop.sqlite")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("not json", "Line 2 "),
        ("[1]", "Line 2 "),
        ({k: v for k, v in GOOD.items() if k != "question"}, "field 'question'"),
        (GOOD | {"id": "2", "sql": []}, "field 'sql'"),
        (GOOD | {"id": "2", "sql": ["SELECT 1", 2]}, "field 'sql.1'"),
        (GOOD | {"id": 2}, "field 'id'"),
        (GOOD, "already the id of line 1"),
        (GOOD | {"id": "2", "source": "elsewhere.sqlite"}, "field 'source'"),
    ],
)
def test_a_bad_line_is_named_with_its_field(tmp_path: Path, line: object, says: str) -> None:
    with pytest.raises(SuiteError, match="Line 2") as caught:
        read_suite(written(tmp_path, GOOD, line))
    assert says in str(caught.value)


def test_an_empty_or_missing_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="holds no question"):
        read_suite(written(tmp_path, ""))
    with pytest.raises(SuiteError, match="cannot be read"):
        read_suite(tmp_path / "nothing.jsonl")


def test_definitions_become_notes_of_the_knowledge_base(tmp_path: Path) -> None:
    reading = read_folder(definitions_folder(["A sale is a paid order."], tmp_path / "knowledge"))
    assert not reading.problems
    assert [(document.kind, "paid order" in document.text) for document in reading.documents] == [("note", True)]
