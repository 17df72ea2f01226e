"""The screens and their URL paths."""

from __future__ import annotations

from typing import Literal

import streamlit as st
from streamlit.navigation.page import StreamlitPage

Place = Literal["chat", "questions", "boards", "data", "knowledge", "settings"]


def build_pages() -> dict[Place, StreamlitPage]:
    """All screens; the chat is where `/` leads, and `/?s=<id>` to a session."""
    from ui.screens import boards, chat, knowledge, sessions, settings, sources

    return {
        "chat": st.Page(chat.draw, title="Ask", url_path="", default=True),
        "questions": st.Page(sessions.draw, title="Questions", url_path="questions"),
        "boards": st.Page(boards.draw, title="Boards", url_path="boards"),
        "data": st.Page(sources.draw, title="Data", url_path="data"),
        "knowledge": st.Page(knowledge.draw, title="Knowledge", url_path="knowledge"),
        "settings": st.Page(settings.draw, title="Settings", url_path="settings"),
    }
