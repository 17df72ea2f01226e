"""The person's consents to files of a folder: the folder and the file's hash, stored in the home folder.

A consent is to exactly these bytes in exactly this folder: a changed, exchanged or moved file has none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from assistant.errors import ConfigError

FILE = "trusted-folders.json"


class ConsentStore:
    """The consents of a home folder. Calls block.

    Args:
        home: The home folder.
    """

    def __init__(self, home: Path) -> None:
        self._file = home / FILE

    @property
    def digests(self) -> Mapping[str, str]:
        """The SHA-256 agreed to, by folder. A file that cannot be understood holds no consent."""
        try:
            content: object = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        pairs = content.items() if isinstance(content, dict) else ()
        return {str(folder): digest for folder, digest in pairs if isinstance(digest, str)}

    def has(self, folder: Path, digest: str) -> bool:
        """Whether the person agreed to a file with this hash in this folder."""
        return self.digests.get(str(folder.resolve())) == digest

    def keep(self, folder: Path, digest: str) -> None:
        """Keep a consent, in place of an earlier one for this folder.

        Raises:
            ConfigError: It cannot be written.
        """
        self._write({**self.digests, str(folder.resolve()): digest})

    def remove(self, folder: Path) -> bool:
        """Take a consent back; whether there was one.

        Raises:
            ConfigError: It cannot be written.
        """
        digests = dict(self.digests)
        if digests.pop(str(folder.resolve()), None) is None:
            return False
        self._write(digests)
        return True

    def _write(self, digests: Mapping[str, str]) -> None:
        draft = self._file.with_name(f".{self._file.name}.{os.getpid()}")
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft.unlink(missing_ok=True)
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(json.dumps(dict(sorted(digests.items())), indent=1) + "\n")
            draft.replace(self._file)
        except OSError as error:
            raise ConfigError(f"{self._file} cannot be written ({error.strerror}). Nothing was changed.") from error
