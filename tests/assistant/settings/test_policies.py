"""What runs without asking is kept by source, and the strictest of several holds."""

from __future__ import annotations

from pathlib import Path

from assistant.settings.policies import FILE, PolicyStore


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
        (tmp_path / FILE).write_text(text)
        assert PolicyStore(tmp_path).of(["a"]) == "ask"


def test_asking_again_is_kept_too(tmp_path: Path) -> None:
    book = PolicyStore(tmp_path)
    book.keep(["a"], "python")
    book.keep(["a"], "ask")
    assert book.kept == {}
