"""What the server and a worker say to each other. Values only, written as JSON; tables follow as Arrow (`tables`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from assistant.core.catalog import Catalog
from assistant.core.doubts import Doubt
from assistant.core.values import Scalar
from assistant.progress import Progress
from assistant.sources.engines.access import Access
from assistant.sources.reading.load_results import LoadedTable
from knowledge.files.pieces import FileText

Engine = Literal["sqlite", "duckdb"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A worker's first message: the one source it serves, and what it may reach.

    Attributes:
        database: The file that the engine opens.
        files: The files it may read; `database` is one of them.
        writable: Files and folders it may also write: its own scratch folder, and SQLite's index of a log.
        scratch: Its folder for what does not fit into memory.
        folders: Folders that no message names.
        functions: Functions beside the engine's own that a person allowed to be called.
        in_place: Files that the views of the database read; they are its tables.
    """

    kind: Literal["open"] = "open"
    engine: Engine
    name: str
    display: str
    database: str
    files: tuple[str, ...]
    writable: tuple[str, ...]
    scratch: str
    folders: tuple[str, ...]
    memory_bytes: int
    functions: tuple[str, ...] = ()
    in_place: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Converting:
    """The only message to a worker that makes tables of files.

    Attributes:
        files: The files, in order.
        readable: All that it may read: these, and what says how to read them.
        folder: The empty folder that it leaves a database in.
        scratch: Where it stands.
    """

    kind: Literal["convert"] = "convert"
    name: str
    display: str
    files: tuple[str, ...]
    readable: tuple[str, ...]
    folder: str
    scratch: str
    memory_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracting:
    """The only message to a worker that reads a document file.

    Attributes:
        file: The file, which is all that it may read.
        scratch: Where it stands.
    """

    kind: Literal["extract"] = "extract"
    file: str
    scratch: str
    memory_bytes: int


First: TypeAlias = Opening | Converting | Extracting


@dataclass(frozen=True, slots=True, kw_only=True)
class Describe:
    """Read the catalog anew."""

    kind: Literal["catalog"] = "catalog"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Run one statement."""

    kind: Literal["run"] = "run"
    sql: str
    named: dict[str, Scalar] | None = None
    placed: tuple[Scalar, ...] | None = None
    rows_max: int
    limit_bytes: int
    timeout_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Explain:
    """Plan one statement."""

    kind: Literal["explain"] = "explain"
    sql: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TryLocks:
    """Try the engine's locks."""

    kind: Literal["access"] = "access"


Request: TypeAlias = Describe | Run | Explain | TryLocks


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """The request has arrived. Before this is said, it can be put to another worker."""

    kind: Literal["taken"] = "taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """The source is open."""

    kind: Literal["ready"] = "ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """An expected failure, by the name of its exception."""

    kind: Literal["failed"] = "failed"
    error: Literal["SourceError", "QueryFailed", "QueryRefused"]
    text: Annotated[str, Field(max_length=200_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """The catalog."""

    kind: Literal["described"] = "described"
    catalog: Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A result; its table follows."""

    kind: Literal["ran"] = "ran"
    seconds: float = field(default=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """A plan."""

    kind: Literal["explained"] = "explained"
    plan: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What the locks did."""

    kind: Literal["tried"] = "tried"
    access: Access


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressed:
    """How far the making of tables is; the answer follows."""

    kind: Literal["progressed"] = "progressed"
    progress: Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """The tables are made."""

    kind: Literal["converted"] = "converted"
    notes: tuple[str, ...]
    tables: tuple[LoadedTable, ...]
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """The text of a document file."""

    kind: Literal["extracted"] = "extracted"
    said: FileText


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A document file that is not read, and whether it never will be."""

    kind: Literal["unread"] = "unread"
    text: Annotated[str, Field(max_length=10_000)]
    is_lasting: bool


Reply: TypeAlias = (
    Taken | Ready | Failed | Described | Ran | Explained | Tried | Progressed | Converted | Extracted | Unread
)

FIRST: TypeAdapter[First] = TypeAdapter(Annotated[First, Field(discriminator="kind")])
REQUEST: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="kind")])
REPLY: TypeAdapter[Reply] = TypeAdapter(Annotated[Reply, Field(discriminator="kind")])


def paths(*files: Path) -> tuple[str, ...]:
    """Paths as a message holds them."""
    return tuple(str(file) for file in files)
