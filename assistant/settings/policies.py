"""What a person lets run without asking, per source, kept in `policies.json` in the home folder.

A policy is kept under the source's display (never a password), so that it holds in every later session on that source.
A session on several sources has the strictest of their policies.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assistant.core.events import POLICIES, PolicyLevel
from assistant.settings.level_store import LevelStore

FILE = "policies.json"


class PolicyStore(LevelStore[PolicyLevel]):
    """The policies of all sources of a home folder.

    Args:
        home: The home folder.
    """

    def __init__(self, home: Path) -> None:
        super().__init__(home / FILE, tuple(POLICIES), unsaid="ask")

    def of(self, sources: Sequence[str]) -> PolicyLevel:
        """The policy of a session on these sources: the strictest of theirs."""
        stored, order = self.kept, list(POLICIES)
        levels: list[PolicyLevel] = [stored.get(source, "ask") for source in sources]
        return min(levels, key=order.index) if levels else "ask"
