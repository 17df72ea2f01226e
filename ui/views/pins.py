"""Statements of the person that still apply, as chips above the input box: scope, and a button to remove each."""

from __future__ import annotations

import streamlit as st

from assistant.api.events import PinScope
from assistant.api.session import Pin, Session
from ui import actions
from ui.session_hub import SessionHub
from ui.views.text import line, shorten

SCOPES: dict[PinScope, str] = {
    "result": "This result and follow-ups to it",
    "conversation": "This conversation",
    "data": "This data, in every conversation (kept as knowledge)",
    "always": "Everything I ask",
}
_ICONS = {
    "fact": ":material/info:",
    "definition": ":material/menu_book:",
    "correction": ":material/edit:",
    "rejection": ":material/block:",
}
_CHIPS_MAX = 2
_LABEL_CHARS = 34


def draw(live: SessionHub, session: Session) -> None:
    """Draw the chips, the latest first; nothing where nothing was said."""
    pins = live.of(session).list_pins()
    if not pins:
        return
    latest = tuple(reversed(pins))
    with st.container(horizontal=True, key="pins", gap="small", vertical_alignment="center"):
        for pin in latest[:_CHIPS_MAX]:
            with st.popover(
                line(shorten(pin.words, _LABEL_CHARS)), icon=_ICONS[pin.kind], type="tertiary", key=f"pin-{pin.id}"
            ):
                _draw_pin(live, session, pin, key=pin.id)
        if len(latest) > 1:
            with st.popover(f"All {len(latest)} notes", icon=":material/more_horiz:", type="tertiary", key="pins-all"):
                for pin in latest:
                    with st.container(border=True):
                        _draw_pin(live, session, pin, key=f"all-{pin.id}")


def _draw_pin(live: SessionHub, session: Session, pin: Pin, *, key: str) -> None:
    """One thing that was said: its words, what it holds for, and the way to drop it."""
    st.markdown(line(pin.text))
    if pin.turn:
        st.caption(f"You said this with question {pin.turn}.")
    elif pin.scope == "data":
        st.caption("Kept as knowledge of this data from another conversation.")
    else:
        st.caption("Kept from another conversation.")
    radio_key = f"pin-scope-{key}-{pin.scope}"
    choices = [scope for scope in SCOPES if pin.turn or scope in ("data", "always")]

    def choose() -> None:
        scope = st.session_state.get(radio_key)
        if scope in SCOPES and scope != pin.scope:
            actions.change_pin(live, session, pin.id, scope)

    st.radio(
        "Applies to",
        choices,
        index=choices.index(pin.scope),
        format_func=lambda scope: SCOPES[scope],
        key=radio_key,
        on_change=choose,
    )
    st.button(
        "Forget this",
        icon=":material/close:",
        key=f"pin-drop-{key}",
        on_click=actions.change_pin,
        args=(live, session, pin.id, "dropped"),
    )
