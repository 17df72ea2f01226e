"""Cards for failures and early ends: what happened, what is kept, and one next action."""

from __future__ import annotations

import streamlit as st

from assistant.api.events import Failed, KernelRestarted, Stopped
from assistant.api.session import Session
from assistant.api.turns import Turn
from ui import actions
from ui.open_session import Unasked
from ui.session_hub import SessionHub
from ui.views.text import count, line, plain


def draw_stopped(live: SessionHub, session: Session, turn: Turn, event: Stopped) -> None:
    """The turn was stopped before its end."""
    by_person = event.by == "person"
    with st.container(border=True, key=f"stopped-{turn.number}", gap="small"):
        if by_person:
            st.markdown("**:material/stop_circle: Stopped**")
            st.markdown("Everything up to here is kept.")
        else:
            st.markdown("**:material/power_settings_new: Tandem ended while this was under way**")
            st.markdown("Everything up to here is kept, and nothing ran since.")
        _draw_resume(live, session, turn, "Continue from here")


def draw_failed(live: SessionHub, session: Session, turn: Turn, event: Failed) -> None:
    """The turn ended by a fault of ours or of a model."""
    with st.container(border=True, key=f"failed-{turn.number}", gap="small"):
        st.markdown("**:red[:material/error:] This question could not be finished**")
        st.markdown(plain(event.message))
        st.markdown(f":gray[{plain(f'{event.kept} {event.next_action}'.strip())}]")
        _draw_resume(live, session, turn, "Try again from here")


def draw_interrupted(live: SessionHub, session: Session, turn: Turn) -> None:
    """The log ends in the middle of a turn, and nothing runs."""
    with st.container(border=True, key=f"interrupted-{turn.number}", gap="small"):
        st.markdown("**:material/power_settings_new: This was interrupted**")
        st.markdown("Everything up to here is kept.")
        st.button(
            "Ask again",
            icon=":material/refresh:",
            key=f"again-{turn.number}",
            on_click=actions.ask,
            args=(live, session, turn.question),
        )


def draw_restarted(event: KernelRestarted) -> None:
    """The kernel is a new one."""
    st.markdown(f"{line(event.reason)} {plain(describe_rebuilt(event))}")
    for label, names in (("Not run again", event.lost), ("Gave something else than before", event.drifted)):
        if names:
            st.markdown(f"{label}: {plain(', '.join(names))}")


def describe_rebuilt(event: KernelRestarted) -> str:
    """What was done to bring the state back."""
    if not event.rerun:
        return "Python was restarted."
    return f"Python was restarted and {count(event.rerun, 'earlier step')} ran again, so its results are back."


def draw_unasked(live: SessionHub, session: Session, question: Unasked) -> None:
    """A question that was not asked, with the way to ask it."""
    if question.because_of_file:
        title, ask = (
            ":material/attach_file_off: The file could not be added, so nothing was asked",
            "Ask without the file",
        )
    else:
        title, ask = ":material/pending: This was not asked", "Ask now"
    with st.container(border=True, key="unasked", gap="small"):
        st.markdown(f"**:orange[{title}]**")
        st.markdown(plain(question.why))
        st.markdown(f":gray[Your question is kept:] “{line(question.question)}”")
        st.button(
            ask,
            icon=":material/arrow_upward:",
            key="ask-unasked",
            on_click=actions.ask,
            args=(live, session, question.question),
        )


def draw_not_found() -> None:
    """No session of that id."""
    from ui.screens.routes import build_pages

    with st.container(border=True, key="not-found", gap="small"):
        st.markdown("**:material/search_off: This conversation is not here**")
        st.markdown("It may have been deleted, or the address is not complete.")
        with st.container(horizontal=True, gap="small"):
            st.page_link(
                build_pages()["chat"], label="Ask a new question", icon=":material/edit_square:", width="content"
            )
            st.page_link(build_pages()["questions"], label="All questions", icon=":material/history:", width="content")


def _draw_resume(live: SessionHub, session: Session, turn: Turn, label: str) -> None:
    """The button that resumes the turn."""
    st.button(
        label,
        icon=":material/play_arrow:",
        key=f"resume-{turn.number}",
        on_click=actions.resume,
        args=(live, session),
    )
