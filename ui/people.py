"""Identity of the page's users: Streamlit's OpenID Connect, where its secrets have a section `[auth]`.

Without that section there is one person, who has the token (`ui.authentication`). With it, every script run, callback
and websocket must name its person, or is refused. This module does not know sessions.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import streamlit as st

from assistant.api.errors import ConfigError

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who signed in: an id that no other person gets, and what they are called."""

    id: str
    name: str


class People(Protocol):
    """A way to sign in."""

    def on_page(self) -> Person | None:
        """Who the running script is for; None where nobody signed in, or no script runs."""
        ...

    def on_socket(self, socket: WebSocket) -> Person | None:
        """Who a websocket is for; None where nobody signed in."""
        ...

    def sign_in(self) -> None:
        """Begin to sign in."""
        ...

    def sign_out(self) -> None:
        """Sign out."""
        ...


def find_sign_in() -> People | None:
    """The way to sign in that is set up; None where there is none.

    Raises:
        ConfigError: one is set up, and what it needs is not installed.
    """
    from streamlit.auth_util import is_authlib_installed
    from streamlit.runtime.secrets import secrets_singleton

    if not secrets_singleton.load_if_toml_exists() or "auth" not in secrets_singleton:
        return None
    if not is_authlib_installed():
        raise ConfigError(
            "Streamlit's secrets have a section [auth], and Authlib, which signs people in, is not installed. "
            "Install it with: pip install 'tandem-analyst[people]'"
        )
    return OpenIdConnect()


class OpenIdConnect:
    """Streamlit's own sign-in: it sets a signed cookie after the provider has said who it is."""

    def on_page(self) -> Person | None:
        """Who the running script is for."""
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        if get_script_run_ctx(suppress_warning=True) is None:
            return None
        return read_person(st.user.to_dict())

    def on_socket(self, socket: WebSocket) -> Person | None:
        """Who a websocket is for, by the cookie that Streamlit signed, as Streamlit's own socket reads it."""
        from streamlit.web.server.starlette import starlette_websocket as theirs
        from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

        origin = socket.headers.get("origin")
        if origin is None:
            return None
        try:
            cookie = theirs._get_signed_cookie_with_chunks(  # pyright: ignore[reportPrivateUsage] - there is no other
                dict(socket.cookies), USER_COOKIE_NAME
            )
            claims = theirs._parse_decoded_user_cookie(cookie, origin) if cookie else {}  # pyright: ignore[reportPrivateUsage]
        except (ValueError, AttributeError, json.JSONDecodeError):
            log.warning("a cookie of a sign-in could not be read", exc_info=True)
            return None
        return read_person(claims)

    def sign_in(self) -> None:
        """Lead to the provider."""
        st.login()

    def sign_out(self) -> None:
        """Forget who it is."""
        st.logout()


def read_person(claims: Mapping[str, object]) -> Person | None:
    """The person that an identity token speaks of; None where it speaks of none.

    The issuer and its `sub` together are unique and never given to another; an address of mail may be.
    Source: OpenID Connect Core 1.0, section 5.7.
    """
    issuer, subject = claims.get("iss"), claims.get("sub")
    if claims.get("is_logged_in") is not True or not isinstance(issuer, str) or not isinstance(subject, str):
        return None
    if not issuer or not subject:
        return None
    name = next((str(claims[claim]) for claim in ("name", "email", "preferred_username") if claims.get(claim)), subject)
    return Person(f"{issuer}#{subject}", name)
