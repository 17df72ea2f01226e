"""Functions that a model wrote by test: specification, code, tests and each result, for the person to keep or not."""

from __future__ import annotations

import streamlit as st

from assistant.api.events import FunctionsProposed, WrittenFunction
from assistant.api.session import Session
from assistant.api.turns import PendingRequest
from ui import actions
from ui.components import editor
from ui.session_hub import SessionHub
from ui.views.text import count, line, plain

KEEP, CHANGE = ":material/bookmark_add:", ":material/edit:"
_MARKS = {
    "passed": ":green[:material/check:]",
    "failed": ":red[:material/close:]",
    "skipped": ":orange[:material/remove:]",
}
_REPAIRS = {"refused": "not run", "allowed": "you allowed it", "forbidden": "you kept the test", "asked": "asks you"}


def draw_card(waiting: PendingRequest) -> None:
    """The functions that wait, or the test that seems wrong."""
    proposed = waiting.functions
    if proposed is None:
        return
    with st.container(border=True, key="card", gap="small"):
        with st.container(key="kicker"):
            st.caption("FUNCTION" if len(proposed.functions) == 1 else "FUNCTIONS")
        if proposed.doubt is not None:
            st.markdown(f"**The test {line(proposed.doubt.test)} seems wrong.** {plain(proposed.doubt.cause)}")
            original = next(f.tests for f in proposed.functions if f.name == proposed.doubt.function)
            label = f"Tests: {proposed.doubt.function}"
            editor.show(proposed.doubt.tests, key=f"doubt-{proposed.id}", label=label, original=original)
        draw_functions(proposed, key=waiting.id)
        st.caption("Only what you keep is used again. It runs in the cage, and only where you approve the cell.")


def draw_functions(proposed: FunctionsProposed, *, key: str) -> None:
    """Each function with its specification, code, tests and results; and what was changed on the way."""
    for function in proposed.functions:
        _draw_function(function, key=f"{key}-{function.name}")
    for repair in proposed.repairs:
        note = _REPAIRS.get(repair.outcome, "")
        suffix = f" :gray[({note})]" if note else ""
        st.markdown(f":material/build: {line(repair.category.capitalize())}: {plain(repair.cause)}{suffix}")


def _draw_function(function: WrittenFunction, *, key: str) -> None:
    passed = sum(result.outcome == "passed" for result in function.results)
    parameters = ", ".join(entry.partition(":")[0] for entry in function.inputs)
    st.markdown(f"**{line(function.name)}({line(parameters)})** {plain(function.purpose)}")
    entries = [f"- {line(entry)}" for entry in function.inputs]
    entries.append(f"- Gives: {line(function.output)}")
    if function.needs:
        entries.append(f"- Needs: {line(', '.join(function.needs))}")
    if function.complexity:
        entries.append(f"- Time: {line(function.complexity)}")
    st.markdown("\n".join(entries))
    for result in function.results:
        st.markdown(f"{_MARKS[result.outcome]} {line(result.name.removeprefix('test_').replace('_', ' '))}")
        if result.message:
            st.code(result.message, language=None, wrap_lines=True)
    if function.error:
        st.error(plain(function.error), icon=":material/error:")
    label = f"Code and {count(len(function.results), 'test')}, {passed} passed"
    with st.expander(label, type="compact", key=f"{key}-files"):
        editor.show(function.code, key=f"{key}-code", label=f"Code: {function.name}")
        editor.show(function.tests, key=f"{key}-tests", label=f"Tests: {function.name}")


def draw_buttons(live: SessionHub, session: Session, waiting: PendingRequest) -> None:
    """Keep them, or do without; change the test, or keep it."""
    proposed = waiting.functions
    if proposed is None:
        return

    def approve() -> None:
        actions.approve_functions(live, session, waiting)

    def refuse() -> None:
        actions.reject(live, session, waiting, "")

    no, yes, icon = ("Do without", "Keep", KEEP)
    if proposed.doubt is not None:
        no, yes, icon = ("The test is right", "Change the test", CHANGE)
    st.button(no, type="tertiary", key=f"reject-{waiting.id}", on_click=refuse)
    st.button(yes, type="primary", icon=icon, key=f"go-{waiting.id}", on_click=approve)
