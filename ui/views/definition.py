"""A person's own definition of a term: the form for its text, and the stored definition with its actions."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.knowledge import KnowledgeCard
from ui.session_hub import SessionHub
from ui.views.text import line, plain

_MESSAGE = "definition-said"
_CHANGING = "definition-changing"
_FORMS = "definition-forms"
"""How many forms were sent: the next one has fields of its own, which are empty."""


def draw_add_form(live: SessionHub, *, first: bool) -> None:
    """The way to define a word; `first` opens the form, as there is nothing else to see."""
    _draw_message("")
    with st.expander("Define a word", icon=":material/add:", key="define", expanded=first):
        st.markdown(
            ":gray[What it means in your business, in one sentence over your data. It is kept under your name, and "
            "used from the next question on.]"
        )
        _draw_form(live, "new")


def _draw_message(about: str) -> None:
    """What came of the last change, once, where it was made: at the definition of that id, else above all."""
    message = st.session_state.get(_MESSAGE)
    if message and message[0] == about:
        del st.session_state[_MESSAGE]
        _, text, computed = message
        if computed:
            st.success(plain(text), icon=":material/check:")
        else:
            st.warning(plain(text), icon=":material/warning:")


def draw_card(live: SessionHub, entry: KnowledgeCard, *, key: str, uses: Callable[[], None]) -> None:
    """A definition that was kept here, with the ways to change and to remove it; `uses` draws what rests on it."""
    opened = st.expander(line(entry.title), type="compact", key=key, on_change="rerun")
    if not opened.open:
        return
    with opened:
        if st.session_state.get(_CHANGING) == entry.id:
            _draw_form(live, entry.id, word=entry.words, meaning=entry.meaning)
            return
        _draw_message(entry.id)
        st.markdown(plain(entry.text))
        with st.container(horizontal=True, vertical_alignment="center", key=f"definition-by-{entry.id}", gap="small"):
            day = f" on {entry.on:%-d %B %Y}" if entry.on is not None else ""
            st.markdown(f":gray[:material/person: Defined by {line(entry.by)}{day}]", width="content")
            if st.button("Change", key=f"change-{entry.id}", icon=":material/edit:", type="tertiary"):
                st.session_state[_CHANGING] = entry.id
                st.rerun()
            remove = st.button("Remove", key=f"remove-{entry.id}", icon=":material/delete:", type="tertiary")
        st.caption(line(entry.origin))
        uses()
    if remove:
        try:
            live.call(live.workspace.knowledge.undefine(entry.id), timeout_s=120)
        except AssistantError as error:
            st.error(plain(str(error)), title="It was not removed", icon=":material/error:")
            return
        st.session_state[_MESSAGE] = ("", f"“{entry.title}” is not defined here any more.", True)
        st.rerun()


def _draw_form(live: SessionHub, id_: str, *, word: str = "", meaning: str = "") -> None:
    """The fields of a definition; `id_` is `new` for one that is not there yet."""
    new = id_ == "new"
    key = f"{id_}-{st.session_state.get(_FORMS, 0)}"
    with st.form(f"definition-{key}", border=False, enter_to_submit=False):
        st.text_input(
            "Word", value=word, key=f"word-{key}", placeholder="active customer", help="Other words for it after commas"
        )
        st.text_area(
            "What it means",
            value=meaning,
            key=f"meaning-{key}",
            placeholder="a customer with an order in the last 90 days",
            height=90,
        )
        with st.container(horizontal=True, gap="small"):
            keep = st.form_submit_button("Keep it", type="primary", icon=":material/check:")
            cancel = not new and st.form_submit_button("Cancel")
    if cancel:
        st.session_state.pop(_CHANGING, None)
        st.rerun()
    if not keep:
        return
    definition = (str(st.session_state[f"word-{key}"]), str(st.session_state[f"meaning-{key}"]))
    try:
        with st.spinner("Reading it"):
            definition_id = live.call(
                live.workspace.knowledge.define(*definition, instead_of="" if new else id_), timeout_s=120
            )
    except AssistantError as error:
        st.error(plain(str(error)), title="It was not kept", icon=":material/error:")
        return
    if definition_id.sql:
        text = f"“{definition_id.word}” is kept, and Tandem can compute with it. It reads it as: {definition_id.sql}."
    else:
        text = (
            f"“{definition_id.word}” is kept, but Tandem cannot compute with it: it did not understand every word. "
            "Say it with the names of your tables and columns, for instance “orders with a total over 500”. "
            "Until then an answer to a question that uses the word says so."
        )
    is_same_word = (
        not new and definition[0] == word
    )  # under another word it is another definition, elsewhere in the list
    st.session_state[_MESSAGE] = (id_ if is_same_word else "", text, bool(definition_id.sql))
    st.session_state.pop(_CHANGING, None)
    st.session_state[_FORMS] = st.session_state.get(_FORMS, 0) + 1
    st.rerun()
