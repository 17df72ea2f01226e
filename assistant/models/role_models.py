"""The models of a role from the settings: the preferred one, then its fallbacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from assistant.core.events import Role
from assistant.models.clients import CLIENTS
from assistant.models.providers import ModelChoice
from assistant.models.usage import Price

if TYPE_CHECKING:
    from assistant.settings.settings import Settings

_FORMS: dict[str, Literal["auto", "schema", "functions", "text"]] = {
    "auto": "auto",
    "json_schema": "schema",
    "tools": "functions",
    "text": "text",
}


def find_choice(settings: Settings, name: str) -> ModelChoice:
    """The choice that a name of the settings stands for: a table `[models.NAME]`, else the model's id."""
    model = settings.models.get(name)
    if model is None:
        return ModelChoice(provider="openai", model=name, base_url=settings.base_url, api_key_env=settings.api_key_env)
    usual = CLIENTS[model.provider].key_env if model.provider in CLIENTS else ""
    priced = model.price_in is not None or model.price_out is not None
    return ModelChoice(
        name=name,
        provider=model.provider,
        model=model.model,
        base_url=model.base_url,
        api_key_env=usual if model.api_key_env is None else model.api_key_env,
        key_in=model.key_in,
        form=_FORMS[model.form],
        streams=model.streams,
        context_tokens=model.context_tokens,
        reply_tokens=model.reply_tokens,
        temperature=model.temperature,
        timeout_s=model.timeout_s,
        retries_max=model.retries_max,
        price=Price(input=model.price_in or 0.0, output=model.price_out or 0.0) if priced else None,
        config=model.config,
    )


def list_names(settings: Settings, role: Role) -> tuple[str, ...]:
    """The models of a role in the order in which they are asked; none for the embedded analyst."""
    own = settings.model_of(role)
    return tuple(dict.fromkeys((own, *settings.fallbacks_of(role)))) if own else ()
