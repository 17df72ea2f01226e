"""The conversation: an empty page that invites a question, or a session with its turns.

Settled turns are drawn by the script; the last one and the composer by a fragment, which the change notifier redraws.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from assistant.errors import AssistantError
from assistant.events import SourceAdded
from ui import actions, session_hub
from ui.components.change_notifier import change_notifier
from ui.open_session import Unasked
from ui.ports.session import Session
from ui.screens import beginning, boards
from ui.session_hub import SessionHub
from ui.view_model import Turn, View
from ui.views import cards, decision, disclosing, reading, turn
from ui.views.text import count, line, plain, short

OPEN_TURNS = 3
"""Settled turns drawn in full; older ones fold away and cost nothing until opened."""

FILE_TYPES = [
    *(
        "csv",
        "tsv",
        "tab",
        "txt",
        "xlsx",
        "xlsm",
        "xls",
        "xlsb",
        "ods",
        "parquet",
        "pq",
        "arrow",
        "feather",
        "json",
        "jsonl",
        "ndjson",
    ),
    *("gz", "sqlite", "sqlite3", "db", "db3", "duckdb", "ddb", "toml"),
]
"""What may be added: all that can be read as data, and `FILE.tandem.toml`, which says how `FILE` is read."""

SAY = {"idle": "Finished", "waiting": "Your approval is needed", "working": "Working"}
TITLES = {"waiting": "● Needs you", "working": "… Working"}


def draw() -> None:
    """Draw the screen."""
    live = session_hub.current()
    session_id = st.query_params.get("s")
    _address(session_id)
    if session_id is None:
        _empty(live)
        return
    try:
        session = live.open(session_id)
    except AssistantError:
        cards.not_found()
        return
    _session(live, session)


def _address(session_id: str | None) -> None:
    """Put into the browser's address what is shown.

    A link from session to session within this screen leaves the address as it was, and with it what a refresh shows and
    what the fragment takes for the session. The browser ignores an address that it has already.
    """
    if session_id is None:
        st.query_params.clear()
    else:
        st.query_params["s"] = session_id


# --- no question yet ------------------------------------------------------------------------------------------


def _empty(live: SessionHub) -> None:
    begun = st.session_state.pop("begun", None)
    if isinstance(begun, tuple):
        text, files = begun
        st.session_state["beginning"] = beginning.Begun(str(text), files, live.creating(bare=bool(files)))
    if isinstance(asked := st.session_state.get("beginning"), beginning.Begun):
        _begin(live, asked)
        return
    with st.container(key="hero", gap="small"):
        st.title("What do you want to know?", anchor=False)
        beginning.draw_data(live)
        beginning.draw_unasked()
        beginning.draw_starters(live, None, _start)
        beginning.draw_tour_offer(live, lambda text: _start(text, None))
        st.markdown(":gray[:material/lock: You see every query before it runs, and nothing runs until you say so.]")
    with st.bottom:
        st.chat_input(
            "Ask about your data, or add a file",
            key="first",
            accept_file="multiple",
            file_type=FILE_TYPES,
            on_submit=_submit_first,
        )


def _start(text: str, session_id: str | None) -> None:
    if session_id is None:
        st.session_state["begun"] = (text, ())
        return
    live = session_hub.current()
    actions.ask(live, live.open(session_id), text)


def _submit_first() -> None:
    text, files = _said(st.session_state.get("first"))
    if text or files:
        st.session_state["begun"] = (text, files)


def _begin(live: SessionHub, asked: beginning.Begun) -> None:
    """Show the question at once, and make the session that works on it; a press of Stop comes by here as well."""
    names = tuple(name for name, _ in asked.files)
    turn.question(Turn(n=1, question=asked.text or "Look at this file", files=names))
    if not reading.ended(asked.reading, "first"):
        return
    del st.session_state["beginning"]
    session = beginning.session_of(asked)
    if session is None:
        st.rerun()
    beginning.tour_begins(session)
    actions.ask(live, session, asked.text, asked.files)
    st.query_params["s"] = session.id
    st.rerun()


# --- a session ------------------------------------------------------------------------------------------------


def _session(live: SessionHub, session: Session) -> None:
    view = live.of(session).view()
    frame = _frame(live, session, view)
    _head(live, session, view)
    if session.damage:
        st.warning(plain(session.damage), title="This conversation is damaged", icon=":material/healing:")
    settled = view.turns[:-1]
    for one in settled[:-OPEN_TURNS]:
        folded = st.expander(line(short(one.question, 90)), key=f"old-{one.n}", on_change="rerun", type="compact")
        if folded.open:
            with folded:
                turn.draw(live, session, view, one, is_last=False, working=False)
    for one in settled[-OPEN_TURNS:]:
        turn.draw(live, session, view, one, is_last=False, working=False)
    st.bottom.empty()
    st.session_state["drawn_frame"] = frame
    _current()


@st.fragment(key="current")
def _current() -> None:
    live = session_hub.current()
    session_id = st.query_params.get("s")
    if session_id is None:
        return
    session = live.open(session_id)
    version = live.of(session).version
    view = live.of(session).view()
    if _frame(live, session, view) != st.session_state.get("drawn_frame"):
        st.rerun()
    working = session.state == "working"
    current = view.current
    under_way = live.of(session).under_way.words
    if current is not None:
        turn.draw(live, session, view, current, is_last=True, working=working)
        beginning.draw_tour(session, view)
    elif not under_way:
        _nothing_asked(live, session, view)
    kept = None if working or under_way else live.of(session).unasked
    _messages(live, session, kept)
    doing = live.of(session).under_way.doing
    if doing is not None and doing.question:
        turn.question(Turn(n=len(view.turns) + 1, question=doing.question, files=doing.files))
    for what in filter(None, (under_way, live.of(session).under_way.beside)):
        st.markdown(f":shimmer[{line(what)}]")
    change_notifier(
        session=session.id,
        boot=live.boot,
        seen=version,
        say=_said_aloud(session, view),
        title=_tab(session, view),
        anchor=_anchor(view, working) if kept is None else (f"unasked-{kept.question}", "unasked", "nearest"),
    )
    with st.bottom:
        if doing is not None and not working:
            reading.bar(
                doing.what,
                live.of(session).under_way.progress,
                since=doing.since,
                question=bool(doing.question),
                stop=actions.break_off,
                args=(live, session),
            )
        decision.bar(live, session, view, working=working)
        _composer(session, view, working or bool(under_way))


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


def _frame(live: SessionHub, session: Session, view: View) -> tuple[object, ...]:
    """What the settled part of the page and the sidebar depend on: a change redraws everything."""
    ended = any(turn.end is not None for turn in view.turns)
    settled = [one for one in view.turns[:-1] if one.answer is not None and one.answer.status == "answered"]
    marked = tuple(one.n for one in settled if one.verified is not None)
    offered = tuple(live.of(session).leans(one.n, wait_s=0) for one in settled[-OPEN_TURNS:])
    return (session.id, len(view.turns), view.title, len(view.sources), ended, view.withheld, marked, offered)


def _head(live: SessionHub, session: Session, view: View) -> None:
    named = bool(view.turns) and (len(view.turns) > 1 or view.title != view.turns[0].question)
    ended = any(one.end is not None for one in view.turns)
    if not (named or ended):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="head", wrap=False):
        st.markdown(f":gray[{line(short(view.title, 70))}]" if named else "&nbsp;", width="stretch")
        pinnable = {
            one.n: one.question
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


def _nothing_asked(live: SessionHub, session: Session, view: View) -> None:
    """A session with data and no question yet."""
    with st.container(key="hero", gap="small"):
        st.title("What do you want to know?", anchor=False)
        for source in view.sources:
            st.markdown(f":gray[:material/database: **{line(source.name)}** {line(_held(source))}]")
            for note in source.notes:
                st.markdown(f":gray[:material/info: {line(note)}]")
        beginning.draw_starters(live, session, _start)


def _held(source: SourceAdded) -> str:
    """The tables of a source; of a file that is one table, which has its name already, the number of its rows."""
    names = ", ".join(table.name for table in source.tables)
    if names != source.name:
        return short(names, 120)
    rows = source.tables[0].rows
    return "" if rows is None else count(rows, "row")


def _composer(session: Session, view: View, busy: bool) -> None:
    waiting = view.waiting
    if busy:
        placeholder = "Working"
    elif waiting is None:
        placeholder = "Ask a follow-up, or add a file" if view.turns else "Ask about your data, or add a file"
    elif waiting.kind == "clarification":
        placeholder = "Or answer in your own words"
    else:
        placeholder = "Or say what to change"
    st.chat_input(
        placeholder,
        key="composer",
        accept_file="multiple",
        file_type=FILE_TYPES,
        disabled=busy,
        on_submit=_submit,
        args=(session.id,),
    )


def _submit(session_id: str) -> None:
    live = session_hub.current()
    session = live.open(session_id)
    text, files = _said(st.session_state.get("composer"))
    waiting = live.of(session).view().waiting
    if waiting is None or files:
        actions.ask(live, session, text, files)
    elif waiting.kind == "clarification":
        actions.clarify(live, session, waiting, text)
    elif text:
        actions.reject(live, session, waiting, text)


def _said(value: Any) -> tuple[str, tuple[tuple[str, bytes], ...]]:
    """The composer's text and files."""
    if isinstance(value, str):
        return value.strip(), ()
    text = getattr(value, "text", "") or ""
    files = getattr(value, "files", None) or ()
    return str(text).strip(), tuple((str(file.name), bytes(file.getvalue())) for file in files)


def _said_aloud(session: Session, view: View) -> str:
    """What a screen reader is told: the state, and while it works what is being done."""
    current = view.current
    if session.state != "working" or current is None:
        return SAY[session.state]
    return f"{SAY['working']}: {turn.PHASES[current.phase].lower()}"


def _tab(session: Session, view: View) -> str:
    mark = TITLES.get(session.state)
    name = short(view.title, 40) or "Tandem"
    return f"{mark} · {name}" if mark else f"{name} · Tandem"


def _anchor(view: View, working: bool) -> tuple[str, str, str] | None:
    """What to bring into view when it is new: the start of an answer, a card that waits, a question just asked."""
    last = view.current
    if last is None:
        return None
    if last.answer is not None:
        return (f"answer-{last.n}", f"question-{last.n}", "start")
    waiting = last.waiting
    if waiting is not None and not working:
        return (f"waiting-{waiting.id}", "card", "nearest")
    end = f"turn-{last.n}-{last.end}"
    if last.end in ("stopped", "failed"):
        return (end, f"{last.end}-{last.n}", "nearest")
    return (end, f"turn-{last.n}", "nearest")
