from __future__ import annotations

import socket
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from knowledge.documents import Document, Term
from knowledge.embedding import Hashing
from knowledge.errors import IndexBusy, IndexDamaged, IndexUnusable
from knowledge.index import Index
from knowledge.ingest import entry_of

if TYPE_CHECKING:
    from knowledge.embedding import Vectors


class Scattered(Hashing):
    """Vectors that lie evenly apart, which the approximate graph finds without a miss."""

    name = "scattered-512"

    def embed(self, texts: Sequence[str]) -> Vectors:
        seeds = (zlib.crc32(text.encode()) for text in texts)
        rows = [np.random.default_rng(seed).standard_normal(self.dim) for seed in seeds]
        return np.array([row / np.linalg.norm(row) for row in rows], dtype=np.float32)


def term(name: str, *, source: str | None = None) -> Term:
    return Term(name=name, definition=f"All about {name}.", source=source)


def test_what_a_dotenv_file_of_the_working_folder_says_is_not_read(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("CHROMA_SERVER_NOFILE=many\nCHROMA_API_IMPL=evil.Evil\n")
    program = (
        "import sys; from pathlib import Path; from knowledge.embedding import Hashing; from knowledge.index import Index\n"
        "from knowledge.ingest import entry_of; from knowledge.documents import Term\n"
        "index = Index(Path('index'), embedder=Hashing()); term = Term(name='churn', definition='Who left.')\n"
        "index.upsert([entry_of(term)], index.embedder.embed([term.text]))\n"
        "import chromadb; print(chromadb.get_settings().chroma_api_impl); index.close()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "evil" not in done.stdout


def fill(index: Index, *documents: Document) -> None:
    index.upsert([entry_of(d) for d in documents], index.embedder.embed([d.text for d in documents]))


def store_of(folder: Path) -> Path:
    [store] = folder.glob("*/chroma-*")
    return store


def near(index: Index, words: str, k: int = 3, **narrowing: tuple[str, ...]) -> list[str]:
    return [n.id for n in index.query(index.embedder.embed([words])[0], k, **narrowing)]  # pyright: ignore


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return Index(tmp_path, embedder=Hashing())


def test_the_nearest_come_first_with_their_cosine(index: Index):
    fill(index, term("churn"), term("net revenue"), term("store"))
    vector = index.embedder.embed(["All about churn"])[0]

    found = index.query(vector, 3)

    assert found[0].id == "term:churn"
    vectors = {d.id: index.embedder.embed([d.text])[0] for d in (term("churn"), term("net revenue"), term("store"))}
    for neighbour in found:  # cosine, not squared distance: the space is set on the collection
        assert neighbour.similarity == pytest.approx(float(vectors[neighbour.id] @ vector), abs=1e-5)


def test_an_empty_index_finds_nothing(index: Index):
    assert index.ids() == frozenset()
    assert near(index, "anything") == []


def test_a_search_can_be_narrowed(index: Index):
    fill(index, term("churn"), term("churn", source="shop"), term("churn", source="hr"))

    assert near(index, "churn", sources=("", "shop")) == ["term:churn", "term:shop/churn"]
    assert near(index, "churn", kinds=("rule",)) == []
    assert near(index, "churn", kinds=("term",), sources=("hr",), scopes=("knowledge",)) == ["term:hr/churn"]


def test_deleting_what_is_not_there_is_no_fault(index: Index):
    fill(index, term("churn"))

    index.delete(["term:nothing", "term:churn"])

    assert index.ids() == frozenset()
    assert index.entries() == {}


def test_another_index_on_the_same_folder_sees_every_change(tmp_path: Path, index: Index):
    other = Index(tmp_path, embedder=Hashing())
    fill(index, term("churn"))
    assert near(other, "churn") == ["term:churn"]

    fill(other, term("churn rate"))
    index.delete(["term:churn"])

    assert near(index, "churn") == near(other, "churn") == ["term:churn-rate"]


def test_each_embedder_has_vectors_of_its_own(tmp_path: Path, index: Index):
    class Small(Hashing):
        name = "hashing-8"
        dim = 8

    other = Index(tmp_path, embedder=Small())
    fill(index, term("churn"))
    fill(other, term("store"))

    assert near(index, "x") == ["term:churn"]
    assert near(other, "x") == ["term:store"]


@pytest.mark.parametrize("damage", ["garbage", "cut"])
def test_a_damaged_store_is_said_to_be_damaged_and_is_rebuilt(tmp_path: Path, index: Index, damage: str):
    fill(index, term("churn"), term("store"))
    file = store_of(tmp_path) / "chroma.sqlite3"
    content = file.read_bytes()
    file.write_bytes(b"no database" * 1_000 if damage == "garbage" else content[: len(content) // 3])

    with pytest.raises(IndexDamaged, match="refreshing the base rebuilds it"):
        near(index, "churn")
    index.rebuild()

    assert near(index, "churn", 1) == ["term:churn"]
    assert store_of(tmp_path) != file.parent


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["overwritten", "cut", "gone"])
def test_damaged_vector_files_never_reach_chroma(tmp_path: Path, damage: str):
    """Chroma maps them without a check: a damaged one ends the process with a segmentation fault."""
    index = Index(tmp_path, embedder=Scattered())
    many = [term(f"word {number}") for number in range(1_200)]
    fill(index, *many)
    [file] = store_of(tmp_path).glob("*/data_level0.bin")
    content = file.read_bytes()
    match damage:
        case "overwritten":
            file.write_bytes(np.random.default_rng(1).bytes(len(content)))
        case "cut":
            file.write_bytes(content[:100])
        case _:
            file.unlink()

    with pytest.raises(IndexDamaged, match="not what was written"):
        near(index, "anything")
    index.rebuild()

    assert near(index, many[7].text, 1) == [many[7].id]
    assert len(index.ids()) == len(many)


def test_a_damaged_manifest_is_said_to_be_damaged_and_is_rebuilt_empty(tmp_path: Path, index: Index):
    fill(index, term("churn"))
    [manifest] = tmp_path.glob("*/manifest.sqlite")
    manifest.write_bytes(b"no database" * 1_000)

    with pytest.raises(IndexDamaged, match="delete the folder and refresh"):
        index.entries()
    index.rebuild()

    assert index.entries() == {}
    assert index.ids() == frozenset()


def test_a_lost_manifest_leaves_no_ghosts(tmp_path: Path, index: Index):
    fill(index, term("churn"))
    [manifest] = tmp_path.glob("*/manifest.sqlite")
    manifest.unlink()

    fill(index, term("store"))

    assert index.ids() == {"term:store"}


def test_a_change_that_fails_halfway_is_undone_in_the_manifest(index: Index):
    fill(index, term("churn"))
    with pytest.raises(ValueError, match="embeddings"):
        index.apply(entries=[entry_of(term("a")), entry_of(term("b"))], vectors=index.embedder.embed(["a"]), delete=())

    assert set(index.entries()) == {"term:churn"}
    assert near(index, "churn", 1) == ["term:churn"]


def test_an_index_folder_that_is_a_file_is_said(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(IndexUnusable, match="cannot be used"):
        Index(tmp_path / "file", embedder=Hashing()).entries()


def test_an_index_that_is_held_elsewhere_is_busy(tmp_path: Path, index: Index, monkeypatch: pytest.MonkeyPatch):
    fill(index, term("churn"))
    monkeypatch.setattr("knowledge.manifest._LOCK_WAIT_S", 0.05)
    [manifest] = tmp_path.glob("*/manifest.sqlite")
    holder = sqlite3.connect(manifest, isolation_level=None)
    try:
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(IndexBusy, match="Another process"):
            near(index, "churn")
    finally:
        holder.close()

    assert near(index, "churn") == ["term:churn"]


def test_nothing_goes_out_over_the_network(index: Index, monkeypatch: pytest.MonkeyPatch):
    def refuse(*args: object) -> None:
        raise AssertionError(f"a connection was tried: {args}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)

    fill(index, term("churn"))

    assert near(index, "churn") == ["term:churn"]
