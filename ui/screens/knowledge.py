"""Knowledge: what your organisation means by its words, as the assistant knows it."""

from __future__ import annotations

import streamlit as st

from assistant.errors import AssistantError
from ui import live as lives
from ui.ports import KnowledgeCard
from ui.views.text import line, plain

_KINDS = {
    "metric": (":material/functions:", "Metrics"),
    "term": (":material/menu_book:", "Terms"),
    "rule": (":material/gavel:", "Rules"),
    "query": (":material/verified:", "Verified questions"),
    "note": (":material/notes:", "Notes"),
}


def draw() -> None:
    """Draw the screen."""
    live = lives.current()
    st.title("Knowledge", anchor=False)
    st.markdown(
        "Definitions, metrics, rules and verified queries are plain files in a folder named `knowledge` beside your "
        "data. Tandem looks up what a question needs and names what it used; it never changes them by itself."
    )
    try:
        known = live.call(live.workspace.knowledge(), timeout_s=120)
    except AssistantError as error:
        st.error(plain(str(error)), title="The knowledge could not be read", icon=":material/error:")
        return
    if known.folder:
        st.markdown(f":gray[:material/folder_open: {line(known.folder)}]")
    for problem in known.problems:
        st.warning(plain(problem), icon=":material/warning:")
    if not known.cards:
        st.markdown(":gray[There is none for this data yet. Answers then rest on the names in the data alone.]")
        return
    wanted = st.text_input(
        "Find in the knowledge", key="knowledge-find", placeholder="Find a word", label_visibility="collapsed"
    )
    found = [card for card in known.cards if _holds(card, wanted or "")]
    if not found:
        st.markdown(":gray[Nothing here speaks of that.]")
    for kind, (icon, heading) in _KINDS.items():
        cards = sorted((card for card in found if card.kind == kind), key=lambda card: card.title.casefold())
        if cards:
            st.markdown(f"**{icon} {heading}** :gray[{len(cards)}]")
            with st.container(border=True, key=f"knowledge-{kind}", gap="xxsmall"):
                for place, card in enumerate(cards):
                    with st.expander(line(card.title), type="compact", key=f"knowledge-{kind}-{place}"):
                        st.markdown(plain(card.text))
                        st.caption(line(card.origin))


def _holds(card: KnowledgeCard, wanted: str) -> bool:
    return wanted.strip().casefold() in f"{card.title} {card.text}".casefold()
