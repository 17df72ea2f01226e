"""Dialogs about a session: rename, tag, copy from a turn, export, open a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.history import SessionCard
from assistant.api.workspace import Workspace
from ui.screens.routes import build_pages
from ui.session_hub import SessionHub
from ui.views.text import build_file_name, count, line, plain, shorten

_LINK = "shared-link"


@st.dialog("Rename")
def rename(live: SessionHub, card: SessionCard) -> None:
    """Give it a name."""
    title = st.text_input("Name", value=card.title, key=f"name-{card.id}", max_chars=120)
    if st.button("Save", type="primary", disabled=not (title or "").strip()):
        try:
            live.call(live.workspace.rename(card.id, (title or "").strip()))
        except AssistantError as error:
            st.error(line(str(error)))
            return
        st.rerun()


@st.dialog("Tags")
def tag(live: SessionHub, card: SessionCard, tags: Sequence[str]) -> None:
    """Give it tags."""
    known_tags = sorted({tag_name for labels in live.workspace.history.labels().values() for tag_name in labels.tags})
    with st.container(horizontal=True, vertical_alignment="bottom", wrap=False, key=f"tagging-{card.id}"):
        selection = st.multiselect(
            "Choose tags, or type new ones",
            known_tags,
            default=list(tags),
            accept_new_options=True,
            key=f"tags-{card.id}",
            placeholder="Choose or type",
        )
        save = st.button("Save", type="primary", key=f"tags-save-{card.id}")  # beside: the list opens below
    if save:
        try:
            live.call(live.workspace.history.tag(card.id, [str(label) for label in selection]))
        except AssistantError as error:
            st.error(line(str(error)))
            return
        st.rerun()


@st.dialog("Continue from a turn")
def fork(live: SessionHub, card: SessionCard) -> None:
    """Begin a conversation where this one stood after a turn."""
    st.markdown(":gray[A new conversation begins with all up to the turn you choose. This one stays as it is.]")
    for turn in live.call(live.workspace.history.turns(card.id)):
        if st.button(f"{turn.n}. {line(shorten(turn.question, 70))}", key=f"fork-{card.id}-{turn.n}", width="stretch"):
            try:
                with st.spinner("Copying it"):
                    title = f"{shorten(turn.question, 60)} (from turn {turn.n})"
                    copy = live.call(live.workspace.history.copy(card.id, upto=turn.n, title=title), timeout_s=300)
            except AssistantError as error:
                st.error(plain(str(error)), icon=":material/error:")
                return
            st.switch_page(build_pages()["chat"], query_params={"s": copy})


@st.dialog("Export")
def export(live: SessionHub, card: SessionCard) -> None:
    """Take it along."""

    session, workspace = live.open(card.id), live.workspace  # files are made outside of the script: ask for them here

    def notebook() -> bytes:
        return live.call(session.export(), timeout_s=600)

    name = build_file_name(card.title, fallback="tandem")
    kinds = (
        ("Notebook", "ipynb", "application/x-ipynb+json", notebook, "Runs without Tandem"),
        (
            "Report",
            "html",
            "text/html",
            partial(_make_export, live, workspace, "report", card.id),
            "One file to read, with tables and charts",
        ),
        (
            "Script",
            "py",
            "text/x-python",
            partial(_make_export, live, workspace, "script", card.id),
            "The notebook's cells as Python",
        ),
    )
    for label, ending, mime, content, hint in kinds:
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, key=f"export-{ending}-{card.id}"):
            st.markdown(f"**{label}**  \n:gray[:small[{hint}]]", width="stretch")
            st.download_button(
                f"{label} (.{ending})",
                data=content,
                file_name=f"{name}.{ending}",
                mime=mime,
                on_click="ignore",
                icon=":material/download:",
                key=f"download-{ending}-{card.id}",
            )
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, key=f"export-print-{card.id}"):
        st.markdown("**Print or PDF**  \n:gray[:small[The report laid out for paper]]", width="stretch")
        report = partial(_make_export, live, workspace, "report", card.id)
        st.link_button(
            "Print",
            live.print_document(("report", card.id), report),
            icon=":material/print:",
            key=f"print-{card.id}",
            help="Opens the report, and the browser's dialog that prints it or saves it as PDF",
        )


def _make_export(live: SessionHub, workspace: Workspace, kind: str, session: str) -> bytes:
    work = workspace.report(session) if kind == "report" else workspace.script(session)
    return live.call(work, timeout_s=600)


@st.dialog("Share")
def share(live: SessionHub, card: SessionCard) -> None:
    """Make a link by which others read its answers, and take all such links back."""
    st.markdown(
        ":gray[Anyone with the link can read this conversation: its answers, tables and queries, including later ones. "
        "They can ask and run nothing, and see no other conversation.]"
    )
    origin = "/".join((st.context.url or "").split("/")[:3])
    link = st.session_state.get(_LINK)
    try:
        if st.button("Make a link", type="primary", icon=":material/link:", key=f"share-{card.id}"):
            link = st.session_state[_LINK] = (card.id, live.call(live.workspace.sharing.link(card.id)))
        if st.button("Take all links back", icon=":material/link_off:", key=f"unshare-{card.id}"):
            live.call(live.workspace.sharing.revoke(card.id))
            link = st.session_state[_LINK] = None
        links = live.call(live.workspace.sharing.count(card.id))
    except AssistantError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if link and link[0] == card.id:
        st.code(f"{origin}/shared/{link[1]}", language=None, wrap_lines=True)
        st.markdown(":gray[:small[Copy it now: it is not shown again.]]")
    st.markdown(f":gray[{count(links, 'link')} to this conversation]" if links else ":gray[It is not shared.]")


@st.dialog("Open a notebook")
def open_notebook(live: SessionHub) -> None:
    """Ask a question of a notebook that Tandem exported anew."""
    st.markdown(
        ":gray[The questions of a notebook that Tandem exported can be asked anew, on the data that is connected here. "
        "Nothing of the notebook runs.]"
    )
    file = st.file_uploader("Notebook", type=["ipynb"], key="notebook-file", label_visibility="collapsed")
    if file is None:
        return
    try:
        questions = live.workspace.questions_of(file.getvalue())
    except AssistantError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    for n, question in enumerate(questions):
        if st.button(line(shorten(question, 90)), key=f"notebook-ask-{n}", width="stretch", icon=":material/replay:"):
            with st.spinner("Getting the data ready"):
                session = live.create()
            live.of(session).send(session.ask(question))
            st.switch_page(build_pages()["chat"], query_params={"s": session.id})
