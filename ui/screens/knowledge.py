"""Knowledge: what your organisation means by its words, as the assistant knows it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.knowledge import Knowledge, KnowledgeCard
from ui import session_hub
from ui.components import editor
from ui.session_hub import SessionHub
from ui.views import definition, entry
from ui.views.text import line, plain

_KINDS = {
    "term": (":material/menu_book:", "Terms"),
    "metric": (":material/functions:", "Metrics"),
    "rule": (":material/gavel:", "Rules"),
    "query": (":material/verified:", "Verified questions"),
    "note": (":material/notes:", "Notes"),
}
"""The kinds, those that people change most first."""


def draw() -> None:
    """Draw the screen."""
    live = session_hub.current()
    st.title("Knowledge", anchor=False)
    st.markdown(
        "What your words mean, how figures are counted, and which rules apply. Open an entry to change it and see the "
        "effect at once. Nothing here changes by itself: a question is added only when you mark its answer as right, "
        "a word only when you define it. PDF, Word, PowerPoint and HTML files in the folder are read as well."
    )
    try:
        known = live.call(live.workspace.knowledge.read(), timeout_s=120)
    except AssistantError as error:
        st.error(plain(str(error)), title="The knowledge could not be read", icon=":material/error:")
        return
    entry.done(live)
    definition.add(live, first=not known.cards)
    if not known.cards:
        _folder(known)
        st.markdown(":gray[There is none for this data yet. Answers then rest on the names in the data alone.]")
        return
    wanted = st.text_input(
        "Find in the knowledge", key="knowledge-find", placeholder="Find a word", label_visibility="collapsed"
    )
    found = [card for card in known.cards if _holds(card, wanted or "")]
    if not found:
        st.markdown(":gray[Nothing here speaks of that.]")
    _cards(live, found)
    _folder(known)


def _folder(known: Knowledge) -> None:
    """Where it is kept, and what of it cannot be read."""
    if known.folder:
        st.markdown(f":gray[:material/folder_open: {line(known.folder)}]")
    if known.read < known.to_read:
        told = f"{known.read:,} of {known.to_read:,} document files are read; answers cannot use the others yet"
        st.progress(known.read / known.to_read, text=told)
    if known.embedded < known.to_embed:
        done, all_of = f"{known.embedded:,}", f"{known.to_embed:,}"
        told = (
            f"{done} of {all_of} new passages can be found by what they mean; the others only by words that they hold"
        )
        st.progress(known.embedded / known.to_embed, text=told)
    for problem in known.problems:
        st.warning(plain(problem), icon=":material/warning:")


def _cards(live: SessionHub, found: Sequence[KnowledgeCard]) -> None:
    """The cards by kind, those of a kind by title."""
    for kind, (icon, heading) in _KINDS.items():
        cards = sorted((card for card in found if card.kind == kind), key=lambda card: card.title.casefold())
        if cards:
            st.markdown(f"**{icon} {heading}** :gray[{len(cards)}]")
            with st.container(border=True, key=f"knowledge-{kind}", gap="xxsmall"):
                for card in cards:
                    _card(live, card)


def _card(live: SessionHub, card: KnowledgeCard) -> None:
    key = f"knowledge-{card.id}"
    if card.kept and not card.sql:
        definition.card(live, card, key=key, uses=lambda: _used_in(live, card))
    else:
        entry.card(live, card, key=key, draw=lambda: (_verified if card.sql else _written)(live, card))


def _written(live: SessionHub, card: KnowledgeCard) -> None:
    """What an entry says, where it stands, and what rests on it."""
    st.markdown(plain(card.text))
    st.caption(line(card.origin))
    _used_in(live, card)


def _verified(live: SessionHub, card: KnowledgeCard) -> None:
    """The SQL that answers a question, who says so, and the way back."""
    editor.show(card.sql, key=f"knowledge-sql-{card.id}", label=f"SQL: {card.title}", language="sql")
    _marked(live, card)
    st.caption(line(card.origin))
    _used_in(live, card)


def _used_in(live: SessionHub, card: KnowledgeCard) -> None:
    """The conversations whose answers rest on it."""
    from ui.screens.routes import pages

    used = live.call(live.workspace.history.find_uses(card.id))
    if not used:
        st.markdown(":gray[:small[No answer uses it yet.]]")
        return
    st.markdown(":gray[:small[Answers that use it]]")
    for one in used:
        st.page_link(pages()["chat"], label=line(one.title), query_params={"s": one.session})


def _marked(live: SessionHub, card: KnowledgeCard) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"knowledge-by-{card.id}", gap="small"):
        day = f" on {card.on:%-d %B %Y}" if card.on is not None else ""
        st.markdown(f":green[:material/verified:] Marked right by {line(card.by)}{day}", width="content")
        if not card.kept:
            st.markdown(":gray[Written by hand]", width="content")
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
