"""Checks the classes that a model's settings name, before any object is made.

AutoGen's `load_component` makes an object of any class that a configuration names, on every level of it, and checks its
type afterwards, which is too late for one that runs code in its constructor. To import a module runs code as well, so
only the person's own settings may name a dotted path (`assistant.settings.folder_file`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, cast

from assistant.errors import ConfigError

if TYPE_CHECKING:
    from assistant.models.providers import ModelChoice

_TOKEN_PROVIDER = "autogen_ext.auth.azure.AzureTokenProvider"
"""What signs in at Azure; it is known by its name, as its package need not be installed."""


def require_known_classes(provider: str, choice: ModelChoice) -> None:
    """Require that a provider is a model client, and that its configuration names nothing but what such clients use.

    Raises:
        ConfigError: A class is something else; nothing was made of it.
        ImportError, AttributeError, ValueError: There is no such class.
    """
    from autogen_core import CacheStore
    from autogen_core.models import ChatCompletionClient

    where = f"{choice.name_setting('provider')} and its `config`"
    if not issubclass(_load_class(provider), ChatCompletionClient):
        raise ConfigError(f"{provider!r} is no ChatCompletionClient, so nothing was made of it. Correct {where}.")
    for name in _find_components(choice.config):
        if name != _TOKEN_PROVIDER and not issubclass(_load_class(name), (ChatCompletionClient, CacheStore)):
            raise ConfigError(
                f"`config` names {name!r}, which is neither a model client nor what one needs, so nothing was made of "
                f"it. Correct {where}."
            )


def list_items(config: object) -> Iterator[tuple[str, object]]:
    """The names and values of a configuration, on every level of it."""
    if isinstance(config, Mapping):
        for name, value in cast("Mapping[str, object]", config).items():
            yield name, value
            yield from list_items(value)
    elif isinstance(config, list):
        for value in cast("list[object]", config):
            yield from list_items(value)


def _find_components(config: object) -> Iterator[str]:
    """The dotted paths that a configuration names as a component's provider."""
    yield from (
        value for name, value in list_items(config) if name == "provider" and isinstance(value, str) and "." in value
    )


def _load_class(path: str) -> type[object]:
    module, _, name = path.rpartition(".")
    member: object = getattr(import_module(module), name)
    return member if isinstance(member, type) else type(None)  # what is no class is no client either
