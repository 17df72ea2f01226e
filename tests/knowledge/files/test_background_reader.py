"""Document files of a folder: read in the background, once, and a question never waits for them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from knowledge.base import KnowledgeBase
from knowledge.embedding import Hashing
from knowledge.files.pieces import FileRefused, FileText, Piece

GLOSSARY = "terms:\n  - name: churn\n    definition: A customer who left.\n"


class Reader:
    """Reads a file of a test: its text is its only piece; it can be made to wait."""

    def __init__(self) -> None:
        self.read: list[str] = []
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def __call__(self, path: Path) -> FileText:
        self.read.append(path.name)
        assert self.may_go_on.wait(60)
        text = path.read_text()
        if text == "bad":
            raise FileRefused("is damaged; save it anew")
        if text == "no library":
            raise FileRefused("needs a library", is_lasting=False)
        piece = Piece(heading="Per diem", place="page 3", text=text)
        return FileText(title="Travel policy", updated=date(2026, 3, 12), pieces=(piece,))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "knowledge"
    (folder / "travel").mkdir(parents=True)
    (folder / "glossary.yaml").write_text(GLOSSARY)
    return folder


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def opened(folder: Path, reader: Reader, tmp_path: Path) -> Callable[[], KnowledgeBase]:
    return lambda: KnowledgeBase.open(folder, index_folder=tmp_path / "index", embedder=Hashing(), read_file=reader)


def origins(base: KnowledgeBase, query: str) -> list[str]:
    return [hit.citation.origin for hit in base.search(query)]


def test_a_citation_names_title_page_and_date(folder: Path, opened: Callable[[], KnowledgeBase]) -> None:
    (folder / "travel" / "policy.pdf").write_text("Sixty euros a day abroad.")
    base = opened()
    base.refresh()
    assert base.settle(60)
    (hit,) = base.search("euros abroad")
    assert (hit.citation.title, hit.citation.origin) == (
        "Travel policy: Per diem",
        "travel/policy.pdf, page 3, 2026-03-12",
    )
    assert (hit.document.topic, hit.document.origin) == ("travel", "travel/policy.pdf")


def test_a_question_is_answered_while_a_file_is_being_read(
    folder: Path, reader: Reader, opened: Callable[[], KnowledgeBase]
) -> None:
    (folder / "policy.pdf").write_text("Sixty euros a day abroad.")
    reader.may_go_on.clear()
    base = opened()
    base.refresh()
    assert origins(base, "churn") == ["glossary.yaml"]
    assert origins(base, "euros abroad") == []
    base.refresh()  # and again, with the file still in hand
    assert (base.reading.done, base.reading.total) == (0, 1)
    reader.may_go_on.set()
    assert base.settle(60)
    assert origins(base, "euros abroad") == ["policy.pdf, page 3, 2026-03-12"]
    assert reader.read == ["policy.pdf"]
    assert base.reading.is_done


def test_a_bad_file_is_a_problem_and_the_next_one_is_read(folder: Path, opened: Callable[[], KnowledgeBase]) -> None:
    (folder / "a.pdf").write_text("bad")
    (folder / "b.pdf").write_text("Sixty euros a day abroad.")
    base = opened()
    base.refresh()
    assert base.settle(60)
    assert [str(problem) for problem in base.problems] == ["a.pdf: is damaged; save it anew"]
    assert origins(base, "euros abroad") == ["b.pdf, page 3, 2026-03-12"]


def test_no_file_is_read_twice_not_by_another_run_either(
    folder: Path, reader: Reader, opened: Callable[[], KnowledgeBase]
) -> None:
    (folder / "a.pdf").write_text("bad")
    (folder / "b.pdf").write_text("Sixty euros a day abroad.")
    first = opened()
    first.refresh()
    assert first.settle(60)
    (folder / "b.pdf").touch()
    (folder / "c.pdf").write_text("Sixty euros a day abroad.")  # the same bytes
    second = opened()
    second.refresh()
    assert second.settle(60)
    assert sorted(origins(second, "euros abroad")) == ["b.pdf, page 3, 2026-03-12", "c.pdf, page 3, 2026-03-12"]
    assert reader.read == ["a.pdf", "b.pdf"]
    third = opened()
    assert not third.refresh().is_change  # known at once, and nothing embedded again
    assert len(third.problems) == 1


def test_a_file_that_lacked_its_library_is_tried_again_by_the_next_run(
    folder: Path, reader: Reader, opened: Callable[[], KnowledgeBase]
) -> None:
    (folder / "a.pdf").write_text("no library")
    for _ in range(2):
        base = opened()
        base.refresh()
        assert base.settle(60)
        assert [str(problem) for problem in base.problems] == ["a.pdf: needs a library"]
    assert reader.read == ["a.pdf", "a.pdf"]


def test_a_changed_file_says_the_new_and_a_deleted_one_nothing(
    folder: Path, opened: Callable[[], KnowledgeBase]
) -> None:
    (folder / "a.pdf").write_text("Sixty euros a day abroad.")
    base = opened()
    base.refresh()
    assert base.settle(60)
    (folder / "a.pdf").write_text("Seventy kroner a day.")
    base.refresh()
    assert base.settle(60)
    assert origins(base, "euros abroad") == []
    assert origins(base, "kroner") == ["a.pdf, page 3, 2026-03-12"]
    (folder / "a.pdf").unlink()
    base.refresh()
    assert origins(base, "kroner") == []


def test_a_link_that_leads_out_is_not_read(
    folder: Path, reader: Reader, tmp_path: Path, opened: Callable[[], KnowledgeBase]
) -> None:
    secret = tmp_path / "secret.pdf"
    secret.write_text("The secret.")
    (folder / "a.pdf").symlink_to(secret)
    (folder / "b.pdf").symlink_to(tmp_path / "nothing.pdf")
    base = opened()
    base.refresh()
    assert base.settle(60)
    first, second = (str(problem) for problem in base.problems)
    assert first.startswith("a.pdf: is a link that leads out of the knowledge folder")
    assert second.startswith("b.pdf: cannot be read")
    assert reader.read == []


def test_a_base_that_is_closed_is_told_nothing_more(
    folder: Path, reader: Reader, opened: Callable[[], KnowledgeBase]
) -> None:
    (folder / "a.pdf").write_text("Sixty euros a day abroad.")
    reader.may_go_on.clear()
    base = opened()
    base.refresh()
    before = base.documents()
    base.close()
    reader.may_go_on.set()
    assert base._files is not None  # pyright: ignore[reportPrivateUsage]
    assert base._files.settle(60)  # pyright: ignore[reportPrivateUsage]
    assert base.documents() == before
