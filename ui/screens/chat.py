"""The chat screen: the first question, or the session that the address names (`ui.screens.conversation`)."""

from __future__ import annotations

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.turns import Turn
from ui import actions, session_hub
from ui.screens import beginning, composer, conversation
from ui.session_hub import SessionHub
from ui.views import cards, reading, turn


def draw() -> None:
    """Draw the screen."""
    live = session_hub.current()
    session_id = st.query_params.get("s")
    if session_id is None and composer.BUILD in st.query_params:
        composer.queue_question("")
    _set_address(session_id)
    if session_id is None:
        _draw_empty(live)
        return
    try:
        session = live.open(session_id)
    except AssistantError:
        cards.draw_not_found()
        return
    conversation.draw(live, session)


def _set_address(session_id: str | None) -> None:
    """Put into the browser's address what is shown.

    A link from session to session within this screen leaves the address as it was, and with it what a refresh shows and
    what the fragment takes for the session. The browser ignores an address that it has already.
    """
    if session_id is None:
        st.query_params.clear()
    else:
        st.query_params["s"] = session_id


def _draw_empty(live: SessionHub) -> None:
    draft = st.session_state.pop(composer.STARTED_DRAFT, None)
    if isinstance(draft, tuple):
        text, files = draft
        st.session_state["beginning"] = beginning.Start(str(text), files, live.begin_session(bare=bool(files)))
    if isinstance(start := st.session_state.get("beginning"), beginning.Start):
        _begin(live, start)
        return
    with st.container(key="hero", gap="small"):
        st.title("What do you want to know?", anchor=False)
        beginning.draw_data(live)
        beginning.draw_unasked()
        beginning.draw_starters(live, None, composer.queue_question)
        beginning.draw_tour_offer(live, composer.queue_question)
        st.markdown(":gray[:material/lock: You see every query before it runs, and nothing runs until you say so.]")
    with st.bottom:
        composer.draw_first()


def _begin(live: SessionHub, start: beginning.Start) -> None:
    """Show the question at once, and make the session that works on it; a press of Stop comes by here as well."""
    names = tuple(name for name, _ in start.files)
    if start.text or names:
        turn.draw_question(Turn(number=1, question=start.text or "Look at this file", files=names))
    if not reading.draw_until_done(start.reading, "first"):
        return
    del st.session_state["beginning"]
    session = beginning.finish_start(live, start)
    if session is None:
        st.rerun()
    beginning.begin_tour(session)
    actions.ask(live, session, start.text, start.files)
    st.query_params["s"] = session.id
    st.rerun()
