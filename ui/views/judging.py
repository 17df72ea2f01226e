"""The trust level of an answer, and the person's verdict: right, or wrong with a reason."""

from __future__ import annotations

import streamlit as st

from assistant.api.events import Answer
from assistant.api.session import Session
from assistant.api.turns import Turn
from ui import actions
from ui.session_hub import SessionHub
from ui.views.text import line, plain

TRUST = {
    "verified": (":material/verified:", "green", "Verified", "A person marked this very code as right."),
    "adapted": (
        ":material/verified:",
        "blue",
        "Adapted",
        "Code that was marked right, with other values, filters or grain.",
    ),
}

HINT = "Keeps the question with its code for this data. Asked again in any conversation, it is answered by that code."


def draw(live: SessionHub, session: Session, turn: Turn, answer: Answer) -> None:
    """The label, and the clicks by which a person says what they think of the answer."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"trust-{turn.number}", gap="small"):
        if turn.verified is not None:
            _draw_verified(live, session, turn)
            return
        obstacle = session.answers.why_not_verifiable(turn.number) if answer.trust != "verified" else None
        if answer.trust != "new":
            _draw_label(answer)
        if turn.disputed is None and obstacle == "":
            _draw_right(live, session, turn)
        elif turn.disputed is None and obstacle:
            _draw_unsavable(turn, obstacle)
        if turn.disputed is None:
            _draw_wrong(live, session, turn)
    if turn.disputed is not None:
        _draw_dispute(live, session, turn)


def _draw_verified(live: SessionHub, session: Session, turn: Turn) -> None:
    """Who marked the answer right, and the button that takes it back."""
    mark = turn.verified
    if mark is None:
        return
    st.markdown(f":green[:material/verified:] Marked right by {line(mark.by)} on {mark.on:%-d %B %Y}", width="content")
    st.button(
        "Take back",
        key=f"revoke-{turn.number}",
        type="tertiary",
        icon=":material/undo:",
        help=f"It stands in {line(mark.file)}",
        on_click=actions.revoke,
        args=(live, session, turn.number),
    )


def _draw_label(answer: Answer) -> None:
    """That the answer's code was marked right before, or is adapted from such code."""
    icon, colour, label, explanation = TRUST[answer.trust]
    st.badge(label, icon=icon, color=colour, help=explanation)  # pyright: ignore[reportArgumentType] - a literal from TRUST


def _draw_unsavable(turn: Turn, obstacle: str) -> None:
    """The button that would mark the answer right, with why it cannot."""
    st.button(
        "This is right",
        key=f"unsavable-{turn.number}",
        type="tertiary",
        icon=":material/check:",
        help=plain(obstacle),
        disabled=True,
    )


def _draw_right(live: SessionHub, session: Session, turn: Turn) -> None:
    """The button that marks the answer right; where its question does not stand alone, with words that do."""
    suggested = live.of(session).suggest_question(turn.number)
    if suggested is None:
        return  # it is being found out, and the page is drawn again then
    if suggested == turn.question.strip():
        st.button(
            "This is right",
            key=f"verify-{turn.number}",
            type="tertiary",
            icon=":material/check:",
            help=HINT,
            on_click=actions.verify,
            args=(live, session, turn.number),
        )
        return
    key = f"right-question-{turn.number}"

    def send() -> None:
        text = st.session_state.get(key)
        actions.verify(live, session, turn.number, text if isinstance(text, str) else "")

    with st.popover("This is right", icon=":material/check:", type="tertiary", key=f"right-{turn.number}"):
        st.text_area(
            "Keep it as the answer to this question",
            value=suggested,
            key=key,
            height=80,
            placeholder="The question in words that stand alone",
            on_change="ignore",
        )
        st.button("Mark as right", key=f"verify-{turn.number}", icon=":material/check:", on_click=send)
        st.caption(f"In a new conversation the question must say all that is needed. {HINT}")


def _draw_wrong(live: SessionHub, session: Session, turn: Turn) -> None:
    """The way to say that the answer is wrong, and why."""
    key = f"wrong-note-{turn.number}"

    def send() -> None:
        note = st.session_state.get(key)
        actions.dispute(live, session, turn.number, note if isinstance(note, str) else "")

    with st.popover("This is wrong", icon=":material/close:", type="tertiary", key=f"wrong-{turn.number}"):
        st.text_area(
            "What is wrong with it?",
            key=key,
            height=80,
            placeholder="For example: cancelled orders must not count",
            on_change="ignore",
        )
        st.button("Mark as wrong", key=f"send-wrong-{turn.number}", icon=":material/flag:", on_click=send)
        st.caption("It stays with the answer, and in what you export.")


def _draw_dispute(live: SessionHub, session: Session, turn: Turn) -> None:
    """Who says that the answer is wrong, with what can be done about it."""
    dispute = turn.disputed
    if dispute is None:
        return
    with st.container(border=True, key=f"disputed-{turn.number}", gap="small"):
        note = f" {plain(dispute.note)}" if dispute.note else ""
        st.markdown(f":orange[:material/flag:] **{line(dispute.by)} says that this is wrong.**{note}")
        with st.container(horizontal=True, gap="small"):
            if dispute.note:
                st.button(
                    "Ask again with this",
                    key=f"again-{turn.number}",
                    icon=":material/refresh:",
                    on_click=actions.ask,
                    args=(live, session, f"{turn.question.rstrip('?. ')}: {dispute.note}"),
                )
            st.button(
                "Take back",
                key=f"undispute-{turn.number}",
                type="tertiary",
                icon=":material/undo:",
                on_click=actions.undispute,
                args=(live, session, turn.number),
            )
