"""Where the settings are read from, by pydantic-settings: the environment, over `tandem.toml`, over the defaults.

`.env` files are not read. A table of the settings is a table of `tandem.toml`, or variables with two underscores:
`TANDEM_BUDGETS__TURN__CALLS`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, EnvSettingsSource, InitSettingsSource, SettingsError

from assistant.errors import ConfigError
from assistant.settings.masks import masks_decided, toml_of
from assistant.settings.models import Budgets, Limits, ModelSettings, RoleLimits
from assistant.settings.settings import Settings

FILE = "tandem.toml"
PREFIX, NESTED = "TANDEM_", "__"
_PATHS = ("sources", "mask")
_OWN = ("uncaged", "sees", "functions", "functions_without_tables")
"""What takes a wall down: never set by a file that comes with the data."""
_VALUE_CHARS = 60


class _Read(Settings, BaseSettings):
    """The settings as they are read."""


class _Variables(EnvSettingsSource):
    """The variables `TANDEM_<NAME>` of an environment."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        super().__init__(_Read, env_prefix=PREFIX, env_nested_delimiter=NESTED, env_ignore_empty=True)

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return {name.lower(): value for name, value in self._environment.items() if value}

    def prepare_field_value(self, field_name: str, field: FieldInfo, value: Any, value_is_complex: bool) -> Any:
        if isinstance(value, str) and field_name in _PATHS:
            return tuple(listed(value))
        if isinstance(value, str) and (field_name.endswith("fallbacks") or field_name.startswith("functions")):
            return tuple(name.strip() for name in value.split(",") if name.strip())
        return super().prepare_field_value(field_name, field, value, value_is_complex)


def folder_says(folder: Path, home: Path) -> dict[str, object]:
    """What the working folder's file says; nothing where that is the home folder.

    Raises:
        ConfigError: it sets what only the person may; the text says where to set it instead.
    """
    said = toml_of(folder / FILE) if folder.resolve() != home.resolve() else {}
    for name in _OWN:
        if name in said:
            raise ConfigError(
                f"{name!r} cannot be set in {str(folder / FILE)!r}: a folder may come from somebody else. "
                f"Set it in {str(home / FILE)!r} or as {PREFIX}{name.upper()}."
            )
    return said


def environment_says(environment: Mapping[str, str]) -> dict[str, Any]:
    """What the variables `TANDEM_<NAME>` of an environment say.

    Raises:
        SettingsError: one cannot be read.
    """
    return _Variables(environment)()


def _joined_files(own: Mapping[str, Any], folder: Mapping[str, Any]) -> dict[str, Any]:
    """What both files say, the folder's over the home's; a folder's file adds masks and takes none away."""
    said = _merged(dict(own), folder)
    masks = own.get("mask"), folder.get("mask")
    if isinstance(masks[0], list) and isinstance(masks[1], list):
        said["mask"] = [*masks[0], *masks[1]]
    return said


def load(
    environment: Mapping[str, str] | None = None,
    *,
    folder: Path | None = None,
    own: Mapping[str, object] | None = None,
    **over: object,
) -> Settings:
    """Read the settings, from the environment over `tandem.toml` in the working folder and in the home folder.

    Args:
        environment: the environment variables; the process's own by default.
        folder: where `tandem.toml` is looked for besides the home folder; the working directory by default.
        own: what stands in for the home folder's `tandem.toml`; the file itself by default.
        over: settings that win over all others (from the command line); None leaves a setting as it is.

    Raises:
        ConfigError: a setting is unknown or has a value that does not fit; the text names it.
    """
    env = os.environ if environment is None else environment
    home = Path(str(over.get("home") or env.get(f"{PREFIX}HOME") or _default_home(env))).expanduser()
    of_folder = folder_says(folder or Path.cwd(), home)
    try:
        files = InitSettingsSource(_Read, _joined_files(toml_of(home / FILE) if own is None else own, of_folder))
        address = {"base_url": env["OPENAI_BASE_URL"]} if env.get("OPENAI_BASE_URL") else {}
        sources = (
            InitSettingsSource(_Read, {name: value for name, value in over.items() if value is not None}),
            _Variables(env),
            files,
            InitSettingsSource(_Read, {"home": home, **address}),
        )
        values: dict[str, Any] = {}
        for source in reversed(sources):
            values = _merged(values, source())
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise ConfigError(_in_words(error.errors()[0])) from None  # its text repeats what was set
    except SettingsError as error:
        raise ConfigError(
            f"{error}. It is set in the environment; docs/reference/settings.md lists what it takes."
        ) from error
    confirmed = masks_decided(settings.home).mask
    return settings.model_copy(update={"mask": tuple(dict.fromkeys((*settings.mask, *confirmed)))})


def listed(given: str) -> list[str]:
    """The entries of a variable that holds several, as in `PATH`. The colons of a URL part nothing."""
    if os.pathsep != ":" or "://" not in given:
        return given.split(os.pathsep)
    return re.split(r":(?=(?:[^\W\d]\w*=)?(?:/(?!/)|~|\.{1,2}/|[A-Za-z][\w+.-]*://))", given)


def _merged(below: dict[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """What is set above wins; tables are joined."""
    joined = dict(below)
    for name, value in above.items():
        under = joined.get(name)
        joined[name] = _merged(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return joined


def _in_words(error: ErrorDetails) -> str:
    """What is wrong with a setting: which it is, what it is set to, what it takes."""
    place = [str(part) for part in error["loc"]]
    name = ".".join(place)
    variable = PREFIX + NESTED.join(place).upper()
    if error["type"] == "extra_forbidden":
        known = _known(place[:-1])
        near = get_close_matches(place[-1], known, n=1)
        meant = f"Did you mean {near[0]!r}? " if near else ""
        return f"The setting {name!r} is unknown. {meant}docs/reference/settings.md lists the settings."
    given = error["input"]
    told = str(given) if isinstance(given, str | int | float | bool) else ""
    shown = f" ({told!r})" if told and len(told) <= _VALUE_CHARS and "://" not in told else ""
    return (
        f"The setting {name!r}{shown} is wrong: {error['msg']}. "
        f"It is set in {FILE} or as {variable}; docs/reference/settings.md lists what it takes."
    )


def _known(place: list[str]) -> list[str]:
    """The settings that there are at a place."""
    kinds: dict[str, type[BaseModel]] = {"models": ModelSettings, "budgets": Budgets}
    if not place:
        return list(Settings.model_fields)
    kind = kinds.get(place[0], Limits)
    if kind is Budgets and len(place) > 1:
        kind = RoleLimits if len(place) == 2 else Limits
    return list(kind.model_fields)


def _default_home(env: Mapping[str, str]) -> Path:
    data = env.get("XDG_DATA_HOME")
    return (Path(data) if data else Path(env.get("HOME") or "~").expanduser() / ".local" / "share") / "tandem"
