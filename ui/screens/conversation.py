"""A session on the page: its finished turns, the current turn, notices, and the input box.

The script draws finished turns; a click inside one redraws only its fragment. The last turn and the input box are a
fragment that the change notifier redraws.
"""

from __future__ import annotations

import streamlit as st

from assistant.api.session import Session
from assistant.api.turns import Transcript, Turn
from ui import actions, session_hub
from ui.components.change_notifier import change_notifier
from ui.open_session import Unasked
from ui.screens import beginning, boards, composer
from ui.session_hub import SessionHub
from ui.views import cards, decision, disclosing, interpretation, pins, reading, source_reading, turn
from ui.views.text import build_file_name, line, plain, shorten
from ui.views.turn import PHASES

SAY = {"idle": "Finished", "waiting": "Your approval is needed", "working": "Working"}
TITLES = {"waiting": "● Needs you", "working": "… Working"}

OPEN_TURNS = 3
"""Settled turns drawn in full; older ones fold away and cost nothing until opened."""


def draw(live: SessionHub, session: Session) -> None:
    """Draw the session."""
    view = live.of(session).view()
    frame = _compute_frame(live, session, view)
    _draw_head(live, session, view)
    if session.damage:
        st.warning(plain(session.damage), title="This conversation is damaged", icon=":material/healing:")
    earlier_turns = view.turns[:-1]
    for earlier in earlier_turns[:-OPEN_TURNS]:
        folded = st.expander(
            line(shorten(earlier.question, 90)), key=f"old-{earlier.number}", on_change="rerun", type="compact"
        )
        if folded.open:
            with folded:
                _draw_earlier_turn(session.id, earlier.number)
    for earlier in earlier_turns[-OPEN_TURNS:]:
        _draw_earlier_turn(session.id, earlier.number)
    st.bottom.empty()
    st.session_state["drawn_frame"] = frame
    _draw_current()


@st.fragment
def _draw_earlier_turn(session_id: str, n: int) -> None:
    """A turn that is not the last."""
    live = session_hub.current()
    session = live.open(session_id)
    view = live.of(session).view()
    for earlier in view.turns[:-1]:
        if earlier.number == n:
            turn.draw(live, session, view, earlier, is_last=False, working=False)


@st.fragment(key="current")
def _draw_current() -> None:
    live = session_hub.current()
    session_id = st.query_params.get("s")
    if session_id is None:
        return
    session = live.open(session_id)
    opened = live.of(session)
    version, view = opened.version, opened.view()
    if _compute_frame(live, session, view) != st.session_state.get("drawn_frame"):
        st.rerun()
    working = session.state == "working"
    current = view.current
    activity = opened.activities.describe
    if current is not None:
        turn.draw(live, session, view, current, is_last=True, working=working)
        beginning.draw_tour(session, view)
    elif not activity:
        _draw_start(live, session, view)
    unasked = None if working or activity else opened.unasked
    _draw_messages(live, session, unasked)
    doing = opened.activities.doing
    if doing is not None and doing.question:
        turn.draw_question(Turn(number=len(view.turns) + 1, question=doing.question, files=doing.files))
    for text in filter(None, (activity, opened.activities.beside)):
        st.markdown(f":shimmer[{line(text)}]")
    change_notifier(
        session=session.id,
        boot=live.boot,
        version=version,
        say=describe_state(session, view),
        title=build_title(session, view),
        anchor=find_anchor(view, working) if unasked is None else (f"unasked-{unasked.question}", "unasked", "nearest"),
    )
    with st.bottom:
        if doing is not None and not working:
            reading.draw_bar(
                doing.title,
                opened.activities.progress,
                since=doing.since,
                question=bool(doing.question),
                stop=actions.break_off,
                args=(live, session),
            )
        if current is None or working or not interpretation.is_changed(live, session, current):
            decision.draw_bar(live, session, view, working=working)
        pins.draw(live, session)
        composer.draw(session, view, busy=working or bool(activity))


