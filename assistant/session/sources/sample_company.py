"""The sample company of a day, written once into the home folder."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from assistant.record.store.lock import hold_lock


def sample_text(today: date) -> str:
    """What the sample company is called in lists of sources."""
    return f"Sample company: an invented retailer, with data up to {today - timedelta(days=1):%-d %B %Y}"


def sample_database(home: Path, today: date) -> Path:
    """The database of the sample company as of `today`; written where it is missing. Blocks."""
    from assistant.sample.company import DATABASE, write_sample

    folder = home / "sample" / today.isoformat()
    with hold_lock(folder.with_name("lock")):  # programs and the page's threads may ask for it at the same time
        if not (folder / DATABASE).exists():
            write_sample(folder, as_of=today)
    return folder / DATABASE
