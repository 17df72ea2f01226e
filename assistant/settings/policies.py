"""What a person lets run without asking, per source, kept in `policies.json` in the home folder.

A policy is kept under the source's display (never a password) and its place, so that it holds in every later session on
that source and on no other of its name.
A session on several sources has the strictest of their policies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from assistant.core.events import POLICIES, PolicyLevel
from assistant.settings.level_store import LevelStore

FILE = "policies.json"
_DIGEST = " #"


def name_source(display: str, files: Sequence[Path], *, home: Path) -> str:
    """What the policy of a source is kept under: its display, and for files a digest of their places.

    Uploads are told apart by their sizes, as the same file lies elsewhere in each conversation. The sample company,
    which is made anew each day, and servers have their display alone.
    """
    places = [
        f"{file.name} {file.stat().st_size if file.exists() else 0}"
        if file.is_relative_to(home / "sessions")
        else str(file)
        for file in sorted(files)
        if not file.is_relative_to(home / "sample")
    ]
    if not places:
        return display
    return f"{display}{_DIGEST}{hashlib.sha256(chr(0).join(places).encode()).hexdigest()[:12]}"


def describe_source(name: str) -> str:
    """The display in what a policy is kept under."""
    return name.rpartition(_DIGEST)[0] or name


class PolicyStore(LevelStore[PolicyLevel]):
    """The policies of all sources of a home folder.

    Args:
        home: The home folder.
    """

    def __init__(self, home: Path) -> None:
        super().__init__(home / FILE, tuple(POLICIES), unsaid="ask")
        self._home = home

    def name(self, display: str, files: Sequence[Path]) -> str:
        """What the policy of a source is kept under (`name_source`)."""
        return name_source(display, files, home=self._home)

    def of(self, sources: Sequence[str]) -> PolicyLevel:
        """The policy of a session on these sources: the strictest of theirs."""
        stored, order = self.kept, list(POLICIES)
        levels: list[PolicyLevel] = [stored.get(source, "ask") for source in sources]
        return min(levels, key=order.index) if levels else "ask"
