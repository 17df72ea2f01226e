"""What each model endpoint may see of the data, as the person chose it, kept in `may-see.json` in the home folder.

Keyed by host and port, without a path or a key.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from assistant.settings.level_store import LevelStore

Sees = Literal["names", "values", "results", "rows"]
"""How much of the data a model may see, from least to most."""

LEVELS: tuple[Sees, ...] = ("names", "values", "results", "rows")
FILE = "may-see.json"


class DisclosureLevelStore(LevelStore[Sees]):
    """The choices of a home folder.

    Args:
        home: The home folder.
    """

    def __init__(self, home: Path) -> None:
        super().__init__(home / FILE, LEVELS)
