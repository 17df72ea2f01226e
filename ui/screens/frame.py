"""The frame of the page: sidebar, navigation between screens, and theme."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from assistant.api.history import SessionCard
from ui import session_hub
from ui.people import People
from ui.screens import boards, composer
from ui.screens.routes import Place, build_pages
from ui.session_hub import SessionHub
from ui.views.text import line, plain, shorten

FOLDER = Path(__file__).parent.parent
RECENT = 12
WAITING_FIRST = 4
"""So many sessions that need the person stand first; others stand where their age puts them."""
PLACES: dict[Place, str] = {
    "questions": ":material/history:",
    "boards": ":material/dashboard:",
    "data": ":material/database:",
    "knowledge": ":material/menu_book:",
    "settings": ":material/settings:",
}

STATES = {
    "waiting": (":orange[:material/pending:]", "needs you"),
    "working": (":material/progress_activity:", "running"),
    "failed": (":red[:material/error:]", "failed"),
    "damaged": (":red[:material/healing:]", "damaged"),
}


def draw() -> None:
    """Draw the page."""
    st.set_page_config(
        page_title="Tandem",
        page_icon=str(FOLDER / "theme" / "icon.png"),
        layout="centered",
        initial_sidebar_state="auto",
    )
    st.html(FOLDER / "theme" / "page.css")
    places = build_pages()
    page = st.navigation(list(places.values()), position="hidden")
    live = session_hub.current()
    if live.people is not None and live.people.on_page() is None:
        _draw_sign_in(live.people)
        st.stop()
    _draw_sidebar(live, places, current=page.title)
    if live.fault:
        st.error(plain(live.fault), title="Tandem could not open its workspace", icon=":material/error:")
        st.markdown(":gray[Nothing was changed. Fix that and start Tandem again: this page then continues.]")
        st.stop()
    if page != places["boards"]:
        boards.forget_board()
    page.run()


def _draw_sign_in(people: People) -> None:
    """What is seen before anybody has signed in."""
    with st.container(key="hero", gap="small"):
        st.title("Tandem", anchor=False)
        st.markdown("Ask your data in plain words. Sign in to see your own questions and boards.")
        st.button("Sign in", type="primary", icon=":material/login:", key="sign-in", on_click=people.sign_in)


def _draw_person(people: People) -> None:
    """Who has signed in, and the way out."""
    person = people.on_page()
    if person is not None:
        with st.container(key="signed-in", horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f":gray[:material/person: {line(shorten(person.name, 26))}]", width="stretch")
            st.button("Sign out", type="tertiary", key="sign-out", on_click=people.sign_out)


def sort_sessions(cards: tuple[SessionCard, ...]) -> list[SessionCard]:
    """Sessions as they are listed: the last few that need the person first, then the last changed."""
    latest = sorted(cards, key=lambda card: card.updated, reverse=True)
    waiting = [card for card in latest if card.state == "waiting"][:WAITING_FIRST]
    return [*waiting, *(card for card in latest if card not in waiting)]


def list_recent(cards: tuple[SessionCard, ...], opened: str | None) -> list[SessionCard]:
    """The sessions of the sidebar, as they are listed: the first ones, and the open one."""
    recent = sort_sessions(cards)
    shown, hidden = recent[:RECENT], recent[RECENT:]
    if current := [card for card in hidden if card.id == opened]:
        shown[-1:] = current
    return shown


def label_session(card: SessionCard, *, marked: bool = True, limit: int = 34) -> str:
    """A session's name, with a mark where it needs the person or is at work."""
    mark = STATES.get(card.state) if marked else None
    name = line(shorten(card.title or "New question", limit))
    return f"{mark[0]} {name}" if mark else name


def _draw_sidebar(live: SessionHub, places: dict[Place, StreamlitPage], *, current: str) -> None:
    opened = st.query_params.get("s") if current == "Ask" else None
    with st.sidebar:
        with st.container(key="brand", horizontal=True, vertical_alignment="center", gap="small"):
            st.image(str(FOLDER / "theme" / "icon.png"), width=26, alt="")
            st.markdown("**Tandem**")
        new = current == "Ask" and opened is None
        with st.container(key="current-new" if new else "other-new"):
            st.page_link(places["chat"], label="New question", icon=":material/edit_square:", width="stretch")
        with st.container(key="other-build"):
            st.page_link(
                places["chat"],
                label="Build a query",
                icon=":material/tune:",
                query_params={composer.BUILD: "1"},
                width="stretch",
            )
        if not live.fault:
            _draw_recent(live, places, opened)
        with st.container(key="places", gap=None):
            for place, icon in PLACES.items():
                with st.container(key=f"{'current' if places[place].title == current else 'other'}-{place}"):
                    st.page_link(places[place], icon=icon, width="stretch")
        if live.people is not None:
            _draw_person(live.people)


def _draw_recent(live: SessionHub, places: dict[Place, StreamlitPage], opened: str | None) -> None:
    cards = list_recent(live.workspace.sessions(), opened)
    if not cards:
        return
    with st.container(key="recent", gap=None):
        st.markdown(":gray[:small[Recent]]")
        for card in cards:
            where = "current" if card.id == opened else "other"
            with st.container(key=f"{where}-{card.id}"):
                name = label_session(card, marked=card.id != opened)  # the open one shows its state itself
                st.page_link(places["chat"], label=name, query_params={"s": card.id}, width="stretch")
