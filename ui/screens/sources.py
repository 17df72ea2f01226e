"""The data screen: each source with its tables, columns, keys and import options; connect, refresh and disconnect."""

from __future__ import annotations

from concurrent.futures import CancelledError
from typing import cast

import streamlit as st

from assistant.api.errors import AssistantError
from assistant.api.events import SourceAdded
from assistant.api.sources import SourceShown
from ui import session_hub
from ui.reading import Reading
from ui.screens import (
    er_diagram,
    source_connect,
    source_reading,
    source_tables,
    source_together,
)
from ui.screens.source_changes import draw_confirmation, draw_doubts, finish
from ui.session_hub import SessionHub
from ui.views import reading
from ui.views.source_reading import describe_place, describe_source
from ui.views.text import count, line, plain

_ORIGINS = {
    "sample": "An invented company, to try things out. It disappears when you connect data of your own.",
    "settings": "Named in the settings: to disconnect it, take it out of `sources` there.",
    "kept": "",
    "together": "Sources that you put together: a question can use the tables of all of them.",
}
_DIAGRAM_TABLES_MAX = 40
_ENGINES = {
    "sqlite": "SQLite",
    "duckdb": "DuckDB",
    "postgres": "PostgreSQL",
    "mysql": "MySQL",
    "tsql": "SQL Server",
    "bigquery": "BigQuery",
    "snowflake": "Snowflake",
}
"""What database systems are called, by sqlglot's word for their SQL."""


def draw() -> None:
    """Draw the screen."""
    live = session_hub.current()
    with st.container(horizontal=True, vertical_alignment="center", key="data-head"):
        st.title("Data", anchor=False, width="stretch")
        if st.button(
            "Refresh",
            icon=":material/refresh:",
            type="tertiary",
            key="data-refresh",
            help="Read tables and columns again",
        ):
            live.workspace.connections.refresh()
            live.forget_starters()
    if trouble := st.session_state.pop("data-trouble", None):
        st.error(plain(str(trouble)), title="That was not kept", icon=":material/error:")
    if done := st.session_state.pop("data-done", None):
        st.success(plain(str(done)), icon=":material/check:")
    sources = _list_sources(live)
    if sources is None:
        return
    for source in sources:
        _draw_source(live, source)
    source_together.draw(live, sources)
    source_connect.draw(live, expanded=all(source.origin == "sample" for source in sources))
    displays = {source.display for source in sources}
    for added in _list_session_sources(live):
        if added.display not in displays:
            _draw_session_source(added)


def _list_sources(live: SessionHub) -> tuple[SourceShown, ...] | None:
    """The sources, none where reading them was stopped or failed, which is said; None while they are being read."""
    stored_listing = st.session_state.get(source_tables.LISTING)
    if not isinstance(stored_listing, Reading) or (stored_listing.is_done() and not stored_listing.was_stopped):
        stored_listing = live.begin_reading("Looking at the data", live.workspace.connections.all())
        st.session_state[source_tables.LISTING] = stored_listing
    listing = cast("Reading[tuple[SourceShown, ...]]", stored_listing)
    if not reading.draw_until_done(listing, "listing"):
        return None
    del st.session_state[source_tables.LISTING]
    try:
        return listing.result()
    except CancelledError:
        st.info("Reading the data was stopped. Refresh reads it.", icon=":material/info:")
    except AssistantError as error:
        st.error(plain(str(error)), title="The sources cannot be read", icon=":material/error:")
    return ()


