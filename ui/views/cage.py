"""The sandbox level of a session: a caption, and a warning where the level is weaker than full isolation."""

from __future__ import annotations

import streamlit as st

from assistant.api.session import Session
from ui.session_hub import SessionHub

FULL = frozenset({"zygote", "bubblewrap", "full"})
NO_CAGE = "process"


def draw_note(live: SessionHub, session: Session) -> None:
    """Say where the code would run. Nothing while that is not known."""
    level = live.of(session).get_cage()
    if level in FULL:
        st.markdown(
            ":gray[:small[:material/shield: Runs in a sandbox: no network, no credentials, none of your files.]]"
        )
    elif level == NO_CAGE:
        st.warning(
            "Code would run with your own rights on this machine, because no cage holds here. Read it well before you "
            "run it. Settings says how to get a cage.",
            title="No cage",
            icon=":material/gpp_maybe:",
        )
    elif level:
        st.markdown(
            ":orange[:small[:material/gpp_maybe: Runs in a weaker cage than usual: files, network and signals are "
            "held, but some limits are not. Settings says more.]]"
        )
