"""The documents of the knowledge base as cards for the page or the terminal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Literal

from knowledge.documents import Document, Term, VerifiedQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeCard:
    """A document of the knowledge base, as a person reads it.

    Of a verified query `sql` answers it, or Python in several steps where `language` says so; `by` and `on` say who
    marked it right, and when; of anything else, who wrote or changed it, where its file says so. `is_stored` says that
    it stands as Tandem wrote it for that person, so that it can be taken back or changed in one step. `words` are what
    a definition defines, with commas between them, and `meaning` is what it says of them.
    """

    id: str
    kind: str
    title: str
    text: str
    origin: str
    sql: str = ""
    language: Literal["sql", "python"] = "sql"
    by: str = ""
    on: date | None = None
    is_stored: bool = False
    words: str = ""
    meaning: str = ""


def build_card(document: Document, folder: Path | None) -> KnowledgeCard:
    """A document as a card. `folder` is the knowledge folder that it came from."""
    from knowledge.sources import queries, terms

    card = KnowledgeCard(
        id=document.id,
        kind=document.kind,
        title=document.title,
        text=document.text,
        origin=document.whereabouts,
        by=document.author or "",
        on=document.updated,
    )
    match document:
        case VerifiedQuery():
            is_stored = folder is not None and queries.is_kept(folder, document)
            return replace(
                card,
                sql=document.code,
                language="sql" if document.sql else "python",
                by=document.verifier,
                on=document.verified_on,
                is_stored=is_stored,
            )
        case Term():
            is_stored = folder is not None and terms.is_kept(folder, document)
            words = ", ".join((document.name, *document.synonyms))
            return replace(card, words=words, meaning=document.definition, is_stored=is_stored)
        case _:
            return card


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What is known about the default data. `problems` say what in the folder could not be read.

    Of `to_embed` new documents `embedded` are found by meaning already; the others by their words. Of `files_total`
    document files `files_indexed` are read.
    """

    folder: str
    cards: tuple[KnowledgeCard, ...]
    problems: tuple[str, ...]
    embedded: int = 0
    to_embed: int = 0
    files_indexed: int = 0
    files_total: int = 0
