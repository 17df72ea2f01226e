"""Passwords in and out of database URLs, so that an address can be kept without its secret. Pure."""

from __future__ import annotations

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from assistant.core.data_errors import AddressError


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
