"""The empty session: a description of the data, six starter questions of six kinds, and a guided first run."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.session import Session
from assistant.api.sources import SourceShown, Starter
from assistant.api.turns import Transcript
from ui.reading import Reading
from ui.screens import composer
from ui.session_hub import SessionHub
from ui.views import reading, source_reading
from ui.views.source_reading import say_doubt
from ui.views.text import count, line, plain

STARTERS_EVERY_S = 0.5
"""How often the page looks whether the starters are made; it stops once they are."""
_ICONS = {
    "total": ":material/functions:",
    "trend": ":material/show_chart:",
    "ranking": ":material/leaderboard:",
    "share": ":material/donut_large:",
    "comparison": ":material/compare_arrows:",
    "quality": ":material/fact_check:",
}
_SOURCES_MAX = 3
_FACTS_MAX = 2
_TOUR, _NO_TOUR = "tour", "tour-declined"
_STEPS = {
    "plan": "**1 of 3.** This is what Tandem means to do. Change a step by writing in it, or start.",
    "code": "**2 of 3.** This is the query that would run, with what was checked about it. Nothing has run yet: "
    "press Run, or say below what to change.",
    "answer": "**3 of 3.** The answer, with its table and chart. “How this was computed” shows every step. Ask on "
    "below, for instance “by month” or “only 2025”.",
}

Ask = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Start:
    """A first question, with the files that came with it, and the session that is made for it."""

    text: str
    files: tuple[tuple[str, bytes], ...]
    reading: Reading[Session]


@dataclass(frozen=True, slots=True)
class _FailedStart:
    start: Start
    why: str


def finish_start(live: SessionHub, start: Start) -> Session | None:
    """The session of a first question; None where there is none, whose question is kept, to be asked again.

    What the page shows of the data is then looked at anew, as a source may have gone.
    """
    try:
        return start.reading.result()
    except CancelledError:
        why = "Reading the data was stopped. The data stays connected, and nothing was asked."
    except AssistantError as error:
        why = str(error)
        live.forget_starters()
    st.session_state["unasked"] = _FailedStart(start, why)
    return None


def draw_unasked() -> None:
    """The first question that was not asked, with the way to ask it, and to where a source is disconnected."""
    from ui.screens.routes import build_pages

    unasked = st.session_state.get("unasked")
    if not isinstance(unasked, _FailedStart):
        return
    with st.container(border=True, key="unasked", gap="small"):
        st.markdown("**:orange[:material/pending: This was not asked]**")
        st.markdown(plain(unasked.why))
        if unasked.start.text:
            st.markdown(f":gray[Your question is kept:] “{line(unasked.start.text)}”")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button("Ask", icon=":material/arrow_upward:", key="ask-unasked", on_click=_ask_again, args=(unasked,))
            st.button("Forget it", key="forget-unasked", type="tertiary", on_click=_ask_again, args=(None,))
            st.page_link(build_pages()["data"], label="Connected data", icon=":material/database:", width="content")


def _ask_again(unasked: _FailedStart | None) -> None:
    del st.session_state["unasked"]
    if unasked is not None:
        composer.queue_question(unasked.start.text, unasked.start.files)


def draw_data(live: SessionHub) -> None:
    """A card of what new questions are about; a line until that is known."""
    sources = live.beginnings.sources()
    if sources is None or live.beginnings.was_stopped:
        _draw_reading(live)
        return
    if not sources:
        text = live.workspace.default_source
        if text:
            st.markdown(f":gray[:material/database: {line(text)}]")
        else:
            _draw_no_data()
        return
    with st.container(border=True, key="data-card", gap="xxsmall"):
        for source in sources[:_SOURCES_MAX]:
            _draw_source(live, source)
        if len(sources) > _SOURCES_MAX:
            st.markdown(f":gray[and {count(len(sources) - _SOURCES_MAX, 'more source')}]")


def _draw_reading(live: SessionHub) -> None:
    """The data's name, and how far its reading is."""
    beginnings = live.beginnings
    if text := live.workspace.default_source:
        st.markdown(f":gray[:material/database: {line(text)}]")
    if beginnings.was_stopped:
        with st.container(horizontal=True, vertical_alignment="center", key="reading-stopped", gap="small"):
            st.markdown(":gray[Reading it was stopped. It is read when you ask.]", width="stretch")
            st.button("Read it now", icon=":material/refresh:", key="read-now", on_click=live.forget_starters)
        return

    @st.fragment(run_every=STARTERS_EVERY_S)
    def draw() -> None:
        if beginnings.progress is not None and beginnings.sources() is None:
            with st.container(horizontal=True, vertical_alignment="center", key="data-reading", gap="small"):
                st.progress(reading.share(beginnings.progress), text=reading.describe(beginnings.progress))
                st.button("Stop", icon=":material/stop_circle:", key="stop-data", on_click=beginnings.stop)
        if beginnings.was_stopped or beginnings.sources() is not None:
            st.rerun()

    draw()


