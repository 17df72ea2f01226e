"""Levels that a person chose, each kind by name in a JSON file of the home folder.

`policies.json` holds the approval policy of each source, keyed by its display (never a password) and its place, so that
it applies in every later session on that source and on no other with its name. A session on several sources has the
strictest of their policies. `may-see.json` holds what each model endpoint may see of the data, by host and port.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Generic, Literal, TypeVar

from assistant.core.events import POLICIES, PolicyLevel
from assistant.errors import ConfigError

POLICIES_FILE = "policies.json"
_DIGEST = " #"

Sees = Literal["names", "values", "results", "rows"]
"""How much of the data a model may see, from least to most."""

LEVELS: tuple[Sees, ...] = ("names", "values", "results", "rows")
DISCLOSURE_FILE = "may-see.json"

L = TypeVar("L", bound=str)


class LevelStore(Generic[L]):
    """The levels in a file; safe to use from any thread.

    Args:
        file: The file, made when the first level is kept.
        levels: All levels there are. Anything else in the file is passed over.
        unsaid: The level that needs no entry.
    """

    def __init__(self, file: Path, levels: Sequence[L], *, unsaid: L | None = None) -> None:
        self._file = file
        self._levels = {str(level): level for level in levels}
        self._unsaid = unsaid
        self._mutex = threading.Lock()

    @property
    def kept(self) -> Mapping[str, L]:
        """What was kept, by name. A file that cannot be understood keeps nothing: then the person is asked again."""
        try:
            stored = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        pairs = stored.items() if isinstance(stored, dict) else ()
        return {
            str(name): self._levels[level] for name, level in pairs if isinstance(level, str) and level in self._levels
        }

    def keep(self, names: Sequence[str], level: L | None) -> None:
        """Keep a level for these names; None forgets what was kept.

        Raises:
            ConfigError: The file cannot be written.
        """
        with self._mutex:
            merged = {**self.kept, **dict.fromkeys(names, level)}
            stored = {name: setting for name, setting in sorted(merged.items()) if setting not in (None, self._unsaid)}
            text = json.dumps(stored, indent=1)
            draft = self._file.with_name(f".{self._file.name}.{os.getpid()}")
            try:
                draft.write_text(text + "\n", encoding="utf-8")
                draft.chmod(0o600)
                draft.replace(self._file)
            except OSError as error:
                raise ConfigError(
                    f"{str(self._file)!r} cannot be written ({error.strerror}). The choice holds in this session only."
                ) from error


class DisclosureLevelStore(LevelStore[Sees]):
    """The choices of a home folder.

    Args:
        home: The home folder.
    """

    def __init__(self, home: Path) -> None:
        super().__init__(home / DISCLOSURE_FILE, LEVELS)


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
        super().__init__(home / POLICIES_FILE, tuple(POLICIES), unsaid="ask")
        self._home = home

    def name(self, display: str, files: Sequence[Path]) -> str:
        """The key under which the policy of a source is stored (`name_source`)."""
        return name_source(display, files, home=self._home)

    def of(self, sources: Sequence[str]) -> PolicyLevel:
        """The policy of a session on these sources: the strictest of theirs."""
        stored, order = self.kept, list(POLICIES)
        levels: list[PolicyLevel] = [stored.get(source, "ask") for source in sources]
        return min(levels, key=order.index) if levels else "ask"
