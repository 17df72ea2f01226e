"""Database URLs with their passwords: `credentials.json` in the home folder, and nowhere else. Calls block.

Sessions name a credential by its id. The file is outside their folders, so that no copy, export or backup of a session
contains a password, and only its owner can read it. A credential is deleted with the last session that names it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Collection, Generator, Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from assistant.errors import ConfigError
from assistant.settings.json_files import read_model, write_model

FILE = "credentials.json"


class _File(BaseModel):
    """What the file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    urls: Mapping[str, str] = Field(default_factory=dict[str, str])


class Credentials:
    """The credentials of a home folder.

    Args:
        home: The home folder.
    """

    def __init__(self, home: Path) -> None:
        self._path = home / FILE

    def read(self, credential: str) -> str:
        """The URL of that id, password included: never log it.

        Raises:
            ConfigError: There is none, or the file cannot be read.
        """
        url = self._urls().get(credential)
        if url is None:
            raise ConfigError(f"The password of a database is not in {FILE!r} any more. Connect the database again.")
        return url

    @contextlib.contextmanager
    def adding(self) -> Generator[Callable[[str], str]]:
        """Gives the function that keeps a URL and returns its id; nothing is removed before this ends.

        Raises:
            ConfigError: The file cannot be read or written.
        """
        with self._alone():
            yield self._keep

    def remove_unused(self, is_used: Callable[[Collection[str]], Collection[str]]) -> None:
        """Remove what no session names.

        Args:
            is_used: Gives those of these ids that are in use.

        Raises:
            ConfigError: The file cannot be read or written.
        """
        if not self._urls():
            return
        with self._alone():
            urls = self._urls()
            used = is_used(urls.keys())
            if len(used) < len(urls):
                write_model(self._path, _File(urls={name: url for name, url in urls.items() if name in used}))

    def _keep(self, url: str) -> str:
        urls = self._urls()
        existing = next((name for name, stored in urls.items() if stored == url), None)
        if existing is not None:
            return existing
        credential = secrets.token_hex(8)
        write_model(self._path, _File(urls={**urls, credential: url}))
        return credential

    def _urls(self) -> Mapping[str, str]:
        stored = read_model(self._path, _File)
        return stored.urls if stored is not None else {}

    @contextlib.contextmanager
    def _alone(self) -> Generator[None]:
        """While no other thread or program changes the file."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise ConfigError(f"{self._path} cannot be written ({error.strerror}). Nothing was changed.") from error
        try:
            with contextlib.suppress(ImportError):
                import fcntl

                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)
