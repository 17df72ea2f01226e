"""Reads the settings with pydantic-settings: the environment, over `tandem.toml`, over the defaults.

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
from assistant.settings.folder_file import FILE, NESTED, PREFIX, FolderFile, read_folder_file, variable_of
from assistant.settings.masks import masks_decided, toml_of
from assistant.settings.models import BudgetLimits, Budgets, ModelSettings, RoleLimits
from assistant.settings.settings import Settings

_PATHS = ("sources", "mask")
_NAMES = ("password_variables", "database_hosts", "web_hosts", "functions", "functions_without_tables")
"""Separated by commas in a variable, as names of models are."""
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
            return tuple(split_list(value))
        if isinstance(value, str) and (field_name.endswith("fallbacks") or field_name in _NAMES):
            return tuple(name.strip() for name in value.split(",") if name.strip())
        return super().prepare_field_value(field_name, field, value, value_is_complex)


def environment_says(environment: Mapping[str, str]) -> dict[str, Any]:
    """What the variables `TANDEM_<NAME>` of an environment say.

    Raises:
        SettingsError: one cannot be read.
    """
    return _Variables(environment)()


def folder_file(folder: Path, home: Path, *, own: Mapping[str, object], environment: Mapping[str, str]) -> FolderFile:
    """The file of a working folder, beside what the person's own file and an environment say.

    Raises:
        ConfigError: it cannot be read or understood.
        SettingsError: a variable cannot be read.
    """
    declared = [values.get("models") for values in (own, environment_says(environment))]
    names = [name for models in declared if isinstance(models, Mapping) for name in models]  # pyright: ignore[reportUnknownVariableType]
    return read_folder_file(folder, home, own_models=frozenset(map(str, names)))  # pyright: ignore[reportUnknownArgumentType]


def require_valid(file: FolderFile) -> None:
    """Require that a folder's settings exist and have values that fit.

    Raises:
        ConfigError: one does not; the text names it.
    """
    try:
        Settings.model_validate({"home": file.folder, **file.settings()})
    except ValidationError as error:
        raise ConfigError(_in_words(error.errors()[0])) from None


def home_of(environment: Mapping[str, str]) -> Path:
    """The home folder that an environment names, or the usual one.

    Raises:
        ConfigError: it is named from the working folder, whose files would count as the person's own.
    """
    configured = environment.get(f"{PREFIX}HOME")
    if not configured:
        return _default_home(environment)
    home = Path(configured).expanduser()
    if not home.is_absolute():
        raise ConfigError(
            f"{PREFIX}HOME is {configured!r}, which is another folder wherever Tandem is started, and may come with "
            f"data. Name it in full: {str(home.absolute())!r}."
        )
    return home


def _joined_files(own: Mapping[str, Any], folder: Mapping[str, Any]) -> dict[str, Any]:
    """What both files say, the folder's over the home's; a folder's file adds masks and takes none away."""
    merged = _merged(dict(own), folder)
    masks = own.get("mask"), folder.get("mask")
    if isinstance(masks[0], list) and isinstance(masks[1], list):
        merged["mask"] = [*masks[0], *masks[1]]
    return merged


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
        ConfigError: a setting is unknown, has a value that does not fit, or is not the working folder's to set; the
            text names it.
    """
    env = os.environ if environment is None else environment
    home = Path(str(over.get("home") or home_of(env)))
    own = toml_of(home / FILE) if own is None else own
    try:
        of_folder = folder_file(folder or Path.cwd(), home, own=own, environment=env)
        files = InitSettingsSource(_Read, _joined_files(own, of_folder.settings()))
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
    of_folder.require_allowed(home)
    confirmed = masks_decided(settings.home).mask
    return settings.model_copy(update={"mask": tuple(dict.fromkeys((*settings.mask, *confirmed)))})


def split_list(text: str) -> list[str]:
    """The entries of a variable that holds several, as in `PATH`. The colons of a URL part nothing."""
    if os.pathsep != ":" or "://" not in text:
        return text.split(os.pathsep)
    return re.split(r":(?=(?:[^\W\d]\w*=)?(?:/(?!/)|~|\.{1,2}/|[A-Za-z][\w+.-]*://))", text)


def _merged(below: dict[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """What is set above wins; tables are joined."""
    merged = dict(below)
    for name, value in above.items():
        under = merged.get(name)
        merged[name] = _merged(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return merged


def _in_words(error: ErrorDetails) -> str:
    """What is wrong with a setting: which it is, what it is set to, what it takes."""
    place = [str(part) for part in error["loc"]]
    name = ".".join(place)
    variable = variable_of(place)
    if error["type"] == "extra_forbidden":
        names = _known(place[:-1])
        near = get_close_matches(place[-1], names, n=1)
        suggestion = f"Did you mean {near[0]!r}? " if near else ""
        return f"The setting {name!r} is unknown. {suggestion}docs/reference/settings.md lists the settings."
    value = error["input"]
    text = str(value) if isinstance(value, str | int | float | bool) else ""
    quoted = f" ({text!r})" if text and len(text) <= _VALUE_CHARS and "://" not in text else ""
    return (
        f"The setting {name!r}{quoted} is wrong: {error['msg']}. "
        f"It is set in {FILE} or as {variable}; docs/reference/settings.md lists what it takes."
    )


def _known(place: list[str]) -> list[str]:
    """The settings that there are at a place."""
    kinds: dict[str, type[BaseModel]] = {"models": ModelSettings, "budgets": Budgets}
    if not place:
        return list(Settings.model_fields)
    kind = kinds.get(place[0], BudgetLimits)
    if kind is Budgets and len(place) > 1:
        kind = RoleLimits if len(place) == 2 else BudgetLimits
    return list(kind.model_fields)


def _default_home(env: Mapping[str, str]) -> Path:
    data = env.get("XDG_DATA_HOME", "")
    # The XDG specification has a relative one ignored.
    return (
        Path(data) if Path(data).is_absolute() else Path(env.get("HOME") or "~").expanduser() / ".local" / "share"
    ) / "tandem"
