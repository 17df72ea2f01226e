"""The clock of the page, in one place, so that a test can stop it before it takes screenshots."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)
