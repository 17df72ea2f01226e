"""All sessions: search, rename, delete."""

from __future__ import annotations

import streamlit as st

from assistant.errors import AssistantError
from ui import session_hub
from ui.ports import SessionCard
from ui.screens.frame import STATES, ordered
from ui.screens.places import pages
from ui.session_hub import SessionHub
from ui.views.text import ago, line, short


def draw() -> None:
    """Draw the screen."""
    live = session_hub.current()
    st.title("Questions", anchor=False)
    cards = ordered(live.workspace.sessions())
    if not cards:
        st.markdown(":gray[Nothing asked yet.]")
        return
    wanted = st.text_input(
        "Search", type="search", placeholder="Search", label_visibility="collapsed", key="search", live=True
    )
    found = [card for card in cards if (wanted or "").lower() in card.title.lower()]
    if not found:
        st.markdown(f":gray[No question holds “{line(wanted or '')}”.]")
    for card in found:
        _row(live, card)


def _row(live: SessionHub, card: SessionCard) -> None:
    with st.container(key=f"session-{card.id}", horizontal=True, vertical_alignment="center", wrap=False):
        with st.container(gap=None, width="stretch"):
            st.page_link(
                pages()["chat"], label=line(short(card.title or "New question", 80)), query_params={"s": card.id}
            )
            mark = STATES.get(card.state)
            state = f"{mark[0]} {mark[1]} · " if mark else ""
            st.markdown(f":gray[:small[{state}{ago(card.updated)}]]")
        if st.button("Rename", icon=":material/edit:", type="tertiary", key=f"rename-{card.id}"):
            _rename(live, card)
        if st.button("Delete", icon=":material/delete:", type="tertiary", key=f"delete-{card.id}"):
            _delete(live, card)


@st.dialog("Rename")
def _rename(live: SessionHub, card: SessionCard) -> None:
    title = st.text_input("Name", value=card.title, key=f"name-{card.id}", max_chars=120)
    if st.button("Save", type="primary", disabled=not (title or "").strip()):
        try:
            live.call(live.workspace.rename(card.id, (title or "").strip()))
        except AssistantError as error:
            st.error(line(str(error)))
            return
        st.rerun()


@st.dialog("Delete this conversation?")
def _delete(live: SessionHub, card: SessionCard) -> None:
    st.markdown(f"**{line(short(card.title or 'New question', 80))}**")
    st.markdown("Its questions, results and uploaded files are deleted. This cannot be undone.")
    if st.button("Delete", type="primary", icon=":material/delete:"):
        try:
            live.call(live.workspace.delete(card.id))
        except AssistantError as error:
            st.error(line(str(error)))
            return
        live.forget(card.id)
        st.rerun()
