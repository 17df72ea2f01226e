"""A session on the page: its settled turns, the current one, what is told in passing, and the composer.

Settled turns are drawn by the script, and each again by a fragment of its own when something in it is clicked; the last
one and the composer by a fragment that the change notifier redraws.
"""

from __future__ import annotations

import streamlit as st

from assistant.api.events import SourceAdded
from assistant.api.session import Session
from assistant.api.turns import Transcript, Turn
from ui import actions, session_hub
from ui.components.change_notifier import change_notifier
from ui.open_session import Unasked
from ui.screens import beginning, boards, composer
from ui.session_hub import SessionHub
from ui.views import announcing, cards, decision, disclosing, interpretation, reading, turn
from ui.views.text import count, line, plain, short

OPEN_TURNS = 3
"""Settled turns drawn in full; older ones fold away and cost nothing until opened."""


def draw(live: SessionHub, session: Session) -> None:
    """Draw the session."""
    view = live.of(session).view()
    frame = _frame(live, session, view)
    _head(live, session, view)
    if session.damage:
        st.warning(plain(session.damage), title="This conversation is damaged", icon=":material/healing:")
    settled = view.turns[:-1]
    for one in settled[:-OPEN_TURNS]:
        folded = st.expander(line(short(one.question, 90)), key=f"old-{one.number}", on_change="rerun", type="compact")
        if folded.open:
            with folded:
                _settled(session.id, one.number)
    for one in settled[-OPEN_TURNS:]:
        _settled(session.id, one.number)
    st.bottom.empty()
    st.session_state["drawn_frame"] = frame
    _current()


@st.fragment
def _settled(session_id: str, n: int) -> None:
    """A turn that is not the last."""
    live = session_hub.current()
    session = live.open(session_id)
    view = live.of(session).view()
    for one in view.turns[:-1]:
        if one.number == n:
            turn.draw(live, session, view, one, is_last=False, working=False)


@st.fragment(key="current")
def _current() -> None:
    live = session_hub.current()
    session_id = st.query_params.get("s")
    if session_id is None:
        return
    session = live.open(session_id)
    opened = live.of(session)
    version, view = opened.version, opened.view()
    if _frame(live, session, view) != st.session_state.get("drawn_frame"):
        st.rerun()
    working = session.state == "working"
    current = view.current
    under_way = opened.under_way.words
    if current is not None:
        turn.draw(live, session, view, current, is_last=True, working=working)
        beginning.draw_tour(session, view)
    elif not under_way:
        _nothing_asked(live, session, view)
    kept = None if working or under_way else opened.unasked
    _messages(live, session, kept)
    doing = opened.under_way.doing
    if doing is not None and doing.question:
        turn.question(Turn(number=len(view.turns) + 1, question=doing.question, files=doing.files))
    for what in filter(None, (under_way, opened.under_way.beside)):
        st.markdown(f":shimmer[{line(what)}]")
    change_notifier(
        session=session.id,
        boot=live.boot,
        seen=version,
        say=announcing.aloud(session, view),
        title=announcing.title(session, view),
        anchor=announcing.anchor(view, working) if kept is None else (f"unasked-{kept.question}", "unasked", "nearest"),
    )
    with st.bottom:
        if doing is not None and not working:
            reading.bar(
                doing.what,
                opened.under_way.progress,
                since=doing.since,
                question=bool(doing.question),
                stop=actions.break_off,
                args=(live, session),
            )
        if current is None or working or not interpretation.is_changed(live, session, current):
            decision.bar(live, session, view, working=working)
        composer.draw(session, view, busy=working or bool(under_way))


def _messages(live: SessionHub, session: Session, kept: Unasked | None) -> None:
    """What went wrong, what is told in passing, and the question that was not put."""
    if session.fault:
        st.error(plain(session.fault), icon=":material/error:")
    unasked = live.of(session).unasked
    for notice in live.of(session).notices():
        if unasked is None or notice != unasked.why:  # its card says it, and stays
            st.toast(plain(notice), icon=":material/info:", duration="long")
    if kept is not None and kept.disclosure is not None:
        disclosing.choose(live, session, kept, kept.disclosure)
    elif kept is not None:
        cards.unasked(live, session, kept)


def _frame(live: SessionHub, session: Session, view: Transcript) -> tuple[object, ...]:
    """What the settled part of the page and the sidebar depend on: a change redraws everything."""
    ended = any(turn.end is not None for turn in view.turns)
    settled = [one for one in view.turns[:-1] if one.answer is not None and one.answer.status == "answered"]
    marked = tuple(one.number for one in settled if one.verified is not None)
    offered = tuple(live.of(session).leans(one.number, wait_s=0) for one in settled[-OPEN_TURNS:])
    chips = tuple(live.of(session).interpretations.is_ready(one) for one in view.turns[:-1][-OPEN_TURNS:])
    return (session.id, len(view.turns), view.title, len(view.sources), ended, view.withheld, marked, offered, chips)


def _head(live: SessionHub, session: Session, view: Transcript) -> None:
    named = bool(view.turns) and (len(view.turns) > 1 or view.title != view.turns[0].question)
    ended = any(one.end is not None for one in view.turns)
    if not (named or ended):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="head", wrap=False):
        st.markdown(f":gray[{line(short(view.title, 70))}]" if named else "&nbsp;", width="stretch")
        pinnable = {
            one.number: one.question
            for one in view.turns
            if one.answer is not None and one.answer.table and one.answer.status in ("answered", "partial")
        }
        if pinnable:
            boards.pin(live, session.id, pinnable)
        if ended:
            st.download_button(
                "Notebook",
                data=lambda: actions.export(live, session),
                file_name="tandem.ipynb",
                mime="application/x-ipynb+json",
                icon=":material/download:",
                type="tertiary",
                on_click="ignore",
                key="export",
                help="Download this conversation as a notebook that runs without Tandem",
            )


def _nothing_asked(live: SessionHub, session: Session, view: Transcript) -> None:
    """A session with data and no question yet."""
    with st.container(key="hero", gap="small"):
        st.title("What do you want to know?", anchor=False)
        for source in view.sources:
            st.markdown(f":gray[:material/database: **{line(source.name)}** {line(_held(source))}]")
            for note in source.notes:
                st.markdown(f":gray[:material/info: {line(note)}]")
        interpretation.draw_empty(live, session)
        beginning.draw_starters(live, session, lambda text: actions.ask(live, session, text))


def _held(source: SourceAdded) -> str:
    """The tables of a source; of a file that is one table, which has its name already, the number of its rows."""
    names = ", ".join(table.name for table in source.tables)
    if names != source.name:
        return short(names, 120)
    rows = source.tables[0].rows
    return "" if rows is None else count(rows, "row")
