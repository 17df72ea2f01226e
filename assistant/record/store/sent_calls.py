"""Archive of a session's model calls, in the session's folder `sent`: messages and replies.

They are stored for the person to read, and deleted with the session or when a column is masked.
"""

from __future__ import annotations

import gzip
import os
import re
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

FOLDER = "sent"
_NAME = re.compile(r"[0-9]{6}\.json\.gz")


class SentMessage(BaseModel):
    """One message of a call: who speaks, and what."""

    model_config = ConfigDict(frozen=True)

    role: str
    text: str


class SentCall(BaseModel):
    """One call of a model, as it was made.

    Attributes:
        role: Planner, coder or reviewer.
        model: The model's name at its endpoint.
        endpoint: Host and port.
        sees: The level of what it may see.
        messages: The messages in their order.
        offered: The functions and the schema of the reply, as JSON.
        reply: What came back; empty where nothing did.
    """

    model_config = ConfigDict(frozen=True)

    role: str
    model: str
    endpoint: str
    sees: str
    messages: tuple[SentMessage, ...]
    offered: str = ""
    reply: str = ""

    @property
    def text(self) -> str:
        """All that was sent, as one text."""
        parts = [f"--- {message.role}\n{message.text}" for message in self.messages]
        return "\n\n".join(
            [*parts, *([f"--- functions and form of the reply\n{self.offered}"] if self.offered else [])]
        )


class SentCalls:
    """The calls of one session.

    Args:
        folder: The session's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def keep(self, call: SentCall) -> str:
        """Keep a call; gives the name that its `Usage` carries, empty where it cannot be written. Blocks."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            name = f"{1 + max((int(path.name[:6]) for path in self._folder.glob('*.json.gz')), default=0):06}.json.gz"
            draft = self._folder / f".{name}.{os.getpid()}"
            draft.write_bytes(gzip.compress(call.model_dump_json().encode(), 5, mtime=0))
            draft.chmod(0o600)
            draft.replace(self._folder / name)
        except OSError:
            return ""  # a full disk: the turn is worth more than the record of it
        return name

    def read(self, name: str) -> SentCall | None:
        """The call of a name; None where it is kept no more. Blocks."""
        if _NAME.fullmatch(name) is None:
            return None
        try:
            return SentCall.model_validate_json(gzip.decompress((self._folder / name).read_bytes()))
        except (OSError, EOFError, ValidationError, ValueError):
            return None
