"""Documents: pieces of knowledge that searches return and answers cite.

A document is a value. Its `id` is stable (derived from its subject, not from its position in a file), its `text` is
embedded and searched, and its typed fields are what a program builds SQL from. This module reads no file and knows no
index.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Literal

Kind = Literal["table", "column", "term", "metric", "rule", "query", "note"]
Unit = Literal["currency", "percent", "count"]


def slug(name: str) -> str:
    """Reduce a name to lower-case words joined by hyphens, for use in an id; letters of any script are kept."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"[\W_]+", "-", folded).strip("-") or "unnamed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(ABC):
    """One citable piece of knowledge.

    Attributes:
        topic: The subject area it belongs to (`""`: none in particular).
        origin: Where it comes from: a path relative to the knowledge folder, or the name of a data source.
        author: Who wrote it, as stated in the file.
        updated: When it was last changed, as stated in the file.
        source: The data source it speaks of; None when it holds for all of them.
    """

    kind: ClassVar[Kind]

    topic: str = ""
    origin: str = ""
    author: str | None = None
    updated: date | None = None
    source: str | None = None

    @property
    @abstractmethod
    def title(self) -> str:
        """A short name for people."""

    @property
    @abstractmethod
    def text(self) -> str:
        """What is embedded and searched."""

    @property
    def key(self) -> str:
        """What tells this document from others of its kind and source."""
        return slug(self.title)

    @property
    def id(self) -> str:
        """A stable identifier, unique in a base: `kind:key`, or `kind:source/key` for one source's knowledge."""
        scope = f"{slug(self.source)}/" if self.source else ""
        return f"{self.kind}:{scope}{self.key}"

    @property
    def whereabouts(self) -> str:
        """Where a person looks it up: its origin, and within a document file the place and the file's date."""
        return self.origin

    @property
    def scope(self) -> str:
        """The part of an index that it is synchronised with: the folder's, or one source's schema."""
        return "knowledge"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDoc(Document):
    """A table of a source, with its columns' names."""

    kind: ClassVar[Kind] = "table"

    table: str
    columns: tuple[str, ...] = ()
    comment: str | None = None

    @property
    def title(self) -> str:
        return self.table

    @property
    def key(self) -> str:
        return self.table

    @property
    def text(self) -> str:
        return _sentences(
            f"Table {self.table}",
            self.comment,
            "Columns: " + ", ".join(self.columns) if self.columns else None,
        )

    @property
    def scope(self) -> str:
        return f"schema:{self.source or ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnDoc(Document):
    """A column of a table, with its type as the engine names it."""

    kind: ClassVar[Kind] = "column"

    table: str
    column: str
    type: str = ""
    comment: str | None = None

    @property
    def title(self) -> str:
        return f"{self.table}.{self.column}"

    @property
    def key(self) -> str:
        return self.title

    @property
    def text(self) -> str:
        return _sentences(f"Column {self.column} of table {self.table} {self.type}".rstrip(), self.comment)

    @property
    def scope(self) -> str:
        return f"schema:{self.source or ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term(Document):
    """A business word and what it means here.

    Attributes:
        name: The word or phrase.
        synonyms: Other words for the same thing.
        definition: What it means, for people.
        sql: A condition (`status = 'churned'`) or an expression over `table`; None when it is only a definition.
        table: The table that `sql` speaks of.
    """

    kind: ClassVar[Kind] = "term"

    name: str
    definition: str
    synonyms: tuple[str, ...] = ()
    sql: str | None = None
    table: str | None = None

    @property
    def title(self) -> str:
        return self.name

    @property
    def text(self) -> str:
        return _sentences(_named(self.name, self.synonyms), self.definition)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(Document):
    """A figure the business counts by, defined so that SQL can be built from it.

    Attributes:
        name: What people call it.
        synonyms: Other names for it.
        definition: What it means, for people.
        expression: A SQL aggregate expression, or a ratio of aggregates, over `table` and `joins`.
        table: The base table.
        filters: SQL conditions that always apply to it.
        joins: Further tables that `expression` or `filters` need, joined along keys.
        date_column: The column (`table.column`, or a bare name of the base table) that time filters apply to.
        unit: What its figures are; None when they are plain numbers.
        unit_symbol: The currency's code, or another mark to print with the figure.
        dimensions: Columns that it is usefully broken down by; empty when none is singled out.
    """

    kind: ClassVar[Kind] = "metric"

    name: str
    expression: str
    table: str
    definition: str = ""
    synonyms: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    date_column: str | None = None
    unit: Unit | None = None
    unit_symbol: str | None = None
    dimensions: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return self.name

    @property
    def text(self) -> str:
        return _sentences(
            _named(self.name, self.synonyms),
            self.definition,
            f"Computed as {self.expression} over {self.table}",
            "Only where " + " and ".join(self.filters) if self.filters else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(Document):
    """A standing rule of how figures are computed here.

    Attributes:
        name: The rule's heading.
        statement: The rule in words.
        applies_to: Names of the tables and metrics it binds; empty when it binds everything.
        condition: The SQL condition that carries it out; None when it needs judgement.
    """

    kind: ClassVar[Kind] = "rule"

    name: str
    statement: str
    applies_to: tuple[str, ...] = ()
    condition: str | None = None

    @property
    def title(self) -> str:
        return self.name

    @property
    def text(self) -> str:
        return _sentences(
            self.name,
            self.statement,
            "Applies to " + ", ".join(self.applies_to) if self.applies_to else None,
            f"Condition: {self.condition}" if self.condition else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedStep:
    """One cell of an answer that a person marked right."""

    title: str
    language: Literal["sql", "python"]
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedQuery(Document):
    """A question and the approved code that a person marked right: one query, or several cells.

    Attributes:
        question: The question, in words that stand alone.
        sql: The query that answers it; empty where `steps` do.
        verifier: Who marked it right.
        verified_on: The day it was marked right.
        tables: The tables it reads.
        steps: The cells that answer it together, in order, where it is not one query.
        shown: The steps, from 1, whose tables the answer shows, the main one first.
        asked: The question as it was typed, where `question` says it in words that stand alone.
    """

    kind: ClassVar[Kind] = "query"

    question: str
    verifier: str
    verified_on: date
    sql: str = ""
    tables: tuple[str, ...] = ()
    steps: tuple[VerifiedStep, ...] = ()
    shown: tuple[int, ...] = ()
    asked: str = ""

    @property
    def title(self) -> str:
        return self.question

    @property
    def text(self) -> str:
        return f"{self.question}\n{self.asked}" if self.asked else self.question

    @property
    def code(self) -> str:
        """The query, or the code of all steps, to be read."""
        return self.sql or "\n\n".join(f"# {n}. {step.title}\n{step.code}" for n, step in enumerate(self.steps, 1))

    def has_same_code(self, query: VerifiedQuery) -> bool:
        """Whether another one has the same code, however it is laid out."""
        return self.sql.split() == query.sql.split() and [step.code.split() for step in self.steps] == [
            step.code.split() for step in query.steps
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Document):
    """A section of free text.

    Attributes:
        heading: The headings it stands under, outermost first, joined by a colon.
        body: The text itself.
        part: 1-based number of this piece where one section was too long for a document.
        place: The page, slide or section of a document file that it stands in.
        governs: The names of the metric that it tells of, where only the compiler of metric steps can compute it.
    """

    kind: ClassVar[Kind] = "note"

    heading: str
    body: str
    part: int = 1
    place: str = ""
    governs: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return self.heading if self.part == 1 else f"{self.heading} ({self.part})"

    @property
    def key(self) -> str:
        return f"{self.origin}#{slug(self.title)}"

    @property
    def text(self) -> str:
        return f"{self.heading}\n{self.body}"

    @property
    def whereabouts(self) -> str:
        if not self.place:
            return self.origin
        return ", ".join(filter(None, (self.origin, self.place, self.updated.isoformat() if self.updated else "")))


def _named(name: str, synonyms: tuple[str, ...]) -> str:
    return f"{name} (also {', '.join(synonyms)})" if synonyms else name


def _sentences(*parts: str | None) -> str:
    return ". ".join(part.strip().rstrip(".") for part in parts if part and part.strip()) + "."
