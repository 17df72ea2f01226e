from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from knowledge.documents import TableDoc, Term
from knowledge.embedding import Hashing
from knowledge.index import Index
from knowledge.ingest import SyncReport, sync

if TYPE_CHECKING:
    from knowledge.embedding import Vectors


class Counting(Hashing):
    """Hashing that remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return super().embed(texts)


CHURN = Term(name="churn", definition="A customer who left.")
STORE = Term(name="store", definition="Where we sell.")
ORDERS = TableDoc(table="orders", source="shop", origin="shop")


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return Index(tmp_path, embedder=Counting())


def test_the_second_time_nothing_changes(index: Index):
    first = sync([CHURN, STORE], index)
    second = sync([STORE, CHURN], index)

    assert first == SyncReport(added=("term:churn", "term:store"))
    assert second == SyncReport(unchanged=2)
    assert not second.is_change
    assert isinstance(index.embedder, Counting)
    assert len(index.embedder.asked) == 2


def test_a_changed_document_is_updated(index: Index):
    sync([CHURN, STORE], index)

    report = sync([Term(name="churn", definition="No order in 180 days."), STORE], index)

    assert report == SyncReport(updated=("term:churn",), unchanged=1)
    found = index.query(index.embedder.embed(["no order in 180 days"])[0], 1)
    assert found[0].id == "term:churn"


def test_a_change_that_is_not_embedded_costs_no_embedding(index: Index):
    sync([CHURN], index)

    report = sync([Term(name="churn", definition="A customer who left.", author="Ana")], index)

    assert report.updated == ("term:churn",)
    assert isinstance(index.embedder, Counting)
    assert len(index.embedder.asked) == 1


def test_a_vanished_document_is_removed(index: Index):
    sync([CHURN, STORE], index)

    assert sync([STORE], index) == SyncReport(removed=("term:churn",), unchanged=1)
    assert sync([], index) == SyncReport(removed=("term:store",))
    assert index.ids() == frozenset()


def test_what_others_keep_of_their_sources_is_left_alone(index: Index):
    sync([CHURN, ORDERS], index)

    assert sync([CHURN], index) == SyncReport(unchanged=1)
    assert "table:shop/orders" in index.ids()
    assert sync([CHURN], index, scopes=["schema:shop"]).removed == ("table:shop/orders",)
