"""One card for what went wrong or ended early: what happened, what is kept, one next action."""

from __future__ import annotations

import streamlit as st

from assistant.api.events import Failed, KernelRestarted, Stopped
from assistant.api.session import Session
from assistant.api.turns import Turn
from ui import actions
from ui.open_session import Unasked
from ui.session_hub import SessionHub
from ui.views.text import count, line, plain


def stopped(live: SessionHub, session: Session, turn: Turn, what: Stopped) -> None:
    """The turn was stopped before its end."""
    by_person = what.by == "person"
    with st.container(border=True, key=f"stopped-{turn.number}", gap="small"):
        if by_person:
            st.markdown("**:material/stop_circle: Stopped**")
            st.markdown("Everything up to here is kept.")
        else:
            st.markdown("**:material/power_settings_new: Tandem ended while this was under way**")
            st.markdown("Everything up to here is kept, and nothing ran since.")
        _go_on(live, session, turn, "Continue from here")


def failed(live: SessionHub, session: Session, turn: Turn, what: Failed) -> None:
    """The turn ended by a fault of ours or of a model."""
    with st.container(border=True, key=f"failed-{turn.number}", gap="small"):
        st.markdown("**:red[:material/error:] This question could not be finished**")
        st.markdown(plain(what.message))
        st.markdown(f":gray[{plain(f'{what.kept} {what.next_action}'.strip())}]")
        _go_on(live, session, turn, "Try again from here")


def interrupted(live: SessionHub, session: Session, turn: Turn) -> None:
    """The log ends in the middle of a turn, and nothing runs."""
    with st.container(border=True, key=f"interrupted-{turn.number}", gap="small"):
        st.markdown("**:material/power_settings_new: This was interrupted**")
        st.markdown("Everything up to here is kept.")
        st.button(
            "Ask it again",
            icon=":material/refresh:",
            key=f"again-{turn.number}",
            on_click=actions.ask,
            args=(live, session, turn.question),
        )


def restarted(what: KernelRestarted) -> None:
    """The kernel is a new one."""
    st.markdown(f"{line(what.reason)} {plain(rebuilt(what))}")
    for label, names in (("Not run again", what.lost), ("Gave something else than before", what.drifted)):
        if names:
            st.markdown(f"{label}: {plain(', '.join(names))}")


def rebuilt(what: KernelRestarted) -> str:
    """What was done to bring the state back."""
    if not what.rerun:
        return "Python was restarted."
    return f"Python was restarted and {count(what.rerun, 'earlier step')} ran again, so its results are back."


def unasked(live: SessionHub, session: Session, kept: Unasked) -> None:
    """A question that was not asked, with the way to ask it."""
    if kept.because_of_file:
        title, ask = (
            ":material/attach_file_off: The file could not be added, so nothing was asked",
            "Ask it without the file",
        )
    else:
        title, ask = ":material/pending: This was not asked", "Ask it now"
    with st.container(border=True, key="unasked", gap="small"):
        st.markdown(f"**:orange[{title}]**")
        st.markdown(plain(kept.why))
        st.markdown(f":gray[Your question is kept:] “{line(kept.question)}”")
        st.button(
            ask,
            icon=":material/arrow_upward:",
            key="ask-unasked",
            on_click=actions.ask,
            args=(live, session, kept.question),
        )


def not_found() -> None:
    """No session of that id."""
    from ui.screens.routes import pages

    with st.container(border=True, key="not-found", gap="small"):
        st.markdown("**:material/search_off: This conversation is not here**")
        st.markdown("It may have been deleted, or the address is not complete.")
        with st.container(horizontal=True, gap="small"):
            st.page_link(pages()["chat"], label="Ask a new question", icon=":material/edit_square:", width="content")
            st.page_link(pages()["questions"], label="All questions", icon=":material/history:", width="content")


def _go_on(live: SessionHub, session: Session, turn: Turn, label: str) -> None:
    """The button that resumes the turn."""
    st.button(
        label,
        icon=":material/play_arrow:",
        key=f"resume-{turn.number}",
        on_click=actions.resume,
        args=(live, session),
    )
