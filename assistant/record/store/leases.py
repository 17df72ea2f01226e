"""Leases of sessions: one program at a time writes to a session's log, on whichever server it runs.

Two locks, since each knows what the other cannot. The lock file of a home is dropped by the operating system with the
program that held it, so programs of one home take over from a killed one at once. The row in the store is seen by
programs of other homes, too: it names its holder (a home), expires unless it is renewed, and has an epoch that grows
with each take-over. The epoch fences every append (`Database.append`): who has lost a lease writes nothing any more.

Source: Kleppmann, "How to do distributed locking" (2016), for fencing tokens.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError

from assistant.errors import SessionError, StoreError
from assistant.record.store.database import Database
from assistant.record.store.lock import SessionLock, describe_busy
from assistant.record.store.log import EventLog

_LOG = logging.getLogger(__name__)

LEASE_S = 8.0
"""Seconds after which a lease that was not renewed may be taken over."""
PATIENCE_S = 3.0
"""Seconds for which another program watches an expired lease before it takes it: after a restart of the store every
lease has expired, and its holder renews it first."""
LOOK_S = 1.0
"""Seconds between two looks at a lease that is held: for a request to stop, and whether it is still held."""
_RENEW_S = LEASE_S / 3

_CLOCKS = {
    "sqlite": "((julianday('now') - 2440587.5) * 86400.0)",
    "postgresql": "EXTRACT(EPOCH FROM clock_timestamp())",
    "mysql": "UNIX_TIMESTAMP(NOW(6))",
    "mariadb": "UNIX_TIMESTAMP(NOW(6))",
}
"""Seconds since 1970 by the clock of the store, which all programs share; theirs may differ."""


def read_holder(home: Path) -> str:
    """The name of a home among those that share a store: 32 hex digits, made when it is first asked for. Blocks."""
    file = home / "tandem.holder"
    with suppress(FileExistsError), file.open("x", encoding="ascii") as new:
        new.write(secrets.token_hex(16))
    return file.read_text(encoding="ascii")


class Leases:
    """The leases of a store. Calls block.

    Args:
        database: The store.
        holder: The home that asks (`read_holder`).
    """

    def __init__(self, database: Database, *, holder: str) -> None:
        self.database = database
        self._holder = holder
        self._clock = _CLOCKS.get(database.dialect, ":here")
        self._expired: dict[str, tuple[int, float]] = {}  # by session: the epoch, and since when it is watched

    def take(self, session: str) -> int:
        """Take the lease of a session; gives its epoch.

        The lease of the same home is taken at once: who asks holds the home's lock file.

        Raises:
            SessionError: a program of another home holds it, or held it a moment ago.
            StoreError: the store cannot be used.
        """
        with self.database.begin() as connection:
            row = connection.execute(
                text(f"SELECT holder, epoch, expires > {self._clock} AS held FROM leases WHERE session = :session"),
                self._values(session),
            ).first()
            if row is None:
                return self._insert(connection, session)
            if row.holder not in ("", self._holder):
                self._require_expired(session, int(row.epoch), is_held=bool(row.held))
            statement = (
                f"UPDATE leases SET holder = :holder, epoch = epoch + 1, expires = {self._clock} + :lease_s, stop = 0 "
                "WHERE session = :session AND epoch = :epoch"
            )
            if connection.execute(text(statement), self._values(session, row.epoch)).rowcount != 1:
                raise SessionError(describe_busy(session))
        self._expired.pop(session, None)
        return int(row.epoch) + 1

    def renew(self, session: str, epoch: int) -> bool:
        """Hold a lease for another `LEASE_S` seconds. False where somebody else has it by now.

        Raises:
            StoreError: the store cannot be used.
        """
        statement = f"UPDATE leases SET expires = {self._clock} + :lease_s WHERE session = :session AND epoch = :epoch"
        with self.database.begin() as connection:
            return connection.execute(text(statement), self._values(session, epoch)).rowcount == 1

    def release(self, session: str, epoch: int) -> None:
        """Give a lease back; one that somebody else has by now stays theirs.

        Raises:
            StoreError: the store cannot be used.
        """
        with self.database.begin() as connection:
            connection.execute(
                text("UPDATE leases SET holder = '', expires = 0 WHERE session = :session AND epoch = :epoch"),
                self._values(session, epoch),
            )

    def request_stop(self, session: str) -> None:
        """Ask whoever holds the lease of a session to stop its run; they look every `LOOK_S` seconds.

        Raises:
            StoreError: the store cannot be used.
        """
        with self.database.begin() as connection:
            connection.execute(text("UPDATE leases SET stop = 1 WHERE session = :session"), {"session": session})

    def is_asked_to_stop(self, session: str, epoch: int) -> bool:
        """Whether somebody asked for the run under this lease to stop.

        Raises:
            StoreError: the store cannot be used.
        """
        statement = text("SELECT stop FROM leases WHERE session = :session AND epoch = :epoch")
        with self.database.begin() as connection:
            return bool(connection.execute(statement, {"session": session, "epoch": epoch}).scalar())

    def _insert(self, connection: Connection, session: str) -> int:
        statement = (
            "INSERT INTO leases (session, holder, epoch, expires, stop) "
            f"VALUES (:session, :holder, :epoch, {self._clock} + :lease_s, 0)"
        )
        try:
            connection.execute(text(statement), self._values(session, 1))
        except IntegrityError as error:  # another home was first
            raise SessionError(describe_busy(session)) from error
        return 1

    def _require_expired(self, session: str, epoch: int, *, is_held: bool) -> None:
        """Go on only where another home's lease has been expired for as long as it was watched for.

        Raises:
            SessionError: it has not.
        """
        now = time.monotonic()
        if is_held:
            self._expired.pop(session, None)
        elif self._expired.get(session, (0, now))[0] != epoch:
            self._expired[session] = (epoch, now)
        if is_held or now - self._expired[session][1] < PATIENCE_S:
            raise SessionError(describe_busy(session))

    def _values(self, session: str, epoch: int | None = None) -> dict[str, object]:
        values: dict[str, object] = {"session": session, "holder": self._holder, "epoch": epoch, "lease_s": LEASE_S}
        return values | ({"here": time.time()} if self._clock == ":here" else {})


class SessionLease:
    """Held (`async with`) while a program writes to a session's log, and renewed meanwhile.

    Args:
        leases: The leases of the store.
        log: The session's log; its appends are fenced while the lease is held.
        path: The lock file of the session in this home.
        on_end: Called when somebody asks for the run to stop, or has taken the lease over.
    """

    def __init__(
        self, leases: Leases, log: EventLog, path: Path, on_end: Callable[[], Awaitable[object]] | None = None
    ) -> None:
        self._leases = leases
        self._log = log
        self._lock = SessionLock(path)
        self._on_end = on_end
        self._watch: asyncio.Task[None] | None = None

    async def __aenter__(self) -> SessionLease:
        """Take the lease.

        Raises:
            SessionError: another program writes to this session at the moment.
            StoreError: the store cannot be used.
        """
        self._lock.__enter__()
        try:
            epoch = await asyncio.to_thread(self._leases.take, self._log.session)
        except BaseException:
            self._lock.__exit__(None, None, None)
            raise
        self._log.epoch = epoch
        self._watch = asyncio.create_task(self._keep(epoch))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        epoch, self._log.epoch = self._log.epoch, None
        if self._watch is not None:
            self._watch.cancel()
        try:
            if epoch is not None:
                with suppress(StoreError):  # it expires
                    await asyncio.shield(asyncio.to_thread(self._leases.release, self._log.session, epoch))
        finally:
            self._lock.__exit__(kind, error, traceback)

    async def request_stop(self) -> None:
        """Ask the program that holds the lease to stop its run.

        Raises:
            StoreError: the store cannot be used.
        """
        await asyncio.to_thread(self._leases.request_stop, self._log.session)

    async def _keep(self, epoch: int) -> None:
        """Renew the lease, until it is lost or a stop is asked for. A store that is gone is asked again."""
        renewed_at = time.monotonic()
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                if await asyncio.to_thread(self._leases.is_asked_to_stop, self._log.session, epoch):
                    break
                if time.monotonic() - renewed_at >= _RENEW_S:
                    if not await asyncio.to_thread(self._leases.renew, self._log.session, epoch):
                        _LOG.warning("the lease of session %s was taken over by another server", self._log.session)
                        break
                    renewed_at = time.monotonic()
            except StoreError:
                continue
        if self._on_end is not None:
            await self._on_end()
