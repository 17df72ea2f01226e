"""Settings: what works here, which cage holds, and what may run without asking."""

from __future__ import annotations

import streamlit as st

from assistant.errors import AssistantError
from ui import session_hub
from ui.ports.health import Health, Suggestion
from ui.screens.settings_choices import asking, seen
from ui.session_hub import SessionHub
from ui.views import limits
from ui.views.masking import masked
from ui.views.text import line, plain

MARKS = {
    "ok": ":green[:material/check_circle:]",
    "weak": ":orange[:material/warning:]",
    "missing": ":red[:material/cancel:]",
}
WORDS = {"ok": "", "weak": "weaker than it could be", "missing": "missing"}


def draw() -> None:
    """Draw the screen."""
    live = session_hub.current()
    st.title("Settings", anchor=False)
    asking(live)
    _models(live)
    seen(live)
    with st.container(border=True, key="limits", gap="small"):
        st.markdown("**Limits**")
        for name, figure in live.workspace.choices.limits():
            with st.container(horizontal=True, key=f"limit-{name}"):
                st.markdown(line(name), width="stretch")
                st.markdown(f":gray[{line(figure)}]", width="content")
        st.markdown(":gray[:small[Set in `tandem.toml`; changes apply after the next start.]]")
    with st.container(border=True, key="appearance", gap="small"):
        st.markdown("**Appearance**")
        st.markdown(
            "Light or dark follows your system. Choose one yourself in the menu at the top right, under Settings. "
            "Numbers and dates are written as your browser's language has them."
        )
    _health(live)


def _models(live: SessionHub) -> None:
    """The language models, each with a test: one word is asked for, and no data is sent."""
    listed = live.workspace.models()
    with st.container(border=True, key="models", gap="small"):
        st.markdown("**Language models**")
        if not listed:
            st.markdown("None: the embedded analyst answers, and nothing leaves this machine.")
        for one in listed:
            with st.container(horizontal=True, vertical_alignment="center", key=f"model-{one.name}"):
                st.markdown(f"{line(one.name)} :gray[{line(one.use)}, at {line(one.endpoint)}]", width="stretch")
                test = st.button("Test", key=f"test-{one.name}", type="tertiary", icon=":material/network_check:")
            if test:
                with st.spinner("Asking it for one word"):
                    tried = live.call(live.workspace.try_model(one.name), timeout_s=None)
                (st.success if tried.ok else st.error)(plain(tried.text))
        if listed and (budgets := live.workspace.choices.budgets()):
            st.markdown(f"At most {line(', '.join(limits.said(name, limit) for name, limit in budgets))}.")
        st.markdown(
            ":gray[:small[Models and budgets are set in `tandem.toml`; changes apply after the next start. Keys come "
            "from environment variables.]]"
        )


def _health(live: SessionHub) -> None:
    with st.container(border=True, key="health", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**What works here**", width="stretch")
            again = st.button("Check again", icon=":material/refresh:", type="tertiary", key="again")
        with st.spinner("Looking"):
            found = live.health(fresh=again)
        if done := st.session_state.pop("masked", None):
            st.success(plain(str(done)), icon=":material/visibility_off:")
        for one in found:
            _one(live, one)


def _one(live: SessionHub, one: Health) -> None:
    said = f" :gray[{WORDS[one.state]}]" if WORDS[one.state] else ""
    with st.container(gap=None, key=f"health-{one.name}"):
        st.markdown(f"{MARKS[one.state]} **{line(one.name[:1].upper() + one.name[1:])}**{said}  \n{plain(one.text)}")
        if one.advice:
            st.markdown(f":gray[{plain(one.advice)}]")
        for suggestion in one.suggestions:
            _suggestion(live, suggestion)


def _suggestion(live: SessionHub, suggestion: Suggestion) -> None:
    """One column with the person's choice, which is kept in the home folder."""
    column = suggestion.column
    with st.container(horizontal=True, vertical_alignment="center", key=f"suggestion-{column}"):
        st.markdown(f"{line(column)} :gray[{plain(suggestion.what)}]", width="stretch")
        mask = st.button(
            "Mask it",
            key=f"mask-{column}",
            icon=":material/visibility_off:",
            help="From now on its values never leave the source. Answers that used it are withheld: ask again.",
        )
        show = st.button("It may be shown", key=f"show-{column}", type="tertiary", help="It is not suggested again.")
    if mask or show:
        try:
            with st.spinner("Masking it" if mask else "Looking again"):
                withheld = live.decide_mask(column, mask=mask)
        except AssistantError as error:
            st.error(plain(str(error)), title="That was not done everywhere", icon=":material/error:")
            return
        if mask:
            st.session_state["masked"] = masked(column, withheld)
        with st.spinner("Looking again"):
            live.health(fresh=True)
        st.rerun()
