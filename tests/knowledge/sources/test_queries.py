from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.documents import VerifiedQuery
from knowledge.errors import KnowledgeError
from knowledge.sources.folder import read_folder
from knowledge.sources.queries import keep_query, read_queries, revoke_query

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


def test_keeping_again_replaces(tmp_path: Path):
    keep_query(tmp_path, QUERY)
    keep_query(tmp_path, QUERY)

    assert len(read_folder(tmp_path).documents) == 1


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
