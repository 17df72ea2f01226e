"""The bar above the composer: the decision that waits, or the progress. One decision at a time, always on screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

import streamlit as st

from assistant.events import Approvable
from ui import actions
from ui.components.clock import clock
from ui.ports import Session
from ui.session_hub import SessionHub
from ui.view_model import Turn, View, Waiting
from ui.views import plan as plans
from ui.views import proposal as proposals
from ui.views.text import line

LONG_S = 20
RUN = ":material/play_arrow:"


def bar(live: SessionHub, session: Session, view: View, *, working: bool) -> None:
    """Draw the bar, if anything waits or runs."""
    waiting = view.waiting
    if working:
        _progress(live, session, view.current)
        return
    if waiting is None:
        return
    match waiting.kind:
        case "plan":
            _plan(live, session, view, waiting)
        case "code":
            _code(live, session, view, waiting)
        case "clarification":
            pass  # its answers stand under the question itself, and in the composer
        case _:
            assert_never(waiting.kind)


def _progress(live: SessionHub, session: Session, turn: Turn | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="bar", wrap=False):
        st.markdown(":gray[Working. You can close this tab and come back.]", width="stretch")
        if turn is not None:
            clock(key=f"turn-{turn.n}-{turn.phase_since}", since=turn.phase_since, after_s=LONG_S)
        st.button(
            "Stop",
            icon=":material/stop_circle:",
            key="stop",
            shortcut="Alt+S",
            on_click=actions.stop,
            args=(live, session),
        )


def _plan(live: SessionHub, session: Session, view: View, waiting: Waiting) -> None:
    def start(allow: tuple[Approvable, ...] = ()) -> None:
        actions.approve_plan(live, session, waiting, plans.edited(live, session, waiting), allow=allow)

    def choose() -> None:
        start(actions.allowing(view, ("plan",)))

    with st.container(horizontal=True, vertical_alignment="center", key="bar"):
        st.markdown("**Is this the right plan?**", width="content")
        st.space("stretch")
        _reject(live, session, waiting, "What should the plan do instead?")
        st.button("Start", type="primary", icon=":material/play_arrow:", key=f"go-{waiting.id}", on_click=start)
        _more(waiting, "Start, and stop asking about plans in this session", choose)


def _code(live: SessionHub, session: Session, view: View, waiting: Waiting) -> None:
    item = waiting.item
    if item is None:
        return
    language = item.proposal.language
    editing = proposals.is_editing(live, session, waiting)
    serious = proposals.is_serious(waiting)
    asked = getattr(waiting.request, "reason", "") or f"Run this {proposals.LANGUAGES[language]}?"

    def run(allow: tuple[Approvable, ...] = ()) -> None:
        actions.approve_code(live, session, waiting, proposals.typed(live, session, waiting), allow=allow)

    def run_as_proposed() -> None:
        actions.approve_code(live, session, waiting, item.proposal.code)

    def edit() -> None:
        proposals.begin_edit(live, session, waiting)

    def discard() -> None:
        proposals.end_edit(live, session, waiting)

    def choose() -> None:
        run(actions.allowing(view, ("query",) if language == "sql" else ("query", "python")))

    with st.container(horizontal=True, vertical_alignment="center", key="bar"):
        mark = ":orange[:material/warning:] " if serious else ""
        st.markdown(f"{mark}**{line(asked)}**", width="stretch")
        if editing:
            st.button("Discard edit", key=f"discard-{waiting.id}", type="tertiary", on_click=discard)
            st.button("Run edited code", type="primary", icon=RUN, key=f"go-{waiting.id}", on_click=run)
            return
        _reject(live, session, waiting, "What should change?")
        st.button(
            "Edit" if not waiting.is_refused_edit else "Edit further",
            icon=":material/edit:",
            key=f"edit-{waiting.id}",
            shortcut="Alt+E",
            on_click=edit,
        )
        if waiting.is_refused_edit:
            st.button("Run as first proposed", icon=RUN, key=f"go-{waiting.id}", on_click=run_as_proposed)
            return
        st.button(
            "Run anyway" if serious else "Run",
            type="secondary" if serious else "primary",
            icon=RUN,
            key=f"go-{waiting.id}",
            on_click=run,
        )
        if not serious:
            what = "read-only queries" if language == "sql" else "queries and caged Python"
            _more(waiting, f"Run, and stop asking for {what} in this session", choose)


def _reject(live: SessionHub, session: Session, waiting: Waiting, asked: str) -> None:
    key = f"reason-{waiting.id}"

    def send() -> None:
        reason = st.session_state.get(key)
        actions.reject(live, session, waiting, reason if isinstance(reason, str) else "")

    with st.popover("Reject", type="tertiary", key=f"reject-{waiting.id}"):
        st.text_area(
            asked, key=key, height=80, placeholder="For example: leave out returned orders", on_change="ignore"
        )
        st.button("Reject", key=f"send-{key}", icon=":material/undo:", on_click=send)


def _more(waiting: Waiting, label: str, choose: Callable[[], None]) -> None:
    st.menu_button(
        ":material/more_horiz:",
        [label],
        key=f"more-{waiting.id}",
        type="tertiary",
        help="More ways to go on",
        on_click=choose,
    )
