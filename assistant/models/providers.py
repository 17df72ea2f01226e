"""Which model a role uses, and the client that reaches it.

A choice is a value without secrets: the API key is named by its environment variable and read when the client is
built. Importing this module imports no provider's package.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from assistant.errors import ConfigError
from assistant.models.usage import Price, price_of

if TYPE_CHECKING:
    from autogen_core.models import ChatCompletionClient

Form = Literal["schema", "functions", "text"]
"""How a model gives a typed reply: by a JSON schema it is held to, by calling a function, or as JSON in plain text."""

OPENAI_URL = "https://api.openai.com/v1"
CONTEXT_TOKENS_MIN = 4_000
"""Fewer tokens than this do not hold a role's instructions, its tools and a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """Which model, where, and what it can do.

    Attributes:
        provider: "embedded" is the analyst without a model; "openai" any OpenAI-compatible endpoint.
        model: The model's name at the endpoint; any name will do.
        base_url: The endpoint; OpenAI's own where empty.
        api_key_env: The environment variable with the key. Empty for an endpoint that wants none.
        form: How it gives typed replies; "auto" tries a schema, then functions, then text, and remembers.
        streams: Whether replies are to arrive piece by piece.
        context_tokens: Most tokens of a request.
        reply_tokens: Tokens of these that are kept free for the reply.
        temperature: Sampling temperature; None leaves it to the endpoint (some models take no other).
        timeout_s: Most seconds that one request may take, all in all.
        retries_max: How often a request is sent again after a 429, a 5xx or a lost connection.
        price: US dollars per million tokens; None looks the name up, for OpenAI's own endpoint only.
    """

    provider: Literal["embedded", "openai"] = "embedded"
    model: str = ""
    base_url: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    form: Literal["auto", "schema", "functions", "text"] = "auto"
    streams: bool = True
    context_tokens: int = 32_000
    reply_tokens: int = 4_000
    temperature: float | None = None
    timeout_s: float = 120.0
    retries_max: int = 2
    price: Price | None = None

    @property
    def endpoint(self) -> str:
        """Host and port of the endpoint, fit to be shown: without a user, a password or a path."""
        parts = urlsplit(self.base_url or OPENAI_URL)
        return f"{parts.hostname or '?'}:{parts.port}" if parts.port else parts.hostname or "?"

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms to try, in order."""
        return ("schema", "functions", "text") if self.form == "auto" else (self.form,)

    @property
    def known_price(self) -> Price | None:
        """The price that is stated, or known for this name at OpenAI's own endpoint."""
        own = self.endpoint == urlsplit(OPENAI_URL).hostname
        return self.price or (price_of(self.model) if own else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model that can be asked: its client, and the choice behind it. `secret` is for taking out of texts."""

    choice: ModelChoice
    client: ChatCompletionClient = field(repr=False)
    secret: str = field(default="", repr=False)

    async def close(self) -> None:
        """Close its connections."""
        await self.client.close()


def build(choice: ModelChoice, *, environment: Mapping[str, str] | None = None) -> Model:
    """Build the client of a choice. Nothing is sent yet.

    Args:
        choice: Which model.
        environment: Where the key is read from; the process's environment by default.

    Raises:
        ConfigError: the choice has no model, names an address that is none, or its key is not set.
    """
    if choice.provider == "embedded":
        raise ConfigError("The embedded analyst is not a language model. Choose it without building a client.")
    if not choice.model:
        raise ConfigError("No model is named. Set TANDEM_MODEL to the model's name at the endpoint.")
    if choice.context_tokens - choice.reply_tokens < CONTEXT_TOKENS_MIN:
        raise ConfigError(
            f"The model {choice.model!r} has a context of {choice.context_tokens} tokens and {choice.reply_tokens} "
            f"of them are for its reply; {CONTEXT_TOKENS_MIN} are needed besides. Choose one with a larger context."
        )
    base_url = choice.base_url or OPENAI_URL
    if urlsplit(base_url).scheme not in ("http", "https"):
        raise ConfigError(f"The model's address at {choice.endpoint!r} does not start with http:// or https://.")
    key = (os.environ if environment is None else environment).get(choice.api_key_env, "") if choice.api_key_env else ""
    if not key and not choice.base_url:
        raise ConfigError(
            f"The model {choice.model!r} needs an API key, and {choice.api_key_env!r} is not set. Set that environment "
            "variable to the key, or leave TANDEM_MODEL empty to work without a model."
        )

    from assistant.models.compatible import CompatibleClient

    # An endpoint of one's own may want no key; the header must hold something.
    client = CompatibleClient(choice, base_url=base_url, api_key=key or "none")
    return Model(choice=choice, client=client, secret=key)
