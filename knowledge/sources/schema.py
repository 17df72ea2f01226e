"""Documents from a source's schema: its tables, and columns that have more than a name.

The schema comes in through small Protocols, so that this package does not depend on database access.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from knowledge.documents import ColumnDoc, Document, TableDoc


class DescribedColumn(Protocol):
    """A column as a catalog knows it."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def comment(self) -> str | None: ...


class DescribedTable(Protocol):
    """A table as a catalog knows it."""

    @property
    def name(self) -> str: ...
    @property
    def comment(self) -> str | None: ...
    @property
    def columns(self) -> Sequence[DescribedColumn]: ...


def schema_documents(source: str, tables: Iterable[DescribedTable], *, every_column: bool = False) -> list[Document]:
    """Make the documents of one source's schema.

    Args:
        source: The source's name; it is also the documents' origin.
        tables: Its tables and views.
        every_column: Also documents for columns without a comment. Their names are in their table's document
            anyway, and embedding takes some milliseconds each: a large schema has tens of thousands.
    """
    documents: list[Document] = []
    for table in tables:
        documents.append(
            TableDoc(
                table=table.name,
                columns=tuple(column.name for column in table.columns),
                comment=table.comment,
                origin=source,
                source=source,
            )
        )
        documents.extend(
            ColumnDoc(
                table=table.name,
                column=column.name,
                type=column.type,
                comment=column.comment,
                origin=source,
                source=source,
            )
            for column in table.columns
            if every_column or column.comment
        )
    return documents
