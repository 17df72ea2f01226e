"""The decision bar above the input box: the pending decision, or the progress. One at a time, always visible."""

from __future__ import annotations

from typing import assert_never

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assistant.api.session import Session
from assistant.api.turns import PendingRequest, Transcript, Turn
from ui import actions
from ui.components.clock import draw_clock
from ui.session_hub import SessionHub
from ui.views import package as packages
from ui.views import plan as plans
from ui.views import plan_steps, policy, written_functions
from ui.views import proposal as proposals
from ui.views.text import line

LONG_S = 20
RUN = ":material/play_arrow:"
RUN_KEY, EDIT_KEY, REJECT_KEY, STOP_KEY = "Alt+A", "Alt+E", "Alt+X", "Alt+S"
"""Shown on their buttons. None of them is a key that is pressed while typing, and none is the browser's own."""


def draw_bar(live: SessionHub, session: Session, view: Transcript, *, working: bool) -> None:
    """Draw the bar, if anything waits or runs."""
    waiting = view.waiting
    if working:
        _draw_progress(live, session, view.current)
        return
    if waiting is None:
        return
    match waiting.kind:
        case "plan":
            _draw_plan(live, session, view, waiting)
        case "code":
            _draw_code(live, session, view, waiting)
        case "package":
            _draw_package(live, session, waiting)
        case "functions":
            _draw_functions(live, session, waiting)
        case "clarification":
            pass  # its answers stand under the question itself, and in the composer
        case _:
            assert_never(waiting.kind)


def _draw_progress(live: SessionHub, session: Session, turn: Turn | None) -> None:
    """The bar while the session works: for how long, and Stop."""
    with st.container(horizontal=True, vertical_alignment="center", key="bar", wrap=False):
        st.markdown(":gray[Working. You can close this tab and come back.]", width="stretch")
        if turn is not None:
            draw_clock(key=f"turn-{turn.number}-{turn.phase_started_at}", since=turn.phase_started_at, after_s=LONG_S)
        st.button(
            "Stop",
            icon=":material/stop_circle:",
            key="stop",
            shortcut=STOP_KEY,
            on_click=actions.stop,
            args=(live, session),
        )


def _draw_plan(live: SessionHub, session: Session, view: Transcript, waiting: PendingRequest) -> None:
    """The bar of a plan that waits: start it, run all of it, or reject it."""
    can_run_all = plans.can_run_all(live, session, waiting)

    def start() -> None:
        actions.approve_plan(live, session, waiting, plan_steps.read_steps(live, session, waiting))

    def run_all() -> None:
        actions.run_all(live, session, waiting)

    with st.container(horizontal=True, vertical_alignment="center", key="bar"):
        st.markdown("**Is this the right plan?**", width="content")
        policy.draw_chooser(live, session, view, waiting)
        st.space("stretch")
        with _draw_buttons():
            _reject(live, session, waiting)
            name, go = ("Run all", run_all) if can_run_all else ("Start", start)
            if can_run_all:
                key, hint = f"step-by-step-{waiting.id}", "Shows each cell before it runs"
                st.button("Step by step", key=key, on_click=start, help=hint)
            st.button(name, type="primary", icon=RUN, key=f"go-{waiting.id}", shortcut=RUN_KEY, on_click=go)
    _draw_reason(live, session, waiting, "What should the plan do instead?")


