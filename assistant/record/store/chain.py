"""The checksum chain over a session's events: detects changed, lost and truncated rows in the database. Pure.

Each row carries the SHA-256 over the digest of the row before it and its own columns; the session's row carries the
digest of its last event (`head`), so that a truncated log is detected as well. The chain finds damage. It is no
signature: whoever may write the database can write a new chain.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """An event as the database keeps it. `digest` is 64 hexadecimal digits."""

    seq: int
    at: str
    kind: str
    turn: int
    payload: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """Where a session's log cannot be trusted any more: at event `seq`, for a reason in words.

    `foreign` says that the bytes are as they were written, and only this version cannot read them.
    """

    seq: int
    reason: str
    foreign: bool = False


def first_link(session: str) -> str:
    """What the first event of a session is chained to."""
    return hashlib.sha256(b"tandem session " + session.encode()).hexdigest()


def chain_digest(previous: str, *, seq: int, at: str, kind: str, turn: int, payload: str) -> str:
    """The digest of an event's row that follows the row with the digest `previous`."""
    row = json.dumps([previous, seq, at, kind, turn, payload], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(row.encode()).hexdigest()


def is_successor(previous: str, row: EventRow) -> bool:
    """Whether a row is as it was written after the row with the digest `previous`."""
    digest = chain_digest(previous, seq=row.seq, at=row.at, kind=row.kind, turn=row.turn, payload=row.payload)
    return row.digest == digest


def verify_chain(
    rows: Sequence[EventRow], *, after: int, anchor: str, head: str
) -> tuple[tuple[EventRow, ...], Damage | None]:
    """The rows up to the first damage, and that damage.

    Args:
        rows: the rows above `after`, by place.
        after: the place of the last row that is known to be good; 0 for the beginning.
        anchor: the digest of that row, or `first_link`.
        head: the digest of the session's last event, as its own row has it.
    """
    good: list[EventRow] = []
    previous = anchor
    for expected, row in enumerate(rows, start=after + 1):
        if row.seq != expected:
            return tuple(good), Damage(seq=expected, reason=f"event {expected} is missing")
        if not is_successor(previous, row):
            return tuple(good), Damage(seq=expected, reason=f"event {expected} is not as it was written")
        good.append(row)
        previous = row.digest
    # All rows that are there join, but the last is not the one that the session names: the end was cut off.
    if previous != head:
        missing_seq = after + len(good) + 1
        return tuple(good), Damage(seq=missing_seq, reason=f"event {missing_seq} is missing")
    return tuple(good), None


def make_chain(session: str, rows: Iterable[EventRow]) -> tuple[EventRow, ...]:
    """The rows with the digests that they have as a chain, in the order given."""
    chain: list[EventRow] = []
    previous = first_link(session)
    for row in rows:
        previous = chain_digest(previous, seq=row.seq, at=row.at, kind=row.kind, turn=row.turn, payload=row.payload)
        chain.append(
            EventRow(seq=row.seq, at=row.at, kind=row.kind, turn=row.turn, payload=row.payload, digest=previous)
        )
    return tuple(chain)
