"""How the look-up does at size: time and memory to embed, time to search, and how often what is needed is found.

    python benchmarks/retrieval.py [--documents 5000 50000] [--data ../../shared/data] [--sizes-only | --recall-only]

Sizes: column descriptions made of words of business databases, some 30 words each, embedded with the shipped embedder.
Recall of tables: the questions of spider_train and defog against one base that holds all their tables; a question counts
by the share of the tables of its SQL that are among the first ten. Recall of definitions: `retrieval_terms.jsonl`, terms
asked for in other words. Both are shown for the hybrid search, for each part alone, and for AutoGen's
`ChromaDBVectorMemory` with the same embedder.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sqlite3
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from knowledge.base import KnowledgeBase
from knowledge.documents import ColumnDoc, Document, TableDoc, Term
from knowledge.embedding import Embedder, choose_embedder
from knowledge.index import Index
from knowledge.lexical import Lexicon
from knowledge.name_search import Names, names_of

HERE = Path(__file__).parent
Found = Callable[[str], Sequence[str]]
"""The ids of the best ten documents for a question."""

WORDS = [
    "order",
    "customer",
    "invoice",
    "payment",
    "shipment",
    "product",
    "warehouse",
    "region",
    "store",
    "employee",
    "contract",
    "supplier",
    "campaign",
    "ticket",
    "refund",
    "discount",
    "tax",
    "currency",
    "account",
    "ledger",
    "budget",
    "forecast",
    "lead",
    "opportunity",
    "subscription",
    "plan",
    "usage",
    "session",
    "device",
    "sensor",
    "reading",
    "patient",
    "visit",
    "claim",
    "policy",
    "premium",
    "branch",
    "loan",
    "deposit",
    "interest",
    "route",
    "vehicle",
    "driver",
    "delivery",
    "return",
    "stock",
    "price",
    "margin",
    "cost",
    "quantity",
    "weight",
    "volume",
    "status",
    "created",
    "updated",
    "closed",
    "opened",
    "first",
    "last",
    "total",
    "net",
    "gross",
    "monthly",
    "yearly",
    "daily",
    "number",
    "share",
    "rate",
    "amount",
    "date",
    "name",
    "code",
    "category",
    "segment",
    "channel",
    "owner",
    "manager",
    "team",
]


def made_up(n: int) -> list[Document]:
    """Column documents, no two alike."""
    draw = random.Random(7)
    return [
        ColumnDoc(
            table=f"{draw.choice(WORDS)}_{draw.choice(WORDS)}_{number // 12}",
            column="_".join(draw.sample(WORDS, 2)),
            type="NUMERIC",
            comment=f"The {' '.join(draw.sample(WORDS, 14))} of each {draw.choice(WORDS)}, number {number}",
            source="big",
            origin="big",
        )
        for number in range(n)
    ]


def sizes(counts: Sequence[int], embedder: Embedder) -> None:
    print(
        f"{'documents':>10} {'ready s':>8} {'embedded s':>10} {'CPU s':>7} {'peak MB':>8} {'p50 ms':>7} {'p95 ms':>7}"
    )
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            documents = made_up(count)
            base = KnowledgeBase.open(None, index_folder=Path(folder) / "i", embedder=embedder)
            started, cpu = time.perf_counter(), time.process_time()
            base.refresh(documents)
            base.search("net amount of invoices by region")
            ready = time.perf_counter() - started
            base.settle()
            embedded, spent = time.perf_counter() - started, time.process_time() - cpu
            draw = random.Random(3)
            taken: list[float] = []
            base.search("warm")
            for _ in range(200):
                query = f"what is the {' '.join(draw.sample(WORDS, 4))}?"
                at = time.perf_counter()
                base.search(query, k=10)
                taken.append((time.perf_counter() - at) * 1_000)
            taken.sort()
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
            row = f"{count:>10,} {ready:>8.1f} {embedded:>10.1f} {spent:>7.1f} {peak:>8.0f}"
            print(f"{row} {taken[100]:>7.1f} {taken[190]:>7.1f}", flush=True)
            base.close()


def pooled(data: Path) -> tuple[list[Document], list[tuple[str, set[str]]]]:
    """All tables of spider_train and defog as documents, and questions with the ids of the tables they need."""
    documents: list[Document] = []
    tables: dict[str, dict[str, str]] = defaultdict(dict)
    for suite in ("spider_train", "defog"):
        for file in sorted((data / suite).rglob("*.sqlite")):
            with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as connection:
                for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                    columns = tuple(row[1] for row in connection.execute(f'PRAGMA table_info("{table}")'))
                    # The source is not in the id's search: one base holds them all, and a question names no database.
                    document = TableDoc(table=table, columns=columns, source=file.stem, origin=file.stem)
                    documents.append(document)
                    tables[file.stem][table.casefold()] = document.id
    return documents, list(_questions(data, tables))


def _questions(data: Path, tables: dict[str, dict[str, str]]) -> Sequence[tuple[str, set[str]]]:
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    found: list[tuple[str, set[str]]] = []
    for file in (data / "spider_train" / "suite.jsonl", data / "defog" / "suite.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            known = tables.get(Path(case["source"]).stem, {})
            sql = case["sql"][0]
            try:
                read = {table.name.casefold() for table in sqlglot.parse_one(sql, read="sqlite").find_all(exp.Table)}
            except SqlglotError:
                continue
            needed = {known[name] for name in read if name in known}
            if needed:
                found.append((case["question"], needed))
    return found


def terms() -> tuple[list[Document], list[tuple[str, set[str]]]]:
    """Sixty definitions, and each asked for in other words."""
    documents: list[Document] = []
    asked: list[tuple[str, set[str]]] = []
    for line in (HERE / "retrieval_terms.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        term = Term(name=case["name"], definition=case["definition"], origin="glossary.yaml")
        documents.append(term)
        asked.append((case["asked"], {term.id}))
    return documents, asked


def recall(name: str, documents: list[Document], asked: list[tuple[str, set[str]]], embedder: Embedder) -> None:
    with tempfile.TemporaryDirectory() as folder:
        index = Index(Path(folder) / "i", embedder=embedder)
        base = KnowledgeBase(None, open_index=lambda: index)
        base.refresh(documents)
        base.settle()
        by_id = {document.id: document for document in documents}
        lexicon = Lexicon({id_: (doc.title, doc.text) for id_, doc in by_id.items()})
        named = Names({id_: names_of(doc) for id_, doc in by_id.items()})
        ways: dict[str, Found] = {
            "hybrid": lambda q: [hit.document.id for hit in base.search(q, k=10)],
            "vectors": lambda q: [near.id for near in index.query(embedder.embed([q])[0], 10)],
            "BM25": lambda q: [id_ for id_, _ in lexicon.search(q, 10)],
            "names": lambda q: list(named.search(q))[:10],
            "AutoGen Chroma": _autogen(documents, embedder, Path(folder) / "a"),
        }
        print(f"\n{name}: {len(documents):,} documents, {len(asked):,} questions")
        for way, find in ways.items():
            started = time.perf_counter()
            found = [len(needed & set(find(question))) / len(needed) for question, needed in asked]
            each = (time.perf_counter() - started) / len(asked) * 1_000
            whole = sum(share == 1 for share in found) / len(found)
            print(f"  {way:<16} recall@10 {sum(found) / len(found):.3f}   all needed {whole:.3f}   {each:.1f} ms each")
        base.close()


def _autogen(documents: list[Document], embedder: Embedder, folder: Path) -> Found:
    """AutoGen's memory over the same texts and vectors, added as its own documentation does."""
    import chromadb
    from autogen_core.memory import MemoryContent, MemoryMimeType
    from autogen_ext.memory.chromadb import (
        ChromaDBVectorMemory,
        CustomEmbeddingFunctionConfig,
        PersistentChromaDBVectorMemoryConfig,
    )
    from chromadb.api.types import Documents, EmbeddingFunction, Embeddings

    class Same(EmbeddingFunction[Documents]):
        def __init__(self) -> None: ...

        def __call__(self, input: Documents) -> Embeddings:
            return list(embedder.embed(list(input)))

    assert chromadb
    memory = ChromaDBVectorMemory(
        config=PersistentChromaDBVectorMemoryConfig(
            collection_name="memory",
            persistence_path=str(folder),
            k=10,
            embedding_function_config=CustomEmbeddingFunctionConfig(function=Same, params={}),
        )
    )
    loop = asyncio.new_event_loop()

    async def add() -> None:
        for document in documents:
            content = MemoryContent(
                content=document.text, mime_type=MemoryMimeType.TEXT, metadata={"document": document.id}
            )
            await memory.add(content)

    loop.run_until_complete(add())

    def find(question: str) -> Sequence[str]:
        results = loop.run_until_complete(memory.query(question)).results
        return [str((result.metadata or {}).get("document")) for result in results]

    return find


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=[5_000, 50_000])
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared" / "data")
    parser.add_argument("--questions", type=int, default=2_000, help="at most so many of the pooled questions")
    parser.add_argument("--embedder", choices=("auto", "minilm", "hashing"), default="auto")
    parser.add_argument("--sizes-only", action="store_true")
    parser.add_argument("--recall-only", action="store_true")
    told = parser.parse_args()
    choice = choose_embedder(told.embedder)
    print(f"{choice.embedder.name}: {choice.reason}; Python {sys.version.split()[0]}")
    if not told.recall_only:
        sizes(told.documents, choice.embedder)
    if not told.sizes_only:
        documents, asked = pooled(told.data)
        random.Random(1).shuffle(asked)
        if documents and asked:
            recall("needed tables", documents, asked[: told.questions], choice.embedder)
        recall("definitions in other words", *terms(), choice.embedder)


if __name__ == "__main__":
    main()
