"""Much that is new is embedded in the background: a search never waits for it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from knowledge.base import KnowledgeBase
from knowledge.documents import Document, Term
from knowledge.embedding import Hashing
from knowledge.errors import EmbedderUnavailable
from knowledge.index import _ONE_AT_A_TIME

if TYPE_CHECKING:
    from knowledge.embedding import Vectors


class Slow(Hashing):
    """Embeds many texts only once it may, and counts them."""

    name = "slow-512"

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.may = threading.Event()
        self.embedded = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        if len(texts) > 10:
            self.begun.set()
            assert self.may.wait(150.0)
            self.embedded += len(texts)
        return super().embed(texts)


class Broken(Hashing):
    name = "broken-512"

    def embed(self, texts: Sequence[str]) -> Vectors:
        if len(texts) > 10:
            raise EmbedderUnavailable("The embedder is gone; install it.")
        return super().embed(texts)


def terms(n: int) -> list[Document]:
    return [Term(name=f"word{number}", definition=f"Thing number {number}.") for number in range(n)]


def test_a_search_finds_by_words_what_is_not_embedded_yet(tmp_path: Path) -> None:
    embedder = Slow()
    base = KnowledgeBase.open(None, index_folder=tmp_path / "index", embedder=embedder)
    report = base.refresh(terms(2_500))

    assert len(report.added) == 2_500
    assert (base.progress.done, base.progress.total) == (0, 2_500), "it waited for the embedder"
    hit = base.search("word77")[0]
    assert (hit.document.title, hit.similarity) == ("word77", None)
    assert not base.settle(0.01)

    embedder.may.set()
    assert base.settle(150.0)
    assert base.progress.is_done
    hit = base.search("word77")[0]
    assert hit.document.title == "word77"
    assert hit.similarity is not None
    base.close()


def test_what_is_embedded_is_not_embedded_again_for_another_base(tmp_path: Path) -> None:
    embedder = Slow()
    embedder.may.set()
    for name in ("first", "second"):
        base = KnowledgeBase.open(None, index_folder=tmp_path / name, embedder=embedder, cache=tmp_path)
        base.refresh(terms(300))
        assert base.settle(60.0)
        base.close()

    assert embedder.embedded == 300


def test_a_filling_that_is_cut_short_goes_on_where_it_ended(tmp_path: Path) -> None:
    embedder = Slow()
    first = KnowledgeBase.open(None, index_folder=tmp_path, embedder=embedder)
    first.refresh(terms(2_500))
    assert embedder.begun.wait(60.0)
    embedder.may.set()
    first.close()
    done = embedder.embedded
    second = KnowledgeBase.open(None, index_folder=tmp_path, embedder=embedder)
    second.refresh(terms(2_500))
    assert second.settle(60.0)

    assert 0 < done <= 2_500
    assert embedder.embedded == 2_500
    second.close()


def test_an_embedder_that_fails_leaves_the_search_by_words(tmp_path: Path) -> None:
    base = KnowledgeBase.open(None, index_folder=tmp_path, embedder=Broken())
    base.refresh(terms(300))
    with pytest.raises(EmbedderUnavailable, match="is gone"):
        base.settle(150.0)

    assert base.search("word7")[0].document.title == "word7"


def test_a_search_does_not_wait_for_an_index_that_is_being_written(tmp_path: Path) -> None:
    base = KnowledgeBase.open(None, index_folder=tmp_path, embedder=Hashing())
    base.refresh(terms(20))
    release, held = threading.Event(), threading.Event()

    def write() -> None:
        with _ONE_AT_A_TIME:
            held.set()
            assert release.wait(150.0)

    writer = threading.Thread(target=write)
    writer.start()
    assert held.wait(150.0)
    hit = base.search("word7")[0]
    release.set()
    writer.join()

    assert (hit.document.title, hit.similarity) == ("word7", None)
    assert base.search("word7")[0].similarity is not None
    base.close()
