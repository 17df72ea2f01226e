"""Access to the operating system's keyring, which stores passwords and API keys. Calls block."""

from __future__ import annotations

from typing import Protocol
from urllib.parse import urlsplit

from assistant.errors import ConfigError

SERVICE = "tandem"


class Keyring(Protocol):
    """The keyring of the operating system, as the `keyring` library offers it."""

    def get_password(self, service: str, name: str) -> str | None: ...
    def set_password(self, service: str, name: str, password: str) -> None: ...
    def delete_password(self, service: str, name: str) -> None: ...


class Use(Protocol):
    """Something that is done with the keyring."""

    def __call__(self, ring: Keyring, /) -> str | None: ...


def in_keyring(use: Use, keyring: Keyring | None = None) -> str | None:
    """Use the keyring; the system's own by default, imported when it is first needed.

    Raises:
        ConfigError: There is none, or it is locked.
    """
    from keyring.errors import KeyringError, PasswordDeleteError

    try:
        return use(keyring or _system_keyring())
    except PasswordDeleteError:
        return None  # it is gone, as was wanted
    except KeyringError as error:
        raise ConfigError(
            "This machine has no keyring that can be used. Put the secret into an environment variable, and "
            "name that instead."
        ) from error


def key_of(address: str) -> str:
    """The API key of a model's address; empty where none is kept.

    It is kept for scheme, host and port, as a browser keeps a password: a table `[models.NAME]` that comes with
    somebody's data and names another address is not given it.

    Raises:
        ConfigError: There is no keyring.
    """
    return in_keyring(lambda ring: ring.get_password(SERVICE, _place(address))) or ""


def keep_key(address: str, key: str) -> None:
    """Keep the API key of a model's address.

    Raises:
        ConfigError: There is no keyring.
    """
    in_keyring(lambda ring: ring.set_password(SERVICE, _place(address), key))


def _place(address: str) -> str:
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    return f"key of {parts.scheme}://{parts.hostname or address}{port}"


def _system_keyring() -> Keyring:
    import keyring

    return keyring.get_keyring()  # pyright: ignore[reportReturnType]  # its decorators hide its signatures
