from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from knowledge.base import KnowledgeBase
from knowledge.documents import TableDoc, Term
from knowledge.embedding import Hashing
from knowledge.errors import NotRefreshed

GLOSSARY = "terms:\n  - name: churn\n    definition: A customer who left.\n"
MORE = "  - name: footfall\n    definition: People who enter a store.\n"
ORDERS = TableDoc(table="orders", columns=("id", "status"), source="shop", origin="shop")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    (folder / "glossary.yaml").write_text(GLOSSARY)
    return folder


def opened(folder: Path | None, tmp_path: Path) -> KnowledgeBase:
    return KnowledgeBase.open(folder, index_folder=tmp_path / "index", embedder=Hashing())


def titles(base: KnowledgeBase, query: str) -> list[str]:
    return [hit.citation.title for hit in base.search(query)]


def elsewhere(code: str, *args: Path) -> None:
    """Run code in another process, with the base of the first two arguments refreshed as `base`."""
    opening = (
        "import sys; from pathlib import Path; from knowledge.base import KnowledgeBase;"
        "from knowledge.embedding import Hashing;"
        "base = KnowledgeBase.open(Path(sys.argv[1]), index_folder=Path(sys.argv[2]), embedder=Hashing());"
    )
    subprocess.run([sys.executable, "-c", opening + code, *args], check=True)


def test_what_the_folder_says_is_found(folder: Path, tmp_path: Path):
    base = opened(folder, tmp_path)

    assert base.refresh().added == ("term:churn",)
    assert titles(base, "customers who churned") == ["churn"]
    assert base.problems == ()
    assert base.document("term:churn") == base.documents("term")[0]


def test_a_base_that_was_never_read_says_so(folder: Path, tmp_path: Path):
    with pytest.raises(NotRefreshed, match=r"call refresh\(\) first"):
        opened(folder, tmp_path).search("churn")


def test_what_is_read_is_indexed_when_it_is_searched(folder: Path, tmp_path: Path):
    base = opened(folder, tmp_path)
    base.read([ORDERS])
    assert [document.id for document in base.documents()] == ["term:churn", ORDERS.id]
    assert not (tmp_path / "index").exists()

    assert titles(base, "order status") == ["orders"]
    assert (tmp_path / "index").exists()
    (folder / "glossary.yaml").write_text(GLOSSARY + MORE)
    base.read([ORDERS])
    assert titles(base, "people who enter") == ["footfall"]


def test_a_base_without_a_folder_serves_what_it_is_given(tmp_path: Path):
    base = opened(None, tmp_path)
    base.refresh([ORDERS])

    assert titles(base, "order status") == ["orders"]


def test_a_refresh_follows_the_folder(folder: Path, tmp_path: Path):
    base = opened(folder, tmp_path)
    base.refresh([ORDERS])
    (folder / "glossary.yaml").write_text("terms:\n" + MORE)

    report = base.refresh()

    assert report.added == ("term:footfall",)
    assert report.removed == ("table:shop/orders", "term:churn")
    assert titles(base, "churn") == []
    assert titles(base, "footfall") == ["footfall"]


def test_a_broken_file_is_a_problem_and_the_rest_is_served(folder: Path, tmp_path: Path):
    (folder / "metrics.yaml").write_text("metrics: [")
    base = opened(folder, tmp_path)
    base.refresh()

    assert titles(base, "churn") == ["churn"]
    assert [problem.origin for problem in base.problems] == ["metrics.yaml"]


def test_a_given_document_that_repeats_the_folder_is_a_problem(folder: Path, tmp_path: Path):
    base = opened(folder, tmp_path)
    base.refresh([Term(name="Churn", definition="other", origin="lessons")])

    assert "already defined in 'glossary.yaml'" in str(base.problems[0])


def test_an_unchanged_base_refreshes_without_the_vector_store(folder: Path, tmp_path: Path):
    opened(folder, tmp_path).refresh()

    elsewhere(
        "report = base.refresh(); assert report.unchanged == 1 and not report.is_change;"
        "assert 'chromadb' not in sys.modules and 'numpy' not in sys.modules",
        folder,
        tmp_path / "index",
    )


def test_what_another_process_adds_is_found_after_a_refresh(folder: Path, tmp_path: Path):
    base = opened(folder, tmp_path)
    base.refresh()
    assert titles(base, "churn") == ["churn"]  # a Chroma client would have loaded its vectors by now
    (folder / "glossary.yaml").write_text(GLOSSARY + MORE)
    elsewhere("assert base.refresh().added == ('term:footfall',)", folder, tmp_path / "index")

    assert base.refresh().unchanged == 2
    hit = base.search("People who enter a store")[0]
    assert hit.citation.id == "term:footfall"
    assert hit.similarity is not None  # found by its vector, not by its words alone


@pytest.mark.slow
def test_processes_that_refresh_at_once_agree(folder: Path, tmp_path: Path):
    terms = [f"  - name: word{number}\n    definition: Word number {number}.\n" for number in range(60)]
    (folder / "glossary.yaml").write_text("terms:\n" + "".join(terms))
    code = "base.refresh(); assert base.search('word7')[0].citation.id == 'term:word7'"
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: elsewhere(code, folder, tmp_path / "index"), range(3)))

    base = opened(folder, tmp_path)
    assert base.refresh().unchanged == 60
    assert titles(base, "word9")[0] == "word9"


def test_threads_may_search_and_refresh_at_once(folder: Path, tmp_path: Path):
    base = opened(folder, tmp_path)
    base.refresh()

    def work(number: int) -> list[str]:
        if number % 5 == 0:
            (folder / f"note{number}.md").write_text(f"# Note {number}\nNothing of interest.\n")
            base.refresh()
        return titles(base, "churn")

    with ThreadPoolExecutor(4) as pool:
        assert all("churn" in found for found in pool.map(work, range(20)))


def test_an_index_damaged_between_searches_is_mended(folder: Path, tmp_path: Path):
    base = opened(folder, tmp_path)
    base.refresh()
    [store] = (tmp_path / "index").glob("*/chroma-*/chroma.sqlite3")
    store.write_bytes(b"no database" * 1_000)

    assert titles(base, "churn") == ["churn"]


@pytest.mark.parametrize("file", ["manifest.sqlite", "chroma-*/chroma.sqlite3"])
def test_a_refresh_mends_a_damaged_index_and_says_why(folder: Path, tmp_path: Path, file: str):
    base = opened(folder, tmp_path)
    base.refresh()
    [damaged] = (tmp_path / "index").glob(f"*/{file}")
    damaged.write_bytes(b"no database" * 1_000)
    (folder / "glossary.yaml").write_text(GLOSSARY + MORE)

    report = base.refresh()

    assert report.rebuilt is not None
    assert "It is a cache" in report.rebuilt
    assert titles(base, "footfall") == ["footfall"]
    assert "churn" in titles(base, "churn")
