"""Levels by name, kept as a JSON object in a file of the home folder."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from assistant.errors import ConfigError

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
        except (OSError, ValueError):
            return {}
        pairs = stored.items() if isinstance(stored, dict) else ()
        return {str(name): self._levels[level] for name, level in pairs if level in self._levels}

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
