"""The knowledge screen: terms, metrics, rules and verified queries of the organisation."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.knowledge import Knowledge, KnowledgeCard
from ui import session_hub
from ui.components import editor
from ui.session_hub import SessionHub
from ui.views import definition, entry, functions, lessons
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
        "Glossary, metrics and rules. Open an entry to change it and see the "
        "effect at once. Nothing here changes by itself: a question is added only when you mark its answer as right, "
        "a word only when you define it. PDF, Word, PowerPoint and HTML files in the folder are read as well."
    )
    try:
        knowledge = live.call(live.workspace.knowledge.read(), timeout_s=120)
    except AssistantError as error:
        st.error(plain(str(error)), title="The knowledge could not be read", icon=":material/error:")
        return
    entry.draw_outcome(live)
    definition.draw_add_form(live, first=not knowledge.cards)
    if not knowledge.cards:
        _draw_folder(knowledge)
        st.markdown(":gray[Nothing is defined for this data yet. Answers rest on the names in the data alone.]")
        functions.draw(live, "")
        lessons.draw_kept(live, "")
        return
    search = st.text_input(
        "Find in the knowledge", key="knowledge-find", placeholder="Find a word", label_visibility="collapsed"
    )
    cards = [card for card in knowledge.cards if _matches(card, search or "")]
    if not cards:
        st.markdown(":gray[No entry has that.]")
    _draw_cards(live, cards)
    functions.draw(live, search or "")
    lessons.draw_kept(live, search or "")
    _draw_folder(knowledge)


def _draw_folder(knowledge: Knowledge) -> None:
    """Where it is kept, and what of it cannot be read."""
    if knowledge.folder:
        st.markdown(f":gray[:material/folder_open: {line(knowledge.folder)}]")
    if knowledge.files_indexed < knowledge.files_total:
        text = (
            f"{knowledge.files_indexed:,} of {knowledge.files_total:,} document files are read; "
            "answers cannot use the others yet"
        )
        st.progress(knowledge.files_indexed / knowledge.files_total, text=text)
    if knowledge.embedded < knowledge.to_embed:
        done, all_of = f"{knowledge.embedded:,}", f"{knowledge.to_embed:,}"
        text = (
            f"{done} of {all_of} new passages can be found by what they mean; the others only by words that they hold"
        )
        st.progress(knowledge.embedded / knowledge.to_embed, text=text)
    for problem in knowledge.problems:
        st.warning(plain(problem), icon=":material/warning:")


def _draw_cards(live: SessionHub, all_cards: Sequence[KnowledgeCard]) -> None:
    """The cards by kind, those of a kind by title."""
    for kind, (icon, heading) in _KINDS.items():
        cards = sorted((card for card in all_cards if card.kind == kind), key=lambda card: card.title.casefold())
        if cards:
            st.markdown(f"**{icon} {heading}** :gray[{len(cards)}]")
            with st.container(border=True, key=f"knowledge-{kind}", gap="xxsmall"):
                for card in cards:
                    _draw_card(live, card)


def _draw_card(live: SessionHub, card: KnowledgeCard) -> None:
    key = f"knowledge-{card.id}"
    if card.is_stored and not card.sql:
        definition.draw_card(live, card, key=key, uses=lambda: _draw_uses(live, card))
    else:
        entry.draw_card(live, card, key=key, draw=lambda: (_draw_verified if card.sql else _draw_entry)(live, card))


def _draw_entry(live: SessionHub, card: KnowledgeCard) -> None:
    """What an entry says, where it stands, and what rests on it."""
    st.markdown(plain(card.text))
    st.caption(line(card.origin))
    _draw_uses(live, card)


def _draw_verified(live: SessionHub, card: KnowledgeCard) -> None:
    """The SQL that answers a question, who says so, and the way back."""
    editor.show(card.sql, key=f"knowledge-sql-{card.id}", label=f"Code: {card.title}", language=card.language)
    _marked(live, card)
    st.caption(line(card.origin))
    _draw_uses(live, card)


def _draw_uses(live: SessionHub, card: KnowledgeCard) -> None:
    """The conversations whose answers rest on it."""
    from ui.screens.routes import build_pages

    used = live.call(live.workspace.history.find_uses(card.id))
    if not used:
        st.markdown(":gray[:small[No answer uses it yet.]]")
        return
    st.markdown(":gray[:small[Answers that use it]]")
    for usage in used:
        st.page_link(build_pages()["chat"], label=line(usage.title), query_params={"s": usage.session})


def _marked(live: SessionHub, card: KnowledgeCard) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"knowledge-by-{card.id}", gap="small"):
        day = f" on {card.on:%-d %B %Y}" if card.on is not None else ""
        st.markdown(f":green[:material/verified:] Marked right by {line(card.by)}{day}", width="content")
        if not card.is_stored:
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


def _matches(card: KnowledgeCard, search: str) -> bool:
    return search.strip().casefold() in f"{card.title} {card.text}".casefold()
