"""The settings of a running program. The person changes those of `CHANGEABLE` on the page, and they apply at once.

They are written into the `tandem.toml` of the home folder, which is the person's own. What the environment, the command
line or the working folder's file sets stays as it is: the first two are for whoever starts the program, and a folder
may come from somebody else. API keys are never written.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_settings import SettingsError

from assistant.errors import ConfigError
from assistant.settings.config import environment_says, load
from assistant.settings.folder_file import FILE, read_folder_file, variable_of
from assistant.settings.level_store import LEVELS
from assistant.settings.models import Budgets
from assistant.settings.own_file import Value, text_of, with_value, write
from assistant.settings.settings import Settings

CHANGEABLE = (
    "model",
    "planner_model",
    "coder_model",
    "reviewer_model",
    "fallbacks",
    "models",
    "sees",
    "budgets",
    "rows_max",
    "megabytes_max",
    "query_seconds_max",
    "cell_seconds_max",
    "memory_megabytes_max",
)
CHANGES = "settings-changes.jsonl"
"""The file of the home folder that records what was changed, one JSON object a line."""
_DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    name: getattr(Budgets(), name).model_dump(exclude_none=True, exclude_defaults=True) for name in Budgets.model_fields
}
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChange:
    """A change that was made: when (UTC), of which setting, from what to what."""

    at: datetime
    setting: str
    was: str
    now: str


class SettingsStore:
    """The settings of a program. `now` may be read from any thread; the other calls block.

    Args:
        settings: The settings that the program started with.
        environment: The environment variables; the process's own by default.
        folder: The working folder; the working directory by default.
    """

    def __init__(
        self, settings: Settings, *, environment: Mapping[str, str] | None = None, folder: Path | None = None
    ) -> None:
        self._now = settings
        self._environment = dict(os.environ if environment is None else environment)
        self._folder = folder or Path.cwd()
        self._mutex = threading.Lock()
        self._trouble = ""
        self._at_start: frozenset[str] = frozenset()
        try:
            loaded = load(self._environment, folder=self._folder, home=settings.home)
            self._at_start = frozenset(name for name in CHANGEABLE if getattr(loaded, name) != getattr(settings, name))
        except ConfigError as error:
            self._trouble = str(error)

    @property
    def now(self) -> Settings:
        """The settings as they hold now."""
        return self._now

    @property
    def file(self) -> Path:
        """Where a change is written."""
        return self._now.home / FILE

    def fixed(self, place: Sequence[str]) -> str:
        """Why a setting cannot be changed here; empty where it can.

        Args:
            place: The setting's keys, such as `("budgets", "turn", "calls")`.
        """
        if place[0] not in CHANGEABLE:
            return f"{place[0]!r} is not set on the page."
        if self._trouble:
            return self._trouble
        if place[0] in self._at_start:
            return "Given when Tandem was started."
        try:
            if _touches(environment_says(self._environment), place):
                return f"Set by the environment variable {variable_of(place)}."
            if _touches(read_folder_file(self._folder, self._now.home).content, place):
                return f"Set in {self._folder / FILE}: change it there."
        except (ConfigError, SettingsError) as error:
            return str(error)
        if self.file.exists() and not os.access(self.file, os.W_OK):
            return f"{self.file} cannot be written by you: whoever runs this machine sets it."
        return ""

    def change(self, place: Sequence[str], value: Value, *, was: object, consents: bool = False) -> None:
        """Change a setting in the person's file; it holds at once.

        Args:
            place: The setting's keys.
            value: What it becomes; None takes it out of the file.
            was: What the person saw when they decided.
            consents: Whether the person said that models may see more.

        Raises:
            ConfigError: It is fixed, does not fit, was changed meanwhile, shows models more without consent, or cannot
                be written. Nothing changed.
        """
        with self._mutex:
            if reason := self.fixed(place):
                raise ConfigError(reason)
            text = text_of(self.file)
            before = self._read(text)
            current = value_at(before, place)
            if current != was:
                self._now = before
                raise ConfigError(
                    "It was changed meanwhile, in another tab or in the file, and is "
                    f"{_shown(current) or 'not set'} now. Nothing was changed: look at it again."
                )
            if place[0] == "sees" and not consents and is_wider(str(value or ""), str(current)):
                raise ConfigError("Models would see more than before. Confirm that on the settings page.")
            default = _DEFAULTS.get(place[1]) if place[0] == "budgets" else None
            changed = with_value(text, place, value, table=default)
            after = self._read(changed)
            write(self.file, changed)
            self._record(place, current, value_at(after, place), text)
            self._now = after

    def changes(self) -> tuple[SettingChange, ...]:
        """What was changed on the page, the last first. A line that cannot be understood is passed over."""
        try:
            lines = (self._now.home / CHANGES).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return ()
        return tuple(change for line in reversed(lines) if (change := _read_change(line)) is not None)

    def _read(self, text: str) -> Settings:
        """The settings as they are where the person's file holds this text. What is not changeable stays."""
        loaded = load(self._environment, folder=self._folder, own=tomllib.loads(text), home=self._now.home)
        values = {name: getattr(loaded, name) for name in CHANGEABLE if name not in self._at_start}
        return self._now.model_copy(update=values)

    def _record(self, place: Sequence[str], was: object, now: object, text: str) -> None:
        """Record a change; one that cannot be recorded is taken back."""
        setting = ".".join(place)
        line = {"at": datetime.now(UTC).isoformat(), "setting": setting, "was": _shown(was), "now": _shown(now)}
        try:
            descriptor = os.open(self._now.home / CHANGES, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            write(self.file, text)
            raise ConfigError(
                f"{self._now.home / CHANGES} cannot be written ({error.strerror}). Nothing was changed."
            ) from error
        _LOG.info("setting %s changed on the page: %r to %r", setting, line["was"], line["now"])


def value_at(settings: BaseModel, place: Sequence[str]) -> object:
    """The value of a setting; None where there is none."""
    node: Any = settings
    for name in place:
        node = node.get(name) if isinstance(node, dict) else getattr(node, name, None)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if node is None:
            return None
    return node  # pyright: ignore[reportUnknownVariableType]


def is_wider(level: str, than: str) -> bool:
    """Whether a model may see more at a level than at another. Where none is set, an endpoint may see anything."""
    order: tuple[str, ...] = LEVELS
    return level not in order or than not in order or order.index(level) > order.index(than)


def _touches(content: Mapping[str, Any], place: Sequence[str]) -> bool:
    """Whether something is said of a setting, or of a part of it."""
    node: Any = content
    for name in place:
        if not isinstance(node, Mapping) or name not in node:
            return False
        node = node[name]  # pyright: ignore[reportUnknownVariableType]
    return True


def _shown(value: object) -> str:
    """A value in a record: of a model the provider and its name alone, as an address may hold a password."""
    if isinstance(value, BaseModel):
        fields: dict[str, Any] = value.model_dump(include={"provider", "model"})
        return " ".join(str(field) for field in fields.values())
    if isinstance(value, tuple):
        return ", ".join(map(str, value))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return "" if value is None else str(value)


def _read_change(line: str) -> SettingChange | None:
    try:
        record = json.loads(line)
        at, setting, was, now = (str(record[name]) for name in ("at", "setting", "was", "now"))
        return SettingChange(at=datetime.fromisoformat(at), setting=setting, was=was, now=now)
    except (ValueError, KeyError, TypeError):
        return None
