"""What a server engine does its own way. The base class stands for an engine of which nothing is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import sqlalchemy as sa

    from assistant.query.routines import Routine, Uses

CONNECT_TIMEOUT_S = 10
REPLY_TIMEOUT_S = 300
"""How long a server may be silent where nothing shorter is known: while the catalog is read."""
QUERY_GRACE_S = 1.0
"""The server's own time limit comes first; ours is for a server that does not keep it."""


class ServerEngine:
    """An engine's own way of everything that SQLAlchemy leaves to it; stateless.

    Attributes:
        locked: Whether the engine itself refuses to write in what `begin` opens.
        endless: A query that ends at its time limit only; empty where no limit is known.
        own_schema: With what the engine's own functions are called for certain; empty where nothing is certain.
        system_schemas: Schemas that hold the server's own tables.
        lists_schemas: Whether all schemas are read; else the one that the address names.
        savepoints: Whether a failed statement loses the transaction, unless a savepoint was set before it.
        slow: How the engine's message says that a time limit was reached.
        unlocked: What is said to a person where `locked` is false.
    """

    locked: ClassVar[bool] = False
    endless: ClassVar[str] = ""
    own_schema: ClassVar[str] = ""
    system_schemas: ClassVar[frozenset[str]] = frozenset({"information_schema"})
    lists_schemas: ClassVar[bool] = False
    savepoints: ClassVar[bool] = False
    slow: ClassVar[tuple[str, ...]] = ("timeout", "timed out", "time limit")
    unlocked: ClassVar[str] = (
        "this engine has no read-only mode that is used here; connect with a user that may only read"
    )

    def connect_args(self, url: sa.URL) -> dict[str, Any]:
        """Further arguments for the driver's `connect`."""
        return {}

    def connect(self, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
        """A connection of the driver's; None leaves that to SQLAlchemy."""
        return None

    def refused(self, sql: str) -> str:
        """Why a statement that seems to read is not run here; empty if it is."""
        return ""

    def begin(self, con: Any, timeout_s: float) -> None:
        """Tell the driver's connection that what follows may only read, and how long a statement may take."""

    def routines(self, con: Any, uses: Uses) -> Iterable[Routine]:
        """What people made in the database among the names of a statement, that the statement may run.

        The engine's own names win on most engines, and the guard lets no other name through.
        """
        return ()

    def cursor(self, con: Any, *, reads: bool) -> Any:
        """A cursor that hands rows over bit by bit where the engine can; `reads` says that the statement is a query."""
        return con.cursor()

    def execute(self, cursor: Any, sql: str, *, reads: bool) -> None:
        """Execute one statement without parameters."""
        cursor.execute(sql)

    def cancel(self, engine: sa.Engine, con: Any) -> None:
        """Stop on the server what runs on the driver's connection; called from another thread, perhaps again."""

    def drop(self, con: Any) -> None:
        """Cut the driver's connection off, so that who waits on it fails; called from another thread."""

    def explained(self, sql: str) -> str:
        """The statement that gives a query's plan; empty where none does."""
        return f"EXPLAIN {sql}"

    def limit_profile(self, con: sa.Connection, timeout_ms: int) -> None:
        """Limit the time of the statements with which columns are profiled."""

    def schema_of(self, url: sa.URL) -> str | None:
        """The only schema that the address names; None for the engine's default, or for all of them."""
        return None
