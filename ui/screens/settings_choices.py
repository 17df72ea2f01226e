"""Settings that are chosen here: what runs without asking; and what a model may see of this very data."""

from __future__ import annotations

from datetime import date

import streamlit as st

from assistant.errors import AssistantError
from assistant.events import PolicyLevel
from assistant.presentation.formats import LANGUAGES, locale_of
from ui.session_hub import SessionHub
from ui.views.text import count, line, plain

_LEVELS: dict[PolicyLevel, str] = {
    "ask": "Ask me for everything",
    "queries": "Run read-only queries that pass all checks",
    "python": "Run queries and caged Python that pass all checks",
}
_SEES = {
    "names": "Names: tables and columns",
    "values": "Values: also examples and ranges",
    "results": "Results: also result tables of steps you approved, at most 50 rows",
    "rows": "Rows: also rows of tables",
}


def asking(live: SessionHub) -> None:
    """What runs without asking, by source, and in the conversations that are open."""
    with st.container(border=True, key="asking", gap="small"):
        st.markdown("**What runs without asking**")
        st.markdown(
            ":gray[For each source, in new conversations. High costs, masked columns and warnings are always asked "
            "about.]"
        )
        try:
            with st.spinner("Looking at the sources"):
                policies = live.call(live.workspace.choices.policies(), timeout_s=300)
        except AssistantError as error:
            st.warning(plain(str(error)), icon=":material/warning:")
            policies = {}
        for source, level in policies.items():
            key = f"policy-{source}"
            st.selectbox(
                line(source),
                list(_LEVELS),
                index=list(_LEVELS).index(level),
                format_func=lambda one: _LEVELS[one],
                key=key,
                on_change=_keep,
                args=(key, source),
            )
        if trouble := st.session_state.pop("policy-trouble", None):
            st.error(plain(str(trouble)), icon=":material/error:")
        _allowed(live)


def _allowed(live: SessionHub) -> None:
    """What the open conversations run without asking, and the way back."""
    allowing = [(one, view) for one in live.opened() if (view := live.of(one).view()).approve]
    if allowing:
        st.markdown(":gray[Open conversations in which something runs without asking:]")
    words = {"plan": "plans", "query": "read-only queries", "python": "caged Python"}
    for session, view in allowing:
        what = ", ".join(words[one] for one in view.approve)
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, key=f"allowed-{session.id}"):
            st.markdown(f"{line(view.title)} :gray[{what}]", width="stretch")
            if st.button("Ask again", key=f"ask-{session.id}", type="tertiary"):
                live.call(session.allow(()))
                st.rerun()


def _keep(key: str, source: str) -> None:
    from ui import session_hub

    live = session_hub.current()
    try:
        live.call(live.workspace.choices.set_policy(source, st.session_state[key]))
    except AssistantError as error:
        st.session_state["policy-trouble"] = str(error)


PREVIEW_PX = 320
"""How high the preview is at most: a longer text is scrolled."""
PREVIEW_CHARACTERS = 700


def seen(live: SessionHub) -> None:
    """What a model may see of this very data."""
    with st.container(border=True, key="seen", gap="small"):
        st.markdown("**What a model may see**")
        st.markdown(
            ":gray[Names of tables and columns, values, results or rows: what a language model is sent of your data. "
            "Columns that look personal are withheld at every level.]"
        )
        _preview(live)


def _preview(live: SessionHub) -> None:
    opened = st.expander("Show what it is sent of this data", key="sees", type="compact", on_change="rerun")
    if not opened.open:
        return
    with opened:
        set_now = live.workspace.choices.sees
        level = st.selectbox(
            "Level",
            list(_SEES),
            index=list(_SEES).index(set_now) if set_now in _SEES else 2,
            format_func=lambda one: f"{_SEES[one]}{' (set now)' if one == set_now else ''}",
            key="sees-level",
        )
        try:
            with st.spinner("Writing it"):
                text = live.call(live.workspace.choices.preview(level), timeout_s=300)
        except AssistantError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        st.markdown(
            f":gray[At this level a model is sent these {count(len(text.split()), 'word')} about your data. "
            f'To set it, write `sees = "{level}"` into `tandem.toml`.]'
        )
        is_long = len(text) > PREVIEW_CHARACTERS
        st.code(text, language=None, height=PREVIEW_PX if is_long else "content", wrap_lines=True)


def language(live: SessionHub) -> None:
    """How numbers and dates are written, with an example of each."""
    now = live.workspace.choices.language
    key = f"numbers-{now}"
    st.selectbox(
        "Numbers and dates",
        ["", *LANGUAGES],
        index=["", *LANGUAGES].index(now) if now in LANGUAGES else 0,
        format_func=_written,
        key=key,
        on_change=_write,
        args=(key,),
    )
    if trouble := st.session_state.pop("numbers-trouble", None):
        st.error(plain(str(trouble)), icon=":material/error:")


def _written(code: str) -> str:
    """A language by its own name, with a number and a date as it writes them."""
    from babel.dates import format_date
    from babel.numbers import format_decimal

    if not code:
        return "As your browser's language has them"
    locale = locale_of(code)
    number = format_decimal(1234567.89, locale=locale)
    return f"{locale.get_display_name()}: {number}, {format_date(date(2026, 3, 31), 'medium', locale=locale)}"


def _write(key: str) -> None:
    from ui import session_hub

    live = session_hub.current()
    try:
        live.call(live.workspace.choices.set_language(st.session_state[key]))
    except AssistantError as error:
        st.session_state["numbers-trouble"] = str(error)
