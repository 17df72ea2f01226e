"""What is set of language models: how each is reached, and how much of them may be used.

A model is declared as a table `[models.NAME]` of `tandem.toml`; the settings name it by that NAME.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class ModelSettings(BaseModel):
    """One language model: a table `[models.NAME]`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: str = Field(
        default="openai",
        description=(
            "`openai` (or any OpenAI-compatible endpoint), `azure`, `anthropic`, `ollama`, `gemini`, `bedrock`, or the "
            "dotted path of an AutoGen `ChatCompletionClient`."
        ),
    )
    model: str = Field(default="", description="The model's name at the endpoint.")
    base_url: str = Field(default="", description="The endpoint's address; the provider's own if empty.")
    api_key_env: str | None = Field(
        default=None, description="Environment variable that holds the key; the provider's usual one if not set."
    )
    key_in: Literal["environment", "keyring"] = Field(
        default="environment",
        description="Where the key is: in that variable, or in the system's keyring, as entered on the settings page.",
    )
    form: Literal["auto", "json_schema", "tools", "text"] = Field(
        default="auto", description="How it gives typed replies; `auto` finds out what the endpoint takes."
    )
    streams: bool = Field(default=True, description="Whether replies are shown while they are written.")
    context_tokens: int = Field(default=32_000, gt=0, description="Most tokens of a request and its reply.")
    reply_tokens: int = Field(default=4_000, gt=0, description="Tokens of these that are kept free for the reply.")
    timeout_s: float = Field(default=120.0, gt=0, description="Most seconds that the endpoint may be silent.")
    retries_max: int = Field(
        default=2, ge=0, description="How often a request is sent again after a rate limit, a fault or a lost line."
    )
    temperature: float | None = Field(
        default=None, ge=0, description="Sampling temperature; left to the endpoint if not set."
    )
    price_in: float | None = Field(default=None, ge=0, description="US dollars per million tokens sent.")
    price_out: float | None = Field(default=None, ge=0, description="US dollars per million tokens of replies.")
    config: dict[str, JsonValue] = Field(
        default_factory=dict[str, JsonValue],
        description="Handed to the AutoGen client as it stands: what else its configuration takes.",
    )


class Limits(BaseModel):
    """How much of the models may be used; None sets no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int | None = Field(default=None, gt=0, description="Most calls of models.")
    tokens: int | None = Field(default=None, gt=0, description="Most tokens, sent and replied.")
    dollars: float | None = Field(default=None, gt=0, description="Most US dollars; every model must have a price.")
    seconds: float | None = Field(default=None, gt=0, description="Most seconds spent on waiting for models.")


class RoleLimits(Limits):
    """Limits of all roles together, and of each."""

    planner: Limits = Field(default=Limits(), description="Limits of the planner alone.")
    coder: Limits = Field(default=Limits(), description="Limits of the coder alone.")
    reviewer: Limits = Field(default=Limits(), description="Limits of the reviewer alone.")


class Budgets(BaseModel):
    """How much of the models a turn and a session may use."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turn: RoleLimits = Field(default=RoleLimits(calls=60), description="What one question may use.")
    session: RoleLimits = Field(default=RoleLimits(), description="What a whole session may use.")
