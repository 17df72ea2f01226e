"""What each model endpoint may see of the data, as the person chose it, kept in `may-see.json` in the home folder.

Keyed by host and port, without a path or a key.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from assistant.errors import ConfigError

Sees = Literal["names", "values", "results", "rows"]
"""How much of the data a model may see, from least to most."""

LEVELS: tuple[Sees, ...] = ("names", "values", "results", "rows")
FILE = "may-see.json"


class SeeingBook:
    """The choices of a home folder; safe to use from any thread.

    Args:
        home: The home folder.
    """

    def __init__(self, home: Path) -> None:
        self._file = home / FILE
        self._mutex = threading.Lock()

    @property
    def kept(self) -> Mapping[str, Sees]:
        """What was chosen, by endpoint. A file that cannot be understood holds no choice: then it is asked again."""
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        levels: dict[object, Sees] = {level: level for level in LEVELS}
        pairs = found.items() if isinstance(found, dict) else ()
        return {str(endpoint): levels[level] for endpoint, level in pairs if level in levels}

    def keep(self, endpoints: Sequence[str], level: Sees) -> None:
        """Keep a choice for these endpoints.

        Raises:
            ConfigError: The file cannot be written.
        """
        with self._mutex:
            made = {**self.kept, **dict.fromkeys(endpoints, level)}
            draft = self._file.with_name(f".{FILE}.{os.getpid()}")
            try:
                draft.write_text(json.dumps(dict(sorted(made.items())), indent=1) + "\n", encoding="utf-8")
                draft.chmod(0o600)
                draft.replace(self._file)
            except OSError as error:
                raise ConfigError(f"{str(self._file)!r} cannot be written ({error.strerror}).") from error
