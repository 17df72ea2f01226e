"""What time it is for the page: one place, so that pictures of the page can be made at a time that stands still."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)
