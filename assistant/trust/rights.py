"""Rights of a requester: the check that every file, folder, host, variable and option passes.

An address of data (`assistant.sources.addresses`) cannot be made without `Rights`. It carries them, and they are
checked again when it is opened: a link may have been changed since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.trust import hosts, places, variables
from assistant.trust.options import check_options
from assistant.trust.requester import NotAllowed, Requester

_ADMINISTRATORS = (
    "Files, folders and databases of this server are connected by whoever runs it, in `sources` of its settings. "
    "Upload the file, or use the data that is connected already."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """Who asks, and the lists by which that is judged.

    Attributes:
        requester: Who asks.
        private: Tandem's own folders and files, which nobody names.
        kept: Folders below those in which Tandem keeps data that is connected for everybody: uploads, the sample.
        own: Folders below `private` that hold what this requester was given: their uploads. They name no path in them;
            Tandem does.
        hosts: Database hosts that a member may connect, as `HOST` or `HOST:PORT`.
        web_hosts: Hosts that files may be downloaded from, as `HOST` or `HOST:PORT`.
        downloads: Where Tandem keeps what it downloaded; None where nothing may be.
        variables: Names (`*` for any characters) of environment variables that may hold a database's password.
        keys: Likewise of variables that hold keys of models and services, which are no passwords of databases.
    """

    requester: Requester
    private: tuple[Path, ...]
    kept: tuple[Path, ...] = ()
    own: tuple[Path, ...] = ()
    hosts: tuple[str, ...] = ()
    web_hosts: tuple[str, ...] = ()
    downloads: Path | None = None
    variables: tuple[str, ...] = ()
    keys: frozenset[str] = frozenset()

    def granted(self) -> Rights:
        """The rights over what an administrator connected, or somebody who might then."""
        return replace(self, requester="administrator", own=(*self.own, *self.kept))

    def within(self, folder: Path) -> Rights:
        """The same with a folder of the requester's own, in which Tandem names files for them."""
        return replace(self, own=(*self.own, folder))

    @property
    def can_name_places(self) -> bool:
        """Whether paths and addresses of the server are this requester's to name."""
        return self.requester in ("person", "administrator")

    def check_file(self, path: Path) -> None:
        """Judge a file or folder by where its path leads now.

        Raises:
            NotAllowed: It is not this requester's to name. Nothing tells whether it exists.
        """
        try:
            if places.is_within(path, self.own):
                return
            if not self.can_name_places:
                raise NotAllowed(_ADMINISTRATORS)
            if places.is_private(path, self.private):
                raise NotAllowed(
                    f"{path.name!r} belongs to Tandem or to this machine's system, and cannot be connected as data. "
                    "Give a file or folder of your own data; from a conversation, download the result first."
                )
        except ValueError:
            raise NotAllowed("That is not the path of a file. Check its spelling.") from None

    def check_server(self, driver: str, *, host: str, port: int | None, options: Mapping[str, Sequence[str]]) -> None:
        """Judge the address of a database server.

        Raises:
            NotAllowed: Its driver, its host or an option is not this requester's to name.
        """
        if not self.can_name_places and not (host and hosts.is_listed(host, port, self.hosts)):
            raise NotAllowed(_ADMINISTRATORS)
        if host and not hosts.is_plain(host):
            raise NotAllowed("The host of that address is not the name of one host. Write it as db.example.com.")
        for file in check_options(driver, options):
            self.check_file(Path(file))

    def check_web_host(self, host: str, port: int) -> None:
        """Judge a host that a file is to be downloaded from, by its name or its number.

        Raises:
            NotAllowed: It is not on the list, or not this requester's to name.
        """
        if not self.can_name_places:
            raise NotAllowed(_ADMINISTRATORS)
        if self.downloads is None or not hosts.is_listed(host, port, self.web_hosts):
            allowed = ", ".join(self.web_hosts) or "none"
            raise NotAllowed(
                f"Files may not be downloaded from {host!r}. Allowed: {allowed}. To allow it, add it to `web_hosts` of "
                "your settings, or as TANDEM_WEB_HOSTS; or download the file and give that."
            )

    def check_variable(self, name: str) -> None:
        """Judge an environment variable that is to be read as a database's password.

        Raises:
            NotAllowed: It is not on the list.
        """
        if not variables.is_listed(name, self.variables, keys=self.keys):
            allowed = ", ".join(self.variables) or "none"
            raise NotAllowed(
                f"The environment variable {name!r} may not be read as a password. Allowed: {allowed}. Whoever runs "
                "Tandem sets the list as `password_variables`; a variable that holds an API key is never on it."
            )
