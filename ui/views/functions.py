"""Tested functions that cells may import: signature, source and tests, which run with a click."""

from __future__ import annotations

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.functions import Function, SuiteRun
from ui.components import editor
from ui.session_hub import SessionHub
from ui.views.text import line, plain

_RUNS = "function-runs"
_TAKE_S = 120


def draw(live: SessionHub, search: str) -> None:
    """The functions whose name, purpose or words hold the search, each closed."""
    try:
        functions = live.call(live.workspace.knowledge.functions.read())
        problems = live.call(live.workspace.knowledge.functions.list_problems())
    except AssistantError as error:
        st.warning(plain(str(error)), icon=":material/warning:")
        return
    visible = [function for function in functions if _matches(function, search)]
    if visible:
        st.markdown(f"**:material/function: Functions** :gray[{len(visible)}]")
        st.caption("Tested Python that a cell can import. It runs in the cage, and only where you approve the cell.")
        with st.container(border=True, key="knowledge-functions", gap="xxsmall"):
            for function in visible:
                _draw_function(live, function)
    for problem in problems:
        st.warning(plain(str(problem)), icon=":material/warning:")


def _matches(function: Function, search: str) -> bool:
    text = f"{function.name.replace('_', ' ')} {function.name} {function.purpose} {' '.join(function.words)}"
    return search.casefold() in text.casefold()


def _draw_function(live: SessionHub, function: Function) -> None:
    title = function.name.replace("_", " ").capitalize()
    state = "" if function.is_tested else " :orange[:small[not tested as it is]]"
    opened = st.expander(f"{line(title)}{state}", type="compact", key=f"function-{function.name}", on_change="rerun")
    if not opened.open:
        return
    with opened:
        st.markdown(plain(function.purpose))
        st.markdown(_describe(function))
        label = f"Code: {function.name}"
        editor.show(function.source.code, key=f"function-code-{function.name}", label=label)
        with st.expander("Tests", type="compact", key=f"function-tests-{function.name}"):
            editor.show(function.tests, key=f"function-test-code-{function.name}", label=f"Tests: {function.name}")
        _draw_actions(live, function)
        runs: dict[str, SuiteRun] = st.session_state.get(_RUNS, {})
        if (run := runs.get(function.name)) is not None and run.function.sha256 == function.sha256:
            _draw_run(run)


def _describe(function: Function) -> str:
    """How it is called, and what it takes, gives and refuses."""
    entries = [f"- **{line(p.name)}**: {line(p.meaning)}" for p in function.parameters]
    entries.append(f"- Gives: {line(function.returns)}")
    if function.raises:
        entries.append(f"- Refuses: {line(function.raises)}")
    if function.needs:
        entries.append(f"- Needs: {line(', '.join(function.needs))}")
    return "\n".join(entries)


def _draw_actions(live: SessionHub, function: Function) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"function-ways-{function.name}", gap="small"):
        origin = "Comes with Tandem" if function.is_shipped else f"Kept by {function.author} on {function.date}"
        st.markdown(f":gray[{line(origin)}]", width="content")
        test = st.button("Run the tests", key=f"function-run-{function.name}", icon=":material/play_arrow:")
        remove = not function.is_shipped and st.button(
            "Remove", key=f"function-remove-{function.name}", icon=":material/delete:", type="tertiary"
        )
    functions = live.workspace.knowledge.functions
    try:
        if test:
            with st.spinner("Running the tests in the cage", show_time=True):
                run = live.call(functions.test(function.name), timeout_s=_TAKE_S)
            st.session_state[_RUNS] = {**st.session_state.get(_RUNS, {}), function.name: run}
            st.rerun()
        if remove:
            live.call(functions.remove(function.name))
            st.rerun()
    except AssistantError as error:
        st.error(plain(str(error)), title="That was not done", icon=":material/error:")


def _draw_run(run: SuiteRun) -> None:
    """What became of each test."""
    if run.error:
        st.error(plain(run.error), icon=":material/error:")
    for result in run.results:
        icon = ":green[:material/check:]" if result.outcome == "passed" else ":red[:material/close:]"
        st.markdown(f"{icon} {line(result.name.removeprefix('test_').replace('_', ' '))}")
        if result.message:
            st.code(result.message, language=None, wrap_lines=True)
