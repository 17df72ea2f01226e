"""The settings: from the environment, over `tandem.toml`, over defaults that work with nothing set.

Everything the composition root needs to know stands in one frozen value. Secrets are not settings: an API key is named
by its environment variable and read where it is used. What a person said of columns that were proposed for masking is
kept in `masks.toml` in the home folder, and joins the setting `mask`.
"""

from __future__ import annotations

import getpass
import json
import os
import re
import threading
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assistant.errors import ConfigError

FILE = "tandem.toml"
MASKS = "masks.toml"


class Settings(BaseModel):
    """All settings of Tandem, each of them `TANDEM_<NAME>` in the environment or a line of `tandem.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: Path = Field(description="Where sessions, indexes and the sample company are kept.")
    as_of: date | None = Field(default=None, description="The day that counts as today; the system's date by default.")
    sources: tuple[str, ...] = Field(
        default=(), description="Sources a new session starts with; the sample company if none."
    )
    knowledge: Path | None = Field(
        default=None, description="Folder with glossary.yaml, metrics.yaml, rules.md, queries/."
    )
    store: str = Field(default="", description="SQLAlchemy URL of the session store; a SQLite file in `home` if empty.")
    embeddings: Literal["auto", "minilm", "hashing"] = Field(
        default="auto", description="How texts are compared: the local MiniLM model where it is there, else hashing."
    )
    model: str = Field(default="", description="Language model for every role; the embedded analyst if empty.")
    planner_model: str = Field(default="", description="Language model that plans, if another than `model`.")
    coder_model: str = Field(default="", description="Language model that writes code, if another than `model`.")
    reviewer_model: str = Field(default="", description="Language model that reviews, if another than `model`.")
    base_url: str = Field(
        default="", description="Address of an OpenAI-compatible endpoint; the provider's own if empty."
    )
    api_key_env: str = Field(default="OPENAI_API_KEY", description="Environment variable that holds the API key.")
    verifier: str = Field(
        default="", description="Your name, as it stands with answers you mark right; the system's user if empty."
    )
    sees: Literal["", "names", "values", "results", "rows", "nothing", "statistics", "sample"] = Field(
        default="",
        description=(
            "What a language model may see of the data: `names`, `values`, `results` or `rows`. If empty, `rows` where "
            "the model runs on this machine and `results` elsewhere."
        ),
    )
    mask: tuple[str, ...] = Field(
        default=(),
        description=(
            "Columns never shown, as `table.column` or `source.table.column`; those confirmed in `masks.toml` too."
        ),
    )
    cage: Literal["", "zygote", "bubblewrap", "landlock"] = Field(
        default="", description="The cage to insist on; the strongest that holds on this machine if empty."
    )
    uncaged: bool = Field(default=False, description="Run code without a cage where this machine can hold none.")
    rows_max: int = Field(default=1_000_000, gt=0, description="Rows a query may return.")
    megabytes_max: int = Field(default=512, gt=0, description="Megabytes a query may return.")
    query_seconds_max: float = Field(default=60.0, gt=0, description="Seconds a query may take.")
    cell_seconds_max: float = Field(default=120.0, gt=0, description="Seconds a cell may take.")
    memory_megabytes_max: int = Field(default=4096, gt=0, description="Megabytes of memory a kernel may use.")
    kernels_max: int = Field(default=0, ge=0, description="Kernels open at once; what half of the memory holds if 0.")
    kernel_idle_minutes: float = Field(
        default=20.0,
        gt=0,
        description="Minutes after which an unused kernel is let go; its state comes back on return.",
    )

    @property
    def today(self) -> date:
        """The day that counts as today."""
        return self.as_of or date.today()

    def person(self) -> str:
        """The name of who marks answers right.

        Raises:
            ConfigError: the system knows none.
        """
        try:
            return self.verifier.strip() or getpass.getuser()
        except (OSError, KeyError, ImportError) as error:
            raise ConfigError("The system does not know your name. Set it as TANDEM_VERIFIER.") from error

    def model_of(self, role: Literal["planner", "coder", "reviewer"]) -> str:
        """The language model of a role; empty for the embedded analyst."""
        own = {"planner": self.planner_model, "coder": self.coder_model, "reviewer": self.reviewer_model}[role]
        return own or self.model


def load(environment: Mapping[str, str] | None = None, *, folder: Path | None = None, **over: object) -> Settings:
    """Read the settings.

    Args:
        environment: the environment variables; the process's own by default.
        folder: where `tandem.toml` is looked for besides the home folder; the working directory by default.
        over: settings that win over all others (from the command line); None leaves a setting as it is.

    Raises:
        ConfigError: a setting is unknown or has a value that does not fit; the text names it.
    """
    env = os.environ if environment is None else environment
    home = Path(env.get("TANDEM_HOME") or _default_home(env)).expanduser()
    values: dict[str, object] = {"home": home}
    for path in (home / FILE, (folder or Path.cwd()) / FILE):
        values |= _file(path)
    for name in Settings.model_fields:
        if given := env.get(f"TANDEM_{name.upper()}"):
            values[name] = tuple(listed(given)) if name in ("sources", "mask") else given
    if "base_url" not in values and (address := env.get("OPENAI_BASE_URL")):
        values["base_url"] = address
    values |= {name: value for name, value in over.items() if value is not None}
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise ConfigError(
            f"The setting {name!r} is wrong: {first['msg']}. "
            f"It is set in {FILE} or as TANDEM_{name.upper()}; docs/reference/settings.md lists what it takes."
        ) from error
    confirmed = masks_decided(settings.home).mask
    return settings.model_copy(update={"mask": tuple(dict.fromkeys((*settings.mask, *confirmed)))})


@dataclass(frozen=True, slots=True, kw_only=True)
class MasksDecided:
    """What a person said of columns that were proposed: `mask` is to be masked, `dismissed` is no secret."""

    mask: tuple[str, ...] = ()
    dismissed: tuple[str, ...] = ()


def masks_decided(home: Path) -> MasksDecided:
    """What was decided about proposed columns in this home.

    Raises:
        ConfigError: `masks.toml` cannot be understood; without it columns would be shown that must not be.
    """
    found = _file(home / MASKS)
    lists: dict[str, tuple[str, ...]] = {}
    for name in ("mask", "dismissed"):
        given = found.pop(name, [])
        if not isinstance(given, list) or not all(isinstance(entry, str) for entry in given):  # pyright: ignore[reportUnknownVariableType]  # it came from TOML
            raise ConfigError(
                f"{home / MASKS}: {name!r} must be a list of texts such as 'shop.customer.email'. Mend it."
            )
        lists[name] = tuple(map(str, given))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # checked above
    if found:
        raise ConfigError(f"{home / MASKS}: {min(found)!r} is unknown there; it holds `mask` and `dismissed`. Mend it.")
    return MasksDecided(mask=lists["mask"], dismissed=lists["dismissed"])


class MaskBook:
    """What is masked while a program runs: the setting `mask`, and what is confirmed meanwhile. It only grows.

    Reading `entries` is safe from any thread. What was taken out of a file again holds from the next start on.
    """

    def __init__(self, settings: Settings) -> None:
        self._home = settings.home
        self._entries = settings.mask
        self._mutex = threading.Lock()

    @property
    def entries(self) -> tuple[str, ...]:
        """The masked columns as they are known now."""
        return self._entries

    def refresh(self) -> tuple[str, ...]:
        """Join what another program, or a person with an editor, wrote into `masks.toml`. Blocks.

        Raises:
            ConfigError: the file cannot be understood.
        """
        self._join(masks_decided(self._home).mask)
        return self._entries

    def decide(self, entry: str, *, mask: bool) -> None:
        """Keep what a person said of a proposed column. Blocks.

        Raises:
            ConfigError: the file cannot be read or written; nothing changed.
        """
        decide_mask(self._home, entry, mask=mask)
        if mask:
            self._join((entry,))

    def _join(self, more: Iterable[str]) -> None:
        with self._mutex:
            self._entries = tuple(dict.fromkeys((*self._entries, *more)))


def decide_mask(home: Path, entry: str, *, mask: bool) -> None:
    """Keep what a person said of a proposed column; the last word counts.

    Args:
        home: The home folder.
        entry: The column, as in the setting `mask`.
        mask: Whether it is to be masked, or the proposal dismissed.

    Raises:
        ConfigError: The file cannot be read or written.
    """
    known = masks_decided(home)
    masked = [one for one in known.mask if one != entry] + [entry] * mask
    dismissed = [one for one in known.dismissed if one != entry] + [entry] * (not mask)
    text = (
        "# Columns that were proposed for masking, and what you said of them. Edit it freely.\n"
        f"mask = {json.dumps(masked, ensure_ascii=False)}\ndismissed = {json.dumps(dismissed, ensure_ascii=False)}\n"
    )
    draft = home / f".{MASKS}.part"
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(home / MASKS)
    except OSError as error:
        raise ConfigError(f"{home / MASKS} cannot be written ({error.strerror}). Nothing was changed.") from error


def listed(given: str) -> list[str]:
    """The entries of a variable that holds several, as in `PATH`. The colons of a URL part nothing."""
    if os.pathsep != ":" or "://" not in given:
        return given.split(os.pathsep)
    return re.split(r":(?=(?:[^\W\d]\w*=)?(?:/(?!/)|~|\.{1,2}/|[A-Za-z][\w+.-]*://))", given)


def _file(path: Path) -> dict[str, object]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read ({error}). Mend it or move it away.") from error
    try:
        return dict(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}. Mend the line it names.") from error


def _default_home(env: Mapping[str, str]) -> Path:
    data = env.get("XDG_DATA_HOME")
    return (Path(data) if data else Path(env.get("HOME") or "~").expanduser() / ".local" / "share") / "tandem"
