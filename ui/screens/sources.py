"""Data: what is connected, what it holds, and how to work on something else."""

from __future__ import annotations

import streamlit as st

from assistant.errors import AssistantError
from assistant.events import SourceAdded
from ui import session_hub
from ui.session_hub import SessionHub
from ui.views.text import count, line, plain


def draw() -> None:
    """Draw the screen."""
    live = session_hub.current()
    st.title("Data", anchor=False)
    source = live.workspace.default_source
    if source:
        with st.container(border=True, key="default-source", gap="small"):
            st.markdown("**:material/database: Connected**")
            st.markdown(plain(source))
            st.markdown(":gray[New questions use this, unless you add a file or connect something else.]")
    _connect(live)
    for added in _seen(live):
        _source(added)


def _connect(live: SessionHub) -> None:
    with st.container(border=True, key="connect", gap="small"):
        st.markdown("**Work on other data**")
        st.markdown(
            ":gray[A database address, or the path of a CSV, TSV, Excel, Parquet, JSON, SQLite or DuckDB file, "
            "or of a folder of such files. Several together, each on a line of its own. All are opened read-only.]"
        )
        with st.form("connect-form", border=False):
            given = st.text_area(
                "Addresses or paths",
                key="address",
                placeholder="/home/me/sales.xlsx\npostgresql://reader@db.example/shop",
                label_visibility="collapsed",
                height=68,
            )
            sent = st.form_submit_button("Connect", icon=":material/add_link:")
        named = tuple(filter(None, map(str.strip, (given or "").splitlines())))
        if sent and named:
            try:
                with st.spinner("Reading the data"):
                    session = live.create(named)
            except AssistantError as error:
                st.error(plain(str(error)), title="That could not be opened", icon=":material/error:")
                return
            st.query_params["s"] = session.id
            from ui.screens.places import pages

            st.switch_page(pages()["chat"], query_params={"s": session.id})


def _seen(live: SessionHub) -> list[SourceAdded]:
    """The sources of the open sessions, each once, the latest first."""
    seen: dict[str, SourceAdded] = {}
    for session in live.opened():
        for source in live.view(session).sources:
            seen.setdefault(f"{source.name} {source.display}", source)
    return list(seen.values())


def _source(source: SourceAdded) -> None:
    with st.container(border=True, key=f"source-{source.name}-{abs(hash(source.display))}", gap="small"):
        st.markdown(f"**{line(source.name)}** :gray-badge[{line(source.dialect)}]")
        st.markdown(f":gray[{line(source.display)}]")
        for note in source.notes:
            st.markdown(f":gray[:material/info: {plain(note)}]")
        if source.notes and source.dialect == "duckdb":
            st.markdown(
                ":gray[Is a file read wrongly? Say how in a file beside it, named like it, ending in `.tandem.toml`. "
                "In the chat, add the two together.]"
            )
        with st.container(gap="xxsmall"):
            for table in source.tables:
                rows = f" · {count(table.rows, 'row')}" if table.rows is not None else ""
                with st.expander(f"{line(table.name)}{rows}", type="compact"):
                    st.markdown(", ".join(f"`{column}`" for column in table.columns if "`" not in column))
