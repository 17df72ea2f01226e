"""What changes the sources of new questions: asked first, and told on the page that is drawn anew."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import streamlit as st

from assistant.api.errors import AssistantError
from ui.session_hub import SessionHub
from ui.views.text import plain


def draw_confirmation(
    live: SessionHub,
    *,
    label: str,
    icon: str,
    key: str,
    explanation: str,
    yes: str,
    work: Callable[[], Coroutine[Any, Any, object]],
) -> bool:
    """Draw a button that asks before it does its work; whether it is done now.

    Args:
        live: The open workspace.
        label: What the button says.
        icon: Its icon.
        key: Its key; the button that confirms has one made of it.
        explanation: What will be different.
        yes: What the button says that confirms.
        work: Does it; an AssistantError is told in its place.
    """
    with st.popover(label, icon=icon, type="tertiary", key=key):
        st.markdown(explanation)
        if not st.button(yes, key=f"{key}-yes", type="primary"):
            return False
        try:
            live.call(work())
        except AssistantError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return False
    return True


def finish(live: SessionHub, text: str) -> None:
    """Draw the page anew, with what was done."""
    live.forget_starters()
    st.session_state["data-done"] = text
    st.rerun()
