from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.documents import Metric, Rule, TableDoc, Term, VerifiedQuery
from knowledge.embedding import Hashing
from knowledge.index import Index
from knowledge.ingest import sync
from knowledge.retrieval import Retriever, blend

DOCUMENTS = (
    Term(name="churn", definition="A customer without an order in the last 180 days.", origin="glossary.yaml"),
    Term(name="churn", definition="An employee who left.", source="hr", origin="glossary.yaml"),
    Rule(name="No returns", statement="Returned orders do not count.", origin="rules.md"),
    TableDoc(table="orders", columns=("id", "status"), source="shop", origin="shop"),
)
scores = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0, 1))


@pytest.fixture
def retriever(tmp_path: Path) -> Retriever:
    index = Index(tmp_path, embedder=Hashing())
    sync(DOCUMENTS, index)
    return Retriever(DOCUMENTS, index)


def test_scores_add_up_and_what_is_not_near_counts_as_the_farthest():
    found = blend({"a": 0.8, "b": 0.5}, {"b": 0.4, "c": 0.6}, {"c": 0.1}, elsewhere=0.3)

    assert found == (("c", pytest.approx(1.0)), ("b", pytest.approx(0.9)), ("a", pytest.approx(0.8)))


@given(scores, scores, scores)
def test_every_id_is_found_once_and_scores_fall(
    near: dict[str, float], worded: dict[str, float], named: dict[str, float]
):
    found = blend(near, worded, named, elsewhere=0.0)

    assert {id_ for id_, _ in found} == near.keys() | worded.keys() | named.keys()
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_a_hit_carries_its_citation(retriever: Retriever):
    hit = retriever.search("what is churn?", source="shop")[0]

    assert hit.document is DOCUMENTS[0]
    assert (hit.citation.id, hit.citation.title, hit.citation.origin) == ("term:churn", "churn", "glossary.yaml")
    assert "180 days" in hit.citation.excerpt
    assert hit.similarity is not None


def test_a_search_can_be_narrowed_to_kinds_and_source(retriever: Retriever):
    assert {hit.document.source for hit in retriever.search("churn", source="hr")} <= {None, "hr"}
    assert [hit.document.kind for hit in retriever.search("orders returned", kinds=["table"])] == ["table"]
    assert retriever.search("churn", kinds=["metric"]) == ()


@pytest.mark.parametrize("query", ["", "  \n", "xylophon"])
def test_what_nothing_is_like_finds_nothing(retriever: Retriever, query: str):
    assert retriever.search(query) == ()


def test_what_is_named_comes_before_what_is_merely_near(tmp_path: Path):
    index = Index(tmp_path, embedder=Hashing())
    named = Metric(name="net revenue", synonyms=("sales",), expression="SUM(amount)", table="lines")
    near = [
        VerifiedQuery(question=f"sales by {word} last quarter", sql="x", verifier="a", verified_on=date(2026, 1, 1))
        for word in ("region", "category", "store", "channel", "customer", "segment")
    ]
    sync([named, *near], index)

    assert Retriever([named, *near], index).search("sales by region last quarter", k=2)[0].document is named


def test_no_more_than_k_are_found(retriever: Retriever):
    assert len(retriever.search("churn orders", k=1)) == 1
    assert retriever.search("churn", k=0) == ()


def test_a_very_long_query_is_searched_by_its_beginning(retriever: Retriever):
    assert retriever.search("churn " + "x" * 1_000_000)[0].document.title == "churn"


def test_a_document_that_left_is_not_found_though_the_index_still_has_it(tmp_path: Path):
    index = Index(tmp_path, embedder=Hashing())
    sync(DOCUMENTS, index)

    retriever = Retriever(DOCUMENTS[2:], index)

    assert all(hit.document.title != "churn" for hit in retriever.search("churn"))
