"""A server on which two people sign in: `python tests/ui/two_people.py PORT FOLDER`.

Everything is real but the provider: who somebody is stands in a plain cookie, which goes through the same seam as
Streamlit's sign-in (`ui.people.People`).
"""

from __future__ import annotations

import sys
from pathlib import Path

import scripted
import streamlit as st
from starlette.websockets import WebSocket

from assistant import bootstrap, session_parts
from assistant.settings.config import Settings
from ui.people import Person

COOKIE = "who"


def _person(name: str | None) -> Person | None:
    return Person(f"https://id.example#{name}", name.capitalize()) if name in ("ana", "ben") else None


class Cookies:
    """Who somebody is, by a cookie."""

    def on_page(self) -> Person | None:
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        if get_script_run_ctx(suppress_warning=True) is None:
            return None
        return _person(st.context.cookies.get(COOKIE))

    def on_socket(self, socket: WebSocket) -> Person | None:
        return _person(socket.cookies.get(COOKIE))

    def sign_in(self) -> None:
        return None

    def sign_out(self) -> None:
        return None


def main(port: int, folder: Path) -> None:
    """Serve."""
    from ui.authentication import Key
    from ui.serve import serve

    session_parts.Roles = scripted.Roles
    settings = Settings(home=folder / "home", sources=(str(scripted.data(folder)),))
    serve(lambda: bootstrap.open_workspace(settings), Key(token=None, port=port), Cookies())


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
