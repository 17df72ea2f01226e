"""Capabilities of an endpoint for a model, detected once and remembered.

Endpoints refuse what they do not support: a JSON schema, functions, `stream_options`, a temperature. What was refused
is left out of the next request. Once a request is accepted, the result is stored for a month in `endpoints.json` in the
home folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from assistant.core.events import Role

FILE = "endpoints.json"
KEPT_FOR = timedelta(days=30)
Form = Literal["schema", "functions", "text"]
"""How a model gives a typed reply: by a JSON schema it is held to, by calling a function, or as JSON in plain text."""


class Capabilities(BaseModel):
    """What an endpoint takes.

    Attributes:
        forms: The forms of reply that are still to be tried, the best first.
        schema_told: The roles whose replies the endpoint does not hold to the schema that it takes: prompts tell it.
        streams: Replies arrive piece by piece.
        stream_options: The usage of a streamed reply can be asked for.
        temperature: A temperature may be set; reasoning models take none.
        max_completion_tokens: The limit of a reply has this name, as for reasoning models, and not `max_tokens`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    forms: tuple[Form, ...]
    schema_told: tuple[Role, ...] = ()
    streams: bool = True
    stream_options: bool = True
    temperature: bool = True
    max_completion_tokens: bool = False


class KnownCapabilities:
    """The capabilities of one endpoint with one model: what is known, and what is being tried.

    Args:
        start: What is taken for granted at first.
        key: The endpoint's address and the model's name, without secrets.
        file: Where it is kept; nowhere if None.
    """

    def __init__(self, start: Capabilities, *, key: str = "", file: Path | None = None) -> None:
        self._file = file
        self._key = key
        self._known = _load_entry(file, key, start) or start
        self.now = self._known

    def change(self, **capabilities: Any) -> None:
        """Try it otherwise from now on; kept once `confirm` is called."""
        self.now = self.now.model_copy(update=capabilities)

    def confirm(self) -> None:
        """A request was taken as things are: keep that."""
        if self.now != self._known:
            self._known = self.now
            if self._file is not None:
                _keep(self._file, self._key, self.now)

    def revert(self) -> None:
        """Nothing helped: go back to what is known."""
        self.now = self._known


_MUTEX = threading.Lock()


def _load_entry(file: Path | None, key: str, start: Capabilities) -> Capabilities | None:
    """What the file says of an endpoint, if it is not too old and fits the forms that are allowed."""
    entry = _load_entries(file).get(key) if file is not None else None
    if not isinstance(entry, Mapping):
        return None
    try:
        until = datetime.fromisoformat(str(entry.get("until")))
        capabilities = Capabilities.model_validate({name: value for name, value in entry.items() if name != "until"})
        fits = bool(capabilities.forms) and set(capabilities.forms) <= set(start.forms)
        return capabilities if fits and until > datetime.now(UTC) else None
    except (ValueError, TypeError, ValidationError):
        return None  # written by another version, or by hand: found out again


def _keep(file: Path, key: str, capabilities: Capabilities) -> None:
    with _MUTEX, contextlib.suppress(OSError):  # what cannot be kept is found out again by the next program
        entry = {**capabilities.model_dump(mode="json"), "until": (datetime.now(UTC) + KEPT_FOR).isoformat()}
        draft = file.with_name(f".{file.name}.{os.getpid()}.part")
        draft.write_text(json.dumps({**_load_entries(file), key: entry}, indent=1) + "\n", encoding="utf-8")
        draft.replace(file)


def _load_entries(file: Path) -> dict[str, Any]:
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return dict(entries) if isinstance(entries, dict) else {}