def _draw_code(live: SessionHub, session: Session, view: Transcript, waiting: PendingRequest) -> None:
    """The bar of code that waits: run, edit or reject it. Code with a serious finding has no primary button."""
    item = waiting.item
    if item is None:
        return
    language = item.proposal.language
    editing = proposals.is_editing(live, session, waiting)
    serious = proposals.is_serious(waiting)
    prompt = getattr(waiting.request, "reason", "") or f"Run this {proposals.LANGUAGES[language]}?"

    def run() -> None:
        actions.approve_code(live, session, waiting, proposals.read_code(live, session, waiting))

    def run_as_proposed() -> None:
        actions.approve_code(live, session, waiting, item.proposal.code)

    def edit() -> None:
        proposals.begin_edit(live, session, waiting)

    def discard() -> None:
        proposals.end_edit(live, session, waiting)

    with st.container(horizontal=True, vertical_alignment="center", key="bar"):
        mark = ":orange[:material/warning:] " if serious else ""
        st.markdown(f"{mark}**{line(prompt)}**", width="content" if not serious else "stretch")
        if not (editing or serious or waiting.is_refused_edit):
            policy.draw_chooser(live, session, view, waiting)
        st.space("stretch")
        with _draw_buttons():
            if editing:
                st.button("Discard edit", key=f"discard-{waiting.id}", type="tertiary", on_click=discard)
                st.button("Run edited code", type="primary", icon=RUN, key=f"go-{waiting.id}", on_click=run)
                return
            _reject(live, session, waiting)
            st.button(
                "Edit" if not waiting.is_refused_edit else "Edit further",
                icon=":material/edit:",
                key=f"edit-{waiting.id}",
                shortcut=EDIT_KEY,
                on_click=edit,
            )
            if waiting.is_refused_edit:
                st.button("Run as first proposed", icon=RUN, key=f"go-{waiting.id}", on_click=run_as_proposed)
            else:
                st.button(
                    "Run anyway" if serious else "Run",
                    type="secondary" if serious else "primary",
                    icon=RUN,
                    key=f"go-{waiting.id}",
                    shortcut=None if serious else RUN_KEY,
                    on_click=run,
                )
    _draw_reason(live, session, waiting, "What should change?")


def _draw_package(live: SessionHub, session: Session, waiting: PendingRequest) -> None:
    """The bar of a package that a cell lacks."""
    with st.container(horizontal=True, vertical_alignment="center", key="bar"):
        st.markdown(f"**{line(getattr(waiting.request, 'reason', ''))}**", width="stretch")
        packages.draw_buttons(live, session, waiting)


def _draw_functions(live: SessionHub, session: Session, waiting: PendingRequest) -> None:
    """The bar of functions that were written, or of a test that seems wrong."""
    with st.container(horizontal=True, vertical_alignment="center", key="bar"):
        st.markdown(f"**{line(getattr(waiting.request, 'reason', ''))}**", width="stretch")
        written_functions.draw_buttons(live, session, waiting)


def _draw_buttons() -> DeltaGenerator:
    """The buttons of a decision, which stay side by side where the bar takes two lines."""
    return st.container(
        horizontal=True, vertical_alignment="center", width="content", wrap=False, gap="small", key="bar-buttons"
    )


def _reject(live: SessionHub, session: Session, waiting: PendingRequest) -> None:
    """The button that opens the field for a reason; the composer says the same without it."""

    def toggle() -> None:
        drafts = live.of(session).drafts
        if drafts.pop(f"{waiting.id}#rejecting", None) is None:
            drafts[f"{waiting.id}#rejecting"] = "yes"

    st.button("Reject", type="tertiary", key=f"reject-{waiting.id}", shortcut=REJECT_KEY, on_click=toggle)


def _draw_reason(live: SessionHub, session: Session, waiting: PendingRequest, prompt: str) -> None:
    """The field for what should change, once Reject was pressed."""
    if f"{waiting.id}#rejecting" not in live.of(session).drafts:
        return
    key = f"reason-{waiting.id}"

    def send() -> None:
        reason = st.session_state.get(key)
        actions.reject(live, session, waiting, reason if isinstance(reason, str) else "")

    with st.container(key="rejecting", gap="small"):
        st.text_area(
            prompt, key=key, height=80, placeholder="For example: leave out returned orders", on_change="ignore"
        )
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="send-back"):
            st.button("Send it back", key=f"send-{key}", icon=":material/undo:", on_click=send)
            st.markdown(
                ":gray[:small[Your question stays. What you write changes how it is answered.]]", width="content"
            )
