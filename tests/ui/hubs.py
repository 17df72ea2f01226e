"""A session hub that is the page's for as long as a test needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from assistant.api.opening import OpenWorkspace
from ui import session_hub
from ui.session_hub import SessionHub


@contextmanager
def installed(open_workspace: OpenWorkspace) -> Iterator[SessionHub]:
    """Start a hub, make it the page's, and close it in the end."""
    hub = SessionHub(open_workspace)
    hub.start()
    session_hub.install(hub)
    try:
        yield hub
    finally:
        session_hub.install(None)
        hub.close()