def _draw_no_data() -> None:
    from ui.screens.routes import build_pages

    with st.container(border=True, key="no-data", gap="small"):
        st.markdown("**:material/database_off: No data is connected yet**")
        st.markdown("Add a file to your question below, or connect files and databases for every question.")
        st.page_link(build_pages()["data"], label="Connect data", icon=":material/add_link:", width="content")


def _draw_source(live: SessionHub, source: SourceShown) -> None:
    from ui.screens.routes import build_pages

    with st.container(horizontal=True, wrap=False, key=f"data-card-{source.name}", gap="small"):
        name = (
            live.workspace.default_source
            if source.origin == "sample"
            else source_reading.describe_place(source) or source.name
        )
        st.markdown(f"**:material/database: {line(name)}**", width="stretch")
        st.page_link(build_pages()["data"], label="Preview data", icon=":material/table_view:")
    if source.problem:
        st.markdown(f":red[:material/error: {plain(source.problem)}]")
        return
    st.markdown(f":gray[{source_reading.describe_source(source)}]")
    facts = [
        *((":material/help:", say_doubt(doubt, source.tables)) for doubt in source.doubts),
        *((":material/info:", note) for note in source.notes),
    ]
    for icon, fact in facts[:_FACTS_MAX]:
        st.markdown(f":gray[:small[{icon} {plain(fact)}]]")


def draw_starters(live: SessionHub, session: Session | None, ask: Ask) -> None:
    """Questions to begin with, once they are made: that may take a moment on new data."""
    about = "" if session is None else session.id
    key = f"starters-of-{about}-{live.beginnings.generation}"
    waiting = live.starters(session) is None or (session is None and not _is_complete(live))

    @st.fragment(run_every=STARTERS_EVERY_S if waiting else None)
    def draw() -> None:
        starters = live.starters(session)
        if starters is not None:
            starters = st.session_state.setdefault(key, starters)  # what was read does not change under the hand
        _draw_buttons(starters or (), ask)
        looked = session is not None or _is_complete(live)
        if starters is not None and looked and st.session_state.pop("starters_awaited", False):
            st.rerun()  # the whole page, so that nothing is asked for every second any more
        if starters is None or not looked:
            st.session_state["starters_awaited"] = True
        if composer.STARTED_DRAFT in st.session_state:
            st.rerun()

    draw()


def _is_complete(live: SessionHub) -> bool:
    """Whether all that the page shows of the default data is there."""
    return live.beginnings.sources() is not None and live.beginnings.is_tried


def _draw_buttons(starters: tuple[Starter, ...], ask: Ask) -> None:
    with st.container(key="starters", gap="small"):
        for first in range(0, len(starters), 2):
            for n, column in enumerate(st.columns(2, gap="small"), first):
                if n < len(starters):
                    column.button(
                        line(starters[n].text),
                        key=f"starter-{n}",
                        icon=_ICONS.get(starters[n].kind, ":material/arrow_outward:"),
                        width="stretch",
                        on_click=ask,
                        args=(starters[n].text,),
                    )


def draw_tour_offer(live: SessionHub, begin: Callable[[str], None]) -> None:
    """On the very first visit, an explained run on this data; a question that can be answered is chosen for it."""
    if st.session_state.get(_NO_TOUR) or live.workspace.sessions():
        return
    starters = live.beginnings.tried_starters()
    text = next(
        (starter.text for starter in starters if starter.kind in ("ranking", "trend")),
        starters[0].text if starters else "",
    )
    if not text:
        return
    with st.container(border=True, key="tour", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("**New here?** See in 60 seconds how a question becomes an answer.", width="stretch")
        if st.button("Show me", key="tour-yes", type="primary", icon=":material/play_arrow:"):
            st.session_state[_TOUR] = True
            begin(text)
            st.rerun()
        if st.button("No, thanks", key="tour-no", type="tertiary"):
            st.session_state[_NO_TOUR] = True
            st.rerun()


def begin_tour(session: Session) -> None:
    """The explained run is this conversation, if one was wanted."""
    if st.session_state.get(_TOUR) is True:
        st.session_state[_TOUR] = session.id


def draw_tour(session: Session, view: Transcript) -> None:
    """Explain where the first run stands."""
    if st.session_state.get(_TOUR) != session.id or len(view.turns) != 1:
        return
    waiting, turn = view.waiting, view.turns[0]
    if turn.answer is not None:
        step = "answer"
    elif waiting is None or waiting.kind in ("clarification", "package", "functions"):
        return
    else:
        step = "plan" if waiting.item is None else "code"
    with st.container(key="tour-step"):
        st.info(_STEPS[step], icon=":material/school:")
        if step == "answer" and st.button("Got it", key="tour-end", type="tertiary", icon=":material/check:"):
            del st.session_state[_TOUR]
            st.rerun()
