"""Settings: what works here, which cage holds, and what may run without asking."""

from __future__ import annotations

import streamlit as st

from ui import session_hub
from ui.screens import settings_health
from ui.screens.settings_choices import asking, language, seen
from ui.session_hub import SessionHub
from ui.views import limits
from ui.views.text import line, plain


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
            "Light or dark follows your system. Choose one yourself in the menu at the top right, under Settings."
        )
        language(live)
    settings_health.draw(live)


def _models(live: SessionHub) -> None:
    """The language models, each with a test: one word is asked for, and no data is sent."""
    listed = live.workspace.models()
    with st.container(border=True, key="models", gap="small"):
        st.markdown("**Language models**")
        if not listed:
            st.markdown("None: Tandem's built-in analyst answers, and nothing leaves this machine.")
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
