"""Changes to the sources of new sessions: confirmed first, then reported on the next page.

The answers to doubts about a source are such changes.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import streamlit as st

from assistant.api.doubts import Doubt
from assistant.api.errors import AssistantError
from assistant.api.sources import SourceShown
from ui.session_hub import SessionHub
from ui.views.source_reading import say_doubt
from ui.views.text import plain

_SHOWN_MAX = 5
_LABELS = {
    "role": "It is a key",
    "totals keep": "Keep these rows",
    "totals drop": "Leave these rows out",
    "missing": "Read as missing",
    "encoding": "Change encoding",
    "header": "Change header",
    "decimal": "Change decimal sign",
    "delimiter": "Change delimiter",
    "types": "Change type",
    "members": "Leave these rows out",
    "column": "Use the second",
    "once": "Count once",
}
"""What the button says, by the setting that it changes, or by that and its value."""
_OF_ANY_SOURCE = frozenset(("role", "missing", "members", "column", "once"))
"""Settings that a person can change of databases as well, which are not read anew for it."""


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


def draw_doubts(live: SessionHub, source: SourceShown) -> None:
    """Draw the doubts: a few in full, the others behind a fold."""
    if not source.doubts:
        return
    st.markdown("**Please check**")
    for place, doubt in enumerate(source.doubts[:_SHOWN_MAX]):
        _draw_doubt(live, source, doubt, place)
    if remaining := source.doubts[_SHOWN_MAX:]:
        with st.expander(f"{len(remaining)} more", type="compact", key=f"doubts-{source.name}"):
            for place, doubt in enumerate(remaining, start=_SHOWN_MAX):
                _draw_doubt(live, source, doubt, place)


def _draw_doubt(live: SessionHub, source: SourceShown, doubt: Doubt, place: int) -> None:
    key = f"doubt-{source.name}-{place}"
    with st.container(horizontal=True, vertical_alignment="center", key=key, gap="small"):
        st.markdown(f":orange[:material/help:] {plain(say_doubt(doubt, source.tables))}", width="stretch")
        if doubt.correction is None or not (doubt.correction.setting in _OF_ANY_SOURCE or source.is_file):
            return
        setting, value = doubt.correction.setting, doubt.correction.value
        label = _LABELS.get(f"{setting} {value}", _LABELS.get(setting))
        label = "Take this back" if doubt.is_chosen else label
        if label is not None and st.button(label, key=f"{key}-correct"):
            _correct(live, source, doubt)


def _correct(live: SessionHub, source: SourceShown, doubt: Doubt) -> None:
    try:
        with st.spinner("Reading it again", show_time=True):
            live.call(live.workspace.connections.correct_doubt(source.name, doubt), timeout_s=600)
    except AssistantError as error:
        st.error(plain(str(error)), title="It cannot be read so; nothing was changed", icon=":material/error:")
        return
    finish(live, f"{doubt.table or source.name} is read so from now on. Takes effect with your next question.")
