"""The settings: everything that the composition root needs, in one frozen value.

Secrets are not settings: an API key is named by its environment variable and read where it is used.
`assistant.settings.config` reads the settings from environment and files.
"""

from __future__ import annotations

import getpass
from datetime import date
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, field_validator

from assistant.errors import ConfigError
from assistant.settings.models import Budgets, ModelSettings
from assistant.trust.setting_scopes import FOLDER, PERSON, TRUSTED_FOLDER


class Settings(BaseModel):
    """All settings of Tandem, each of them `TANDEM_<NAME>` in the environment or a line of `tandem.toml`.

    Each field is marked with who may set it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: Annotated[Path, PERSON] = Field(description="Where sessions, indexes and the sample company are kept.")
    as_of: Annotated[date | None, FOLDER] = Field(
        default=None, description="The day that counts as today; the system's date by default."
    )
    time_zone: Annotated[str, FOLDER] = Field(
        default="UTC", description="The zone whose days those of instants with a time zone are, as `Europe/Berlin`."
    )
    sources: Annotated[tuple[str, ...], TRUSTED_FOLDER] = Field(
        default=(), description="Sources a new session starts with; the sample company if none."
    )
    knowledge: Annotated[Path | None, TRUSTED_FOLDER] = Field(
        default=None, description="Folder with glossary.yaml, metrics.yaml, rules.md, queries/."
    )
    store: Annotated[str, PERSON] = Field(
        default="", description="SQLAlchemy URL of the session store; a SQLite file in `home` if empty."
    )
    embeddings: Annotated[Literal["auto", "minilm", "hashing"], FOLDER] = Field(
        default="auto", description="How texts are compared: the local MiniLM model where it is there, else hashing."
    )
    model: Annotated[str, TRUSTED_FOLDER] = Field(
        default="",
        description="Language model for every role, a NAME of `models` or its id; the embedded analyst if empty.",
    )
    planner_model: Annotated[str, TRUSTED_FOLDER] = Field(
        default="", description="Language model that plans, if another than `model`."
    )
    coder_model: Annotated[str, TRUSTED_FOLDER] = Field(
        default="", description="Language model that writes code, if another than `model`."
    )
    reviewer_model: Annotated[str, TRUSTED_FOLDER] = Field(
        default="", description="Language model that reviews, if another than `model`."
    )
    base_url: Annotated[str, PERSON] = Field(
        default="", description="Address of an OpenAI-compatible endpoint; the provider's own if empty."
    )
    api_key_env: Annotated[str, PERSON] = Field(
        default="OPENAI_API_KEY", description="Environment variable that holds the API key."
    )
    models: Annotated[dict[str, ModelSettings], TRUSTED_FOLDER] = Field(
        default_factory=dict[str, ModelSettings], description="Language models by NAME, each a table `[models.NAME]`."
    )
    fallbacks: Annotated[tuple[str, ...], TRUSTED_FOLDER] = Field(
        default=(), description="Models that go on, in this order, where the model of a role cannot be reached."
    )
    planner_fallbacks: Annotated[tuple[str, ...], TRUSTED_FOLDER] = Field(
        default=(), description="Those of the planner, if not `fallbacks`."
    )
    coder_fallbacks: Annotated[tuple[str, ...], TRUSTED_FOLDER] = Field(
        default=(), description="Those of the coder, if not `fallbacks`."
    )
    reviewer_fallbacks: Annotated[tuple[str, ...], TRUSTED_FOLDER] = Field(
        default=(), description="Those of the reviewer, if not `fallbacks`."
    )
    budgets: Annotated[Budgets, TRUSTED_FOLDER] = Field(
        default=Budgets(), description="How much of the models a turn and a session may use."
    )
    verifier: Annotated[str, PERSON] = Field(
        default="", description="Your name, as it stands with answers you mark right; the system's user if empty."
    )
    sees: Annotated[Literal["", "names", "values", "results", "rows", "nothing", "statistics", "sample"], PERSON] = (
        Field(
            default="",
            description=(
                "What a language model may see of the data: `names`, `values`, `results` or `rows`. If empty, `rows` "
                "where the model runs on this machine; elsewhere you are asked, once for each endpoint."
            ),
        )
    )
    mask: Annotated[tuple[str, ...], FOLDER] = Field(
        default=(),
        description=(
            "Columns never shown, as `table.column` or `source.table.column`; those confirmed in `masks.toml` too."
        ),
    )
    cage: Annotated[Literal["", "zygote", "bubblewrap", "landlock"], PERSON] = Field(
        default="", description="The cage to insist on; the strongest that holds on this machine if empty."
    )
    uncaged: Annotated[bool, PERSON] = Field(
        default=False, description="Run code without a cage where this machine can hold none."
    )
    rows_max: Annotated[int, TRUSTED_FOLDER] = Field(default=1_000_000, gt=0, description="Rows a query may return.")
    megabytes_max: Annotated[int, TRUSTED_FOLDER] = Field(
        default=512, gt=0, description="Megabytes a query may return."
    )
    query_seconds_max: Annotated[float, TRUSTED_FOLDER] = Field(
        default=60.0, gt=0, description="Seconds a query may take."
    )
    cell_seconds_max: Annotated[float, TRUSTED_FOLDER] = Field(
        default=120.0, gt=0, description="Seconds a cell may take."
    )
    memory_megabytes_max: Annotated[int, TRUSTED_FOLDER] = Field(
        default=4096, gt=0, description="Megabytes of memory a kernel may use."
    )
    kernels_max: Annotated[int, TRUSTED_FOLDER] = Field(
        default=0, ge=0, description="Kernels open at once; what half of the memory holds if 0."
    )
    kernel_idle_minutes: Annotated[float, TRUSTED_FOLDER] = Field(
        default=20.0,
        gt=0,
        description="Minutes after which an unused kernel is let go; its state comes back on return.",
    )
    password_variables: Annotated[tuple[str, ...], PERSON] = Field(
        default=("TANDEM_DB_*",),
        description=(
            "Environment variables that may hold the password of a database; `*` stands for any characters. One that "
            "holds the key of a model is never read as a password."
        ),
    )
    database_hosts: Annotated[tuple[str, ...], PERSON] = Field(
        default=(),
        description=(
            "Database servers that people who sign in may connect, as `HOST` or `HOST:PORT`; none by default. Whoever "
            "runs Tandem may connect any."
        ),
    )
    web_hosts: Annotated[tuple[str, ...], PERSON] = Field(
        default=(),
        description=(
            "Hosts that files may be downloaded from, as `HOST` or `HOST:PORT`; none by default. A host within your "
            "own network needs its number (`10.0.0.5`) listed as well."
        ),
    )
    functions: Annotated[tuple[str, ...], PERSON] = Field(
        default=(),
        description=(
            "Functions made in the database that queries may call, as `name` or `schema.name`. Where columns are "
            "masked, they stay refused."
        ),
    )
    functions_without_tables: Annotated[tuple[str, ...], PERSON] = Field(
        default=(),
        description="Those of them that read no table: queries may call them where columns are masked, too.",
    )

    @field_validator("time_zone")
    @classmethod
    def _is_time_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"{name!r} is no time zone of the IANA's, such as 'Europe/Berlin'") from error
        return name

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

    def fallbacks_of(self, role: Literal["planner", "coder", "reviewer"]) -> tuple[str, ...]:
        """The models that go on, in this order, where the model of a role cannot be reached."""
        own = {
            "planner": self.planner_fallbacks,
            "coder": self.coder_fallbacks,
            "reviewer": self.reviewer_fallbacks,
        }[role]
        return own or self.fallbacks