def _draw_source(live: SessionHub, source: SourceShown) -> None:
    with st.container(border=True, key=f"source-{source.name}", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", key=f"source-head-{source.name}"):
            engine = "Files" if source.is_file else _ENGINES.get(source.dialect, source.dialect)
            badge = f" :gray-badge[{line(engine)}]" if engine else ""
            st.markdown(f"**:material/database: {line(source.name)}**{badge}", width="stretch")
            if source.origin == "kept":
                _disconnect(live, source)
            elif source.origin == "together":
                source_together.take_apart(live, source)
        if place := describe_place(source):
            st.markdown(f":gray[{line(place)}]")
        if source.problem:
            st.error(plain(source.problem), title="It cannot be opened", icon=":material/error:")
            return
        st.markdown(describe_source(source))
        if explanation := _ORIGINS[source.origin]:
            st.markdown(f":gray[:small[{explanation}]]")
        draw_doubts(live, source)
        if source.notes:
            with st.expander(count(len(source.notes), "note"), icon=":material/info:", type="compact"):
                for note in source.notes:
                    st.markdown(plain(note))
        _draw_parts(live, source)


def _draw_parts(live: SessionHub, source: SourceShown) -> None:
    parts = ["Tables", "Keys", *(["How it is read"] if source.is_file else [])]
    tabs = st.tabs(parts, key=f"parts-{source.name}", on_change="rerun")
    for part, tab in zip(parts, tabs, strict=True):
        if not tab.open:
            continue
        with tab:
            if part == "Tables":
                source_tables.draw(live, source)
            elif part == "Keys":
                _draw_keys(source)
            else:
                source_reading.draw(live, source)


def _draw_keys(source: SourceShown) -> None:
    linked = [table for table in source.tables if table.links]
    targets = {link.table for table in linked for link in table.links}
    tables = [table for table in source.tables if table.links or table.name in targets][:_DIAGRAM_TABLES_MAX]
    description = er_diagram.describe_keys(source.tables)
    if not tables:
        st.markdown(f":gray[{plain(description)}]")
        return
    theme = "dark" if st.context.theme.type == "dark" else "light"
    with st.container(key=f"diagram-{source.name}"):
        st.graphviz_chart(er_diagram.build_dot(tables, theme=theme), width="content", alt=description)
    for table in tables:
        for link in table.links:
            if link.matched is not None:
                ends = f"{table.name}.{', '.join(link.columns)} = {link.table}.{', '.join(link.target_columns)}"
                st.markdown(f"{line(ends)} :gray[· {er_diagram.describe_matches(link)}]")
    st.caption(
        "An arrow leads from a column to the table it refers to; dashed: inferred from names and values, "
        "dotted and red where it is declared and the rows do not keep it."
    )


def _disconnect(live: SessionHub, source: SourceShown) -> None:
    if draw_confirmation(
        live,
        label="Disconnect",
        icon=":material/link_off:",
        key=f"disconnect-{source.name}",
        explanation="New questions will not use it. Conversations that began with it keep it.",
        yes="Disconnect it",
        work=lambda: live.workspace.connections.disconnect(source.name),
    ):
        finish(live, f"{source.name} is not connected any more.")


def _list_session_sources(live: SessionHub) -> list[SourceAdded]:
    """The sources of the open sessions, each once, the latest first."""
    sources: dict[str, SourceAdded] = {}
    for session in live.opened():
        for source in live.of(session).view().sources:
            sources.setdefault(f"{source.name} {source.display}", source)
    return list(sources.values())


def _draw_session_source(source: SourceAdded) -> None:
    """A source that one conversation alone uses."""
    key = f"{source.name}-{abs(hash(source.display))}"
    with st.container(border=True, key=f"conversation-source-{key}", gap="small"):
        is_file = any(table.file for table in source.tables)
        engine = "Files" if is_file else _ENGINES.get(source.dialect, source.dialect)
        st.markdown(f"**{line(source.name)}** :gray-badge[{line(engine)}] :gray[in one conversation only]")
        if place := describe_place(source):
            st.markdown(f":gray[{line(place)}]")
        for note in source.notes:
            st.markdown(f":gray[:material/info: {plain(note)}]")
        for table in source.tables:
            rows = f" · {count(table.rows, 'row')}" if table.rows is not None else ""
            with st.expander(f"{line(table.name)}{rows}", type="compact"):
                st.markdown(", ".join(f"`{column}`" for column in table.columns if "`" not in column))
