from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.documents import Term
from knowledge.errors import KnowledgeError
from knowledge.sources.folder import read_folder
from knowledge.sources.terms import is_kept, keep_term, remove_term

TERM = Term(
    name="regular customer",
    synonyms=("regular",),
    definition="a customer with an order in the last 90 days",
    author="Ana",
    updated=date(2026, 9, 1),
)


def only(folder: Path) -> Term:
    reading = read_folder(folder)
    assert reading.problems == ()
    [term] = reading.documents
    assert isinstance(term, Term)
    return term


def test_a_kept_term_is_read_back_and_removed(tmp_path: Path):
    file = keep_term(tmp_path, TERM)
    read = only(tmp_path)
    assert replace(read, origin="") == TERM
    assert is_kept(tmp_path, read)
    assert remove_term(tmp_path, read.id) == file
    assert not file.exists()
    with pytest.raises(KnowledgeError, match="not there any more"):
        remove_term(tmp_path, read.id)


def test_a_term_is_changed_in_place_or_under_another_name(tmp_path: Path):
    keep_term(tmp_path, TERM)
    keep_term(tmp_path, replace(TERM, definition="a customer with 3 orders"), instead_of=TERM.id)
    assert only(tmp_path).definition == "a customer with 3 orders"
    keep_term(tmp_path, replace(TERM, name="faithful customer"), instead_of=TERM.id)
    assert only(tmp_path).name == "faithful customer"
    assert [one.name for one in (tmp_path / "terms").iterdir()] == ["faithful-customer.yaml"]


@pytest.mark.parametrize("name", ["net revenue", "Regular-Customer", "turnover"])
def test_a_word_that_is_defined_already_is_refused_and_said_where(tmp_path: Path, name: str):
    keep_term(tmp_path, TERM)
    (tmp_path / "metrics.yaml").write_text(
        "metrics:\n  - name: net revenue\n    synonyms: [turnover]\n    definition: d\n    expression: SUM(a)\n    table: t\n"
    )
    with pytest.raises(KnowledgeError, match=r"is defined already, in '(metrics|terms/regular-customer)\.yaml'"):
        keep_term(tmp_path, replace(TERM, name=name, synonyms=(), definition="something else"))
    assert len(list((tmp_path / "terms").iterdir())) == 1


def test_what_was_written_or_edited_by_hand_is_neither_changed_nor_removed(tmp_path: Path):
    file = keep_term(tmp_path, TERM)
    file.write_text(file.read_text() + "topic: sales\n")
    edited = file.read_text()
    assert not is_kept(tmp_path, only(tmp_path))
    for change in (
        lambda: remove_term(tmp_path, TERM.id),
        lambda: keep_term(tmp_path, replace(TERM, definition="mine"), instead_of=TERM.id),
    ):
        with pytest.raises(KnowledgeError, match="by hand"):
            change()
    assert file.read_text() == edited


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path):
    (tmp_path / "knowledge").write_text("a file")
    with pytest.raises(KnowledgeError, match=r"could not be kept|in the way"):
        keep_term(tmp_path / "knowledge", TERM)


WORDS = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1).map(str.strip).filter(bool)


@settings(max_examples=60)
@given(name=WORDS, definition=WORDS)
def test_any_words_are_read_back_as_they_were_said(
    tmp_path_factory: pytest.TempPathFactory, name: str, definition: str
):
    folder = tmp_path_factory.mktemp("knowledge")
    keep_term(folder, replace(TERM, name=name, definition=definition))
    read = only(folder)
    assert (read.name, read.definition) == (name, definition)
    assert is_kept(folder, read)
