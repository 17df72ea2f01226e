from __future__ import annotations

from datetime import date

import pytest

from knowledge.documents import ColumnDoc, Document, Metric, Note, Rule, TableDoc, Term, VerifiedQuery

EVERY_KIND: tuple[Document, ...] = (
    TableDoc(table="orders", columns=("id", "total"), source="shop", origin="shop"),
    ColumnDoc(table="orders", column="total", type="DECIMAL", comment="Gross", source="shop", origin="shop"),
    Term(name="churn", definition="A customer who left.", synonyms=("lost customers",)),
    Metric(name="net revenue", expression="SUM(total)", table="orders", filters=("status <> 'returned'",)),
    Rule(name="No returns", statement="Returned orders do not count.", applies_to=("orders",)),
    VerifiedQuery(question="How many?", sql="SELECT 1", verifier="Ana", verified_on=date(2026, 1, 2)),
    Note(heading="Stores", body="Open on Monday.", origin="stores.md"),
)


@pytest.mark.parametrize("document", EVERY_KIND, ids=lambda document: document.kind)
def test_every_kind_has_an_id_a_title_and_text(document: Document):
    assert document.id.startswith(f"{document.kind}:")
    assert document.title
    assert document.text.strip()


def test_an_id_does_not_depend_on_the_file():
    one = Term(name="Churn", definition="x", origin="glossary.yaml")
    other = Term(name="churn", definition="y", origin="sales/glossary.yaml")

    assert one.id == other.id == "term:churn"


def test_knowledge_of_one_source_has_an_id_of_its_own():
    assert Term(name="churn", definition="x", source="shop").id == "term:shop/churn"


def test_names_in_other_scripts_keep_their_letters():
    assert Term(name="Kündigung 解約", definition="x").id == "term:kündigung-解約"


def test_a_schema_is_a_scope_of_its_own():
    assert {document.scope for document in EVERY_KIND} == {"schema:shop", "knowledge"}
