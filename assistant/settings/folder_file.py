"""The `tandem.toml` of a working folder, which may come from somebody else: its settings, and which of them apply.

Settings whose mark allows a folder apply (`assistant.trust.setting_scopes`). Those that a trusted folder may set need
the person's consent to exactly this file. All others are the person's, whatever the file says.
"""

from __future__ import annotations

import hashlib
import shlex
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from assistant.errors import ConfigError
from assistant.settings.settings import Settings
from assistant.trust.consents import ConsentStore
from assistant.trust.setting_scopes import SettingRequest, requests_of
from assistant.trust.small_files import read_small_file

FILE = "tandem.toml"
PREFIX, NESTED = "TANDEM_", "__"


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderFile:
    """A folder's file, read once: what was hashed is what is used.

    Attributes:
        folder: The folder.
        digest: The SHA-256 of its bytes; empty where there is no file.
        content: What it says.
        own_models: Names of models that the person's own settings declare, which no folder changes.
    """

    folder: Path
    digest: str = ""
    content: Mapping[str, object] = field(default_factory=dict[str, object])
    own_models: Collection[str] = ()

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return self.folder / FILE

    @property
    def requests(self) -> tuple[SettingRequest, ...]:
        """Every setting that it asks for."""
        return tuple(requests_of(Settings, self.content))

    @property
    def needs_consent(self) -> tuple[SettingRequest, ...]:
        """What it may set only with the person's consent."""
        return tuple(
            request for request in self.requests if request.least == "trusted folder" and not self.is_own_model(request)
        )

    @property
    def refused(self) -> tuple[SettingRequest, ...]:
        """What it may never set."""
        return tuple(request for request in self.requests if request.least == "person" or self.is_own_model(request))

    def require_allowed(self, home: Path) -> None:
        """Require that it may set all that it asks for.

        Raises:
            ConfigError: It may not; the text names the settings and the file, and says what to do.
        """
        where = f"in {str(self.path)!r}: a folder may come from somebody else"
        if self.refused:
            first = self.refused[0]
            if self.is_own_model(first):
                raise ConfigError(
                    f"{_names(self.refused)} cannot be set {where}, and the model {first.place[1]!r} is declared in "
                    f"your own settings. Give the model in that file another name, or take it out of there."
                )
            raise ConfigError(
                f"{_names(self.refused)} cannot be set {where}. Take it out of that file. To set it for yourself, "
                f"use {str(home / FILE)!r} or {variable_of(first.place)}."
            )
        if self.needs_consent and not ConsentStore(home).has(self.folder, self.digest):
            changed = str(self.folder.resolve()) in ConsentStore(home).digests
            raise ConfigError(
                f"{_names(self.needs_consent)} cannot be set {where}"
                + (", and the file has changed since you agreed to it. " if changed else ". ")
                + f"To see what the file asks for, and agree to it: tandem trust {shlex.quote(str(self.folder))}. To "
                f"set it for yourself, use {str(home / FILE)!r} or {variable_of(self.needs_consent[0].place)}."
            )

    def settings(self) -> dict[str, Any]:
        """What it says, for merging with the person's own settings.

        A model whose address the file names is sent no key from the environment: the keys there are meant for other
        addresses. One in the keyring is kept for its address (`assistant.settings.system_keyring`).
        """
        values = dict(self.content)
        models = values.get("models")
        if isinstance(models, Mapping):
            values["models"] = {
                name: _without_key(model) for name, model in cast("Mapping[str, object]", models).items()
            }
        return values

    def is_own_model(self, request: SettingRequest) -> bool:
        """Whether it would change a model of the person's own."""
        return request.place[0] == "models" and len(request.place) > 1 and request.place[1] in self.own_models


def read_folder_file(folder: Path, home: Path, *, own_models: Collection[str] = ()) -> FolderFile:
    """Read a folder's file. It says nothing where there is none, or where the folder is the home folder. Blocks.

    Raises:
        ConfigError: It cannot be read or understood.
    """
    nothing = FolderFile(folder=folder, own_models=own_models)
    if folder.resolve() == home.resolve():
        return nothing  # the file there is the person's own
    try:
        content = read_small_file(nothing.path)
        return FolderFile(
            folder=folder,
            digest=hashlib.sha256(content).hexdigest(),
            content=tomllib.loads(content.decode("utf-8")),
            own_models=own_models,
        )
    except FileNotFoundError:
        return nothing
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(f"{nothing.path} cannot be read ({reason}). Fix it or move it away.") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{nothing.path} is not valid TOML: {error}. Fix the line it names.") from error


def digest_of(folder: Path) -> str:
    """The SHA-256 of a folder's file as it is now; empty where it cannot be read. Blocks."""
    try:
        return hashlib.sha256(read_small_file(folder / FILE)).hexdigest()
    except OSError:
        return ""


def variable_of(place: Collection[str]) -> str:
    """The environment variable of a setting."""
    return PREFIX + NESTED.join(place).upper()


def _without_key(model: object) -> object:
    if not isinstance(model, Mapping) or "base_url" not in model:
        return model  # pyright: ignore[reportUnknownVariableType]  # it came from TOML
    return {**cast("Mapping[str, object]", model), "api_key_env": ""}


def _names(requests: Collection[SettingRequest]) -> str:
    return ", ".join(repr(request.name) for request in requests)
