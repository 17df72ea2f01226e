"""Settings: what works here, which cage holds, what may run without asking, and all that is changed in place."""

from __future__ import annotations

import streamlit as st

from assistant.api.settings import SettingChanges
from ui import session_hub
from ui.screens import settings_health, settings_models
from ui.screens.settings_choices import asking, language, recorded, seen
from ui.screens.settings_fields import Field, number
from ui.views.text import line

_LIMITS = (
    Field(place=("rows_max",), label="Rows of a query"),
    Field(place=("megabytes_max",), label="Size of a query's result", unit="MB"),
    Field(place=("query_seconds_max",), label="Time of a query", unit="seconds", whole=False),
    Field(place=("cell_seconds_max",), label="Time of a cell", unit="seconds", whole=False),
    Field(place=("memory_megabytes_max",), label="Memory of a conversation's code", unit="MB"),
)


def draw() -> None:
    """Draw the screen."""
    live = session_hub.current()
    settings = live.workspace.choices.settings
    st.title("Settings", anchor=False)
    st.markdown(f":gray[What you change here is kept at once. Models, levels and limits are in {line(settings.file)}.]")
    asking(live)
    settings_models.draw(live)
    seen(live)
    _limits(settings)
    with st.container(border=True, key="appearance", gap="small"):
        st.markdown("**Appearance**")
        st.markdown(
            "Light or dark follows your system. Choose one yourself in the menu at the top right, under Settings."
        )
        language(live)
    settings_health.draw(live)
    recorded(settings)


def _limits(settings: SettingChanges) -> None:
    with st.container(border=True, key="limits", gap="small"):
        st.markdown("**Limits**")
        columns = st.columns(2)
        for n, field in enumerate(_LIMITS):
            with columns[n % 2]:
                number(settings, field)
        st.markdown(
            ":gray[:small[Changes hold from the next query or cell on; that of the memory from the next start.]]"
        )
