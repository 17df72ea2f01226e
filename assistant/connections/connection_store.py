"""The connections made on the data page: `connections.json` in the home folder, without passwords.

A password is kept in the keyring of the operating system or in an environment variable; the file says which.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from assistant.connections.descriptions import PasswordPlace
from assistant.core.data_errors import AddressError
from assistant.errors import ConfigError
from assistant.settings.json_files import read_model, write_model
from assistant.settings.system_keyring import SERVICE, Keyring, Use, in_keyring
from assistant.sources.addresses import TOGETHER, parse_addresses

if TYPE_CHECKING:
    from assistant.trust.rights import Rights

FILE = "connections.json"
FOLDER = "files"
_PLAIN_NAME = re.compile(r"[^\W\d]\w*")


class Connection(BaseModel):
    """A source that is kept. `address` is a URL without its password, or a path."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    address: str
    password_place: PasswordPlace = "none"
    variable: str = ""


class _Kept(BaseModel):
    """What the file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    connections: tuple[Connection, ...] = ()


class ConnectionStore:
    """The connections of a home folder. Calls block; they may come from any thread.

    Args:
        home: The home folder.
        rights: The lists of what may be named; the variables among them.
        keyring: Where passwords are kept; the system's by default, imported when it is first needed.
        environment: The environment variables.
    """

    def __init__(
        self,
        home: Path,
        *,
        rights: Callable[[], Rights],
        keyring: Keyring | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._home = home
        self._rights = rights
        self._keyring = keyring
        self._environment = os.environ if environment is None else environment
        self._passwords: dict[str, str] = {}
        self._mutex = threading.Lock()

    @property
    def connections(self) -> tuple[Connection, ...]:
        """The stored connections, in order.

        Raises:
            ConfigError: The file cannot be read or understood.
        """
        stored = read_model(self._home / FILE, _Kept)
        return stored.connections if stored is not None else ()

    def given(self) -> tuple[str, ...]:
        """The connections as one would type them, passwords included: never log them.

        Raises:
            ConfigError: A password is not where it is kept.
            NotAllowed: A variable may not be read as a password any more.
        """
        typed = [(connection.name, self._read_address(connection)) for connection in self.connections]
        return tuple(f"{name}=({address})" if TOGETHER in address else f"{name}={address}" for name, address in typed)

    def add(
        self,
        address: str,
        rights: Rights,
        *,
        name: str = "",
        password_place: PasswordPlace = "none",
        variable: str = "",
    ) -> tuple[str, ...]:
        """Keep a connection; a folder may give several. Gives their names.

        Args:
            address: A URL, with its password where that goes to the keyring, or a path.
            rights: What whoever connects it may name.
            name: What to call it.
            password_place: Where the password is kept.
            variable: The environment variable that holds it.

        Raises:
            AddressError: It cannot be understood, or its name is taken.
            ConfigError: The password or the file cannot be kept. Nothing changed.
            NotAllowed: It names what is not theirs to name.
        """
        if name and not _PLAIN_NAME.fullmatch(name):
            raise AddressError(f"{name!r} cannot be a name: use letters, digits and underscores, a letter first.")
        text = self._from_environment(address, variable) if password_place == "environment" else address
        text_with_name = f"{name}=({text})" if name and TOGETHER in text else f"{name}={text}" if name else text
        matches = parse_addresses(text_with_name, rights)
        bare, password = without_password(address)
        if "://" in bare and any(part.secrets for part in parse_addresses(bare, rights)):
            raise AddressError(
                "A secret among the options of an address (behind its ?) is never kept in a file. Leave it out, or use "
                "the address without keeping it."
            )
        if password and password_place == "none":
            raise AddressError("A password is never kept in a file. Choose the keyring, or an environment variable.")
        with self._mutex:
            existing = self.connections
            names = {connection.name for connection in existing} & {match.name for match in matches}
            if names:
                raise AddressError(f"There is a source named {min(names)!r} already. Give this one another name.")
            if password and password_place == "keyring":
                self._ring(lambda ring: ring.set_password(SERVICE, matches[0].name, password))
            one_file = len(matches) > 1
            connections = tuple(
                Connection(
                    name=connection.name,
                    address=str(connection.files[0]) if one_file and connection.kind != "files" else bare,
                    password_place=password_place,
                    variable=variable,
                )
                for connection in matches
            )
            self._write((*existing, *connections))
        return tuple(connection.name for connection in connections)

    def remove(self, name: str) -> None:
        """Keep a connection no more; a file that was dropped here goes with it.

        Raises:
            AddressError: There is none of that name.
            ConfigError: The file cannot be written.
        """
        with self._mutex:
            existing = self.connections
            removed = next((connection for connection in existing if connection.name == name), None)
            if removed is None:
                raise AddressError(f"There is no kept source {name!r}. It may have been disconnected in another tab.")
            self._write(tuple(connection for connection in existing if connection.name != name))
            if removed.password_place == "keyring":
                self._passwords.pop(name, None)
                self._ring(lambda ring: ring.delete_password(SERVICE, name))
        own = Path(removed.address).parent
        if own.parent == self._home / FOLDER:
            shutil.rmtree(own, ignore_errors=True)

    def _read_address(self, connection: Connection) -> str:
        if connection.password_place == "environment":
            return self._from_environment(connection.address, connection.variable)
        if connection.password_place == "none":
            return connection.address
        if connection.name not in self._passwords:
            password = self._ring(lambda ring: ring.get_password(SERVICE, connection.name))
            if password is None:
                raise ConfigError(
                    f"The keyring holds no password for {connection.name!r} any more. Disconnect it on the data page, "
                    "and connect it again."
                )
            self._passwords[connection.name] = password
        return with_password(connection.address, self._passwords[connection.name])

    def variable(self, name: str) -> str:
        """The password that an environment variable holds.

        Raises:
            ConfigError: It is not set.
            NotAllowed: It may not be read as a password.
        """
        self._rights().check_variable(name)
        password = self._environment.get(name, "")
        if not password:
            raise ConfigError(f"The environment variable {name!r} is not set. Set it where Tandem is started.")
        return password

    def _from_environment(self, address: str, variable: str) -> str:
        return with_password(address, self.variable(variable))

    def _ring(self, use: Use) -> str | None:
        """Use the keyring.

        Raises:
            ConfigError: There is none, or it is locked.
        """
        return in_keyring(use, self._keyring)

    def _write(self, connections: Sequence[Connection]) -> None:
        write_model(self._home / FILE, _Kept(connections=tuple(connections)))


def url_of(*, kind: str, host: str, database: str, port: int | None = None, user: str = "", password: str = "") -> str:
    """A database URL of its parts, each quoted as it must be. A secret, where there is a password."""
    server_url = URL.create(
        kind,
        username=user or None,
        password=password or None,
        host=host or None,
        port=port,
        database=database or None,
    )
    return server_url.render_as_string(hide_password=False)


def with_password(address: str, password: str) -> str:
    """A URL with that password; a path as it is."""
    if "://" not in address:
        return address
    return make_url(address).set(password=password).render_as_string(hide_password=False)


def without_password(address: str) -> tuple[str, str]:
    """A URL without its password, and the password; a path as it is.

    Raises:
        AddressError: It is no URL.
    """
    if "://" not in address:
        return address, ""
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise AddressError("That URL cannot be read. Fill in the form, which writes it for you.") from None
    bare = URL.create(
        url.drivername, username=url.username, host=url.host, port=url.port, database=url.database, query=url.query
    )
    return bare.render_as_string(hide_password=False), str(url.password or "")
