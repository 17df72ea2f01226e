"""`queries/*.yaml`: questions with the SQL that a person marked right; read, kept and revoked here.

Keeping one is the only way anything is learned, and it happens because a person said so: the caller has that
person's decision. One file for each, so that a revision history shows who marked what.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import yaml

from knowledge.documents import VerifiedQuery
from knowledge.errors import KnowledgeError
from knowledge.sources.entries import Day, Header, Text, read_entries, topic_of
from knowledge.sources.problems import Reading

_NAME_LENGTH_MAX = 60


class QueryEntry(Header):
    """One verified query: a whole file, or one item of `queries:`."""

    question: Text
    sql: Text
    verifier: Text
    verified_on: Day
    tables: tuple[Text, ...] = ()


def read_queries(text: str, *, origin: str) -> Reading[VerifiedQuery]:
    """Read the verified queries of one file."""
    read = read_entries(text, origin=origin, key="queries", entry=QueryEntry, single=True)
    folder = topic_of(origin)
    return Reading(
        documents=tuple(
            VerifiedQuery(
                question=entry.question,
                sql=entry.sql,
                verifier=entry.verifier,
                verified_on=entry.verified_on,
                tables=entry.tables,
                topic=entry.topic or read.header.topic or folder,
                origin=origin,
                author=entry.author or read.header.author,
                updated=entry.updated or read.header.updated,
                source=entry.source or read.header.source,
            )
            for entry, _ in read.entries
        ),
        problems=read.problems,
    )


def keep_query(folder: Path, query: VerifiedQuery) -> Path:
    """Write a verified query into the knowledge folder, replacing an earlier one for the same question and source.

    Returns:
        The file written, under `queries/`.

    Raises:
        KnowledgeError: The folder cannot be written.
    """
    place = _place(folder, query)
    fields: dict[str, object] = {
        "question": query.question,
        "sql": query.sql,
        "source": query.source,
        "tables": list(query.tables),
        "verifier": query.verifier,
        "verified_on": query.verified_on,
        "topic": query.topic or None,
        "author": query.author,
        "updated": query.updated,
    }
    text = yaml.dump(
        {name: value for name, value in fields.items() if value},
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=110,
    )
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_suffix(".part")
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, place)  # a reader sees the old file or the new one, never half of one
    except OSError as error:
        raise KnowledgeError(
            f"The query could not be kept in {str(place)!r}: {error.strerror}. Make the folder writable."
        ) from error
    return place


def revoke_query(folder: Path, query: VerifiedQuery) -> None:
    """Remove a query that `keep_query` wrote.

    Raises:
        KnowledgeError: It stands in a file with others, or its file is gone: a person edits that by hand.
    """
    place = folder / query.origin if query.origin else _place(folder, query)
    if place != _place(folder, query):
        raise KnowledgeError(
            f"{query.question!r} was not kept by Tandem but written in {query.origin!r}; delete it there."
        )
    try:
        place.unlink()
    except OSError as error:
        raise KnowledgeError(f"{query.question!r} could not be revoked: {error.strerror}.") from error


def _place(folder: Path, query: VerifiedQuery) -> Path:
    stem = query.id.removeprefix("query:").replace("/", "--")
    if len(stem) > _NAME_LENGTH_MAX:
        stem = f"{stem[:_NAME_LENGTH_MAX]}-{sha256(stem.encode()).hexdigest()[:8]}"
    return folder / "queries" / f"{stem}.yaml"


class _Dumper(yaml.SafeDumper):
    """SafeDumper that writes text of several lines as a block, as a person would."""


def _block_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _block_text)
