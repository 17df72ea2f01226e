"""The change notifier: redraws the current turn when its session changes, without polling."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from streamlit.components.v2 import component

HTML = '<div id="said" role="status" aria-live="polite"></div>'
CSS = "#said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }"


@cache
def _load_script() -> str:
    return (Path(__file__).parent / "change_notifier.js").read_text(encoding="utf-8")


def change_notifier(
    *, session: str, boot: str, version: int, say: str, title: str, anchor: tuple[str, str, str] | None
) -> None:
    """Mount the change notifier.

    Args:
        session: whose changes to wait for.
        boot: the server's start, so that a tab notices a restart.
        version: the version that this run draws.
        say: what a screen reader is told.
        title: the tab's title.
        anchor: an id, the key of the container to bring into view when the id is new, and "start" or "nearest".
    """
    mount = component("tandem_change_notifier", html=HTML, css=CSS, js=_load_script())
    mount(
        key="change_notifier",
        data={
            "session": session,
            "boot": boot,
            "seen": version,
            "say": say,
            "title": title,
            "anchor": None if anchor is None else {"id": anchor[0], "key": anchor[1], "at": anchor[2]},
        },
        height=1,
        on_tick_change=_do_nothing,
    )


def _do_nothing() -> None:
    """A trigger redraws by itself."""
