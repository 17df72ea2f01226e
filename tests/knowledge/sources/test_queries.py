from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.documents import VerifiedQuery, VerifiedStep
from knowledge.errors import KnowledgeError
from knowledge.sources.folder import read_folder
from knowledge.sources.queries import find_query, is_kept, keep_query, read_queries, revoke_query

QUERY = VerifiedQuery(
    question="How many customers: by region?",
    sql="SELECT region, COUNT(*)\nFROM customers\nGROUP BY region",
    source="shop",
    tables=("customers",),
    verifier="Ana",
    verified_on=date(2026, 9, 1),
)


def test_a_kept_query_is_read_back_and_revoked(tmp_path: Path):
    file = keep_query(tmp_path, QUERY)

    reading = read_folder(tmp_path)
    assert reading.problems == ()
    [query] = reading.documents
    assert isinstance(query, VerifiedQuery)
    assert (query.id, query.question, query.sql, query.tables, query.verifier, query.verified_on) == (
        QUERY.id,
        QUERY.question,
        QUERY.sql,
        QUERY.tables,
        QUERY.verifier,
        QUERY.verified_on,
    )

    revoke_query(tmp_path, query)
    assert not file.exists()


def test_keeping_again_changes_nothing(tmp_path: Path):
    file = keep_query(tmp_path, QUERY)
    before = file.read_text()

    assert keep_query(tmp_path, replace(QUERY, verifier="Ben", verified_on=date(2026, 9, 2))) == file
    assert file.read_text() == before
    assert [one.name for one in file.parent.iterdir()] == [file.name]


def test_other_sql_for_the_same_question_replaces_nothing(tmp_path: Path):
    file = keep_query(tmp_path, QUERY)
    before = file.read_text()

    with pytest.raises(KnowledgeError, match=r"Ana marked other SQL right for .* on 2026-09-01"):
        keep_query(tmp_path, replace(QUERY, sql="SELECT 1", verifier="Ben"))
    assert file.read_text() == before


def test_two_who_keep_at_once_lose_nothing(tmp_path: Path):
    texts = [f"SELECT {n}" for n in range(8)]
    start = threading.Barrier(len(texts))

    def keep(sql: str) -> str | None:
        start.wait()
        try:
            keep_query(tmp_path, replace(QUERY, sql=sql))
        except KnowledgeError:
            return None
        return sql

    with ThreadPoolExecutor(len(texts)) as pool:
        kept = [sql for sql in pool.map(keep, texts) if sql is not None]

    [document] = read_folder(tmp_path).documents
    assert isinstance(document, VerifiedQuery)
    assert kept == [document.sql], "whoever was told that it is kept finds it kept"


def test_a_file_that_was_edited_by_hand_is_not_deleted(tmp_path: Path):
    file = keep_query(tmp_path, QUERY)
    [query] = read_folder(tmp_path).documents
    assert isinstance(query, VerifiedQuery)
    assert is_kept(tmp_path, query)
    file.write_text(file.read_text() + "# checked with the auditors\n")

    assert not is_kept(tmp_path, query)
    with pytest.raises(KnowledgeError, match="edited by hand"):
        revoke_query(tmp_path, query)
    assert file.exists()


def test_a_file_in_the_way_that_cannot_be_read_is_said_and_left(tmp_path: Path):
    file = keep_query(tmp_path, QUERY)
    file.write_text("question: [")

    with pytest.raises(KnowledgeError, match="in the way"):
        keep_query(tmp_path, QUERY)
    assert file.read_text() == "question: ["


def test_a_query_that_a_person_wrote_by_hand_is_not_deleted(tmp_path: Path):
    file = tmp_path / "queries" / "all.yaml"
    file.parent.mkdir()
    file.write_text(
        "queries:\n  - {question: a, sql: b, verifier: c, verified_on: 2026-01-01}\n"
        "  - {question: d, sql: e, verifier: f, verified_on: 2026-01-01}\n"
    )
    first, _ = (query for query in read_folder(tmp_path).documents if isinstance(query, VerifiedQuery))

    with pytest.raises(KnowledgeError, match="delete it there"):
        revoke_query(tmp_path, first)
    assert file.exists()


def test_a_question_cannot_name_a_file_elsewhere(tmp_path: Path):
    folder = tmp_path / "knowledge"
    query = VerifiedQuery(
        question="../../escape" + "x" * 400, sql="SELECT 1", verifier="a", verified_on=date(2026, 1, 1), source="../b"
    )

    assert keep_query(folder, query).resolve().is_relative_to((folder / "queries").resolve())


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path):
    (tmp_path / "queries").write_text("a file in the way")

    with pytest.raises(KnowledgeError, match="could not be kept"):
        keep_query(tmp_path, QUERY)


# What a person can type: no control characters (SQL is normalised before it is kept), no blank text.
typed = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=1).filter(str.strip)


@settings(max_examples=60)
@given(question=typed, lines=st.lists(typed, min_size=1, max_size=4))
def test_any_question_and_sql_round_trip(tmp_path_factory: pytest.TempPathFactory, question: str, lines: list[str]):
    sql = "\n".join(lines)
    query = VerifiedQuery(question=question, sql=sql, verifier="Ana", verified_on=date(2026, 1, 1))
    file = keep_query(tmp_path_factory.mktemp("knowledge"), query)

    [read] = read_queries(file.read_text(encoding="utf-8"), origin="queries/a.yaml").documents

    assert (read.question, read.sql) == (question.strip(), sql.strip())


@pytest.mark.parametrize("code", ["", "sql: SELECT 1\nsteps: [{title: A, language: sql, code: x}]\n", "shown: [2]\n"])
def test_a_verified_query_has_one_statement_or_else_steps(code: str) -> None:
    text = f"question: How many?\nverifier: Ana\nverified_on: 2026-09-01\n{code}"
    assert read_queries(text, origin="queries/a.yaml").documents == ()


def test_steps_are_read_as_they_were_kept(tmp_path: Path) -> None:
    code = 'totals = query("""\nSELECT 1 AS n\n""")\ntotals'
    query = VerifiedQuery(
        question="How many in the last month?",
        asked="and last month?",
        verifier="Ana",
        verified_on=date(2026, 9, 1),
        source="shop",
        steps=(
            VerifiedStep(title="Count", language="sql", code=code),
            VerifiedStep(title="Double", language="python", code="totals * 2"),
        ),
        shown=(2, 1),
    )
    file = keep_query(tmp_path, query)
    assert keep_query(tmp_path, query) == file
    read = find_query(tmp_path, query.id)
    assert read is not None
    assert (read.steps, read.shown, read.asked, read.sql) == (query.steps, query.shown, query.asked, "")
    with pytest.raises(KnowledgeError, match="other code"):
        keep_query(tmp_path, replace(query, steps=query.steps[:1], shown=()))
