from __future__ import annotations

from dataclasses import dataclass

from knowledge.sources.schema import schema_documents


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    comment: str | None = None


@dataclass(frozen=True)
class Table:
    name: str
    columns: tuple[Column, ...]
    comment: str | None = None


ORDERS = Table("orders", (Column("id", "INTEGER"), Column("total", "DECIMAL", "Gross, in EUR")), "All orders")


def test_a_table_is_a_document_and_a_described_column_too():
    documents = schema_documents("shop", [ORDERS])

    assert [document.id for document in documents] == ["table:shop/orders", "column:shop/orders.total"]
    assert "All orders" in documents[0].text
    assert "id, total" in documents[0].text
    assert "Gross, in EUR" in documents[1].text


def test_every_column_can_be_had():
    assert len(schema_documents("shop", [ORDERS], every_column=True)) == 3
