"""What a person lets run without asking, per source, kept in `policies.json` in the home folder.

A policy is kept under the source's display (never a password), so that it holds in every later session on that source.
A session on several sources has the strictest of their policies.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from assistant.errors import ConfigError
from assistant.events import POLICIES, PolicyLevel

FILE = "policies.json"


class PolicyBook:
    """The policies of all sources of a home folder; safe to use from any thread.

    Args:
        home: The home folder.
    """

    def __init__(self, home: Path) -> None:
        self._file = home / FILE
        self._mutex = threading.Lock()

    @property
    def kept(self) -> Mapping[str, PolicyLevel]:
        """What was kept, by source. A file that cannot be understood keeps nothing: then everything is asked about."""
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        levels: dict[object, PolicyLevel] = {level: level for level in POLICIES}
        pairs = found.items() if isinstance(found, dict) else ()
        return {str(source): levels[level] for source, level in pairs if level in levels}

    def of(self, sources: Sequence[str]) -> PolicyLevel:
        """The policy of a session on these sources: the strictest of theirs."""
        kept, order = self.kept, list(POLICIES)
        found: list[PolicyLevel] = [kept.get(source, "ask") for source in sources]
        return min(found, key=order.index) if found else "ask"

    def keep(self, sources: Sequence[str], level: PolicyLevel) -> None:
        """Keep a policy for these sources.

        Raises:
            ConfigError: The file cannot be written.
        """
        with self._mutex:
            made = {**self.kept, **dict.fromkeys(sources, level)}
            text = json.dumps({source: kept for source, kept in sorted(made.items()) if kept != "ask"}, indent=1)
            fresh = self._file.with_suffix(".new")
            try:
                fresh.write_text(text + "\n", encoding="utf-8")
                os.replace(fresh, self._file)
            except OSError as error:
                raise ConfigError(
                    f"The policy cannot be kept in {str(self._file)!r} ({error.strerror}); it holds in this session."
                ) from error
