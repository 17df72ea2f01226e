"""The model of a role, and the client that reaches it.

A choice is a value without secrets: the API key is named by its environment variable and read when the client is built.
Importing this module imports no provider's package.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, JsonValue, ValidationError

from assistant.errors import ConfigError
from assistant.models.capabilities import FILE, Capabilities, Form, KnownCapabilities
from assistant.models.clients import CLIENTS, OWN, Client
from assistant.models.components import list_items, require_known_classes
from assistant.models.redirects import keep_at_address
from assistant.models.usage import Price, find_price
from assistant.settings.system_keyring import key_of

if TYPE_CHECKING:
    from autogen_core.models import ChatCompletionClient
    from autogen_core.tools import ToolSchema

CONTEXT_TOKENS_MIN = 4_000
"""Fewer tokens than this do not hold a role's instructions, its tools and a question."""
_ADDRESSES = frozenset({"base_url", "azure_endpoint", "host", "endpoint", "url"})
"""The names under which AutoGen's clients take an address."""
_SECRET = ("key", "token", "password", "secret", "authorization")
"""Words in the name of what is kept in no file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """Which model, where, and what it can do.

    Attributes:
        name: The model's table in the settings, `[models.NAME]`; empty for one that is named by its id alone.
        provider: "embedded" is the analyst without a model; else a short name, or a dotted `ChatCompletionClient`.
        model: The model's name at the endpoint; any name will do.
        base_url: The endpoint; the provider's own where empty.
        api_key_env: The environment variable with the key. Empty for an endpoint that wants none.
        key_in: Whether the key is in that variable, or in the keyring of the operating system.
        form: How it gives typed replies; "auto" tries the forms that its provider has, and remembers.
        streams: Whether replies are to arrive piece by piece.
        context_tokens: Most tokens of a request.
        reply_tokens: Tokens of these that are kept free for the reply.
        temperature: Sampling temperature; None leaves it to the endpoint (some models take no other).
        timeout_s: Most seconds of silence: before a reply that comes in one piece, or between two pieces of one that
            streams.
        retries_max: How often a request is sent again after a 429, a 5xx or a lost connection.
        price: US dollars per million tokens; None looks the name up, for OpenAI's own endpoint only.
        config: What else the AutoGen component is given.
    """

    name: str = ""
    provider: str = "embedded"
    model: str = ""
    base_url: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    key_in: Literal["environment", "keyring"] = "environment"
    form: Literal["auto", "schema", "functions", "text"] = "auto"
    streams: bool = True
    context_tokens: int = 32_000
    reply_tokens: int = 4_000
    temperature: float | None = None
    timeout_s: float = 120.0
    retries_max: int = 2
    price: Price | None = None
    config: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])

    @property
    def way(self) -> Client:
        """How its provider's client is built and asked."""
        return CLIENTS.get(self.provider, OWN)

    @property
    def address(self) -> str:
        """The endpoint's address, which may hold a user and a password."""
        if self.base_url:
            return self.base_url
        address = self.config.get(self.way.address)
        return address if isinstance(address, str) and address else self.way.url

    @property
    def endpoint(self) -> str:
        """Host and port of the endpoint, fit to be shown: without a user, a password or a path."""
        if not self.address:
            return self.provider
        parts = urlsplit(self.address)
        return f"{parts.hostname or '?'}:{parts.port}" if parts.port else parts.hostname or "?"

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms to try, in order."""
        return self.way.forms if self.form == "auto" else (self.form,)

    @property
    def known_price(self) -> Price | None:
        """The price that is stated, or known for this name at OpenAI's own endpoint."""
        own = self.endpoint == urlsplit(CLIENTS["openai"].url).hostname
        return self.price or (find_price(self.model) if own else None)

    def name_setting(self, name: str) -> str:
        """Where a setting of this model is set, in words for an error's text."""
        if self.name:
            return f"{name} in [models.{self.name}] of tandem.toml"
        if name in ("base_url", "api_key_env"):
            return f"TANDEM_{name.upper()}"
        return f"{name} in a table [models.NAME] of tandem.toml, with TANDEM_MODEL set to that NAME"


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model that can be asked: its client, and the choice behind it. `secret` is for taking out of texts."""

    choice: ModelChoice
    client: ChatCompletionClient = field(repr=False)
    learnt: KnownCapabilities = field(
        repr=False, default_factory=lambda: KnownCapabilities(Capabilities(forms=CLIENTS["openai"].forms))
    )
    secret: str = field(default="", repr=False)

    def arguments(
        self,
        *,
        tools: Sequence[ToolSchema],
        response_format: JsonValue,
        reply_type: type[BaseModel] | None,
        streamed: bool,
    ) -> dict[str, Any]:
        """The arguments of a request to the client, as far as the endpoint takes them."""
        choice, capabilities, provider = self.choice, self.learnt.now, self.choice.way
        arguments: dict[str, Any] = {"tools": tools} if tools else {}
        extra: dict[str, Any] = {}
        if response_format is not None and provider.held_by == "response_format":
            extra["response_format"] = response_format
        elif reply_type is not None and response_format is not None:
            arguments["json_output"] = reply_type
        if choice.temperature is not None and capabilities.temperature:
            extra["temperature"] = choice.temperature
        elif provider.temperature_left_out is not None:
            extra["temperature"] = provider.temperature_left_out()  # or the client sends one that nobody set
        if provider.speaks_openai:
            limit = choice.config.get("max_tokens") or choice.config.get("max_completion_tokens")
            if isinstance(limit, int):
                extra["max_completion_tokens" if capabilities.max_completion_tokens else "max_tokens"] = limit
            if streamed and capabilities.stream_options:
                extra["stream_options"] = {"include_usage": True}
        if extra:
            arguments["extra_create_args"] = extra
        return arguments

    async def close(self) -> None:
        """Close its connections."""
        await self.client.close()


def build(
    choice: ModelChoice,
    *,
    environment: Mapping[str, str] | None = None,
    home: Path | None = None,
    key: str | None = None,
) -> Model:
    """Build the client of a choice. Nothing is sent yet. Blocks where the key is in the keyring.

    Args:
        choice: Which model.
        environment: Where the key is read from; the process's environment by default.
        home: The folder in which it is remembered what the endpoint takes; it is not remembered if None.
        key: The key, where it is not read from its place.

    Raises:
        ConfigError: the choice has no model, names an address that is none, its key is not set, or its provider's
            package is not installed.
    """
    if choice.provider == "embedded":
        raise ConfigError("The embedded analyst is not a language model. Choose it without building a client.")
    _check(choice)
    provider = choice.way
    if key is None:
        key = _find_key(choice, os.environ if environment is None else environment)
    if not key and not choice.base_url and provider.needs_key:
        raise ConfigError(
            f"The model {choice.model!r} needs an API key, and {choice.api_key_env!r} is not set. Set that environment "
            "variable to the key, or leave TANDEM_MODEL empty to work without a model."
        )

    from autogen_core.models import ChatCompletionClient

    # Endpoints name the dated release behind a model's name; AutoGen's clients warn of that at every reply.
    warnings.filterwarnings("ignore", message="Resolved model mismatch", category=UserWarning)
    component = provider.component or choice.provider
    try:
        require_known_classes(component, choice)
        client = ChatCompletionClient.load_component({"provider": component, "config": provider.config(choice, key)})
    except (ImportError, AttributeError, ValueError, TypeError, KeyError, AssertionError) as error:
        # Not chained: a validation error's text holds the configuration, and with it the key.
        raise ConfigError(
            f"The client {component!r} of the model {choice.name or choice.model!r} cannot be made "
            f"({type(error).__name__}: {_find_first(error, key)}). "
            f"Check {choice.name_setting('provider')} and its `config`."
        ) from None
    keep_at_address(client)
    start = Capabilities(forms=choice.forms)
    parts = urlsplit(choice.address)
    place = f"{choice.provider} {choice.endpoint}{parts.path} {choice.model or component}"
    learnt = KnownCapabilities(start, key=place, file=home / FILE if home is not None else None)
    return Model(choice=choice, client=client, learnt=learnt, secret=key)


def _find_key(choice: ModelChoice, environment: Mapping[str, str]) -> str:
    """The key of a choice; empty where there is none."""
    if choice.key_in == "environment":
        return environment.get(choice.api_key_env, "") if choice.api_key_env else ""
    key = key_of(choice.address or choice.provider)
    if not key:
        raise ConfigError(
            f"The keyring holds no key for {choice.endpoint!r}. Enter it on the settings page, at the model "
            f"{choice.name or choice.model!r}."
        )
    return key


def _check(choice: ModelChoice) -> None:
    """Whether a choice can work, as far as that can be known without its client."""
    is_builtin = choice.provider in CLIENTS
    if not is_builtin and "." not in choice.provider:
        raise ConfigError(
            f"There is no provider {choice.provider!r}. Set {choice.name_setting('provider')} to one of "
            f"{', '.join(CLIENTS)}, or to the dotted path of a ChatCompletionClient."
        )
    if is_builtin and not choice.model:
        raise ConfigError(
            "No model is named. Set TANDEM_MODEL to the model's name at the endpoint"
            + (f", or model in [models.{choice.name}] of tandem.toml." if choice.name else ".")
        )
    if choice.context_tokens - choice.reply_tokens < CONTEXT_TOKENS_MIN:
        raise ConfigError(
            f"The model {choice.model!r} has a context of {choice.context_tokens} tokens and {choice.reply_tokens} "
            f"of them are for its reply; {CONTEXT_TOKENS_MIN} are needed besides. Choose one with a larger context, or "
            f"correct {choice.name_setting('context_tokens')}."
        )
    if choice.address and urlsplit(choice.address).scheme not in ("http", "https"):
        raise ConfigError(
            f"The model's address at {choice.endpoint!r} does not start with http:// or https://. "
            f"Correct {choice.name_setting('base_url')}."
        )
    if not choice.address and choice.way.address_needed:
        raise ConfigError(
            f"The model {choice.name or choice.model!r} has no address. Set {choice.name_setting('base_url')} to the "
            f"endpoint of your resource at {choice.provider}."
        )
    strings = [(name, value) for name, value in list_items(choice.config) if isinstance(value, str)]
    secrets = [name for name, _ in strings if any(word in name.lower() for word in _SECRET)]
    if secrets:
        raise ConfigError(
            f"`config` of [models.{choice.name}] holds {secrets[0]!r}, and keys are not kept in files. Put it into an "
            f"environment variable, and its name into {choice.name_setting('api_key_env')}."
        )
    # One address alone: it is the one that is shown, and that decides what the model may see.
    addresses = [name for name, _ in strings if name in _ADDRESSES and (choice.base_url or name != choice.way.address)]
    if addresses and (is_builtin or choice.base_url):
        raise ConfigError(
            f"`config` of [models.{choice.name}] holds the address {addresses[0]!r}. "
            f"Set {choice.name_setting('base_url')} instead, and take it out of there."
        )
    for package in choice.way.packages:
        if not _is_installed(package):
            raise ConfigError(
                f"The provider {choice.provider!r} needs the package {package!r}, which is not installed. "
                f"Install it: pip install tandem-analyst[{choice.way.extra}]"
            )


def _is_installed(package: str) -> bool:
    """Whether a package can be imported; one within another (`azure.identity`) too."""
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def _find_first(error: BaseException, key: str) -> str:
    from assistant.models.errors import without_secrets

    # Of a pydantic error only the messages: its text repeats what it was given.
    if isinstance(error, ValidationError):
        return "; ".join(f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}" for detail in error.errors()[:3])
    return without_secrets((str(error).strip().splitlines() or [""])[0], key)[:200]
