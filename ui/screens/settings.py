"""The settings screen: health checks, the sandbox level, the approval policy, and settings that are edited in place."""

from __future__ import annotations

import streamlit as st

from assistant.api.settings import SettingChanges
from ui import session_hub
from ui.screens import settings_health, settings_models
from ui.screens.settings_choices import draw_changes, draw_disclosure, draw_language, draw_policies
from ui.screens.settings_fields import Field, draw_number
from ui.views.text import line

_LIMITS = (
    Field(place=("rows_max",), label="Rows of a query"),
    Field(place=("megabytes_max",), label="Size of a query's result", unit="MB"),
    Field(place=("query_seconds_max",), label="Time of a query", unit="seconds", is_integer=False),
    Field(place=("cell_seconds_max",), label="Time limit per code step", unit="seconds", is_integer=False),
    Field(place=("memory_megabytes_max",), label="Memory of a conversation's code", unit="MB"),
)


def draw() -> None:
    """Draw the screen."""
    live = session_hub.current()
    settings = live.workspace.choices.settings
    st.title("Settings", anchor=False)
    st.markdown(f":gray[Changes save automatically. Models, levels and limits are in {line(settings.file)}.]")
    draw_policies(live)
    settings_models.draw(live)
    draw_disclosure(live)
    _draw_limits(settings)
    with st.container(border=True, key="appearance", gap="small"):
        st.markdown("**Appearance**")
        st.markdown(
            "Light or dark follows your system. Choose one yourself in the menu at the top right, under Settings."
        )
        draw_language(live)
    settings_health.draw(live)
    draw_changes(settings)


def _draw_limits(settings: SettingChanges) -> None:
    with st.container(border=True, key="limits", gap="small"):
        st.markdown("**Limits**")
        columns = st.columns(2)
        for n, field in enumerate(_LIMITS):
            with columns[n % 2]:
                draw_number(settings, field)
        st.markdown(
            ":gray[:small[Takes effect with the next query or cell. The memory limit takes effect after a restart.]]"
        )