def _draw_messages(live: SessionHub, session: Session, refused: Unasked | None) -> None:
    """What went wrong, what is told in passing, and the question that was not put."""
    if session.fault:
        st.error(plain(session.fault), icon=":material/error:")
    waiting = live.of(session).unasked
    for notice in live.of(session).take_notices():
        if waiting is None or notice != waiting.why:  # its card says it, and stays
            st.toast(plain(notice), icon=":material/info:", duration="long")
    if refused is not None and refused.disclosure is not None:
        disclosing.draw_choice(live, session, refused, refused.disclosure)
    elif refused is not None:
        cards.draw_unasked(live, session, refused)


def _compute_frame(live: SessionHub, session: Session, view: Transcript) -> tuple[object, ...]:
    """What the settled part of the page and the sidebar depend on: a change redraws everything."""
    has_end = any(turn.end is not None for turn in view.turns)
    earlier_turns = view.turns[:-1]
    answered_turns = [turn for turn in earlier_turns if turn.answer is not None and turn.answer.status == "answered"]
    marked = tuple(turn.number for turn in answered_turns if turn.verified is not None)
    offered = tuple(live.of(session).suggest_question(turn.number, wait_s=0) for turn in answered_turns[-OPEN_TURNS:])
    chips = tuple(live.of(session).interpretations.is_ready(turn) for turn in earlier_turns[-OPEN_TURNS:])
    return (session.id, len(view.turns), view.title, len(view.sources), has_end, view.withheld, marked, offered, chips)


def _draw_head(live: SessionHub, session: Session, view: Transcript) -> None:
    has_name = bool(view.turns) and (len(view.turns) > 1 or view.title != view.turns[0].question)
    has_end = any(turn_view.end is not None for turn_view in view.turns)
    if not (has_name or has_end):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="head", wrap=False):
        st.markdown(f":gray[{line(shorten(view.title, 70))}]" if has_name else "&nbsp;", width="stretch")
        pinnable = {
            candidate.number: candidate.question
            for candidate in view.turns
            if candidate.answer is not None
            and candidate.answer.table
            and candidate.answer.status in ("answered", "partial")
        }
        if pinnable:
            boards.draw_pin_form(live, session.id, pinnable)
        if has_end:
            st.download_button(
                "Notebook",
                data=lambda: actions.export(live, session),
                file_name=f"{build_file_name(view.title, fallback='tandem')}.ipynb",
                mime="application/x-ipynb+json",
                icon=":material/download:",
                type="tertiary",
                on_click="ignore",
                key="export",
                help="Download this conversation as a notebook that runs without Tandem",
            )


def _draw_start(live: SessionHub, session: Session, view: Transcript) -> None:
    """A session with data and no question yet."""
    with st.container(key="hero", gap="small"):
        st.title("What do you want to know?", anchor=False)
        source_reading.draw(view.sources, key="start")
        interpretation.draw_empty(live, session)
        beginning.draw_starters(live, session, lambda text: actions.ask(live, session, text))


def describe_state(session: Session, view: Transcript) -> str:
    """What a screen reader is told: the state, and while it works what is being done."""
    current = view.current
    if session.state != "working" or current is None:
        return SAY[session.state]
    return f"{SAY['working']}: {PHASES[current.phase].lower()}"


def build_title(session: Session, view: Transcript) -> str:
    """The title of the tab."""
    mark = TITLES.get(session.state)
    name = shorten(view.title, 40) or "Tandem"
    return f"{mark} · {name}" if mark else f"{name} · Tandem"


def find_anchor(view: Transcript, working: bool) -> tuple[str, str, str] | None:
    """What to bring into view when it is new: the start of an answer, a card that waits, a question just asked."""
    last = view.current
    if last is None:
        return None
    if last.answer is not None:
        return (f"answer-{last.number}", f"question-{last.number}", "start")
    waiting = last.waiting
    if waiting is not None and not working:
        return (f"waiting-{waiting.id}", "card", "nearest")
    end = f"turn-{last.number}-{last.end}"
    if last.end in ("stopped", "failed"):
        return (end, f"{last.end}-{last.number}", "nearest")
    return (end, f"turn-{last.number}", "nearest")
