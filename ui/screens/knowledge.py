"""Knowledge: what your organisation means by its words, as the assistant knows it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from assistant.errors import AssistantError
from ui import session_hub
from ui.components import editor
from ui.ports import KnowledgeCard
from ui.session_hub import SessionHub
from ui.views import definition
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
    live = session_hub.current()
    st.title("Knowledge", anchor=False)
    st.markdown(
        "Definitions, metrics, rules and verified queries are plain files in a folder named `knowledge` beside your "
        "data; PDF, Word, PowerPoint and HTML files there are read as well. Tandem looks up what a question needs and "
        "names what it used; it never changes them by itself: it learns a question only where you say of its answer "
        "that it is right, and a word only where you define it."
    )
    try:
        known = live.call(live.workspace.knowledge(), timeout_s=120)
    except AssistantError as error:
        st.error(plain(str(error)), title="The knowledge could not be read", icon=":material/error:")
        return
    if known.folder:
        st.markdown(f":gray[:material/folder_open: {line(known.folder)}]")
    if known.read < known.to_read:
        told = f"{known.read:,} of {known.to_read:,} document files are read; the others are not found yet"
        st.progress(known.read / known.to_read, text=told)
    if known.embedded < known.to_embed:
        told = f"{known.embedded:,} of {known.to_embed:,} new pieces are found by meaning; the others by their words"
        st.progress(known.embedded / known.to_embed, text=told)
    for problem in known.problems:
        st.warning(plain(problem), icon=":material/warning:")
    definition.add(live, first=not known.cards)
    if not known.cards:
        st.markdown(":gray[There is none for this data yet. Answers then rest on the names in the data alone.]")
        return
    wanted = st.text_input(
        "Find in the knowledge", key="knowledge-find", placeholder="Find a word", label_visibility="collapsed"
    )
    found = [card for card in known.cards if _holds(card, wanted or "")]
    if not found:
        st.markdown(":gray[Nothing here speaks of that.]")
    _cards(live, found)


def _cards(live: SessionHub, found: Sequence[KnowledgeCard]) -> None:
    """The cards by kind, those of a kind by title."""
    for kind, (icon, heading) in _KINDS.items():
        cards = sorted((card for card in found if card.kind == kind), key=lambda card: card.title.casefold())
        if cards:
            st.markdown(f"**{icon} {heading}** :gray[{len(cards)}]")
            with st.container(border=True, key=f"knowledge-{kind}", gap="xxsmall"):
                for place, card in enumerate(cards):
                    if card.sql:
                        _verified(live, card)
                        continue
                    if card.kept:
                        definition.card(live, card, key=f"knowledge-{card.id}")
                        continue
                    opened = st.expander(
                        line(card.title), type="compact", key=f"knowledge-{kind}-{place}", on_change="rerun"
                    )
                    if opened.open:
                        with opened:
                            st.markdown(plain(card.text))
                            st.caption(line(card.origin))
                            _used_in(live, card)


def _verified(live: SessionHub, card: KnowledgeCard) -> None:
    """A question; opened, with the SQL that answers it, who says so, and the way back."""
    opened = st.expander(line(card.title), type="compact", key=f"knowledge-{card.id}", on_change="rerun")
    if not opened.open:
        return
    with opened:
        editor.show(card.sql, key=f"knowledge-sql-{card.id}", label=f"SQL: {card.title}", language="sql")
        _marked(live, card)
        st.caption(line(card.origin))
        _used_in(live, card)


def _used_in(live: SessionHub, card: KnowledgeCard) -> None:
    """The conversations whose answers rest on it."""
    from ui.screens.places import pages

    used = live.call(live.workspace.history.using(card.id))
    if not used:
        st.markdown(":gray[:small[No answer rests on it yet.]]")
        return
    st.markdown(":gray[:small[Answers that rest on it]]")
    for one in used:
        st.page_link(pages()["chat"], label=line(one.title), query_params={"s": one.session})


def _marked(live: SessionHub, card: KnowledgeCard) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"knowledge-by-{card.id}", gap="small"):
        day = f" on {card.on:%-d %B %Y}" if card.on is not None else ""
        st.markdown(f":green[:material/verified:] Marked right by {line(card.by)}{day}", width="content")
        if not card.kept:
            st.markdown(":gray[Written by hand: delete it in its file]", width="content")
            return
        back = st.button(
            "Take back",
            key=f"knowledge-revoke-{card.id}",
            icon=":material/undo:",
            type="tertiary",
            help="Its file is deleted. Asked again, the question is worked out anew.",
        )
    if back:
        try:
            live.call(live.workspace.revoke(card.id))
        except AssistantError as error:
            st.error(plain(str(error)), title="It was not taken back", icon=":material/error:")
            return
        st.rerun()


def _holds(card: KnowledgeCard, wanted: str) -> bool:
    return wanted.strip().casefold() in f"{card.title} {card.text}".casefold()
