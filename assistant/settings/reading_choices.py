"""The person's choices between two interpretations of data, in `choices.json` in the home folder. No data are changed.

A choice is stored under its source's display (never a password) and places, like a policy, and the name of the choice,
which contains no value of the data. How a file is read is stored beside the file instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from assistant.settings.level_store import LevelStore, name_source

FILE = "choices.json"
_SEPARATOR = "\n"


class ReadingChoices(LevelStore[Literal["rival"]]):
    """The choices of a home folder; safe to use from any thread.

    Args:
        home: The home folder.
    """

    def __init__(self, home: Path) -> None:
        super().__init__(home / FILE, ("rival",))
        self._home = home

    def find_choices(self, display: str, files: Sequence[Path]) -> tuple[str, ...]:
        """The names of what was chosen for a source."""
        start = self._name(display, files, "")
        return tuple(sorted(name.removeprefix(start) for name in self.kept if name.startswith(start)))

    def keep_choice(self, display: str, files: Sequence[Path], choice: str, *, is_rival: bool) -> None:
        """Keep that the other reading was chosen, or take that back.

        Raises:
            ConfigError: The file cannot be written.
        """
        self.keep([self._name(display, files, choice)], "rival" if is_rival else None)

    def _name(self, display: str, files: Sequence[Path], choice: str) -> str:
        return f"{name_source(display, files, home=self._home)}{_SEPARATOR}{choice}"
