"""Settings of language models: how each is reached, and its budget.

A model is declared as a table `[models.NAME]` of `tandem.toml`; the settings name it by that NAME.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from assistant.trust.setting_scopes import PERSON, TRUSTED_FOLDER, SetBy

KEYED_PROVIDERS = ("openai", "azure", "anthropic", "ollama", "gemini")
"""The providers that a trusted folder may name. Not `bedrock`, which signs with the machine's own account at AWS, and
no dotted path, which is code."""


class ModelSettings(BaseModel):
    """One language model: a table `[models.NAME]`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: Annotated[str, SetBy("trusted folder", values=KEYED_PROVIDERS)] = Field(
        default="openai",
        description=(
            "`openai` (or any OpenAI-compatible endpoint), `azure`, `anthropic`, `ollama`, `gemini`, `bedrock`, or the "
            "dotted path of an AutoGen `ChatCompletionClient`."
        ),
    )
    model: Annotated[str, TRUSTED_FOLDER] = Field(default="", description="The model's name at the endpoint.")
    base_url: Annotated[str, TRUSTED_FOLDER] = Field(
        default="",
        description="The endpoint's address, to which questions and data are sent; the provider's own if empty.",
    )
    api_key_env: Annotated[str | None, PERSON] = Field(
        default=None, description="Environment variable that holds the key; the provider's usual one if not set."
    )
    key_in: Annotated[Literal["environment", "keyring"], TRUSTED_FOLDER] = Field(
        default="environment",
        description="Where the key is: in that variable, or in the system's keyring, as entered on the settings page.",
    )
    form: Annotated[Literal["auto", "json_schema", "tools", "text"], TRUSTED_FOLDER] = Field(
        default="auto", description="How it gives typed replies; `auto` finds out what the endpoint takes."
    )
    streams: Annotated[bool, TRUSTED_FOLDER] = Field(
        default=True, description="Whether replies are shown while they are written."
    )
    context_tokens: Annotated[int, TRUSTED_FOLDER] = Field(
        default=32_000, gt=0, description="Most tokens of a request and its reply."
    )
    reply_tokens: Annotated[int, TRUSTED_FOLDER] = Field(
        default=4_000, gt=0, description="Tokens of these that are kept free for the reply."
    )
    timeout_s: Annotated[float, TRUSTED_FOLDER] = Field(
        default=120.0, gt=0, description="Most seconds that the endpoint may be silent."
    )
    retries_max: Annotated[int, TRUSTED_FOLDER] = Field(
        default=2, ge=0, description="How often a request is sent again after a rate limit, a fault or a lost line."
    )
    temperature: Annotated[float | None, TRUSTED_FOLDER] = Field(
        default=None, ge=0, description="Sampling temperature; left to the endpoint if not set."
    )
    price_in: Annotated[float | None, TRUSTED_FOLDER] = Field(
        default=None, ge=0, description="US dollars per million tokens sent."
    )
    price_out: Annotated[float | None, TRUSTED_FOLDER] = Field(
        default=None, ge=0, description="US dollars per million tokens of replies."
    )
    config: Annotated[dict[str, JsonValue], PERSON] = Field(
        default_factory=dict[str, JsonValue],
        description="Handed to the AutoGen client as it stands: what else its configuration takes.",
    )


class BudgetLimits(BaseModel):
    """How much of the models may be used; None sets no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: Annotated[int | None, TRUSTED_FOLDER] = Field(default=None, gt=0, description="Most calls of models.")
    tokens: Annotated[int | None, TRUSTED_FOLDER] = Field(
        default=None, gt=0, description="Most tokens, sent and replied."
    )
    dollars: Annotated[float | None, TRUSTED_FOLDER] = Field(
        default=None, gt=0, description="Most US dollars; every model must have a price."
    )
    seconds: Annotated[float | None, TRUSTED_FOLDER] = Field(
        default=None, gt=0, description="Most seconds spent on waiting for models."
    )


class RoleLimits(BudgetLimits):
    """Limits of all roles together, and of each."""

    planner: Annotated[BudgetLimits, TRUSTED_FOLDER] = Field(
        default=BudgetLimits(), description="Limits of the planner alone."
    )
    coder: Annotated[BudgetLimits, TRUSTED_FOLDER] = Field(
        default=BudgetLimits(), description="Limits of the coder alone."
    )
    reviewer: Annotated[BudgetLimits, TRUSTED_FOLDER] = Field(
        default=BudgetLimits(), description="Limits of the reviewer alone."
    )


class Budgets(BaseModel):
    """How much of the models a turn and a session may use."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turn: Annotated[RoleLimits, TRUSTED_FOLDER] = Field(
        default=RoleLimits(calls=60), description="What one question may use."
    )
    session: Annotated[RoleLimits, TRUSTED_FOLDER] = Field(
        default=RoleLimits(), description="What a whole session may use."
    )
