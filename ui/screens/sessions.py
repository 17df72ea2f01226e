"""The list of sessions: full-text search, pins, tags, copies, export, and deletion with undo."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.history import Labelled, SearchMatch, SessionCard
from ui import session_hub
from ui.screens import session_dialogs as dialogs
from ui.screens.frame import STATES, sort_sessions
from ui.screens.routes import build_pages
from ui.session_hub import SessionHub
from ui.views.text import format_age, line, plain, shorten

_PLACES = {"question": "asked", "answer": "answered", "code": "in the code", "table": "in the data"}
_NO_LABELS = Labelled()
SESSIONS_MAX = 40


def draw() -> None:
    """Draw the screen."""
    live = session_hub.current()
    with st.container(horizontal=True, vertical_alignment="center", key="questions-head"):
        st.title("Questions", anchor=False, width="stretch")
        if st.button("Open a notebook", icon=":material/upload_file:", type="tertiary", key="import"):
            dialogs.open_notebook(live)
    _draw_undo(live)
    cards = sort_sessions(live.workspace.sessions())
    if not cards:
        st.markdown(":gray[Nothing asked yet. What you ask is kept here, with its answers.]")
        st.page_link(build_pages()["chat"], label="Ask a question", icon=":material/edit_square:")
        _bin(live)
        return
    labels = live.workspace.history.labels()
    search = st.text_input(
        "Search",
        type="search",
        placeholder="Search questions, answers, SQL and tables",
        label_visibility="collapsed",
        key="search",
        live=True,
    )
    matches = live.call(live.workspace.history.find(search)) if (search or "").strip() else None
    tag = _choose_tag(labels)
    visible = [card for card in cards if _matches(card, search or "", matches)]
    visible = [card for card in visible if tag is None or tag in labels.get(card.id, _NO_LABELS).tags]
    visible.sort(key=lambda card: not labels.get(card.id, _NO_LABELS).pinned)
    if not visible:
        st.markdown(f":gray[Nothing holds “{line(search or tag or '')}”.]")
    for card in visible[:SESSIONS_MAX]:
        _draw_row(live, card, labels.get(card.id, _NO_LABELS), (matches or {}).get(card.id, ()))
    if len(visible) > SESSIONS_MAX:
        st.markdown(f":gray[{len(visible) - SESSIONS_MAX} older ones are not shown. Search finds them.]")
    _bin(live)


def _matches(card: SessionCard, search: str, matches: Mapping[str, Sequence[SearchMatch]] | None) -> bool:
    return matches is None or card.id in matches or search.strip().casefold() in card.title.casefold()


def _choose_tag(labels: Mapping[str, Labelled]) -> str | None:
    tags = sorted(
        {
            tag
            for labels_of_session in labels.values()
            if labels_of_session.binned is None
            for tag in labels_of_session.tags
        }
    )
    if not tags:
        return None
    return st.pills("Tags", tags, key="tag-filter", label_visibility="collapsed")


def _draw_row(live: SessionHub, card: SessionCard, labels: Labelled, matches: Sequence[SearchMatch]) -> None:
    with st.container(key=f"session-{card.id}", horizontal=True, vertical_alignment="center", wrap=False):
        with st.container(gap=None, width="stretch"):
            st.page_link(
                build_pages()["chat"],
                label=line(shorten(card.title or "New question", 80)),
                query_params={"s": card.id},
            )
            mark = STATES.get(card.state)
            parts = [
                ":material/keep: pinned" if labels.pinned else "",
                f"{mark[0]} {mark[1]}" if mark else "",
                format_age(card.updated),
                f"last asked “{line(shorten(card.latest, 60))}”" if card.latest else "",
                *(f"\\#{line(tag)}" for tag in labels.tags),
            ]
            st.markdown(f":gray[:small[{' · '.join(filter(None, parts))}]]")
            for match in matches[:2]:
                if match.place != "question" or match.excerpt != card.title:
                    st.markdown(f":gray[:small[{_PLACES[match.place]}: {line(match.excerpt)}]]")
        actions: dict[str, Callable[[], None]] = {
            "Unpin" if labels.pinned else "Pin to the top": lambda: _pin(live, card, labels),
            "Rename": lambda: dialogs.rename(live, card),
            "Tags": lambda: dialogs.tag(live, card, labels.tags),
            "Duplicate": lambda: _copy(live, card),
            "Continue from a turn": lambda: dialogs.fork(live, card),
            "Export": lambda: dialogs.export(live, card),
            **({"Share": lambda: dialogs.share(live, card)} if live.people is not None else {}),
            "Delete": lambda: _delete(live, card),
        }
        action = st.menu_button(
            "Actions", list(actions), key=f"actions-{card.id}", type="tertiary", icon=":material/more_horiz:"
        )
    if action is not None:
        actions[action]()


def _pin(live: SessionHub, card: SessionCard, labels: Labelled) -> None:
    if _done(live, live.workspace.history.pin(card.id, pinned=not labels.pinned)):
        st.rerun()


def _copy(live: SessionHub, card: SessionCard) -> None:
    if _done(live, live.workspace.history.copy(card.id)):
        st.toast("Duplicated", icon=":material/content_copy:")
        st.rerun()


def _delete(live: SessionHub, card: SessionCard) -> None:
    if _done(live, live.workspace.history.bin(card.id)):
        st.session_state["binned"] = (card.id, card.title)
        st.rerun()


def _draw_undo(live: SessionHub) -> None:
    """The way back, at once after a deletion."""
    binned = st.session_state.get("binned")
    if not binned:
        return
    id_, title = binned
    with st.container(horizontal=True, vertical_alignment="center", key="undo", border=True):
        st.markdown(f"Deleted: {line(shorten(title or 'New question', 60))}", width="stretch")
        if st.button("Undo", icon=":material/undo:", key="undo-delete", type="primary"):
            del st.session_state["binned"]
            if _done(live, live.workspace.history.restore(id_)):
                st.rerun()
        if st.button("Close", icon=":material/close:", key="undo-close", type="tertiary"):
            del st.session_state["binned"]
            st.rerun()


def _bin(live: SessionHub) -> None:
    binned = live.call(live.workspace.history.list_binned())
    if not binned:
        return
    with st.expander(f"Deleted in the last day ({len(binned)})", type="compact", key="bin"):
        for binned_session in binned:
            with st.container(horizontal=True, vertical_alignment="center", key=f"binned-{binned_session.id}"):
                st.markdown(
                    f"{line(shorten(binned_session.title, 60))} :gray[:small[{format_age(binned_session.at)}]]",
                    width="stretch",
                )
                with st.container(
                    horizontal=True, wrap=False, width="content", gap="small", key=f"binned-acts-{binned_session.id}"
                ):
                    restore = st.button(
                        "Bring back", key=f"restore-{binned_session.id}", type="tertiary", icon=":material/undo:"
                    )
                    purge = st.button(
                        "Delete for good", key=f"purge-{binned_session.id}", type="tertiary", icon=":material/delete:"
                    )
                if restore and _done(live, live.workspace.history.restore(binned_session.id)):
                    st.rerun()
                if purge and _done(live, live.workspace.delete(binned_session.id)):
                    live.forget(binned_session.id)
                    st.rerun()


def _done(live: SessionHub, work: Coroutine[Any, Any, object]) -> bool:
    try:
        live.call(work)
    except AssistantError as error:
        st.error(plain(str(error)), title="That was not done", icon=":material/error:")
        return False
    return True
