"""What runs without asking is kept by source, and the strictest of several holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.settings.level_store import POLICIES_FILE, PolicyStore, describe_source, name_source


def test_a_policy_is_kept_by_source_for_later(tmp_path: Path) -> None:
    PolicyStore(tmp_path).keep(["shop.sqlite"], "queries")
    later = PolicyStore(tmp_path)
    assert later.of(["shop.sqlite"]) == "queries"
    assert later.of(["other.csv"]) == "ask"


def test_the_strictest_of_several_sources_holds(tmp_path: Path) -> None:
    book = PolicyStore(tmp_path)
    book.keep(["a"], "python")
    book.keep(["b"], "queries")
    assert book.of(["a", "b"]) == "queries"
    assert book.of(["a", "b", "new"]) == "ask"
    assert book.of([]) == "ask"


def test_what_cannot_be_understood_lets_nothing_go_ahead(tmp_path: Path) -> None:
    for text in ("not json", "[1]", '{"a": "everything"}', '{"a": 3}'):
        (tmp_path / POLICIES_FILE).write_text(text)
        assert PolicyStore(tmp_path).of(["a"]) == "ask"


def test_asking_again_is_kept_too(tmp_path: Path) -> None:
    book = PolicyStore(tmp_path)
    book.keep(["a"], "python")
    book.keep(["a"], "ask")
    assert book.kept == {}


@pytest.mark.parametrize("folders", [("data", "other"), ("sessions/a/uploads", "sessions/b/uploads")])
def test_another_file_of_the_same_name_is_asked_about(tmp_path: Path, folders: tuple[str, str]) -> None:
    files = [tmp_path / folder / "sales.csv" for folder in folders]
    for file, text in zip(files, ("a,b\n1,2\n", "a,b\n1,2\n3,4\n"), strict=True):
        file.parent.mkdir(parents=True)
        file.write_text(text)
    first, second = (name_source("sales.csv", [file], home=tmp_path) for file in files)
    store = PolicyStore(tmp_path)
    store.keep([first], "python")
    assert store.of([name_source("sales.csv", [files[0]], home=tmp_path)]) == "python"
    assert store.of([second]) == store.of(["sales.csv"]) == "ask"
    assert describe_source(first) == describe_source(second) == "sales.csv"


def test_the_same_upload_in_another_conversation_is_the_same_source(tmp_path: Path) -> None:
    names = set[str]()
    for session in ("a", "b"):
        file = tmp_path / "sessions" / session / "uploads" / "sales.csv"
        file.parent.mkdir(parents=True)
        file.write_text("a,b\n1,2\n")
        names.add(name_source("sales.csv", [file], home=tmp_path))
    assert len(names) == 1


def test_servers_and_the_sample_have_their_display_alone(tmp_path: Path) -> None:
    assert name_source("postgresql://host/shop", [], home=tmp_path) == "postgresql://host/shop"
    sample = tmp_path / "sample" / "2026-01-01" / "company.sqlite"
    assert name_source("company.sqlite", [sample], home=tmp_path) == "company.sqlite"


@pytest.mark.parametrize("text", ['{"a": []}', '{"a": {}}', '{"a": 1}', "[" * 100_000, "null", "{"])
def test_a_file_that_cannot_be_understood_keeps_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / POLICIES_FILE).write_text(text)
    assert PolicyStore(tmp_path).kept == {}
