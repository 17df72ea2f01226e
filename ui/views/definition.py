"""A person's own definition of a word: the form to write it in, and what is kept, with the ways to change it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.knowledge import KnowledgeCard
from ui.session_hub import SessionHub
from ui.views.text import line, plain

_SAID = "definition-said"
_CHANGING = "definition-changing"
_FORMS = "definition-forms"
"""How many forms were sent: the next one has fields of its own, which are empty."""


def add(live: SessionHub, *, first: bool) -> None:
    """The way to define a word; `first` opens the form, as there is nothing else to see."""
    _said("")
    with st.expander("Define a word", icon=":material/add:", key="define", expanded=first):
        st.markdown(
            ":gray[What it means in your business, in one sentence over your data. It is kept under your name, and "
            "used from the next question on.]"
        )
        _form(live, "new")


def _said(about: str) -> None:
    """What came of the last change, once, where it was made: at the definition of that id, else above all."""
    told = st.session_state.get(_SAID)
    if told and told[0] == about:
        del st.session_state[_SAID]
        _, text, computed = told
        if computed:
            st.success(plain(text), icon=":material/check:")
        else:
            st.warning(plain(text), icon=":material/warning:")


def card(live: SessionHub, known: KnowledgeCard, *, key: str, uses: Callable[[], None]) -> None:
    """A definition that was kept here, with the ways to change and to remove it; `uses` draws what rests on it."""
    opened = st.expander(line(known.title), type="compact", key=key, on_change="rerun")
    if not opened.open:
        return
    with opened:
        if st.session_state.get(_CHANGING) == known.id:
            _form(live, known.id, word=known.words, meaning=known.meaning)
            return
        _said(known.id)
        st.markdown(plain(known.text))
        with st.container(horizontal=True, vertical_alignment="center", key=f"definition-by-{known.id}", gap="small"):
            day = f" on {known.on:%-d %B %Y}" if known.on is not None else ""
            st.markdown(f":gray[:material/person: Defined by {line(known.by)}{day}]", width="content")
            if st.button("Change", key=f"change-{known.id}", icon=":material/edit:", type="tertiary"):
                st.session_state[_CHANGING] = known.id
                st.rerun()
            remove = st.button("Remove", key=f"remove-{known.id}", icon=":material/delete:", type="tertiary")
        st.caption(line(known.origin))
        uses()
    if remove:
        try:
            live.call(live.workspace.knowledge.undefine(known.id), timeout_s=120)
        except AssistantError as error:
            st.error(plain(str(error)), title="It was not removed", icon=":material/error:")
            return
        st.session_state[_SAID] = ("", f"“{known.title}” is not defined here any more.", True)
        st.rerun()


def _form(live: SessionHub, id_: str, *, word: str = "", meaning: str = "") -> None:
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
    given = (str(st.session_state[f"word-{key}"]), str(st.session_state[f"meaning-{key}"]))
    try:
        with st.spinner("Reading it"):
            kept = live.call(live.workspace.knowledge.define(*given, instead_of="" if new else id_), timeout_s=120)
    except AssistantError as error:
        st.error(plain(str(error)), title="It was not kept", icon=":material/error:")
        return
    if kept.sql:
        text = f"“{kept.word}” is kept, and Tandem can compute with it. It reads it as: {kept.sql}."
    else:
        text = (
            f"“{kept.word}” is kept, but Tandem cannot compute with it: it did not understand every word. "
            "Say it with the names of your tables and columns, for instance “orders with a total over 500”. "
            "Until then an answer to a question that uses the word says so."
        )
    same = not new and given[0] == word  # under another word it is another definition, elsewhere in the list
    st.session_state[_SAID] = (id_ if same else "", text, bool(kept.sql))
    st.session_state.pop(_CHANGING, None)
    st.session_state[_FORMS] = st.session_state.get(_FORMS, 0) + 1
    st.rerun()
